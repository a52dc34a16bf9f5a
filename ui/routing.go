package ui

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
)

// keys takes one message of the keyboard. Characters that came in one read are one message: keys that were
// pressed fast, held, or typed by a script, or a text that was pasted without brackets. Each is a key of its
// own. Of what reads as text, or of one that is held, none may do harm: at the first that would the rest is left.
func (a *app) keys(m tea.KeyMsg) tea.Cmd {
	r := runes(m)
	if m.Paste || len(r) < 2 {
		return a.key(m)
	}
	for _, c := range r {
		if unicode.IsControl(c) { // no keyboard sends that, so it was pasted
			a.say("%d characters at once were ignored: paste into a field", len(r))
			return nil
		}
	}
	if r[0] == '{' && r[len(r)-1] == '}' && a.onForm() && a.prompt.kind == promptNone && !a.yank && a.help == nil && !a.typing() {
		return a.paste(string(r)) // no hand types that, and its colon would open the command line
	}
	var cmds []tea.Cmd
	for i := range r {
		if a.typing() { // whatever is left is text
			m.Runes = r[i:]
			m.Paste = len(m.Runes) > 1 // they may spell the name of a key: end, up, tab, enter
			return tea.Batch(append(cmds, a.key(m))...)
		}
		if (held(r) || isText(r) || a.prompt.kind == promptConfirm && len(r) > 2) && !a.harmless(string(r[i]), held(r)) {
			a.say("%q came at once, as a paste does: %q and what follows it were ignored; pressed alone it is a key", text.Short(string(r), longestHasty), r[i])
			break
		}
		m.Runes = r[i : i+1]
		cmds = append(cmds, a.key(m))
		if a.leaving || a.prompt.kind == promptConfirm {
			break // nobody answers a question before it is asked
		}
		if i < len(r)-1 {
			cmds = append(cmds, a.settle())
		}
	}
	return tea.Batch(cmds...)
}

// fastKeys is how many letters a hand presses within a read, on a slow line. A pasted word has more.
const fastKeys = 3

// isText reports whether characters that came at once have a word among them, or what is no key at all.
func isText(r []rune) bool {
	letters := 0
	for _, c := range r {
		if letters++; !unicode.IsLetter(c) {
			letters = 0
		}
		if letters > fastKeys || !isKey(string(c)) {
			return true
		}
	}
	return false
}

// isKey reports whether a character is a key anywhere.
func isKey(name string) bool {
	return slices.ContainsFunc(keyTable, func(b Binding) bool { return slices.Contains(b.Keys, name) })
}

// longestHasty is how much of what came at once is told.
const longestHasty = 20

// held reports whether all characters are the same.
func held(r []rune) bool { return strings.Count(string(r), string(r[0])) == len(r) }

// harmless reports whether a key that comes with others at once may be what was meant: it moves, shows or asks for
// text. What sends, ends, answers, writes or takes away what was typed has to be pressed alone.
func (a *app) harmless(name string, held bool) bool {
	switch {
	case a.prompt.kind == promptConfirm: // it is no answer
		return false
	case a.yank:
		return true // what is copied is chosen by one key
	case a.help != nil:
		return lookup(name, Everywhere) != actYank
	}
	switch lookup(name, scopesOf(a.mode.Focus)...) {
	case actLeft, actRight: // in a form they change a value
		return held || !a.onForm()
	case actYank: // yy copies the line
		return held
	case actNextPane, actPrevPane, actPane, actUp, actDown, actHome, actEnd, actHalfUp, actHalfDown, actPageUp, actPageDown, actBack,
		actSearch, actNextMatch, actPrevMatch, actNextOdd, actPrevOdd, actFindings, actStatistics, actView, actZoom, actCommand, actHelp,
		actFilter, actFollow, actAdd, actItemUp, actItemDown, actOrder, actTimes, actStory, actDiff, actFold, actUnfold, actByValue, actOtherSide, actOptional,
		actEarlier, actLater, actCalls, actToWire, actAskedText, actAskedPrev, actAskedNext, actNone:
		return true
	}
	return false
}

