package script

import (
	"bytes"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

const (
	methodListen     = "subscriptions/listen"
	metaSubscription = client.MetaPrefix + "subscriptionId"
	acknowledged     = "notifications/subscriptions/acknowledged"
)

// builder reads the rows of a run in order.
type builder struct {
	sess   *session.Session
	masks  Masks
	script *Script
	open   map[string]*Turn // unanswered requests of the client, by id
	order  []*Turn          // those, oldest first
	ids    map[string]*Turn // the latest request of each id
	tokens map[string]*Turn // the latest request of each progress token
	asked  map[string]*Said // unanswered requests of the server, by id
	askers map[*Said]*Turn  // what they came upon
}

func (b *builder) event(e *session.Event) {
	switch {
	case e.Note != nil:
		if e.Note.What == client.NoteExit && e.Note.Exit != nil {
			exit := *e.Note.Exit
			b.script.Exit, b.script.ExitAt = &exit, e.T
			if exit.Asked == client.AskedNo {
				b.script.ExitCause = b.latest()
			}
		}
	case e.Stream == client.In:
		b.turns(e)
	default:
		b.line(e)
	}
}

// body is the line of a row and how it ended. The body of an HTTP exchange becomes a line: between
// the tokens of a message one white space is as good as another.
func (b *builder) body(e *session.Event) ([]byte, client.Term) {
	text := b.sess.Log().Line(e.Seq)
	text = text[:len(text):len(text)]
	if e.Exchange == 0 {
		return text, e.Term
	}
	if bytes.ContainsAny(text, "\r\n") {
		text = bytes.Clone(text)
		for i, c := range text {
			if c == '\r' || c == '\n' {
				text[i] = ' '
			}
		}
		text = text[:len(text):len(text)]
	}
	return text, client.TermLF
}

// turns takes in one line of the client.
func (b *builder) turns(e *session.Event) {
	line, term := b.body(e)
	verdict := client.Judge(client.Body{line})
	if len(verdict.Messages) == 0 {
		b.script.Turns = append(b.script.Turns, &Turn{Seq: e.Seq, At: e.T, Line: line, Term: term, Message: client.Message{Kind: verdict.Kind}, Masked: stars(line, b.masks.Of(e))})
		return
	}
	for _, m := range verdict.Messages {
		t := &Turn{Seq: e.Seq, At: e.T, Line: line, Term: term, Message: m, Masked: stars(line, b.masks.Of(e))}
		t.Read()
		switch m.Kind {
		case client.KindRequest:
			b.open[t.ID], b.ids[t.ID] = t, t
			b.order = append(b.order, t)
			if t.Token != "" {
				b.tokens[t.Token] = t
			}
		case client.KindNotification:
			if t.Method == client.MethodCancelled {
				t.Cancels = b.ids[string(client.Get(t.Raw(m.Params), "requestId"))]
			}
		case client.KindResponse, client.KindError:
			t.Answers = b.asked[t.ID]
			delete(b.asked, t.ID)
		}
		b.script.Turns = append(b.script.Turns, t)
	}
}

// Read fills in what follows from Line and Message.
func (t *Turn) Read() {
	m := &t.Message
	t.ID = string(t.Raw(m.ID))
	t.Method, _ = client.Text(t.Raw(m.Method))
	params := t.Raw(m.Params)
	switch t.Method {
	case client.MethodToolsCall, client.MethodPromptsGet:
		t.Name = client.GetText(params, "name")
	case client.MethodInitialize, client.MethodInitialized, client.MethodDiscover:
		t.Opens = true
	}
	t.Token = string(client.Get(params, "_meta", client.MetaProgressToken))
	t.Params = Stable(t.Method, params)
}

// line takes in one line of the server.
func (b *builder) line(e *session.Event) {
	text, term := b.body(e)
	l := &Line{Seq: e.Seq, At: e.T, Stream: e.Stream, Text: text, Term: term, Kind: e.Kind, Flaws: e.Flaws, Masked: stars(text, b.masks.Of(e))}
	cause := b.latest()
	if e.Stream == client.Out {
		for _, m := range client.Judge(client.Body{text}).Messages {
			said, upon := b.said(l, m)
			if len(l.Said) == 0 && upon != nil {
				cause = upon
			}
			l.Said = append(l.Said, said)
		}
	}
	for i := range l.Said {
		if said := &l.Said[i]; said.Kind == client.KindRequest {
			b.asked[said.ID], b.askers[said] = said, cause
		}
	}
	l.Cause = cause
	if cause == nil {
		b.script.Before = append(b.script.Before, l)
		return
	}
	l.After = b.after(l)
	cause.Lines = append(cause.Lines, l)
}

// said reads one message of the server and finds what it belongs to. upon is what it came upon;
// nil when that is not known better than by the order.
func (b *builder) said(l *Line, m client.Message) (s Said, upon *Turn) {
	raw := func(span client.Span) []byte {
		if !span.Present() {
			return nil
		}
		return l.Text[span.Start:span.End]
	}
	s = Said{Message: m, ID: string(raw(m.ID))}
	s.Method, _ = client.Text(raw(m.Method))
	params := raw(m.Params)
	switch m.Kind {
	case client.KindResponse, client.KindError:
		s.Of = b.answered(s.ID, l)
		if s.Of != nil && s.Of.Method != methodListen {
			upon = s.Of
		}
		return s, upon
	case client.KindRequest:
		s.Params = Stable(s.Method, params)
		return s, nil
	}
	switch s.Method {
	case client.MethodProgress:
		s.Of = b.tokens[string(client.Get(params, client.MetaProgressToken))]
		return s, s.Of
	case client.MethodCancelled:
		s.Of = b.ids[string(client.Get(params, "requestId"))]
		return s, nil
	}
	if id := client.Get(params, "_meta", metaSubscription); id != nil {
		s.Of = b.ids[string(id)]
		if s.Method == acknowledged {
			upon = s.Of
		}
	}
	return s, upon
}

// answered finds the request that an answer belongs to: by its id, else by the same id in another
// spelling, else the only open one for an error without id; a second answer belongs to what the
// first one did.
func (b *builder) answered(id string, l *Line) *Turn {
	t := b.open[id]
	if t == nil {
		for open, other := range b.open {
			if client.SameIDOtherType(open, id) {
				t = other
			}
		}
	}
	if t == nil && (id == "" || id == "null") && len(b.open) == 1 {
		for _, only := range b.open {
			t = only
		}
	}
	if t == nil {
		return b.ids[id]
	}
	delete(b.open, t.ID)
	for i, o := range b.order {
		if o == t {
			b.order = append(b.order[:i], b.order[i+1:]...)
			break
		}
	}
	t.Answer = l
	return t
}

// latest is what the server is taken to be at work on: the newest open request that is no
// subscription, or the last thing the client said.
func (b *builder) latest() *Turn {
	for i := len(b.order) - 1; i >= 0; i-- {
		if b.order[i].Method != methodListen {
			return b.order[i]
		}
	}
	if n := len(b.script.Turns); n > 0 {
		return b.script.Turns[n-1]
	}
	return nil
}

// after is what was said between a line and its cause that it may have waited for: answers to what
// the server asked upon the same cause, and that the cause was given up.
func (b *builder) after(l *Line) (turns []*Turn) {
	for i := len(b.script.Turns) - 1; i >= 0; i-- {
		t := b.script.Turns[i]
		if t == l.Cause {
			break
		}
		if t.Answers != nil && b.askers[t.Answers] == l.Cause || t.Cancels != nil && t.Cancels == l.Cause {
			turns = append(turns, t)
		}
	}
	for _, s := range l.Said {
		if s.Kind.IsAnswer() && s.Of != nil && s.Of != l.Cause {
			turns = append(turns, s.Of)
		}
	}
	return turns
}

// finish settles what only the whole run tells.
func (b *builder) finish() {
	s := b.script
	for _, said := range b.asked {
		s.Unanswered = append(s.Unanswered, said)
	}
	for _, t := range s.Turns {
		if t.Method == client.MethodInitialize && t.Answer != nil && t.Answer.Kind == client.KindResponse {
			s.Revision = client.Revision(client.GetText(t.Answer.Text, "result", "protocolVersion"))
			return
		}
	}
	for _, t := range s.Turns {
		rev := client.Revision(client.GetText(t.Raw(t.Message.Params), "_meta", client.MetaProtocolVersion))
		if rev != "" && (s.Revision == "" || t.Answer != nil && t.Answer.Kind == client.KindResponse) {
			if s.Revision = rev; t.Answer != nil && t.Answer.Kind == client.KindResponse {
				return
			}
		}
	}
}
