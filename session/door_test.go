package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// feeder drives a door as a transport would, one line a chunk, a millisecond apart.
type feeder struct {
	*door
	run   int
	clock *Playhead
}

func newFeeder(observers ...Observer) *feeder {
	clock := &Playhead{}
	return &feeder{door: newDoor(clock, 0, observers, nil), run: 1, clock: clock}
}

func (f *feeder) chunk(s client.Stream, text string) []client.Incoming {
	f.clock.Move(f.clock.Now() + time.Millisecond)
	return f.Chunk(client.Chunk{Run: f.run, Stream: s, At: f.Now(), Bytes: []byte(text)})
}

// in and out write a line of the client and of the server.
func (f *feeder) in(format string, args ...any) {
	f.chunk(client.In, fmt.Sprintf(format, args...)+"\n")
}
func (f *feeder) out(format string, args ...any) []client.Incoming {
	return f.chunk(client.Out, fmt.Sprintf(format, args...)+"\n")
}

func (f *feeder) note(n client.Note) {
	n.Run, n.At = f.run, f.Now()
	f.Note(n)
}

func (f *feeder) spawn(run int) {
	f.run = run
	f.note(client.Note{What: client.NoteSpawn, Spawn: &client.Spawned{PID: 100 + run, Path: "/bin/server"}})
}

func (f *feeder) exit(e client.Exit) {
	e.At = f.Now()
	f.note(client.Note{What: client.NoteExit, Exit: &e})
}

