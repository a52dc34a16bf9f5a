package ui

import (
	"os"
	"strings"
	"testing"
)

// TestSearchWaitsForTheBody: what stands in the part of a body that is still being read back is found once it
// is there, in the detail in each mode and in the result; a key ends the wait, and what is missing is told.
func TestSearchWaitsForTheBody(t *testing.T) {
	fresh := func(t *testing.T, gone bool) *app {
		s, path := large(t, 10)
		s.Log().Bound(1<<20, 1<<20)
		if gone {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		a := appOn(t, s, "none", 200, 50)
		a.openTool(s.Snapshot().List("tools").Items[0])
		a.bodies.asked, a.result.asked = nil, false // nobody carried out what the first frame asked for
		a.wire.list.Go(answerRow)
		return a
	}
	for _, view := range []string{"", "v", "v v"} {
		a := fresh(t, false)
		_, reads := a.Update(tickMsg{})
		press(a, append([]string{"6"}, strings.Fields(view)...)...)
		press(a, "/", "tail", "enter")
		a.dirty = true
		if a.notice != "" || !strings.Contains(a.View(), `looking for "tail" once the rest is read back`) {
			t.Errorf("%q: %q is said:\n%s", view, a.notice, a.View())
		}
		run(a, reads)
		if line := a.detail.line(); a.notice != `"tail": 1 of 1` || !strings.Contains(line, "tai") { // the line of hex may end there
			t.Errorf("%q: at %q, said %q", view, line, a.notice)
		}
		for _, key := range []string{"n", "N"} {
			_, again := a.Update(keyMsg(key))
			if run(a, again); a.notice != `"tail": 1 of 1` {
				t.Errorf("%q: %s says %q", view, key, a.notice)
			}
		}
	}

	a := fresh(t, false)
	_, reads := a.Update(tickMsg{})
	press(a, "4", "/", "answer", "enter")
	if a.notice != "" {
		t.Errorf("said before the answer is read: %q", a.notice)
	}
	if run(a, reads); a.notice != `"answer": 1 of 1` {
		t.Errorf("in the result: %q", a.notice)
	}

	a = fresh(t, false)
	_, reads = a.Update(tickMsg{})
	press(a, "6", "/", "tail", "enter", "j")
	if run(a, reads); a.inBody != nil || strings.Contains(a.notice, "tail") {
		t.Errorf("a key does not end the wait: %q", a.notice)
	}

	a = fresh(t, true)
	_, reads = a.Update(tickMsg{})
	press(a, "6", "/", "tail", "enter")
	if run(a, reads); !strings.Contains(a.notice, `"tail" is not in what is there of this row, of which 2.1 MB are missing`) {
		t.Errorf("of a body that is gone: %q", a.notice)
	}
}

// TestHuntReadsNothingOnTheLoop: a row whose bytes are in the recording only is searched beside the loop, and
// all of it, over the border of pieces too.
func TestHuntReadsNothingOnTheLoop(t *testing.T) {
	s, _ := large(t, 10)
	s.Log().Bound(1<<20, 1<<20)
	a := appOn(t, s, "none", 160, 45)
	press(a, "5", "g", "/", `tail":"`, "enter")
	if a.hunt == nil || a.hunt.shown || a.hunt.looked.Load() >= answerRow {
		t.Fatal("the body was read on the loop")
	}
	if finish(a); a.wire.selected() != answerRow || a.notice != `"tail\":\"": 1 of 1` {
		t.Errorf("row %d: %s", a.wire.selected(), a.notice)
	}
}
