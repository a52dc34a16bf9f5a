package session

import (
	"context"
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

// with adds what the options say of every request of a revision.
func (s *Session) with(rev client.Revision, r client.Request) client.Request {
	if r.Limits == (client.Limits{}) {
		r.Limits = s.opts.Limits
	}
	var standing []client.MetaKey
	if level := s.LogLevel(); level != "" && rev.Modern() {
		standing = append(standing, client.MetaKey{Key: client.MetaLogLevel, Value: client.Quote(level)})
	}
	if rev.Modern() && client.AboutTask(r.Method) { // else the server must refuse it
		standing = append(standing, client.Declaring(client.Request{}, s.opts.Identity.Capabilities).Meta...)
	}
	if standing = append(standing, s.opts.Meta...); len(standing) > 0 {
		r.Meta = append(standing, r.Meta...)
	}
	return r
}

// send sends one request on its way through whatever the target needs, with a span of its own.
func (s *Session) send(ctx context.Context, conn *client.Conn, r client.Request) (client.Answer, error) {
	span := ""
	if s.trace != nil {
		span = s.trace.Span()
		r.Meta = append([]client.MetaKey{{Key: client.MetaTraceparent, Value: client.Quote(span)}}, r.Meta...)
	}
	var a client.Answer
	var err error
	if s.target.HTTP() {
		a, err = s.callHTTP(ctx, conn, r)
	} else {
		a, err = conn.Call(ctx, r)
	}
	if err == nil && span != "" {
		s.traced(conn, r, &a, span)
	}
	return a, err
}

// traced notes whether the traceparent of a request came back. A server need not give it back.
func (s *Session) traced(conn *client.Conn, r client.Request, a *client.Answer, span string) {
	text := "did not come back, which no server has to do"
	if back := client.GetText(a.ResultRaw(), "_meta", client.MetaTraceparent); back == span {
		text = "came back"
	} else if back != "" {
		text = "came back as " + clip(back, maxMethod)
	}
	s.door.Note(client.Note{Run: conn.Run(), At: s.Now(), What: client.NoteInfo, ID: strings.Clone(a.RequestID),
		Text: fmt.Sprintf("traceparent %s of %s (id %s) %s", span, r.Method, a.RequestID, text)})
}

// LogLevel is the level of log messages that is asked for; empty for none.
func (s *Session) LogLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// SetLogLevel asks the server for log messages of a level and above from now on, also after a restart; the
// empty level for none. In 2026-07-28 every request says so; before there is a request for it and no way
// back, so that the empty level is an error there.
func (s *Session) SetLogLevel(ctx context.Context, level string) error {
	if level != "" {
		if err := client.ParseLogLevel(level); err != nil {
			return err
		}
	}
	conn := s.current()
	if conn == nil {
		return s.offline()
	}
	if modern := conn.Revision().Modern(); level == "" && !modern {
		return fmt.Errorf("revision %s has no way to ask for no log messages: choose the level emergency", conn.Revision())
	} else if !modern {
		if err := s.askLevel(ctx, conn, level); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.level = level
	s.mu.Unlock()
	return nil
}

func (s *Session) askLevel(ctx context.Context, conn *client.Conn, level string) error {
	a, err := s.send(ctx, conn, s.with(conn.Revision(), client.SetLevel(level)))
	if err == nil {
		err = a.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", client.MethodSetLevel, err)
	}
	return nil
}

// levelAgain asks a server that was just connected to for the level that the person wants. One that does
// not offer log messages is not asked; that is noted.
func (s *Session) levelAgain(ctx context.Context, conn *client.Conn) {
	level := s.LogLevel()
	if level == "" {
		return
	}
	if v := s.Snapshot().Server; v == nil || client.Get(v.Capabilities, "logging") == nil {
		s.Note(client.NoteWarning, "the server does not offer log messages: it has no capability logging")
		return
	}
	if conn.Revision().Modern() {
		return
	}
	if err := s.askLevel(ctx, conn, level); err != nil {
		s.Note(client.NoteWarning, "no log messages of level %s: %v", level, err)
	}
}
