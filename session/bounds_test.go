package session

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// strays marks stray lines.
type strays struct{}

func (strays) Frame(e *Event, _ *client.Frame) []Mark {
	if e.Stray() {
		return []Mark{{Rule: "stray", Severity: Warning, Text: "text"}}
	}
	return nil
}

func (strays) Note(*Event, *client.Note) []Mark { return nil }

// recorded is a door with little memory behind a recording in a file; path is empty for none.
func recorded(t testing.TB, path string, hide *recordings.Secrets, bytes int64, rows int) *feeder {
	t.Helper()
	f := newFeeder(strays{})
	if path != "" {
		w, err := recordings.Create(path, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		clock := f.clock
		f.door = newDoor(clock, 0, []Observer{strays{}}, NewRecording(w, Target{}, Options{}, "test", time.Unix(0, 0), hide))
	}
	f.log.store.max, f.log.maxRows = bytes, rows
	return f
}

// fill writes lines of all sizes on all streams in two runs, and returns the body of every row.
func fill(f *feeder, n int) (want []string) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		if i == n/2 {
			f.spawn(2)
			want = append(want, "")
		}
		pad := strings.Repeat("x", rnd.IntN(30_000))
		if i%97 == 0 {
			pad = strings.Repeat("y", ownPiece+rnd.IntN(ownPiece))
		}
		var s client.Stream
		var text string
		switch i % 5 {
		case 0: // the id stands at the end
			s, text = client.Out, fmt.Sprintf(`{"result":{"a":"%s"},"jsonrpc":"2.0","id":%d}`, pad, i)
		case 1:
			s, text = client.Out, "stray "+pad[:len(pad)%20]
		case 2:
			s, text = client.Err, "log\t"+pad[:min(len(pad), 30_000)]
		case 3:
			s, text = client.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m","params":{"b":"%s"}}`, i+2, pad)
		default:
			s, text = client.Out, fmt.Sprintf("{\n  \"jsonrpc\": \"2.0\",\r\n  \"method\": \"spread\", \"x\": \"%s\"\n}", pad)
		}
		for line := text + "\n"; line != ""; {
			cut := min(1+rnd.IntN(20_000), len(line))
			f.chunk(s, line[:cut])
			line = line[cut:]
		}
		want = append(want, text)
	}
	return want
}

// TestBodiesAreReadBack: whatever was cut is read back from the recording, byte for byte.
func TestBodiesAreReadBack(t *testing.T) {
	const limit = 12 << 20
	f := recorded(t, filepath.Join(t.TempDir(), "a.jsonl"), nil, limit, 1<<20)
	want := fill(f, 2000)
	if f.log.Len() != len(want) || f.log.First() != 0 {
		t.Fatalf("%d rows from %d on, want %d", f.log.Len(), f.log.First(), len(want))
	}
	if b := f.log.Bytes(); b > limit+2*ownPiece {
		t.Errorf("%d bytes in memory", b)
	}
	cut := 0
	for seq, text := range want {
		e, ok := f.log.Event(seq)
		if !ok || e.Note == nil && (e.Size != len(text) || e.Kept > e.Size || string(e.Head) != text[:min(headSize, e.Kept)] || e.Kept < min(e.Size, prefixSize)) {
			t.Fatalf("row %d: %d bytes, %d of them kept, %d wanted", seq, e.Size, e.Kept, len(text))
		}
		if e.Kind == client.KindResponse && !strings.HasSuffix(text, `"id":`+e.ID+"}") {
			t.Fatalf("row %d has id %q", seq, e.ID)
		}
		if e.Kept < e.Size {
			cut++
			if body := f.log.Body(seq).Bytes(); string(body) != text[:e.Kept] {
				t.Fatalf("row %d begins with %q", seq, body)
			}
		}
		if seq%7 != 0 && seq%97 > 1 {
			continue
		}
		body, masked, err := f.log.Read(seq)
		if err != nil || masked != 0 || string(body.Bytes()) != text {
			t.Fatalf("row %d of %d bytes: read back %d bytes, %d masked, %v", seq, len(text), body.Len(), masked, err)
		}
	}
	if cut < 500 {
		t.Errorf("only %d rows were cut", cut)
	}
}

