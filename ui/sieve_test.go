package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
)

// judge does what the commands of a sieve do until it is level with the log.
func judge(a *app) {
	for s := a.wire.sieve; s != nil && s.work != nil; {
		s.work = nil
		msg := s.keepUp(a.ctx, a.sess.Log())
		if msg == nil {
			return
		}
		a.Update(msg())
	}
}

// shown are the numbers of the rows that the wire shows.
func shown(a *app) (out []int) {
	for i := range a.wire.rows.len() {
		out = append(out, a.wire.rows.seq(i))
	}
	return out
}

func typed(a *app, s string) {
	for _, c := range s {
		press(a, string(c))
	}
}

func TestFilterWhileTyping(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 160, 45)
	all := len(shown(a))
	press(a, "5", "g", "j", "j", "f")
	typed(a, "is:stray")
	screen := a.View()
	if got := shown(a); !slices.Equal(got, []int{2, 12, 16}) || !strings.Contains(screen, "3 of 18 rows") || !strings.Contains(screen, "5 Wire filter is:stray") {
		t.Errorf("rows %v:\n%s", got, screen)
	}
	if a.wire.selected() != 2 {
		t.Errorf("the cursor left its row for %d", a.wire.selected())
	}
	typed(a, " or methd:x")
	if screen := a.View(); len(shown(a)) != 3 || !strings.Contains(screen, `no field "methd"`) || !strings.Contains(screen, "at character 13") {
		t.Errorf("what is no filter is not told, or changes the rows:\n%s", screen)
	}
	press(a, "enter")
	if a.prompt.kind != promptFilter {
		t.Error("what is no filter was taken")
	}
	press(a, "esc")
	if len(shown(a)) != all || a.prompt.kind != promptNone {
		t.Errorf("esc does not bring back what was before: %v", shown(a))
	}
	press(a, "f")
	typed(a, "dir:in")
	press(a, "enter", "G", "k", "j", "f") // the last row, not followed
	typed(a, " is:stray")
	press(a, "esc")
	if a.wire.filtered() != "dir:in" || a.wire.selected() != 16 {
		t.Errorf("the filter before is %q, the cursor on %d", a.wire.filtered(), a.wire.selected())
	}
	press(a, "esc")
	if a.wire.sieve != nil || len(shown(a)) != all || a.wire.selected() != 16 {
		t.Errorf("esc does not clear the filter: %v, on %d", shown(a), a.wire.selected())
	}
	press(a, "f")
	typed(a, `"nowhere to be found"`)
	press(a, "enter", "j", "enter", "n", ";", "y", "y", "G", "g")
	if screen := a.View(); !strings.Contains(screen, "no row passes the filter") || !strings.Contains(screen, "0 of 18 rows") {
		t.Errorf("an empty list is not explained:\n%s", screen)
	}
	exact(t, a, 160, 45)
	press(a, ":")
	typed(a, `filter size>200`)
	press(a, "enter")
	if got := shown(a); len(got) == 0 || len(got) == all {
		t.Errorf(":filter shows %v", got)
	}
	a.say("")
	if a.openRow(0); !strings.Contains(a.notice, "row #0 is hidden by the filter size>200") {
		t.Errorf("a row that is not shown: %q", a.notice)
	}
	press(a, "5", ":")
	typed(a, `filter is:nothing`)
	if press(a, "enter"); !strings.Contains(a.notice, "is: knows no") || a.wire.filtered() != "size>200" {
		t.Errorf("said %q, filter %q", a.notice, a.wire.filtered())
	}
}

// TestFilterOfALongLog: it is judged in pieces beside the loop, and searches stay inside of it.
func TestFilterOfALongLog(t *testing.T) {
	a := appOn(t, long(t), "none", 160, 45)
	press(a, "5", "k") // not following
	press(a, "f")
	typed(a, "needle")
	if a.wire.sieve.work == nil || !strings.Contains(a.View(), "0+ of 12,289 rows") {
		t.Fatalf("a long log is judged on the loop:\n%s", a.View())
	}
	judge(a)
	if got := shown(a); len(got) != 13 || got[1] != 1008 || !strings.Contains(a.View(), "13 of 12,289 rows") {
		t.Errorf("rows %v", got)
	}
	if a.wire.selected() != 12008 {
		t.Errorf("the cursor is on %d: not on the nearest to where it was", a.wire.selected())
	}
	press(a, "enter", "/", "line", "enter")
	if finish(a); a.wire.selected() != 8 || a.notice != `"line": 1 of 13` {
		t.Errorf("a search goes to %d: %q", a.wire.selected(), a.notice)
	}
	before := a.wire.sieve
	press(a, "f", "x") // stops what runs and begins anew
	before.keepUp(a.ctx, a.sess.Log())
	a.Update(sieveMsg{of: before, upto: 12289, picked: []int32{1, 2, 3}})
	if judge(a); len(shown(a)) != 0 {
		t.Errorf("what an older filter found is shown: %v", shown(a))
	}
}

