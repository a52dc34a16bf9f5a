package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session/filter"
)

// savedMsg brings the saved filters, after one was saved or forgotten, too.
type savedMsg struct {
	list []filter.Saved
	said string // what was done; empty for nothing
	err  error
}

// loadSaved reads the saved filters.
func loadSaved() tea.Msg {
	list, err := filter.LoadSaved()
	return savedMsg{list: list, err: err}
}

// filtersSaved takes them in.
func (a *app) filtersSaved(m savedMsg) {
	if m.err != nil {
		a.say("%v", m.err)
		return
	}
	a.prompt.saved = m.list
	if m.said != "" {
		a.say("%s", m.said)
	}
}

// filterCommand is :filter EXPRESSION, :filter NAME of a saved one, :filter save NAME [EXPRESSION],
// :filter forget NAME, and :filter saved to list them.
func (a *app) filterCommand(c typedCommand) tea.Cmd {
	verb, rest, _ := strings.Cut(c.rest, " ")
	rest = strings.TrimSpace(rest)
	name, expr, _ := strings.Cut(rest, " ")
	switch {
	case verb == "save" && name != "":
		if expr = strings.TrimSpace(expr); expr == "" {
			expr = a.wire.filtered()
		}
		expr, _ = filter.Expand(expr, a.prompt.saved)
		return func() tea.Msg {
			list, err := filter.Save(name, expr)
			return savedMsg{list, fmt.Sprintf("saved: @%s stands for %s", name, expr), err}
		}
	case verb == "forget" && name != "" && expr == "":
		return func() tea.Msg {
			list, err := filter.Forget(name)
			return savedMsg{list, "@" + name + " is forgotten", err}
		}
	case verb == "save" && rest == "":
		a.say("filter save NAME keeps the filter of the wire, filter save NAME EXPRESSION any")
		return nil
	case verb == "forget" && rest == "":
		a.say("filter forget NAME; %s", a.savedNames())
		return nil
	case verb == "saved" && rest == "":
		a.say("%s", a.savedNames())
		return nil
	}
	for _, s := range a.prompt.saved {
		if rest == "" && strings.TrimPrefix(verb, "@") == s.Name {
			a.filterBy(s.Filter)
			a.say("@%s: %s", s.Name, s.Filter)
			return nil
		}
	}
	a.filterBy(c.rest)
	return nil
}

// savedNames says which filters are saved.
func (a *app) savedNames() string {
	if len(a.prompt.saved) == 0 {
		return "no filter is saved: filter save NAME"
	}
	out := make([]string, len(a.prompt.saved))
	for i, s := range a.prompt.saved {
		out[i] = "@" + s.Name + " " + s.Filter
	}
	return "saved are " + strings.Join(out, ", ")
}

// proposeFilter proposes what may follow :filter.
func (a *app) proposeFilter(l *typedLine) {
	if word := l.word; l.first() {
		for _, w := range [...][2]string{{"save", "NAME: keep the filter of the wire"}, {"forget", "NAME"}, {"saved", "list them"}} {
			l.propose(w[0], w[1])
		}
		for _, s := range a.prompt.saved {
			l.propose(s.Name, s.Filter)
		}
		l.word = word
	} else if l.before[0] == "forget" || l.before[0] == "save" && len(l.before) == 1 {
		for _, s := range a.prompt.saved {
			l.propose(s.Name, s.Filter)
		}
		return
	}
	expr := l.rest
	if !l.first() && l.before[0] == "save" {
		expr = l.rest[len(l.rest)-len(l.word):]
	}
	a.proposeRest(l, expr)
}
