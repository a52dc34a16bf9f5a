package session

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"time"

	"example.com/mcpinspect/client"
)

// Log keeps every row and every byte of a session, append-only. Bodies lie in segments; a large
// one lies by itself. Reading is safe beside one writer, the door.
type Log struct {
	mu      sync.RWMutex
	chunks  [][]row // rowChunk rows each, so that growing copies nothing
	count   int
	segment []byte   // the one being filled
	full    [][]byte // those before it
	alone   map[int]client.Body
	notes   map[int]*client.Note
	http    map[int]httpRow
	marks   [][]Mark // what rows were marked with, numbered from 1; rows with the same marks share a number
	names   []string // interned methods
	views   [][]byte // backs the bodies that frame returns, many at a time
	nameOf  map[string]uint16
	bytes   int64
	touched int // the lowest row that changed since it was last asked for; math.MaxInt for none
}

const (
	segmentSize = 4 << 20 // large enough that a session has few, small enough to waste little
	rowChunk    = 4096
	ownPiece    = 1 << 20 // a body from here on lies by itself, so that segments are not left half empty
)

// row is an event in 72 bytes and without pointers, so that a million of them cost the garbage
// collector nothing.
type row struct {
	t       time.Duration
	latency time.Duration
	offset  int64
	pair    int32
	seg     int32 // segment; -1: the body lies by itself
	off     uint32
	size    uint32
	idAt    uint32
	idLen   uint16
	method  uint16
	flaws   client.Flaws
	run     uint16
	reads   uint16
	count   uint16
	lines   uint16
	marks   int32 // number in Log.marks; 0 for none
	stream  client.Stream
	kind    client.Kind
	term    client.Term
	bits    uint8
}

const (
	bitShared = 1 << iota
	bitOpen
	bitNote
	bitFailed
)

func newLog() *Log {
	return &Log{touched: math.MaxInt, alone: map[int]client.Body{}, notes: map[int]*client.Note{}, names: []string{""}, nameOf: map[string]uint16{"": 0}}
}

func (l *Log) at(seq int) *row { return &l.chunks[seq/rowChunk][seq%rowChunk] }

// push appends a row; the caller holds mu.
func (l *Log) push(r row) int {
	if l.count%rowChunk == 0 {
		l.chunks = append(l.chunks, make([]row, 0, rowChunk))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, r)
	l.count++
	return l.count - 1
}

// intern gives a method its number. The number of different methods is bounded: a server that
// invents one a message must not grow the table.
func (l *Log) intern(raw []byte) uint16 {
	if len(raw) > 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		if n, ok := l.nameOf[string(raw[1:len(raw)-1])]; ok { // looked up without a copy
			return n
		}
	}
	name, _ := client.Text(raw)
	if n, ok := l.nameOf[name]; ok {
		return n
	}
	const most = 4096
	if len(l.names) >= most {
		return 0
	}
	n := uint16(len(l.names))
	l.names = append(l.names, name)
	l.nameOf[name] = n
	return n
}

// keep copies a body and returns where it lies and a stable view of it.
func (l *Log) keep(seq int, b client.Body) (seg int32, off uint32, stable client.Body) {
	size := b.Len()
	l.bytes += int64(size)
	if size >= ownPiece {
		// In one piece: whoever reads the answer, its result, its text, would join it again each time.
		b = client.Body{b.Append(make([]byte, 0, size))}
		l.alone[seq] = b
		return -1, 0, b
	}
	if len(l.segment)+size > cap(l.segment) {
		if l.segment != nil {
			l.full = append(l.full, l.segment)
		}
		want := segmentSize
		if len(l.full) == 0 && l.segment == nil {
			want = firstSegment // a short session stays small
		}
		l.segment = make([]byte, 0, max(want, size))
	}
	from := len(l.segment)
	l.segment = b.Append(l.segment)
	if len(l.views) == cap(l.views) {
		l.views = make([][]byte, 0, viewChunk)
	}
	n := len(l.views)
	l.views = append(l.views, l.segment[from:len(l.segment):len(l.segment)])
	return int32(len(l.full)), uint32(from), client.Body(l.views[n : n+1 : n+1])
}

// viewChunk is how many bodies are made at once: one at a time would be an allocation a line.
const viewChunk = 256

const firstSegment = 256 << 10

