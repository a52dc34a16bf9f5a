package session

import (
	"time"

	"example.com/mcpinspect/client"
)

// row is an event in 72 bytes and without pointers, so that a million of them cost the garbage
// collector nothing.
type row struct {
	t       time.Duration
	latency time.Duration
	offset  int64
	pair    int64
	seg     int32  // segment
	off     uint32 // of the body in it; of a note in its chunk
	size    uint32
	idAt    uint32 // in what is kept of the body
	marks   uint32
	flaws   client.Flaws
	idLen   uint16
	method  uint16
	run     uint16
	reads   uint16
	count   uint16
	lines   uint16
	stream  client.Stream
	kind    client.Kind
	term    client.Term
	bits    uint8
}

const (
	bitShared = 1 << iota
	bitOpen
	bitNote
	bitCut // only the first bytes of the body are kept, and the id
	bitFailed
	bitCancelled
)

// setMarks adds what observers found at a row.
func (l *Log) setMarks(seq int, marks []Mark) {
	if len(marks) == 0 {
		return
	}
	l.mu.Lock()
	if r := l.row(seq); r != nil {
		r.marks = l.marks.add(r.marks, marks)
		l.touch(seq)
		if r.kind.IsAnswer() && r.pair != NoPair { // what is found in an answer is found in its call
			l.touch(int(r.pair))
		}
	}
	l.mu.Unlock()
}

// during ties a stray row to the request of ours that was open when it came.
func (l *Log) during(seq int, q *openRequest) {
	l.mu.Lock()
	if r := l.row(seq); r != nil {
		r.pair = int64(q.seq)
		if asked := l.row(q.seq); asked != nil {
			r.method = asked.method
		} else {
			r.method = l.methods.intern(q.method)
		}
	}
	l.mu.Unlock()
}

// opened notes whether a request waits for its answer. One that has a row of its own is taken to do.
func (l *Log) opened(seq int, waits bool) {
	l.mu.Lock()
	if r := l.row(seq); r != nil && waits {
		r.bits |= bitOpen
	} else if r != nil && r.kind == client.KindRequest {
		r.bits &^= bitOpen
		l.finish(seq)
	}
	l.mu.Unlock()
}

// cancelled notes that whoever sent a request does not want its answer any more.
func (l *Log) cancelled(seq int) {
	l.mu.Lock()
	if r := l.row(seq); r != nil {
		r.bits |= bitCancelled
		l.touch(seq)
	}
	l.mu.Unlock()
}

// settled notes that a request will get no answer: its run or its exchange has ended.
func (l *Log) settled(seq int) {
	l.mu.Lock()
	if r := l.row(seq); r != nil {
		r.bits &^= bitOpen
		if r.kind == client.KindRequest {
			l.finish(seq)
		}
		l.touch(seq)
	}
	l.mu.Unlock()
}

// paired joins a request, which may have been let go, and its answer. first is false for further
// messages of a batch, whose rows keep the pair of their first message only.
func (l *Log) paired(q *openRequest, answer int, first, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bits := uint8(0)
	if failed {
		bits = bitFailed
	}
	a := l.row(answer)
	if a != nil {
		a.bits |= bits
		if first {
			a.pair, a.latency, a.method = int64(q.seq), a.t-q.sent, l.methods.intern(q.method)
		}
	}
	if r := l.row(q.seq); r != nil && a != nil {
		r.bits = r.bits&^bitOpen | bits
		r.pair, r.latency = int64(answer), a.t-q.sent
		if r.kind == client.KindRequest {
			l.finish(q.seq)
		}
		l.touch(q.seq)
	}
}