// typing reports whether characters are text: in a prompt or a field.
func (a *app) typing() bool {
	return a.prompt.kind == promptSearch || a.prompt.kind == promptCommand || a.prompt.kind == promptFilter ||
		a.prompt.kind == promptNone && !a.yank && a.help == nil && a.onForm() && a.formPane().editing()
}

// key routes one key: prompt, overlay, the pane that takes text, the bindings.
func (a *app) key(m tea.KeyMsg) tea.Cmd {
	name := keyText(m)
	a.missing = ""
	if a.passing {
		a.notice, a.passing = "", false
	}
	if a.endHunt() && name == "esc" {
		return nil
	}
	switch {
	case a.leaving:
		return nil
	case lookup(name, Everywhere) == actSuspend && !a.formPane().editing(): // in a field it takes back
		return a.suspend()
	case a.prompt.kind != promptNone:
		return a.promptKey(m, name)
	case a.yank:
		a.yank = false
		return a.copy(name)
	case a.help != nil:
		return a.sheetKey(name)
	case a.onForm() && a.formPane().editing():
		return a.editKey(m, name)
	case m.Paste:
		return a.paste(string(m.Runes))
	}
	act := lookup(name, scopesOf(a.mode.Focus)...)
	if act == actNone {
		a.unbound(name)
	}
	return a.do(act, name)
}

// paste outside a field: a whole object fills the form, anything else is refused with a word.
func (a *app) paste(s string) tea.Cmd {
	if a.onForm() && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if err := a.formPane().load([]byte(s)); err != nil {
			a.say("%v: the pasted text stands here as JSON to be mended", err)
		} else {
			a.say("the form was filled from the pasted object")
		}
		return nil
	}
	a.say("pasted text was ignored: open a field with enter first")
	return nil
}

// promptKey is a key while the prompt is open.
func (a *app) promptKey(m tea.KeyMsg, name string) tea.Cmd {
	p := &a.prompt
	if p.kind == promptConfirm {
		p.close()
		if name == "y" {
			return p.yes()
		}
		a.say("not done")
		return nil
	}
	if p.kind == promptFilter {
		return a.filterKey(m, name)
	}
	switch name {
	case "esc", "ctrl+c":
		if p.kind == promptSearch && a.onForm() {
			a.formPane().searchBack()
		}
		p.close()
		return nil
	case "enter":
		kind, value := p.kind, p.input.Value()
		p.close()
		if kind == promptSearch {
			if value != "" {
				p.search = value
			}
			if a.onForm() && a.formPane().search(value) {
				return nil
			}
			return a.find(1, false)
		}
		if strings.TrimSpace(value) == "" {
			return nil
		}
		p.remember(value)
		return a.command(value)
	case "up", "down":
		if p.kind == promptCommand {
			p.history(map[string]int{"up": 1, "down": -1}[name])
			return a.chooseAnew()
		}
	case "tab", "shift+tab":
		return a.choose(map[string]int{"tab": 1, "shift+tab": -1}[name])
	}
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(m)
	if p.kind == promptCommand {
		return tea.Batch(cmd, a.chooseAnew())
	}
	if p.kind == promptSearch && a.onForm() {
		a.formPane().search(p.input.Value())
	}
	return cmd
}

// editKey is a key while a field of the form takes text.
func (a *app) editKey(m tea.KeyMsg, name string) tea.Cmd {
	switch act := lookup(name, OnEdit); act {
	case actSend:
		return a.send(false)
	case actEditDone:
		a.formPane().done()
		return nil
	case actNextValue, actPrevValue:
		if a.takeValue(map[Action]int{actNextValue: 1, actPrevValue: -1}[act]) {
			return nil
		}
	case actEditNext, actEditPrev:
		if a.formPane().takes(name) {
			break
		}
		if name == "enter" && a.formPane().onSend() {
			a.formPane().done() // nothing is typed there, and the keys for what comes next are commands
			return a.send(false)
		}
		return a.formPane().advance(act == actEditPrev)
	}
	if name == "ctrl+c" {
		return a.interrupt()
	}
	return a.formPane().key(m)
}
