package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session"
)

// ended is a session with a call of every outcome, of both sides, and log messages of every level.
func ended(t testing.TB) *session.Session {
	line := func(dir, format string, args ...any) string {
		return dir + `:{"jsonrpc":"2.0",` + fmt.Sprintf(format, args...) + "}\n"
	}
	chunks := []string{
		line("in", `"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}`),
		line("out", `"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`),
		line("in", `"id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"text":"東京"}}`),
		line("in", `"id":3,"method":"tools/call","params":{"name":"boom"}`),
		line("in", `"id":4,"method":"resources/read","params":{"uri":"file:///notes"}`),
		line("in", `"id":5,"method":"tools/call","params":{"name":"slow"}`),
		line("out", `"id":2,"result":{"content":[]}`),
		line("in", `"id":6,"method":"tools/call","params":{"name":"wait"}`),
		line("out", `"id":3,"result":{"isError":true,"content":[{"type":"text","text":"it went wrong"}]}`),
		line("out", `"id":4,"error":{"code":-32002,"message":"no such note"}`),
		line("in", `"method":"notifications/cancelled","params":{"requestId":5}`),
		line("out", `"id":"q1","method":"elicitation/create","params":{"message":"sure?"}`),
		line("in", `"id":"q1","result":{"action":"accept"}`),
		line("in", `"id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":2}}`),
		line("in", `"method":"notifications/cancelled","params":{"requestId":7}`),
		line("out", `"id":7,"result":{"resultType":"input_required"}`),
		line("out", `"id":"q2","method":"ping"`),
	}
	for _, l := range append(session.LogLevels[:], "sh\\u001bout") {
		chunks = append(chunks, line("out", `"method":"notifications/message","params":{"level":"%s","logger":"db","data":"%s \u001b[31m 東京"}`, l, l))
	}
	return made(t, append(chunks, line("out", `"method":"notifications/message","params":{"data":{"n":[1,2]}}`))...)
}

func TestGoldenViews(t *testing.T) {
	var out strings.Builder
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}} {
		a := appOn(t, ended(t), "none", size[0], size[1])
		keys := []string{"5", "v", "o", "o", "o", "o", "v", "o", "o", "o"}
		for i, k := range keys {
			if press(a, k); size[0] < 160 && i%4 != 1 {
				continue // every order in one size
			}
			exact(t, a, size[0], size[1])
			fmt.Fprintf(&out, "# %s: %s\n", strings.Join(keys[:i+1], " "), strings.TrimSpace(a.notice))
			for _, l := range a.pane(PaneWire, a.lay.Panes[PaneWire]) {
				out.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
			}
		}
	}
	golden(t, "screens/views.txt", out.String())
}

// texts are the rows that the wire shows, their columns apart by a blank.
func texts(a *app) (out []string) {
	for _, l := range a.wire.draw(a.look, 100, min(a.wire.rows.len(), 50), false) {
		out = append(out, strings.Join(strings.Fields(l), " "))
	}
	return out
}

