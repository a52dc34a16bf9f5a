package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session/replay"
)

// TestManyDifferences: what a replay has found at a row is reached line by line, found, folded and
// copied, however much it is; the bytes keep half of the pane until the cursor goes up.
func TestManyDifferences(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {80, 24}} {
		w, h := size[0], size[1]
		a := appOn(t, odds(t), "none", w, h)
		press(a, "5", "g", "j", "j", "enter")
		row := a.detail.seq
		r := replaying{rows: map[int][]replay.Difference{}}
		long := strings.Repeat("long words ", 50)
		for i := range 50 {
			r.rows[row] = append(r.rows[row], replay.Difference{Answer: 1, Live: row, Path: fmt.Sprintf("/result/%d", i), Was: fmt.Appendf(nil, "%q", "was "+long), Now: fmt.Appendf(nil, "%q", "now "+long)})
		}
		a.detail.more = r.lines
		a.detail.refresh()
		press(a, "6")
		shown := func() string {
			exact(t, a, w, h)
			return ansi.Strip(strings.Join(a.pane(PaneDetail, a.lay.Panes[PaneDetail]), "\n"))
		}
		has := func(want ...string) {
			t.Helper()
			screen := shown()
			for _, s := range want {
				if !strings.Contains(screen, s) {
					t.Errorf("%v: %q is missing:\n%s", size, s, screen)
				}
			}
		}
		has("DIFFERS from #1", "more lines here: g", `"jsonrpc"`, "│ + ")

		press(a, "g")
		has("remark 1 of", "/result/0")
		seen := map[string]bool{}
		for range a.detail.head.lines {
			ln, _ := a.detail.head.current()
			seen[ln.fold] = true
			if screen := shown(); ln.fold != "" && !strings.Contains(screen, strings.TrimRight(ansi.Strip(ln.text), " ")) {
				t.Fatalf("%v: the line under the cursor is not shown: %q\n%s", size, ln.text, screen)
			}
			press(a, "j")
		}
		for i := range 50 {
			if !seen[fmt.Sprintf("/result/%d", i)] {
				t.Errorf("%v: difference %d is not reached", size, i)
			}
		}
		has(`"jsonrpc"`, "line 1 of")
		if a.detail.head.up != 0 {
			t.Errorf("%v: %d lines up behind the last", size, a.detail.head.up)
		}

		find := func(q string, back bool) {
			a.prompt.search = q
			a.Update(a.find(1, back)())
		}
		find("result/49", false)
		has("/result/49", "remark")
		if got := a.pointer(); got != "/result/49" {
			t.Errorf("%v: the pointer is %q", size, got)
		}
		if got := a.valueUnder(); got != string(r.rows[row][49].Now) {
			t.Errorf("%v: the value is %q", size, got)
		}
		n := len(a.detail.head.lines)
		press(a, "-")
		has("/result/49  [folded]")
		if got := len(a.detail.head.lines); got >= n || a.pointer() != "/result/49" {
			t.Errorf("%v: %d lines of %d folded, at %q", size, got, n, a.pointer())
		}
		press(a, "+")
		if got := len(a.detail.head.lines); got != n || a.pointer() != "/result/49" {
			t.Errorf("%v: %d lines of %d unfolded, at %q", size, got, n, a.pointer())
		}
		find("deep", false) // in the bytes
		if a.detail.head.up != 0 || !strings.Contains(a.detail.line(), "deep") {
			t.Errorf("%v: found %q", size, a.detail.line())
		}
		find("result/7", false) // round the end
		if got := a.pointer(); got != "/result/7" {
			t.Errorf("%v: round the end %q", size, got)
		}
		find("result/7", true)
		if got := a.pointer(); got != "/result/7" {
			t.Errorf("%v: back round the start %q", size, got)
		}
		press(a, "G")
		if a.detail.head.up != 0 || a.detail.cursor == 0 {
			t.Errorf("%v: the end is line %d, %d up", size, a.detail.cursor, a.detail.head.up)
		}
	}
}

// TestHeadAboveBytes: for any height the cursor is among the lines that are shown, and the lines
// above the bytes and the window of the bytes fill the pane.
func TestHeadAboveBytes(t *testing.T) {
	acts := []Action{actUp, actUp, actPageUp, actDown, actHalfUp, actHome, actHalfDown, actPageDown, actEnd}
	for _, count := range []int{0, 1, 4, 9, 30} {
		for height := 1; height < 14; height++ {
			for _, alone := range []bool{false, true} {
				var h detailTop
				for i := range count {
					h.lines = append(h.lines, line{text: fmt.Sprint(i)})
				}
				h.all = slices.Clone(h.lines)
				shown := h.sync(height, 100, alone)
				for _, act := range acts {
					h.move(act, true, height, alone)
					h.sync(height, 100, alone)
					at := count - h.up
					if h.up < 0 || h.up > count || h.top < 0 || h.up > 0 && (at < h.top || at >= h.top+height) || alone && count > 0 && h.up == 0 {
						t.Fatalf("%d lines in %d, alone %v: %v goes %d up, shown from %d", count, height, alone, act, h.up, h.top)
					}
					if left := count - h.top; h.up > 0 && left < shown {
						t.Fatalf("%d lines in %d, alone %v: %v leaves %d above the bytes, which begin at %d", count, height, alone, act, left, shown)
					}
				}
			}
		}
	}
}