// ask and answer are a request and its result.
func (f *feeder) ask(id, method, params string) {
	f.in(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}
func (f *feeder) answer(id, result string) {
	f.out(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// TestPairs writes each row as: method, id, the row of its other side, flags, rules.
func TestPairs(t *testing.T) {
	const in, out = client.In, client.Out
	type lines []struct {
		stream client.Stream
		text   string
	}
	for _, c := range []struct {
		name string
		say  lines
		want []string
	}{
		{"answer", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","id":1,"result":{}}`}},
			[]string{"a 1 ~1", "a 1 ~0"}},
		{"open", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}}, []string{"a 1 open"}},
		{"out of order", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {in, `{"jsonrpc":"2.0","id":2,"method":"b"}`}, {out, `{"jsonrpc":"2.0","id":2,"result":{}}`}, {out, `{"jsonrpc":"2.0","id":1,"error":{}}`}},
			[]string{"a 1 ~3", "b 2 ~2", "b 2 ~1", "a 1 ~0"}},
		{"the other direction has its own ids", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","id":1,"method":"ping"}`}, {in, `{"jsonrpc":"2.0","id":1,"result":{}}`}},
			[]string{"a 1 open", "ping 1 ~2", "ping 1 ~1"}},
		{"twice", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","id":1,"result":{}}`}, {out, `{"jsonrpc":"2.0","id":1,"result":{}}`}},
			[]string{"a 1 ~1", "a 1 ~0", " 1 answered-twice"}},
		{"unknown", lines{{out, `{"jsonrpc":"2.0","id":9,"result":{}}`}}, []string{" 9 unknown-id"}},
		{"another type", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","id":"1","result":{}}`}},
			[]string{"a 1 ~1", `a "1" ~0 id-type`}},
		{"no id, one open", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","id":null,"error":{}}`}},
			[]string{"a 1 ~1", "a null ~0 error-without-id"}},
		{"no id, two open", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {in, `{"jsonrpc":"2.0","id":2,"method":"a"}`}, {out, `{"jsonrpc":"2.0","error":{}}`}},
			[]string{"a 1 open", "a 2 open", "  answer-without-id"}},
		{"a result has no id", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {out, `{"jsonrpc":"2.0","result":{}}`}},
			[]string{"a 1 open", "  answer-without-id"}},
		{"batch", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"a"}`}, {in, `{"jsonrpc":"2.0","id":2,"method":"b"}`}, {out, `[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`}},
			[]string{"a 1 ~2", "b 2 ~2", "b 2 ~1"}},
		{"failed tool", lines{{in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`}, {out, `{"jsonrpc":"2.0","id":1,"result":{"isError":true}}`}},
			[]string{"tools/call 1 ~1 failed", "tools/call 1 ~0 failed"}},
		{"notification", lines{{out, `{"jsonrpc":"2.0","method":"notifications/message"}`}}, []string{"notifications/message "}},
	} {
		f := newFeeder()
		for _, l := range c.say {
			f.chunk(l.stream, l.text+"\n")
		}
		var got []string
		f.log.Each(0, func(e Event) bool {
			s := e.Method + " " + e.ID
			if e.Pair != NoPair {
				s += fmt.Sprint(" ~", e.Pair)
				want := time.Duration(e.Pair-e.Seq) * time.Millisecond
				if e.Latency != max(want, -want) {
					t.Errorf("%s: row %d has latency %v", c.name, e.Seq, e.Latency)
				}
			} else if e.Latency != -1 {
				t.Errorf("%s: row %d has latency %v", c.name, e.Seq, e.Latency)
			}
			if e.Open {
				s += " open"
			}
			if e.Failed {
				s += " failed"
			}
			for _, m := range e.Marks {
				s += " " + m.Rule
			}
			got = append(got, s)
			return true
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestLostAnswer: an answer that cannot be read is paired, and nothing waits for it any more.
func TestLostAnswer(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"t"}`)
	f.ask("2", client.MethodToolsList, `{}`)
	if in := f.out(`{"jsonrpc":"2.0","id":1,"result":{NaN}}`); len(in) != 1 || in[0].Lost == nil || in[0].Lost.ID != "1" || in[0].Seq != 3 {
		t.Errorf("%+v", in)
	}
	s := f.snapshot()
	q, _ := f.log.Event(1)
	a, _ := f.log.Event(3)
	if q.Open || q.Pair != 3 || a.Pair != 1 || a.Latency != 2*time.Millisecond || a.Method != client.MethodToolsCall || !a.Stray() {
		t.Errorf("%+v\n%+v", q, a)
	}
	if len(s.Calls) != 1 || s.Calls[0].ID != "2" || s.Last[ToolSubject("t")] != (Latest{ID: "1", Request: 1, Answer: 3, Latency: 2 * time.Millisecond, Before: -1, Was: [2]int{NoPair, NoPair}}) {
		t.Errorf("%+v, %+v", s.Calls, s.Last)
	}
	f.out(`{"jsonrpc":"2.0","id":2,"error":{NaN}}`)
	if l := f.snapshot().List("tools"); !strings.Contains(l.Error, "cannot be read: it is no JSON") {
		t.Errorf("%+v", l)
	}
	if in := f.out(`{"jsonrpc":"2.0","id":9,"result":{NaN}}`); len(in) != 1 {
		t.Errorf("%+v", in)
	}
}

// TestRunsAreApart: an answer of a later run does not answer a request of an earlier one.
func TestRunsAreApart(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", "a", "{}")
	f.exit(client.Exit{Code: 1})
	if e, _ := f.log.Event(1); e.Open {
		t.Error("a request stays open although its run has ended")
	}
	f.spawn(2)
	f.answer("1", "{}")
	if e, _ := f.log.Event(4); e.Run != 2 || e.Pair != NoPair || len(e.Marks) != 1 || e.Marks[0].Rule != "unknown-id" {
		t.Errorf("%+v", e)
	}
}

// TestIncomingStays: what the door hands back for dispatch outlives the chunk.
func TestIncomingStays(t *testing.T) {
	f := newFeeder()
	buf := []byte(`{"jsonrpc":"2.0","id":1,"result":{"a":1}}` + "\n")
	in := f.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: buf})
	copy(buf, bytes.Repeat([]byte("x"), len(buf)))
	if len(in) != 1 || string(in[0].Raw(in[0].Result)) != `{"a":1}` || in[0].Seq != 0 {
		t.Errorf("%+v", in)
	}
	if in := f.Chunk(client.Chunk{Run: 1, Stream: client.In, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"a"}` + "\n")}); len(in) != 0 {
		t.Errorf("what we wrote came back: %+v", in)
	}
}

// counting is an observer that marks every stray line and checks that rows come in order.
type counting struct {
	t    *testing.T
	next int
}

func (c *counting) seen(e *Event) {
	if e.Seq != c.next {
		c.t.Errorf("row %d came when %d was expected", e.Seq, c.next)
	}
	c.next++
}

func (c *counting) Frame(e *Event, f *client.Frame) []Mark {
	c.seen(e)
	if e.Size != f.Body.Len() || e.Count != len(f.Messages) {
		c.t.Errorf("row %d: %d bytes and %d messages in the event, %d and %d in the frame", e.Seq, e.Size, e.Count, f.Body.Len(), len(f.Messages))
	}
	if e.Stray() {
		return []Mark{{Rule: "stray", Severity: Warning, Text: "text"}}
	}
	return nil
}

func (c *counting) Note(e *Event, n *client.Note) []Mark {
	c.seen(e)
	if n.What == client.NoteFault {
		return []Mark{{Rule: "fault", Severity: Error, Text: n.Text}}
	}
	return nil
}

