package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

func TestLogBodies(t *testing.T) {
	f := newFeeder()
	var want []string
	for _, n := range []int{0, 1, 100, headSize, headSize + 1, 64 << 10, firstSegment, firstSegment + 1, ownPiece - 1, ownPiece, segmentSize - 5, segmentSize, segmentSize + 1, 3 * segmentSize, 7} {
		text := strings.Repeat(fmt.Sprint(n%10), n)
		for _, chop := range []int{1 << 30, 64 << 10} {
			want = append(want, text)
			for line := text + "\n"; line != ""; {
				cut := min(chop, len(line))
				f.chunk(client.Out, line[:cut])
				line = line[cut:]
			}
		}
	}
	total := int64(0)
	for i, text := range want {
		e, ok := f.log.Event(i)
		if body := f.log.Body(i); !ok || e.Size != len(text) || string(body.Bytes()) != text || string(e.Head) != text[:min(headSize, len(text))] {
			t.Errorf("row %d of %d bytes: %d bytes kept, head of %d", i, len(text), body.Len(), len(e.Head))
		}
		total += int64(len(text))
	}
	if f.log.Len() != len(want) || f.log.Bytes() != total {
		t.Errorf("%d rows with %d bytes, want %d with %d", f.log.Len(), f.log.Bytes(), len(want), total)
	}
}

func TestLogWindow(t *testing.T) {
	f := newFeeder()
	const n = 2*rowChunk + 10
	f.chunk(client.Out, strings.Repeat("x\n", n))
	for _, c := range []struct{ from, n, first, count int }{
		{0, 5, 0, 5}, {-3, 5, 0, 2}, {n - 2, 10, n - 2, 2}, {n, 5, 0, 0}, {rowChunk - 2, 4, rowChunk - 2, 4}, {5, 0, 0, 0}, {5, -1, 0, 0}, {n + 100, 5, 0, 0},
	} {
		got := f.log.Window(nil, c.from, c.n)
		if len(got) != c.count || c.count > 0 && (got[0].Seq != c.first || got[c.count-1].Seq != c.first+c.count-1) {
			t.Errorf("Window(%d, %d): %d rows", c.from, c.n, len(got))
		}
	}
	next := 7
	f.log.Each(7, func(e Event) bool {
		if e.Seq != next {
			t.Fatalf("row %d came, %d was expected", e.Seq, next)
		}
		next++
		return next < 6000
	})
	if next != 6000 {
		t.Errorf("stopped at %d", next)
	}
	for _, seq := range []int{-1, n} {
		if _, ok := f.log.Event(seq); ok || f.log.Body(seq) != nil {
			t.Errorf("row %d exists", seq)
		}
	}
}

func TestLogTouched(t *testing.T) {
	f := newFeeder()
	if got := f.log.Touched(); got != 0 {
		t.Errorf("an empty log: %d", got)
	}
	f.ask("1", "a", "{}")
	f.out("x")
	f.ask("2", "a", "{}")
	if got := f.log.Touched(); got != 3 {
		t.Errorf("only new rows: %d", got)
	}
	f.answer("2", "{}")
	if got := f.log.Touched(); got != 2 {
		t.Errorf("row 2 was answered: %d", got)
	}
	f.out("x")
	if got := f.log.Touched(); got != 5 {
		t.Errorf("a new row: %d", got)
	}
	f.exit(client.Exit{})
	if got := f.log.Touched(); got != 0 {
		t.Errorf("row 0 will not be answered: %d", got)
	}
}

// TestLogOddities: ids, methods and counts beyond what a row has room for.
func TestLogOddities(t *testing.T) {
	f := newFeeder()
	long := strings.Repeat("9", 100_000)
	f.out(`{"jsonrpc":"2.0","id":%s,"result":{}}`, long)
	f.out(`{"jsonrpc":"2.0","method":"%s"}`, long)
	for i := range 5000 {
		f.out(`{"jsonrpc":"2.0","method":"m%d"}`, i)
	}
	e, _ := f.log.Event(0)
	if !strings.HasPrefix(long, e.ID) || e.ID == "" {
		t.Errorf("id of %d bytes", len(e.ID))
	}
	if e, _ := f.log.Event(1); e.Method != "" || e.Kind != client.KindNotification {
		t.Errorf("method of %d bytes", len(e.Method))
	}
	if e, _ := f.log.Event(2); e.Method != "m0" {
		t.Errorf("method %q", e.Method)
	}
	f.note(client.Note{What: client.NoteInfo, ID: "5", Text: "x"})
	if e, _ := f.log.Event(f.log.Len() - 1); e.ID != "5" || e.Note == nil || e.Note.Text != "x" || e.Head != nil || f.log.Body(e.Seq) != nil {
		t.Errorf("%+v", e)
	}
}

