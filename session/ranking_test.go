package session

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// traffic makes random rows: calls of both sides that are answered in any order, twice, late, never,
// cancelled, in batches, with strays, log messages and ends between.
type traffic struct {
	*feeder
	rnd  *rand.Rand
	next int
	open []string
}

func (t *traffic) step() {
	t.clock.Move(t.clock.Now() + time.Duration(t.rnd.IntN(500))*time.Millisecond)
	switch k := t.rnd.IntN(20); {
	case k < 7:
		t.next++
		id := fmt.Sprint(t.next)
		if t.rnd.IntN(30) == 0 && len(t.open) > 0 {
			id = t.open[0] // an id again
		} else {
			t.open = append(t.open, id)
		}
		switch t.rnd.IntN(3) {
		case 0:
			t.ask(id, client.MethodToolsCall, fmt.Sprintf(`{"name":"tool%d"}`, t.rnd.IntN(5)))
		case 1:
			t.ask(id, fmt.Sprintf("method%d", t.rnd.IntN(3)), "{}")
		default:
			t.out(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			t.open = t.open[:len(t.open)-1]
			if t.rnd.IntN(2) == 0 {
				t.in(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
			}
		}
	case k < 13 && len(t.open) > 0:
		i := t.rnd.IntN(len(t.open))
		t.answer(t.open[i], `{"x":"`+strings.Repeat("y", t.rnd.IntN(50))+`"}`)
		if t.rnd.IntN(10) > 0 { // else it is answered once more
			t.open = slices.Delete(t.open, i, i+1)
		}
	case k == 13 && len(t.open) > 0:
		t.in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, t.open[t.rnd.IntN(len(t.open))])
	case k == 14:
		t.next++
		t.in(`[{"jsonrpc":"2.0","id":"b%d","method":"a"},{"jsonrpc":"2.0","id":"c%d","method":"b"}]`, t.next, t.next)
		t.out(`[{"jsonrpc":"2.0","id":"b%d","result":{}},{"jsonrpc":"2.0","id":"c%d","result":{}}]`, t.next, t.next)
	case k == 15:
		t.out("a stray line")
	case k == 16 && t.rnd.IntN(20) == 0:
		t.exit(client.Exit{})
		t.open = nil
		t.spawn(t.run + 1)
	default:
		t.out(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
	}
}

// naive ranks the calls of a log from scratch.
func naive(l *Log, order Order) (out []int32) {
	var all []Event
	l.Each(0, func(e Event) bool {
		if e.Kind == client.KindRequest && e.Note == nil {
			all = append(all, e)
		}
		return true
	})
	size := func(e Event) int {
		a, ok := l.Event(e.Pair)
		if !ok {
			return -1
		}
		return a.Size
	}
	label := func(e Event) string { return cmp.Or(l.About(&e), e.Method) }
	slices.SortStableFunc(all, func(a, b Event) int {
		switch order {
		case ByLatency:
			if a.Open != b.Open {
				return map[bool]int{true: -1, false: 1}[a.Open]
			}
			return cmp.Compare(b.Latency, a.Latency)
		case BySize:
			return cmp.Compare(size(b), size(a))
		case ByName:
			return cmp.Compare(label(a), label(b))
		}
		return 0
	})
	for _, e := range all {
		out = append(out, int32(e.Seq))
	}
	return out
}

// TestRanking: whatever comes in whatever order, a ranking that is kept up to date is the one that
// is made from scratch.
func TestRanking(t *testing.T) {
	for seed := range uint64(12) {
		tr := &traffic{feeder: newFeeder(), rnd: rand.New(rand.NewPCG(seed, 1))}
		order := Order(seed%3) + ByLatency
		tr.spawn(1)
		r := tr.log.Rank(context.Background(), order, nil)
		held := 0
		for i := range 4000 {
			tr.step()
			if tr.rnd.IntN(40) > 0 && i < 3999 {
				continue
			}
			rows := tr.log.Rows(Calls)
			r.Add(rows[held:])
			held = len(rows)
			if !r.Update() {
				t.Fatalf("seed %d: a little was too much", seed)
			}
			if i%200 == 0 || i == 3999 {
				want := naive(tr.log, order)
				if got := r.Rows(); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %v: %v\nwant %v", seed, order, got, want)
				}
				for place, seq := range want {
					if at, ok := r.Find(int(seq)); at != place || !ok || r.At(place) != int(seq) {
						t.Fatalf("seed %d: row %d is at %d %v, %d is there", seed, seq, at, ok, r.At(place))
					}
				}
			}
		}
		want := naive(tr.log, order)
		var some []int32
		for i := 0; i < len(want); i += 2 {
			some = append(some, want[i])
		}
		r.Remove(some)
		r.Remove(some) // which are not there
		for i := range want {
			if _, ok := r.Find(int(want[i])); ok != (i%2 == 1) {
				t.Fatalf("seed %d: row %d is there: %v", seed, want[i], ok)
			}
		}
		if r.Len() != len(want)-len(some) || r.At(r.Len()) != NoPair {
			t.Errorf("%d calls are left of %d", r.Len(), len(want))
		}
	}
}

// TestRowsOfViews, also of those that are left when the oldest were let go.
func TestRowsOfViews(t *testing.T) {
	tr := &traffic{feeder: newFeeder(), rnd: rand.New(rand.NewPCG(7, 7))}
	tr.spawn(1)
	r := tr.log.Rank(context.Background(), ByLatency, nil)
	for range 3 * rowChunk {
		tr.step()
	}
	for _, bound := range []int{1 << 20, rowChunk} {
		tr.log.Bound(bound, 1<<40)
		var calls, messages []int32
		tr.log.Each(0, func(e Event) bool {
			switch {
			case e.Note != nil:
			case e.Kind == client.KindRequest:
				calls = append(calls, int32(e.Seq))
			case e.Method == client.MethodLog:
				messages = append(messages, int32(e.Seq))
			}
			return true
		})
		if got := tr.log.Rows(Calls); !slices.Equal(got, calls) || len(got) == 0 {
			t.Errorf("%d calls, want %d", len(got), len(calls))
		}
		if got := tr.log.Rows(Messages); !slices.Equal(got, messages) || len(got) == 0 {
			t.Errorf("%d messages, want %d", len(got), len(messages))
		}
		if got := tr.log.Rank(context.Background(), ByName, tr.log.Rows(Calls)).Rows(); !slices.Equal(got, naive(tr.log, ByName)) {
			t.Error("ranked in another order")
		}
	}
	if tr.log.First() == 0 || tr.log.Rows(Frames) != nil {
		t.Error("nothing was let go")
	}
	if r.Update() {
		t.Error("a ranking of rows that are no longer there is taken for up to date")
	}
	if _, ok := r.Find(0); ok {
		t.Error("a row that was let go has a place")
	}
}

// TestOutcome: what a request row says of itself.
func TestOutcome(t *testing.T) {
	f := newFeeder()
	f.ask("1", "a", "{}")
	f.in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	f.ask("2", "a", "{}")
	f.out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`) // the server's id 2
	for seq, want := range map[int]bool{0: true, 2: false} {
		if e, _ := f.log.Event(seq); e.Cancelled != want || !e.Open {
			t.Errorf("row %d: cancelled %v, open %v", seq, e.Cancelled, e.Open)
		}
	}
}

func BenchmarkRank(b *testing.B) {
	f := newFeeder()
	var in, out strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d"}}`+"\n", i, i%7)
		fmt.Fprintf(&out, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", i)
	}
	for range 250 {
		f.chunk(client.In, in.String())
		f.chunk(client.Out, out.String())
	}
	rows := f.log.Rows(Calls)
	b.Run("500k", func(b *testing.B) {
		for b.Loop() {
			f.log.Rank(context.Background(), ByLatency, rows)
		}
	})
	r := f.log.Rank(context.Background(), ByName, rows)
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			r.Find(int(rows[len(rows)/2]))
		}
	})
	b.Run("remove-add", func(b *testing.B) {
		one := rows[1000:1001]
		for b.Loop() {
			r.Remove(one)
			r.Add(one)
		}
	})
}
