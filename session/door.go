package session

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/mcpinspect/client"
)

// Recorder keeps a session as a file (package recordings). It is called under the door, once a
// chunk, with borrowed bytes.
type Recorder interface {
	Chunk(c client.Chunk)
	Note(n client.Note)
	// Err is a failure to record that was not told yet; recording may go on behind it.
	Err() error
	// Lost is how many bytes could not be recorded, and whether that goes on.
	Lost() (n int64, failing bool)
	// ReadBack reads a body back. masked is how many of its bytes are stars in place of secrets.
	// Other goroutines call it, while recording goes on.
	ReadBack(b Bytes) (data []byte, masked int, err error)
}

// door is the one way in: the order in which chunks pass its lock is the order of the log and of
// the recording.
type door struct {
	mu          sync.Mutex
	clock       Clock
	maxLine     int
	wires       map[wireKey]*wire
	log         *Log
	pairs       *pairs
	state       *state
	observers   []Observer
	recorder    Recorder
	recordsFrom int // the first run that the recorder has
	remarks     remarks
	exchanges   exchanges
	lossy       bool // the recorder has told of a failure
	taking      bool // something is being taken in
	broken      bool // by a fault of ours: from then on it only records
	letGo       bool // it was told that the log lacks its first rows
	partial     bool // the requests of ours may be missing: an answer to none is no fault
	version     uint64
	changed     chan struct{}
	cur         *wire // of the chunk being taken in
	key         wireKey
	event       Event        // of the frame being taken in; reused
	marks       []Mark       // of the frame being taken in; reused
	done        atomic.Int64 // rows that are done with
	wanted      atomic.Bool  // a glance came while a chunk was taken in
	latest      atomic.Pointer[Snapshot]
}

type wireKey struct {
	run      int
	stream   client.Stream
	exchange int // of HTTP
}

// wire is one stream of one run, with the messages that its latest chunk completed.
type wire struct {
	*client.Wire
	out []client.Incoming
}

func newDoor(clock Clock, maxLine int, observers []Observer, recorder Recorder) *door {
	d := &door{clock: clock, maxLine: maxLine, wires: map[wireKey]*wire{}, log: newLog(), pairs: newPairs(), state: newState(),
		observers: observers, recorder: recorder, changed: make(chan struct{}, 1)}
	if recorder != nil {
		d.log.back = recorder
	}
	return d
}

// Now is the time since the start of the session.
func (d *door) Now() time.Duration { return d.clock.Now() }

// Pending tells of the unfinished line of a stream.
func (d *door) Pending(run int, s client.Stream) (int64, []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pending(run, s)
}

func (d *door) pending(run int, s client.Stream) (int64, []byte) {
	w := d.wires[wireKey{run, s, 0}]
	if w == nil {
		return 0, nil
	}
	return w.Pending()
}

// Chunk takes in what one read brought or one write was given.
func (d *door) Chunk(c client.Chunk) []client.Incoming {
	d.mu.Lock()
	defer d.leave(c)
	if d.broken {
		return nil
	}
	d.taking = true
	d.key = wireKey{c.Run, c.Stream, c.Exchange}
	w := d.wires[d.key]
	if w == nil {
		if c.Exchange > 0 {
			w = &wire{Wire: client.NewForm(c.Stream, c.Form, d.maxLine)}
		} else {
			w = &wire{Wire: client.NewWire(c.Stream, d.maxLine)}
		}
		d.wires[d.key] = w
	}
	d.cur, w.out = w, w.out[:0]
	if c.Stream == client.Out {
		d.state.out[c.Run] += int64(len(c.Bytes))
	}
	if len(c.Bytes) > 0 {
		w.Feed(c.Bytes, c.At, d.frame)
	}
	if c.End {
		w.Close(c.At, d.frame)
		if c.Exchange > 0 {
			delete(d.wires, d.key) // it never comes back
		}
	}
	d.taking = false
	return w.out
}

// leave records a chunk and lets the next one in, also behind a fault of ours in what came before: the
// recording has every byte, and what ends the session then does not wait for ever.
func (d *door) leave(c client.Chunk) {
	defer d.mu.Unlock()
	d.broken = d.broken || d.taking
	if d.recorder != nil {
		d.recorder.Chunk(c)
	}
	if d.broken {
		return
	}
	if d.recorder != nil {
		d.recorded(c.Run, c.At)
	}
	d.gone(c.Run, c.At)
	d.wake()
}

