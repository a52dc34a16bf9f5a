package ui

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// detailPane shows the row of the wire under the cursor as JSON, as text or as bytes. Only a
// window of the body is ever formatted, in a command; answers that come too late are dropped.
type detailPane struct {
	more   func(l look, seq, width int) []line // said of a row before everything else; nil for nothing
	seq    int
	mode   detail.Mode
	other  bool // the other side of an exchange is shown
	width  int
	height int // of the body lines
	size   int64

	head   []line // what is known of the row beside its bytes
	of     detail.View
	tree   detail.View  // the same as JSON, for the path of a byte; of itself in the mode pretty
	shown  *detail.Body // what is looked at: secrets are masked in it
	body   client.Body  // true bytes; masked ones where it was read back
	place  place
	folds  int // how often something was folded
	top    int
	cursor int
	side   int

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
	key   detailKey
	query string
	line  int
	ok    bool
}

// smallBody is formatted at once: it costs less than a frame.
const smallBody = 32 << 10

// sync follows the selected row and asks for the window that is not there yet.
func (p *detailPane) sync(l look, from *bodies, seq, width, height int) tea.Cmd {
	width = max(width, 1)
	if seq != p.seq || width != p.width || p.of == nil && seq >= 0 {
		if seq != p.seq {
			p.top, p.cursor, p.side = 0, 0, 0
			p.place = place{}
		}
		p.open(l, from, seq, width)
	}
	p.height = max(height-min(len(p.head), height/2), 1)
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
	p.seq, p.width, p.of, p.tree, p.shown, p.head, p.body, p.size = seq, width, nil, nil, nil, nil, nil, 0
	e, ok := from.log.Event(seq)
	if !ok {
		if 0 <= seq && seq < from.log.First() {
			b := &lineBuilder{look: l, width: width}
			b.wrap(theme.Odd, "", "this row is no longer in memory")
			p.head = b.out
		}
		return
	}
	p.head = detailHead(l, from.log, &e, width)
	if p.more != nil {
		p.head = append(p.more(l, seq, width), p.head...)
	}
	if e.Note != nil {
		return
	}
	body, remark, whole := from.of(&e)
	if remark != "" {
		b := &lineBuilder{look: l, width: width}
		b.wrap(theme.Odd, "", remark)
		p.head = append(b.out, p.head...)
	}
	p.body = body
	if masked, spans := maskBody(l, body, whole); len(spans) > 0 {
		body = client.Body{masked}
	}
	p.shown = detail.NewBody(body...)
	p.size = p.shown.Len()
	p.tree = detail.Open(p.shown, detail.Pretty, width)
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

// detailHead says what the bytes do not: findings with what to do about them, the note itself.
func detailHead(l look, log *session.Log, e *session.Event, width int) []line {
	b := &lineBuilder{look: l, width: width}
	if e.Noted != "" {
		b.wrap(theme.Mark, "", "note: "+l.mask(e.Noted))
	}
	if e.Note != nil {
		b.wrap(theme.Plain, "", e.Note.Text)
		if len(e.Note.Data) > 0 {
			b.json(e.Note.Data)
		}
		if x := e.Note.HTTP; x != nil {
			if x.URL != "" {
				b.pair("to", x.URL)
			}
			for _, kv := range x.Header {
				b.pair(kv[0], l.mask(kv[1]))
			}
		}
	}
	for _, m := range e.Marks {
		role := theme.Odd
		if m.Severity == session.Error {
			role = theme.Bad
		}
		b.wrap(role, "", strings.ToUpper(m.Severity.String())+" "+m.Rule+": "+m.Text)
	}
	if e.Stray() {
		b.wrap(theme.Odd, "", "stdout is for messages only: print to stderr instead. In Python print(..., file=sys.stderr), in Node console.error, in Go fmt.Fprintln(os.Stderr, ...)")
	}
	if e.Stream == client.Out || e.Stream == client.In {
		end := "ends with \\n"
		switch e.Term {
		case client.TermCRLF:
			end = "ends with \\r\\n"
		case client.TermNone:
			end = "without a line end"
		}
		what := fmt.Sprintf("%s, offset %d, %s", text.Size(int64(e.Size)), e.Offset, end)
		if e.Stream == client.Out {
			what += ", " + reads(log, e)
		}
		b.wrap(theme.Faint, "", what)
	}
	return b.out
}

func (p *detailPane) deliver(m detailMsg) {
	if m.key.seq == p.seq && m.key.width == p.width && m.key.mode == p.mode && m.key.folds == p.folds {
		p.got = m
		if m.key == p.wanted {
			p.clamp()
		}
	}
}

func (p *detailPane) found(m foundMsg) {
	if m.ok && m.key.seq == p.seq && m.key.mode == p.mode {
		p.cursor = m.line
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
}

func (p *detailPane) move(act Action) {
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

// find searches the whole body, in a command.
func (p *detailPane) find(ctx context.Context, q string, dir int) tea.Cmd {
	key := detailKey{seq: p.seq, mode: p.mode}
	view, from := p.of, p.cursor
	if dir > 0 {
		from++
	}
	return func() tea.Msg {
		line, ok := view.Find(ctx, q, from, dir > 0)
		if !ok { // round the end
			line, ok = view.Find(ctx, q, map[bool]int{true: 0, false: math.MaxInt32}[dir > 0], dir > 0)
		}
		if ctx.Err() != nil {
			return nil // a key has ended it
		}
		return foundMsg{key, q, line, ok}
	}
}

func (p *detailPane) line() string {
	if i := p.cursor - p.got.key.from; i >= 0 && i < len(p.got.lines) {
		return p.got.lines[i]
	}
	return ""
}

// value is the bytes of the JSON value on the line of the cursor, as they were sent.
func (p *detailPane) value() string {
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
	var out []string
	heads := min(len(p.head), h/2) // the bytes keep half of the pane
	if p.of == nil {
		heads = min(len(p.head), h)
	}
	for _, ln := range p.head[:heads] {
		s := l.fit(ln.text, w)
		if ln.json {
			s = colour.JSONLine(s, l.JSON)
		} else {
			s = l.Paint(ln.role, s)
		}
		out = append(out, s)
	}
	if p.of == nil {
		return out
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
		case focused && p.top+i == p.cursor:
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
