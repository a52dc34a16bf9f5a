package ui

import (
	"fmt"
	"strings"
)

// inner is the width that a pane's content has, a usable one also while it is not shown.
func (a *app) inner(p Pane) int {
	r := a.lay.Panes[p]
	if r.W == 0 {
		return max(a.w-2, 1)
	}
	return r.inner(a.lastColumn(r))
}

func (a *app) lastColumn(r Rect) bool { return r.X+r.W == a.w }

// View draws the frame once per change.
func (a *app) View() string {
	defer a.caught()
	if a.dirty && a.ctx.Err() == nil {
		a.frame = strings.Join(a.look.glyphs.Last(a.draw()), "\n")
		a.dirty = false
	}
	return a.frame
}

// draw returns exactly h lines of w cells.
func (a *app) draw() []string {
	if a.w <= 0 || a.h <= 0 {
		return nil
	}
	if a.lay.Tiny {
		out := make([]string, a.h)
		for i := range out {
			out[i] = strings.Repeat(" ", a.w)
		}
		out[0] = a.look.fit(fmt.Sprintf("%dx%d: too small", a.w, a.h), a.w)
		return out
	}
	out := make([]string, 0, a.h)
	out = append(out, a.header())
	if a.lay.Tabs {
		out = append(out, a.tabs())
	}
	bottom := a.bottom()
	end := a.h - len(bottom)
	if a.help != nil {
		out = append(out, a.look.box(Rect{0, len(out), a.w, end - len(out)}, true, true, a.help.title, "", a.help.view(a.look, a.w-2, end-1-len(out)))...)
	} else {
		out = append(out, a.body(len(out), end)...)
	}
	return append(out, bottom...)
}

// body joins the panes row by row. A status of more than one line takes them from the panes above it,
// which then show that much less: the newest row of the wire stays in sight.
func (a *app) body(top, end int) []string {
	var drawn [paneEnd][]string
	for p := PaneServer; p < paneEnd; p++ {
		r := a.lay.Panes[p]
		r.H = min(r.H, end-r.Y)
		if r.W > 0 && r.H > 0 {
			drawn[p] = a.pane(p, r)
		}
	}
	out := make([]string, 0, a.h)
	for y := top; y < end; y++ {
		var row strings.Builder
		for x := 0; x < a.w; {
			next := a.w
			for p := PaneServer; p < paneEnd; p++ {
				r := a.lay.Panes[p]
				if drawn[p] != nil && r.X == x && r.Y <= y && y < r.Y+len(drawn[p]) {
					row.WriteString(drawn[p][y-r.Y])
					next = x + r.W
					break
				}
			}
			if next == a.w && x < a.w && row.Len() == 0 {
				row.WriteString(strings.Repeat(" ", a.w-x))
			}
			x = next
		}
		out = append(out, row.String())
	}
	return out
}

// pane draws one pane.
func (a *app) pane(p Pane, r Rect) []string {
	last := a.lastColumn(r)
	w, h := r.inner(last), r.body()
	focused := a.mode.Focus == p
	title, note := fmt.Sprintf("%d %s", p, paneNames[p]), ""
	var body []string
	switch p {
	case PaneServer:
		body = a.server.lines.view(a.look, w, h, focused)
	case PaneTools:
		note = a.offers.tab.note(a.snap, a.offers.loading)
		room, least := w-4, w-4
		switch why, _ := a.offers.tab.trouble(a.snap); { // how far it is matters more than whole names of tabs
		case why != "":
			room -= len(note) + 3
			least = room
		case !a.offers.tab.complete(a.snap):
			room -= len(note) + 3
		}
		title = fmt.Sprintf("%d %s", p, a.offers.title(a.snap, room, least))
		if body = a.offers.tab.view(a.look, w, h, focused); a.lay.Tabs && len(a.offers.tab.rows) == 0 { // nothing else is seen
			if why := a.troubled(w, h); why != nil {
				body = why
			}
		}
	case PaneCall:
		title = strings.TrimSpace(fmt.Sprintf("%d %s %s", p, a.call.of.act(), a.look.glyphs.Clean(a.look.mask(a.call.of.name))))
		note = a.call.note()
		if body = a.call.view(a.look, w, h, focused); a.call.form == nil {
			if why := a.troubled(w, h); why != nil {
				body = why
			}
		}
	case PaneQuestion:
		title, note = a.questionTitle()
		title = fmt.Sprintf("%d %s", p, title)
		if q := a.asking.current(); q != nil {
			body = q.view(a.look, w, h, focused)
		}
	case PaneResult:
		title, note = fmt.Sprintf("%d %s", p, a.result.title), a.result.note
		body = a.result.lines.view(a.look, w, h, focused)
	case PaneWire:
		title += " " + a.wire.views()
		if f := a.wire.filtered(); f != "" && a.wire.story == nil {
			title = fmt.Sprintf("%d %s filter %s", p, a.wire.viewName(), a.look.glyphs.Short(strings.TrimSpace(f), max(r.W/2, 8)))
		}
		note = a.wire.note()
		body = a.wire.draw(a.look, w, h, focused)
	case PaneDetail:
		if a.detail.seq >= 0 {
			title = fmt.Sprintf("%d Detail of #%d %s", p, a.detail.seq, a.detail.views(a.look))
		}
		note = a.detail.note()
		body = a.detail.view(a.look, w, h, focused)
	}
	return a.look.box(r, last, focused, title, note, body)
}
