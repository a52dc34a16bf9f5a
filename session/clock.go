package session

import "time"

// Clock is the only "now" of a session: the time since its start, on the monotonic clock.
type Clock interface{ Now() time.Duration }

// wall is the clock of a live session.
type wall struct{ start time.Time }

func (w wall) Now() time.Duration { return time.Since(w.start) }

// Playhead is the clock of an opened recording: it stands where the last event was.
type Playhead struct{ at time.Duration }

// Now is the time of the last event.
func (p *Playhead) Now() time.Duration { return p.at }

// Move sets the playhead; it never goes back.
func (p *Playhead) Move(at time.Duration) { p.at = max(p.at, at) }
