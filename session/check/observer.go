// Package check finds what is wrong with what a server sends and how it lives, and, where the client
// is not ours, with what that sends. It observes events and nothing else: the same code judges a
// live session and a recorded one, and no rule reads a clock. What the rules are drawn from is the
// specification; each names its page.
package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Observer judges every event of one session. It is a session.Observer.
type Observer struct {
	runs   map[int]*run
	said   map[*Rule]int // marks by rule
	quoted int           // marks that quote what they are about
	v      verdicts      // of the event that is judged

	// Objects that are taken apart, of the message that is judged.
	params, meta, result object
}

// New makes an observer for one session.
func New() *Observer { return &Observer{runs: map[int]*run{}, said: map[*Rule]int{}} }

const (
	// fullTexts is how many marks of a rule quote what they are about, and allTexts how many of all
	// rules. Whoever prints a million stray lines has made the point by then, and the marks stay small.
	fullTexts = 1000
	allTexts  = 20000

	// excerpt is how much of a line a mark quotes.
	excerpt = 160

	// longestText is the longest sentence of a mark, in bytes: names in it may have any length.
	longestText = 2000

	// largeLine is where a line is worth a remark: real messages are far smaller.
	largeLine = 1 << 20

	// readerLimit is where the first SDK readers give up.
	readerLimit = 10 << 20
)

// run is what the rules need to know of one run of the server.
type run struct {
	revision client.Revision // that was agreed on, by our note or by a handshake; empty before
	modern   bool            // the server has shown that it knows the stateless era
	foreign  bool            // the client is not ours: it is judged, too
	http     bool            // the server is at an address of HTTP
	told     bool            // SIGTERM was sent
	left     bool            // the server ended by itself, and owed nothing
	probing  bool            // the next request is a probe
	crlf     bool
	stderr   bool
	lastErr  string // the latest line of stderr
	said     session.Said
	strays   strays
	errAt    time.Duration

	ours, theirs requests // of the client, of the server

	life      life
	catalogue catalogue
	progress  progress
	listens   listens
	input     input
	web       web
}

func (o *Observer) run(n int) *run {
	r := o.runs[n]
	if r == nil {
		r = &run{catalogue: newCatalogue()}
		o.runs[n] = r
	}
	return r
}

// effective is the revision that a request is judged by, and its answer with it: what its _meta
// names, once the server has shown that it knows the stateless era, else what was agreed on.
func (r *run) effective(q *request) client.Revision {
	if q != nil && q.rev.Modern() {
		if r.modern {
			return q.rev
		}
		return ""
	}
	return r.revision
}

// verdicts collects the marks of one event.
type verdicts struct {
	o      *Observer
	r      *run
	e      *session.Event
	rev    client.Revision // of the message that is judged
	client bool            // the message is one of the client
	marks  []session.Mark
}

// begin makes the verdicts of an event; those of the one before are done with, and their marks.
func (o *Observer) begin(r *run, e *session.Event) *verdicts {
	o.v = verdicts{o: o, r: r, e: e, rev: r.revision, marks: o.v.marks[:0]}
	return &o.v
}

// add makes a mark with the severity of its rule, unless the rule does not hold in the revision.
func (v *verdicts) add(rule *Rule, format string, args ...any) {
	v.graded(rule, rule.Severity, format, args...)
}

// graded makes a mark with a severity of its own.
func (v *verdicts) graded(rule *Rule, severity session.Severity, format string, args ...any) {
	subject := ""
	if v.client || rule.Who == Client {
		if subject = OfClient; !v.r.foreign {
			return
		}
	}
	if !rule.Revisions.Has(v.rev) {
		return
	}
	said := v.o.said[rule] + 1
	v.o.said[rule] = said
	m := session.Mark{Rule: rule.Name, Severity: severity, Text: rule.Title, Subject: subject, Revision: v.rev}
	if said <= fullTexts && v.o.quoted < allTexts {
		v.o.quoted++
		m.Text = sentence(fmt.Sprintf(format, args...))
	}
	v.marks = append(v.marks, m)
}

// consequence adds a mark of what comes of another rule; "" when it comes of none.
func (v *verdicts) consequence(because string, rule *Rule, format string, args ...any) {
	before := len(v.marks)
	if v.add(rule, format, args...); len(v.marks) > before {
		v.marks[before].Because = because
	}
}

// OfClient is the subject of what a client that is not ours does wrong.
const OfClient = "client"

// Frame judges one line.
func (o *Observer) Frame(e *session.Event, f *client.Frame) []session.Mark {
	r := o.run(e.Run)
	v := o.begin(r, e)
	switch e.Stream {
	case client.In:
		v.fromClient(f)
	case client.Err:
		v.stderr(f)
	default:
		v.fromServer(f)
	}
	if len(v.marks) == 0 {
		return nil
	}
	if len(v.marks) > 1 { // whoever has room for one shows the first
		slices.SortStableFunc(v.marks, func(a, b session.Mark) int { return int(b.Severity) - int(a.Severity) })
	}
	return v.marks
}

