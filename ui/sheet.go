package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// sheet is a list of lines in front of the panes: the help, the statistics, the findings. It moves
// and searches by the usual keys; esc closes it.
type sheet struct {
	title string
	keys  []string // what else it has keys for: each a key, a space, what it does
	make  func(l look, width int) ([]line, []int)
	key   func(name string) (cmd tea.Cmd, taken bool) // its own keys; nil for none

	lines linesPane
	rows  []int // of the log that lines are about; noRow for none, nil when none is
	width int   // that the lines were made for; 0 when they have to be made anew
}

// picture is a sheet of how things are at this moment, which does not follow them; R makes it anew.
func (a *app) picture(title string, anew func() tea.Cmd) *sheet {
	return &sheet{title: fmt.Sprintf("%s at %.3f s", title, a.sess.Now().Seconds()), keys: []string{"R anew"}, key: func(name string) (tea.Cmd, bool) {
		if lookup(name, Everywhere) != actRestart {
			return nil, false
		}
		return anew(), true
	}}
}

// fit makes the lines for a width.
func (p *sheet) fit(l look, width int) {
	if p.width == width {
		return
	}
	p.width = width
	out, rows := p.make(l, width)
	p.lines.set(out)
	p.rows = rows
}

// row is the row of the log that the line under the cursor is about; noRow for none.
func (p *sheet) row() int {
	if i := p.lines.list.Cursor(); i >= 0 && i < len(p.rows) {
		return p.rows[i]
	}
	return noRow
}

func (p *sheet) view(l look, w, h int) []string {
	p.fit(l, w)
	return p.lines.view(l, w, h, true)
}

// helpTitle is the title of the sheet of keys.
const helpTitle = "Help"

// helpIndent is the column where help tells what keys do.
const helpIndent = 24

// newHelp is the key table.
func newHelp(l look, width int) *sheet {
	p := &sheet{title: helpTitle, make: func(_ look, width int) (out []line, _ []int) {
		last := Scope("")
		for _, b := range keyTable {
			if b.Scope != last {
				last = b.Scope
				out = append(out, line{text: string(b.Scope), role: theme.Title})
			}
			head := text.Pad("  "+strings.Join(b.Keys, " "), helpIndent)
			for _, l := range text.Wrap(b.Help, max(width-helpIndent, 10)) {
				out = append(out, line{text: head + l})
				head = strings.Repeat(" ", helpIndent)
			}
		}
		return out, nil
	}}
	p.fit(l, width)
	return p
}

// sheetKey is a key while a sheet is shown.
func (a *app) sheetKey(name string) tea.Cmd {
	if a.help.key != nil {
		if cmd, taken := a.help.key(name); taken {
			return cmd
		}
	}
	switch act := lookup(name, Everywhere); act {
	case actSearch:
		return a.prompt.open(promptSearch)
	case actNextMatch, actPrevMatch:
		return a.find(1, act == actPrevMatch)
	case actHelp:
		if a.help.title != helpTitle {
			return a.do(act, name)
		}
		a.help = nil
	case actBack, actQuit:
		a.help = nil
	case actCommand:
		return a.openCommand()
	case actInterrupt:
		return a.do(act, name)
	case actYank: // there is one thing to copy
		return a.copy("y")
	case actOpen:
		if row := a.help.row(); row != noRow {
			a.help = nil
			a.openRow(row)
		}
	default:
		a.help.lines.move(act)
	}
	return nil
}
