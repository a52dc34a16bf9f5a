package ui

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/vlist"
)

// hunt looks for rows of the wire: first for the next one that passes, then for how many there
// are. It looks at the rows that were there when it began. A short one is over at once; a long one
// runs in commands beside the loop, which owns it again when a huntMsg brings it back.
type hunt struct {
	what   string // is looked for, for a sentence
	log    *session.Log
	rows   rows
	pass   func(*session.Event) bool
	search *vlist.Search
	ctx    context.Context
	stop   context.CancelFunc

	looked atomic.Int64 // rows so far; the loop reads it while a command runs
	first  int          // index of the first row that passed, -1 for none
	shown  bool         // the cursor was put there
	place  int          // which of those that passed it is, counted from the top
	total  int          // how many passed
	over   bool
}

// huntMsg brings a hunt back: it has found the first row, or is over.
type huntMsg struct{ h *hunt }

// A hunt through no more rows, and bytes of them, than these costs less than a frame and is done
// at once.
const (
	huntAtOnce      = 2048
	huntAtOnceBytes = 2 << 20

	huntAll = 1 << 62 // beside the loop
)

// readsBack reports whether a row, or its other side, is in the recording only.
func (h *hunt) readsBack(i int) bool {
	if i < 0 {
		return false
	}
	e, ok := h.log.Event(h.rows.seq(i))
	if !ok || e.Kept < e.Size {
		return ok
	}
	pair, ok := h.log.Event(e.Pair)
	return ok && pair.Kept < pair.Size
}

// run looks on until the first row is found, it is over, or there was enough.
func (h *hunt) run(most, bytes int) {
	atOnce := bytes < huntAll
	for n := 0; !h.over && n < most && bytes > 0; n++ {
		if atOnce && h.readsBack(h.search.Peek()) {
			return // not on the loop
		}
		const often = 256
		if n%often == 0 && h.ctx.Err() != nil {
			return
		}
		row, over := h.search.Next(1, func(i int) bool {
			e, ok := h.log.Event(h.rows.seq(i))
			bytes -= e.Size
			return ok && h.pass(&e)
		})
		h.over = h.looked.Add(1) >= int64(h.rows.len()) || over && row < 0
		if row < 0 {
			continue
		}
		h.total++
		if h.first < 0 {
			h.first, h.place = row, 1
			return
		}
		if row < h.first {
			h.place++
		}
	}
}

// begin starts a hunt in the wire, from the cursor on.
func (a *app) begin(what string, forward bool, pass func(*session.Event) bool) tea.Cmd {
	h := &hunt{what: what, log: a.sess.Log(), rows: a.wire.rows.still(), pass: a.wire.either(pass), search: a.wire.list.Search(forward), first: -1}
	h.ctx, h.stop = context.WithCancel(a.ctx)
	a.hunt, a.notice = h, ""
	h.run(huntAtOnce, huntAtOnceBytes)
	if a.reveal(h); h.shown {
		h.run(huntAtOnce, huntAtOnceBytes)
	}
	return a.hunted(h)
}

// reveal puts the cursor on what a hunt has found.
func (a *app) reveal(h *hunt) {
	if h.first < 0 || h.shown {
		return
	}
	h.shown = true
	a.wire.goTo(h.rows.seq(h.first))
	if a.lay.Panes[PaneWire].W == 0 || a.mode.Focus != PaneDetail {
		a.focus(PaneWire)
	}
}

// hunted takes a hunt on from where it stands: to the rest of the rows, or to its sentence.
func (a *app) hunted(h *hunt) tea.Cmd {
	if a.hunt != h {
		return nil // a key has ended it
	}
	a.reveal(h)
	if !h.over {
		return func() tea.Msg {
			h.run(h.rows.len(), huntAll)
			return huntMsg{h}
		}
	}
	a.endHunt()
	if h.total == 0 {
		a.say("%s: none of %s", h.what, text.Plural(h.rows.len(), "row"))
	} else {
		a.say("%s: %s of %s", h.what, text.Count(h.place), text.Count(h.total))
	}
	return nil
}

// endHunt stops the hunt or the search in the detail that runs, and reports whether it had found
// nothing yet.
func (a *app) endHunt() (idle bool) {
	if h := a.inBody; h != nil {
		h.stop()
		a.inBody, idle = nil, !h.shown
	}
	h := a.hunt
	if h == nil {
		return idle
	}
	a.hunt = nil
	h.stop()
	if h.shown || h.over {
		return false
	}
	a.say("%s: stopped after %s", h.what, h.progress())
	return true
}

// progress says how far a hunt is.
func (h *hunt) progress() string {
	return fmt.Sprintf("%s of %s rows", text.Count(int(h.looked.Load())), text.Count(h.rows.len()))
}

// find searches on in the focused pane.
func (a *app) find(dir int, back bool) tea.Cmd {
	if back {
		dir = -dir
	}
	q := a.prompt.lastSearch()
	if q == "" {
		a.say("nothing was searched for yet: / searches")
		return nil
	}
	var found hits
	if a.help != nil {
		if found = a.help.lines.find(q, dir); found.none() {
			a.say("%q is not in the %s", q, strings.ToLower(a.help.title))
			return nil
		}
		a.say("%s", found.says(q))
		return nil
	}
	switch a.mode.Focus {
	case PaneServer:
		found = a.server.lines.find(q, dir)
	case PaneTools:
		tab := a.offers.tab
		if found = tab.find(q, dir); found.none() && !tab.complete(a.snap) {
			return a.later(tab, func() tea.Cmd {
				if found := tab.find(q, dir); found.none() {
					a.say("%q is in none of the %s", q, strings.ToLower(tab.title))
				} else {
					a.say("%s", found.says(q))
				}
				return nil
			})
		}
	case PaneCall, PaneQuestion:
		if asked := a.asking.current(); asked == nil || !asked.full || a.mode.Focus != PaneQuestion {
			if !a.formPane().find(q, dir) {
				a.say("%q is not in this pane", q)
			}
			return nil
		}
		found = a.asking.current().text.find(q, dir)
	case PaneResult:
		return a.findInResult(q, dir > 0)
	case PaneWire:
		return a.begin(fmt.Sprintf("%q", q), dir > 0, a.wire.holds(q))
	case PaneDetail:
		return a.findInBody(q, dir > 0)
	}
	if found.none() {
		a.say("%q is not in this pane", q)
		return nil
	}
	a.say("%s", found.says(q))
	return nil
}
