package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// CellBytes is the most bytes that what is drawn in one cell can come from: a base
// and its marks, a conjunct, half a joined emoji. A longer line can be cut to this
// many bytes a cell before anyone measures it.
const CellBytes = 64

// Cut returns a prefix of s that fills at least the given number of cells, or all
// of s. It looks at no more than its last bytes, so that a line of 10 MB costs as
// much as one that fits. s need not be clean.
func Cut(s string, cells int) string {
	n := max(cells, 0) * CellBytes
	if len(s) <= n {
		return s
	}
	for back := n; back > n-utf8.UTFMax && back > 0; back-- {
		if utf8.RuneStart(s[back]) {
			return s[:back]
		}
	}
	return s[:n]
}

// Width returns the cells that clean text, or clean text in our own colours, fills.
func Width(s string) int {
	cells := 0
	for len(s) > 0 {
		n, w := printable(s), 0
		switch {
		case n > 0:
			w = n
		case s[0] != esc:
			n, w = cluster(s)
		default:
			if n = colour(s); n == 0 { // a sequence that is none of ours
				return cells + ansi.StringWidth(s)
			}
		}
		s, cells = s[n:], cells+w
	}
	return cells
}

// colour returns the length of the colour sequence at the start of s, 0 when there is none.
func colour(s string) int {
	if len(s) < 3 || s[0] != esc || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';':
			return 0
		}
	}
	return 0
}

// Clip cuts clean text to at most w cells, never inside a wide character, and puts
// an ellipsis in place of what it cut. Text that contains our own colours keeps
// them all.
func (g *Glyphs) Clip(s string, w int) string {
	s, _ = g.clip(s, w)
	return s
}

// Fit clips and pads clean text to exactly w cells.
func (g *Glyphs) Fit(s string, w int) string {
	s, n := g.clip(s, w)
	return s + blanks(w-n)
}

// Line makes one row of exactly w cells of any untrusted text, in a time that
// depends on w alone.
func (g *Glyphs) Line(s string, w int) string {
	return g.Fit(g.Clean(Cut(s, w+1)), w)
}

// Window returns what clean text shows in at most w cells after the first from
// cells. Half of a wide character at the left edge is a blank; an ellipsis in the
// last cell says that more follows.
func (g *Glyphs) Window(s string, from, w int) string {
	if w <= 0 {
		return ""
	}
	if from <= 0 {
		return g.Clip(s, w)
	}
	if strings.IndexByte(s, esc) >= 0 {
		return g.Clip(ansi.TruncateLeft(s, from, ""), w)
	}
	skipped := 0
	for len(s) > 0 && skipped < from {
		n, cells := 1, 1
		if run := printable(s); run > 0 {
			n = min(run, from-skipped)
			cells = n
		} else {
			n, cells = cluster(s)
		}
		s, skipped = s[n:], skipped+cells
	}
	if over := skipped - from; over > 0 {
		over = min(over, w)
		return blanks(over) + g.Clip(s, w-over)
	}
	return g.Clip(s, w)
}

const esc = 0x1b

// clip is Clip and also tells the width of what it returns.
func (g *Glyphs) clip(s string, w int) (string, int) {
	if w <= 0 {
		return "", 0
	}
	if len(s) <= w && printable(s) == len(s) {
		return s, len(s)
	}
	head := Cut(s, w+1)
	if strings.IndexByte(head, esc) >= 0 {
		if len(head) == len(s) {
			if n := Width(s); n <= w {
				return s, n
			}
		}
		s = ansi.Truncate(s, w, g.Ellipsis)
		return s, ansi.StringWidth(s)
	}
	mark := ansi.StringWidth(g.Ellipsis)
	fits, fitCells := 0, 0 // the longest prefix that leaves room for the ellipsis
	n, cells := 0, 0
	for n < len(head) && cells <= w {
		if cells+mark <= w {
			fits, fitCells = n, cells
		}
		size, width := 1, 1
		if run := printable(head[n:min(len(head), n+w+2)]); run > 0 { // two more: a mark may follow
			if room := w - mark - cells; room > 1 {
				size = min(run, room)
			}
			width = size
		} else {
			size, width = cluster(head[n:])
		}
		n, cells = n+size, cells+width
	}
	if cells <= w && n == len(s) {
		return s, cells
	}
	if cells+mark <= w { // only a cut inside text of no width comes here
		fits, fitCells = n, cells
	}
	if mark > w {
		return s[:fits], fitCells
	}
	return s[:fits] + g.Ellipsis, fitCells + mark
}

// cluster returns the bytes and cells of the first cluster of clean text.
func cluster(s string) (n, cells int) {
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return max(len(c), 1), w
}

// Pad appends blanks up to w cells; wider text is returned as it is.
func Pad(s string, w int) string { return s + blanks(w-Width(s)) }

// Clip is Unicode.Clip.
func Clip(s string, w int) string { return Unicode.Clip(s, w) }

// Fit is Unicode.Fit.
func Fit(s string, w int) string { return Unicode.Fit(s, w) }

// Line is Unicode.Line.
func Line(s string, w int) string { return Unicode.Line(s, w) }

// Window is Unicode.Window.
func Window(s string, from, w int) string { return Unicode.Window(s, from, w) }

const blank = "                                                                                                                                "

func blanks(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}
