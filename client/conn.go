package client

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// IDs hands out request ids that never repeat within a session, whatever the run.
type IDs struct{ last atomic.Int64 }

// Past lets the ids begin behind n, those of an earlier part of the session.
func (g *IDs) Past(n int64) { g.last.Store(max(g.last.Load(), n)) }

func (g *IDs) next() string { return strconv.FormatInt(g.last.Add(1), 10) }

// Identity is what we say of ourselves on every request.
type Identity struct {
	Name, Version string
	Capabilities  []byte   // raw JSON object: only what is really served
	Stateless     []byte   // Capabilities as 2026-07-28 has them, where they differ; nil for the same
	Answer        Answerer // of what the server asks; nil answers nothing

	// GoOn is asked whether a request (its method and id) that asked for input in so many rounds is to be
	// answered on; nil for no. It may wait for a person.
	GoOn func(ctx context.Context, request Question, rounds int) bool

	// Complete is told that the server says what an elicitation at an address was for is done
	// (notifications/elicitation/complete, 2025-11-25); nil for nobody. It must not wait.
	Complete func(elicitation string)
}

func (id Identity) info() []byte {
	b := append([]byte(`{"name":`), Quote(id.Name)...)
	b = append(append(b, `,"version":`...), Quote(id.Version)...)
	return append(b, '}')
}

func (id Identity) capabilities() []byte {
	if len(id.Capabilities) == 0 {
		return []byte("{}")
	}
	return id.Capabilities
}

// stateless is what is offered on every request of 2026-07-28.
func (id Identity) stateless() []byte {
	if len(id.Stateless) == 0 {
		return id.capabilities()
	}
	return id.Stateless
}

// Conn is one run of a server: it gives ids to requests, pairs answers with them, and answers
// what the server asks. It owns one writer goroutine.
type Conn struct {
	door     Door
	run      int
	ids      *IDs
	identity Identity
	tr       Transport
	report   func(*Fault)

	// Asked is offered every request of the server, on the reading goroutine; true means that it is
	// answered elsewhere. It is set before Open, nil for nobody.
	Asked func(Incoming) bool

	// Told is offered every notification of the server, on the reading goroutine, which it must not
	// hold up. It is set before Open, nil for nobody.
	Told func(Incoming)

	mu        sync.Mutex
	revision  Revision // empty until negotiated
	pending   map[string]*pendingCall
	given     map[string]string  // ids given up: what became of them, by id
	questions map[string]*asking // of the server that wait for an answer, by raw id
	asks      int                // how many there were
	strays    strays             // answers that no open request is for
	err       error              // why nothing more can be sent
	unsent    bool               // something was not sent for that
	queue     [][]byte           // lines to write, in order
	busy      bool               // the writer is in Send
	wake      chan struct{}      // capacity 1
	idle      chan struct{}      // capacity 1: the queue ran empty
	stop      chan struct{}
	gone      chan struct{} // closed when every pending call has been failed

	closeOnce sync.Once
	exit      Exit
}

type pendingCall struct {
	id, method string
	sent       time.Duration
	answer     chan Answer   // capacity 1
	failed     chan error    // capacity 1
	progressed chan struct{} // capacity 1
	echoed     chan struct{} // capacity 1: the request itself came back
	progress   func([]byte)
	latest     progress // guarded by the connection's lock
	strays     int      // answers for nobody that had come before
}

// NewConn makes the connection of a run. Open starts its transport; until then it may not be used.
func NewConn(door Door, run int, ids *IDs, identity Identity, report func(*Fault)) *Conn {
	return &Conn{door: door, run: run, ids: ids, identity: identity, report: report,
		pending: map[string]*pendingCall{}, given: map[string]string{}, questions: map[string]*asking{},
		wake: make(chan struct{}, 1), idle: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{})}
}

// Open starts the transport and the goroutines of the connection.
func (c *Conn) Open(start func(deliver func(Incoming)) (Transport, error)) error {
	ready := make(chan struct{})
	tr, err := start(func(in Incoming) {
		<-ready // answers need the transport to be known
		c.dispatch(in)
	})
	if err != nil {
		return err
	}
	c.tr = tr
	close(ready)
	Go("writer", c.report, c.write)
	Go("end watcher", c.report, c.watch, c.over)
	return nil
}

