// Package replay says to a live server what a recorded client said, and compares the answers.
package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// Options say how.
type Options struct {
	Ignore   []string                                  // JSON pointers into answers that are not compared; see diff.Ignoring
	Timeout  time.Duration                             // of each answer; progress restarts it; 0 for none
	Secret   func(name string) (value string, ok bool) // what was masked in the recording
	Volatile []session.Volatile                        // places that are not compared, by method and name
	Moved    <-chan struct{}                           // has a value when the live log may have grown
}

// Difference is one place where an answer is not what it was.
type Difference struct {
	Seq    int             `json:"seq"` // row of the request in the recording
	Method string          `json:"method"`
	Path   string          `json:"path"` // JSON pointer into the answer
	Was    json.RawMessage `json:"was,omitempty"`
	Now    json.RawMessage `json:"now,omitempty"`

	Title  string `json:"-"` // of the request, for people
	Answer int    `json:"-"` // row of the recorded answer
	Live   int    `json:"-"` // row of the live one
}

// Odd is a message that has no other side.
type Odd struct {
	Seq    int    `json:"seq"` // row of the recorded request; of the live session where there is none
	Method string `json:"method"`
	Text   string `json:"text"` // one sentence

	Title string `json:"-"`
}

// Report is what a replay found.
type Report struct {
	Compared  int          `json:"compared"` // answers
	Same      int          `json:"same"`
	Different []Difference `json:"different"`
	Missing   []Odd        `json:"missing"`   // was recorded, did not come
	Unmatched []Odd        `json:"unmatched"` // came, was not recorded

	answers map[*script.Turn][]byte // the live ones
	live    map[*script.Turn]int    // their rows
}

// Clean reports whether nothing differed.
func (r *Report) Clean() bool {
	return len(r.Different) == 0 && len(r.Missing) == 0 && len(r.Unmatched) == 0
}

