package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// Subscription is what the server was asked to tell of: one subscriptions/listen, or one
// resources/subscribe of a handshake revision.
type Subscription struct {
	ID       string // raw id of the subscriptions/listen that is open; empty for resources/subscribe
	Asked    client.Interest
	Honoured client.Interest // as acknowledged
	Acked    bool            // the server has acknowledged
	Since    time.Duration
	Told     int // notifications that came of it
}

// errUnlistened is a subscription that the person ended.
var errUnlistened = errors.New("no longer wanted")

// listening is one interest of the person. It outlives a run: the next one is asked again.
type listening struct {
	want   client.Interest
	id     string        // of the request that is open; empty for none
	acked  chan struct{} // closed when the server has acknowledged
	cancel context.CancelCauseFunc
}

// Listen asks the server to tell of what changes, and again after every restart, until Unlisten. It
// returns when the server has acknowledged, or refused. Lists and tasks of a handshake server are told of unasked.
func (s *Session) Listen(ctx context.Context, want client.Interest) error {
	conn := s.current()
	if conn == nil {
		return s.offline()
	}
	l := &listening{want: want}
	s.mu.Lock()
	s.listens = append(s.listens, l)
	s.mu.Unlock()
	err := s.listen(ctx, conn, l)
	if err != nil {
		s.forgetListen(l)
	}
	return err
}

func (s *Session) forgetListen(l *listening) {
	s.mu.Lock()
	s.listens = slices.DeleteFunc(s.listens, func(o *listening) bool { return o == l })
	s.mu.Unlock()
}

func (s *Session) listen(ctx context.Context, conn *client.Conn, l *listening) error {
	if conn.Revision().Modern() {
		return s.openListen(ctx, conn, l)
	}
	for _, uri := range l.want.URIs {
		a, err := s.Call(ctx, client.Subscribe(client.MethodSubscribe, uri))
		if err == nil {
			err = a.Err()
		}
		if err != nil {
			return fmt.Errorf("%s of %s: %w", client.MethodSubscribe, uri, err)
		}
	}
	return nil
}

// openListen sends subscriptions/listen, which stays open on a goroutine of its own until it is
// cancelled or the connection ends.
func (s *Session) openListen(ctx context.Context, conn *client.Conn, l *listening) error {
	call, cancel := context.WithCancelCause(context.Background())
	acked, over := make(chan struct{}), make(chan error, 1)
	r := client.Listen(l.want)
	r.Meta = s.opts.Meta
	if len(l.want.Tasks) > 0 {
		r = client.Declaring(r, s.opts.Identity.Capabilities)
	}
	r.Sent = func(id string) {
		s.mu.Lock()
		l.id = id
		s.mu.Unlock()
	}
	s.mu.Lock()
	l.acked, l.cancel = acked, cancel
	s.mu.Unlock()
	s.work.Add(1)
	client.Go("subscription", s.opts.Fault, func() {
		a, err := conn.Call(call, r)
		cancel(nil)
		if err == nil {
			err = a.Err()
		}
		over <- err
		s.mu.Lock()
		id := l.id
		l.id = ""
		s.mu.Unlock()
		gone, web := (*client.ClosedError)(nil), (*client.HTTPError)(nil)
		if ours := errors.As(err, &gone) || errors.As(err, &web) && web.Closed(); !ours && !errors.Is(err, errUnlistened) {
			why := "the server ended it"
			if err != nil && !errors.Is(err, client.ErrListenEnded) {
				why = err.Error()
			}
			s.Note(client.NoteInfo, "the subscription %s (%s) is over: %s", id, l.want, why)
		}
	}, func() { cancel(nil) }, s.work.Done)
	var slow <-chan time.Time
	if d := s.opts.Limits.Idle; d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		slow = timer.C
	}
	select {
	case <-acked:
		return nil
	case err := <-over:
		select {
		case <-acked: // it honours nothing, or had nothing to tell
			return nil
		default:
		}
		if err == nil {
			err = &client.NegotiationError{Text: client.MethodListen + " was answered without an acknowledgement"}
		}
		return err
	case <-slow:
		cancel(errUnlistened)
		return &client.TimeoutError{Method: client.MethodListen, ID: l.id, Limits: s.opts.Limits}
	case <-ctx.Done():
		cancel(errUnlistened)
		return context.Cause(ctx)
	}
}

