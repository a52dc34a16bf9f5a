package ui

import (
	"strings"

	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// wraps reports whether long lines go on in the next row. Those of the other modes fit anyway.
func (p *detailPane) wraps() bool { return p.wrap && p.of != nil && p.of.Mode() == detail.Pretty }

// leastWrapped is how many cells a wrapped line has at least behind its indent.
const leastWrapped = 10

// wrapped is a line of JSON in rows of w cells, all with its indent.
func wrapped(g *text.Glyphs, s string, w int) []string {
	s = g.Drawn(s)
	if text.Width(s) <= w {
		return []string{s}
	}
	rest := strings.TrimLeft(s, " ")
	indent := min(len(s)-len(rest), max(w-leastWrapped, 0))
	rows := g.Wrap(rest, max(w-indent, 1), text.WrapLimit)
	for i := range rows {
		rows[i] = strings.Repeat(" ", indent) + rows[i]
	}
	return rows
}

// clampWrapped scrolls so far that the line of the cursor is seen, whose rows may be many.
func (p *detailPane) clampWrapped() {
	from := p.got.key.from
	if !p.wraps() || !p.fits() || p.top < from || p.cursor >= from+len(p.got.lines) {
		return
	}
	room := p.height
	for n := p.cursor; n >= p.top; n-- {
		room -= len(wrapped(p.glyphs, p.got.lines[n-from], p.width))
		if room < 0 && n < p.cursor {
			p.top = n + 1
			return
		}
	}
}

// viewWrapped draws the lines from the top on, as many rows as there is room for.
func (p *detailPane) viewWrapped(l look, w, h int, focused bool) (out []string) {
	for n := p.top - p.got.key.from; p.fits() && n >= 0 && n < len(p.got.lines) && len(out) < h; n++ {
		for i, s := range wrapped(l.glyphs, p.got.lines[n], w) {
			if len(out) == h {
				break
			}
			s = l.fit(s, w)
			switch {
			case focused && p.got.key.from+n == p.cursor && p.head.up == 0:
				s = l.Paint(theme.Cursor, s)
			case i == 0:
				s = colour.JSONLine(s, l.JSON)
			}
			out = append(out, s)
		}
	}
	return out
}
