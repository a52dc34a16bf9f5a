package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// place is where the cursor of the detail stands: which value, by which path, in which bytes. In
// every mode it is the same place, so that tree and bytes go in step. It is found in a command,
// since the end of a value may be far.
type place struct {
	of      placeKey
	asked   placeKey
	at      int64 // the byte that was looked at before the mode changed, for the first line there
	keep    bool  // at is of use
	seeking bool  // the line of at is not known yet
	pointer string
	value   detail.Span
	known   bool
}

// placeKey names a line of a mode.
type placeKey struct {
	seq, width, line, folds int
	mode                    detail.Mode
	seeking                 bool
}

// placeMsg is a place that was found.
type placeMsg struct {
	key     placeKey
	line    int
	pointer string
	value   detail.Span
	known   bool
}

// locate asks for the place of the cursor when it is not known.
func (p *detailPane) locate() tea.Cmd {
	key := placeKey{p.seq, p.width, p.cursor, p.folds, p.mode, p.place.seeking}
	if p.of == nil || key == p.place.of || key == p.place.asked {
		return nil
	}
	p.place.asked = key
	of, tree, at, keep := p.of, p.tree, p.place.at, p.place.keep
	find := func() tea.Msg {
		ctx := context.Background()
		m := placeMsg{key: key, line: key.line}
		if key.seeking {
			m.line = of.At(ctx, at)
		}
		line := m.line
		if key.mode != detail.Pretty {
			spans := of.Spans(line, 1)
			if len(spans) == 0 {
				return m
			}
			off := spans[0].Off
			if keep && spans[0].Holds(at) {
				off = at
			}
			line = tree.At(ctx, off)
		}
		if m.pointer, m.known = tree.Pointer(line); m.known {
			off, n, _ := tree.Value(line)
			m.value = detail.Span{Off: off, N: n}
		}
		return m
	}
	if p.size <= smallBody {
		p.located(find().(placeMsg))
		return nil
	}
	return find
}

// located takes in a place; one of another line is dropped.
func (p *detailPane) located(m placeMsg) {
	if m.key != (placeKey{p.seq, p.width, p.cursor, p.folds, p.mode, p.place.seeking}) {
		return
	}
	if m.key.seeking {
		p.cursor, p.place.seeking = m.line, false
		if p.cursor < p.top || p.cursor >= p.top+p.height {
			p.top = max(p.cursor-p.height/3, 0)
		}
		m.key.line, m.key.seeking = m.line, false
	}
	p.place.of, p.place.asked = m.key, m.key
	p.place.pointer, p.place.value, p.place.known = m.pointer, m.value, m.known
}

// seek puts the cursor on the line that shows a byte.
func (p *detailPane) seek(off int64) { p.place.at, p.place.keep, p.place.seeking = off, true, true }

// offset is the byte where the value under the cursor begins, else its line.
func (p *detailPane) offset() int64 {
	if p.here() {
		return p.place.value.Off
	}
	return p.lineOffset()
}

// lineOffset is the byte where the line under the cursor begins, or the one in it that was sought.
func (p *detailPane) lineOffset() int64 {
	if n := p.cursor - p.got.key.from; p.fits() && n >= 0 && n < len(p.got.spans) {
		if span := p.got.spans[n]; !p.place.keep || !span.Holds(p.place.at) {
			return span.Off
		}
		return p.place.at
	}
	return 0
}

// here reports whether the place of the cursor is known, and is a value.
func (p *detailPane) here() bool {
	return p.place.known && p.place.of == placeKey{p.seq, p.width, p.cursor, p.folds, p.mode, false}
}

// path is the JSON pointer of the place, as it may be drawn.
func (p *detailPane) path() string {
	if !p.here() {
		return ""
	}
	return text.Clean(p.place.pointer)
}

// fold folds the value under the cursor into one line, or unfolds it.
func (p *detailPane) fold() (why string) {
	if p.head.up > 0 {
		if !p.head.fold() {
			return "this line opens nothing that could be folded"
		}
		return ""
	}
	if p.of == nil || p.of.Mode() != detail.Pretty {
		return "only JSON is folded: v goes to the mode pretty"
	}
	off := p.offset()
	made, ok := p.of.Fold(p.cursor)
	if !ok {
		return "this line opens nothing that could be folded"
	}
	p.of, p.tree = made, made
	p.folds++
	p.seek(off) // its closing line may be gone
	return ""
}

