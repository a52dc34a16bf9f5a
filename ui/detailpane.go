package ui

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// detailPane shows the row of the wire under the cursor as JSON, as text or as bytes. Only a
// window of the body is ever formatted, in a command; answers that come too late are dropped.
type detailPane struct {
	more    func(l look, seq, width int) []line // said of a row before everything else; nil for nothing
	seq     int
	mode    detail.Mode
	wrap    bool // long lines of JSON go on in the next row
	glyphs  *text.Glyphs
	other   bool // the other side of an exchange is shown
	width   int
	height  int // of the body lines
	size    int64
	missing int64 // bytes of the row that cannot be read back

	matches matches // of the latest search
	head    detailTop
	of      detail.View
	tree    detail.View  // the same as JSON, for the path of a byte; of itself in the mode pretty
	shown   *detail.Body // what is looked at: secrets are masked in it
	body    client.Body  // true bytes; masked ones where it was read back
	place   place
	folds   int // how often something was folded
	top     int
	cursor  int
	side    int

	got    detailMsg
	asked  detailKey
	wanted detailKey
}

// detailKey names a window.
type detailKey struct {
	seq, width, from, n int
	mode                detail.Mode
	folds               int
}

// detailMsg is a formatted window.
type detailMsg struct {
	key   detailKey
	lines []string
	spans []detail.Span // their bytes
	total int
	exact bool
}

// foundMsg is where a search in the detail ended.
type foundMsg struct {
	of   *bodyHunt
	key  detailKey
	line int
	up   int // so many lines above the first; line is 0 then
	ok   bool
}

// smallBody is formatted at once: it costs less than a frame.
const smallBody = 32 << 10

// sync follows the selected row and asks for the window that is not there yet.
func (p *detailPane) sync(l look, from *bodies, seq, width, height int) tea.Cmd {
	width, p.glyphs = max(width, 1), l.glyphs
	switch {
	case seq != p.seq:
		p.top, p.cursor, p.side = 0, 0, 0
		p.place = place{}
		p.head = detailTop{}
		p.open(l, from, seq, width)
	case width != p.width && p.of != nil && p.of.Mode() != detail.Pretty:
		at := p.lineOffset()
		p.open(l, from, seq, width)
		if p.of != nil && p.head.up == 0 { // other bytes stand on the line of the cursor now
			p.seek(at)
		}
	case width != p.width, p.of == nil && seq >= 0:
		p.open(l, from, seq, width)
	}
	rest := height
	if p.of != nil && p.size <= smallBody {
		rest, _ = p.of.Lines()
	}
	p.height = max(height-p.head.sync(height, rest, p.of == nil), 1)
	p.clamp()
	located := p.locate()
	p.clamp()
	p.wanted = detailKey{p.seq, p.width, p.top, p.height, p.mode, p.folds}
	if p.of == nil || p.wanted == p.asked {
		return located
	}
	p.asked = p.wanted
	key, view := p.wanted, p.of
	format := func() tea.Msg {
		lines, spans := view.Window(key.from, key.n), view.Spans(key.from, key.n)
		total, exact := view.Lines()
		return detailMsg{key, lines, spans, total, exact}
	}
	if p.size <= smallBody {
		p.deliver(format().(detailMsg))
		return located
	}
	return tea.Batch(format, located)
}

// open begins with another row, width or mode.
func (p *detailPane) open(l look, from *bodies, seq, width int) {
	was, folded := p.size, detail.View(nil)
	if p.tree != nil && seq == p.seq && p.folds > 0 && p.tree.Mode() == detail.Pretty {
		folded = p.tree
	}
	defer func() {
		if p.size != was { // the window that is there says nothing of a body that was read back
			p.got = detailMsg{}
		}
	}()
	p.seq, p.width, p.of, p.tree, p.shown, p.body, p.size = seq, width, nil, nil, nil, nil, 0
	p.head.set(nil)
	e, ok := from.log.Event(seq)
	if !ok {
		if 0 <= seq && seq < from.log.First() {
			b := &lineBuilder{look: l, width: width}
			b.wrap(theme.Odd, "", "this row is no longer in memory")
			p.head.set(b.out)
		}
		return
	}
	said := detailHead(l, from.log, &e, width)
	if p.more != nil {
		said = append(p.more(l, seq, width), said...)
	}
	p.head.set(said)
	if e.Note != nil {
		return
	}
	body, remark, whole := from.of(&e)
	if remark != "" {
		b := &lineBuilder{look: l, width: width}
		b.wrap(theme.Odd, "", remark)
		p.head.set(append(b.out, said...))
	}
	p.body = body
	if !whole && !from.coming(seq) {
		p.missing = int64(e.Size - body.Len())
	}
	if masked, spans := maskBody(l, body, whole); len(spans) > 0 {
		body = client.Body{masked}
	}
	p.shown = detail.NewBody(body...)
	p.size = p.shown.Len()
	if p.tree = folded; folded == nil || p.size != was { // else it is of no other width, and keeps its folds
		p.tree = detail.Open(p.shown, detail.Pretty, width)
	}
	p.look()
}

