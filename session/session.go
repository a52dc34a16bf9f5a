// Package session is one inspected connection: the log of everything that passed, the state that
// follows from it, and the calls that a person or a script makes. It knows no screen.
package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"example.com/mcpinspect/client"
)

// Target is what is inspected.
type Target struct {
	Command client.Command
	Address client.Address // of a server over HTTP, when it has a URL; then Command is empty
	Label   string         // how a person would name it; the command line when empty

	Recorded bool   // nothing can be started: it is known from a recording
	File     string // the recording that is opened, as a person names it; empty for none
}

// Options say how.
type Options struct {
	Protocol  client.Revision // pinned; empty finds out
	Probe     time.Duration
	Connect   time.Duration
	Limits    client.Limits    // of every request; zero for none
	Meta      []client.MetaKey // overrides of _meta on every request
	Identity  client.Identity
	MaxLine   int
	Observers []Observer
	Recorder  Recorder
	Notebook  *Notebook // takes marks and notes on rows that Recorder does not have; nil for none
	Start     time.Time // what times count from, as in the head of the recording; zero for now
	Memory    *Memory   // what earlier connections found; nil to ask anew
	LogLevel  string    // of the log messages that the server is asked for; empty for none
	Trace     bool      // every request carries a traceparent, and it is noted whether it came back
	// Relist loads a list anew when the server says that it has changed, and notes what has.
	Relist bool
	// Asked is offered every request of the server before it is answered; see client.Conn.
	Asked func(client.Incoming) bool
	// Fault is told of a fault of ours in a goroutine; the session is unusable then.
	Fault func(*client.Fault)
}

// Session owns one target: its runs, its log, its state. Its methods may be called from any
// goroutine.
type Session struct {
	target Target
	opts   Options
	door   *door
	ids    client.IDs
	start  time.Time
	forms  map[int]client.Form // of the exchanges of a recording that is being read

	diverted atomic.Pointer[func(client.Incoming) bool]

	trace *client.Trace // nil for none

	dial func(run int, deliver func(client.Incoming)) (client.Transport, error) // instead of the target; nil outside of tests

	loading *loading // of a recording; nil for a session that is live from the start

	mu       sync.Mutex // guards what follows
	conn     *client.Conn
	run      int
	walks    map[string]*walk
	relists  map[string]*relist // by kind, of the current run
	waits    []*taskWait        // of the tasks that are followed
	listens  []*listening       // what the person wants to be told of
	level    string             // see SetLogLevel
	environ  []string           // see Environ
	closed   bool
	volatile []Volatile     // as the recording says
	liveFrom int            // the first run of a server of ours, behind a recording
	resuming bool           // what is listened to is being asked for again
	life     sync.Mutex     // one connect or restart at a time
	work     sync.WaitGroup // goroutines of the session's own; each ends with its connection
	birth    sync.Mutex     // held while a server is started, so that Close misses none
}

// walk is the page walk of one list in the current run. Its lock keeps pages in order.
type walk struct {
	mu    sync.Mutex
	pages *client.Pages
}

// ErrNotConnected is a call while no server is there to answer it.
var ErrNotConnected = errors.New("no server is connected")

// New makes a session; nothing is started.
func New(t Target, o Options) *Session {
	if o.Fault == nil {
		o.Fault = func(f *client.Fault) { panic(f) }
	}
	start := o.Start
	if start.IsZero() {
		start = time.Now()
	}
	s := &Session{target: t, opts: o, start: start, walks: map[string]*walk{}}
	s.door = newDoor(wall{start}, o.MaxLine, o.Observers, o.Recorder)
	if s.level = o.LogLevel; o.Trace {
		s.trace = client.NewTrace()
	}
	return s
}

// Start is when the session began; times of events count from it.
func (s *Session) Start() time.Time { return s.start }

// Target is what is inspected.
func (s *Session) Target() Target { return s.target }

// Now is the time since the start.
func (s *Session) Now() time.Duration {
	if s.loading != nil && s.loading.done.Load() == nil {
		if p := s.Pace(); p.Bound {
			return p.At
		}
	}
	return s.door.Now()
}

// Log is everything that passed.
func (s *Session) Log() *Log { return s.door.log }

// Snapshot is the state now.
func (s *Session) Snapshot() *Snapshot { return s.door.snapshot() }

// Glance is Snapshot for whoever must not wait: while a chunk is taken in it is the state before
// that, and not fresh. Then it is worth another look soon: Changed may have told of that chunk already.
func (s *Session) Glance() (snap *Snapshot, fresh bool) { return s.door.glance() }