// TestCutWithoutRecording: the beginning is shown, and why there is no more.
func TestCutWithoutRecording(t *testing.T) {
	secret := "s3cret-s3cret"
	hide := &recordings.Secrets{}
	hide.Add("NAME", secret)
	text := strings.Repeat("z", 1000) + secret + strings.Repeat("z", 1000)
	for _, c := range []struct {
		name   string
		door   func(t *testing.T) *feeder
		masked int
		err    string
	}{
		{"none", func(t *testing.T) *feeder { return recorded(t, "", nil, 1<<20, 1<<20) }, 0, "1757 of 2013 bytes are no longer in memory, and cannot be read back: the session is not recorded"},
		{"no file", func(t *testing.T) *feeder {
			f := newFeeder()
			f.door = newDoor(f.clock, 0, nil, NewRecording(recordings.NewWriter(&bytes.Buffer{}), Target{}, Options{}, "test", time.Unix(0, 0), nil))
			f.log.store.max = 1 << 20
			return f
		}, 0, "nothing is recorded in a file"},
		{"masked", func(t *testing.T) *feeder { return recorded(t, filepath.Join(t.TempDir(), "a"), hide, 1<<20, 1<<20) }, len(secret), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.door(t)
			for range 3000 {
				f.chunk(client.Err, text+"\n")
			}
			body, masked, err := f.log.Read(5)
			cut := (*CutError)(nil)
			switch {
			case c.err == "":
				if err != nil || masked != c.masked || string(body.Bytes()) != strings.Replace(text, secret, strings.Repeat("*", len(secret)), 1) {
					t.Errorf("%d bytes, %d masked, %v", body.Len(), masked, err)
				}
			case !errors.As(err, &cut) || !strings.Contains(err.Error(), c.err) || string(body.Bytes()) != text[:prefixSize]:
				t.Errorf("%d bytes, %v", body.Len(), err)
			}
		})
	}
}

// TestRowsAreLetGo: the newest rows stay, everything that asks for older ones gets an answer.
func TestRowsAreLetGo(t *testing.T) {
	const most = 3 * rowChunk
	f := recorded(t, "", nil, maxBytes, most)
	f.spawn(1)
	f.ask("1", "tools/call", `{"name":"slow"}`)
	f.in(`{"jsonrpc":"2.0","id":2,"method":"open"}`)
	for range 5 * rowChunk {
		f.out("y")
	}
	f.answer("1", "{}")
	last := f.log.Len() - 1
	first := f.log.First()
	if kept := last + 1 - first; first == 0 || first%rowChunk != 0 || kept > most || kept < most-rowChunk {
		t.Fatalf("rows %d to %d", first, last)
	}
	if e, ok := f.log.Event(last); !ok || e.Pair != 1 || e.Method != "tools/call" || e.Latency <= 0 {
		t.Errorf("the answer: %+v", e)
	}
	if e, _ := f.log.Event(last - 1); e.Pair != 2 || e.Method != "open" || len(e.Marks) != 1 {
		t.Errorf("a stray row: %+v", e)
	}
	for _, seq := range []int{-1, 0, 1, first - 1, last + 1} {
		if _, ok := f.log.Event(seq); ok || f.log.Body(seq) != nil {
			t.Errorf("row %d is there", seq)
		}
		if _, _, err := f.log.Read(seq); err == nil {
			t.Errorf("row %d was read", seq)
		}
	}
	if w := f.log.Window(nil, first-5, 10); len(w) != 5 || w[0].Seq != first {
		t.Errorf("%d rows around the first", len(w))
	}
	n, told := 0, 0
	f.log.Each(0, func(e Event) bool {
		if e.Seq != first+n {
			t.Fatalf("row %d came as number %d", e.Seq, n)
		}
		n++
		if e.Note != nil && strings.Contains(e.Note.Text, "oldest rows") {
			told++
		}
		return true
	})
	if g := f.log.Gone(); n != last+1-first || g.Rows != first || len(g.Notes) != 1 || len(g.Marks) != 1 || g.Marks[0].Rule != "stray" || g.Marks[0].Count+n < 5*rowChunk-5 || g.Marks[0].Event.Seq != 3 {
		t.Errorf("%d rows, %+v", n, g)
	}
	f.exit(client.Exit{Code: 1}) // row 2 will not be answered
	if told > 1 || f.snapshot().Counts.Stray != 5*rowChunk {
		t.Errorf("told %d times, %+v", told, f.snapshot().Counts)
	}
}

