package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// pressed types keys and runs the command of the last one, as the program does.
func pressed(a *app, keys ...string) {
	press(a, keys[:len(keys)-1]...)
	_, cmd := a.Update(keyMsg(keys[len(keys)-1]))
	ran(a, cmd)
}

// ran brings back what a command of marks or notes gave, batched or not.
func ran(a *app, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range m {
			ran(a, c)
		}
	case markedMsg:
		a.Update(m)
	}
}

// TestMarksOnTheScreen: a marked row has a sign, its note stands in the detail, and the filter finds
// both; unmarked it is as before.
func TestMarksOnTheScreen(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 160, 45)
	press(a, "5", "g", "j", "j")
	row := func() string {
		a.Update(lookMsg{})
		for _, l := range strings.Split(ansi.Strip(a.View()), "\n") {
			if at := strings.Index(l, "0.403 !!"); at >= 0 && strings.Contains(l[at:], " STRAY ") {
				return l[at-len("2*   "):]
			}
		}
		t.Fatalf("the row is not shown, said %q:\n%s", a.notice, ansi.Strip(a.View()))
		return ""
	}
	before := row()
	pressed(a, "m")
	if !strings.Contains(row(), "2*   0.403") || !strings.Contains(a.notice, "#2 marked") || !strings.Contains(a.notice, "not recorded") {
		t.Errorf("row %q, said %q", row(), a.notice)
	}
	a.command("note first")
	ran(a, a.command("note  why is this  here?"))
	row()
	if v := ansi.Strip(a.View()); !strings.Contains(v, "note: why is this  here?") {
		t.Errorf("no note in\n%s", v)
	}
	a.command("filter is:marked")
	a.Update(lookMsg{})
	if got := a.wire.rows.len(); got != 1 {
		t.Errorf("%d rows are marked", got)
	}
	a.command("filter size>0")
	a.Update(lookMsg{})
	pressed(a, "m")
	if !strings.Contains(row(), "2\"   0.403") {
		t.Errorf("the note has no sign: %q", row())
	}
	ran(a, a.command("note"))
	if row() != before || a.notice == "" {
		t.Errorf("row %q, before %q", row(), before)
	}
	ran(a, a.command("note"))
	if !strings.Contains(a.notice, "needs a text") {
		t.Errorf("said %q", a.notice)
	}
}
