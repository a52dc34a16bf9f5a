package check

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// web is what is known of HTTP.
type web struct {
	open       map[int]*exchange
	authorized bool
	session    string
	eventIDs   seen
	pair       bool // HTTP+SSE: the stream of a GET has named an endpoint, and answers come on it, whatever revision was agreed
}

// elsewhere reports whether answers come on another stream than that of their request (2024-11-05/basic/transports).
func (v *verdicts) elsewhere() bool { return v.r.web.pair || v.rev == client.Rev2024_11_05 }

// exchange is one request of HTTP and its reply.
type exchange struct {
	verb, url string
	method    string          // of the message that was posted; empty for none
	rev       client.Revision // of it
	request   bool            // the message was a request
	id        []byte
	version   string // of the protocol, in the header
	authority bool   // it carries a token
	origin    string
	session   string
	headers   string // what is wrong with them, where that is plain to see

	status   int
	kind     string        // media type of the reply
	asked    time.Duration // when the request was sent
	at       time.Duration
	first    time.Duration // when the first event came
	last     time.Duration
	frames   int // messages of the reply
	bytes    int
	answered bool
	answerAt time.Duration
	failed   bool // it was answered with an error of JSON-RPC
	buffered bool // X-Accel-Buffering: no was there
	proxied  bool
	withID   bool // an event had an id
}

const maxExchanges = 4096

func headerOf(header [][2]string, name string) (value string, ok bool) {
	for _, kv := range header {
		if strings.EqualFold(kv[0], name) {
			return kv[1], true
		}
	}
	return "", false
}

// webRequest takes in the head of a request.
func (v *verdicts) webRequest(x *client.Exchange) {
	w := &v.r.web
	v.r.http = true
	if w.open == nil {
		w.open = map[int]*exchange{}
	}
	if len(w.open) >= maxExchanges {
		return
	}
	verb, _, _ := strings.Cut(x.Line, " ")
	e := &exchange{verb: verb, url: x.URL, asked: v.e.T}
	e.version, _ = headerOf(x.Header, client.HeaderProtocolVersion)
	e.session, _ = headerOf(x.Header, client.HeaderSession)
	e.origin, _ = headerOf(x.Header, "Origin")
	auth, _ := headerOf(x.Header, "Authorization")
	e.authority = auth != ""
	w.authorized = w.authorized || e.authority
	if u, err := url.Parse(x.URL); err == nil && e.authority && u.Scheme == "http" && !loopback(u.Hostname()) {
		v.add(bearerPlain, "a token is sent to %s without encryption", client.Excerpt([]byte(u.Host)))
	}
	w.open[x.Number] = e
	e.headers = missingHeaders(x.Header)
}

// missingHeaders names what a stateless request of HTTP must have and does not.
func missingHeaders(header [][2]string) string {
	for _, name := range []string{client.HeaderProtocolVersion, client.HeaderMethod} {
		if _, ok := headerOf(header, name); !ok {
			return name
		}
	}
	return ""
}

func loopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// webBody notes the message of a request.
func (v *verdicts) webBody(f *client.Frame) {
	e := v.r.web.open[v.e.Exchange]
	if e == nil || len(f.Messages) == 0 {
		return
	}
	m := &f.Messages[0]
	e.method = known(raw(f, m.Method))
	if e.request = m.Kind == client.KindRequest; e.request {
		e.id = append(e.id, raw(f, m.ID)...)
		if q := v.r.ours.find(e.id); q != nil {
			e.rev = q.rev
		}
	}
}

// speaks sets the revision that an exchange is judged by: the one its request names, else that of the run.
// A handshake is of the handshake revisions, though the server spoke of another before it.
func (v *verdicts) speaks(e *exchange) {
	v.rev = v.r.revision
	if e.rev != "" && v.r.modern {
		v.rev = e.rev
	}
	if e.method == client.MethodInitialize && v.rev.Modern() {
		v.rev = client.Rev2025_11_25
	}
}