// goOn gives everything from now on to a recorder, nil for none; from is the run that begins.
func (d *door) goOn(r Recorder, from int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r == nil {
		return
	}
	d.recorder, d.recordsFrom = r, from
	d.log.readBack(joined{d.log.back, from, r})
}

// frame takes one settled line through log, pairs, state and observers.
func (d *door) frame(f *client.Frame) {
	seq, method, body := d.log.frame(d.key.run, d.key.stream, f)
	f.Body = body // in one piece, where the framer had many, which are gone: nobody behind this has to join them
	e := &d.event
	*e = Event{Seq: seq, T: f.At, Run: d.key.run, Stream: d.key.stream, Kind: f.Kind, Flaws: f.Flaws, Size: body.Len(), Kept: body.Len(), Offset: f.Offset,
		Reads: f.Reads, First: f.First, Shared: f.Shared, Term: f.Term, Lines: f.Lines, Count: len(f.Messages), Method: method, Pair: NoPair, Latency: -1}
	if d.key.exchange > 0 {
		e.Exchange, e.Event = d.key.exchange, f.Event
		d.log.exchange(seq, e.Exchange, f.Event)
	}
	d.state.frame(e, body)
	switch {
	case f.Lost != nil:
		d.lost(e, f.Lost)
		if d.key.stream == client.Out {
			d.cur.out = append(d.cur.out, client.Incoming{Message: client.Message{Kind: f.Kind}, Body: body, At: f.At, Seq: int64(seq), Lost: f.Lost})
		}
	case e.Stray():
		if q := d.pairs.latest(e.Run); q != nil {
			e.Pair, e.Method = q.seq, q.method
			d.log.during(seq, q)
		}
	}
	d.marks = d.marks[:0]
	for i := range f.Messages {
		in := client.Incoming{Message: f.Messages[i], Body: body, At: f.At, Seq: int64(seq)}
		d.marks = append(d.marks, d.message(e, &in, i == 0)...)
		if d.key.stream == client.Out {
			d.cur.out = append(d.cur.out, in)
		}
	}
	for _, o := range d.observers {
		d.marks = append(d.marks, o.Frame(e, f)...)
	}
	d.state.marks(seq, d.marks)
	d.log.setMarks(seq, thin(d.marks))
}

// message pairs one message and lets the state see it.
func (d *door) message(e *Event, in *client.Incoming, first bool) (marks []Mark) {
	switch in.Kind {
	case client.KindRequest:
		id := in.RawID()
		q := &openRequest{key: keyOf(d.key.run, id), stream: d.key.stream, exchange: d.key.exchange, id: strings.Clone(clip(id, maxKeptID)), seq: e.Seq, sent: e.T, method: in.MethodName()}
		if first {
			e.ID, e.Method = q.id, q.method
		}
		if len(q.method) > maxMethod {
			q.method = strings.Clone(clip(q.method, maxMethod))
		}
		params := in.Raw(in.Params)
		if d.key.stream == client.In {
			q.name, q.cursor = nameIn(q.method, params), bytes.Clone(client.Get(params, "cursor"))
		}
		if waits := d.pairs.request(q); !waits || e.Kind != client.KindRequest {
			d.log.opened(e.Seq, waits)
		}
		if d.key.stream == client.In {
			d.state.request(q, params)
		}
	case client.KindNotification:
		method := e.Method // the log has decoded it, unless it is very long
		if !first || method == "" {
			method = in.MethodName()
		}
		if first {
			e.Method = method
		}
		if d.key.stream == client.Out {
			d.state.notification(method, in)
		}
		if method == client.MethodCancelled {
			id := string(client.Get(in.Raw(in.Params), "requestId"))
			if q := d.pairs.side(d.key.run, d.key.stream).open[keyOf(d.key.run, id).id]; q != nil {
				d.log.cancelled(q.seq)
				if d.key.stream == client.In {
					d.state.cancelled(q.id, e.T)
				}
			}
		}
	case client.KindResponse, client.KindError:
		id := in.RawID()
		q, how := d.pairs.answer(d.key, &in.Message, id, d.exchanges.shared(d.key))
		if first {
			e.ID = id
		}
		if q == nil {
			if d.partial {
				return nil
			}
			return d.unmatched(d.key.stream, in.Kind, id, how)
		}
		if first {
			e.Pair, e.Latency, e.Method = q.seq, e.T-q.sent, q.method
		}
		failed := false
		if d.key.stream == client.Out {
			failed = d.state.answer(q, in, e)
		}
		e.Failed = e.Failed || failed
		d.log.paired(q, e.Seq, first, failed)
		return d.oddMatch(how, id, q)
	}
	return nil
}

