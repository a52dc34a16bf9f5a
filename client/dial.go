package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// DialOptions say how a connection is negotiated. Zero durations mean the defaults.
type DialOptions struct {
	Protocol   Revision // a pinned revision; empty finds out
	Probe      time.Duration
	Connect    time.Duration // from the start to negotiated
	Remembered Revision      // what an earlier connection to the same program found; empty for nothing
}

// Dialed is what a negotiation found.
type Dialed struct {
	Revision  Revision
	Why       string // the reason for the choice, one sentence
	Supported []string
	Answer    Answer // to server/discover or initialize
	Healed    bool   // what was remembered turned out wrong
	Costly    bool   // finding it out took a silent probe or a second start: worth remembering
}

// NegotiationError is a server that could be spoken to, but not agreed with.
type NegotiationError struct {
	Text string
	Hint string
	Err  error
}

func (e *NegotiationError) Error() string {
	if e.Err != nil {
		return e.Text + ": " + e.Err.Error()
	}
	return e.Text
}

func (e *NegotiationError) Unwrap() error { return e.Err }

// ErrConnectTimeout ends a negotiation that took too long.
var ErrConnectTimeout = errors.New("the server did not answer before the connect timeout")

// dialer is one negotiation.
type dialer struct {
	spawn func(context.Context) (*Conn, error)
	opts  DialOptions
	conn  *Conn
	why   []string

	costly bool
}

// Dial starts a server with spawn and agrees on a revision with it (basic/versioning; protocol
// detection for servers of either era). It starts the server a second time at most once, when
// the first one ended on the probe. On error the last connection is returned too, still open.
func Dial(ctx context.Context, spawn func(context.Context) (*Conn, error), o DialOptions) (*Conn, Dialed, error) {
	if o.Probe <= 0 {
		o.Probe = DefaultProbeTimeout
	}
	if o.Connect <= 0 {
		o.Connect = DefaultConnectTimeout
	}
	ctx, stop := context.WithTimeoutCause(ctx, o.Connect, fmt.Errorf("%w of %v", ErrConnectTimeout, o.Connect))
	defer stop()
	d := &dialer{spawn: spawn, opts: o}
	if err := d.start(ctx); err != nil {
		return nil, Dialed{}, err
	}
	var got Dialed
	var err error
	switch {
	case o.Protocol.Modern():
		got, err = d.pinnedModern(ctx)
	case o.Protocol != "":
		d.because("--protocol %s", o.Protocol)
		got, err = d.handshake(ctx, o.Protocol, nil)
	case o.Remembered != "" && !o.Remembered.Modern():
		got, err = d.remembered(ctx)
	default:
		got, err = d.probe(ctx)
	}
	if err == nil {
		got.Why, got.Costly = strings.Join(d.why, "; "), d.costly
		d.conn.door.Note(Note{Run: d.conn.run, At: d.conn.door.Now(), What: NoteEra, Text: got.Why,
			Data: append(append([]byte(`{"revision":`), Quote(string(got.Revision))...), '}')})
	}
	return d.conn, got, err
}

func (d *dialer) because(format string, args ...any) {
	d.why = append(d.why, fmt.Sprintf(format, args...))
}

func (d *dialer) start(ctx context.Context) error {
	conn, err := d.spawn(ctx)
	if err != nil {
		return err
	}
	d.conn = conn
	return nil
}

// respawn starts the server again after it ended.
func (d *dialer) respawn(ctx context.Context, why string) error {
	d.conn.note(NoteInfo, "", "%s: starting it again", why)
	d.conn.Close()
	return d.start(ctx)
}

// discover sends the probe as the given revision.
func (d *dialer) discover(rev Revision) (*pendingCall, error) {
	return d.conn.start(rev, Request{Method: MethodDiscover})
}