// TestBytesLetRowsGo: bodies too short to be cut are bounded too.
func TestBytesLetRowsGo(t *testing.T) {
	const limit = 16 << 20
	f := recorded(t, "", nil, limit, 1<<30)
	f.chunk(client.Err, strings.Repeat(strings.Repeat("n", 250)+"\n", 32*rowChunk))
	first := f.log.First()
	if b := f.log.Bytes(); b > limit || b < limit-2*segmentSize || first == 0 {
		t.Errorf("%d bytes from row %d on", b, first)
	}
	// One body alone beyond the limit stays, and does not drive the rows out.
	f.chunk(client.Out, strings.Repeat("b", 2*limit)+"\n")
	e, _ := f.log.Event(f.log.Len() - 1)
	if e.Kept != 2*limit || f.log.First() > first+rowChunk {
		t.Errorf("%d bytes kept of the newest, rows from %d on, before %d", e.Kept, f.log.First(), first)
	}
	f.chunk(client.Out, strings.Repeat("x\n", rowChunk))
	if e, ok := f.log.Event(e.Seq); !ok || e.Kept != prefixSize || f.log.First() > first+rowChunk {
		t.Errorf("%d bytes kept, rows from %d on", e.Kept, f.log.First())
	}
	if len(f.log.store.segments) > 20 {
		t.Errorf("%d segments", len(f.log.store.segments))
	}
}

// TestMarksAreShared: a million rows with the same marks have one set, and marks whose texts the
// server makes up end in one text.
func TestMarksAreShared(t *testing.T) {
	f := newFeeder(strays{})
	for i := range 5000 {
		f.out("y")
		f.answer(fmt.Sprint(1000+i), "{}")
	}
	if n := len(f.log.marks.sets); n > fullTexts+5 {
		t.Errorf("%d sets of marks", n)
	}
	e, _ := f.log.Event(f.log.Len() - 1)
	if len(e.Marks) != 1 || e.Marks[0].Rule != "unknown-id" || e.Marks[0].Severity != Error || strings.Contains(e.Marks[0].Text, "5999") {
		t.Errorf("%+v", e.Marks)
	}
}

// TestPairsAreBounded: requests without end and ids without end do not fill the memory.
func TestPairsAreBounded(t *testing.T) {
	p := newPairs()
	ask := func(s client.Stream, id string) *openRequest {
		q := &openRequest{key: keyOf(1, id), stream: s, id: id}
		p.request(q)
		return q
	}
	for i := range maxOpen + 10 {
		ask(client.Out, fmt.Sprint(i))
	}
	if n := len(p.side(1, client.Out).open); n != maxOpen {
		t.Errorf("%d requests are open", n)
	}
	for i := range 3 * maxAnswered {
		id := fmt.Sprint(i)
		ask(client.In, id)
		if q, how := p.answer(wireKey{run: 1, stream: client.Out}, &client.Message{}, id, true); q == nil || how != fitExact {
			t.Fatalf("id %s: %v", id, how)
		}
	}
	if n := len(p.side(1, client.In).answered) + len(p.side(1, client.In).before); n > 2*maxAnswered || n < maxAnswered {
		t.Errorf("%d ids are remembered", n)
	}
	if _, how := p.answer(wireKey{run: 1, stream: client.Out}, &client.Message{}, fmt.Sprint(3*maxAnswered-1), true); how != fitAgain {
		t.Errorf("a second answer: %v", how)
	}
	long := strings.Repeat("9", 1<<20)
	if k := keyOf(1, long); len(k.id) > 2*maxKeptID || k != keyOf(1, long) || k == keyOf(1, long+"8") {
		t.Errorf("a key of %d bytes", len(k.id))
	}
	for _, id := range []string{long, `"` + long + `"`} {
		ask(client.In, id)
		if q, how := p.answer(wireKey{run: 1, stream: client.Out}, &client.Message{}, `"`+id, true); q != nil {
			t.Errorf("another long id: %v", how)
		}
		if q, how := p.answer(wireKey{run: 1, stream: client.Out}, &client.Message{}, id, true); q == nil || how != fitExact {
			t.Errorf("a long id: %v", how)
		}
	}
}

