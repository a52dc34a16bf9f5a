// Package clienttest has what tests of the wire, and of everything above it, need: a door that
// collects, a transport in memory with a scripted peer, and readers that chop. It works inside
// testing/synctest.
package clienttest

import (
	"slices"
	"sync"
	"time"

	"example.com/mcpinspect/client"
)

// Row is one frame that passed a Door. Its body and messages stay valid.
type Row struct {
	Run      int
	Stream   client.Stream
	Exchange int
	client.Frame
}

// Text is the line without its end.
func (r Row) Text() string { return string(r.Body.Bytes()) }

// Door is a client.Door that keeps everything. The zero Door is ready; its clock starts with the
// first question.
type Door struct {
	MaxLine int

	mu    sync.Mutex
	start time.Time
	wires map[wireKey]*client.Wire
	rows  []Row
	notes []client.Note
}

type wireKey struct {
	run      int
	stream   client.Stream
	exchange int
}

// Chunk takes bytes in, as client.Door says.
func (d *Door) Chunk(c client.Chunk) (in []client.Incoming) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.wire(c)
	take := func(f *client.Frame) {
		kept := Row{c.Run, c.Stream, c.Exchange, *f}
		kept.Body = client.Body{append([]byte{}, f.Body.Bytes()...)}
		kept.Messages = slices.Clone(f.Messages)
		d.rows = append(d.rows, kept)
		if c.Stream != client.Out {
			return
		}
		if f.Lost != nil {
			in = append(in, client.Incoming{Message: client.Message{Kind: f.Kind}, Body: kept.Body, At: f.At, Seq: int64(len(d.rows) - 1), Lost: f.Lost})
		}
		for _, m := range kept.Messages {
			in = append(in, client.Incoming{Message: m, Body: kept.Body, At: f.At, Seq: int64(len(d.rows) - 1)})
		}
	}
	w.Feed(c.Bytes, c.At, take)
	if c.End {
		w.Close(c.At, take)
	}
	return in
}

func (d *Door) wire(c client.Chunk) *client.Wire {
	key := wireKey{c.Run, c.Stream, c.Exchange}
	if d.wires[key] == nil {
		if d.wires == nil {
			d.wires = map[wireKey]*client.Wire{}
		}
		if c.Exchange > 0 {
			d.wires[key] = client.NewForm(c.Stream, c.Form, d.MaxLine)
		} else {
			d.wires[key] = client.NewWire(c.Stream, d.MaxLine)
		}
	}
	return d.wires[key]
}

// Note keeps a note.
func (d *Door) Note(n client.Note) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, n)
}

// Now is the time since it was first asked.
func (d *Door) Now() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.start.IsZero() {
		d.start = time.Now()
	}
	return time.Since(d.start)
}

// Pending tells of the unfinished line of a stream.
func (d *Door) Pending(run int, s client.Stream) (int64, []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	size, tail := d.wire(client.Chunk{Run: run, Stream: s}).Pending()
	return size, slices.Clone(tail)
}

// Rows are the frames of a stream so far, of all runs.
func (d *Door) Rows(s client.Stream) (out []Row) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.rows {
		if r.Stream == s {
			out = append(out, r)
		}
	}
	return out
}

// Sent are the methods of the requests and notifications that a run was sent, in order; an answer
// counts as "answer".
func (d *Door) Sent(run int) (out []string) {
	for _, r := range d.Rows(client.In) {
		if r.Run != run {
			continue
		}
		for _, m := range r.Messages {
			in := client.Incoming{Message: m, Body: r.Body}
			if m.Kind.IsAnswer() {
				out = append(out, "answer")
			} else {
				out = append(out, in.MethodName())
			}
		}
	}
	return out
}

// Notes are the notes of one kind so far, all without a kind.
func (d *Door) Notes(what string) (out []client.Note) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range d.notes {
		if what == "" || n.What == what {
			out = append(out, n)
		}
	}
	return out
}