func TestCallsEndInAWord(t *testing.T) {
	a := appOn(t, ended(t), "none", 160, 45)
	press(a, "5", "v", "g")
	for i, want := range []string{"initialize ok", `add {"a":1,"text":"東京"} ok`, "boom isError", "resources/read file:///notes error -32002", "slow cancelled", "wait pending", `<- "q1" elicitation/create ok`, `add {"a":2} ok, cancelled`, `<- "q2" ping pending`} {
		if got := texts(a)[i]; !strings.Contains(got, want) {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	if !strings.Contains(a.View(), "Detail of #2 ") || !strings.Contains(a.View(), "9 calls") { // the answer
		t.Errorf("the detail of a call:\n%s", a.View())
	}
	press(a, "6", "o")
	if !strings.Contains(a.View(), "Detail of #1 ") {
		t.Errorf("o does not turn to the request:\n%s", a.View())
	}
}

// TestViewsKeepTheirPlace: the cursor stays on its row, a filter and a search hold in each view.
func TestViewsKeepTheirPlace(t *testing.T) {
	a := appOn(t, ended(t), "none", 160, 45)
	press(a, "5", "g", "j", "j", "j") // the call of add
	press(a, "v")
	if got := a.wire.selected(); got != 3 {
		t.Errorf("in the calls the cursor is on row %d", got)
	}
	press(a, "o")
	if got := a.wire.selected(); got != 3 || a.wire.order() != session.ByLatency {
		t.Errorf("by latency the cursor is on row %d", got)
	}
	press(a, "f")
	typed(a, "is:error or tool:add")
	press(a, "enter")
	judge(a)
	if got := shown(a); !slices.Equal(got, []int{5, 4, 3, 14}) { // 5, 5, 4 and 2 ms
		slices.Sort(got)
		if !slices.Equal(got, []int{3, 4, 5, 14}) {
			t.Errorf("rows %v pass", got)
		}
	}
	if !strings.Contains(a.View(), "5 Calls filter is:error or tool:add") || !strings.Contains(a.View(), "4 of 9 calls") {
		t.Errorf("the title:\n%s", a.View())
	}
	press(a, "g", "/", "went wrong", "enter") // stands in the answer
	finish(a)
	if a.wire.selected() != 4 || !strings.Contains(a.notice, "1 of 1") {
		t.Errorf("found at %d: %s", a.wire.selected(), a.notice)
	}
	a.goToRow(0) // of another view
	a.settle()
	if a.wire.view != session.Frames || a.wire.selected() == 0 {
		t.Errorf("in %v on row %d: the filter hides row 0", a.wire.view, a.wire.selected())
	}
	press(a, "esc", "v", "v", "o", "o", "o")
	if got := texts(a); len(got) != 5 || !strings.Contains(got[0], "warning db: warning \\u001b[31m 東京") {
		t.Errorf("messages from warning on: %q", got)
	}
	if press(a, "esc"); a.wire.view != session.Frames {
		t.Errorf("esc leaves for %v", a.wire.view)
	}
}

func TestTimeColumn(t *testing.T) {
	a := appOn(t, ended(t), "none", 160, 45)
	press(a, "5", "g")
	clock := a.sess.Start().Add(3 * time.Millisecond).Local().Format("15:04:05.000")
	for _, want := range []string{"0.003", clock, "+0.001", "0.003"} {
		if got := strings.Fields(texts(a)[2]); !slices.Contains(got, want) {
			t.Errorf("%s is not in %q", want, got)
		}
		press(a, "T")
		exact(t, a, 160, 45)
	}
}

// TestRankedFollows: whatever is shown next, the ranking that takes in what is different is the one
// that is made anew.
func TestRankedFollows(t *testing.T) {
	log := busy(t, 3*rankAtOnce).Log()
	all := log.Rows(session.Calls)
	rnd := rand.New(rand.NewPCG(1, 1))
	r := &ranked{order: session.ByLatency}
	calls := all
	for i := range 200 {
		next, changed := slices.Clone(calls), 0
		switch rnd.IntN(4) {
		case 0: // some more
			from := searchRow(all, calls)
			next = append(next, all[from:min(from+rnd.IntN(50), len(all))]...)
			changed = len(calls)
		case 1: // some fewer, from somewhere on
			changed = rnd.IntN(len(calls) + 1)
			kept := next[:changed]
			for _, seq := range next[changed:] {
				if rnd.IntN(200) > 0 {
					kept = append(kept, seq)
				}
			}
			next = kept
		case 2: // some in the middle
			changed = 0
			next = slices.DeleteFunc(slices.Clone(all), func(seq int32) bool { return rnd.IntN(100) == 0 })
		case 3:
			next = next[:rnd.IntN(len(next)+1)]
			changed = len(next)
		}
		if calls = next; i%50 == 49 {
			calls = all
			changed = 0
		}
		if cmd := r.sync(t.Context(), log, calls, changed); cmd != nil {
			r.deliver(cmd().(rankMsg))
		}
		want := log.Rank(t.Context(), session.ByLatency, calls).Rows()
		if got := r.ranking.Rows(); !slices.Equal(got, want) {
			t.Fatalf("round %d: %d calls in another order than %d that are ranked anew", i, len(got), len(want))
		}
	}
}

// searchRow is where the rows behind the last of some begin.
func searchRow(all, some []int32) int {
	if len(some) == 0 {
		return 0
	}
	i, _ := slices.BinarySearch(all, some[len(some)-1])
	return i + 1
}

// busy is a session of n calls that take from 1 to 7 ms, and a log message for each.
func busy(t testing.TB, n int) *session.Session {
	const each = 1000
	var chunks []string
	at := 0
	for at < n {
		var in, out strings.Builder
		for range min(each, n-at) {
			at++
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool%d","arguments":{"a":%d}}}`+"\n", at, at%7, at)
			fmt.Fprintf(&out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"call %d"}}`+"\n", at)
			fmt.Fprintf(&out, `{"jsonrpc":"2.0","id":%d,"result":{"content":[],"n":%q}}`+"\n", at, strings.Repeat("x", at%13))
		}
		chunks = append(chunks, "in:"+in.String(), "out:"+out.String())
	}
	return made(t, chunks...)
}

// BenchmarkViews is one key and the frame that follows, in each view, with a thousand rows and
// with a million.
func BenchmarkViews(b *testing.B) {
	for _, n := range []int{333, 333_333} {
		s := busy(b, n)
		for _, c := range []struct {
			name string
			keys string
		}{{"frames", ""}, {"calls", "v"}, {"calls-by-latency", "v o"}, {"calls-filtered", "v f tool:tool3 enter o"}, {"messages", "v v"}} {
			b.Run(fmt.Sprintf("%s-%d", c.name, 3*n), func(b *testing.B) {
				a := appOn(b, s, "ansi", 160, 45)
				press(a, append([]string{"5"}, strings.Fields(c.keys)...)...)
				level(a)
				press(a, "G")
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					press(a, [...]string{"k", "j"}[i%2])
					a.View()
				}
			})
		}
	}
}

// level does what the commands of the wire do until it is level with the log.
func level(a *app) {
	for range 1000 {
		judge(a)
		r := a.wire.ranked
		if r == nil || r.work == nil {
			return
		}
		r.work = nil
		if cmd := r.sync(a.ctx, a.sess.Log(), a.wire.rows.picked, 0); cmd != nil {
			a.Update(cmd())
		}
	}
}

// TestSizesAreShownWhereTheyRank: in a narrow pane, too, calls by size have their size.
func TestSizesAreShownWhereTheyRank(t *testing.T) {
	for _, w := range []int{160, 80, 60, 40} {
		a := appOn(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}, [2]string{`add {"a":2}`, sum(22)}), "none", w, 24)
		press(a, "5", "v", "o", "o")
		a.Update(tickMsg{})
		exact(t, a, w, 24)
		if screen := ansi.Strip(a.View()); !strings.Contains(screen, "by size") || strings.Count(screen, " B│") < 2 && strings.Count(screen, " B") < 4 {
			t.Errorf("%d cells wide:\n%s", w, screen)
		}
	}
}
