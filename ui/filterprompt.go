package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/theme"
)

// openFilter asks for the filter of the wire; the one that holds is there to be changed.
func (a *app) openFilter() tea.Cmd {
	p := &a.prompt
	if v := a.wire.story; v != nil {
		a.wire.tell(nil, v.seq)
	}
	p.before, p.row, p.wrong = a.wire.filtered(), a.wire.place(), nil
	cmd := p.open(promptFilter)
	p.input.SetValue(p.before)
	p.input.CursorEnd()
	return tea.Batch(cmd, a.chooseAnew())
}

// filterKey is a key while the filter is typed: what is a filter already holds at once.
func (a *app) filterKey(m tea.KeyMsg, name string) (cmd tea.Cmd) {
	p := &a.prompt
	switch name {
	case "esc", "ctrl+c":
		p.close()
		_ = a.sift(p.before, p.row) // it was one
		return nil
	case "enter":
		if p.wrong == nil {
			p.close()
		}
		return nil
	}
	switch {
	case name == "tab":
		cmd = a.choose(1)
	case name == "shift+tab":
		cmd = a.choose(-1)
	default:
		p.input, cmd = p.input.Update(m)
		cmd = tea.Batch(cmd, a.chooseAnew())
	}
	p.wrong = a.sift(p.input.Value(), p.row)
	return cmd
}

// sift filters the wire by an expression, with the cursor on a row; one that is none changes nothing.
// @NAME in it stands for what is saved under that name.
func (a *app) sift(s string, row int) error {
	s, _ = filter.Expand(s, a.prompt.saved)
	if strings.TrimSpace(s) == strings.TrimSpace(a.wire.filtered()) {
		return nil
	}
	x, err := filter.Parse(s)
	if err != nil {
		return err
	}
	a.wire.filter(x, row)
	return nil
}

// expression reads a filter that a person wrote, in which @NAME stands for what is saved under that name.
func (a *app) expression(s string) (*filter.Expr, error) {
	s, _ = filter.Expand(s, a.prompt.saved)
	return filter.Parse(s)
}

// filterBy filters the wire by an expression, and goes there.
func (a *app) filterBy(s string) {
	a.focus(PaneWire)
	if err := a.sift(s, a.wire.place()); err != nil {
		a.say("%v", err)
	}
}

// filterFooter says how many rows pass and what the language has, for whoever begins.
func (a *app) filterFooter() string {
	return a.row([]string{a.look.Paint(theme.Mark, a.wire.note()), a.hint("enter", "keeps it"), a.hint("esc", "leaves it as it was"),
		`words "in quotes"`, "is:error", "method:tools/*", ">500ms", "or not -x ( )", "tool: id: dir:in stream:err rule:", "size>1k", "re:/x/", "is:pending is:stray is:finding"})
}
