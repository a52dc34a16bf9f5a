// Package demo is the MCP server that is built into the binary (--demo): something for every pane,
// in both eras, so that a newcomer can look around without a server of their own, and so that tests
// have one at hand. It speaks 2026-07-28 without a handshake and the four revisions before it with
// one, over lines on a pair of streams.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"example.com/mcpinspect/client/demo/rpc"
)

const (
	// maxLine is the longest message that is read: what the common servers accept.
	maxLine = 16 << 20
	// drainTime is how long calls that still run at the end of the input may take to answer: enough
	// for piped input, too short for a client that waits for us to end.
	drainTime = 500 * time.Millisecond
)

// Exit is what Serve returns when the tool crash was called: the process is to end at once with
// this status.
type Exit struct{ Status int }

func (e *Exit) Error() string {
	return fmt.Sprintf("the tool crash ends the server with status %d", e.Status)
}

// server is one client's connection. mu guards what is below it; calls run on goroutines of their own.
type server struct {
	out     *rpc.Writer
	errw    *rpc.Writer
	stop    context.CancelCauseFunc
	ctx     context.Context
	running sync.WaitGroup

	mu       sync.Mutex
	revision string                      // agreed by initialize; "" before it and in 2026-07-28
	client   map[string]json.RawMessage  // params of initialize
	level    string                      // by logging/setLevel
	calls    map[string]*call            // in flight, by the id as written
	asked    map[string]chan rpc.Message // our own requests (handshake revisions), by id
	asks     int                         // numbers them
	watched  map[string]bool             // by resources/subscribe
	listens  map[string]*listen          // by subscriptions/listen
	visits   int                         // of the tool touch
	notes    map[string]string           // of the tool remember
}

// Serve answers what comes from in until its end, then waits a moment for calls that still run.
// Every message goes to out in one write. It returns nil at the end of the input, *Exit when the
// client called the tool crash, and the error of a stream or of ctx otherwise. A reader that blocks
// in in.Read is left behind when Serve ends for another reason than the end of in.
func Serve(ctx context.Context, in io.Reader, out, errw io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		out: rpc.NewWriter(out), errw: rpc.NewWriter(errw), ctx: ctx, stop: stop,
		level: "info",
		calls: map[string]*call{}, asked: map[string]chan rpc.Message{},
		watched: map[string]bool{}, listens: map[string]*listen{}, notes: map[string]string{},
	}
	ended := make(chan error, 1)
	s.start(func() { ended <- s.read(in) })
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case err := <-ended:
		if err == nil {
			err = s.drain()
		}
		return err
	}
}

// start runs fn on a goroutine; a panic in it ends the server with an error, not the process.
func (s *server) start(fn func()) {
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				s.stop(fmt.Errorf("fault in the demo server: %v\n%s", fault, debug.Stack()))
			}
		}()
		fn()
	}()
}

func (s *server) read(in io.Reader) error {
	lines := rpc.NewReader(in, maxLine)
	for {
		line, err := lines.Next()
		switch {
		case err == nil:
			s.receive(line)
		case errors.Is(err, rpc.ErrTooLong):
			s.note("skipped a line of more than %d bytes", maxLine)
			s.send(rpc.Failure(nil, &rpc.Error{Code: rpc.ParseError, Message: "Parse error: the line is too long"}))
		case errors.Is(err, io.EOF):
			return nil
		default:
			return fmt.Errorf("reading messages: %w", err)
		}
	}
}

// drain waits for the calls in flight, but not for long.
func (s *server) drain() error {
	idle := make(chan struct{})
	s.start(func() { s.running.Wait(); close(idle) })
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-s.ctx.Done():
	}
	return context.Cause(s.ctx)
}

// send writes a message that belongs to no call. A broken output ends the server.
func (s *server) send(message rpc.Object) {
	if err := s.out.Send(message); err != nil {
		s.stop(fmt.Errorf("writing a message: %w", err))
	}
}

// note writes a line on stderr, where everything goes that is no message.
func (s *server) note(format string, a ...any) {
	s.errw.Raw(fmt.Appendf(nil, "demo: "+format+"\n", a...))
}

// receive takes one line: a message or, in 2025-03-26, a batch.
func (s *server) receive(line []byte) {
	if s.agreed() == rev2503 {
		if batch := rpc.Elements(line); len(batch) > 0 {
			for _, element := range batch {
				s.take(element)
			}
			return
		}
	}
	s.take(line)
}

func (s *server) take(line []byte) {
	m, fault := rpc.Parse(line)
	switch {
	case fault != nil && m.ID == nil && m.Method != "":
		s.note("ignored a notification: %s", fault.Message)
	case fault != nil:
		s.send(rpc.Failure(m.ID, fault))
	case m.IsResponse():
		s.answered(m)
	case m.IsNotification():
		s.notified(m)
	default:
		s.begin(m)
	}
}

// notified acts on what needs no answer; the unknown is ignored, as it has to be.
func (s *server) notified(m rpc.Message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	id := string(rpc.Members(m.Params)["requestId"])
	s.mu.Lock()
	c := s.calls[id]
	delete(s.listens, id)
	s.mu.Unlock()
	if c != nil {
		c.abandon()
	}
}

// begin answers a request: tool calls on a goroutine of their own, all else at once.
func (s *server) begin(m rpc.Message) {
	c, fault := s.open(m)
	if fault != nil {
		s.send(rpc.Failure(m.ID, fault))
		return
	}
	if m.Method != "tools/call" {
		c.finish(c.handle())
		return
	}
	s.running.Add(1)
	s.start(func() {
		defer s.running.Done()
		defer func() {
			if fault := recover(); fault != nil {
				s.note("fault in a tool: %v", fault)
				c.finish(nil, &rpc.Error{Code: rpc.InternalError, Message: "Internal error"})
			}
		}()
		c.finish(c.handle())
	})
}

func (s *server) agreed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision
}
