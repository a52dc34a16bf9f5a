package ui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/ui/text"
)

// unbound says what a key is that does nothing in this pane: a key that is meant well and met by
// silence looks like a program that hangs.
func (a *app) unbound(key string) {
	var where []string
	for p := PaneServer; p < paneEnd; p++ {
		if p == PaneQuestion && a.asking.current() == nil {
			continue
		}
		for _, b := range keyTable {
			if b.Scope != Everywhere && slices.Contains(scopesOf(p), b.Scope) && slices.Contains(b.Keys, key) {
				help, _, _ := strings.Cut(b.Help, ";")
				where = append(where, fmt.Sprintf("%d %s (%s)", p, paneNames[p], help))
				break
			}
		}
	}
	key = text.Clean(key)
	if where == nil {
		a.sayHere("%s is no key here; ? lists the keys", key)
		return
	}
	a.sayHere("%s is a key of %s", key, strings.Join(where, ", "))
}
