package ui

import (
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// TestWhyTheServerEnded: what a stack has pushed away stands in the server pane and in the result.
func TestWhyTheServerEnded(t *testing.T) {
	crash := []string{"panic: out of stock", "", "goroutine 13 [running]:", "main.f()"}
	stack := slices.Repeat([]string{"main.g()"}, 50)
	s := &session.Snapshot{Phase: session.Ended, Box: &session.BlackBox{Exit: client.Exit{Code: 2, Asked: client.AskedNo}, Stderr: stack, Crash: append(crash, stack[:16]...)}}
	result := &lineBuilder{look: look{glyphs: text.Unicode}, width: 60}
	new(resultPane).lost(result, session.Call{Seq: 4}, resultSource{snap: s})
	for where, lines := range map[string][]line{"server": serverLines(look{glyphs: text.Unicode}, s, session.Target{}, 0, 60), "result": result.out} {
		var words []string
		for _, l := range lines {
			words = append(words, l.text)
		}
		if got := strings.Join(words, "\n"); !strings.Contains(got, "err panic: out of stock\n") || !strings.Contains(got, "err main.f()\n") {
			t.Errorf("%s:\n%s", where, got)
		}
	}
}
