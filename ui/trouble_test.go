package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// faulty is a recording of a server with a long name, whose last row is a stray line.
func faulty(t *testing.T, exit string) *session.Session {
	t.Helper()
	made := recorded(t,
		`in:{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"a server with a name that is longer than any header","version":"1.0.0-rc.1"}}}`+"\n",
		`err:Error: no such table: notes`+"\n",
		`out:the newest row`+"\n") + exit
	r, err := recordings.NewReader(strings.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// However narrow the screen is, the worst that was found and how often stand in the header, and what
// has no room goes whole.
func TestHeaderNarrows(t *testing.T) {
	for _, exit := range []string{"", `{"k":"exit","t":9000000,"run":1,"code":1}` + "\n"} {
		a := appOn(t, faulty(t, exit), "none", 160, 45)
		worst := fmt.Sprintf("ERR %d", a.snap.Counts.Errors)
		for w := 300; w >= tinyW; w-- {
			a.w = w
			got := a.header()
			if text.Width(got) != w || !strings.Contains(got, worst) || exit != "" && !strings.Contains(got, "ENDED") {
				t.Errorf("%d cells of %d: %q", text.Width(got), w, got)
			}
			for i, part := range strings.Split(got, a.look.glyphs.Vertical) {
				if i > 0 && strings.Contains(part, "…") {
					t.Errorf("%d cells: part %q is cut", w, part)
				}
			}
		}
	}
}

// What is an opened recording says so at any width that has room for more than what is wrong.
func TestHeaderOfARecording(t *testing.T) {
	parts := []headPart{{"recording a.jsonl, 2026-09-01 09:30:00", "recording", rankFile}, {"ENDED exit status 1", "ENDED", rankStays}, {"ERR 2 WARN 1", "ERR 2", rankStays}, {"run 1", "", rankProcess}}
	var seen []string
	for more := true; more; {
		var said []string
		for _, p := range parts {
			said = append(said, p.text)
		}
		seen = append(seen, strings.Join(said, "|"))
		parts, more = narrower(parts)
	}
	want := []string{
		"recording a.jsonl, 2026-09-01 09:30:00|ENDED exit status 1|ERR 2 WARN 1|run 1",
		"recording a.jsonl, 2026-09-01 09:30:00|ENDED exit status 1|ERR 2 WARN 1",
		"recording|ENDED exit status 1|ERR 2 WARN 1",
		"recording|ENDED|ERR 2", "ENDED|ERR 2",
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}

// A status of several lines takes them from the panes: the newest row of a wire that is followed stays
// in sight.
func TestNewestRowStandsAboveTheStatus(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {72, 20}, {60, 20}, {40, 12}} {
		a := appOn(t, faulty(t, ""), "none", size[0], size[1])
		a.focus(PaneWire)
		a.wire.follow(true)
		a.Update(tickMsg{})
		for _, said := range []string{"", "short", strings.Repeat("a long notice ", 40)} {
			a.notice, a.dirty = said, true
			lines := strings.Split(a.View(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%v %q: %d lines", size, said, len(lines))
			}
			if !strings.Contains(a.View(), ">   4 ") {
				t.Errorf("%v %.20q: the newest row is not seen:\n%s", size, said, a.View())
			}
		}
	}
}

// What ended the server stands with the cure in the place of what cannot be: without a tool in the call
// pane, and in the status. A reason that does not fit is cut at the end, not in its second line.
func TestTroubleOfARecording(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}} {
		a := appOn(t, faulty(t, `{"k":"exit","t":9000000,"run":1,"code":1}`+"\n"), "none", size[0], size[1])
		if strings.Contains(a.View(), "choose a tool") || strings.Contains(a.View(), "fill the form") {
			t.Errorf("%v: what cannot be done is proposed:\n%s", size, a.View())
		}
		for _, want := range []string{"the server ended with exit status 1", "no such table: notes"} {
			if n := strings.Count(a.View(), want); n < 1 {
				t.Errorf("%v: %q is not said:\n%s", size, want, a.View())
			}
		}
	}
	a := appOn(t, faulty(t, ""), "none", 60, 20)
	for _, most := range []int{1, 2, 3} {
		got := a.lines(0, strings.Repeat("word ", 100), most)
		if len(got) != most || !strings.HasSuffix(strings.TrimSpace(got[most-1]), "…") {
			t.Errorf("%d lines: %q", most, got)
		}
	}
}

// The worst of the findings stands in the status with its row, until what came later is more wanted: a
// list that changed. A finding of an earlier run does not.
func TestStatusSaysTheWorst(t *testing.T) {
	a := appOn(t, faulty(t, ""), "none", 160, 45)
	snap := *a.snap
	snap.Phase, snap.Stray = session.Ready, -1
	snap.Worst = session.Worst{Mark: session.Mark{Rule: "id-type", Severity: session.Error, Text: "id \"4\" does not equal 4"}, Seq: 3}
	a.snap = &snap
	if got, role := a.sentence(); got != `ERROR id-type #3: id "4" does not equal 4 (! has the cure)` || role != theme.Bad {
		t.Errorf("%q", got)
	}
	list := &session.List{Changes: "-old", Anew: true, Pages: []session.Page{{Seq: 2}}}
	snap.Lists = map[string]*session.List{client.Tools.Name: list}
	if got, _ := a.sentence(); !strings.HasPrefix(got, "ERROR id-type") {
		t.Errorf("what changed before hides the finding: %q", got)
	}
	list.Pages[0].Seq = 4
	if got, _ := a.sentence(); got != "tools since they were listed before: -old" {
		t.Errorf("%q", got)
	}
	snap.Lists, snap.Worst, snap.Stray = nil, session.Worst{}, 4
	if got, _ := a.sentence(); !strings.HasPrefix(got, "STRAY #4 ") {
		t.Errorf("%q", got)
	}
	snap.Run++
	if got, _ := a.sentence(); got != "" {
		t.Errorf("of an earlier run: %q", got)
	}
}

// A row that the memory has let go is not said to be hidden by a filter.
func TestRowThatWasLetGo(t *testing.T) {
	a := appOn(t, faulty(t, ""), "none", 160, 45)
	a.wire.rows.first = 3
	if a.goToRow(1); !strings.Contains(a.notice, "no longer in memory") {
		t.Errorf("%q", a.notice)
	}
}
