package ui

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// TestFooterIsOfWhatTakesTheKeys: what stands in front of the panes, or takes text, says its own keys: there
// q does not quit and s sends nothing.
func TestFooterIsOfWhatTakesTheKeys(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want []string
		not  string
	}{
		{[]string{"3", "!"}, []string{"esc closes", "enter its first row", "o severity"}, "q quit"},
		{[]string{"3", "?"}, []string{"esc closes", "/ searches"}, "s send"},
		{[]string{"5", "/", "a"}, []string{"SEARCH", "enter finds it", "esc leaves it"}, "q quit"},
		{[]string{":", "~", "~"}, []string{"COMMAND", "enter does it", "esc leaves it"}, "q quit"},
		{[]string{"5", "y"}, []string{"COPY", "esc leaves it"}, "q quit"},
		{[]string{"5", "z"}, []string{"ROW", "q quit", "z all panes"}, "SEARCH"},
		{[]string{"6"}, []string{"q quit", "enter zoom"}, "edit"},
		{[]string{"6", "enter"}, []string{"q quit", "z all panes"}, "enter"},
		{[]string{"4"}, []string{"r send the last arguments again"}, "enter takes one"},
	} {
		for _, w := range []int{80, 120, 160} {
			a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", w, 36)
			press(a, c.keys...)
			lines := strings.Split(ansi.Strip(a.View()), "\n")
			foot := lines[len(lines)-1]
			for _, want := range c.want {
				if !strings.Contains(foot, want) {
					t.Errorf("%d columns, %q: no %q in %q", w, c.keys, want, foot)
				}
			}
			if strings.Contains(foot, c.not) {
				t.Errorf("%d columns, %q: %q in %q", w, c.keys, c.not, foot)
			}
		}
	}
}

// TestHelpOverASheet: what the footer of a sheet names is there, and goes as it came.
func TestHelpOverASheet(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 120, 36)
	press(a, "!", "?")
	if a.help == nil || a.help.title != helpTitle {
		t.Fatalf("after ? %+v", a.help)
	}
	if press(a, "?"); a.help != nil {
		t.Errorf("after ?? %s", a.help.title)
	}
}

// TestAnswerOutOfSight: where one pane is seen at a time, an answer does not come in silence.
func TestAnswerOutOfSight(t *testing.T) {
	for _, c := range []struct {
		w, h int
		keys []string
		want bool
	}{
		{60, 20, []string{"3"}, true}, {60, 20, []string{"4"}, false}, {60, 20, []string{"2"}, false},
		{120, 36, []string{"3"}, false}, {120, 36, []string{"3", "z"}, true}, {120, 36, []string{"3", "z", "z"}, false},
	} {
		a := appOn(t, sample(t, "modern-clean.jsonl"), "none", c.w, c.h)
		for of := range a.snap.Last {
			if of.Method == client.MethodToolsCall {
				a.call.of = toolOffer(of.Name)
			}
		}
		press(a, c.keys...)
		snap := *a.snap
		snap.Phase, snap.Worst, snap.Stray, a.snap = session.Ready, session.Worst{}, -1, &snap
		said, role := a.sentence()
		if strings.Contains(said, "was answered in") != c.want || c.want && !strings.Contains(said, ": 4 shows it") {
			t.Errorf("%dx%d %q: %q, %v", c.w, c.h, c.keys, said, role)
		}
	}
}

// TestSaidOfAPane: what is said of the focused pane goes with the next key, which may leave it.
func TestSaidOfAPane(t *testing.T) {
	for _, keys := range [][]string{{"5", "5"}, {"1", "v"}, {"2", "2"}, {"1", "s"}, {"5", "Z"}} {
		a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 120, 36)
		press(a, keys...)
		if a.notice == "" {
			t.Errorf("%q: nothing is said", keys)
		}
		if press(a, "6"); a.notice != "" {
			t.Errorf("%q and 6: %q", keys, a.notice)
		}
		press(a, "~", "6")
		if a.say("copied"); a.passing {
			t.Error("what is said of no pane goes with a key")
		}
	}
}

// TestNoticeOfACall: what was said of the arguments before does not stand beside a call, and what is said of
// one that failed says what to do.
func TestNoticeOfACall(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}), "add", 120, 36)
	a.say("2 problems: nothing was sent")
	if a.start(toolOffer("add"), []byte(`{"a":1}`), false); a.calls == 0 || a.notice != "" {
		t.Errorf("%d calls, %q", a.calls, a.notice)
	}
	a.Update(callMsg{a.calls, "add", &client.HTTPError{URL: "http://127.0.0.1:1/", Err: syscall.ECONNREFUSED}})
	if !strings.Contains(a.notice, "; nothing listens there") {
		t.Error(a.notice)
	}
}

// TestObjectAtOnce: an object that comes without the brackets of a paste fills the form as one that has them.
func TestObjectAtOnce(t *testing.T) {
	for _, paste := range []bool{false, true} {
		a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}), "add", 120, 36)
		press(a, "3")
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(`{"a":41}`), Paste: paste})
		if args, _, err := a.call.value(); err != nil || string(args) != `{"a":41}` || a.prompt.kind != promptNone {
			t.Errorf("pasted %v: %s, %v; %q", paste, args, err, a.notice)
		}
	}
}

// TestWhyTheRevision: that server/discover was refused is no trouble, and does not look like any.
func TestWhyTheRevision(t *testing.T) {
	a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 120, 36)
	snap, server := *a.snap, *a.snap.Server
	server.Revision, server.Why = "2025-11-25", "server/discover got no answer within 3s"
	snap.Phase, snap.Server, snap.Worst, snap.Stray = session.Ready, &server, session.Worst{}, -1
	a.snap = &snap
	if said, _ := a.sentence(); said != "speaks 2025-11-25: server/discover got no answer within 3s" {
		t.Errorf("%q", said)
	}
}

// TestNoteOfATitle: a note is whole, or has room enough to say something.
func TestNoteOfATitle(t *testing.T) {
	a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 120, 36)
	for _, note := range []string{"2 pages", "page 2, more", "1 row"} {
		for w := 10; w < 60; w++ {
			bar := ansi.Strip(a.look.bar(Rect{0, 0, w, 3}, true, true, "2 Tools Resources", note))
			_, part, cut := strings.Cut(bar, " "+note[:1])
			if cut && strings.Contains(part, "…") && len([]rune(part)) < leastNote {
				t.Errorf("%d cells: %s", w, bar)
			}
			if w > 22+len(note) && !strings.Contains(bar, fmt.Sprintf(" %s ", note)) {
				t.Errorf("%d cells lack %q: %s", w, note, bar)
			}
		}
	}
}
