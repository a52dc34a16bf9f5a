package session

import (
	"sync/atomic"
	"time"
)

// Clock is the only "now" of a session: the time since its start, on the monotonic clock.
type Clock interface{ Now() time.Duration }

// wall is the clock of a live session.
type wall struct{ start time.Time }

func (w wall) Now() time.Duration { return time.Since(w.start) }

// Playhead is the clock of an opened recording: it stands where the last event was, until Run lets
// it go on from there. Reading it is safe beside whoever moves it.
type Playhead struct {
	at    atomic.Int64
	since atomic.Pointer[time.Time] // when it began to run; nil while it stands
}

// Now is the time of the last event, or what has passed since then.
func (p *Playhead) Now() time.Duration {
	at := time.Duration(p.at.Load())
	if since := p.since.Load(); since != nil {
		at += time.Since(*since)
	}
	return at
}

// Move sets a playhead that stands; it never goes back.
func (p *Playhead) Move(at time.Duration) { p.at.Store(max(p.at.Load(), int64(at))) }

// Run lets the playhead go on from where it is.
func (p *Playhead) Run() {
	now := time.Now()
	p.since.CompareAndSwap(nil, &now)
}
