package ui

import (
	"context"
	"strings"
	"testing"
)

// TestNoKeyIsMetBySilence: a key that does nothing where it was pressed says where it would, or
// that there is none of it.
func TestNoKeyIsMetBySilence(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"2", "f"}, "f is a key of 3 Call (take it from a file), 5 Wire (filter)"},
		{[]string{"6", "S"}, "S is a key of 3 Call (send unchecked)"},
		{[]string{"1", "s"}, "s is a key of 2 Tools (open the form), 3 Call (send), 4 Result (save"},
		{[]string{"2", "~"}, "~ is no key here; ? lists the keys"},
		{[]string{"5", "Z"}, "Z is no key here"},
		{[]string{"2", "\u202e"}, "is no key here"},
		{[]string{"2", "enter", "enter", "2", "enter", "3", "enter", "s"}, "nothing is typed on this row: enter sends, esc"},
	} {
		a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 120, 36)
		press(a, c.keys...)
		if view := a.View(); !strings.Contains(view, c.want) || strings.ContainsRune(view, '\u202e') {
			t.Errorf("%q: no %q in\n%s", c.keys, c.want, view)
		}
	}
}

// TestFooterNamesTheWayIntoAField at every width: without it letters are commands, and a value
// that is typed at once goes elsewhere.
func TestFooterNamesTheWayIntoAField(t *testing.T) {
	for _, w := range []int{60, 80, 120, 160} {
		a := appOn(t, sample(t, "modern-clean.jsonl"), "none", w, 24)
		press(a, "2", "g", "enter")
		if foot := a.footer(); !strings.Contains(foot, "enter edit") {
			t.Errorf("%d columns: %q", w, foot)
		}
		a.running = map[int]context.CancelFunc{1: func() {}}
		if foot := a.footer(); !strings.Contains(foot, "x cancel the running call") {
			t.Errorf("%d columns, a call runs: %q", w, foot)
		}
	}
}