// webReply takes in the head of a reply.
func (v *verdicts) webReply(x *client.Exchange) {
	e := v.r.web.open[x.Number]
	if e == nil {
		return
	}
	e.status, e.at = x.Status, v.e.T
	kind, _ := headerOf(x.Header, "Content-Type")
	kind, _, _ = strings.Cut(kind, ";")
	e.kind = strings.ToLower(strings.TrimSpace(kind))
	accel, _ := headerOf(x.Header, "X-Accel-Buffering")
	e.buffered = strings.EqualFold(accel, "no")
	for _, name := range []string{"Via", "X-Cache", "CF-Ray", "X-Envoy-Upstream-Service-Time", "X-Amz-Cf-Id"} {
		if _, ok := headerOf(x.Header, name); ok {
			e.proxied = true
		}
	}
	v.speaks(e)
	v.sessionHeader(e, x)
	switch {
	case x.Status == 401, x.Status == 403:
		v.challenge(x)
	case x.Status >= 300 && x.Status < 400:
		v.redirect(e, x)
	case x.Status/100 == 2 && e.origin != "" && foreignOrigin(e):
		v.add(originAccepted, "a request with the Origin %s was accepted by a server on this machine", client.Excerpt([]byte(e.origin)))
	}
	if v.rev.Modern() && (e.verb == "GET" || e.verb == "DELETE") && !slices.ContainsFunc(v.r.life.supported, func(s string) bool { return !client.Revision(s).Modern() }) {
		if _, allow := headerOf(x.Header, "Allow"); x.Status != 405 {
			v.add(verbStatus, "%s was answered with %d: 405 is due from a server without sessions", e.verb, x.Status)
		} else if !allow {
			v.graded(verbStatus, session.Info, "%s was answered with 405 and no header Allow", e.verb)
		}
	}
	if e.verb != "POST" || e.method == "" {
		return
	}
	known := client.Revision(e.version).Known()
	if e.version != "" && !known && x.Status != 400 && v.rev != "" && !v.rev.Modern() {
		v.add(versionHeaderAccepted, "the header %s: %s was answered with %d: 400 is due", client.HeaderProtocolVersion, client.Excerpt([]byte(e.version)), x.Status)
	}
	if e.rev.Modern() && v.r.modern && e.headers != "" && x.Status/100 == 2 {
		v.add(headersAccepted, "%s was answered with %d though the header %s is missing: -32020 is due", e.method, x.Status, e.headers)
	}
	if e.request && x.Status/100 == 2 && e.kind != "application/json" && e.kind != "text/event-stream" && x.Status != 202 && !v.elsewhere() {
		v.add(replyType, "the reply to %s is %s: application/json or text/event-stream is due", e.method, typed(e.kind))
	}
	if e.kind == "text/event-stream" && v.rev.Modern() && !e.buffered {
		grade := session.Info
		if e.proxied {
			grade = session.Warning
		}
		v.graded(noBuffering, grade, "the event stream of %s has no header X-Accel-Buffering: no", e.method)
	}
}

// typed says of what type a body is.
func typed(kind string) string {
	if kind == "" {
		return "of no type"
	}
	return "of the type " + client.Excerpt([]byte(kind))
}

// foreignOrigin reports whether a page of elsewhere asked a server on this machine. No page has an
// origin under .invalid (RFC 6761): a probe has sent it, and judges the answer itself.
func foreignOrigin(e *exchange) bool {
	u, err := url.Parse(e.url)
	from := hostOf(e.origin)
	return err == nil && loopback(u.Hostname()) && !loopback(from) && !strings.HasSuffix(from, ".invalid")
}

// sessionHeader judges the id of a session.
func (v *verdicts) sessionHeader(e *exchange, x *client.Exchange) {
	id, ok := headerOf(x.Header, client.HeaderSession)
	if !ok {
		return
	}
	w := &v.r.web
	for i := 0; i < len(id); i++ {
		if id[i] < 0x21 || id[i] > 0x7e {
			v.add(sessionInvalid, "the session id has characters beyond visible ASCII")
			break
		}
	}
	switch {
	case v.rev.Modern():
		v.add(sessionModern, "the reply to %s has a header %s, and %s has no sessions", e.method, client.HeaderSession, v.rev)
	case e.method == client.MethodInitialize:
		w.session = id
	case w.session != "" && id != w.session:
		v.add(sessionChanged, "the session id changed in the reply to %s", e.method)
		w.session = id
	}
}

