package session

import (
	"math"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"example.com/mcpinspect/client"
)

// Log keeps the rows of a session in bounded memory. Beyond maxBytes the oldest bodies keep their
// beginning only, and are read back from the recording; beyond that, and beyond maxRows, the
// oldest rows are let go, and Gone says what they were. Rows keep their numbers.
// Reading is safe beside one writer, the door.
type Log struct {
	mu       sync.RWMutex
	chunks   []*chunk // from first on
	first    int      // the oldest row that is here, the first of its chunk
	count    int      // the number of the next row
	spare    []row    // of a chunk that was let go
	store    store
	marks    markSets
	index    index
	gone     Gone
	goneAt   map[goneKey]int // into gone.Marks
	methods  names
	views    [][]byte        // backs the bodies that frame returns, many at a time
	markings map[int]Marking // what a person put on rows, by row
	unplaced []remarked      // whose rows are not found yet
	due      int             // the first row that one of them waits for; math.MaxInt for none
	back     source          // reads bodies back; nil when nothing is recorded
	maxRows  int

	// What the screen asks for at every frame it reads without mu, which a writer may hold that has lost
	// its processor. They are written with mu held: rows that they tell of are there for who takes it.
	length  atomic.Int64 // count
	oldest  atomic.Int64 // first
	touched atomic.Int64 // the lowest row that changed since it was last asked for; math.MaxInt for none
}

const (
	// maxRows is how many rows are kept: 300 MB of them, which nobody scrolls through. A server
	// that does nothing but print fills them in some seconds.
	maxRows   = 4 << 20
	rowChunk  = 4096
	firstRows = 256 // of a short session; its chunk grows to rowChunk
)

// chunk is rowChunk rows, so that growing copies nothing and the oldest can be let go.
type chunk struct {
	rows  []row
	notes []*client.Note
	http  []httpRow // by row; nil while none is of HTTP
	slow  []spread  // of rows that several reads brought, ascending
	cost  int64     // of the notes and events, in bytes
}

func newLog() *Log {
	l := &Log{due: math.MaxInt, maxRows: maxRows, store: newStore(), marks: newMarkSets(), index: newIndex(), goneAt: map[goneKey]int{}, methods: newNames()}
	l.touched.Store(math.MaxInt)
	return l
}

// at is a row that is here.
func (l *Log) at(seq int) *row {
	c, i := l.place(seq)
	return &c.rows[i]
}

// row is a row, nil when it was let go or never was.
func (l *Log) row(seq int) *row {
	if seq < l.first || seq >= l.count {
		return nil
	}
	return l.at(seq)
}

// push appends a row; the caller holds mu.
func (l *Log) push(r row) int {
	if l.count%rowChunk == 0 {
		if l.count-l.first >= l.maxRows {
			l.letGo()
		}
		rows := l.spare // not made anew, so that a flood leaves no garbage
		if l.spare = nil; rows == nil {
			size := rowChunk
			if l.count == 0 {
				size = firstRows
			}
			rows = make([]row, 0, size)
		}
		l.chunks = append(l.chunks, &chunk{rows: rows})
	}
	last := l.chunks[len(l.chunks)-1]
	last.rows = append(last.rows, r)
	l.count++
	l.length.Store(int64(l.count))
	return l.count - 1
}