func TestObservers(t *testing.T) {
	f := newFeeder(&counting{t: t})
	f.out("banner")
	f.out(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	f.note(client.Note{What: client.NoteFault, Text: "x"})
	var got []string
	f.log.Each(0, func(e Event) bool {
		for _, m := range e.Marks {
			got = append(got, fmt.Sprint(e.Seq, m.Rule, m.Severity))
		}
		return true
	})
	if want := []string{"0straywarning", "1unknown-iderror", "2faulterror"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if c := f.snapshot().Counts; c.Errors != 2 || c.Warnings != 1 || c.Stray != 1 || c.In != 1 {
		t.Errorf("%+v", c)
	}
}

// tape is a recorder in memory; it checks that it is called by one goroutine at a time.
type tape struct {
	nothing
	chunks []client.Chunk
	busy   sync.Mutex
	t      *testing.T
}

func (r *tape) Chunk(c client.Chunk) {
	if !r.busy.TryLock() {
		r.t.Error("two chunks at a time")
		return
	}
	defer r.busy.Unlock()
	c.Bytes = bytes.Clone(c.Bytes)
	r.chunks = append(r.chunks, c)
}

// TestDoorRace: several streams of several runs are written at once while others read the log and
// the state. Each stream keeps its bytes and its order, and what was recorded gives the same log.
func TestDoorRace(t *testing.T) {
	rec := &tape{t: t}
	d := newDoor(&Playhead{}, 0, []Observer{&counting{t: t}}, rec)
	type stream struct {
		run int
		s   client.Stream
	}
	texts := map[stream][]byte{}
	for run := 1; run <= 2; run++ {
		var in, out, err strings.Builder
		for i := range 300 {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"m%d"}`+"\n", i, run)
			fmt.Fprintf(&out, `{"jsonrpc":"2.0","id":%d,"result":{"run":%d}}`+"\nstray %d\r\n{\n \"pretty\": %d\n}\n", i, run, i, i)
			fmt.Fprintf(&err, "log %d of %d\n", i, run)
		}
		texts[stream{run, client.In}] = []byte(in.String())
		texts[stream{run, client.Out}] = []byte(out.String())
		texts[stream{run, client.Err}] = []byte(err.String())
	}
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := d.log.Len()
				for _, e := range d.log.Window(nil, n-20, 20) {
					if e.Stream != client.Life && len(e.Head) != min(e.Size, headSize) {
						t.Errorf("row %d: a head of %d bytes of %d", e.Seq, len(e.Head), e.Size)
					}
				}
				d.snapshot()
				d.Pending(1, client.Out)
				d.log.Touched()
			}
		})
	}
	for k, text := range texts {
		writers.Go(func() {
			for _, p := range clienttest.Chop(text, uint64(k.run)*10+uint64(k.s)) {
				d.Chunk(client.Chunk{Run: k.run, Stream: k.s, Bytes: p})
			}
			d.Chunk(client.Chunk{Run: k.run, Stream: k.s, End: true})
			d.Note(client.Note{Run: k.run, What: client.NoteInfo})
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()

	again := newDoor(&Playhead{}, 0, nil, nil)
	for _, c := range rec.chunks {
		again.Chunk(c)
	}
	show := func(l *Log) (rows []string) {
		l.Each(0, func(e Event) bool {
			if e.Stream != client.Life {
				rows = append(rows, fmt.Sprint(e.Run, e.Stream, e.Kind, e.Flaws, e.Offset, e.ID, e.Method, e.Term, string(l.Body(e.Seq).Bytes())))
			}
			return true
		})
		return rows
	}
	if a, b := show(d.log), show(again.log); !slices.Equal(a, b) {
		t.Errorf("%d rows live, %d rows from the recording", len(a), len(b))
	}
	kept := map[stream][]byte{}
	d.log.Each(0, func(e Event) bool {
		k := stream{e.Run, e.Stream}
		if e.Stream != client.Life {
			if e.Offset != int64(len(kept[k])) {
				t.Errorf("row %d is at %d, expected %d", e.Seq, e.Offset, len(kept[k]))
			}
			kept[k] = append(d.log.Body(e.Seq).Append(kept[k]), e.Term.String()...)
		}
		return true
	})
	for k, text := range texts {
		if !bytes.Equal(kept[k], text) {
			t.Errorf("run %d %s: %d bytes are kept of %d", k.run, k.s, len(kept[k]), len(text))
		}
	}
}

// TestChanged: a change is told once, however many there were, and telling it never blocks.
func TestChanged(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	for range 10 {
		f.out("x")
	}
	select {
	case <-f.changed:
	default:
		t.Error("nothing was told")
	}
	select {
	case <-f.changed:
		t.Error("the same change was told twice")
	default:
	}
	a := f.snapshot()
	if f.snapshot() != a {
		t.Error("a new snapshot although nothing changed")
	}
	f.chunk(client.Out, "half a line")
	if b := f.snapshot(); b == a || b.Waiting != 11 || a.Waiting != 0 || f.snapshot() != b {
		t.Errorf("waiting %d, before %d", b.Waiting, a.Waiting)
	}
}
