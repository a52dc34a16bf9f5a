// Package probe asks a server what it is not asked in daily use: unknown names, methods, cursors and
// revisions, and looks how it refuses them. Nothing that is sent changes anything, and no probe is
// malformed: some servers end on one line that is no JSON. Every probe is announced in the log before
// it is sent; what is found goes there, too, where the observers judge it.
package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

const (
	// limit is how long a probe waits for its answer: a refusal takes no work.
	limit = 5 * time.Second

	// quiet is how long nothing must come after a message that has no answer.
	quiet = 500 * time.Millisecond

	// noName is what no server calls anything. It says where it comes from to whoever reads its log.
	noName = "mcpinspect-no-such-name"
)

// Verdict is how a server took one probe.
type Verdict struct {
	Probe string `json:"probe"`
	OK    bool   `json:"ok"`
	Rule  string `json:"rule,omitempty"` // under which it was found wrong
	Text  string `json:"message"`
}

// probe is one question.
type probe struct {
	name  string
	about string // what is sent, and what is due
	fits  func(*prober) bool
	ask   func(context.Context, *prober) (rule, text string, err error) // an empty rule is well
}

// prober is a run of the probes on one connection.
type prober struct {
	sess *session.Session
	rev  client.Revision
	caps []byte
	http bool
}

// Run sends the probes that fit the connection, and tells each verdict. An error is a server that is
// gone, or a context that is over: what is left was not sent.
func Run(ctx context.Context, s *session.Session, tell func(Verdict)) error {
	p := &prober{sess: s, rev: s.Revision()}
	if v := s.Snapshot().Server; v != nil {
		p.caps = v.Capabilities
	}
	target := s.Target()
	p.http = target.HTTP()
	for _, x := range append(probes(), httpProbes()...) {
		if !x.fits(p) {
			continue
		}
		s.Probing(x.name, "%s", x.about)
		rule, text, err := x.ask(ctx, p)
		var slow *client.TimeoutError
		switch {
		case errors.As(err, &slow):
			tell(Verdict{x.name, false, "unanswered-request", slow.Error()}) // the observers have seen it
			continue
		case err != nil:
			tell(Verdict{x.name, false, "", err.Error()})
			return fmt.Errorf("probe %s: %w", x.name, err)
		case rule == "":
			s.Probed(x.name, "%s", text)
			tell(Verdict{Probe: x.name, OK: true, Text: text})
		default:
			s.Found(rule, x.name, "%s", text)
			tell(Verdict{x.name, false, rule, text})
		}
	}
	return nil
}

// offers reports whether the server advertises a capability.
func (p *prober) offers(name string) bool {
	c := client.Get(p.caps, name)
	return len(c) > 0 && c[0] == '{'
}

func always(*prober) bool { return true }

func modern(p *prober) bool { return p.rev.Modern() }

func offering(name string) func(*prober) bool {
	return func(p *prober) bool { return p.offers(name) }
}

// call sends a request of a probe.
func (p *prober) call(ctx context.Context, method, params string, meta ...client.MetaKey) (client.Answer, error) {
	r := client.Request{Method: method, Meta: meta, Limits: client.Limits{Idle: limit, Max: limit}}
	if params != "" {
		r.Params = []byte(params)
	}
	return p.sess.Call(ctx, r)
}

// refused judges an answer that should be an error with one of the codes. The text says what came.
func refused(a client.Answer, err error, codes ...int) (text string, ok bool, failed error) {
	want := make([]string, len(codes))
	for i, c := range codes {
		want[i] = strconv.Itoa(c)
	}
	due := strings.Join(want, " or ")
	var web *client.HTTPError
	switch {
	case errors.As(err, &web) && web.Status != 0:
		return fmt.Sprintf("the request was refused with status %d of HTTP and no error of JSON-RPC; %s is due", web.Status, due), false, nil
	case err != nil:
		return "", false, err
	case !a.IsError():
		return fmt.Sprintf("the request was accepted; an error %s is due; the result was %s", due, client.Excerpt(a.ResultRaw())), false, nil
	}
	e := client.NewRPCError(a.Raw(a.Error))
	if slices.Contains(want, e.CodeRaw) {
		return "error " + e.CodeRaw, true, nil
	}
	if e.CodeRaw == "" {
		return fmt.Sprintf("the request was refused without a code; %s is due: %s", due, client.Excerpt(e.Raw)), false, nil
	}
	return fmt.Sprintf("the request was refused with code %s; %s is due: %s", e.CodeRaw, due, e.Message), false, nil
}

// tells is what the server offers to tell of by itself.
func (p *prober) tells() client.Interest {
	if v := p.sess.Snapshot().Server; v != nil {
		return v.Tells()
	}
	return client.Interest{}
}

// listens opens a subscription and gives it up.
func (p *prober) listens(ctx context.Context) (rule, text string, err error) {
	within, stop := context.WithTimeout(ctx, limit)
	defer stop()
	want := p.tells()
	err = p.sess.Listen(within, want)
	var gone *client.ClosedError
	switch {
	case err == nil:
		return "", "acknowledged", p.sess.Unlisten(ctx, want)
	case ctx.Err() != nil || errors.As(err, &gone):
		return "", "", err
	case within.Err() != nil:
		return "subscription-unanswered", fmt.Sprintf("subscriptions/listen was not acknowledged within %v", limit), nil
	}
	return "subscription-unanswered", "subscriptions/listen was not acknowledged: " + err.Error(), nil
}

// silent sends a notification and waits for nothing. What a server says unasked anyway, such as logs
// and news, does not count, and neither does a late answer to a request.
func (p *prober) silent(ctx context.Context, method, params string) (text string, ok bool, err error) {
	from := p.sess.Log().Len()
	if err := p.sess.Notify(method, []byte(params)); err != nil {
		return "", false, err
	}
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.sess.Done():
	case <-ctx.Done():
		return "", false, context.Cause(ctx)
	}
	text = fmt.Sprintf("nothing came for %v", quiet)
	ok = true
	refused := map[int]bool{} // exchanges of HTTP: a status refuses a notification that cannot be taken
	p.sess.Log().Each(from, func(e session.Event) bool {
		switch {
		case e.Note != nil && e.Note.What == client.NoteReply && e.Note.HTTP.Status/100 == 4:
			refused[e.Note.HTTP.Number] = true
			text = fmt.Sprintf("refused with status %d", e.Note.HTTP.Status)
		case refused[e.Exchange]:
		case e.Note != nil && e.Note.What == client.NoteExit:
			text, ok = "the server ended", false
		case e.Stream == client.Out && (e.Kind.IsAnswer() && e.Pair == session.NoPair || e.Stray()):
			text, ok = fmt.Sprintf("it was answered, and no notification is: %s", client.Excerpt(e.Head)), false
		}
		return ok
	})
	return text, ok, nil
}
