package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session"
)

// until presses a key and does what it starts, until the message of the wanted kind has come.
func until[M tea.Msg](t testing.TB, a *app, key string) {
	t.Helper()
	_, cmd := a.Update(keyMsg(key))
	brought[M](t, a, cmd)
}

// brought runs commands until one brings the wanted message, and hands it to the screen. Those that
// wait for something are not run.
func brought[M tea.Msg](t testing.TB, a *app, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("nothing was started")
	}
	switch m := cmd().(type) {
	case M:
		a.Update(m)
	case tea.BatchMsg:
		for _, c := range m {
			if c == nil {
				continue
			}
			if got, ok := c().(M); ok {
				a.Update(got)
				return
			}
		}
		t.Fatal("what was wanted did not come")
	default:
		t.Fatalf("a %T came", m)
	}
}

func TestGoldenSheets(t *testing.T) {
	var out strings.Builder
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", size[0], size[1])
		show := func(what string) {
			exact(t, a, size[0], size[1])
			fmt.Fprintf(&out, "# %s\n%s\n", what, ansi.Strip(a.View()))
		}
		until[findingsMsg](t, a, "!")
		show("findings")
		press(a, "o", "o")
		show("errors only")
		press(a, "j", "j", "enter")
		show("enter goes to the row")
		press(a, ":")
		typed(a, "stats")
		until[statisticsMsg](t, a, "enter")
		show("statistics")
		press(a, "esc", "5", "g")
		a.goToRow(13)
		until[storyMsg](t, a, "t")
		show("the story of a call")
	}
	golden(t, "screens/sheets.txt", out.String())
}

func TestStoryView(t *testing.T) {
	a := appOn(t, ended(t), "none", 120, 36)
	press(a, "5", "v", "g", "j", "j") // the call of boom
	until[storyMsg](t, a, "t")
	want := []int{4, 9, 12, 13}
	if got := shown(a); !slices.Equal(got, []int{4, 9}) && !slices.Equal(got, want) {
		t.Errorf("rows %v", got)
	}
	if s := a.View(); !strings.Contains(s, "5 Wire story of #4 tools/call boom") {
		t.Errorf("the title:\n%s", s)
	}
	press(a, "G", "/", "went", "enter")
	finish(a)
	if a.wire.selected() != 9 {
		t.Errorf("the search ends on %d: %s", a.wire.selected(), a.notice)
	}
	press(a, "esc")
	if a.wire.story != nil || a.wire.view != session.Calls || a.wire.selected() != 4 {
		t.Errorf("esc leads to %v on %d", a.wire.view, a.wire.selected())
	}
	press(a, "t", "f")
	if a.wire.story != nil {
		t.Error("a filter is typed for a story")
	}
	press(a, "esc", "esc", "G")
	if a.notice = ""; a.wire.view != session.Frames {
		t.Error("esc does not lead to the frames")
	}
	press(a, "t")
	if a.wire.story != nil || !strings.Contains(a.notice, "belongs to no request") {
		t.Errorf("a row without a request: %s", a.notice)
	}
}

// TestFindingsSheet: f filters the wire by the rule under the cursor, and what is found later is listed.
func TestFindingsSheet(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 120, 36)
	until[findingsMsg](t, a, "!")
	a.View()
	press(a, "/", "s", "t", "r", "a", "y", "-", "enter", "f")
	if a.help != nil || a.wire.filtered() != "rule:stray-stdout" {
		t.Errorf("the filter is %q", a.wire.filtered())
	}
	_, cmd := a.Update(keyMsg("!"))
	a.findings.counts.Errors-- // as if one more had come meanwhile
	brought[findingsMsg](t, a, cmd)
	if a.findings.work || !a.findings.waits {
		t.Error("what came meanwhile is looked for at once, or not at all")
	}
	a.findings.when = time.Time{}
	if a.Update(gatherMsg{a.findings}); !a.findings.work {
		t.Error("what came meanwhile is not looked for")
	}
	clean := appOn(t, sample(t, "modern-clean.jsonl"), "none", 120, 36)
	until[findingsMsg](t, clean, "!")
	if !strings.Contains(clean.View(), "nothing was found") && len(clean.findings.list) == 0 {
		t.Errorf("no findings:\n%s", clean.View())
	}
}
