// Package mock answers a client as a recorded server did.
package mock

import (
	"context"
	"errors"
	"io"
	"sort"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/script"
)

// Options say how closely the recording is followed.
type Options struct {
	Recorded bool    // requests must come in the recorded order; otherwise in any
	Once     bool    // an answer is given as often as it was recorded; otherwise the last is given again
	Speed    float64 // 1 waits as long as the server did, 2 half as long; 0 does not wait
	Stray    bool    // what was no message is written, too
	Stderr   bool    // and what stood on stderr
	Nearest  bool    // a request that was not recorded gets the nearest answer; otherwise an error
	MaxLine  int
}

// server is a mock at work. One goroutine runs it.
type server struct {
	script *script.Script
	o      Options
	out    io.Writer
	err    io.Writer
	say    func(format string, args ...any)

	wire    *client.Wire
	asked   map[string][]*script.Turn // requests and notifications of the script, by kind, method and name
	answers map[*script.Said]*script.Turn
	gives   map[*script.Turn]*script.Turn // what gives a request up
	came    map[*script.Turn]int          // how often each turn was said
	at      map[*script.Turn]time.Time    // and when last
	live    map[*script.Turn]script.Live  // what it was called last
	missing int                           // the first turn that was not said
	ids     map[string]*scene             // live requests by id
	wants   map[string]*script.Said       // requests of the server that were put, by id
	scenes  []*scene
	start   time.Time
	ended   bool // the server is gone
	gone    bool // the client does not read any more
}

// scene is what is still to be written because of one thing that was said.
type scene struct {
	turn  *script.Turn // nil for what comes before anything
	live  script.Live
	began time.Time
	lines []*script.Line
	since map[*script.Turn]int // came, when it began
	ends  bool                 // the server ends behind it
	last  time.Time            // nothing of it is written before that
}

// Serve plays the server's part of a script until the client has gone or the server did. say gets
// one line for every request that was not recorded. It returns how to end: the recorded exit where
// that was reached. An error is one of reading.
func Serve(ctx context.Context, sc *script.Script, o Options, in io.Reader, out, stderr io.Writer, say func(format string, args ...any), report func(*client.Fault)) (client.Exit, error) {
	s := &server{script: sc, o: o, out: out, err: stderr, say: say, wire: client.NewWire(client.In, o.MaxLine),
		asked: map[string][]*script.Turn{}, answers: map[*script.Said]*script.Turn{}, gives: map[*script.Turn]*script.Turn{}, came: map[*script.Turn]int{},
		at: map[*script.Turn]time.Time{}, live: map[*script.Turn]script.Live{}, ids: map[string]*scene{}, wants: map[string]*script.Said{}, start: time.Now()}
	s.learn()
	return s.run(ctx, in, report)
}

// learn sorts the turns of the script.
func (s *server) learn() {
	for _, t := range s.script.Turns {
		switch {
		case t.Answers != nil:
			s.answers[t.Answers] = t
		case t.Cancels != nil:
			s.gives[t.Cancels] = t
		default:
			key := keyOf(t)
			s.asked[key] = append(s.asked[key], t)
		}
	}
	s.scenes = []*scene{{began: s.start, lines: s.script.Before, ends: s.exits(nil), last: s.start}}
}

// exits reports whether the server ended by itself upon a turn.
func (s *server) exits(t *script.Turn) bool {
	x := s.script.Exit
	return x != nil && x.Asked == client.AskedNo && s.script.ExitCause == t
}

func (s *server) run(ctx context.Context, in io.Reader, report func(*client.Fault)) (client.Exit, error) {
	chunks := make(chan []byte)
	stop := make(chan struct{})
	defer close(stop)
	var read error
	client.Go("mocked client", report, func() {
		for {
			buf := make([]byte, client.ReadSize)
			n, err := in.Read(buf)
			if n > 0 {
				select {
				case chunks <- buf[:n]:
				case <-stop:
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					read = err
				}
				return
			}
		}
	}, func() { close(chunks) })
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		due := s.play(time.Now())
		switch {
		case s.gone:
			return s.farewell(), nil
		case s.ended:
			return *s.script.Exit, nil
		case chunks == nil && due < 0:
			return s.farewell(), read
		}
		timer.Reset(max(due, 0))
		if due < 0 {
			timer.Stop()
		}
		select {
		case chunk, more := <-chunks:
			if more {
				s.wire.Feed(chunk, 0, s.frame)
			} else {
				s.wire.Close(0, s.frame)
				chunks = nil
			}
		case <-timer.C:
		case <-ctx.Done():
			return client.Exit{}, context.Cause(ctx)
		}
	}
}

