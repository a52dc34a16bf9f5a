package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// The handshake revisions: a session by id, a stream that the server may send by itself, and
// resumption (2025-03-26 to 2025-11-25), and the pair of stream and endpoint before (2024-11-05).

const (
	// reconnectDelay is how long a stream rests before it is opened again, unless the server says.
	reconnectDelay = time.Second
	// longestRetry bounds what a server may ask for: a person waits.
	longestRetry = 30 * time.Second
	// maxResumes ends a stream that is broken again and again without bringing anything.
	maxResumes = 5
	// farewellGrace is how long the end of a session may take.
	farewellGrace = 2 * time.Second
	// streamGrace is how long what follows the handshake waits for the head of the server's own stream: a
	// server that asks on a stream that is not open yet asks nobody. Some send the head with the first event.
	streamGrace = 300 * time.Millisecond
	// endpointGrace is how long the stream of HTTP+SSE may take to name its endpoint.
	endpointGrace = 10 * time.Second
)

// greeted takes the session id out of the reply to initialize.
func (t *HTTP) greeted(m *outgoing, resp *http.Response) {
	id := resp.Header.Get(HeaderSession)
	if id == "" {
		return
	}
	t.mu.Lock()
	old, rev := t.session, t.revision
	if m.method == MethodInitialize {
		t.session = id
	}
	t.mu.Unlock()
	switch {
	case m.method == MethodInitialize && !visible(id):
		t.note(NoteWarning, m.id, "the session id %q has characters beyond visible ASCII", id)
	case m.method != MethodInitialize && !rev.Modern() && old != "" && old != id:
		t.note(NoteWarning, m.id, "the server changed the session id from %q to %q within the session", old, id)
	}
}

func visible(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x21 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// lost drops a session that the server does not know any more; true when there was one.
func (t *HTTP) lost(m *outgoing) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	had := t.session != "" && m.method != MethodInitialize
	if had {
		t.session = ""
	}
	return had
}

func (t *HTTP) paired() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pair
}

// legacy are the headers of a GET or DELETE in a session.
func (t *HTTP) legacy(accept string) http.Header {
	t.mu.Lock()
	session, rev := t.session, t.revision
	t.mu.Unlock()
	h := http.Header{}
	t.own(h)
	h.Del("Content-Type")
	if accept != "" {
		h.Set("Accept", accept)
	}
	if session != "" {
		h.Set(HeaderSession, session)
	}
	if rev >= Rev2025_06_18 {
		h.Set(HeaderProtocolVersion, string(rev))
	}
	return h
}

// listen opens the stream on which the server sends what belongs to no request, and returns when it is
// there, or after streamGrace. Not every server has one; 405 says so.
func (t *HTTP) listen() {
	t.mu.Lock()
	skip := t.pair || t.revision.Modern() || t.revision == "" || t.revision == Rev2024_11_05
	to := t.url
	t.mu.Unlock()
	if skip || t.ctx.Err() != nil {
		return
	}
	there := make(chan struct{})
	headed := sync.OnceFunc(func() { close(there) })
	t.work.Add(1)
	Go("event stream", t.report, func() {
		in := &intake{t: t, headed: headed}
		for tries := 0; tries < maxResumes; tries++ {
			before := in.seen
			if !t.stream(t.ctx, to, in) {
				return
			}
			if in.seen > before {
				tries = 0
			}
			if !t.rest(t.ctx, in) {
				return
			}
		}
		t.note(NoteWarning, "", "the server's own stream ended %d times without a message: it is not opened again", maxResumes)
	}, headed, t.work.Done)
	timer := time.NewTimer(streamGrace)
	defer timer.Stop()
	select {
	case <-there:
	case <-timer.C:
	case <-t.ctx.Done():
	}
}

