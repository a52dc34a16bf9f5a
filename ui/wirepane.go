package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/vlist"
)

// wirePane is the log as rows: every frame, the calls, or what the server logs. It holds no rows:
// it asks the log for the few that are visible.
type wirePane struct {
	list    vlist.List
	rows    rows
	log     *session.Log
	view    session.View
	expr    *filter.Expr       // of the person; nil for none
	least   int                // the least level of the messages that are shown, among session.LogLevels
	sieve   *sieve             // of both; nil when every row of the view is shown
	ranked  *ranked            // of the calls; nil for the order of time
	story   *storyView         // stands in front of the view; nil for none
	times   timeColumn         // what the column of time shows
	side    int                // cells that the text of the rows is moved to the left
	home    int                // the row that the cursor goes back to as far as the sieve has come; noRow for none
	clock   clock              // of the session
	differs func(seq int) bool // of a replay; nil for none
	waits   []session.Call     // those of ours that are not answered
}

func (p *wirePane) follow(on bool) {
	if on && p.ranked != nil && p.story == nil {
		p.rank(session.ByTime)
	}
	p.list.Tail = p.ranked == nil || p.story != nil
	p.list.Follow(on)
}

// sync takes over what the log has now; the commands it returns judge and rank rows.
func (p *wirePane) sync(ctx context.Context, log *session.Log, c clock) tea.Cmd {
	p.log, p.clock = log, c
	n := log.Len()
	p.rows = rows{n: n, first: log.First(), picked: log.Rows(p.view)}
	touched, all := log.Touched(), p.rows.picked
	if v := p.story; v != nil {
		if p.sieve != nil {
			p.sieve.touch(touched)
		}
		read := v.goOn(ctx)
		p.rows.picked = v.rows
		if p.rows.picked == nil {
			p.rows.picked = []int32{} // nil stands for all
		}
		p.arrange(n)
		return read
	}
	var judge, rank tea.Cmd
	if s := p.sieve; s != nil {
		s.letGo(p.rows.first)
		s.touch(touched)
		judge = s.keepUp(ctx, log)
		p.rows.picked = s.picked
	}
	if r := p.ranked; r != nil {
		changed := len(all)
		if p.sieve != nil {
			changed, p.sieve.changed = p.sieve.changed, len(p.sieve.picked)
		}
		if r.work != nil && p.sieve != nil {
			p.sieve.changed = min(changed, p.sieve.changed) // it is asked again when the work is done
		}
		rank = r.sync(ctx, log, p.rows.picked, changed)
		p.rows.rank = r.ranking
	}
	p.arrange(n)
	return tea.Batch(judge, rank)
}

// arrange gives the list the rows, and the cursor its own.
func (p *wirePane) arrange(n int) {
	p.list.Key = func(i int) int64 { return int64(p.rows.seq(i)) }
	p.list.Index = nil
	if p.rows.rank != nil {
		p.list.Index = func(key int64) (int, bool) {
			if i, ok := p.rows.index(int(key)); ok {
				return i, true
			}
			return p.list.Cursor(), false
		}
	}
	p.list.SetLen(p.rows.len())
	if p.home != noRow && !p.list.Following() {
		i, _ := p.rows.index(p.home)
		p.list.Go(i)
	}
	if p.list.Following() || p.level(n) {
		p.home = noRow
	}
}

// level reports whether all rows of the view are known.
func (p *wirePane) level(n int) bool {
	if p.story != nil {
		return p.story.work == nil
	}
	return p.sieve == nil || p.sieve.upto >= n
}

// filter shows the rows that pass only; nil shows all. The cursor goes to a row, or to the next
// behind it.
func (p *wirePane) filter(x *filter.Expr, row int) {
	p.story.end()
	p.story = nil
	if p.expr = x; x != nil && x.Empty() {
		p.expr = nil
	}
	p.sift(row)
}

// sift begins to judge the rows anew, for the filter and the level.
func (p *wirePane) sift(row int) {
	p.home = row
	p.sieve.end()
	p.sieve = nil
	x := p.expr
	if p.view == session.Messages && p.least > 0 {
		level := "level:" + session.LogLevels[p.least]
		if x != nil {
			level = "(" + x.String() + ") " + level
		}
		if both, err := filter.Parse(level); err == nil { // else the filter is too long for anything more
			x = both
		}
	}
	if x != nil {
		p.sieve = newSieve(x, p.view)
	}
	if p.ranked != nil {
		p.rank(p.ranked.order)
	}
}

// show turns to a view, with the cursor on its row or the next behind it.
func (p *wirePane) show(v session.View) {
	row, following := p.place(), p.list.Following()
	p.story.end()
	p.story = nil
	if p.view = v; v != session.Calls {
		p.ranked.end()
		p.ranked = nil
	}
	p.list.Tail = p.ranked == nil
	p.sift(row)
	if following && p.ranked == nil {
		p.follow(true)
	}
}

// rank puts the calls in an order.
func (p *wirePane) rank(o session.Order) {
	p.ranked.end()
	if p.ranked = nil; o != session.ByTime {
		p.ranked = &ranked{order: o}
		p.list.Follow(false)
	}
	p.list.Tail = p.ranked == nil
}

