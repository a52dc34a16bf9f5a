package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Glyphs are the characters our own chrome is drawn with. Each fills one cell.
type Glyphs struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	TeeLeft, TeeRight, TeeTop, TeeBottom       string // a rule that meets the named side
	Cross                                      string
	Ellipsis                                   string // in place of what was cut
	Dot                                        string // between the parts of a line
	Full, Rest                                 string // of a bar: what is done, what is left
	Only                                       bool   // the terminal draws nothing but ASCII: other text is written out too
}

// Unicode is drawn with box characters; Plain with - | + and ~ for terminals,
// fonts and locales that lack them, and Boxless for those that draw box characters
// too wide. None may be changed.
var (
	Unicode = &Glyphs{
		Horizontal: "─", Vertical: "│",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		TeeLeft: "├", TeeRight: "┤", TeeTop: "┬", TeeBottom: "┴",
		Cross: "┼", Ellipsis: "…", Dot: "·", Full: "█", Rest: "░",
	}
	Plain = &Glyphs{
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+", TeeTop: "+", TeeBottom: "+",
		Cross: "+", Ellipsis: "~", Dot: "-", Full: "#", Rest: ".", Only: true,
	}
	Boxless = boxless()
)

func boxless() *Glyphs {
	g := *Plain
	g.Only = false
	return &g
}

// Pick returns Plain when asked for, and Boxless when RUNEWIDTH_EASTASIAN says that
// this terminal draws box characters two cells wide.
func Pick(ascii bool) *Glyphs {
	switch {
	case ascii:
		return Plain
	case ansi.StringWidth(Unicode.Horizontal) != 1:
		return Boxless
	}
	return Unicode
}

// Clean is Clean for this terminal.
func (g *Glyphs) Clean(s string) string { return g.Drawn(Clean(s)) }

// Drawn is clean text as this terminal can draw it.
func (g *Glyphs) Drawn(s string) string {
	if g.Only {
		return ASCII(s)
	}
	return s
}

// Last makes finished lines drawable, whatever came into them on the way: where only
// ASCII can be drawn, a question mark stands in each cell of anything else. Lines
// keep their width.
func (g *Glyphs) Last(lines []string) []string {
	if g.Only {
		for i, l := range lines {
			lines[i] = questions(l)
		}
	}
	return lines
}

func questions(s string) string {
	var out strings.Builder
	for {
		n := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
		if n < 0 {
			out.WriteString(s)
			return out.String()
		}
		n = max(n-1, 0) // a mark may follow the last letter
		out.WriteString(s[:n])
		size, cells := cluster(s[n:])
		if size == 1 && s[n] < utf8.RuneSelf {
			out.WriteByte(s[n])
		} else {
			out.WriteString(strings.Repeat("?", cells))
		}
		s = s[n+size:]
	}
}