// Run is the number of this run of the server.
func (c *Conn) Run() int { return c.run }

// Identity is what this run was told of us.
func (c *Conn) Identity() Identity { return c.identity }

// Revision is what was negotiated; empty before.
func (c *Conn) Revision() Revision {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revision
}

func (c *Conn) setRevision(r Revision) {
	c.mu.Lock()
	c.revision = r
	c.mu.Unlock()
	if t, ok := c.tr.(interface{ Agreed(Revision) }); ok {
		t.Agreed(r)
	}
}

// Done is closed when the server has ended.
func (c *Conn) Done() <-chan struct{} { return c.tr.Done() }

// Closing is closed when we end it.
func (c *Conn) Closing() <-chan struct{} { return c.stop }

// Gone is closed when no answer can come any more and every open call has been told so.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

func (c *Conn) note(what, id, format string, args ...any) {
	c.door.Note(Note{Run: c.run, At: c.door.Now(), What: what, ID: id, Text: fmt.Sprintf(format, args...)})
}

// watch waits until nothing can answer any more, and finds out why.
func (c *Conn) watch() {
	ended := c.tr.Done()
	if e, ok := c.tr.(interface{ Ended() <-chan struct{} }); ok {
		ended = e.Ended()
	}
	<-ended
	timer := time.NewTimer(2 * drainGrace)
	defer timer.Stop()
	closed := &ClosedError{}
	select {
	case <-c.tr.Done():
		if exit := c.tr.Exit(); exit.Asked != "" {
			closed.Exit = &exit
		} else {
			closed.Err = errClosing
		}
	case <-timer.C:
		closed.Err = errors.New("the server closed its stdout but still runs: no answer can come")
		c.note(NoteClosed, "", "%s", closed.Err)
	}
	c.mu.Lock()
	c.err = closed
	c.mu.Unlock()
}

// over fails the open calls: nothing can answer them, or nobody watches any more whether something can.
func (c *Conn) over() {
	defer close(c.gone)
	c.mu.Lock()
	var closed *ClosedError
	if !errors.As(c.err, &closed) {
		closed = &ClosedError{Err: errUnwatched}
		c.err = closed
	}
	open := c.pending
	c.pending = map[string]*pendingCall{}
	c.mu.Unlock()
	c.withdrawn("", ErrServerGone)
	for _, p := range open {
		p.failed <- &ClosedError{Method: p.method, ID: p.id, Exit: closed.Exit, Err: closed.Err}
	}
}

// errUnwatched is a connection behind a fault of ours.
var errUnwatched = errors.New("a fault of ours ended the connection")