// farewell is how the server ends when its stdin does.
func (s *server) farewell() client.Exit {
	if x := s.script.Exit; x != nil && x.Asked != client.AskedNo && x.Signal == "" {
		return *x
	}
	return client.Exit{}
}

// play writes what is due and returns how long it is until the next is; negative when nothing is.
func (s *server) play(now time.Time) (due time.Duration) {
	for moved := true; moved && !s.gone; {
		moved, due = false, -1
		kept := s.scenes[:0]
		for _, c := range s.scenes {
			wait, wrote := s.advance(c, now)
			moved = moved || wrote
			switch {
			case len(c.lines) == 0 && c.ends && wait == 0:
				s.ended = true
				return -1
			case len(c.lines) > 0 || c.ends:
				kept = append(kept, c)
				if wait >= 0 && (due < 0 || wait < due) {
					due = wait
				}
			}
		}
		s.scenes = kept
	}
	return due
}

// advance writes the lines of a scene that are due. wait is until the next; negative when that
// waits for the client.
func (s *server) advance(c *scene, now time.Time) (wait time.Duration, wrote bool) {
	for len(c.lines) > 0 {
		l := c.lines[0]
		at, ready := s.due(c, l)
		if !ready {
			return -1, wrote
		}
		if at.After(now) {
			return at.Sub(now), wrote
		}
		c.lines, c.last, wrote = c.lines[1:], at, true
		s.write(c, l)
	}
	if c.ends && s.o.Speed > 0 {
		recorded := s.script.ExitAt
		if c.turn != nil {
			recorded -= c.turn.At
		}
		if at := c.began.Add(s.scaled(recorded)); at.After(now) {
			return at.Sub(now), wrote
		}
	}
	return 0, wrote
}

// due is when a line is to be written; ready is false while it waits for the client.
func (s *server) due(c *scene, l *script.Line) (at time.Time, ready bool) {
	from, recorded := c.began, time.Duration(0)
	if c.turn != nil {
		recorded = c.turn.At
	}
	need := func(t *script.Turn, times int) bool {
		if s.came[t] <= times {
			return false
		}
		if t.At > recorded {
			from, recorded = s.at[t], t.At
		}
		return true
	}
	for _, t := range l.After {
		times := 0
		if c.turn != nil && t.Seq > c.turn.Seq {
			times = c.since[t]
		}
		if !need(t, times) {
			return at, false
		}
	}
	if s.o.Recorded && !s.saidBefore(l, need) {
		return at, false
	}
	at = from.Add(s.scaled(l.At - recorded))
	if at.Before(c.last) {
		at = c.last
	}
	return at, true
}

// saidBefore reports whether everything was said that had been when a line was recorded.
func (s *server) saidBefore(l *script.Line, need func(*script.Turn, int) bool) bool {
	turns := s.script.Turns
	for s.missing < len(turns) && (s.came[turns[s.missing]] > 0 || !turns[s.missing].Message.Kind.IsMessage()) {
		s.missing++
	}
	if s.missing < len(turns) && turns[s.missing].Seq < l.Seq {
		return false
	}
	n := sort.Search(len(turns), func(i int) bool { return turns[i].Seq >= l.Seq })
	return n == 0 || !turns[n-1].Message.Kind.IsMessage() || need(turns[n-1], 0)
}

func (s *server) scaled(d time.Duration) time.Duration {
	if s.o.Speed <= 0 || d < 0 {
		return 0
	}
	return time.Duration(float64(d) / s.o.Speed)
}

// write writes one line, without what the options leave out.
func (s *server) write(c *scene, l *script.Line) {
	if l.Stream == client.Err {
		if s.o.Stderr {
			_, _ = s.err.Write(append(append([]byte(nil), l.Text...), l.Term.String()...)) // nobody reads it
		}
		return
	}
	if len(l.Said) == 0 {
		if s.o.Stray {
			s.send(l.Text, l.Term.String())
		}
		return
	}
	lines := []*script.Line{l}
	if !s.o.Stray && l.Flaws.Has(client.FlawGlued|client.FlawMany|client.FlawBOM) {
		lines = l.Split()
	}
	for _, l := range lines {
		text, ok := l.Splice(func(t *script.Turn) (script.Live, bool) {
			if t == c.turn {
				return c.live, true
			}
			x, ok := s.live[t]
			return x, ok
		})
		if !ok {
			continue
		}
		for i := range l.Said {
			if said := &l.Said[i]; said.Kind == client.KindRequest {
				s.wants[said.ID] = said
			}
		}
		s.send(text, l.Term.String())
	}
}

func (s *server) send(text []byte, end string) {
	if s.gone {
		return
	}
	_, err := s.out.Write(append(append(make([]byte, 0, len(text)+len(end)), text...), end...))
	s.gone = err != nil
}
