package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/vlist"
)

// linesPane is a pane of prepared lines with a cursor.
type linesPane struct {
	lines []line
	list  vlist.List
	from  int // first cell shown: long lines scroll sideways
}

func (p *linesPane) set(lines []line) {
	p.lines = lines
	p.list.SetLen(len(lines))
}

func (p *linesPane) current() (line, bool) {
	i := p.list.Cursor()
	if i < 0 || i >= len(p.lines) {
		return line{}, false
	}
	return p.lines[i], true
}

// sideStep is how far one key scrolls sideways.
const sideStep = 8

func (p *linesPane) move(act Action) {
	switch act {
	case actLeft:
		p.from = max(p.from-sideStep, 0)
	case actRight:
		p.from += sideStep
	default:
		moveList(&p.list, act)
	}
}

// moveList moves the cursor of a list.
func moveList(l *vlist.List, act Action) {
	switch act {
	case actUp:
		l.Up()
	case actDown:
		l.Down()
	case actHome:
		l.Home()
	case actEnd:
		l.End()
	case actHalfUp:
		l.HalfUp()
	case actHalfDown:
		l.HalfDown()
	case actPageUp:
		l.PageUp()
	case actPageDown:
		l.PageDown()
	}
}

func (p *linesPane) find(q string, dir int) hits {
	return find(&p.list, dir, func(i int) bool { return contains(ansi.Strip(p.lines[i].text), q) })
}

// hits is where a search ended: at which of how many rows that pass, counted from the top. The zero value
// is that of none.
type hits struct{ at, of int }

func (h hits) none() bool { return h.of == 0 }

// says is the sentence of a search that has found something.
func (h hits) says(q string) string {
	return fmt.Sprintf("%q: %s of %s", q, text.Count(h.at), text.Count(h.of))
}

// find moves to the next row in direction dir that passes, round the end.
func find(l *vlist.List, dir int, pass func(i int) bool) (h hits) {
	to, _ := l.Search(dir > 0).Next(l.Len(), pass)
	if to < 0 {
		return h
	}
	l.Go(to)
	for i := range l.Len() {
		if pass(i) {
			if h.of++; i == to {
				h.at = h.of
			}
		}
	}
	return h
}

// show draws the visible rows of a list.
func show(l *vlist.List, w, h int, row func(i, w int, selected bool) string) []string {
	l.Row = row
	return l.View(w, h)
}

// contains compares without regard to case.
func contains(s, q string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(q)) }

func (p *linesPane) view(l look, w, h int, focused bool) []string {
	return show(&p.list, w, h, func(i, w int, selected bool) string {
		ln := p.lines[i]
		s := ln.text
		if ln.cells != "" {
			s = ln.cells
		}
		if p.from > 0 {
			s = l.glyphs.Window(s, p.from, w)
		}
		s = l.fit(s, w)
		switch {
		case selected && focused:
			return l.Paint(theme.Cursor, s)
		case ln.json:
			return colour.JSONLine(s, l.JSON)
		}
		return l.Paint(ln.role, s)
	})
}
