package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
)

// prompt is the one line at the bottom that takes typed text: a search, a command, or a yes.
type prompt struct {
	kind  promptKind
	input textinput.Model
	ask   string         // of a question
	yes   func() tea.Cmd // what a yes does
	past  []string       // earlier commands, oldest first
	back  int            // how far into past the person has gone

	search string // the latest search
	before string // the filter before it was changed
	row    int    // where the cursor of the wire was then
	wrong  error  // what is typed is no filter

	choices choices        // for the word that is being typed
	saved   []filter.Saved // the filters that have a name
}

func (p *prompt) lastSearch() string { return p.search }

type promptKind uint8

const (
	promptNone promptKind = iota
	promptSearch
	promptCommand
	promptFilter
	promptConfirm
)

func (p *prompt) open(kind promptKind) tea.Cmd {
	p.kind = kind
	p.input = textinput.New()
	p.input.Prompt = ""
	p.back = 0
	p.choices = choices{at: -1}
	return p.input.Focus()
}

// confirm asks a question that only y answers with yes.
func (p *prompt) confirm(ask string, yes func() tea.Cmd) {
	p.kind, p.ask, p.yes = promptConfirm, ask, yes
}

func (p *prompt) close() { p.kind, p.choices = promptNone, choices{} }

// history steps through earlier commands.
func (p *prompt) history(by int) {
	p.back = min(max(p.back+by, 0), len(p.past))
	value := ""
	if p.back > 0 {
		value = p.past[len(p.past)-p.back]
	}
	p.input.SetValue(value)
	p.input.CursorEnd()
}

// remember keeps a command for history.
func (p *prompt) remember(s string) {
	const most = 100
	if n := len(p.past); n > 0 && p.past[n-1] == s {
		return
	}
	p.past = append(p.past, s)
	p.past = p.past[max(0, len(p.past)-most):]
}

// view is the prompt as one line.
func (p *prompt) view(w int) string {
	switch p.kind {
	case promptSearch:
		p.input.Width = max(w-3, 1)
		return "/" + text.Typed(p.input.View())
	case promptCommand:
		p.input.Width = max(w-3, 1)
		return ":" + text.Typed(p.input.View())
	case promptFilter:
		p.input.Width = max(w-3-len("filter "), 1)
		return "filter " + text.Typed(p.input.View())
	}
	return ""
}