// look opens the body in the mode that is chosen.
func (p *detailPane) look() {
	if p.of = p.tree; p.mode != detail.Pretty {
		p.of = detail.Open(p.shown, p.mode, p.width)
	}
}

// refresh begins anew with the row that is shown.
func (p *detailPane) refresh() { p.changed(p.seq) }

// changed begins anew with a row whose body was read back.
func (p *detailPane) changed(seq int) {
	if seq == p.seq {
		p.of, p.asked = nil, detailKey{}
	}
}

// deliver takes in a window. One that was asked for earlier and comes later replaces nothing.
func (p *detailPane) deliver(m detailMsg) {
	if p.got.key == p.wanted && m.key != p.wanted {
		return
	}
	if m.key.seq == p.seq && m.key.width == p.width && m.key.mode == p.mode && m.key.folds == p.folds {
		p.got = m
		if m.key == p.wanted {
			p.clamp()
		}
	}
}

func (p *detailPane) found(m foundMsg) {
	if m.ok && m.key.seq == p.seq && m.key.mode == p.mode {
		p.cursor, p.head.up = m.line, min(m.up, len(p.head.lines))
		if p.cursor < p.top || p.cursor >= p.top+p.height {
			p.top = max(p.cursor-p.height/3, 0)
		}
	}
}

// next changes to the next way of looking at the row.
func (p *detailPane) next() {
	at := p.offset()
	p.mode = (p.mode + 1) % (detail.Hex + 1)
	p.top, p.cursor, p.side = 0, 0, 0
	if p.tree == nil {
		return
	}
	p.look()
	p.seek(at)
}

