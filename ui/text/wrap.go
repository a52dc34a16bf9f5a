package text

import (
	"bytes"
	"strings"
)

// WrapLimit is how many lines Wrap makes at most: more than anyone scrolls through
// in a pane, and a description of a megabyte stays cheap.
const WrapLimit = 1000

// Wrap lays out untrusted text in lines of at most w cells, at most WrapLimit of
// them; see Glyphs.Wrap.
func Wrap(s string, w int) []string { return Unicode.Wrap(s, w, WrapLimit) }

// WrapMax is Unicode.Wrap.
func WrapMax(s string, w, limit int) []string { return Unicode.Wrap(s, w, limit) }

// Wrap cleans s and breaks it into at most limit lines of at most w cells: at
// its own line breaks, between words where possible, inside a longer word where
// not. Blanks at the start of a line stay, those at a break go. When text is left
// over the last line tells how much; an only line shows its beginning instead. The
// work depends on w and limit, not on s.
func (g *Glyphs) Wrap(s string, w, limit int) []string {
	if w <= 0 || limit <= 0 {
		return nil
	}
	s = strings.TrimSuffix(s, "\n")
	p := wrapper{width: w}
	for len(s) > 0 && len(p.lines) <= limit {
		if n := newline(s); n > 0 {
			p.end()
			s = s[n:]
			if len(s) == 0 {
				break
			}
			continue
		}
		start := len(p.line)
		line, n, cells := AppendNext(p.line, s, p.cells)
		if g.Only {
			if unit := ASCII(string(line[start:])); len(unit) != len(line)-start || unit != string(line[start:]) {
				line, cells = append(line[:start], unit...), len(unit)
			}
		}
		p.add(line, start, cells)
		s = s[n:]
	}
	p.end()
	if len(p.lines) <= limit {
		return p.lines
	}
	last := g.Clip(p.lines[0]+" "+g.Ellipsis, w)
	if limit > 1 {
		left := len(s)
		for _, l := range p.lines[limit-1:] {
			left += len(l)
		}
		last = g.Clip(g.Ellipsis+" "+Size(int64(left))+" more", w)
	}
	return append(p.lines[:limit-1], last)
}

func newline(s string) int {
	switch {
	case s[0] == '\n':
		return 1
	case len(s) > 1 && s[0] == '\r' && s[1] == '\n':
		return 2
	}
	return 0
}

// wrapper holds the line under construction.
type wrapper struct {
	lines []string
	width int
	line  []byte
	cells int
	// The last place to break: bytes and cells up to and with a blank; 0 when none.
	brk, brkCells int
	text          bool // something other than a blank stands in the line
}

// add takes line, which is the current one plus a unit of some cells that begins
// at start.
func (p *wrapper) add(line []byte, start, cells int) {
	unit := line[start:]
	p.line = line
	if len(bytes.TrimLeft(unit, " ")) == 0 {
		if p.text {
			p.brk, p.brkCells = len(line), p.cells+cells
		}
		p.cells += cells
		if !p.text && p.cells > p.width { // indentation alone must not overflow
			p.line, p.cells = p.line[:p.width], p.width
		}
		return
	}
	p.text = true
	if p.cells+cells <= p.width {
		p.cells += cells
		return
	}
	if p.brk > 0 && p.brk <= start {
		rest := string(line[p.brk:])
		restCells := p.cells - p.brkCells
		p.line = line[:p.brk]
		p.end()
		p.line, p.cells, p.text = append(p.line, rest...), restCells, true
		if p.cells+cells <= p.width {
			p.cells += cells
			return
		}
		start = len(p.line) - len(unit)
	}
	p.hard(start, cells)
}

// hard ends the line before the unit at start, and cuts a unit that is wider than
// a line: an escape between its characters; a wide character becomes a question
// mark.
func (p *wrapper) hard(start, cells int) {
	unit := string(p.line[start:])
	p.line = p.line[:start]
	if p.cells > 0 {
		p.end()
	}
	p.text = true
	if cells > p.width && printable(unit) < len(unit) {
		unit = "?"
	}
	if cells <= p.width {
		p.line, p.cells = append(p.line, unit...), cells
		return
	}
	for ; len(unit) > p.width; unit = unit[p.width:] {
		p.line = append(p.line, unit[:p.width]...)
		p.end()
	}
	p.line, p.cells, p.text = append(p.line, unit...), len(unit), true
}

func (p *wrapper) end() {
	p.lines = append(p.lines, strings.TrimRight(string(p.line), " "))
	p.line, p.cells, p.brk, p.brkCells, p.text = p.line[:0], 0, 0, 0, false
}