// Settled is how many rows have been through every observer: those below it have all their marks.
func (s *Session) Settled() int { return s.door.settled() }

// Changed has a value whenever something changed since it was last received from.
func (s *Session) Changed() <-chan struct{} { return s.door.changed }

// Note puts a remark of ours into the log.
func (s *Session) Note(what, format string, args ...any) {
	s.mu.Lock()
	run := s.run
	s.mu.Unlock()
	s.door.Note(client.Note{Run: run, At: s.door.Now(), What: what, Text: fmt.Sprintf(format, args...)})
}

func (s *Session) runNumber() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run
}

// spawn starts the server as the next run; ctx is about the start alone.
func (s *Session) spawn(ctx context.Context) (*client.Conn, error) {
	s.birth.Lock()
	defer s.birth.Unlock()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, ErrNotConnected
	}
	s.run++
	run := s.run
	s.mu.Unlock()
	conn := client.NewConn(s.door, run, &s.ids, s.identity(), s.opts.Fault)
	conn.Asked = s.asked
	conn.Told = func(in client.Incoming) { s.told(conn, in) }
	err := conn.Open(func(deliver func(client.Incoming)) (client.Transport, error) {
		if s.dial != nil {
			return s.dial(run, deliver)
		}
		if s.target.HTTP() {
			return s.reach(conn, run, deliver)
		}
		if s.target.Remote() {
			return s.plug(ctx, run, deliver)
		}
		t, err := client.Spawn(s.command(), run, s.door, deliver, s.opts.Fault)
		if err != nil {
			return nil, err
		}
		return t, nil
	})
	if err != nil {
		s.door.Note(client.Note{Run: run, At: s.door.Now(), What: client.NoteWarning, Text: err.Error()})
		return nil, err
	}
	s.mu.Lock()
	s.conn = conn
	s.walks, s.relists = map[string]*walk{}, map[string]*relist{}
	for _, l := range s.listens {
		l.id, l.acked, l.cancel = "", nil, nil
	}
	s.mu.Unlock()
	return conn, nil
}

// Connect starts the server and agrees on a revision. On an error the server may still run:
// Close ends it.
func (s *Session) Connect(ctx context.Context) error {
	s.life.Lock()
	defer s.life.Unlock()
	return s.connect(ctx)
}

func (s *Session) connect(ctx context.Context) error {
	if err := s.goLive(); err != nil {
		return err
	}
	o := client.DialOptions{Protocol: s.opts.Protocol, Probe: s.opts.Probe, Connect: s.opts.Connect}
	if s.opts.Memory != nil && o.Protocol == "" && !s.target.Remote() {
		o.Remembered = s.opts.Memory.Recall(s.target.Command)
	}
	conn, got, err := client.Dial(ctx, s.spawn, o)
	if s.opts.Memory != nil && !s.target.Remote() {
		switch {
		case err == nil && got.Costly && !got.Revision.Modern():
			s.opts.Memory.Keep(s.target.Command, got.Revision)
		case got.Healed:
			s.opts.Memory.Forget(s.target.Command)
		}
	}
	if err != nil {
		s.Note(client.NoteFailed, "%s", client.Told(err))
		return err
	}
	s.levelAgain(ctx, conn)
	s.listenAgain(ctx, conn)
	return nil
}

// Offer changes what we offer to serve, as client.Identity has it, from the next start of the server on.
func (s *Session) Offer(capabilities, stateless []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Identity.Capabilities, s.opts.Identity.Stateless = capabilities, stateless
}

func (s *Session) identity() client.Identity {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opts.Identity
}

// Restart ends the server and starts it again into the same log, as the next run.
func (s *Session) Restart(ctx context.Context) error {
	s.life.Lock()
	defer s.life.Unlock()
	if conn := s.current(); conn != nil {
		conn.Close()
	}
	return s.connect(ctx)
}

// Pin sets the revision that the next Connect or Restart asks for; empty finds out again.
func (s *Session) Pin(rev client.Revision) {
	s.life.Lock()
	defer s.life.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Protocol = rev
}

// Pinned is the revision that is asked for, or was in a recording; empty finds out.
func (s *Session) Pinned() client.Revision {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opts.Protocol
}

func (s *Session) current() *client.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// offline is why there is no connection.
func (s *Session) offline() error {
	if s.target.Recorded {
		return ErrRecorded
	}
	return ErrNotConnected
}