// unfold unfolds everything.
func (p *detailPane) unfold() (why string) {
	if p.head.unfold() {
		return ""
	}
	if p.shown == nil || p.folds == 0 {
		return "nothing is folded here: - folds"
	}
	off := p.offset()
	p.tree = detail.Open(p.shown, detail.Pretty, p.width)
	p.folds++
	p.look()
	p.seek(off)
	return ""
}

// lit shows which bytes of a line are those of the value, in the modes that show bytes.
func (p *detailPane) lit(l look, s string, n int) string {
	if !p.here() || p.of.Mode() == detail.Pretty || n >= len(p.got.spans) {
		return s
	}
	return lightUp(l, s, p.got.lines[n], p.got.spans[n], p.place.value, p.of.Mode(), p.side)
}

// lightUp paints the part of a line of bytes, moved side cells to the left, that belongs to a value.
// whole is the line as it was made.
func lightUp(l look, s, whole string, line, value detail.Span, mode detail.Mode, side int) string {
	from, to := max(value.Off, line.Off)-line.Off, min(value.Off+value.N, line.Off+line.N)-line.Off
	if from >= to {
		return s
	}
	if mode == detail.Hex {
		hex, ascii := detail.HexCells(whole, int(from), int(to))
		return light(l, light(l, s, ascii[0]-side, ascii[1]-side), hex[0]-side, hex[1]-side)
	}
	if trimmed := strings.TrimRight(s, " "); side > 0 || int64(len(trimmed)) > line.N || text.Width(trimmed) != len(trimmed) {
		return l.Paint(theme.Lit, s) // what stands where is not known
	}
	return light(l, s, int(from), int(to))
}

// light paints cells of ASCII text.
func light(l look, s string, from, to int) string {
	from, to = max(min(from, len(s)), 0), max(min(to, len(s)), 0)
	if from >= to {
		return s
	}
	return s[:from] + l.Paint(theme.Lit, s[from:to]) + s[to:]
}

const (
	// besideWidth is a line of hex with 16 bytes, and a gap.
	besideWidth = detail.HexWidth + 1

	// besideFrom is the width from which on there is room for bytes beside the tree.
	besideFrom = besideWidth + 40
)

// beside are the bytes around the value under the cursor, beside its tree; nil where there is no
// room. Only the lines that are shown are made.
func (p *detailPane) beside(l look, w, h int) []string {
	if p.of == nil || p.of.Mode() != detail.Pretty || w < besideFrom || !p.here() {
		return nil
	}
	hex := detail.Open(p.shown, detail.Hex, detail.HexWidth)
	first := max(hex.At(context.Background(), p.place.value.Off)-h/3, 0)
	lines, spans := hex.Window(first, h), hex.Spans(first, h)
	out := make([]string, h)
	for i := range out {
		s := ""
		if i < len(lines) {
			s = lines[i]
		}
		s = l.fit(s, detail.HexWidth)
		if i < len(lines) {
			s = lightUp(l, s, lines[i], spans[i], p.place.value, detail.Hex, 0)
		}
		out[i] = " " + s
	}
	return out
}

// maxLiteral is the longest value that becomes a filter.
const maxLiteral = 1000

// literal is a filter for the value under the cursor: by its field where there is one for it.
func (p *detailPane) literal() (expr, why string) {
	if !p.here() || p.head.up > 0 || p.place.value.N > maxLiteral {
		return "", "no value to filter by here"
	}
	raw := p.body.Slice(int(p.place.value.Off), int(p.place.value.Off+p.place.value.N))
	value, isText := client.Text(raw)
	if !isText {
		value = string(raw)
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	switch {
	case value == "":
		return "", "an empty text is in every row"
	case p.place.pointer == "/method":
		expr = "method:" + quoted
	case p.place.pointer == "/id":
		expr = "id:" + `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(raw)) + `"`
	case p.place.pointer == "/params/name" && client.GetText(p.body.Bytes(), "method") == client.MethodToolsCall:
		expr = "tool:" + quoted
	case p.place.pointer == "/params/level" && session.LogLevel(value) >= 0:
		expr = "level:" + value
	case isText: // as it stands in the bytes
		expr = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(raw[1:len(raw)-1])) + `"`
	default:
		expr = quoted
	}
	if _, err := filter.Parse(expr); err != nil {
		return "", "no filter is made of this value: " + err.Error()
	}
	return expr, ""
}
