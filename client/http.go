package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// HTTP is a server at an address (basic/transports/streamable-http; the HTTP+SSE pair of
// 2024-11-05 where only that is there). Every message is an exchange of its own with one
// goroutine; handshake revisions have one more for the stream that the server may send by itself.
// All end in Close.
type HTTP struct {
	addr    Address
	run     int
	door    Door
	deliver func(Incoming)
	fail    func(id string, err error)
	report  func(*Fault)
	client  *http.Client
	ctx     context.Context
	stop    context.CancelCauseFunc
	work    sync.WaitGroup
	heard   heard

	mu       sync.Mutex
	url      *url.URL // where messages go
	revision Revision // as agreed; empty before
	session  string
	pair     bool // HTTP+SSE: answers come on the stream
	count    int  // exchanges so far
	open     map[string]context.CancelCauseFunc

	close sync.Once
	done  chan struct{}
}

// outgoing is one message on its way.
type outgoing struct {
	body         []byte
	id, method   string // id is empty where no answer is due
	params       []byte
	number       int
	notification bool
	asks         bool // it is a batch with requests (2025-03-26): answers come although it has no id
}

// errClosing is why what is open ends in Close.
var errClosing = errors.New("the connection was closed")

// errGivenUp is a request that is cancelled by closing its exchange.
var errGivenUp = errors.New("given up")

// Reach makes the transport of a run; nothing is sent yet. fail ends an open request that can no longer
// be answered.
func Reach(a Address, run int, door Door, deliver func(Incoming), fail func(id string, err error), report func(*Fault)) (*HTTP, error) {
	u, err := ParseURL(a.URL)
	if err != nil {
		return nil, err
	}
	rt, err := a.roundTripper()
	if err != nil {
		return nil, err
	}
	t := &HTTP{addr: a, run: run, door: door, deliver: deliver, fail: fail, report: report, url: u, open: map[string]context.CancelCauseFunc{}, done: make(chan struct{})}
	t.client = &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	door.Note(Note{Run: run, At: door.Now(), What: NoteSpawn, Text: SpawnText(u.String(), 0), Spawn: &Spawned{Path: u.String()}})
	t.ctx, t.stop = context.WithCancelCause(context.Background())
	for _, kv := range a.Header {
		if http.CanonicalHeaderKey(kv[0]) == "Accept" && !acceptsBoth(kv[1]) {
			t.note(NoteWarning, "", "-H %s: %s names not both of %s, which every request must: they are added", kv[0], kv[1], acceptBoth)
		}
	}
	if a.Insecure && u.Scheme == "https" {
		t.note(NoteWarning, "", "--insecure: the certificate of %s is not checked, anybody in between can read and change everything", u.Host)
	}
	return t, nil
}

func (t *HTTP) note(what, id, format string, args ...any) {
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: what, ID: id, Text: fmt.Sprintf(format, args...)})
}

// Exchanges says that messages are no lines of one stream: Send records them itself.
func (t *HTTP) Exchanges() bool { return true }

// Agreed tells the revision that was negotiated.
func (t *HTTP) Agreed(r Revision) {
	t.mu.Lock()
	t.revision = r
	t.mu.Unlock()
}

// Done is closed once Close has ended everything.
func (t *HTTP) Done() <-chan struct{} { return t.done }

// Exit is the zero Exit: there is no process.
func (t *HTTP) Exit() Exit { return Exit{} }

// read finds out what a message is.
func read(line []byte) *outgoing {
	m := &outgoing{body: bytes.TrimRight(line, "\r\n")}
	if v := Judge(Body{m.body}); len(v.Messages) == 1 && !v.Messages[0].Flaws.Has(FlawInBatch) {
		in := Incoming{Message: v.Messages[0], Body: Body{m.body}}
		m.method, m.params = in.MethodName(), in.Raw(in.Params)
		switch in.Kind {
		case KindRequest:
			m.id = in.RawID()
		case KindNotification:
			m.notification = true
		}
	} else {
		m.asks = slices.ContainsFunc(v.Messages, func(m Message) bool { return m.Kind == KindRequest })
	}
	return m
}

// Send posts one message. A request is answered on a goroutine of its own; anything else is over
// when Send returns, so that what follows it comes later at the server, too.
func (t *HTTP) Send(line []byte) error {
	m := read(line)
	ctx, cancel := context.WithCancelCause(t.ctx)
	t.mu.Lock()
	if m.id != "" {
		t.open[m.id] = cancel
	}
	t.mu.Unlock()
	finished := make(chan struct{})
	t.work.Add(1)
	Go("exchange", t.report, func() {
		err := t.exchange(ctx, m)
		if m.id != "" {
			t.mu.Lock()
			delete(t.open, m.id)
			t.mu.Unlock()
			if errors.Is(err, errElsewhere) {
				return
			}
			if err == nil {
				err = &HTTPError{Method: m.method, ID: m.id, URL: t.addr.URL, Err: errNoAnswer}
			}
			t.fail(m.id, err) // nothing, when it was answered
		} else if err != nil && t.ctx.Err() == nil {
			t.note(NoteWrite, "", "%v", err)
		}
		if m.method == MethodInitialized {
			t.listen()
		}
	}, func() { cancel(nil) }, func() { close(finished) }, t.work.Done)
	if m.id != "" || m.asks {
		return nil
	}
	timer := time.NewTimer(quietGrace)
	defer timer.Stop()
	select {
	case <-finished:
	case <-timer.C:
	}
	return nil
}