// Plan says in a few words what turns send: "12 messages, 2 × tools/call wipe".
func Plan(turns []*script.Turn) string {
	var titles []string
	count := map[string]int{}
	for _, t := range turns {
		title := t.Title()
		if count[title]++; count[title] == 1 {
			titles = append(titles, title)
		}
	}
	line := plural(len(turns), "message")
	for _, title := range titles {
		line += ", "
		if n := count[title]; n > 1 {
			line += fmt.Sprintf("%d × ", n)
		}
		line += title
	}
	return line
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Sum says in a few words what a replay found.
func (r *Report) Sum() string {
	line := fmt.Sprintf("%d of %s the same", r.Same, plural(r.Compared, "answer"))
	if n := len(r.Different); n > 0 {
		line += ", " + plural(n, "difference")
	}
	if n := len(r.Missing); n > 0 {
		line += fmt.Sprintf(", %d missing", n)
	}
	if n := len(r.Unmatched); n > 0 {
		line += fmt.Sprintf(", %d that nothing was recorded for", n)
	}
	return line
}

// Turns are the messages of a script that a replay sends: all but the opening, which every
// connection has of its own, and the answers to pings, which it gives by itself.
func Turns(s *script.Script) []*script.Turn {
	return slices.DeleteFunc(slices.Clone(behindOpening(s)), func(t *script.Turn) bool {
		return t.Answers != nil && t.Answers.Method == client.MethodPing && !sharesLine(s, t)
	})
}

// sharesLine reports whether other messages of a batch stand on the line of a turn.
func sharesLine(s *script.Script, t *script.Turn) bool {
	for _, o := range s.Turns {
		if o != t && o.Seq == t.Seq {
			return true
		}
	}
	return false
}

// behindOpening are the messages behind the opening.
func behindOpening(s *script.Script) []*script.Turn {
	for i, t := range s.Turns {
		if !t.Opens {
			return s.Turns[i:]
		}
	}
	return nil
}

// player is a replay at work.
type player struct {
	live   *session.Session
	script *script.Script
	o      Options
	report Report

	looked int                     // rows of the live log
	ids    map[*script.Turn]string // live ids of what was sent
	sent   map[string]*script.Turn // and back
	rows   map[int]*script.Turn    // by row of the live log
	got    map[*script.Turn]bool   // answered
	lost   map[*script.Turn]bool   // waited for in vain
	values map[string]string       // cursors and request states: recorded to live, raw
	asks   []ask                   // of the live server, not yet answered
	moved  map[string]int          // progress by token
	last   int64                   // id
}

// ask is a request of the live server.
type ask struct {
	seq  int
	id   string
	said script.Said
}

// Asked says which requests of the server Run answers; it is for session.Options.
func Asked(in client.Incoming) bool { return in.MethodName() != client.MethodPing }

// Run replays a script on a session that has just connected, whose requests from the server are
// left to it (session.Options.Asked), and compares. An error is one of the connection or of ctx: the
// report is valid as far as it came.
func Run(ctx context.Context, live *session.Session, s *script.Script, o Options) (*Report, error) {
	p := &player{live: live, script: s, o: o, ids: map[*script.Turn]string{}, sent: map[string]*script.Turn{}, rows: map[int]*script.Turn{},
		got: map[*script.Turn]bool{}, lost: map[*script.Turn]bool{}, values: map[string]string{}, moved: map[string]int{}}
	p.report = Report{Different: []Difference{}, Missing: []Odd{}, Unmatched: []Odd{}}
	p.opening()
	err := p.play(ctx)
	p.look()
	if err == nil {
		err = p.end(ctx)
	}
	p.unsaid()
	for _, a := range p.asks {
		p.report.Unmatched = append(p.report.Unmatched, Odd{a.seq, a.said.Method, "the server asks for " + a.said.Method + ", which the recording does not answer", a.said.Method})
	}
	return &p.report, err
}

// unsaid settles what neither side came to: answers that cannot come any more, and requests of the
// server that were not answered in the recording either.
func (p *player) unsaid() {
	for _, t := range Turns(p.script) {
		if t.Answer == nil || p.got[t] || p.lost[t] {
			continue
		}
		text := "it was not answered"
		if _, sent := p.ids[t]; !sent {
			text = "it was not sent"
		}
		p.report.Missing = append(p.report.Missing, Odd{t.Seq, t.Method, text, t.Title()})
	}
	for _, said := range p.script.Unanswered {
		p.take(said)
	}
}

// opening compares what the server said of itself.
func (p *player) opening() {
	log := p.live.Log()
	p.looked = p.live.Settled()
	answers := map[string]client.Body{}
	rows := map[string]int{}
	log.Each(0, func(e session.Event) bool {
		if e.Run == p.live.Snapshot().Run && e.Stream == client.Out && e.Kind.IsAnswer() && e.Pair != session.NoPair {
			answers[e.Method], rows[e.Method] = log.Body(e.Seq), e.Seq
		}
		if e.Stream == client.In && e.Kind == client.KindRequest {
			if n, err := strconv.ParseInt(e.ID, 10, 64); err == nil {
				p.last = max(p.last, n)
			}
		}
		return e.Seq < p.looked
	})
	for _, t := range p.script.Turns {
		if !t.Opens {
			return
		}
		now, ok := answers[t.Method]
		if ok && t.Answer != nil {
			p.compare(t, rows[t.Method], now.Bytes())
		}
	}
}

// play sends every turn when its time has come.
func (p *player) play(ctx context.Context) error {
	turns := Turns(p.script)
	for i := 0; i < len(turns); {
		n := i + 1
		for n < len(turns) && turns[n].Seq == turns[i].Seq {
			n++ // a batch is one line
		}
		if err := p.before(ctx, turns[i].Seq); err != nil {
			return err
		}
		if err := p.send(ctx, turns[i:n]); err != nil {
			return err
		}
		i = n
	}
	return p.before(ctx, maxRow)
}

// maxRow is behind every row.
const maxRow = int(^uint(0) >> 1)

// before waits until every answer has come that came before a row of the recording.
func (p *player) before(ctx context.Context, row int) error {
	for _, t := range p.script.Turns {
		if t.Seq >= row {
			break
		}
		if _, sent := p.ids[t]; !sent || t.Answer == nil || t.Answer.Seq > row || p.got[t] || p.lost[t] {
			continue
		}
		came, err := p.await(ctx, t.Token, func() bool { return p.got[t] })
		if err != nil {
			return err
		}
		if !came {
			p.lost[t] = true
			p.report.Missing = append(p.report.Missing, Odd{t.Seq, t.Method, "no answer came within " + p.o.Timeout.String(), t.Title()})
		}
	}
	return nil
}

// errEnded is a server that ended although the recorded one did not.
var errEnded = errors.New("the server ended before everything was sent")

// await looks at what comes until done says so; false when the time is over. Progress of the given
// token restarts the time.
func (p *player) await(ctx context.Context, token string, done func() bool) (bool, error) {
	var limit <-chan time.Time
	var timer *time.Timer
	if p.o.Timeout > 0 {
		timer = time.NewTimer(p.o.Timeout)
		defer timer.Stop()
		limit = timer.C
	}
	for seen := p.moved[token]; ; {
		over := false
		select {
		case <-p.live.Done():
			over = true
		default:
		}
		p.look()
		if done() {
			return true, nil
		}
		if over {
			return false, p.closed()
		}
		if n := p.moved[token]; timer != nil && token != "" && n > seen {
			seen = n
			timer.Reset(p.o.Timeout)
		}
		select {
		case <-p.o.Moved:
		case <-p.live.Done():
		case <-limit:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// closed is why nothing can come any more.
func (p *player) closed() error {
	c := &client.ClosedError{Err: errEnded}
	if box := p.live.Snapshot().Box; box != nil {
		exit := box.Exit
		c.Exit = &exit
	}
	return c
}

// end compares how the server ended, where it ended by itself in the recording.
func (p *player) end(ctx context.Context) error {
	exit := p.script.Exit
	if exit == nil || exit.Asked != client.AskedNo {
		return nil
	}
	over, err := p.await(ctx, "", func() bool { return p.live.Snapshot().Box != nil })
	now := "it still runs"
	if box := p.live.Snapshot().Box; box != nil {
		over, err, now = true, nil, box.Exit.String()
	}
	if err != nil {
		return err
	}
	p.report.Compared++
	if over && sameEnd(exit.String(), now) {
		p.report.Same++
		return nil
	}
	d := Difference{Seq: p.lastSeq(), Method: exitMethod, Was: client.Quote(exit.String()), Now: client.Quote(now), Title: "how the server ends"}
	p.report.Different = append(p.report.Different, d)
	return nil
}

// exitMethod stands for the end of the server where a difference names a method.
const exitMethod = "exit"

func (p *player) lastSeq() int {
	if t := p.script.ExitCause; t != nil {
		return t.Seq
	}
	return 0
}

// sameEnd compares two ends: a program that a shell or a wrapper started ends with the number of the
// signal and 128 where it would have died of it.
func sameEnd(was, now string) bool {
	return was == now || endStatus(was) == endStatus(now)
}

func endStatus(end string) string {
	name, ok := strings.CutPrefix(end, "signal ")
	if !ok {
		return end
	}
	if n := signalNumber(name); n > 0 {
		const shells = 128
		return "exit status " + strconv.Itoa(shells+n)
	}
	return end
}