func (v *verdicts) stderr(f *client.Frame) {
	r := v.r
	line := r.said.Err(f.Body)
	if r.errAt = v.e.T; v.e.Size > 0 {
		r.lastErr = line[:min(len(line), excerpt)]
	}
	if !r.stderr {
		r.stderr = true
		v.add(stderrOutput, "the server writes to stderr, as it may: %s", quote(f.Body, 0, f.Body.Len()))
	}
	if f.Flaws.Has(client.FlawControl) && v.o.said[ansiEscape] == 0 && hasEscape(f.Body) {
		v.add(ansiEscape, "stderr has terminal escape sequences")
	}
}

// fromServer judges a line of stdout, or what HTTP brought.
func (v *verdicts) fromServer(f *client.Frame) {
	r, e := v.r, v.e
	if e.Exchange > 0 {
		v.webFrame(f)
	}
	for i := range f.Messages {
		v.fromServerOne(f, &f.Messages[i])
	}
	v.rev = r.revision
	if f.Lost != nil && e.Pair != session.NoPair {
		if q := r.ours.find([]byte(e.ID)); q != nil {
			r.ours.drop(q)
		}
	}
	if f.Kind.IsMessage() {
		v.surrogates(f)
	}
	odd := f.Flaws != 0 || f.Term == client.TermCRLF || e.Size >= largeLine || r.told
	if !odd && f.Kind.IsMessage() && f.Kind != client.KindBatch {
		r.strays.message()
		return
	}
	v.bytes(f)
	if e.Stray() {
		v.stray(f)
	}
	if f.Kind == client.KindBatch && !f.Flaws.Has(client.FlawGlued|client.FlawMany) {
		v.batch(f)
	}
	v.follows(f)
	if r.told && f.Kind.IsMessage() {
		v.add(outputAfterTerm, "%s came after the server was told to end", article(f.Kind.String()))
	}
}

// fromServerOne judges one message of the server.
func (v *verdicts) fromServerOne(f *client.Frame, m *client.Message) {
	r := v.r
	at := func(s client.Span) []byte { return raw(f, s) }
	switch m.Kind {
	case client.KindResponse, client.KindError:
		q := v.paired(f, m)
		v.rev = r.revision
		if q != nil {
			if m.Kind == client.KindResponse {
				v.result(q, at(m.Result))
			} else if !m.Flaws.Has(client.FlawErrorShape | client.FlawNeither) {
				v.refusal(q, at(m.Error))
			}
			v.answered(q, m.Kind == client.KindError)
			r.ours.drop(q)
		} else if m.Kind == client.KindError {
			v.unasked(m)
		}
	case client.KindNotification:
		v.rev = r.revision
		v.notification(f, m)
	case client.KindRequest:
		v.rev = r.revision
		v.serverAsks(f, m)
	}
	if m.Flaws != 0 || m.Kind == client.KindError {
		v.envelope(f, m)
	}
}

// raw are the bytes of a span; nil for none.
func raw(f *client.Frame, s client.Span) []byte {
	if !s.Present() {
		return nil
	}
	return f.Body.Slice(s.Start, s.End)
}

// paired finds the request that an answer belongs to, the way the session pairs them; nil for none.
func (v *verdicts) paired(f *client.Frame, m *client.Message) *request {
	open := v.r.ours.open
	if len(open) == 0 {
		return nil
	}
	if !m.ID.Present() || m.Flaws.Has(client.FlawIDNull) {
		if m.Kind == client.KindError && len(open) == 1 {
			return open[0]
		}
		return nil
	}
	id := raw(f, m.ID)
	if q := v.r.ours.find(id); q != nil {
		return q
	}
	if v.e.Pair == session.NoPair {
		return nil
	}
	for _, q := range open {
		if client.SameIDOtherType(string(q.id), string(id)) {
			return q
		}
	}
	return nil
}

// sentence keeps a text short, whatever was quoted in it.
func sentence(s string) string {
	if len(s) > longestText {
		s = strings.ToValidUTF8(s[:longestText], "") + "…"
	}
	return s
}

// quote shows a part of a line for a sentence, the beginning of a long one.
func quote(b client.Body, start, end int) string {
	more := ""
	if end-start > excerpt {
		end, more = start+excerpt, "…"
	}
	return `"` + string(b.Slice(start, end)) + more + `"`
}

func hasEscape(b client.Body) bool {
	for _, p := range b {
		if strings.IndexByte(string(p), 0x1b) >= 0 {
			return true
		}
	}
	return false
}
