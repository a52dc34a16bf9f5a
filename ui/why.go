package ui

import (
	"strings"

	"example.com/mcpinspect/ui/text"
)

// whyCommand is :why: what is known of why the open calls have no answer, looked at anew.
func (a *app) whyCommand(rest []string) {
	if len(rest) > 0 {
		a.say("why takes no words")
		return
	}
	switch open, err := a.sess.Why(); {
	case err != nil:
		a.say("%v: the wire has what was known", err)
	case open == 0:
		a.say("no call is open")
	default:
		a.say("looked at %s", text.Plural(open, "open call"))
		if c, ok := lastCallOpen(a.sess.Snapshot()); ok {
			a.say("%s: %s", calledBy(c), strings.Join(c.Known, "; "))
		}
	}
}