func (d *dialer) pinnedModern(ctx context.Context) (Dialed, error) {
	d.because("--protocol %s", d.opts.Protocol)
	d.conn.setRevision(d.opts.Protocol)
	p, err := d.discover(d.opts.Protocol)
	if err != nil {
		return Dialed{}, err
	}
	a, err := d.await(ctx, p)
	if errors.Is(err, errProbeSilent) {
		a, err = d.conn.wait(ctx, p, Limits{}, true)
	}
	if err != nil {
		return Dialed{}, err
	}
	if rpc := a.Err(); rpc != nil {
		return Dialed{}, &NegotiationError{Text: fmt.Sprintf("the server does not speak %s as asked", d.opts.Protocol), Err: rpc,
			Hint: "without --protocol the revision is found out"}
	}
	return Dialed{Revision: d.opts.Protocol, Answer: a, Supported: supported(a.ResultRaw())}, nil
}

// remembered tries what worked the last time and falls back to the probe when it does not.
func (d *dialer) remembered(ctx context.Context) (Dialed, error) {
	d.because("remembered from the last connection to this program")
	got, err := d.handshake(ctx, d.opts.Remembered, nil)
	if err == nil || ctx.Err() != nil {
		got.Healed = err != nil || got.Revision != d.opts.Remembered
		return got, err
	}
	d.why = nil
	d.because("the remembered revision %s no longer works", d.opts.Remembered)
	if err := d.respawn(ctx, "the remembered handshake failed"); err != nil {
		return Dialed{}, err
	}
	got, err = d.probe(ctx)
	got.Healed = true
	return got, err
}

// probe asks with server/discover and decides by what comes back.
func (d *dialer) probe(ctx context.Context) (Dialed, error) {
	rev := Revisions[0]
	p, err := d.discover(rev)
	if err != nil {
		return d.probeEnded(ctx, err)
	}
	for attempt := 1; ; attempt++ {
		a, err := d.await(ctx, p)
		if errors.Is(err, errProbeSilent) {
			d.costly = true
			d.because("server/discover got no answer within %v", d.opts.Probe)
			d.conn.note(NoteTimeout, p.id, "server/discover (id %s) got no answer within %v: initialize follows in the same process", p.id, d.opts.Probe)
			got, err := d.handshake(ctx, Rev2025_11_25, p)
			if err != nil {
				return d.probeEnded(ctx, err) // a slow start may end on the probe, too
			}
			return got, nil
		}
		if err != nil {
			return d.probeEnded(ctx, err)
		}
		got, again, err := d.judge(ctx, rev, a, attempt)
		if !again {
			return got, err
		}
		rev = got.Revision
		if p, err = d.discover(rev); err != nil {
			return d.probeEnded(ctx, err)
		}
	}
}

// errProbeSilent is a probe that is still open after its time.
var errProbeSilent = errors.New("no answer to the probe yet")

// await waits for the probe without giving it up: a slow start and silence look the same.
func (d *dialer) await(ctx context.Context, p *pendingCall) (Answer, error) {
	timer := time.NewTimer(d.opts.Probe)
	defer timer.Stop()
	silent := timer.C
	if d.conn.exchanges() { // every HTTP server answers what it does not know
		silent = nil
	}
	select {
	case a := <-p.answer:
		return a, nil
	case err := <-p.failed:
		return Answer{}, err
	case <-silent:
		select {
		case <-p.echoed:
			return d.echo(p)
		default:
		}
		return Answer{}, errProbeSilent
	case <-ctx.Done():
		d.conn.forget(p, "timed out")
		return Answer{}, context.Cause(ctx)
	}
}

// echo gives up a request that the server sent back. A terminal in between does so too, and
// the answer follows: so it is given the time of a probe.
func (d *dialer) echo(p *pendingCall) (Answer, error) {
	if !d.conn.forget(p, "come back as it was sent") {
		return d.conn.settled(p)
	}
	return Answer{}, &NegotiationError{Text: fmt.Sprintf("the server sends back what it is sent: %s came back as a request, and no answer within %v", p.method, d.opts.Probe),
		Hint: "a program like cat is no MCP server; a terminal in between that echoes (ssh -t) has to be switched off"}
}

