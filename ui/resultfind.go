package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// findInResult searches the result: what is shown of it, and what is known behind the cut of a long
// text. It waits for an answer that is still being read. It says when the text is not on the screen, and where the whole of it is.
func (a *app) findInResult(q string, forward bool) tea.Cmd {
	p, dir := &a.result.lines, -1
	if forward {
		dir = 1
	}
	if a.result.pending() {
		a.inBody = a.newBodyHunt(PaneResult, q, forward)
		return nil
	}
	const whole = "pane 6 has the whole of the row, and searches it"
	if found := p.find(q, dir); !found.none() {
		a.say("%s", found.says(q))
		return nil
	}
	behind := find(&p.list, dir, func(i int) bool { return p.lines[i].cut && contains(p.lines[i].copy, q) })
	switch {
	case !behind.none():
		a.say("%q is in this text, behind where it is cut: %s", q, whole)
	case slices.ContainsFunc(p.lines, func(l line) bool { return l.cut }):
		a.say("%q is not in what is shown here, which is cut: %s", q, whole)
	default:
		a.say("%q is not in this pane", q)
	}
	return nil
}