// stream opens a stream by GET, from the last event on where there was one, and reads it to its end;
// false when there is none to be had.
func (t *HTTP) stream(ctx context.Context, to *url.URL, in *intake) bool {
	h := t.legacy("text/event-stream")
	if in.lastID != "" {
		h.Set(headerLastEvent, in.lastID)
	}
	resp, number, err := t.do(ctx, http.MethodGet, to, h, nil)
	if in.headed != nil {
		in.headed()
	}
	if err != nil {
		return false
	}
	in.number, in.form, in.shared = number, FormEvents, true
	if resp.StatusCode != http.StatusOK || mediaType(resp.Header.Get("Content-Type")) != "text/event-stream" {
		t.drain(resp, number)
		if resp.StatusCode != http.StatusMethodNotAllowed && ctx.Err() == nil {
			t.note(NoteWarning, in.id, "GET %s was answered with %s%s: no stream; 405 is due from a server that has none", to.RequestURI(), resp.Status, kindOf(resp))
		}
		return false
	}
	_ = in.all(resp.Body) // noted with the end of the exchange
	return ctx.Err() == nil
}

// rest waits before a stream is opened again.
func (t *HTTP) rest(ctx context.Context, in *intake) bool {
	d := reconnectDelay
	if in.retry > 0 {
		d = min(in.retry, longestRetry)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// resume goes on with a stream that broke before the answer (2025-03-26 to 2025-11-25). The
// stateless revision knows no resumption: the request is lost.
func (t *HTTP) resume(ctx context.Context, from *url.URL, m *outgoing, in *intake) error {
	t.mu.Lock()
	modern := t.revision.Modern()
	t.mu.Unlock()
	if modern {
		return errNoAnswer
	}
	for range maxResumes {
		if !t.rest(ctx, in) {
			return context.Cause(ctx)
		}
		t.note(NoteInfo, m.id, "the stream of %s (id %s) ended before its answer: it is resumed after event %q", m.method, m.id, in.lastID)
		if !t.stream(ctx, from, in) {
			return errNoAnswer
		}
		if in.answered {
			return nil
		}
	}
	return fmt.Errorf("%w, although it was resumed %d times", errNoAnswer, maxResumes)
}

// Pair looks whether the address speaks HTTP+SSE: the stream of a GET names the endpoint in its
// first event. True when it does; messages go there from then on, and their answers come on the
// stream.
func (t *HTTP) Pair(ctx context.Context) (is bool) {
	t.mu.Lock()
	tried, to := t.pair, t.url
	t.mu.Unlock()
	if tried {
		return false
	}
	found := make(chan string, 1)
	gone := make(chan struct{})
	stream, stop := context.WithCancel(t.ctx)
	t.work.Add(1)
	Go("endpoint stream", t.report, func() {
		in := &intake{t: t, located: func(endpoint string) { found <- endpoint }}
		t.stream(stream, to, in)
		if t.paired() && t.ctx.Err() == nil {
			t.note(NoteWarning, "", "the server ended its event stream: no answer can come any more")
			t.failOpen(errStreamEnded)
		}
	}, stop, func() { close(gone) }, t.work.Done)
	defer func() {
		if !is {
			stop()
		}
	}()
	timer := time.NewTimer(endpointGrace)
	defer timer.Stop()
	var endpoint string
	select {
	case endpoint = <-found:
	case <-gone:
		return false
	case <-timer.C:
		return false
	case <-ctx.Done():
		return false
	}
	if endpoint == "" {
		t.note(NoteWarning, "", "the stream names no endpoint that can be used: it is empty, or longer than any address")
		return false
	}
	u, err := to.Parse(endpoint)
	if err != nil || u.Scheme != to.Scheme || u.Host != to.Host {
		t.note(NoteWarning, "", "the stream names the endpoint %q, which is no address of the same origin: it is not used", endpoint)
		return false
	}
	t.mu.Lock()
	t.pair, t.url = true, u
	t.mu.Unlock()
	t.note(NoteInfo, "", "this address speaks the deprecated HTTP+SSE transport (2024-11-05); its endpoint is %s", endpoint)
	return true
}

// errStreamEnded is the end of the one stream that answers come on.
var errStreamEnded = fmt.Errorf("the server ended its event stream")

// failOpen ends every request that waits for an answer.
func (t *HTTP) failOpen(err error) { t.fail("", &HTTPError{URL: t.addr.URL, Err: err}) }

// farewell ends the session; a server may not know how, which is fine.
func (t *HTTP) farewell() {
	t.mu.Lock()
	session, to := t.session, t.url
	t.mu.Unlock()
	if session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewellGrace)
	defer cancel()
	resp, number, err := t.do(ctx, http.MethodDelete, to, t.legacy(""), nil)
	if err != nil {
		return
	}
	t.drain(resp, number)
}