// nextOrder ranks the calls by the next measure; of the messages it shows those of the next level.
func (p *wirePane) nextOrder() (said string) {
	if p.story != nil {
		return "a story stands in the order in which it came; esc leaves it"
	}
	switch p.view {
	case session.Calls:
		p.home = p.place()
		p.rank((p.order() + 1) % (session.ByName + 1))
		return "calls by " + p.order().String()
	case session.Messages:
		p.least = (p.least + 1) % len(session.LogLevels)
		p.sift(p.place())
		if p.least == 0 {
			return "messages of every level"
		}
		return "messages from " + session.LogLevels[p.least] + " on"
	}
	return "frames stand in the order in which they came: v shows the calls, which have others"
}

func (p *wirePane) order() session.Order {
	if p.ranked == nil {
		return session.ByTime
	}
	return p.ranked.order
}

// filtered is the filter as it was written.
func (p *wirePane) filtered() string {
	if p.expr == nil {
		return ""
	}
	return p.expr.String()
}

// place is the row to come back to when other rows are shown.
func (p *wirePane) place() int {
	if row := p.selected(); p.home == noRow && row >= 0 {
		return row
	}
	return p.home
}

// selected is the row under the cursor, -1 when there is none.
func (p *wirePane) selected() int {
	if i := p.list.Cursor(); i >= 0 && i < p.rows.len() {
		return p.rows.seq(i)
	}
	return -1
}

// detailed is the row that the detail shows: of a call its answer, once that is there; other turns
// to the other side.
func (p *wirePane) detailed(other bool) int {
	seq := p.selected()
	if (p.view == session.Calls && p.story == nil) == other {
		return seq
	}
	if e, ok := p.log.Event(seq); ok && e.Pair != session.NoPair {
		return e.Pair
	}
	return seq
}

// goTo puts the cursor on a row, or the one behind it.
func (p *wirePane) goTo(seq int) {
	p.home = noRow
	i, _ := p.rows.index(seq)
	p.list.Go(i)
}

func (p *wirePane) move(act Action) {
	p.home = noRow
	switch act {
	case actLeft:
		p.side = max(p.side-sideStep, 0)
	case actRight:
		p.side += sideStep
	default:
		moveList(&p.list, act)
	}
}

// views names the views; the one in use is in brackets, with its order or level.
func (p *wirePane) views() string {
	if p.story != nil {
		return fmt.Sprintf("story of #%d %s", p.story.seq, p.story.of)
	}
	var out []string
	for v := session.Frames; v <= session.Messages; v++ {
		name := v.String()
		if v == p.view {
			switch {
			case p.ranked != nil:
				name += " by " + p.order().String()
			case v == session.Messages && p.least > 0:
				name += " from " + session.LogLevels[p.least]
			}
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// viewName is the view in use where there is no room for all names.
func (p *wirePane) viewName() string {
	return [...]string{session.Frames: "Wire", session.Calls: "Calls", session.Messages: "Messages"}[p.view]
}

// nouns are what the rows of the views are.
var nouns = [...]string{session.Frames: "row", session.Calls: "call", session.Messages: "message"}

func (p *wirePane) note() string {
	if p.story != nil {
		return p.story.count()
	}
	of := p.rows.n
	if p.view != session.Frames {
		of = len(p.log.Rows(p.view))
	}
	out := text.Plural(of, nouns[p.view])
	switch {
	case p.sieve != nil:
		out = p.sieve.count(of, p.rows.n, nouns[p.view])
	case p.rows.first > 0 && p.view == session.Frames:
		out = fmt.Sprintf("newest %s of %s", text.Count(p.rows.len()), text.Plural(p.rows.n, "row"))
	}
	if p.ranked != nil && p.ranked.ranking == nil {
		out += ", being ranked"
	}
	if p.list.Following() {
		out += " FOLLOW"
	}
	return out
}

// odd reports whether a row is stray, an unasked exit, or has a finding worth a look.
func odd(e *session.Event) bool {
	if e.Stray() || e.Note != nil && e.Note.What == client.NoteExit && e.Note.Exit.Asked == client.AskedNo {
		return true
	}
	for _, m := range e.Marks {
		if m.Severity >= session.Warning {
			return true
		}
	}
	return false
}

// searchPiece is how much of a body a search looks at in one piece: one of several segments is copied for it.
const searchPiece = 1 << 20

// holds makes what a search looks for: a row whose line on the screen or whose bytes hold the text.
// It may be called beside the loop.
func (p *wirePane) holds(q string) func(*session.Event) bool {
	log, want := p.log, filter.NewText(q)
	return func(e *session.Event) bool {
		if what, _ := e.Subject(log.About(e)); want.InString(what) {
			return true
		}
		if e.Note != nil {
			return false
		}
		body := log.Body(e.Seq)
		if e.Kept < e.Size {
			body, _, _ = log.Read(e.Seq)
		}
		for at, n := 0, body.Len(); at < n; at += searchPiece {
			if want.In(body.Slice(at, min(n, at+searchPiece+len(q)))) { // it may stand over the border
				return true
			}
		}
		return false
	}
}

// either makes what is looked for in a row looked for in a call: in its request and its answer.
func (p *wirePane) either(pass func(*session.Event) bool) func(*session.Event) bool {
	if p.view != session.Calls || p.story != nil {
		return pass
	}
	log := p.log
	return func(e *session.Event) bool {
		if pass(e) || e.Pair == session.NoPair {
			return pass(e)
		}
		a, ok := log.Event(e.Pair)
		return ok && pass(&a)
	}
}

// sign is one cell that says that a row has more to it: a difference of a replay, a mark, a note.
func (p *wirePane) sign(e *session.Event) string {
	if p.differs != nil && p.differs(e.Seq) {
		return signDiffers
	}
	return signOf(e)
}
