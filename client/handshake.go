package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// handshake initializes with the given revision. probe is a server/discover that is still open:
// a result of it that comes first wins.
func (d *dialer) handshake(ctx context.Context, rev Revision, probe *pendingCall) (Dialed, error) {
	for attempt := 1; ; attempt++ {
		a, fromProbe, err := d.initialize(ctx, rev, probe)
		var refused *HTTPError
		if errors.As(err, &refused) && refused.pair() && attempt == 1 {
			if t, ok := d.conn.tr.(interface{ Pair(context.Context) bool }); ok && t.Pair(ctx) {
				d.because("initialize was answered with %d, and the address has an event stream that names an endpoint", refused.Status)
				continue
			}
		}
		if err != nil {
			return Dialed{}, err
		}
		if fromProbe {
			got, _, err := d.judge(ctx, Revisions[0], a, 2)
			return got, err
		}
		if rpc := a.Err(); rpc != nil {
			e := NewRPCError(a.Raw(a.Error))
			offered := namedRevisions(e, rev)
			next, ok := newestCommon(offered, isLegacy)
			if attempt == 1 && d.opts.Protocol == "" && ok && next != rev {
				d.because("initialize with %s was refused, the server named %s", rev, next)
				rev = next
				continue
			}
			n := &NegotiationError{Text: fmt.Sprintf("the server refused initialize with %s", rev), Err: rpc}
			if len(offered) > 0 {
				n.Hint = fmt.Sprintf("it supports %s: try --protocol %s", strings.Join(offered, ", "), offered[0])
			}
			return Dialed{}, n
		}
		chosen, err := chosen(a.ResultRaw())
		if err != nil {
			return Dialed{}, err
		}
		if chosen != rev {
			d.because("we asked for %s, the server chose %s", rev, chosen)
		}
		d.conn.setRevision(chosen)
		if err := d.conn.Notify(MethodInitialized, nil); err != nil {
			return Dialed{}, err
		}
		return Dialed{Revision: chosen, Answer: a}, nil
	}
}

// chosen is the revision in the result of initialize.
func chosen(result []byte) (Revision, error) {
	version := Get(result, "protocolVersion")
	text, ok := Text(version)
	r := Revision(text)
	what := ""
	switch {
	case !isObject(result):
		what = "with a result that is no object: " + Excerpt(result)
	case version == nil:
		what = "without a protocolVersion: " + Excerpt(result)
	case !ok:
		what = "with a protocolVersion that is no text: " + Excerpt(version)
	case r.Known() && r.Modern():
		return "", &NegotiationError{Text: fmt.Sprintf("the server answered initialize with protocolVersion %q, which has no handshake", r), Hint: "to speak it without one: --protocol " + text}
	case !r.Known():
		what = fmt.Sprintf("with protocolVersion %q, which is no handshake revision", text)
	default:
		return r, nil
	}
	return "", &NegotiationError{Text: "the server answered initialize " + what, Hint: "handshake revisions spoken here: " + revisionNames(isLegacy)}
}

// initialize sends initialize and waits for its answer, or for that of an open probe.
func (d *dialer) initialize(ctx context.Context, rev Revision, probe *pendingCall) (a Answer, fromProbe bool, err error) {
	params := append([]byte(`{"protocolVersion":`), Quote(string(rev))...)
	params = append(append(params, `,"capabilities":`...), d.conn.identity.capabilities()...)
	params = append(append(params, `,"clientInfo":`...), d.conn.identity.info()...)
	p, err := d.conn.start(rev, Request{Method: MethodInitialize, Params: append(params, '}'), Bare: true})
	if err != nil {
		return Answer{}, false, err
	}
	if probe == nil {
		probe = &pendingCall{} // nothing ever comes of it
	}
	return d.race(ctx, p, probe)
}

// race waits for the first useful answer of the two; the other is named late when it comes.
func (d *dialer) race(ctx context.Context, handshake, probe *pendingCall) (Answer, bool, error) {
	var echoed <-chan time.Time
	for {
		select {
		case a := <-handshake.answer:
			if !d.conn.forget(probe, "stayed unanswered until the handshake was done") {
				// Both came in the same moment; which is received first must not be left to chance.
				select {
				case late := <-probe.answer:
					if offersModern(late) {
						return late, true, nil
					}
				default:
				}
			}
			return a, false, nil
		case a := <-probe.answer:
			if offersModern(a) {
				d.conn.forget(handshake, "been overtaken by the answer to server/discover")
				return a, true, nil
			}
			d.conn.note(NoteLate, probe.id, "the probe was answered late and offers no stateless revision; the handshake goes on")
			probe = &pendingCall{}
		case err := <-handshake.failed:
			return Answer{}, false, err
		case <-handshake.echoed:
			timer := time.NewTimer(d.opts.Probe)
			defer timer.Stop()
			echoed = timer.C
		case <-echoed:
			a, err := d.echo(handshake)
			return a, false, err
		case <-ctx.Done():
			d.conn.forget(handshake, "timed out")
			d.conn.forget(probe, "timed out")
			return Answer{}, false, context.Cause(ctx)
		}
	}
}

// namedRevisions are the versions that an error names: those it lists as supported, else any other
// revision that stands somewhere in it, since servers word this as they like.
func namedRevisions(e *RPCError, refused Revision) []string {
	offered := texts(Get(e.Data, "supported"))
	if len(offered) > 0 {
		return offered
	}
	for _, r := range Revisions {
		if r != refused && bytes.Contains(e.Raw, []byte(r)) {
			offered = append(offered, string(r))
		}
	}
	return offered
}

// Renew shakes hands again on a connection whose session the server has forgotten, with the revision
// that was agreed on.
func Renew(ctx context.Context, c *Conn) error {
	d := &dialer{conn: c, opts: DialOptions{Protocol: c.Revision()}}
	_, err := d.handshake(ctx, c.Revision(), nil)
	return err
}
