package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// Odd is one exchange of HTTP that differs on purpose from what a client sends, to see how a server
// takes it. Its answer reaches the log like any other, and no call.
type Odd struct {
	Verb    string      // http.MethodPost has the request as its body, any other verb has none
	Request Request     // ignored without a body
	Header  [][2]string // instead of those that follow from the message; an empty value leaves one out
}

// OddReply is what came back.
type OddReply struct {
	Status int
	Kind   string // the media type of the body
	Body   []byte // its first bytes; of an event stream that answers no request, nothing
}

// ErrNoHTTP is an odd exchange with a server that is not reached by HTTP.
var ErrNoHTTP = errors.New("the server is not reached by HTTP")

// Odd makes one odd exchange.
func (c *Conn) Odd(ctx context.Context, o Odd) (OddReply, error) {
	t, ok := c.tr.(*HTTP)
	if !ok {
		return OddReply{}, ErrNoHTTP
	}
	m := &outgoing{}
	if o.Verb == http.MethodPost {
		m = read(c.Encode(c.Revision(), c.ids.next(), o.Request))
	}
	reply, answered, err := t.odd(ctx, o, m)
	if m.id != "" && !answered {
		c.note(NoteLost, m.id, "%s (id %s) was sent to see how the server takes it, and has no answer of its own", m.method, m.id)
	}
	return reply, err
}

func (t *HTTP) odd(ctx context.Context, o Odd, m *outgoing) (reply OddReply, answered bool, err error) {
	t.mu.Lock()
	session, rev, to := t.session, t.revision, t.url
	t.mu.Unlock()
	h := t.headers(m, session, rev)
	if o.Verb != http.MethodPost {
		h = t.legacy("text/event-stream")
	}
	for _, kv := range o.Header {
		if h.Del(kv[0]); kv[1] != "" {
			h.Set(kv[0], kv[1])
		}
	}
	resp, number, err := t.do(ctx, o.Verb, to, h, m.body)
	if err != nil {
		return reply, false, fmt.Errorf("%s: %w", o.Verb, err)
	}
	reply = OddReply{Status: resp.StatusCode, Kind: mediaType(resp.Header.Get("Content-Type"))}
	form := (&Exchange{Status: resp.StatusCode, Header: pairs(resp.Header)}).Form()
	if form == FormEvents && m.id == "" { // it has no end
		resp.Body.Close()
		t.end(number, nil)
		return reply, false, nil
	}
	in := &intake{t: t, number: number, form: form, most: maxDrained, mute: func(got *Incoming) bool {
		answered = answered || got.Kind.IsAnswer() && got.RawID() == m.id
		return true
	}}
	err = in.all(resp.Body)
	reply.Body = in.head
	return reply, answered, err
}