// challenge judges a refusal of who we are (basic/authorization).
func (v *verdicts) challenge(x *client.Exchange) {
	value := ""
	for _, kv := range x.Header {
		if strings.EqualFold(kv[0], "WWW-Authenticate") {
			value += " " + kv[1]
		}
	}
	lower := strings.ToLower(value)
	switch {
	case x.Status == 401 && !strings.Contains(lower, "resource_metadata"):
		grade := session.Warning
		if v.rev == client.Rev2025_06_18 {
			grade = session.Error
		}
		what := "a WWW-Authenticate that names no resource_metadata"
		if value == "" {
			what = "no WWW-Authenticate"
		}
		v.graded(challengeMissing, grade, "401 came with %s: clients cannot find out where to get a token", what)
	case x.Status == 403 && strings.Contains(lower, "insufficient_scope") && !strings.Contains(lower, "scope=\"") && !strings.Contains(strings.ReplaceAll(lower, "insufficient_scope", ""), "scope="):
		v.add(scopeMissing, "403 says insufficient_scope and not which scope is needed")
	}
	if strings.Contains(lower, "offline_access") {
		v.add(offlineScope, "the challenge asks for the scope offline_access, which is for clients to add")
	}
}

// redirect judges where a reply sends a message.
func (v *verdicts) redirect(e *exchange, x *client.Exchange) {
	to, ok := headerOf(x.Header, "Location")
	from, err := url.Parse(e.url)
	if !ok || err != nil || e.verb != "POST" {
		return
	}
	if next, err := from.Parse(to); err == nil && !strings.EqualFold(next.Host, from.Host) {
		v.add(redirectAway, "a POST is redirected to another origin, %s", client.Excerpt([]byte(next.Host)))
	}
}

// webFrame judges a message or event of a reply.
func (v *verdicts) webFrame(f *client.Frame) {
	e := v.r.web.open[v.e.Exchange]
	if e == nil {
		return
	}
	e.bytes += v.e.Size
	if ev := f.Event; ev != nil {
		v.event(e, f, ev)
	}
	if len(f.Messages) == 0 {
		return
	}
	if e.frames == 0 {
		e.first = v.e.T
	}
	e.frames++
	e.last = v.e.T
	for i := range f.Messages {
		v.webMessage(e, f, &f.Messages[i])
	}
}

// event judges one event of a stream.
func (v *verdicts) event(e *exchange, f *client.Frame, ev *client.ServerEvent) {
	v.speaks(e)
	if e.verb == "GET" && ev.Type == "endpoint" {
		v.r.web.pair = true
	}
	if ev.HasID && ev.ID != "" {
		e.withID = true
		switch {
		case v.rev.Modern():
			v.add(eventID, "an event has the id %s, and %s cannot go on behind it", client.Excerpt([]byte(ev.ID)), v.rev)
		case v.r.web.eventIDs.add(hash([]byte(ev.ID))):
			v.add(eventTwice, "two events have the id %s", client.Excerpt([]byte(ev.ID)))
		}
	}
	if ev.NoData || !ev.Message() || f.Kind == client.KindBlank {
		return
	}
	switch {
	case len(f.Messages) == 0:
		v.add(eventInvalid, "the data of an event is no message: %s", quote(f.Body, 0, f.Body.Len()))
	case len(f.Messages) > 1 && !v.rev.Batches():
		v.add(eventInvalid, "the data of an event has %d messages", len(f.Messages))
	}
}

// webMessage judges on which stream a message comes.
func (v *verdicts) webMessage(e *exchange, f *client.Frame, m *client.Message) {
	v.rev = v.r.revision
	if !m.Kind.IsAnswer() {
		if e.answered && e.kind == "text/event-stream" && e.request {
			v.graded(afterAnswer, stricter(v.rev.Modern()), "a %s came on the stream of %s behind its answer", m.Kind, e.method)
		}
		return
	}
	id := raw(f, m.ID)
	switch {
	case e.verb == "GET" && !v.elsewhere() && v.r.ours.find(id) != nil && !e.resumed():
		v.add(answerOnGet, "the answer to id %s came on the stream of a GET", client.Excerpt(id))
	case e.request && id != nil && !isNull(id) && string(id) != string(e.id) && v.r.ours.find(id) != nil:
		v.add(otherStream, "the answer to id %s came on the stream of %s (id %s)", client.Excerpt(id), e.method, clip(e.id))
	case e.request && m.Kind == client.KindError:
		v.errorStatus(e, raw(f, m.Error))
	}
	if e.answered && e.kind == "text/event-stream" && e.request {
		v.graded(afterAnswer, stricter(v.rev.Modern()), "a second answer came on the stream of %s", e.method)
	}
	e.answered, e.answerAt, e.failed = true, v.e.T, m.Kind == client.KindError
}