// benchLine is a notification of 300 bytes with its end.
func benchLine() []byte {
	head := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":"`
	return []byte(head + strings.Repeat("x", 300-len(head)-4) + "\"}}\n")
}

// nothing is a recorder without a file.
type nothing struct{}

func (nothing) Chunk(client.Chunk)                  {}
func (nothing) Note(client.Note)                    {}
func (nothing) Err() error                          { return nil }
func (nothing) Lost() (int64, bool)                 { return 0, false }
func (nothing) ReadBack(Bytes) ([]byte, int, error) { return nil, 0, errNotRecorded }

// TestLogPick: rows in the order asked for, without those that are not there.
func TestLogPick(t *testing.T) {
	f := newFeeder()
	f.chunk(client.Out, strings.Repeat("x\n", 3*rowChunk))
	f.log.Bound(rowChunk, 1<<30)
	var got []int
	for _, e := range f.log.Pick(nil, []int{-1, 0, 3*rowChunk - 1, 2 * rowChunk, 2*rowChunk - 1, 3 * rowChunk}) {
		got = append(got, e.Seq)
	}
	if want := []int{3*rowChunk - 1, 2 * rowChunk}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}

// TestLogTellsWhileItIsWritten: what every frame of the screen asks first does not wait for a writer.
func TestLogTellsWhileItIsWritten(t *testing.T) {
	f := newFeeder()
	f.in(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f.out(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	f.chunk(client.Out, strings.Repeat("x\n", 2*rowChunk))
	f.log.Bound(rowChunk, 1<<30)
	if !f.log.mu.TryLock() {
		t.Fatal("the log is held")
	}
	defer f.log.mu.Unlock()
	told := make(chan [3]int)
	go func() {
		told <- [3]int{f.log.Len(), f.log.First(), f.log.Touched()}
		if f.log.Rows(Frames) != nil {
			t.Error("the rows of frames are picked")
		}
		close(told)
	}()
	select {
	case got := <-told:
		if want := [3]int{2*rowChunk + 2, 2 * rowChunk, 0}; got != want {
			t.Errorf("told %v, want %v", got, want)
		}
		<-told
	case <-time.After(10 * time.Second):
		t.Error("a question waits for the writer")
	}
}

// ingest measures how many lines the door takes in a second; the log is begun anew now and then.
func ingest(b *testing.B, size int, fresh func() *door) {
	line := benchLine()
	chunk := bytes.Repeat(line, max(1, size/len(line)))
	lines := len(chunk) / len(line)
	b.SetBytes(int64(len(chunk)))
	d := fresh()
	n := 0
	for b.Loop() {
		if n += lines; n > 500_000 {
			b.StopTimer()
			d, n = fresh(), 0
			b.StartTimer()
		}
		d.Chunk(client.Chunk{Run: 1, Stream: client.Out, At: time.Duration(n), Bytes: chunk})
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkIngest: the goals are 500,000 lines/s in chunks of 64 KiB and 350,000 lines/s one by one.
func BenchmarkIngest(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"64KiB", client.ReadSize}, {"line", 0}} {
		b.Run(c.name, func(b *testing.B) {
			ingest(b, c.size, func() *door { return newDoor(&Playhead{}, 0, nil, nothing{}) })
		})
	}
}

// BenchmarkWindow is one screen of a million rows.
func BenchmarkWindow(b *testing.B) {
	d := newDoor(&Playhead{}, 0, nil, nil)
	chunk := bytes.Repeat([]byte("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n"), 1000)
	for range 1000 {
		d.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: chunk})
	}
	var rows []Event
	for b.Loop() {
		rows = d.log.Window(rows[:0], 500_000, 40)
	}
}