// quietGrace is how long a notification may hold up what follows it: it is answered at once with
// 202 by whoever takes it.
const quietGrace = 5 * time.Second

var errNoAnswer = errors.New("the reply ended without the answer")

// Cancel gives a request up by closing its exchange, where that is how it is done; false where
// a notification is due (basic/patterns/cancellation; basic/transports/streamable-http).
func (t *HTTP) Cancel(id string) bool {
	t.mu.Lock()
	cancel, modern := t.open[id], t.revision.Modern()
	t.mu.Unlock()
	if cancel == nil || !modern {
		return false
	}
	cancel(errGivenUp)
	return true
}

// exchange posts a message and takes in what comes back.
func (t *HTTP) exchange(ctx context.Context, m *outgoing) error {
	t.mu.Lock()
	to := t.url
	t.mu.Unlock()
	for hops := 0; ; hops++ {
		resp, number, err := t.post(ctx, to, m)
		if err != nil {
			return t.broken(ctx, m, err)
		}
		next, err := t.redirected(to, resp, hops)
		if err != nil || next != nil {
			t.drain(resp, number)
			if err != nil {
				return &HTTPError{Method: m.method, ID: m.id, URL: to.String(), Status: resp.StatusCode, Err: err}
			}
			to = next
			continue
		}
		m.number = number
		return t.reply(ctx, to, m, resp)
	}
}

// post sends the request of an exchange and records both heads.
func (t *HTTP) post(ctx context.Context, to *url.URL, m *outgoing) (*http.Response, int, error) {
	t.mu.Lock()
	session, rev := t.session, t.revision
	t.mu.Unlock()
	if m.method == MethodInitialize {
		session, rev = "", ""
	}
	return t.do(ctx, http.MethodPost, to, t.headers(m, session, rev), m.body)
}

// do makes one exchange up to the head of its reply.
func (t *HTTP) do(ctx context.Context, verb string, to *url.URL, h http.Header, body []byte) (*http.Response, int, error) {
	t.mu.Lock()
	t.count++
	number := t.count
	t.mu.Unlock()
	facts := &facts{door: t.door}
	req, err := http.NewRequestWithContext(facts.trace(ctx), verb, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, number, err
	}
	req.Header = h
	req.Host = h.Get("Host") // net/http leaves it out of the headers; empty is that of the address
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteRequest, Text: verb + " " + to.RequestURI(),
		HTTP: &Exchange{Number: number, Line: verb + " " + to.RequestURI(), URL: to.String(), Header: pairs(h)}})
	if len(body) > 0 {
		t.door.Chunk(Chunk{Run: t.run, Stream: In, Exchange: number, Form: FormWhole, At: t.door.Now(), Bytes: body, End: true})
	}
	facts.begin()
	resp, err := t.client.Do(req)
	if err != nil {
		t.end(number, err)
		return nil, number, facts.failed(err)
	}
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteReply, Text: resp.Status + kindOf(resp) + facts.text(resp),
		HTTP: &Exchange{Number: number, Line: resp.Proto + " " + resp.Status, Status: resp.StatusCode, Header: pairs(resp.Header)}})
	return resp, number, nil
}

func kindOf(resp *http.Response) string {
	if kind := resp.Header.Get("Content-Type"); kind != "" {
		return ", " + kind
	}
	return ""
}

// pairs are headers as net/http has them, by name.
func pairs(h http.Header) (out [][2]string) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range h[name] {
			out = append(out, [2]string{name, v})
		}
	}
	return out
}

// end notes that an exchange is over; err is why it ended early.
func (t *HTTP) end(number int, err error) {
	e := &Exchange{Number: number}
	if err != nil {
		e.Failed = reason(err)
	}
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteDone, Text: e.Broken(), HTTP: e})
}

