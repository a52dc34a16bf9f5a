package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
)

// large is a recorded session with one call, whose answer is large, and many stray lines behind it.
func large(t *testing.T, stray int) (s *session.Session, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.jsonl")
	w, err := recordings.Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Head(recordings.Head{Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "/bin/server")
	say := func(ch recordings.Channel, line string) { w.Bytes(0, ch, []byte(line+"\n")) }
	say(recordings.In, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	say(recordings.Out, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"big","inputSchema":{"type":"object"}}]}}`)
	say(recordings.In, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"big","arguments":{}}}`)
	say(recordings.Out, `{"result":{"content":[{"type":"text","text":"THE ANSWER"}],"pad":"`+strings.Repeat("x", 2<<20)+`","tail":"END"},"jsonrpc":"2.0","id":2}`)
	w.Bytes(1, recordings.Out, []byte(strings.Repeat("stray\n", stray)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if s, err = session.Read(r, check.New()); err != nil {
		t.Fatal(err)
	}
	return s, path
}

const answerRow = 4

// says is what a pane says, however it is wrapped.
func says(a *app, p Pane) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(ansi.Strip(strings.Join(a.pane(p, Rect{0, 0, 120, 20}), " ")), "│", " ")), " ")
}

// run carries out a command and those that it leads to, as Bubble Tea does.
func run(a *app, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			run(a, c)
		}
	case bodyMsg, detailMsg, answerMsg, picturesMsg, sieveMsg, placeMsg, foundMsg, countedMsg:
		_, next := a.Update(m)
		run(a, next)
	}
}