// TestReadWhileWriting is for the race detector.
func TestReadWhileWriting(t *testing.T) {
	f := recorded(t, filepath.Join(t.TempDir(), "a.jsonl"), nil, 1<<20, 2*rowChunk)
	stop := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for seq := 0; ; seq++ {
			select {
			case <-stop:
				return
			default:
			}
			n := f.log.Len()
			for _, at := range []int{f.log.First(), n / 2, n - 1} {
				f.log.Event(at)
				f.log.Read(at)
			}
			f.log.Gone()
		}
	})
	line := strings.Repeat("w", 600) + "\n"
	for range 4 * rowChunk {
		f.chunk(client.Out, line)
	}
	close(stop)
	reader.Wait()
}

// TestRowSize: a row is a promise of the design, 80 bytes beside its payload.
func TestRowSize(t *testing.T) {
	if n := unsafe.Sizeof(row{}); n > 80 {
		t.Errorf("a row has %d bytes", n)
	}
}

// BenchmarkBytesPerRow is what a row of a flood costs in memory, payload included.
func BenchmarkBytesPerRow(b *testing.B) {
	for _, c := range []struct{ name, line string }{{"yes", "y\n"}, {"notification", string(benchLine())}} {
		b.Run(c.name, func(b *testing.B) {
			chunk := []byte(strings.Repeat(c.line, 1000))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			d := newDoor(&Playhead{}, 0, []Observer{strays{}}, nil)
			rows := 0
			for b.Loop() {
				d.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: chunk})
				rows += 1000
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			kept := d.log.Len() - d.log.First()
			b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(kept), "B/row")
			runtime.KeepAlive(d)
		})
	}
}

// TestBodiesOfHTTPAreReadBack: whole bodies, lines and events, of exchanges that run side by side.
func TestBodiesOfHTTPAreReadBack(t *testing.T) {
	f := recorded(t, filepath.Join(t.TempDir(), "a.jsonl"), nil, 1<<20, 1<<20)
	rnd := rand.New(rand.NewPCG(5, 6))
	give := func(x int, s client.Stream, form client.Form, text string, end bool) {
		for text != "" {
			n := min(1+rnd.IntN(5000), len(text))
			f.Chunk(client.Chunk{Run: 1, Stream: s, Exchange: x, Form: form, Bytes: []byte(text[:n])})
			text = text[n:]
		}
		if end {
			f.Chunk(client.Chunk{Run: 1, Stream: s, Exchange: x, Form: form, End: true})
		}
	}
	want := map[int]string{}
	row := func(text string) { want[f.log.Len()] = text }
	for i := range 300 {
		pad := strings.Repeat("p", rnd.IntN(20_000))
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m","params":{"b":"%s"}}`, i, pad)
		row(body)
		give(2*i+2, client.In, client.FormWhole, body, true)
		event := fmt.Sprintf("{\"jsonrpc\":\"2.0\",\n\"method\":\"n\",\"params\":{\"c\":\"%d %s\"}}", i, pad)
		row(event)
		give(1, client.Out, client.FormEvents, fmt.Sprintf("id: %d\nevent: message\ndata: %s\n\n", i, strings.ReplaceAll(event, "\n", "\r\ndata: ")), false)
	}
	cut := 0
	for seq, text := range want {
		e, ok := f.log.Event(seq)
		if !ok || e.Exchange == 0 || e.Size != len(text) {
			t.Fatalf("row %d: %+v, want %d bytes", seq, e, len(text))
		}
		if e.Kept < e.Size {
			cut++
		}
		if body, masked, err := f.log.Read(seq); err != nil || masked != 0 || string(body.Bytes()) != text {
			t.Fatalf("row %d of exchange %d: read back %d bytes of %d, %v", seq, e.Exchange, body.Len(), len(text), err)
		}
	}
	if cut < 50 {
		t.Errorf("only %d rows were cut", cut)
	}
}