// judge decides by an answer to the probe. again asks once more with the revision in the result.
func (d *dialer) judge(ctx context.Context, rev Revision, a Answer, attempt int) (got Dialed, again bool, err error) {
	offered := supported(a.ResultRaw())
	if !a.IsError() && offered != nil {
		if modern, ok := newestCommon(offered, isModern); ok {
			d.because("the server answered server/discover and offers %s", modern)
			d.conn.setRevision(modern)
			return Dialed{Revision: modern, Answer: a, Supported: offered}, false, nil
		}
		return d.legacyOf(ctx, offered, "the server answered server/discover and offers handshake revisions only")
	}
	if !a.IsError() {
		d.because("the answer to server/discover lists no supportedVersions")
		got, err = d.handshake(ctx, Rev2025_11_25, nil)
		return got, false, err
	}
	rpc := NewRPCError(a.Raw(a.Error))
	switch {
	case rpc.CodeRaw == fmt.Sprint(CodeUnsupportedVersion) && len(texts(Get(rpc.Data, "supported"))) > 0:
		offered = texts(Get(rpc.Data, "supported"))
		if modern, ok := newestCommon(offered, isModern); ok && attempt == 1 {
			d.because("the server refused %s and named %s", rev, modern)
			return Dialed{Revision: modern}, true, nil
		} else if ok {
			return Dialed{}, false, &NegotiationError{Text: fmt.Sprintf("the server refuses %s although it says that it supports it", modern), Err: rpc}
		}
		return d.legacyOf(ctx, offered, fmt.Sprintf("the server refused %s and supports handshake revisions only", rev))
	case rpc.CodeRaw == fmt.Sprint(CodeHeaderMismatch), rpc.CodeRaw == fmt.Sprint(CodeMissingCapability):
		return Dialed{}, false, &NegotiationError{Text: "the server speaks the stateless era but refuses our server/discover", Err: rpc,
			Hint: "to try the handshake anyway: --protocol " + string(Rev2025_11_25)}
	}
	if rpc.CodeRaw == "" {
		d.because("server/discover: %v", rpc)
	} else {
		d.because("server/discover was answered with error %s %q", rpc.CodeRaw, rpc.Message)
	}
	got, err = d.handshake(ctx, Rev2025_11_25, nil)
	return got, false, err
}

// legacyOf shakes hands with the newest handshake revision of those offered.
func (d *dialer) legacyOf(ctx context.Context, offered []string, why string) (Dialed, bool, error) {
	rev, ok := newestCommon(offered, isLegacy)
	if !ok {
		return Dialed{}, false, &NegotiationError{Text: fmt.Sprintf("no common revision: the server offers %s", strings.Join(offered, ", ")),
			Hint: "spoken here: " + revisionNames(Revision.Known)}
	}
	d.because("%s", why)
	got, err := d.handshake(ctx, rev, nil)
	if len(got.Supported) == 0 {
		got.Supported = offered
	}
	return got, false, err
}

// probeEnded handles a probe without an answer: the server ended, or the time is over.
func (d *dialer) probeEnded(ctx context.Context, err error) (Dialed, error) {
	var refused *HTTPError
	if errors.As(err, &refused) && refused.legacy() {
		d.because("server/discover was answered with %d and no error of the stateless era", refused.Status)
		return d.handshake(ctx, Rev2025_11_25, nil)
	}
	var closed *ClosedError
	if !errors.As(err, &closed) || ctx.Err() != nil || d.conn.exchanges() {
		return Dialed{}, err
	}
	d.costly = true
	d.because("the server ended when it was asked server/discover first")
	if err := d.respawn(ctx, "the server ended on the probe, as handshake servers may"); err != nil {
		return Dialed{}, err
	}
	return d.handshake(ctx, Rev2025_11_25, nil)
}

// offersModern reports whether an answer to the probe settles that the server is stateless.
func offersModern(a Answer) bool {
	_, modern := newestCommon(supported(a.ResultRaw()), isModern)
	return modern && !a.IsError()
}

// supported is the list of versions in a discover result; nil when there is none.
func supported(result []byte) []string { return texts(Get(result, "supportedVersions")) }

// texts reads an array of strings, nil for anything else.
func texts(raw []byte) (out []string) {
	for e := range Elements(raw) {
		if s, ok := Text(e); ok {
			out = append(out, s)
		}
	}
	return out
}