// Revision is what was agreed on in this run; empty before.
func (s *Session) Revision() client.Revision {
	if c := s.current(); c != nil {
		return c.Revision()
	}
	return ""
}

// Call sends a request and waits for the answer; see client.Conn.Call for the errors. What a result
// asks for is answered by Identity.Answer, and the request repeated, until it is complete.
func (s *Session) Call(ctx context.Context, r client.Request) (client.Answer, error) {
	conn := s.current()
	if conn == nil {
		return client.Answer{}, s.offline()
	}
	return s.rounds(ctx, conn, s.with(conn.Revision(), r), func(r client.Request) (client.Answer, error) { return s.send(ctx, conn, r) })
}

// asked offers a request of the server to whoever answers it elsewhere.
func (s *Session) asked(in client.Incoming) bool {
	if f := s.diverted.Load(); f != nil {
		return (*f)(in)
	}
	return s.opts.Asked != nil && s.opts.Asked(in)
}

// Divert offers the requests of the server to f instead of Options.Asked; nil ends that.
func (s *Session) Divert(f func(client.Incoming) bool) {
	if f == nil {
		s.diverted.Store(nil)
		return
	}
	s.diverted.Store(&f)
}

// LiveFrom is the first run of a session that is not of its recording: 1 where there is none.
func (s *Session) LiveFrom() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.liveFrom, 1)
}

// Notify sends a notification with params as they are.
func (s *Session) Notify(method string, params []byte) error {
	conn := s.current()
	if conn == nil {
		return s.offline()
	}
	return conn.Notify(method, params)
}

// SendRaw writes bytes as they are.
func (s *Session) SendRaw(b []byte) error {
	conn := s.current()
	if conn == nil {
		return s.offline()
	}
	return conn.SendRaw(b)
}

// Encode is the line a request would be, without sending it; the id shown is a placeholder.
func (s *Session) Encode(rev client.Revision, r client.Request) []byte {
	c := client.NewConn(s.door, 0, &client.IDs{}, s.identity(), s.opts.Fault)
	r = s.with(rev, r)
	if s.trace != nil {
		r.Meta = append([]client.MetaKey{{Key: client.MetaTraceparent, Value: client.Quote(s.trace.Span())}}, r.Meta...)
	}
	return c.Encode(rev, "1", r)
}

// More fetches the next page of a list. more is false when there is none left to fetch.
func (s *Session) More(ctx context.Context, kind client.ListKind) (more bool, err error) {
	s.mu.Lock()
	conn, w := s.conn, s.walks[kind.Name]
	if w == nil {
		w = &walk{pages: client.NewPages(kind)}
		s.walks[kind.Name] = w
	}
	s.mu.Unlock()
	if conn == nil {
		return false, s.offline()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pages.Done() {
		return false, nil
	}
	w.pages.Call = func(ctx context.Context, r client.Request) (client.Answer, error) { return s.send(ctx, conn, r) }
	if _, err = w.pages.Next(ctx, conn, s.with(conn.Revision(), client.Request{})); err != nil {
		return false, err
	}
	s.warnHeaders(conn, kind)
	return !w.pages.Done(), nil
}

// Reload forgets how far a list was walked, so that More begins at its first page.
func (s *Session) Reload(kind client.ListKind) {
	s.mu.Lock()
	delete(s.walks, kind.Name)
	s.mu.Unlock()
}

// All walks a list to its end and returns why it stopped early, if it did.
func (s *Session) All(ctx context.Context, kind client.ListKind) (client.Stop, error) {
	for {
		more, err := s.More(ctx, kind)
		if err != nil {
			return client.StopError, err
		}
		if !more {
			break
		}
	}
	s.mu.Lock()
	w := s.walks[kind.Name]
	s.mu.Unlock()
	if w == nil { // reloaded or restarted meanwhile
		return client.StopNone, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pages.Stopped, nil
}

// Done is closed when the server of the current run has ended; nil while none was started.
func (s *Session) Done() <-chan struct{} {
	if c := s.current(); c != nil {
		return c.Done()
	}
	return nil
}

// Close ends the server, if one runs, and returns once all its output is in the log. It says how
// the last run ended; false when no process was started.
func (s *Session) Close() (client.Exit, bool) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.birth.Lock()
	conn := s.current()
	s.birth.Unlock()
	if conn == nil {
		return client.Exit{}, false
	}
	exit := conn.Close()
	s.work.Wait()
	return exit, !s.target.Remote()
}