// frame appends a frame and returns its row, the method of its first message, and a body that
// stays valid.
func (l *Log) frame(run int, stream client.Stream, f *client.Frame) (seq int, method string, stable client.Body) {
	r := row{t: f.At, offset: f.Offset, pair: NoPair, size: uint32(f.Body.Len()), flaws: f.Flaws, run: uint16(run), reads: clamp16(f.Reads),
		count: clamp16(len(f.Messages)), lines: clamp16(f.Lines), stream: stream, kind: f.Kind, term: f.Term, latency: -1}
	if f.Shared {
		r.bits |= bitShared
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r.seg, r.off, stable = l.keep(l.count, f.Body)
	if len(f.Messages) > 0 {
		m := &f.Messages[0]
		if m.ID.Present() {
			r.idAt, r.idLen = uint32(m.ID.Start), clamp16(m.ID.End-m.ID.Start)
		}
		if m.Method.Present() && m.Method.End-m.Method.Start <= maxMethod {
			r.method = l.intern(stable.Slice(m.Method.Start, m.Method.End))
		}
	}
	return l.push(r), l.names[r.method], stable
}

// maxMethod is the longest method name that a row keeps; names of the protocol have 40 bytes at most.
const maxMethod = 256

func clamp16(n int) uint16 { return uint16(min(n, 1<<16-1)) }

// httpRow is what a row of an HTTP exchange has beside.
type httpRow struct {
	exchange int
	event    *client.ServerEvent
}

// exchange notes which exchange of HTTP a row belongs to.
func (l *Log) exchange(seq, number int, e *client.ServerEvent) {
	r := httpRow{exchange: number}
	if e != nil && *e != (client.ServerEvent{}) {
		kept := *e
		r.event = &kept
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.http == nil {
		l.http = map[int]httpRow{}
	}
	l.http[seq] = r
}

// note appends a row without bytes.
func (l *Log) note(n *client.Note) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	seq := l.push(row{t: n.At, pair: NoPair, run: uint16(n.Run), stream: client.Life, bits: bitNote, latency: -1})
	l.notes[seq] = n
	return seq
}

// setMarks adds what observers found at a row.
func (l *Log) setMarks(seq int, marks []Mark) {
	if len(marks) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.at(seq)
	if r.marks > 0 {
		marks = append(slices.Clone(l.marks[r.marks-1]), marks...)
	}
	r.marks = l.number(marks)
	l.touch(seq)
}

// number finds the number of marks among the latest, or gives them a new one. A million blank
// lines in a row are marked alike.
func (l *Log) number(marks []Mark) int32 {
	const latest = 4
	n := len(l.marks)
	for i := n; i > max(0, n-latest); i-- {
		if slices.Equal(l.marks[i-1], marks) {
			return int32(i)
		}
	}
	l.marks = append(l.marks, marks)
	return int32(n + 1)
}

// during ties a stray row to the request of ours that was open when it came.
func (l *Log) during(seq, request int) {
	l.mu.Lock()
	r := l.at(seq)
	r.pair, r.method = int32(request), l.at(request).method
	l.mu.Unlock()
}

// opened notes that a request waits for its answer.
func (l *Log) opened(seq int) {
	l.mu.Lock()
	l.at(seq).bits |= bitOpen
	l.mu.Unlock()
}

// settled notes that a request will get no answer: its run has ended.
func (l *Log) settled(seq int) {
	l.mu.Lock()
	l.at(seq).bits &^= bitOpen
	l.touch(seq)
	l.mu.Unlock()
}

// paired joins a request and its answer. first is false for further messages of a batch, whose
// rows keep the pair of their first message only.
func (l *Log) paired(request, answer int, first, failed bool) {
	l.mu.Lock()
	q, a := l.at(request), l.at(answer)
	q.bits &^= bitOpen
	q.pair = int32(answer)
	q.latency = a.t - q.t
	if first {
		a.pair, a.latency, a.method = int32(request), a.t-q.t, q.method
	}
	if failed {
		a.bits |= bitFailed
		q.bits |= bitFailed
	}
	l.touch(request)
	l.mu.Unlock()
}

func (l *Log) touch(seq int) { l.touched = min(l.touched, seq) }

// Len is the number of rows.
func (l *Log) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.count
}

// Bytes is how many bytes of bodies are kept.
func (l *Log) Bytes() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.bytes
}

// Touched returns the lowest row that changed after it was appended, since the last call; Len
// when none did. Only the screen asks.
func (l *Log) Touched() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := min(l.touched, l.count)
	l.touched = math.MaxInt
	return t
}

// Event returns one row; false when there is none of that number.
func (l *Log) Event(seq int) (Event, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if seq < 0 || seq >= l.count {
		return Event{}, false
	}
	return l.event(seq), true
}

// Window appends the rows from, from+1, … at most n of them, to dst.
func (l *Log) Window(dst []Event, from, n int) []Event {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for seq := max(from, 0); seq < min(from+n, l.count); seq++ {
		dst = append(dst, l.event(seq))
	}
	return dst
}

// Each calls yield for the rows from on until it returns false, holding the log only for short.
func (l *Log) Each(from int, yield func(Event) bool) {
	const step = 512
	buf := make([]Event, 0, step)
	for {
		buf = l.Window(buf[:0], from, step)
		for _, e := range buf {
			if !yield(e) {
				return
			}
		}
		if len(buf) < step {
			return
		}
		from += step
	}
}

func (l *Log) event(seq int) Event {
	r := l.at(seq)
	e := Event{Seq: seq, T: r.t, Run: int(r.run), Stream: r.stream, Kind: r.kind, Flaws: r.flaws, Method: l.names[r.method],
		Size: int(r.size), Offset: r.offset, Reads: int(r.reads), Shared: r.bits&bitShared != 0, Term: r.term,
		Lines: int(r.lines), Count: int(r.count), Pair: int(r.pair), Latency: r.latency, Open: r.bits&bitOpen != 0, Failed: r.bits&bitFailed != 0}
	if r.bits&bitNote != 0 {
		e.Note = l.notes[seq]
		e.ID = e.Note.ID
	}
	if r.marks > 0 {
		e.Marks = l.marks[r.marks-1]
	}
	if h, ok := l.http[seq]; ok {
		e.Exchange, e.Event = h.exchange, h.event
	}
	if r.stream != client.Life {
		body := l.body(seq, r)
		e.Head = body.Slice(0, min(headSize, e.Size))
		if r.idLen > 0 {
			e.ID = string(body.Slice(int(r.idAt), int(r.idAt)+int(r.idLen)))
		}
	}
	return e
}

func (l *Log) body(seq int, r *row) client.Body {
	if r.seg < 0 {
		return l.alone[seq]
	}
	seg := l.segment
	if int(r.seg) < len(l.full) {
		seg = l.full[r.seg]
	}
	return client.Body{seg[r.off : r.off+r.size : r.off+r.size]}
}

// Body is the line of a row without its end; it must not be changed and stays valid.
func (l *Log) Body(seq int) client.Body {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if seq < 0 || seq >= l.count {
		return nil
	}
	r := l.at(seq)
	if r.stream == client.Life {
		return nil
	}
	return l.body(seq, r)
}