// frame appends a frame and returns its row, the method of its first message, and a body that
// stays valid; where the store is thin, no longer than the frame does.
func (l *Log) frame(run int, stream client.Stream, f *client.Frame) (seq int, method string, stable client.Body) {
	r := row{t: f.At, offset: f.Offset, pair: NoPair, size: uint32(f.Body.Len()), flaws: f.Flaws, run: uint16(run), reads: clamp16(f.Reads),
		count: clamp16(len(f.Messages)), lines: clamp16(f.Lines), stream: stream, kind: f.Kind, term: f.Term, latency: -1}
	if f.Shared {
		r.bits |= bitShared
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(f.Messages) > 0 && f.Messages[0].ID.Present() {
		id := f.Messages[0].ID
		r.idAt, r.idLen = uint32(id.Start), clamp16(id.End-id.Start)
	}
	if l.store.thins(stream, int(r.size)) {
		stable = l.keepHead(&r, f.Body)
	} else {
		r.seg, r.off, stable = l.keep(f.Body)
	}
	if len(f.Messages) > 0 {
		m := &f.Messages[0]
		if m.Method.Present() && m.Method.End-m.Method.Start <= maxMethod {
			r.method = l.methods.internRaw(stable.Slice(m.Method.Start, m.Method.End))
		}
	}
	if seq = l.push(r); f.Reads > 1 && f.At > f.First {
		c, i := l.place(seq)
		c.slow = append(c.slow, spread{uint16(i), uint32(min((f.At - f.First).Microseconds(), math.MaxUint32))})
	}
	if len(f.Messages) == 1 && f.Kind == f.Messages[0].Kind && l.take(seq, stream, &f.Messages[0], l.methods.all[r.method], stable) {
		l.at(seq).bits |= bitOpen
	}
	if l.store.bytes > l.store.max {
		l.shrink(int(r.size))
	}
	return seq, l.methods.all[r.method], stable
}

// maxMethod is the longest method name that a row keeps; names of the protocol have 40 bytes at most.
const maxMethod = 256

func clamp16(n int) uint16 { return uint16(min(n, 1<<16-1)) }

// httpRow is what a row of an HTTP exchange has beside.
type httpRow struct {
	exchange int32
	sse      bool // it came as an event of an event stream
	event    *client.ServerEvent
}

// spread is how long the bytes of a row took to come. Few rows have one, and it is small: what a row
// takes stays within bounds where each does.
type spread struct {
	row  uint16 // in its chunk
	over uint32 // in microseconds, which is at most an hour
}

// first is when the first bytes of a row came.
func (c *chunk) first(i int) time.Duration {
	at := sort.Search(len(c.slow), func(n int) bool { return int(c.slow[n].row) >= i })
	if at < len(c.slow) && int(c.slow[at].row) == i {
		return c.rows[i].t - time.Duration(c.slow[at].over)*time.Microsecond
	}
	return c.rows[i].t
}

// exchange notes which exchange of HTTP a row belongs to.
func (l *Log) exchange(seq, number int, e *client.ServerEvent) {
	r := httpRow{exchange: int32(number), sse: e != nil}
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq < l.first {
		return
	}
	c, i := l.place(seq)
	if r.sse && *e != (client.ServerEvent{}) {
		kept := *e
		r.event = &kept
		cost := int64(len(kept.ID) + len(kept.Type) + len(kept.Retry) + noteSize)
		c.cost += cost
		l.store.bytes += cost
	}
	if c.http == nil {
		c.http = make([]httpRow, rowChunk)
	}
	c.http[i] = r
}

// place is the chunk of a row that is here, and the row's place in it.
func (l *Log) place(seq int) (*chunk, int) {
	i := seq - l.first
	return l.chunks[i/rowChunk], i % rowChunk
}

// note appends a row without bytes.
func (l *Log) note(n *client.Note) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	seq := l.push(row{t: n.At, pair: NoPair, run: uint16(n.Run), stream: client.Life, bits: bitNote, latency: -1})
	c := l.chunks[len(l.chunks)-1]
	l.at(seq).off = uint32(len(c.notes))
	c.notes = append(c.notes, n)
	cost := int64(len(n.Text) + len(n.Data) + noteSize)
	c.cost += cost
	l.store.bytes += cost
	l.shrink(0)
	return seq
}

// noteSize is about what a note takes beside its text.
const noteSize = 200

// touch notes that a row changes; the caller holds mu, and whoever reads the row waits for that.
func (l *Log) touch(seq int) {
	for {
		lowest := l.touched.Load()
		if int64(seq) >= lowest || l.touched.CompareAndSwap(lowest, int64(seq)) {
			return
		}
	}
}

