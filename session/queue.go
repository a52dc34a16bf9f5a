package session

import (
	"fmt"
	"sync"
	"time"

	"example.com/mcpinspect/client"
)

// maxQueued is how many bytes may wait for a capture that lags behind, as when the disk hangs:
// minutes of an ordinary session, and no danger to the machine.
const maxQueued = 64 << 20

// queueBreath is far shorter than anybody looks at what was captured.
const queueBreath = 2 * time.Millisecond

// queue is a client.Door that takes a copy and returns: whoever hands it a chunk waits for no
// disk. The order in which it is called is the order of the session. What does not fit is dropped,
// and a note says so at its place.
type queue struct {
	door  *door
	limit int
	done  chan struct{} // drain has returned

	mu     sync.Mutex
	items  []queued
	size   int // bytes of items
	lost   [3]int
	wake   chan struct{} // capacity 1
	closed bool
	broken bool // a fault of ours: nothing is taken in any more
	whole  bool // all of it was taken in
}

// queued is a chunk, or a note.
type queued struct {
	chunk client.Chunk
	note  *client.Note
}

func newQueue(d *door, limit int) *queue {
	return &queue{door: d, limit: limit, done: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// Now is the time since the start of the session.
func (q *queue) Now() time.Duration { return q.door.Now() }

// Pending is not asked: no call of ours waits.
func (q *queue) Pending(int, client.Stream) (int64, []byte) { return 0, nil }

// Chunk queues a copy. Nothing is handed back for dispatch.
func (q *queue) Chunk(c client.Chunk) []client.Incoming {
	c.Bytes = append([]byte(nil), c.Bytes...)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.broken || q.closed {
		return nil
	}
	if q.size+len(c.Bytes) > q.limit {
		q.lost[c.Stream] += len(c.Bytes)
		if c.Bytes = nil; !c.End {
			return nil
		}
	}
	q.gap(c.Run, c.Stream, c.At)
	q.size += len(c.Bytes)
	q.push(queued{chunk: c})
	return nil
}

// gap tells of what was lost of a stream, once there is room again.
func (q *queue) gap(run int, s client.Stream, at time.Duration) {
	n := q.lost[s]
	if n == 0 {
		return
	}
	q.lost[s] = 0
	q.push(queued{note: &client.Note{Run: run, At: at, What: client.NoteDrop,
		Text: fmt.Sprintf("%d bytes of std%s were passed on and not kept: the capture could not follow", n, s),
		Data: fmt.Appendf(nil, `{"ch":"%s","n":%d}`, s, n)}})
}

// Note queues a note.
func (q *queue) Note(n client.Note) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.broken || q.closed {
		return
	}
	for s := range q.lost {
		q.gap(n.Run, client.Stream(s), n.At)
	}
	q.push(queued{note: &n})
}

func (q *queue) push(x queued) {
	q.items = append(q.items, x)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// drain gives the door what is queued until close; after is called when it has caught up. Who starts
// it closes done behind it.
func (q *queue) drain(after func()) {
	for {
		q.mu.Lock()
		items, closed := q.items, q.closed
		q.items = nil
		q.mu.Unlock()
		for i := range items {
			if n := items[i].note; n != nil {
				q.door.Note(*n)
				continue
			}
			q.door.Chunk(items[i].chunk)
			q.mu.Lock()
			q.size -= len(items[i].chunk.Bytes)
			q.mu.Unlock()
			items[i] = queued{}
		}
		switch {
		case len(items) > 0:
			after()
		case closed:
			q.mu.Lock()
			q.whole = true
			q.mu.Unlock()
			return
		default:
			<-q.wake
			q.breathe()
		}
	}
}

// breathe lets messages that follow each other closely be taken in together: waking up for each
// would delay those behind it on a busy machine.
func (q *queue) breathe() {
	q.mu.Lock()
	closed := q.closed
	q.mu.Unlock()
	if !closed {
		time.Sleep(queueBreath)
	}
}

// close lets drain return when it has caught up.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// fail drops everything from now on.
func (q *queue) fail() {
	q.mu.Lock()
	q.broken, q.items = true, nil
	q.mu.Unlock()
}

// complete reports whether the door has got everything but what a note tells of.
func (q *queue) complete() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.whole
}
