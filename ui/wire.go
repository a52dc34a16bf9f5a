package ui

import (
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// draw draws the visible rows.
func (p *wirePane) draw(l look, w, h int, focused bool) []string {
	if p.rows.len() == 0 && p.story == nil && p.level(p.rows.n) {
		if said := p.empty(); said != "" {
			return []string{l.Paint(theme.Faint, l.fit(" "+said, w))}
		}
	}
	seen := glimpse{log: p.log, rows: p.rows, height: h}
	return show(&p.list, w, h, func(i, w int, selected bool) string {
		row := seen.row(i)
		if row == nil {
			return l.fit("", w)
		}
		e := *row
		var above *session.Event
		if p.times == sinceAbove {
			above = seen.row(i - 1)
		}
		front := p.front(&e, above)
		if len(e.Head) < e.Size { // a secret may be cut in two
			e.Head, _ = l.secrets.MaskCut(e.Head)
		}
		var s string
		var role theme.Role
		switch {
		case p.story != nil:
			s, role = p.frameRow(l, &e, front, w-1)
		case p.view == session.Calls:
			s, role = p.callRow(l, &e, front, w-1)
		case p.view == session.Messages:
			s, role = p.messageRow(l, &e, front, w-1)
		default:
			s, role = p.frameRow(l, &e, front, w-1)
		}
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

// empty says why there is no row.
func (p *wirePane) empty() string {
	switch {
	case p.expr != nil:
		return "no " + nouns[p.view] + " passes the filter: f changes it, esc clears it"
	case p.sieve != nil:
		return "no message from " + session.LogLevels[p.least] + " on: o changes the level"
	case p.view == session.Calls:
		return "no call yet: v shows other views"
	case p.view == session.Messages:
		return "the server has logged nothing: v shows other views"
	}
	return ""
}

// columnsFrom is the room behind the direction from which on what was measured has columns of its own.
const columnsFrom = 60

// frameRow is one row of the log as one line of w cells, its text from cell side on: what is told
// apart by colour is also a word.
func (p *wirePane) frameRow(l look, e *session.Event, front string, w int) (string, theme.Role) {
	dir, role := "<- in ", theme.Received
	switch {
	case e.Stream == client.In:
		dir, role = "-> out", theme.Sent
	case e.Stream == client.Err:
		dir, role = "   err", theme.Stderr
	case e.Stream == client.Life:
		dir, role = "** ", theme.Life
	case e.Stray():
		dir, role = "!! ", theme.Odd
	}
	head := front + dir + " "
	head += p.id(l, e, w-text.Width(head))
	what, strong := e.Subject(l.maskCut(p.log.About(e)))
	if strong {
		role = theme.Bad
	}
	room := w - text.Width(head)
	right := p.measured(e, room >= columnsFrom)
	if text.Width(right) > room/2 {
		one := *e // in how many reads it came is told by the detail
		one.Reads = 1
		right = p.measured(&one, false)
	}
	if text.Width(right) > room/2 {
		if right = " " + text.Duration(e.Latency); e.Latency < 0 || text.Width(right) > room/2 {
			right = ""
		}
	}
	return head + p.beside(l, what, right, room), role
}

// beside fits text of the server, from cell side on, and what stands at the right end of a row.
func (p *wirePane) beside(l look, what, right string, room int) string {
	what = l.mask(what)
	what = l.glyphs.Window(l.glyphs.Short(what, max(room, 1)*2+p.side), p.side, max(room, 1)*2)
	return l.fit(what, room-text.Width(right)) + right
}

// The columns at the right end of a wide row.
const (
	readsWidth   = 12
	latencyWidth = 9
	sizeWidth    = 9
)

// measured is the right end of a row: reads, latency of an answer, size; of a call that waits how far and
// for how long.
func (p *wirePane) measured(e *session.Event, columns bool) string {
	if e.Stream == client.Life {
		return ""
	}
	reads, latency, size := "", "", text.Size(int64(e.Size))
	if e.Stream == client.Out && e.Reads > 1 {
		reads = text.Plural(e.Reads, "read")
		reads = "in " + reads
	}
	if e.Stream == client.Out && e.Pair != session.NoPair && e.Latency >= 0 {
		latency = text.Duration(e.Latency)
	}
	if c, waits := p.waiting(e); waits {
		latency = text.Duration(p.clock.now - e.T)
		if c.Far.Measured {
			reads = c.Far.Percent()
		}
	}
	if columns {
		return " " + reads + left(latency, latencyWidth) + left(size, sizeWidth)
	}
	return " " + strings.TrimLeft(strings.TrimLeft(reads+" "+latency, " ")+" "+size, " ")
}

// waiting is the call of a row that is not answered.
func (p *wirePane) waiting(e *session.Event) (session.Call, bool) {
	if !e.Open || e.Cancelled || e.Kind != client.KindRequest {
		return session.Call{}, false
	}
	for _, c := range slices.Backward(p.waits) {
		if c.Seq == e.Seq && c.GivenUp == "" {
			return c, true
		}
	}
	return session.Call{}, false
}

// left puts blanks in front of ASCII text.
func left(s string, w int) string { return strings.Repeat(" ", max(w-len(s), 0)) + s }