// reply takes in the body of a reply.
func (t *HTTP) reply(ctx context.Context, from *url.URL, m *outgoing, resp *http.Response) error {
	kind := mediaType(resp.Header.Get("Content-Type"))
	ok := resp.StatusCode/100 == 2
	form := (&Exchange{Status: resp.StatusCode, Header: pairs(resp.Header)}).Form()
	t.greeted(m, resp)
	in := &intake{t: t, number: m.number, form: form, id: m.id, shared: m.asks, mute: t.mute(m, resp), most: t.addr.MaxBody}
	err := in.all(resp.Body)
	switch {
	case in.answered:
		return nil
	case form == FormEvents && m.id != "" && ctx.Err() == nil && in.lastID != "":
		err = t.resume(ctx, from, m, in)
		if in.answered {
			return nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return t.broken(ctx, m, context.Cause(ctx))
	case t.paired() && ok:
		if m.id == "" {
			return nil // it is taken, whatever the words
		}
		return errElsewhere
	case ok && m.id == "":
		if !m.asks && (resp.StatusCode != http.StatusAccepted || in.size > 0) {
			t.note(NoteWarning, "", "expected 202 without a body for %s, got %d%s (%d bytes)", m.what(), resp.StatusCode, strings.TrimPrefix(kindOf(resp), ","), in.size)
		}
		return nil
	}
	e := &HTTPError{Method: m.method, ID: m.id, URL: from.String(), Proxy: through(resp.Request), Status: resp.StatusCode, Challenge: resp.Header.Values("Www-Authenticate"), Kind: kind, Body: in.head, Err: err}
	e.Cut = err != nil && !errors.Is(err, errTooLong)
	e.Expired = resp.StatusCode == http.StatusNotFound && t.lost(m)
	switch {
	case errors.Is(err, errTooLong):
	case form == FormEvents:
		e.Err, e.Body, e.Cut = errStreamShort, nil, true
		if in.other != "" {
			e.Err = fmt.Errorf("%w; it had an event of the type %s, and only those of the type message are messages", errStreamShort, Excerpt(Quote(in.other)))
		}
		if err != nil {
			e.Err = fmt.Errorf("%w: %s", errStreamShort, reason(err))
		}
	case ok && err == nil:
		e.Err = errNoAnswer
		if coding := resp.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
			e.Err = fmt.Errorf("its body is coded as %s, which was not asked for", Excerpt(Quote(coding)))
			e.Body = nil
		}
	}
	return e
}

// errElsewhere is an exchange whose answer comes on another stream.
var errElsewhere = errors.New("the answer comes on another stream")

// errStreamShort is an event stream that ends too early. The stateless revision has no resumption:
// the request is lost.
var errStreamShort = errors.New("the event stream ended without the answer")

func (m *outgoing) what() string {
	if m.method != "" {
		return m.method
	}
	return "a message"
}

// mute says which messages of a reply are no answers: what comes with a refusal of our identity or
// of our session is about that, whatever it looks like.
func (t *HTTP) mute(m *outgoing, resp *http.Response) func(*Incoming) bool {
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return func(*Incoming) bool { return true }
	case http.StatusNotFound:
		t.mu.Lock()
		session := t.session != "" && m.method != MethodInitialize
		t.mu.Unlock()
		if session {
			return func(in *Incoming) bool { return in.Flaws.Has(FlawIDNull) }
		}
	}
	return nil
}

// broken explains an exchange that ended early.
func (t *HTTP) broken(ctx context.Context, m *outgoing, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return &HTTPError{Method: m.method, ID: m.id, URL: t.addr.URL, Err: err}
}

// maxDrained is how much is read of a body that is not used: a page that says why fits.
const maxDrained = 1 << 20

// drain takes in the body of a reply that is not used.
func (t *HTTP) drain(resp *http.Response, number int) {
	_ = (&intake{t: t, number: number, form: FormWhole, most: maxDrained}).all(resp.Body) // noted where it ends
}

// redirected is where a reply sends us: nil for nowhere. POST is kept by 307 and 308 only, and
// another origin gets neither our messages nor our token.
func (t *HTTP) redirected(from *url.URL, resp *http.Response, hops int) (*url.URL, error) {
	const most = 5 // beyond it is a circle
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	next, err := from.Parse(resp.Header.Get("Location"))
	switch {
	case resp.Header.Get("Location") == "" || err != nil:
		return nil, fmt.Errorf("it redirects to no address: %q", resp.Header.Get("Location"))
	case *next == *from:
		return nil, fmt.Errorf("it redirects to itself")
	case next.Scheme != from.Scheme || !strings.EqualFold(next.Host, from.Host):
		return nil, fmt.Errorf("it redirects to another origin, %s, which is not followed; if that is the server, give its address", next)
	case resp.StatusCode != http.StatusTemporaryRedirect && resp.StatusCode != http.StatusPermanentRedirect:
		return nil, fmt.Errorf("it redirects to %s by %d, by which a POST would lose its body; give that address", next, resp.StatusCode)
	case hops >= most:
		return nil, fmt.Errorf("it redirected %d times, last to %s", hops+1, next)
	}
	t.mu.Lock()
	t.url = next
	t.mu.Unlock()
	t.note(NoteWarning, "", "the server redirects %s to %s: use that address", from, next)
	return next, nil
}

// Close ends every exchange and, in handshake revisions, the session.
func (t *HTTP) Close() Exit {
	t.close.Do(func() {
		t.stop(errClosing)
		t.work.Wait()
		t.farewell()
		t.client.CloseIdleConnections()
		close(t.done)
	})
	<-t.done
	return Exit{}
}
