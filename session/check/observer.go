// Package check finds what is wrong with what a server sends and how it lives. It observes events
// and nothing else: the same code judges a live session and a recorded one. What the rules are
// drawn from is the specification; each names its page.
package check

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Observer judges every event of one session. It is a session.Observer.
type Observer struct {
	runs map[int]*run
	said map[*Rule]int // marks by rule
}

// run is what the rules need to know of one run of the server.
type run struct {
	revision client.Revision            // empty until it is agreed on
	open     []request                  // of ours, in order
	told     bool                       // SIGTERM was sent
	probing  bool                       // the next request is a probe
	names    map[string]map[string]bool // by list: the entries of its pages so far
	crlf     bool
	stderr   bool
}

type request struct {
	id, method string
	first      bool // of a list: it asks for the first page
	probe      bool // it is no part of the walk of a list
}

// New makes an observer for one session.
func New() *Observer { return &Observer{runs: map[int]*run{}, said: map[*Rule]int{}} }

const (
	// fullTexts is how many marks of a rule quote what they are about. Whoever prints a million
	// stray lines has made the point by then, and the marks stay small.
	fullTexts = 1000

	// excerpt is how much of a line a mark quotes.
	excerpt = 160

	// longestText is the longest sentence of a mark, in bytes: names in it may have any length.
	longestText = 2000

	// largeLine is where a line is worth a remark: real messages are far smaller.
	largeLine = 1 << 20

	// readerLimit is where the first SDK readers give up.
	readerLimit = 10 << 20
)

func (o *Observer) run(n int) *run {
	r := o.runs[n]
	if r == nil {
		r = &run{names: map[string]map[string]bool{}}
		o.runs[n] = r
	}
	return r
}

// verdicts collects the marks of one event.
type verdicts struct {
	o     *Observer
	marks []session.Mark
}

// add makes a mark with the severity of its rule.
func (v *verdicts) add(rule *Rule, format string, args ...any) { v.graded(rule, -1, format, args...) }

// graded makes a mark with a severity of its own; a negative one means that of the rule.
func (v *verdicts) graded(rule *Rule, severity int, format string, args ...any) {
	v.o.said[rule]++
	m := session.Mark{Rule: rule.Name, Severity: rule.Severity, Text: rule.Title}
	if severity >= 0 {
		m.Severity = session.Severity(severity)
	}
	if v.o.said[rule] <= fullTexts {
		m.Text = sentence(fmt.Sprintf(format, args...))
	}
	v.marks = append(v.marks, m)
}

// Frame judges one line.
func (o *Observer) Frame(e *session.Event, f *client.Frame) []session.Mark {
	r := o.run(e.Run)
	v := verdicts{o: o}
	switch e.Stream {
	case client.In:
		r.sent(f)
		return nil
	case client.Err:
		if !r.stderr {
			r.stderr = true
			v.add(stderrOutput, "the server writes to stderr, as it may: %s", quote(f.Body, 0, f.Body.Len()))
		}
		if f.Flaws.Has(client.FlawControl) && o.said[ansiEscape] == 0 && hasEscape(f.Body) {
			v.add(ansiEscape, "stderr has terminal escape sequences")
		}
		return v.marks
	}
	for i := range f.Messages {
		m := &f.Messages[i]
		if !m.Kind.IsAnswer() {
			continue
		}
		q, ok := r.answered(f, m)
		if !ok && e.Pair != session.NoPair && len(r.open) > 0 {
			q, ok = r.drop(func(q request) bool { return client.SameIDOtherType(q.id, e.ID) })
		}
		if ok && m.Kind == client.KindResponse {
			v.result(r, q, f.Body.Slice(m.Result.Start, m.Result.End))
		}
	}
	if f.Lost != nil && e.Pair != session.NoPair && len(r.open) > 0 {
		r.drop(func(q request) bool { return q.id == e.ID })
	}
	plain := f.Flaws == 0 && f.Term == client.TermLF && e.Size < largeLine && !r.told
	if plain && (f.Kind == client.KindResponse || f.Kind == client.KindNotification) {
		return v.marks
	}
	v.bytes(r, e, f)
	if e.Stray() {
		v.stray(e, f)
	}
	if f.Kind == client.KindBatch && !f.Flaws.Has(client.FlawGlued|client.FlawMany) {
		v.batch(r, f)
	}
	for i := range f.Messages {
		v.message(r, f, &f.Messages[i])
	}
	if r.told && f.Kind.IsMessage() {
		v.add(outputAfterTerm, "a %s came after the server was told to end", f.Kind)
	}
	return v.marks
}

// sent notes the requests of a line of ours.
func (r *run) sent(f *client.Frame) {
	for i := range f.Messages {
		if m := &f.Messages[i]; m.Kind == client.KindRequest {
			method, _ := client.Text(f.Body.Slice(m.Method.Start, m.Method.End))
			q := request{id: string(f.Body.Slice(m.ID.Start, m.ID.End)), method: method, probe: r.probing}
			r.probing = false
			if m.Params.Present() && strings.HasSuffix(method, "/list") {
				q.first = client.Get(f.Body.Slice(m.Params.Start, m.Params.End), "cursor") == nil
			} else {
				q.first = true
			}
			r.open = append(r.open, q)
		}
	}
}

// answered notes that a request is no longer owed an answer, and says which; ok is false when it is
// none of the open ones.
func (r *run) answered(f *client.Frame, m *client.Message) (q request, ok bool) {
	if len(r.open) == 0 {
		return q, false
	}
	if !m.ID.Present() || m.Flaws.Has(client.FlawIDNull) {
		if m.Kind == client.KindError && len(r.open) == 1 {
			r.open = nil
		}
		return q, false
	}
	id := f.Body.Slice(m.ID.Start, m.ID.End)
	return r.drop(func(q request) bool { return q.id == string(id) })
}

func (r *run) drop(match func(request) bool) (q request, ok bool) {
	for i, q := range r.open {
		if match(q) {
			r.open = append(r.open[:i], r.open[i+1:]...)
			return q, true
		}
	}
	return q, false
}

// owed names the requests that wait for an answer.
func (r *run) owed() string {
	var names []string
	for _, q := range r.open {
		names = append(names, fmt.Sprintf("%s (id %s)", q.method, q.id))
	}
	return strings.Join(names, ", ")
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
