package ui

// Pane numbers are what the person types and sees in the title.
type Pane int

const (
	PaneNone Pane = iota
	PaneServer
	PaneTools
	PaneCall
	PaneResult
	PaneWire
	PaneDetail
	PaneQuestion
	paneEnd
)

var paneNames = [paneEnd]string{"", "Server", "Tools", "Call", "Result", "Wire", "Detail", "Question"}

// Rect is a box of cells: a title line and, below it, the body. There is no line below the body;
// the next title closes it.
type Rect struct{ X, Y, W, H int }

// Layout is where everything lies. Rects of panes that are not shown are empty. Header, status
// and footer are always one line each, where there is room for them.
type Layout struct {
	W, H   int
	Panes  [paneEnd]Rect
	Tabs   bool // one pane at a time, with a bar of tabs under the header
	Tiny   bool // too small for anything but a sentence
	Footer bool
}

// Sizes at which the layout changes.
const (
	wideW, wideH = 140, 38 // three columns
	midW         = 100     // three columns, the outer ones stacked
	smallW       = 72      // below: one pane
	smallH       = 20
	tinyW, tinyH = 30, 8
)

// Mode is what decides the layout beside the size.
type Mode struct {
	Focus  Pane
	Detail bool // the detail of a wire row is wanted where it has no place of its own
	Server bool // the server pane is wanted where it shares its place with the tools
	Asked  bool // the question of the server is wanted, which shares its place with the call
	Zoom   bool // the focused pane fills the body
}

// Arrange computes the layout of a screen of w×h cells. It is a pure function.
func Arrange(w, h int, m Mode) Layout {
	l := Layout{W: w, H: h, Footer: true}
	if w < tinyW || h < tinyH {
		l.Tiny = true
		return l
	}
	top, body := 1, h-3 // header, status, footer
	focus := m.Focus
	if focus == PaneNone {
		focus = PaneTools
	}
	switch {
	case w < smallW || h < smallH:
		l.Tabs = true
		l.Panes[focus] = Rect{0, top + 1, w, body - 1}
	case m.Zoom:
		l.Panes[focus] = Rect{0, top, w, body}
	default:
		l.several(top, body, m)
	}
	return l
}

// several: more panes than one. A question of the server has the place of the call, and nothing else
// changes: nothing ever covers the wire.
func (l *Layout) several(top, body int, m Mode) {
	asked := m.Asked || m.Focus == PaneQuestion
	if m.Focus == PaneQuestion {
		m.Focus = PaneCall
	}
	switch focus := m.Focus; {
	case l.W >= wideW && l.H >= wideH:
		l.wide(top, body, focus)
	case l.W >= midW && l.H >= 28:
		l.mid(top, body, focus)
	default:
		l.small(top, body, m)
	}
	if asked {
		l.Panes[PaneQuestion], l.Panes[PaneCall] = l.Panes[PaneCall], Rect{}
	}
}

// split divides n into two parts, the first of about num/den, each at least least.
func split(n, num, den, least int) (int, int) {
	a := min(max(n*num/den, least), n-least)
	return a, n - a
}

// wide: Server over Tools │ Call over Result │ Wire over Detail. The focused column and pane grow.
func (l *Layout) wide(top, body int, focus Pane) {
	left := max(l.W*20/100, 30)
	rest := l.W - left
	middle, right := split(rest, 46, 100, 40)
	switch focus {
	case PaneCall, PaneResult:
		middle, right = split(rest, 54, 100, 40)
	case PaneWire, PaneDetail:
		middle, right = split(rest, 40, 100, 40)
	}
	l.column(0, left, top, body, PaneServer, PaneTools, focus, 38)
	l.column(left, middle, top, body, PaneCall, PaneResult, focus, 52)
	l.column(left+middle, right, top, body, PaneWire, PaneDetail, focus, 55)
}

// column stacks two panes; the focused one grows by a tenth of the height.
func (l *Layout) column(x, w, top, h int, upper, lower, focus Pane, percent int) {
	switch focus {
	case upper:
		percent += 12
	case lower:
		percent -= 12
	}
	a, b := split(h, percent, 100, 5)
	l.Panes[upper] = Rect{x, top, w, a}
	l.Panes[lower] = Rect{x, top + a, w, b}
}

// mid: Server over Tools │ Call │ Result above, Wire │ Detail below.
func (l *Layout) mid(top, body int, focus Pane) {
	percent := 50
	switch focus {
	case PaneWire, PaneDetail:
		percent = 40
	case PaneServer, PaneTools, PaneCall, PaneResult:
		percent = 58
	}
	up, down := split(body, percent, 100, 8)
	left := max(l.W*24/100, 28)
	call, result := split(l.W-left, 55, 100, 30)
	l.column(0, left, top, up, PaneServer, PaneTools, focus, 38)
	l.Panes[PaneCall] = Rect{left, top, call, up}
	l.Panes[PaneResult] = Rect{left + call, top, result, up}
	wire, detail := split(l.W, 55, 100, 40)
	l.Panes[PaneWire] = Rect{0, top + up, wire, down}
	l.Panes[PaneDetail] = Rect{wire, top + up, detail, down}
}

// small: Tools (or Server) beside Call over Result, and Wire below all. A wanted detail takes the
// place of everything above the wire: nothing ever covers the wire.
func (l *Layout) small(top, body int, m Mode) {
	wire := 7
	switch {
	case m.Focus == PaneWire || m.Focus == PaneDetail:
		wire = max(8, body*40/100)
	case body > 24:
		wire = body * 33 / 100
	}
	up := body - wire
	l.Panes[PaneWire] = Rect{0, top + up, l.W, wire}
	if m.Detail {
		l.Panes[PaneDetail] = Rect{0, top, l.W, up}
		return
	}
	left := max(l.W*32/100, 24)
	list := PaneTools
	if m.Server {
		list = PaneServer
	}
	l.Panes[list] = Rect{0, top, left, up}
	share := 60
	switch m.Focus {
	case PaneResult:
		share = 42
	case PaneCall:
		share = 66
	}
	call, result := split(up, share, 100, 5)
	l.Panes[PaneCall] = Rect{left, top, l.W - left, call}
	l.Panes[PaneResult] = Rect{left, top + call, l.W - left, result}
}