func (e *exchange) resumed() bool { return e.withID }

// errorStatus judges the status that an error comes with.
func (v *verdicts) errorStatus(e *exchange, raw []byte) {
	n, ok := number(client.Get(raw, "code"))
	if !ok || !e.rev.Modern() {
		return
	}
	code := int(n)
	v.rev = e.rev
	switch code {
	case client.CodeHeaderMismatch, client.CodeMissingCapability, client.CodeUnsupportedVersion:
		if e.status != 400 {
			v.add(errorStatus, "error %d came with status %d: 400 is due", code, e.status)
		}
	case client.CodeInvalidParams:
		if q := v.r.ours.find(e.id); q != nil && q.bare && e.status != 400 && v.r.modern {
			v.add(errorStatus, "error -32602 for a missing key of _meta came with status %d: 400 is due", e.status)
		}
	case client.CodeMethodNotFound:
		if e.status != 404 && v.r.modern {
			v.add(methodStatus, "error -32601 came with status %d: 404 is due", e.status)
		}
	}
}

// webDone judges a reply that is over.
func (v *verdicts) webDone(x *client.Exchange) {
	w := &v.r.web
	e := w.open[x.Number]
	if e == nil {
		return
	}
	delete(w.open, x.Number)
	if e.verb != "POST" || e.method == "" || x.Failed != "" || e.status/100 != 2 {
		return
	}
	v.speaks(e)
	switch {
	case v.elsewhere(): // the reply says that it was taken, in words of its own
	case e.request && (e.status == 202 || e.bytes == 0):
		v.add(replyType, "the reply to %s has status %d and no body: nothing answers the request", e.method, e.status)
	case !e.request && (e.status != 202 || e.bytes > 0):
		grade := session.Error
		if e.bytes == 0 && (e.status == 200 || e.status == 204) {
			grade = session.Warning
		}
		v.graded(acceptedStatus, grade, "expected 202 without a body for %s, got %d with %d bytes %s", e.method, e.status, e.bytes, typed(e.kind))
	}
	if e.kind != "text/event-stream" {
		return
	}
	if e.answered && v.e.T-e.answerAt > lingers && e.request && e.method != methodListen {
		v.add(streamLingers, "the stream of %s stayed open for %v behind its answer", e.method, (v.e.T - e.answerAt).Round(100*time.Millisecond))
	}
	v.buffered(e)
	if e.request && !e.answered && v.rev == client.Rev2025_11_25 && !e.withID {
		v.add(streamShort, "the stream of %s ended without its answer, and no event has an id to go on from", e.method)
	}
}

// buffered judges whether the events of a stream were held back: many of them came late, and all at
// once. A server may send the head of its reply late, too, and work in silence: then they have to be
// more, and nothing says that they are not buffered.
func (v *verdicts) buffered(e *exchange) {
	const few, many, atOnce = 3, 4, 20 * time.Millisecond
	from := e.at
	if !e.buffered && e.frames >= many {
		from = e.asked
	}
	if e.frames < few || e.first-from <= lingers/2 || e.last-e.first >= atOnce {
		return
	}
	missing := ""
	if !e.buffered {
		missing = "; the X-Accel-Buffering header is missing"
	}
	v.add(streamBuffered, "first event after %s, %d events within %s: a proxy may be buffering%s", client.Elapsed(e.first-from, 100*time.Millisecond), e.frames, client.Elapsed(e.last-e.first, time.Millisecond), missing)
}

// lingers is how long a stream may stay open behind its answer.
const lingers = 2 * time.Second