// views names the ways; the one in use is in brackets.
func (p *detailPane) views(look) string {
	var out []string
	for m := detail.Pretty; m <= detail.Hex; m++ {
		name := m.String()
		if m == p.mode {
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func (p *detailPane) note() string {
	if p.head.up > 0 {
		return p.head.note()
	}
	if p.of == nil {
		return ""
	}
	total := fmt.Sprint(p.got.total)
	if !p.got.exact {
		total = "about " + total
	}
	return strings.TrimSpace(fmt.Sprintf("line %d of %s %s", p.cursor+1, total, p.path()))
}

func (p *detailPane) clamp() {
	if p.got.exact && p.fits() {
		p.cursor = min(p.cursor, p.got.total-1)
	}
	p.cursor = max(p.cursor, 0)
	p.top = max(min(p.top, p.cursor), p.cursor-p.height+1)
	p.clampWrapped()
}

func (p *detailPane) move(act Action) {
	if p.head.move(act, p.cursor == 0, p.height, p.of == nil) {
		return
	}
	switch act {
	case actUp:
		p.cursor--
	case actDown:
		p.cursor++
	case actPageUp:
		p.cursor, p.top = p.cursor-p.height, p.top-p.height
	case actPageDown:
		p.cursor, p.top = p.cursor+p.height, p.top+p.height
	case actHalfUp:
		p.cursor -= p.height / 2
	case actHalfDown:
		p.cursor += p.height / 2
	case actHome:
		p.cursor = 0
	case actEnd:
		p.cursor = max(p.got.total-1, 0)
	case actLeft:
		p.side = max(p.side-sideStep, 0)
	case actRight:
		p.side += sideStep
	}
	p.top = max(p.top, 0)
	p.clamp()
}

// find searches what is said of the row and the whole body, in a command.
func (p *detailPane) find(h *bodyHunt) tea.Cmd {
	key := detailKey{seq: p.seq, mode: p.mode}
	ctx, q := h.ctx, h.query
	said, view, at := p.head.lines, p.of, p.cursor
	if n := p.head.up; n > 0 {
		at = -n
	}
	lines := func(from int) (line int, ok bool) { // of the body
		if view == nil {
			return 0, false
		}
		return view.Find(ctx, q, from, h.forward)
	}
	return func() tea.Msg {
		line, ok := 0, false
		switch {
		case h.forward:
			if line, ok = findLine(said, q, at+1, 0, 1); !ok {
				line, ok = lines(max(at+1, 0))
			}
			if !ok { // round the end
				line, ok = findLine(said, q, -len(said), 0, 1)
			}
			if !ok {
				line, ok = lines(0)
			}
		default:
			if at > 0 {
				line, ok = lines(at)
			}
			if !ok {
				line, ok = findLine(said, q, min(at, 0)-1, -len(said)-1, -1)
			}
			if !ok {
				line, ok = lines(math.MaxInt32)
			}
			if !ok {
				line, ok = findLine(said, q, -1, -len(said)-1, -1)
			}
		}
		if ctx.Err() != nil {
			return nil // a key has ended it
		}
		return foundMsg{h, key, max(line, 0), max(-line, 0), ok}
	}
}

func (p *detailPane) line() string {
	if ln, ok := p.head.current(); ok {
		return ln.text
	}
	if i := p.cursor - p.got.key.from; i >= 0 && i < len(p.got.lines) {
		return p.got.lines[i]
	}
	return ""
}

// value is the bytes of the JSON value on the line of the cursor, as they were sent.
func (p *detailPane) value() string {
	if ln, ok := p.head.current(); ok {
		return cmp.Or(ln.copy, ln.text)
	}
	if p.of == nil {
		return ""
	}
	off, n, ok := p.of.Value(p.cursor)
	if !ok {
		return p.line()
	}
	return string(p.body.Slice(int(off), int(off+n)))
}

func (p *detailPane) pointer() string {
	if ln, ok := p.head.current(); ok {
		return ln.fold
	}
	if p.of == nil {
		return ""
	}
	s, _ := p.of.Pointer(p.cursor)
	return s
}

// fits reports whether the window that is there is of what is looked at.
func (p *detailPane) fits() bool {
	k := p.got.key
	return k.seq == p.seq && k.mode == p.mode && k.width == p.width && k.folds == p.folds
}

func (p *detailPane) view(l look, w, h int, focused bool) []string {
	out := p.head.view(l, w, h, focused, p.of == nil)
	if p.of == nil {
		return out
	}
	if p.wraps() {
		return append(out, p.viewWrapped(l, w, h-len(out), focused)...)
	}
	pretty := p.of.Mode() == detail.Pretty
	beside := p.beside(l, w, h-len(out))
	if beside != nil {
		w -= besideWidth
	}
	for i := 0; len(out) < h; i++ {
		n := p.top + i - p.got.key.from
		if p.got.key.seq != p.seq || p.got.key.mode != p.mode || p.got.key.folds != p.folds || n < 0 || n >= len(p.got.lines) {
			for ; i < len(beside); i++ {
				out = append(out, l.fit("", w)+beside[i])
			}
			break
		}
		s := p.lit(l, l.fit(l.glyphs.Window(l.glyphs.Drawn(p.got.lines[n]), p.side, w), w), n)
		switch {
		case focused && p.top+i == p.cursor && p.head.up == 0:
			s = l.Paint(theme.Cursor, s)
		case pretty:
			s = colour.JSONLine(s, l.JSON)
		}
		if beside != nil {
			s += beside[i]
		}
		out = append(out, s)
	}
	return out
}

// maskBody masks a body, also what its end leaves of a secret when it is not whole; without secrets
// the pieces are not joined.
func maskBody(l look, body client.Body, whole bool) ([]byte, []recordings.Span) {
	switch {
	case len(l.secrets.Names()) == 0:
		return nil, nil
	case !whole:
		return l.secrets.MaskCut(body.Bytes())
	}
	return l.secrets.Mask(body.Bytes())
}
