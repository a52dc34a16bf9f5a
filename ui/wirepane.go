package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/vlist"
)

// wirePane is the log as rows in the order of arrival. It holds no rows: it asks the log for the
// few that are visible.
type wirePane struct {
	list    vlist.List
	rows    rows
	log     *session.Log
	sieve   *sieve             // of the filter; nil for none
	side    int                // cells that the text of the rows is moved to the left
	differs func(seq int) bool // of a replay; nil for none
	home    int                // the row that the cursor goes back to as far as the sieve has come; noRow for none
}

func (p *wirePane) follow(on bool) {
	p.list.Tail = true
	p.list.Follow(on)
}

// sync takes over what the log has now; the command it returns judges rows for the filter.
func (p *wirePane) sync(ctx context.Context, log *session.Log) (cmd tea.Cmd) {
	p.log = log
	p.list.Key = func(i int) int64 { return int64(p.rows.seq(i)) }
	n := log.Len()
	p.rows = rows{n: n, first: log.First()}
	if s := p.sieve; s != nil {
		s.letGo(p.rows.first)
		s.touch(log.Touched())
		cmd = s.keepUp(ctx, log)
		p.rows.picked = s.picked
	}
	p.list.SetLen(p.rows.len())
	if p.home != noRow && !p.list.Following() {
		i, _ := p.rows.index(p.home)
		p.list.Go(i)
	}
	if p.list.Following() || p.sieve == nil || p.sieve.upto >= n {
		p.home = noRow
	}
	return cmd
}

// filter shows the rows that pass only; nil shows all. The cursor goes to a row, or to the next
// behind it.
func (p *wirePane) filter(x *filter.Expr, row int) {
	p.home = row
	p.sieve.end()
	if p.sieve = nil; x != nil && !x.Empty() {
		p.sieve = newSieve(x)
	}
}

// filtered is the filter as it was written.
func (p *wirePane) filtered() string {
	if p.sieve == nil {
		return ""
	}
	return p.sieve.expr.String()
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

func (p *wirePane) note() string {
	out := text.Plural(p.rows.n, "row")
	if p.sieve != nil {
		out = p.sieve.count(p.rows.n)
	}
	if p.rows.first > 0 && p.sieve == nil {
		out = fmt.Sprintf("newest %s of %s", text.Count(p.rows.len()), text.Plural(p.rows.n, "row"))
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

// searchBytes is how much of a body a search in the wire looks at: the Detail pane searches all of it.
const searchBytes = 1 << 20

// holds makes what a search looks for: a row whose line on the screen or whose bytes hold the text.
// It may be called beside the loop.
func (p *wirePane) holds(q string) func(*session.Event) bool {
	log, want := p.log, filter.NewText(q)
	return func(e *session.Event) bool {
		if what, _ := e.Subject(log.About(e)); want.InString(what) {
			return true
		}
		body := log.Body(e.Seq)
		return e.Note == nil && want.In(body.Slice(0, min(body.Len(), searchBytes)))
	}
}

// sign is one cell that says that a row has more to it: a difference of a replay, a mark, a note.
func (p *wirePane) sign(e *session.Event) string {
	if p.differs != nil && p.differs(e.Seq) {
		return signDiffers
	}
	return signOf(e)
}

func (p *wirePane) view(l look, w, h int, focused bool) []string {
	if s := p.sieve; s != nil && len(s.picked) == 0 && s.upto >= p.rows.n {
		return []string{l.Paint(theme.Faint, l.fit(" no row passes the filter: f changes it, esc clears it", w))}
	}
	return show(&p.list, w, h, func(i, w int, selected bool) string {
		e, ok := p.log.Event(p.rows.seq(i))
		if !ok {
			return l.fit("", w)
		}
		s, role := l.wireRow(&e, p.sign(&e), l.maskCut(p.log.About(&e)), w-1, p.side)
		mark := " "
		if selected {
			mark = ">"
		}
		s = l.fit(mark+s, w)
		if selected && focused {
			return l.Paint(theme.Cursor, s)
		}
		return l.Paint(role, s)
	})
}