// Unlisten gives up an interest, the empty one for all of them. A subscription that asks for more is
// opened anew with the rest.
func (s *Session) Unlisten(ctx context.Context, what client.Interest) error {
	conn := s.current()
	if conn == nil {
		return s.offline()
	}
	s.mu.Lock()
	listens := slices.Clone(s.listens)
	s.mu.Unlock()
	var err error
	hit := false
	for _, l := range listens {
		left := l.want.Without(what)
		if what.Empty() {
			left = client.Interest{}
		}
		if left.String() == l.want.String() {
			continue
		}
		hit = true
		s.forgetListen(l)
		s.mu.Lock()
		cancel := l.cancel
		s.mu.Unlock()
		switch {
		case cancel != nil:
			cancel(errUnlistened)
		default:
			for _, uri := range l.want.URIs {
				if !slices.Contains(left.URIs, uri) {
					_, e := s.Call(ctx, client.Subscribe(client.MethodUnsubscribe, uri))
					err = errors.Join(err, e)
				}
			}
		}
		switch {
		case left.Empty():
		case cancel != nil:
			err = errors.Join(err, s.Listen(ctx, left))
		default:
			s.mu.Lock()
			s.listens = append(s.listens, &listening{want: left})
			s.mu.Unlock()
		}
	}
	if !hit {
		return fmt.Errorf("nothing like that is subscribed to")
	}
	return err
}

// listenAgain asks a server that was started again, or whose session was begun anew, for what the person
// wants to be told of.
func (s *Session) listenAgain(ctx context.Context, conn *client.Conn) {
	s.mu.Lock()
	listens := slices.Clone(s.listens)
	busy := s.resuming || s.closed || len(listens) == 0
	s.resuming = s.resuming || !busy
	if !busy {
		s.work.Add(1)
	}
	s.mu.Unlock()
	if busy { // a session that expires again and again is not begun anew for this
		return
	}
	client.Go("subscribing again", s.opts.Fault, func() {
		ctx := context.WithoutCancel(ctx) // it ends with the connection
		for _, l := range listens {
			if err := s.listen(ctx, conn, l); err != nil {
				s.forgetListen(l)
				s.Note(client.NoteWarning, "%s is not subscribed to any more: %v", l.want, err)
			}
		}
	}, s.resumed, s.work.Done)
}

func (s *Session) resumed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resuming = false
}

// told sees every notification of the server, on the reading goroutine.
func (s *Session) told(conn *client.Conn, in client.Incoming) {
	method := in.MethodName()
	switch kinds := client.Changed(method); {
	case method == client.MethodAcknowledged:
		id := string(client.Get(in.Raw(in.Params), "_meta", client.MetaSubscription))
		s.mu.Lock()
		for _, l := range s.listens {
			if l.id != "" && l.id == id && l.acked != nil {
				close(l.acked)
				l.acked = nil
			}
		}
		s.mu.Unlock()
	case method == client.MethodTaskNews, method == client.MethodTaskStatus:
		s.wake(in.Raw(in.Params))
	case kinds != nil && s.opts.Relist:
		if conn.Revision().Modern() && client.Get(in.Raw(in.Params), "_meta", client.MetaSubscription) == nil {
			return // nobody asked for it
		}
		for _, kind := range kinds {
			s.changed(conn, kind)
		}
	}
}

// Tells is what a server offers to tell of without a URI: the lists of its capabilities.
func (v *Server) Tells() client.Interest {
	offers := func(name string) bool {
		return string(client.Get(v.Capabilities, name, "listChanged")) == "true"
	}
	return client.Interest{Tools: offers("tools"), Prompts: offers("prompts"), Resources: offers("resources")}
}