// exchanges reports whether every message is an exchange of its own, which the transport records.
func (c *Conn) exchanges() bool {
	t, ok := c.tr.(interface{ Exchanges() bool })
	return ok && t.Exchanges()
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// Fail ends an open call that can no longer be answered, and with an empty id all of them.
func (c *Conn) Fail(id string, err error) {
	c.mu.Lock()
	var open []*pendingCall
	for _, p := range c.pending {
		if id == "" || p.id == id {
			open = append(open, p)
			delete(c.pending, p.id)
		}
	}
	c.mu.Unlock()
	for _, p := range open {
		c.note(NoteLost, p.id, "%v", err)
		p.failed <- err
		c.orphan(p.id)
	}
}

// Call sends a request and waits for its answer. An error response is an Answer, not an error:
// errors are a *TimeoutError, a *ClosedError, or the context's own when the caller gave up.
// A request that is given up is cancelled by notification (basic/patterns/cancellation).
func (c *Conn) Call(ctx context.Context, r Request) (Answer, error) {
	p, err := c.start(c.Revision(), r)
	if err != nil {
		return Answer{}, err
	}
	return c.wait(ctx, p, r.Limits, true)
}

func (c *Conn) start(rev Revision, r Request) (*pendingCall, error) {
	id := c.ids.next()
	p := &pendingCall{id: id, method: r.Method, answer: make(chan Answer, 1), failed: make(chan error, 1), progressed: make(chan struct{}, 1), echoed: make(chan struct{}, 1), progress: r.Progress}
	if r.Sent != nil {
		r.Sent(id)
	}
	err := c.enqueue(c.Encode(rev, id, r), func() {
		p.sent = c.door.Now()
		p.strays = c.strays.n
		c.pending[id] = p
	})
	var closed *ClosedError
	if errors.As(err, &closed) {
		unsent := &ClosedError{Method: r.Method, ID: id, Exit: closed.Exit, Err: closed.Err, Unsent: true}
		c.mu.Lock()
		told := c.unsent
		c.unsent = true
		c.mu.Unlock()
		if closed.Exit != nil && !told {
			c.note(NoteUnsent, "", "%v", unsent)
		}
		return nil, unsent
	}
	return p, err
}

// wait waits for the answer of p within limits. With cancel, giving up tells the server.
func (c *Conn) wait(ctx context.Context, p *pendingCall, limits Limits, cancel bool) (Answer, error) {
	var idleC, maxC <-chan time.Time
	var idle *time.Timer
	if limits.Idle > 0 {
		idle = time.NewTimer(limits.Idle)
		defer idle.Stop()
		idleC = idle.C
	}
	if limits.Max > 0 {
		t := time.NewTimer(limits.Max)
		defer t.Stop()
		maxC = t.C
	}
	quiet := newQuiet(limits.Quiet)
	defer quiet.stop()
	for {
		select {
		case a := <-p.answer:
			return a, nil
		case err := <-p.failed:
			return Answer{}, err
		case <-p.progressed:
			if idle != nil {
				idle.Reset(limits.Idle)
			}
			quiet.reset()
		case <-quiet.over:
			c.hangs(p, quiet)
		case <-idleC:
			return c.giveUp(p, limits, false, cancel)
		case <-maxC:
			return c.giveUp(p, limits, true, cancel)
		case <-ctx.Done():
			if !c.forget(p, "been cancelled") {
				return c.settled(p)
			}
			if cancel {
				c.cancel(p, "cancelled by the user")
			}
			c.orphan(p.id)
			return Answer{}, context.Cause(ctx)
		}
	}
}

// settled returns what came for p in the moment it was given up.
func (c *Conn) settled(p *pendingCall) (Answer, error) {
	select {
	case a := <-p.answer:
		return a, nil
	case err := <-p.failed:
		return Answer{}, err
	}
}

func (c *Conn) giveUp(p *pendingCall, limits Limits, total, cancel bool) (Answer, error) {
	if !c.forget(p, "timed out") {
		return c.settled(p)
	}
	err := &TimeoutError{Method: p.method, ID: p.id, Limits: limits, Total: total, Waited: c.door.Now() - p.sent, Facts: c.facts(p)}
	c.noteTimeout(p.id, err)
	if cancel {
		c.cancel(p, "timed out")
	}
	c.orphan(p.id)
	return Answer{}, err
}

// forget removes a call from the open ones; false when an answer or failure was faster.
func (c *Conn) forget(p *pendingCall, why string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.id] != p {
		return false
	}
	delete(c.pending, p.id)
	if c.given[p.id] = why; p.method == MethodListen {
		c.given[p.id] = listenOver
	}
	return true
}

// cancel tells the server that a request is no longer wanted. The handshake cannot be cancelled.
func (c *Conn) cancel(p *pendingCall, reason string) {
	if p.method == MethodInitialize {
		return
	}
	c.note(NoteCancel, p.id, "%s (id %s) %s", p.method, p.id, reason)
	if t, ok := c.tr.(interface{ Cancel(id string) bool }); ok && t.Cancel(p.id) {
		c.note(NoteLost, p.id, "%s (id %s): its exchange was closed, which cancels it: no answer can come", p.method, p.id)
		return
	}
	params := append([]byte(`{"requestId":`), p.id...)
	params = append(append(params, `,"reason":`...), Quote(reason)...)
	_ = c.Notify(MethodCancelled, append(params, '}')) // a server that has gone needs no cancel
}

// Close ends the server and returns how it ended. Open calls fail.
func (c *Conn) Close() Exit {
	c.closeOnce.Do(func() {
		c.withdrawn("", ErrServerGone)
		c.flush(flushGrace)
		close(c.stop)
		c.exit = c.tr.Close()
		<-c.gone
	})
	return c.exit
}
