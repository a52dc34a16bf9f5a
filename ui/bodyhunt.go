package ui

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
)

// bodyHunt is a search in the row that the detail shows, or in a result: first for the next line, then for
// how many there are. While a body is read back from the recording it waits, since the line that is looked
// for may be in what is not there yet. It runs in commands; any key ends it.
type bodyHunt struct {
	pane    Pane
	query   string
	forward bool
	seq     int // the row; another one ends the search
	ctx     context.Context
	stop    context.CancelFunc
	waits   bool // for the body
	shown   bool // the cursor is on a line with the text: the others are counted
}

// matches are the lines that have a text, from the top; those above the bytes are counted down from -1.
type matches struct {
	of    matchesKey
	lines []int
	more  bool // not all were counted
}

// matchesKey is what a count depends on.
type matchesKey struct {
	query string
	shown detailKey
	size  int64
}

// countedMsg brings a count.
type countedMsg struct {
	of *bodyHunt
	matches
}

// maxCounted is how many lines with a text are counted: to count more says nothing.
const maxCounted = 10_000

// findInBody searches on in the row of the detail.
func (a *app) findInBody(query string, forward bool) tea.Cmd {
	a.inBody = a.newBodyHunt(PaneDetail, query, forward)
	return a.goOnInBody()
}

func (a *app) newBodyHunt(p Pane, query string, forward bool) *bodyHunt {
	h := &bodyHunt{pane: p, query: query, forward: forward, seq: a.detail.seq, waits: true}
	h.ctx, h.stop = context.WithCancel(a.ctx)
	return h
}

// goOnInBody begins a search that has waited for its body, once that is there; nil while it waits.
func (a *app) goOnInBody() tea.Cmd {
	h := a.inBody
	switch {
	case h == nil || !h.waits:
		return nil
	case h.pane == PaneResult:
		if a.result.pending() {
			return nil
		}
		a.endHunt()
		return a.findInResult(h.query, h.forward)
	case h.seq != a.detail.seq:
		a.endHunt()
		return nil
	case a.bodies.coming(h.seq):
		return nil
	}
	h.waits = false
	return a.detail.find(h)
}

// foundInBody puts the cursor on what was found, and counts the others.
func (a *app) foundInBody(m foundMsg) tea.Cmd {
	if a.inBody != m.of {
		return nil // a key has ended it
	}
	if a.detail.found(m); !m.ok {
		a.endHunt()
		where := "this row"
		if n := a.detail.missing; n > 0 {
			where = fmt.Sprintf("what is there of this row, of which %s are missing", text.Size(n))
		}
		a.say("%q is not in %s", m.of.query, where)
		return nil
	}
	m.of.shown = true
	if known := &a.detail.matches; known.of == a.detail.matchesKey(m.of.query) {
		a.countedInBody(countedMsg{m.of, *known})
		return nil
	}
	return a.detail.count(m.of)
}

// countedInBody says where among those with the text the line under the cursor stands.
func (a *app) countedInBody(m countedMsg) {
	if a.inBody != m.of {
		return
	}
	a.endHunt()
	a.detail.matches = m.matches
	a.say("%s", m.says(m.of.query, a.detail.cursor-a.detail.head.up))
}

func (m *matches) says(query string, line int) string {
	at, found := slices.BinarySearch(m.lines, line)
	switch {
	case m.more && found:
		return fmt.Sprintf("%q: %s of more than %s lines", query, text.Count(at+1), text.Count(len(m.lines)))
	case m.more:
		return fmt.Sprintf("%q: in more than %s lines", query, text.Count(len(m.lines)))
	}
	return fmt.Sprintf("%q: %s of %s", query, text.Count(at+1), text.Count(len(m.lines)))
}

// says is the sentence while it runs; empty once something was found.
func (h *bodyHunt) says(size int64) string {
	switch {
	case h.shown:
		return ""
	case h.waits:
		return fmt.Sprintf("looking for %q once the rest is read back from the recording; any key stops it", h.query)
	}
	return fmt.Sprintf("looking for %q in %s; any key stops it", h.query, text.Size(size))
}

func (p *detailPane) matchesKey(query string) matchesKey {
	return matchesKey{query, detailKey{seq: p.seq, mode: p.mode, width: p.width, folds: p.folds, n: len(p.head.lines)}, p.size}
}

// count looks for all lines with a text, in a command.
func (p *detailPane) count(h *bodyHunt) tea.Cmd {
	m := matches{of: p.matchesKey(h.query)}
	said, view := p.head.lines, p.of
	return func() tea.Msg {
		for at := -len(said); at < 0; at++ {
			if contains(said[len(said)+at].text, h.query) {
				m.lines = append(m.lines, at)
			}
		}
		m.countLines(h, view)
		if h.ctx.Err() != nil {
			return nil // a key has ended it
		}
		return countedMsg{h, m}
	}
}

func (m *matches) countLines(h *bodyHunt, view detail.View) {
	for from := 0; view != nil; {
		line, ok := view.Find(h.ctx, h.query, from, true)
		switch {
		case !ok || line < from:
			return
		case len(m.lines) == maxCounted:
			m.more = true
			return
		}
		m.lines = append(m.lines, line)
		from = line + 1
	}
}
