package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/session"
)

// long is a session whose rows are numbered in their text; more of them than are searched at once.
func long(t testing.TB) *session.Session {
	const rows = 12288
	var out strings.Builder
	for i := range rows {
		out.WriteString("a line")
		if i%1000 == 7 {
			out.WriteString(" with a Needle")
		}
		out.WriteString("\n")
	}
	return made(t, "err:"+out.String())
}

// finish does what the commands of a hunt do, and brings it back until it is over.
func finish(a *app) {
	for h := a.hunt; h != nil && a.hunt == h; {
		h.run(h.rows.len(), 1<<62)
		a.Update(huntMsg{h})
	}
}

func TestHunt(t *testing.T) {
	a := appOn(t, long(t), "none", 160, 45)
	press(a, "5", "g", "/", "needle", "enter")
	if got := a.wire.selected(); got != 8 { // a row of the start is before them
		t.Errorf("the first is found at once, at row %d", got)
	}
	if a.hunt == nil || a.notice != "" {
		t.Fatalf("the others are not counted beside the loop: %q", a.notice)
	}
	finish(a)
	if a.notice != `"needle": 1 of 13` {
		t.Errorf("said %q", a.notice)
	}
	for _, c := range []struct {
		keys string
		row  int
		said string
	}{
		{"n", 1008, `"needle": 2 of 13`}, {"N", 8, `"needle": 1 of 13`}, {"N", 12008, `"needle": 13 of 13`}, {"n", 8, `"needle": 1 of 13`},
		{"G n", 8, `"needle": 1 of 13`}, {"G N", 12008, `"needle": 13 of 13`},
		{"g / line enter", 1, `"line": 1 of 12,288`}, {"/ nowhere enter", 1, `"nowhere": none of 12,289 rows`}, {"n", 1, `"nowhere": none of 12,289 rows`},
	} {
		press(a, strings.Fields(c.keys)...)
		finish(a)
		if got := a.wire.selected(); got != c.row || a.notice != c.said {
			t.Errorf("%s: row %d and %q, want row %d and %q", c.keys, got, a.notice, c.row, c.said)
		}
	}
}

// TestAKeyStopsAHunt: before something was found the person is told, and what a stopped command
// brings back changes nothing.
func TestAKeyStopsAHunt(t *testing.T) {
	a := appOn(t, long(t), "none", 160, 45)
	press(a, "5", "g", "/", "nowhere", "enter")
	h := a.hunt
	if h == nil || !strings.Contains(a.View(), `looking for "nowhere": 2,048 of 12,289 rows`) {
		t.Fatalf("no progress is told:\n%s", a.View())
	}
	press(a, "z")
	if a.hunt != nil || !a.mode.Zoom || a.notice != `"nowhere": stopped after 2,048 of 12,289 rows` {
		t.Errorf("the key did not stop it, or did nothing else: %q", a.notice)
	}
	if h.run(h.rows.len(), 1<<62); h.over {
		t.Error("it ran on")
	}
	a.Update(huntMsg{h})
	if a.hunt != nil || !strings.Contains(a.notice, "stopped") {
		t.Errorf("a stopped hunt came back: %q", a.notice)
	}
	press(a, "n", "esc")
	if !a.mode.Zoom {
		t.Error("the esc that stopped a hunt did something else too")
	}
	press(a, "esc")
	if a.mode.Zoom {
		t.Error("the next esc did nothing")
	}
	press(a, "/", "needle", "enter", "j") // found: only its count is stopped
	if a.hunt != nil || strings.Contains(a.notice, "stopped") {
		t.Errorf("said %q", a.notice)
	}
}

// TestSearchInTheDetail goes round both ends, by the remark above that has the text too, and a key stops it.
func TestSearchInTheDetail(t *testing.T) {
	for _, view := range []string{"", "v", "v v"} {
		a := appOn(t, made(t, `err:{"a":"needle","b":["x","needle"]}`+"\n"), "none", 160, 45)
		press(a, "5", "G", "6")
		press(a, strings.Fields(view)...)
		search := func(back bool) {
			cmd := a.find(1, back)
			a.dirty = true
			if a.inBody == nil || !strings.Contains(a.View(), `looking for "needle" in 33 B`) {
				t.Fatalf("%q: no search is told of:\n%s", view, a.View())
			}
			_, count := a.Update(cmd())
			run(a, count)
		}
		a.prompt.search = "needle"
		var said []string
		at := func(back bool) int {
			search(back)
			said = append(said, a.notice)
			return a.detail.cursor - a.detail.head.up // above the bytes it is less than 0
		}
		forward := []int{at(false)}
		for n := at(false); n != forward[0] && len(forward) < 9; n = at(false) {
			forward = append(forward, n)
		}
		if want := fmt.Sprintf(`"needle": 1 of %d`, len(forward)); !slices.Contains(said, want) {
			t.Errorf("%q: %q is not among %q", view, want, said)
		}
		if least := slices.Min(forward); least >= 0 || len(forward) < 2 || view == "" && len(forward) != 3 {
			t.Errorf("%q: from place to place %v", view, forward)
		}
		for _, want := range slices.Backward(forward) {
			if got := at(true); got != want {
				t.Errorf("%q: back at %d, want %d of %v", view, got, want, forward)
			}
		}
		cmd := a.find(1, false)
		press(a, "z")
		if msg := cmd(); msg != nil || a.inBody != nil {
			t.Errorf("%q: a stopped search brings %v", view, msg)
		}
		a.notice = ""
		a.Update(foundMsg{&bodyHunt{query: "needle"}, a.detail.wanted, 0, 0, false})
		if a.notice != "" {
			t.Errorf("%q: a stopped search says %q", view, a.notice)
		}
	}
}

// BenchmarkHunt is a search through a million rows: how long the loop is busy with it at most, and
// how long it takes altogether.
func BenchmarkHunt(b *testing.B) {
	a := appOn(b, big(b, 1_000_000), "ansi", 160, 45)
	press(a, "5", "g", "/", "nowhere", "enter")
	var busy time.Duration
	for b.Loop() {
		began := time.Now()
		press(a, "n")
		h := a.hunt
		busy = max(busy, time.Since(began))
		h.run(h.rows.len(), 1<<62)
		began = time.Now()
		a.Update(huntMsg{h})
		busy = max(busy, time.Since(began))
	}
	b.ReportMetric(float64(busy)/1e6, "loop-ms")
}
