package session

import (
	"context"
	"math"
	"sync"
	"time"
)

// pace lets the lines of a recording come when their time has come. The zero value lets them all
// come at once.
type pace struct {
	mu     sync.Mutex
	bound  bool          // only what is not later than until comes
	until  time.Duration // as the clock of the recording has it
	speed  float64       // of the clock; 0 stands
	since  time.Time     // from when on until grows
	next   time.Duration // of the line that waits; negative for none
	change chan struct{} // closed and made anew when something of this changed
}

// Pace is how a recording is played.
type Pace struct {
	At     time.Duration // what is later has not come yet
	Speed  float64       // 1 as it was, 0 stands
	Bound  bool          // false: everything comes as fast as it is read
	Waits  bool          // a line waits for its time
	Behind time.Duration // how long until then, as the recording has it
}

// now is the time up to which lines come; the caller holds mu.
func (p *pace) now() time.Duration {
	if !p.bound {
		return math.MaxInt64
	}
	at := p.until
	if p.speed > 0 {
		at += time.Duration(float64(time.Since(p.since)) * p.speed)
	}
	return at
}

// set changes the pace from what it is now on.
func (p *pace) set(edit func(now time.Duration)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	edit(p.now())
	p.since = time.Now()
	if p.change != nil {
		close(p.change)
		p.change = nil
	}
}

// caughtUp ends playing where everything has come that has arrived so far: what comes from then on is
// shown as it comes. A clock that stands goes on standing.
func (p *pace) caughtUp() {
	p.set(func(time.Duration) {
		if p.speed > 0 {
			p.bound, p.speed = false, 0
		}
	})
}

// wait returns when a line of the given time may come, or ctx ends; told is called when it has to wait.
func (p *pace) wait(ctx context.Context, at time.Duration, told func()) {
	for first := true; ; first = false {
		p.mu.Lock()
		left := at - p.now()
		if left <= 0 {
			p.next = -1
			p.mu.Unlock()
			return
		}
		if p.change == nil {
			p.change = make(chan struct{})
		}
		p.next = at
		change, speed := p.change, p.speed
		p.mu.Unlock()
		if first {
			told()
		}
		var due <-chan time.Time
		var timer *time.Timer
		if speed > 0 {
			timer = time.NewTimer(time.Duration(min(float64(left)/speed, float64(math.MaxInt64/2))) + time.Millisecond)
			due = timer.C
		}
		select {
		case <-due:
		case <-change:
		case <-ctx.Done():
		}
		if timer != nil {
			timer.Stop()
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// Play lets the recording go on at a speed: 1 as it was, 2 twice as fast.
func (s *Session) Play(speed float64) {
	if s.loading != nil {
		s.loading.pace.set(func(now time.Duration) {
			s.loading.pace.until, s.loading.pace.speed = now, speed
		})
	}
}

// Stand stops the clock of the recording; lines that are not later than at come, now or when they
// are read.
func (s *Session) Stand(at time.Duration) {
	if s.loading != nil {
		s.loading.pace.set(func(time.Duration) {
			s.loading.pace.bound, s.loading.pace.until, s.loading.pace.speed = true, at, 0
		})
	}
}

// Follow lets everything come as it is read.
func (s *Session) Follow() {
	if s.loading != nil {
		s.loading.pace.set(func(time.Duration) { s.loading.pace.bound, s.loading.pace.speed = false, 0 })
	}
}

// Step stops the clock at the next line, which comes. It reports false when none waits.
func (s *Session) Step() bool {
	if s.loading == nil {
		return false
	}
	p := &s.loading.pace
	p.mu.Lock()
	next := p.next
	bound := p.bound
	p.mu.Unlock()
	if !bound || next < 0 {
		return false
	}
	s.Stand(next)
	return true
}

// Pace is how the recording is played now.
func (s *Session) Pace() (out Pace) {
	if s.loading == nil {
		return out
	}
	p := &s.loading.pace
	p.mu.Lock()
	defer p.mu.Unlock()
	out = Pace{Speed: p.speed, Bound: p.bound, Waits: p.bound && p.next >= 0}
	if p.bound {
		out.At = p.now()
	}
	if out.Waits {
		out.Behind = max(p.next-out.At, 0)
	}
	return out
}

// Adopt takes over what a person has put on the rows of another session of the same recording.
func (s *Session) Adopt(from *Session) {
	all := from.Log().Markings()
	l := s.door.log
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range all {
		if l.markings == nil {
			l.markings = map[int]Marking{}
		}
		l.markings[m.Seq] = m
	}
}