// Len is the number of rows there were.
func (l *Log) Len() int { return int(l.length.Load()) }

// First is the oldest row that is here: those before it were let go, see Gone.
func (l *Log) First() int { return int(l.oldest.Load()) }

// Bytes is how many bytes of bodies are in memory.
func (l *Log) Bytes() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.store.bytes
}

// Touched returns the lowest row that changed after it was appended, since the last call; Len
// when none did. Only the screen asks.
func (l *Log) Touched() int {
	n := l.Len() // before: a row that comes meanwhile and changes is a change all the same
	return min(int(l.touched.Swap(math.MaxInt)), n)
}

// Event returns one row; false when there is none of that number any more.
func (l *Log) Event(seq int) (Event, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.row(seq) == nil {
		return Event{}, false
	}
	return l.event(seq), true
}

// Window appends the rows from, from+1, … to from+n-1 to dst, without those that were let go.
func (l *Log) Window(dst []Event, from, n int) []Event {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for seq := max(from, l.first); seq < min(from+n, l.count); seq++ {
		dst = append(dst, l.event(seq))
	}
	return dst
}

// Pick appends the rows of the given numbers to dst, without those that were let go.
func (l *Log) Pick(dst []Event, seqs []int) []Event {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, seq := range seqs {
		if l.row(seq) != nil {
			dst = append(dst, l.event(seq))
		}
	}
	return dst
}

// Each calls yield for the rows from on until it returns false, holding the log only for short.
// Rows that were let go are passed over.
func (l *Log) Each(from int, yield func(Event) bool) {
	const step = 512
	buf := make([]Event, 0, step)
	for {
		from = max(from, l.First())
		if buf = l.Window(buf[:0], from, step); len(buf) == 0 {
			if from < l.First() {
				continue // they were let go meanwhile
			}
			return
		}
		for _, e := range buf {
			if !yield(e) {
				return
			}
		}
		from = buf[len(buf)-1].Seq + 1
	}
}

func (l *Log) event(seq int) Event {
	c, i := l.place(seq)
	r := &c.rows[i]
	e := Event{Seq: seq, T: r.t, Run: int(r.run), Stream: r.stream, Kind: r.kind, Flaws: r.flaws, Method: l.methods.all[r.method],
		Size: int(r.size), Kept: int(r.size), Offset: r.offset, Reads: int(r.reads), Shared: r.bits&bitShared != 0, Term: r.term,
		Lines: int(r.lines), Count: int(r.count), Pair: int(r.pair), Latency: r.latency, Open: r.bits&bitOpen != 0, Failed: r.bits&bitFailed != 0, Cancelled: r.bits&bitCancelled != 0,
		First: r.t, Marks: l.marks.of(r.marks)}
	if r.reads > 1 {
		e.First = c.first(i)
	}
	if len(l.markings) > 0 {
		m := l.markings[seq]
		e.Marked, e.Noted = m.Marked, m.Note
	}
	if r.bits&bitNote != 0 {
		e.Note = c.notes[r.off]
		e.ID = e.Note.ID
		return e
	}
	if c.http != nil {
		e.Exchange, e.Event = int(c.http[i].exchange), c.http[i].event
	}
	body, id := l.store.body(r)
	e.Kept = len(body)
	e.Head = body[:min(headSize, len(body)):min(headSize, len(body))]
	e.ID = string(id)
	return e
}

// Body is what is in memory of the line of a row, without its end: all of it unless Event.Kept
// says otherwise, see Read. It must not be changed and stays valid.
func (l *Log) Body(seq int) client.Body {
	l.mu.RLock()
	defer l.mu.RUnlock()
	r := l.row(seq)
	if r == nil || r.stream == client.Life {
		return nil
	}
	body, _ := l.store.body(r)
	return client.Body{body}
}
