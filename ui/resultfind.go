package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// findInResult searches the result: what is shown of it, and what is known behind the cut of a long
// text. It says when the text is not on the screen, and where the whole of it is.
func (a *app) findInResult(q string, dir int) tea.Cmd {
	p := &a.result.lines
	found := p.find(q, dir)
	behind := !found && find(&p.list, dir, func(i int) bool { return p.lines[i].cut && contains(p.lines[i].copy, q) })
	const whole = "pane 6 has the whole of the row, and searches it"
	switch {
	case behind:
		a.say("%q is in this text, behind where it is cut: %s", q, whole)
	case !found && slices.ContainsFunc(p.lines, func(l line) bool { return l.cut }):
		a.say("%q is not in what is shown here, which is cut: %s", q, whole)
	case !found:
		a.say("%q is not in this pane", q)
	}
	return nil
}