// TestBodiesAreReadBack: what memory has no longer is shown all the same, or why it cannot be.
func TestBodiesAreReadBack(t *testing.T) {
	for _, kept := range []bool{true, false} {
		t.Run(fmt.Sprint("kept ", kept), func(t *testing.T) {
			s, path := large(t, 10)
			s.Log().Bound(1<<20, 1<<20)
			if e, _ := s.Log().Event(answerRow); e.Kept == e.Size || e.ID != "2" {
				t.Fatalf("%+v", e)
			}
			if !kept {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			a := appOn(t, s, "none", 200, 50)
			a.openTool(s.Snapshot().List("tools").Items[0])
			a.bodies.asked, a.result.asked = nil, false // nobody carried out what the first frame asked for
			a.wire.list.Go(answerRow)
			_, cmd := a.Update(tickMsg{})
			for _, pane := range []Pane{PaneDetail, PaneResult} {
				if got := says(a, pane); !strings.Contains(got, "back from the recording") || strings.Contains(got, "THE ANSWER") && pane == PaneResult {
					t.Errorf("%v before:\n%s", pane, got)
				}
			}
			run(a, cmd)
			for _, pane := range []Pane{PaneDetail, PaneResult} {
				got := says(a, pane)
				want := []string{"read back from the recording", "THE ANSWER"}
				if !kept {
					want = []string{"cannot be read back", "of 2097"}
				}
				for _, w := range want {
					if !strings.Contains(got, w) {
						t.Errorf("%v: %q is missing\n%s", pane, w, got)
					}
				}
			}
			raw, known := answerBytes(s.Log(), [2]int{answerRow - 1, answerRow})
			if known != kept || kept && len(raw) != 2097257 {
				t.Errorf("compared are %d bytes, known %t", len(raw), known)
			}
			if block, _, err := a.blockUnder(); kept != (err == nil) || kept && !strings.Contains(string(block), "THE ANSWER") {
				t.Errorf("the block to save is %q, %v", block, err)
			}
			a.focus(PaneWire)
			if line := a.line(); kept != strings.HasSuffix(line, `"tail":"END"},"jsonrpc":"2.0","id":2}`) {
				t.Errorf("the line to copy has %d bytes", len(line))
			}
			a.focus(PaneDetail)
			for range 40 { // values and pointers of a body that is cut
				press(a, "j")
				a.valueUnder()
				a.pointer()
			}
		})
	}
}

// TestRowsThatWereLetGo: the wire begins at the oldest row that is there, and the cursor keeps its row.
func TestRowsThatWereLetGo(t *testing.T) {
	const stray = 20_000
	s, _ := large(t, stray)
	x, err := filter.Parse("is:stray")
	if err != nil {
		t.Fatal(err)
	}
	sifted := appOn(t, s, "none", 160, 45)
	sifted.wire.filter(x, noRow)
	for sifted.wire.rows.len() < stray {
		_, cmd := sifted.Update(tickMsg{})
		run(sifted, cmd)
	}
	a := appOn(t, s, "none", 160, 45)
	a.wire.list.Go(15_000)
	a.Update(tickMsg{})
	s.Log().Bound(8192, 1<<30)
	first := s.Log().First()
	a.Update(tickMsg{})
	if first == 0 || a.wire.selected() != 15_000 || a.wire.list.Len() != s.Log().Len()-first {
		t.Errorf("row %d is selected of those from %d on", a.wire.selected(), first)
	}
	exact(t, a, 160, 45)
	if got := ansi.Strip(a.View()); !strings.Contains(got, ">15000 ") || !strings.Contains(got, fmt.Sprintf("newest %s of %s", text.Count(a.wire.list.Len()), text.Plural(s.Log().Len(), "row"))) {
		t.Errorf("the frame is\n%s", got)
	}
	a.focus(PaneWire)
	press(a, "g")
	if a.wire.selected() != first {
		t.Errorf("the first row is %d, of those from %d on", a.wire.selected(), first)
	}
	s.Log().Bound(4096, 1<<30) // the selected row goes
	a.Update(tickMsg{})
	if a.wire.selected() != s.Log().First() {
		t.Errorf("row %d is selected of those from %d on", a.wire.selected(), s.Log().First())
	}
	_, cmd := sifted.Update(tickMsg{})
	run(sifted, cmd)
	sifted.Update(tickMsg{})
	if n := sifted.wire.rows.len(); n != s.Log().Len()-s.Log().First() || sifted.wire.rows.seq(0) != s.Log().First() {
		t.Errorf("%d rows pass the filter, from %d on", n, sifted.wire.rows.seq(0))
	}
	if picked, next := x.Select(t.Context(), nil, s.Log(), 0, s.Log().Len()); len(picked) != sifted.wire.rows.len() || next != s.Log().Len() {
		t.Errorf("%d rows pass anew, up to %d", len(picked), next)
	}
	press(a, ";", ",", "G", "k", "enter", "v", "v")
	exact(t, a, 160, 45)
	a.openTool(s.Snapshot().List("tools").Items[0])
	a.Update(tickMsg{})
	if got := says(a, PaneResult); !strings.Contains(got, "is no longer in memory") {
		t.Errorf("the result of a call that was let go:\n%s", got)
	}
	var found []string // what is judged of rows that memory has no longer
	for _, f := range check.Findings(s.Log(), nil) {
		found = append(found, fmt.Sprintf("%s %d from %d", f.Rule, f.Count, f.First.Seq))
	}
	if want := fmt.Sprintf("stray-stdout %d from %d", stray, answerRow+1); !slices.Contains(found, want) || !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, "long-line 1 ") }) {
		t.Errorf("%q, want %q and a long line", found, want)
	}
}

func TestRecordingInTheHeader(t *testing.T) {
	a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 160, 45)
	for _, c := range []struct {
		path string
		snap session.Snapshot
		want string
	}{
		{"", session.Snapshot{}, "rec off"},
		{"a", session.Snapshot{}, "rec on"},
		{"a", session.Snapshot{Unrecorded: 2048, Losing: true}, "rec STOPPED, 2.0 KB missing"},
		{"a", session.Snapshot{Unrecorded: 2048}, "rec on, 2.0 KB missing"},
	} {
		a.opts.Recording, a.snap = c.path, &c.snap
		if got := a.recording(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if !strings.Contains(a.header(), c.want) {
			t.Errorf("the header lacks %q", c.want)
		}
	}
}
