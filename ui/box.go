package ui

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/picture"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// look is how things are drawn: shared by all panes, never changed while they draw.
type look struct {
	*theme.Theme
	glyphs  *text.Glyphs
	secrets *recordings.Secrets // masked in everything that is drawn; nil for none
	colours picture.Colours     // of pictures; none where there are none, as without the letters they are made of
}

// mask hides secrets in text that may hold some: what a server sent or a person typed. It comes
// before text is cut or wrapped, which leaves parts that are not recognised. The log itself, and
// what is copied, keep true bytes.
func (l look) mask(s string) string {
	s = l.secrets.MaskString(s)
	if !strings.Contains(s, "…") {
		return s
	}
	parts := strings.Split(s, "…") // what was cut for a sentence may have been cut within a secret
	for i := range parts[:len(parts)-1] {
		parts[i] = l.maskCut(parts[i])
	}
	return strings.Join(parts, "…")
}

// maskCut is mask for the beginning of a text, which may end within a secret.
func (l look) maskCut(s string) string {
	masked, spans := l.secrets.MaskCut([]byte(s))
	if spans == nil {
		return s
	}
	return string(masked)
}

// fit cuts or pads clean text to w cells, and masks what nobody masked before.
func (l look) fit(s string, w int) string { return l.glyphs.Fit(l.mask(s), max(w, 0)) }

// leastNote is how many cells of a note say something; what has less room says nothing.
const leastNote = 6

// bar is the title line of a pane: its number and name, what it says of itself, and a note at
// its right end.
func (l look) bar(r Rect, lastColumn, focused bool, title, note string) string {
	role, corner := theme.Border, l.glyphs.TopLeft
	if r.X > 0 {
		corner = l.glyphs.TeeTop
	}
	end := l.glyphs.Horizontal
	if lastColumn {
		end = l.glyphs.TopRight
	}
	room := r.W - 2
	title, note = l.mask(title), l.mask(note)
	title = l.glyphs.Clip(l.glyphs.Short(title, max(room, 0))+" ", room) // names in it are of the server
	left := room - text.Width(title)
	if part := left - 3; note != "" && part >= min(text.Width(note), leastNote) {
		note = " " + l.glyphs.Short(note, part) + " "
	} else {
		note = ""
	}
	fill := strings.Repeat(l.glyphs.Horizontal, max(left-text.Width(note), 0))
	titleRole := theme.Title
	if focused {
		role, titleRole = theme.Focus, theme.Focus
	}
	return l.Paint(role, corner) + l.Paint(titleRole, title) + l.Paint(role, fill) + l.Paint(theme.Faint, note) + l.Paint(role, end)
}

// box draws a pane: title line and body with a border at its left, and at its right where the
// screen ends. Missing lines are blank; the result has exactly r.H lines of r.W cells.
func (l look) box(r Rect, lastColumn, focused bool, title, note string, body []string) []string {
	out := make([]string, 0, r.H)
	out = append(out, l.bar(r, lastColumn, focused, title, note))
	role := theme.Border
	if focused {
		role = theme.Focus
	}
	left := l.Paint(role, l.glyphs.Vertical)
	right := ""
	if lastColumn {
		right = left
	}
	w := r.inner(lastColumn)
	for i := range r.H - 1 {
		line := ""
		if i < len(body) {
			line = body[i]
		}
		if text.Width(line) != w {
			line = l.fit(line, w)
		}
		if doubtful(line) {
			line += fmt.Sprintf("\x1b[%dG", r.X+2+w) // the border stands in its column, whatever the text took
		}
		out = append(out, left+line+right)
	}
	return out
}

// doubtful reports whether terminals disagree about the width of a line: joined emoji, flags and
// skin tones take two cells in some and more in others.
func doubtful(line string) bool {
	return strings.Contains(line, "\u200d") || strings.Contains(line, "\xf0\x9f\x87") || strings.Contains(line, "\xf0\x9f\x8f")
}

// inner is the width of a pane's body.
func (r Rect) inner(lastColumn bool) int {
	if lastColumn {
		return max(r.W-2, 0)
	}
	return max(r.W-1, 0)
}

// body is the height of a pane's body.
func (r Rect) body() int { return max(r.H-1, 0) }

// line is one line of a pane that is a list of prepared text: what is shown, how, and what
// copying it gives.
type line struct {
	text  string     // clean
	role  theme.Role // Plain when the text is painted already
	copy  string     // the value behind it; the text when empty
	json  bool       // a line of pretty JSON, to be coloured
	fold  string     // name of the fold that enter toggles
	link  string     // URI of a resource that enter reads
	block int        // of a result: the block of content it belongs to, from 1; structuredBlock, noBlock
	cut   bool       // not all of the value is shown from here on: the detail has it
	cells string     // of a picture: painted, shown instead of the text, neither searched nor copied
}