// TestSieveFollowsWhatChanges: new rows and rows with another verdict, whatever came meanwhile.
func TestSieveFollowsWhatChanges(t *testing.T) {
	request := func(id int) string {
		return fmt.Sprintf(`in:{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id)
	}
	answer := func(id int) string {
		return fmt.Sprintf(`out:{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", id)
	}
	x, err := filter.Parse("is:pending")
	if err != nil {
		t.Fatal(err)
	}
	pick := func(s *sieve, log *session.Log) string {
		for {
			s.touch(log.Touched())
			cmd := s.keepUp(t.Context(), log)
			if cmd == nil {
				return fmt.Sprint(s.picked)
			}
			s.deliver(cmd().(sieveMsg))
		}
	}
	filler := "err:" + strings.Repeat("x\n", 3*sieveAtOnce)
	for _, between := range []string{"err:x\n", filler} {
		first := made(t, request(1), between, request(2))
		then := made(t, request(1), between, request(2), answer(1), request(3))
		n := first.Log().Len()
		s := newSieve(x, session.Frames)
		if got, want := pick(s, first.Log()), fmt.Sprint([]int{1, n - 1}); got != want {
			t.Errorf("rows %s, want %s", got, want)
		}
		old := s.picked
		s.touch(1) // as the log tells when its request is answered
		if got, want := pick(s, then.Log()), fmt.Sprint([]int{n - 1, n + 1}); got != want {
			t.Errorf("rows %s after an answer, want %s", got, want)
		}
		if fmt.Sprint(old) != fmt.Sprint([]int{1, n - 1}) {
			t.Errorf("rows that a hunt may read were changed in place: %v", old)
		}
	}
}

// BenchmarkFilter is a filter over a million rows: what the loop is busy with at most while it is
// typed and judged, and the whole.
func BenchmarkFilter(b *testing.B) {
	a := appOn(b, big(b, 1_000_000), "ansi", 160, 45)
	press(a, "5", "g")
	for _, expr := range []string{"is:error", "happened", "nowhere"} {
		b.Run(expr, func(b *testing.B) {
			var busy time.Duration
			for b.Loop() {
				x, err := filter.Parse(expr)
				if err != nil {
					b.Fatal(err)
				}
				a.wire.filter(x, 0)
				s := a.wire.sieve
				for s.upto < a.sess.Log().Len() {
					cmd := s.keepUp(a.ctx, a.sess.Log())
					if cmd == nil { // the last few, on the loop
						break
					}
					msg := cmd()
					began := time.Now()
					s.deliver(msg.(sieveMsg))
					s.work = func() {} // the next is begun by hand
					a.Update(lookMsg{})
					a.View()
					s.work = nil
					busy = max(busy, time.Since(began))
				}
			}
			b.ReportMetric(float64(busy)/1e6, "loop-ms")
		})
	}
}

func TestGoldenFilter(t *testing.T) {
	var out strings.Builder
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", size[0], size[1])
		press(a, "5", "f")
		typed(a, "is:stray or >100ms")
		fmt.Fprintf(&out, "# while it is typed\n%s\n", ansi.Strip(a.View()))
		typed(a, " is:gone")
		fmt.Fprintf(&out, "\n# what is no filter\n%s\n", ansi.Strip(a.View()))
		for range " is:gone" {
			press(a, "backspace")
		}
		press(a, "enter")
		fmt.Fprintf(&out, "\n# kept\n%s\n\n", ansi.Strip(a.View()))
		exact(t, a, size[0], size[1])
	}
	golden(t, "screens/filter.txt", out.String())
}