// lost ends the request whose answer cannot be read: its row is the answer all the same.
func (d *door) lost(e *Event, l *client.Lost) {
	q := d.pairs.lost(d.key, l, d.exchanges.shared(d.key))
	if q == nil {
		return
	}
	e.Pair, e.Latency, e.Method, e.ID = q.seq, e.T-q.sent, q.method, q.id
	if d.key.stream == client.Out {
		d.state.lost(q, l, e)
	}
	d.log.paired(q, e.Seq, true, false)
}

// Note takes in a decision, a start or an exit.
func (d *door) Note(n client.Note) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.unbroken(n)
	if d.broken {
		return
	}
	d.taking = true
	d.note(n)
	d.taking = false
}

// unbroken records a note behind a fault of ours.
func (d *door) unbroken(n client.Note) {
	if d.broken = d.broken || d.taking; d.broken && d.recorder != nil {
		d.recorder.Note(n)
	}
}

func (d *door) note(n client.Note) {
	e := Event{Seq: d.log.Len(), T: n.At, Run: n.Run, Stream: client.Life, Pair: NoPair, Latency: -1, Note: &n, ID: n.ID}
	d.exchanges.note(&n)
	var marks []Mark
	for _, o := range d.observers {
		marks = append(marks, o.Note(&e, &n)...)
	}
	if n.What == client.NoteDone && n.Text == "" {
		if marks == nil { // nothing to see
			if d.recorder != nil {
				d.recorder.Note(n)
				d.recorded(n.Run, n.At)
			}
			return
		}
		n.Text = "the exchange is over"
	}
	half, tail := int64(0), []byte(nil)
	if n.What == client.NoteExit {
		half, tail = d.pending(n.Run, client.Out)
	}
	seq := d.log.note(&n)
	d.state.note(&n, half, tail)
	if n.What == client.NoteCancel { // over HTTP nothing else says so
		if q := d.pairs.side(n.Run, client.In).open[keyOf(n.Run, n.ID).id]; q != nil {
			d.log.cancelled(q.seq)
		}
	}
	if n.What == client.NoteLost {
		if q := d.pairs.lost(wireKey{run: n.Run, stream: client.Out}, &client.Lost{ID: n.ID}, true); q != nil {
			d.log.settled(q.seq)
		}
	}
	if n.What == client.NoteExit || n.What == client.NoteClosed {
		for _, q := range d.pairs.end(n.Run) {
			d.log.settled(q.seq)
		}
	}
	d.log.setMarks(seq, marks)
	d.state.marks(seq, marks)
	if d.recorder != nil {
		d.recorder.Note(n)
		d.recorded(n.Run, n.At)
	}
	d.gone(n.Run, n.At)
	d.wake()
}

// settled is the number of rows that are done with: none of a chunk that is being taken in.
func (d *door) settled() int { return int(d.done.Load()) }

// recorded tells in the log that the recording has a gap: it cannot tell so itself.
func (d *door) recorded(run int, at time.Duration) {
	err := d.recorder.Err()
	if err != nil {
		d.lossy = true
		d.remark(run, at, client.NoteWarning, err.Error())
	}
	if d.lossy {
		d.state.snap.Unrecorded, d.state.snap.Losing = d.recorder.Lost()
	}
}

// gone tells once that the log does not have its first rows any more.
func (d *door) gone(run int, at time.Duration) {
	if d.log.first == 0 || d.letGo { // the door alone writes it
		return
	}
	d.letGo = true
	where := "and nothing is recorded"
	if d.log.back != nil {
		where = "and are in the recording only"
	}
	d.remark(run, at, client.NoteInfo, fmt.Sprintf("this session is very large: its oldest rows are no longer in memory, %s", where))
}

// remark is a note that no recording has.
func (d *door) remark(run int, at time.Duration, what, text string) {
	n := client.Note{Run: run, At: at, What: what, Text: text}
	d.log.note(&n)
	d.state.note(&n, 0, nil)
}
