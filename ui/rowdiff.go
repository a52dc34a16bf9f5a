package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// rowsDiff is what differs between two rows: of calls what was sent and what was answered, of
// anything else the message.
type rowsDiff struct {
	rows  [2]int
	parts []partDiff
}

// partDiff is one pair of messages.
type partDiff struct {
	name     string
	rows     [2]int
	why      string // they could not be compared
	list     []diff.Difference
	complete bool
}

// rowsDiffMsg brings a comparison.
type rowsDiffMsg struct {
	of   *sheet
	diff rowsDiff
}

// diffMarked compares the two rows that are marked, or the one that is with the row under the cursor.
func (a *app) diffMarked() tea.Cmd {
	var marked []int
	for _, m := range a.sess.Log().Markings() {
		if m.Marked {
			marked = append(marked, m.Seq)
		}
	}
	row := a.wire.selected()
	switch n := len(marked); {
	case n == 0:
		a.say("D compares two marked rows, or a marked one with the row under the cursor: m marks")
		return nil
	case n == 1 && marked[0] == row:
		a.say("only this row is marked: put the cursor on the other one, or mark it too")
		return nil
	case n == 1:
		marked = append(marked, row)
	case n > 2:
		a.say("%d rows are marked: D compares two, the first and the last of them are shown", n)
		marked = []int{marked[0], marked[n-1]}
	}
	rows := [2]int{marked[0], marked[1]}
	return a.diffRows(rows)
}

// diffRows compares two rows in front of the panes.
func (a *app) diffRows(rows [2]int) tea.Cmd {
	p := a.picture(fmt.Sprintf("#%d beside #%d", rows[0], rows[1]), func() tea.Cmd { return a.diffRows(rows) })
	p.make = func(look, int) ([]line, []int) { return []line{{text: "comparing", role: theme.Faint}}, nil }
	a.help = p
	log := a.sess.Log()
	return func() tea.Msg { return rowsDiffMsg{p, compareRows(log, rows)} }
}

// compareRows may read the recording.
func compareRows(log *session.Log, rows [2]int) rowsDiff {
	d := rowsDiff{rows: rows}
	asked := [2]int{log.RequestFor(rows[0]), log.RequestFor(rows[1])}
	if asked[0] < 0 || asked[1] < 0 || asked[0] == asked[1] {
		d.parts = append(d.parts, comparePart(log, "message", rows))
		return d
	}
	answers := [2]int{session.NoPair, session.NoPair}
	for i, seq := range asked {
		if e, ok := log.Event(seq); ok {
			answers[i] = e.Pair
		}
	}
	return rowsDiff{rows, []partDiff{comparePart(log, "sent", asked), comparePart(log, "answered", answers)}}
}

func comparePart(log *session.Log, name string, rows [2]int) partDiff {
	p := partDiff{name: name, rows: rows}
	var raw [2][]byte
	for i, seq := range rows {
		body, masked, err := log.Read(seq)
		switch {
		case seq == session.NoPair:
			p.why = "one of the two has no answer"
			return p
		case err != nil:
			p.why = fmt.Sprintf("#%d cannot be compared: %v", seq, err)
			return p
		case masked > 0:
			p.why = fmt.Sprintf("#%d is in the recording only, and masked there: it cannot be compared", seq)
			return p
		}
		raw[i] = body.Bytes()
	}
	ignore, _ := diff.Ignoring("/jsonrpc", "/id", "/params/_meta/"+client.MetaProgressToken) // pointers that are valid
	p.list, p.complete = diff.Compare(raw[0], raw[1], ignore)
	return p
}

// rowsCompared shows what differs.
func (a *app) rowsCompared(m rowsDiffMsg) {
	heads := [2]string{a.rowHead(m.diff.rows[0]), a.rowHead(m.diff.rows[1])}
	m.of.make = func(l look, width int) ([]line, []int) { return m.diff.lines(l, width, heads) }
	m.of.keys = append([]string{"enter its row"}, m.of.keys...)
	m.of.width = 0
}

// rowHead says in a line what a row is.
func (a *app) rowHead(seq int) string {
	log := a.sess.Log()
	if q := log.RequestFor(seq); q >= 0 {
		seq = q
	}
	e, ok := log.Event(seq)
	if !ok {
		return fmt.Sprintf("#%d", seq)
	}
	if e.Kind != client.KindRequest {
		what, _ := e.Subject(log.About(&e))
		return fmt.Sprintf("#%d %s", seq, what)
	}
	outcome, _ := a.wire.outcome(&e)
	out := fmt.Sprintf("#%d %s %s", seq, strings.TrimSpace(e.Method+" "+log.About(&e)), outcome)
	if e.Latency >= 0 {
		out += " " + text.Duration(e.Latency)
	}
	return out
}

// sideBySideFrom is the width from which on the two stand beside each other.
const sideBySideFrom = 100

// lines draws the differences: a path, and what stands there in each, side by side where that fits.
func (d *rowsDiff) lines(l look, width int, heads [2]string) (out []line, rows []int) {
	b := &lineBuilder{look: l, width: width}
	about := func(row int) {
		for len(rows) < len(b.out) {
			rows = append(rows, row)
		}
	}
	b.pair2(theme.Title, theme.Title, "", heads[0], heads[1])
	about(d.rows[1])
	for _, p := range d.parts {
		said := diff.Summary(p.list, p.complete)
		if p.why != "" {
			said = p.why
		} else if len(p.list) == 0 {
			said = "the same"
		}
		b.wrap(theme.Mark, "", fmt.Sprintf("%s: %s", p.name, said))
		for _, x := range p.list {
			path := x.Path
			if path == "" {
				path = "all of it"
			}
			b.wrap(theme.Name, "  ", path)
			was, now := x.Was, x.Now
			if x.Kind == diff.Changed {
				was, now = fromDifference(was, now)
			}
			from := len(b.out)
			b.pair2(theme.Bad, theme.Good, "  ", signed("- ", was), signed("+ ", now))
			for i := from; i < len(b.out); i++ {
				if b.out[i].copy = string(x.Now); x.Now == nil {
					b.out[i].copy = string(x.Was)
				}
			}
		}
		about(p.rows[1])
		if !p.complete && p.why == "" {
			b.wrap(theme.Odd, "", fmt.Sprintf("more than %d differences: the rest is not shown", diff.MaxDifferences))
		}
	}
	about(noRow)
	return b.out, rows
}

// signed is a value behind its sign; "" for none.
func signed(sign string, raw []byte) string {
	if raw == nil {
		return ""
	}
	return sign + shortValue(raw)
}

// pair2 adds two paragraphs of untrusted text: side by side where there is room, else one below the
// other.
func (b *lineBuilder) pair2(left, right theme.Role, indent, was, now string) {
	if b.width < sideBySideFrom {
		for i, s := range []string{was, now} {
			if s != "" {
				b.wrap([...]theme.Role{left, right}[i], indent, s)
			}
		}
		return
	}
	half := (b.width - 1) / 2
	column := func(s string) []string {
		if s == "" {
			return nil
		}
		return b.look.glyphs.Wrap(b.look.mask(s), max(half-len(indent), 8), text.WrapLimit)
	}
	one, two := column(was), column(now)
	for i := range max(len(one), len(two)) {
		var cells [2]string
		if i < len(one) {
			cells[0] = indent + one[i]
		}
		if i < len(two) {
			cells[1] = two[i]
		}
		b.out = append(b.out, line{text: b.look.Paint(left, b.look.glyphs.Fit(cells[0], half)) + " " + b.look.Paint(right, cells[1])})
	}
}
