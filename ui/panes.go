package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
)

// back leaves what is on top: help, detail, zoom, the form.
func (a *app) back() {
	switch {
	case a.mode.Zoom:
		a.mode.Zoom = false
	case a.mode.Focus == PaneQuestion:
		a.leaveQuestion()
	case a.mode.Focus == PaneResult && a.result.view != viewResult:
		a.result.view = viewResult
	case a.mode.Focus == PaneDetail:
		a.mode.Detail = false
		a.focus(PaneWire)
	case a.mode.Focus == PaneCall, a.mode.Focus == PaneResult:
		a.focus(PaneTools)
	case a.mode.Focus == PaneWire && a.wire.story != nil:
		a.wire.tell(nil, a.wire.story.seq)
	case a.mode.Focus == PaneWire && a.wire.expr != nil:
		a.wire.filter(nil, a.wire.place())
		a.say("all rows again")
	case a.mode.Focus == PaneWire && a.wire.view != session.Frames:
		a.wire.show(session.Frames)
	case a.mode.Focus == PaneWire:
		a.mode.Detail = false
	case a.mode.Focus == PaneServer:
		a.mode.Server = false
		a.focus(PaneTools)
	}
}

func (a *app) focus(p Pane) {
	a.mode.Focus = p
	switch p {
	case PaneServer:
		a.mode.Server = true
	case PaneTools:
		a.mode.Server = false
	case PaneDetail:
		a.mode.Detail = true
	case PaneCall:
		a.mode.Detail, a.mode.Asked = false, false // they share a place
	case PaneQuestion:
		a.mode.Detail, a.mode.Asked = false, true
	case PaneResult:
		a.mode.Detail = false
	}
}

// step goes to the next pane that is shown, in the order of their numbers.
func (a *app) step(by int) {
	n := int(paneEnd) - 1
	for i := 1; i <= n; i++ {
		p := Pane((int(a.mode.Focus)-1+by*i+n*2)%n + 1)
		if p == PaneQuestion && a.asking.current() == nil {
			continue
		}
		if a.lay.Panes[p].W > 0 || a.lay.Tabs || a.mode.Zoom {
			a.focus(p)
			return
		}
	}
}

// number goes to a pane.
func (a *app) number(p Pane) {
	switch {
	case a.mode.Focus == p && (p != PaneServer || a.mode.Server):
		a.sayHere("this is pane %d: v goes on to its next view, tab to the next pane", p)
	case p == PaneQuestion:
		a.toQuestion()
	default:
		a.focus(p)
	}
}

// view changes what the focused pane shows.
func (a *app) view() {
	switch a.mode.Focus {
	case PaneDetail:
		a.detail.next()
	case PaneWire:
		if a.wire.story != nil {
			a.wire.tell(nil, a.wire.story.seq)
			return
		}
		a.wire.show((a.wire.view + 1) % (session.Messages + 1))
	case PaneCall, PaneQuestion:
		if q := a.asking.current(); q != nil && q.full && a.mode.Focus == PaneQuestion {
			q.full = false
			return
		}
		if why := a.formPane().nextView(); why != "" {
			a.say("%s", why)
		}
	case PaneResult:
		a.result.view = a.result.view.next(a.watch.build != nil)
	case PaneTools:
		if !a.offers.next(a.snap) {
			a.sayHere("the server offers nothing but these")
		}
	default:
		a.sayHere("this pane has one view")
	}
}

// open is enter: the form of a tool, a field, a fold, the detail of a row.
func (a *app) open() tea.Cmd {
	switch a.mode.Focus {
	case PaneTools:
		return a.openListed()
	case PaneCall, PaneQuestion:
		if a.formPane().onSend() {
			return a.send(false)
		}
		return a.told(a.formPane().edit())
	case PaneServer:
		if v := a.snap.Server; v != nil && v.Seq >= 0 {
			a.openRow(v.Seq)
		} else {
			a.sayHere("nothing to open yet: the server has not said who it is")
		}
	case PaneResult:
		if a.result.view == viewCalls {
			a.takeBack()
			return nil
		}
		if a.result.toggle() {
			break
		}
		if l, ok := a.result.lines.current(); ok && l.link != "" && a.result.view == viewResult {
			return a.follow(l.link)
		}
		if last, ok := a.snap.Last[a.subject()]; ok {
			a.openRow(last.Answer)
		} else {
			a.sayHere("nothing to open yet: this %s was not %s", a.call.of.noun(), a.call.of.done())
		}
	case PaneWire:
		a.mode.Detail = true
		a.focus(PaneDetail)
	case PaneDetail:
		a.mode.Zoom = !a.mode.Zoom
	}
	return nil
}

// openRow shows a row of the wire in the detail.
func (a *app) openRow(seq int) {
	if a.goToRow(seq) {
		a.focus(PaneDetail)
	}
}

// goToRow puts the cursor of the wire on a row, unless a filter hides it.
func (a *app) goToRow(seq int) bool {
	if _, ok := a.wire.rows.index(seq); !ok && (a.wire.view != session.Frames || a.wire.story != nil) {
		a.wire.show(session.Frames)
		a.wire.goTo(seq)
		a.wire.home = seq // the rows of the view are there at the next sync
		return true
	} else if !ok && seq < a.wire.rows.first {
		a.say("row #%d is no longer in memory, which holds the rows from #%d on", seq, a.wire.rows.first)
		return false
	} else if !ok {
		a.say("row #%d is hidden by the filter %s", seq, a.wire.filtered())
		return false
	}
	a.wire.goTo(seq)
	return true
}

// move moves the cursor of the focused pane.
func (a *app) move(act Action) tea.Cmd {
	switch a.mode.Focus {
	case PaneServer:
		a.server.lines.move(act)
	case PaneTools:
		tab := a.offers.tab
		if act == actEnd && !tab.complete(a.snap) {
			cmd := a.later(tab, func() tea.Cmd { tab.move(actEnd); return nil })
			tab.move(act)
			return cmd
		}
		tab.move(act)
	case PaneResult:
		a.result.lines.move(act)
	case PaneWire:
		a.wire.move(act)
	case PaneDetail:
		a.detail.move(act)
	}
	return nil
}

// odd goes to the next problem: of the form in the call pane, else of the wire.
func (a *app) odd(back bool) tea.Cmd {
	if a.onForm() && a.formPane().nextProblem(back) {
		return nil
	}
	return a.begin("problem", !back, odd)
}
