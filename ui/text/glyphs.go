package text

import "github.com/charmbracelet/x/ansi"

// Glyphs are the characters our own chrome is drawn with. Each fills one cell.
type Glyphs struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	TeeLeft, TeeRight, TeeTop, TeeBottom       string // a rule that meets the named side
	Cross                                      string
	Ellipsis                                   string // in place of what was cut
	Dot                                        string // between the parts of a line
}

// Unicode is drawn with box characters; Plain with - | + and ~ for terminals,
// fonts and locales that lack them. Neither may be changed.
var (
	Unicode = &Glyphs{
		Horizontal: "─", Vertical: "│",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		TeeLeft: "├", TeeRight: "┤", TeeTop: "┬", TeeBottom: "┴",
		Cross: "┼", Ellipsis: "…", Dot: "·",
	}
	Plain = &Glyphs{
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+", TeeTop: "+", TeeBottom: "+",
		Cross: "+", Ellipsis: "~", Dot: "-",
	}
)

// Pick returns Plain when asked for, or when RUNEWIDTH_EASTASIAN says that this
// terminal draws box characters two cells wide.
func Pick(ascii bool) *Glyphs {
	if ascii || ansi.StringWidth(Unicode.Horizontal) != 1 {
		return Plain
	}
	return Unicode
}
