package client

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// heard is when bytes last came, for each stream of a server.
type heard [Err + 1]atomic.Int64

func (h *heard) at(s Stream, at time.Duration) { h[s].Store(int64(at) + 1) }

// last is when bytes last came on a stream; false when none did.
func (h *heard) last(s Stream) (at time.Duration, ok bool) {
	n := h[s].Load()
	return time.Duration(n - 1), n > 0
}

// progress is the latest that a call told of itself.
type progress struct {
	said string // "20/100 copying"
	at   time.Duration
}

// progress keeps the latest of a call.
func (c *Conn) progress(p *pendingCall, params []byte) {
	c.mu.Lock()
	p.latest = progress{ProgressText(params), c.door.Now()}
	c.mu.Unlock()
}

// ProgressText is what a progress notification says, from its params: "20/100 copying".
func ProgressText(params []byte) string {
	text := string(Get(params, "progress"))
	if total := Get(params, "total"); total != nil && string(total) != "null" {
		text += "/" + string(total)
	}
	if m := GetText(params, "message"); m != "" {
		text += " " + m
	}
	return text
}

// strays are the answers that came for no open request.
type strays struct {
	n  int
	id string // of the latest, raw; empty when it had none
	at time.Duration
}

func (c *Conn) stray(id string, in Incoming) {
	c.mu.Lock()
	c.strays = strays{c.strays.n + 1, id, in.At}
	c.mu.Unlock()
}

// quiet tells when a call has been silent for a while, and again after longer and longer times.
type quiet struct {
	every time.Duration
	over  <-chan time.Time // nil for a call that nobody watches
	timer *time.Timer
	said  []string // what was noted last
}

func newQuiet(every time.Duration) *quiet {
	q := &quiet{every: every}
	if every > 0 {
		q.timer = time.NewTimer(every)
		q.over = q.timer.C
	}
	return q
}

func (q *quiet) reset() {
	if q.timer != nil {
		q.timer.Reset(q.every)
		q.said = nil // what was known before does not hold any more
	}
}

func (q *quiet) stop() {
	if q.timer != nil {
		q.timer.Stop()
	}
}

// hangs notes what is known of a silent call, unless that has been noted, and looks again later: a
// quarter of the time it has run, so that a call of an hour fills no log.
func (c *Conn) hangs(p *pendingCall, q *quiet) {
	facts := c.facts(p)
	if !slices.Equal(facts, q.said) {
		c.noteHang(p, facts)
		q.said = facts
	}
	q.timer.Reset(max(q.every, (c.door.Now()-p.sent)/4))
}

// Why notes at once what is known of why each open call has no answer yet, and says how many there are.
func (c *Conn) Why() int {
	c.mu.Lock()
	var open []*pendingCall
	for _, p := range c.pending {
		if p.method != MethodListen { // it is open by its nature
			open = append(open, p)
		}
	}
	c.mu.Unlock()
	slices.SortFunc(open, func(a, b *pendingCall) int { return int(a.sent - b.sent) })
	for _, p := range open {
		c.noteHang(p, c.facts(p))
	}
	return len(open)
}

func (c *Conn) noteHang(p *pendingCall, facts []string) {
	now := c.door.Now()
	c.door.Note(Note{Run: c.run, At: now, What: NoteHang, ID: p.id, Data: factsData(facts),
		Text: fmt.Sprintf("%s (id %s) has no answer after %s: %s", p.method, p.id, Elapsed(now-p.sent, 100*time.Millisecond), strings.Join(facts, "; "))})
}

func factsData(facts []string) []byte {
	var list bytes.Buffer
	for i, f := range facts {
		if i > 0 {
			list.WriteByte(',')
		}
		list.Write(Quote(f))
	}
	return fmt.Appendf(nil, `{"facts":[%s]}`, list.Bytes())
}

// Facts are those of a note about a call that has no answer.
func (n *Note) Facts() (facts []string) {
	for raw := range Elements(Get(n.Data, "facts")) {
		if t, ok := Text(raw); ok {
			facts = append(facts, t)
		}
	}
	return facts
}

// elsewhere tells of the answers that came for no open request since a call was sent: one of them may
// be meant for it.
func (c *Conn) elsewhere(p *pendingCall) string {
	c.mu.Lock()
	s := c.strays
	c.mu.Unlock()
	n := s.n - p.strays
	if n <= 0 {
		return ""
	}
	with := "without an id"
	if s.id != "" {
		with = fmt.Sprintf("with the id %s (%s)", Excerpt([]byte(s.id)), IDType(s.id))
	}
	what := "an answer came for no open request,"
	if n > 1 {
		what = fmt.Sprintf("%d answers came for no open request, the latest", n)
	}
	return fmt.Sprintf("%s %s, %s; this one has the id %s (%s), which its answer must repeat", what, with, p.after(s.at), p.id, IDType(p.id))
}

func (p *pendingCall) after(at time.Duration) string {
	return Elapsed(at-p.sent, time.Millisecond) + " after the request"
}

// since are the facts about what came since a call was sent. Times are told from there: they stay true.
func (c *Conn) since(p *pendingCall) (facts []string) {
	c.mu.Lock()
	latest := p.latest
	c.mu.Unlock()
	if latest.said != "" {
		facts = append(facts, fmt.Sprintf("the last progress, %s, came %s", latest.said, p.after(latest.at)))
	}
	t, ok := c.tr.(interface {
		lastByte(Stream) (time.Duration, bool)
	})
	if !ok {
		return facts
	}
	from := "stdout"
	if c.exchanges() {
		from = "the connection"
	}
	switch at, ok := t.lastByte(Out); {
	case !ok:
		facts = append(facts, "no byte has ever come on "+from)
	case at < p.sent:
		facts = append(facts, fmt.Sprintf("nothing has come on %s since the request; the last byte came %s before it", from, Elapsed(p.sent-at, time.Millisecond)))
	default:
		facts = append(facts, fmt.Sprintf("the last byte on %s came %s", from, p.after(at)))
	}
	if at, ok := t.lastByte(Err); ok && at >= p.sent {
		facts = append(facts, "the last byte on stderr came "+p.after(at))
	}
	return facts
}

func (t *Stdio) lastByte(s Stream) (time.Duration, bool)  { return t.heard.last(s) }
func (t *Socket) lastByte(s Stream) (time.Duration, bool) { return t.heard.last(s) }
func (t *HTTP) lastByte(s Stream) (time.Duration, bool)   { return t.heard.last(s) }
