package editor

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// View draws h lines of w cells with the cursor among them, which is a reversed cell while the
// editor takes keys. Beside the text stand no numbers: a place is told in the sentence about it.
func (e *Editor) View(t *theme.Theme, g *text.Glyphs, w, h int, active bool) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	e.height = h
	e.top = min(max(e.top, e.row-h+1), e.row)
	e.top = max(min(e.top, len(e.lines)-h), 0)
	x := cells(e.drawn(e.row)[:e.col])
	e.left = min(max(e.left, x-w+sideRoom), x)
	if x < w-sideRoom {
		e.left = 0
	}
	out := make([]string, 0, h)
	for i := e.top; i < min(e.top+h, len(e.lines)); i++ {
		line := text.Clean(text.Cut(e.drawn(i), e.left+w+1))
		if e.JSON {
			line = colour.JSONLine(line, t.JSON)
		}
		line = g.Fit(g.Window(line, e.left, w), w)
		if i == e.row && active {
			line = mark(t, line, x-e.left, w)
		}
		out = append(out, line)
	}
	for len(out) < h {
		out = append(out, g.Fit("", w))
	}
	return out
}

// drawn is a line as it may be seen.
func (e *Editor) drawn(i int) string {
	if e.Mask == nil {
		return e.lines[i]
	}
	if line := e.Mask(e.lines[i]); len(line) == len(e.lines[i]) {
		return line
	}
	return strings.Repeat("*", len(e.lines[i]))
}

// sideRoom is how near the right edge the cursor comes before the text moves.
const sideRoom = 2

// mark draws the cursor over the character at cell x.
func mark(t *theme.Theme, line string, x, w int) string {
	if x < 0 || x >= w {
		return line
	}
	before := ansi.Truncate(line, x, "")
	rest := ansi.TruncateLeft(line, x, "")
	plain := ansi.Strip(rest)
	char, n := ansi.FirstGraphemeCluster(plain, ansi.GraphemeWidth)
	if n == 0 {
		return line
	}
	return before + t.Paint(theme.Cursor, char) + ansi.TruncateLeft(rest, n, "")
}

// cells is how far a text reaches, drawn from the start of a line.
func cells(s string) int {
	if printableOnly(s) {
		return len(s)
	}
	var scratch [text.CellBytes]byte
	col := 0
	for len(s) > 0 {
		_, n, w := text.AppendNext(scratch[:0], s, col)
		s, col = s[n:], col+w
	}
	return col
}

// at is the byte offset of the character at a cell, or the end of the line.
func at(s string, cell int) int {
	if printableOnly(s) {
		return min(cell, len(s))
	}
	var scratch [text.CellBytes]byte
	col, off := 0, 0
	for off < len(s) {
		_, n, w := text.AppendNext(scratch[:0], s[off:], col)
		if col+w > cell {
			break
		}
		off, col = off+n, col+w
	}
	return off
}

func printableOnly(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
