package session

import (
	"context"
	"errors"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// HTTP reports whether the server is at an address of HTTP.
func (t *Target) HTTP() bool { return t.Remote() && !client.IsSocket(t.Address.URL) }

// Remote reports whether the server is at an address: no process of ours.
func (t *Target) Remote() bool { return t.Address.URL != "" }

// plug makes the transport of a server on a socket.
func (s *Session) plug(ctx context.Context, run int, deliver func(client.Incoming)) (client.Transport, error) {
	t, err := client.Plug(ctx, s.target.Address.URL, run, s.door, deliver, s.opts.Fault)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// reach makes the transport of a server at an address.
func (s *Session) reach(conn *client.Conn, run int, deliver func(client.Incoming)) (client.Transport, error) {
	a := s.target.Address
	if a.Params == nil {
		a.Params = s.headerParams
	}
	a.MaxBody = s.opts.MaxLine // what is longer is not kept as one message, so that nothing can come of reading on
	t, err := client.Reach(a, run, s.door, deliver, conn.Fail, s.opts.Fault)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// callHTTP sends a request and mends what only HTTP can break: a session that the server has
// forgotten is begun anew, and headers that it calls wrong are made anew from a fresh list. Either
// way the request is repeated once, with a new id.
func (s *Session) callHTTP(ctx context.Context, conn *client.Conn, r client.Request) (client.Answer, error) {
	if err := s.unmirrored(conn.Revision(), r); err != nil {
		return client.Answer{}, err
	}
	a, err := conn.Call(ctx, r)
	var refused *client.HTTPError
	switch {
	case errors.As(err, &refused) && refused.Expired:
		s.Note(client.NoteInfo, "session expired, started a new one: %s is repeated", r.Method)
		if err := client.Renew(ctx, conn); err != nil {
			return client.Answer{}, err
		}
		s.listenAgain(ctx, conn)
		return conn.Call(ctx, r)
	case err == nil && a.IsError() && r.Method == client.MethodToolsCall && client.NewRPCError(a.Raw(a.Error)).Code == client.CodeHeaderMismatch:
		s.Note(client.NoteInfo, "the server calls the headers of %s wrong: the tools are listed again and it is repeated once", r.Method)
		s.Reload(client.Tools)
		if _, err := s.All(ctx, client.Tools); err != nil {
			return a, nil // the refusal tells more
		}
		return conn.Call(ctx, r)
	}
	return a, err
}

// exchanged feeds one line of an HTTP exchange to the door.
func (s *Session) exchanged(rec *recordings.Record, note *client.Note) {
	x := rec.HTTP
	e := &client.Exchange{Number: x.Number, Line: x.Line, URL: x.URL, Status: x.Status, Header: x.Header, Failed: x.Err}
	switch rec.K {
	case recordings.KindRequest:
		note.What, note.Text, note.HTTP = client.NoteRequest, x.Line, e
	case recordings.KindReply:
		note.What, note.Text, note.HTTP = client.NoteReply, x.Text, e
		if s.forms == nil {
			s.forms = map[int]client.Form{}
		}
		s.forms[x.Number] = e.Form()
	case recordings.KindOver:
		delete(s.forms, x.Number)
		note.What, note.HTTP = client.NoteDone, e
		note.Text = e.Broken()
	case recordings.KindBody:
		c := client.Chunk{Run: note.Run, Stream: client.Out, Exchange: x.Number, Form: s.forms[x.Number], At: rec.T, Bytes: rec.Data, End: x.End}
		if rec.Ch == recordings.In {
			c.Stream, c.Form = client.In, client.FormWhole
		} else if c.Form == client.FormLines {
			c.Form = client.FormWhole // its head is missing
		}
		s.door.Chunk(c)
		return
	}
	s.door.Note(*note)
}
