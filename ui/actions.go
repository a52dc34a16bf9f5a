package ui

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// keys takes one message of the keyboard. Characters that came in one read are one message: each
// is a key of its own, pressed fast, held, or typed by a script.
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
	var cmds []tea.Cmd
	for i := range r {
		if a.typing() { // whatever is left is text
			m.Runes = r[i:]
			return tea.Batch(append(cmds, a.key(m))...)
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

// typing reports whether characters are text: in a prompt or a field.
func (a *app) typing() bool {
	return a.prompt.kind == promptSearch || a.prompt.kind == promptCommand || a.prompt.kind == promptFilter ||
		a.prompt.kind == promptNone && !a.yank && a.help == nil && a.mode.Focus == PaneCall && a.call.editing()
}

// key routes one key: prompt, overlay, the pane that takes text, the bindings.
func (a *app) key(m tea.KeyMsg) tea.Cmd {
	name := keyText(m)
	a.missing = ""
	if a.endHunt() && name == "esc" {
		return nil
	}
	switch {
	case a.leaving:
		return nil
	case lookup(name, Everywhere) == actSuspend && !a.call.editing(): // in a field it takes back
		return a.suspend()
	case a.prompt.kind != promptNone:
		return a.promptKey(m, name)
	case a.yank:
		a.yank = false
		return a.copy(name)
	case a.help != nil:
		return a.helpKey(name)
	case a.mode.Focus == PaneCall && a.call.editing():
		return a.editKey(m, name)
	case m.Paste:
		return a.paste(string(m.Runes))
	}
	return a.do(lookup(name, scopesOf(a.mode.Focus)...), name)
}

// paste outside a field: a whole object fills the form, anything else is refused with a word.
func (a *app) paste(s string) tea.Cmd {
	if a.mode.Focus == PaneCall && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if err := a.call.load([]byte(s)); err != nil {
			a.say("%v: the pasted text stands here as JSON to be mended", err)
		} else {
			a.say("the form was filled from the pasted object")
		}
		return nil
	}
	a.say("pasted text was ignored: open a field with enter first")
	return nil
}

// do carries out an action in the focused pane.
func (a *app) do(act Action, key string) tea.Cmd {
	if act != actInterrupt {
		a.quitAsked = false
	}
	switch act {
	case actNone:
		return nil
	case actQuit:
		return a.quit()
	case actInterrupt:
		return a.interrupt()
	case actSuspend:
		return a.suspend()
	case actHelp:
		a.help = newHelp(a.w - 2)
	case actCommand:
		return a.prompt.open(promptCommand)
	case actSearch:
		a.call.searchFrom()
		return a.prompt.open(promptSearch)
	case actNextMatch, actPrevMatch:
		return a.find(1, act == actPrevMatch)
	case actNextPane:
		a.step(1)
	case actPrevPane:
		a.step(-1)
	case actPane:
		a.number(Pane(key[0] - '0'))
	case actZoom:
		a.mode.Zoom = !a.mode.Zoom
	case actRestart:
		return a.restart()
	case actCancel:
		a.cancel()
	case actYank:
		a.yank = true
	case actBack:
		a.back()
	case actView:
		a.view()
	case actOpen:
		return a.open()
	case actNextOdd, actPrevOdd:
		return a.odd(act == actPrevOdd)
	case actAgain:
		return a.repeat()
	case actEarlier, actLater:
		a.stepArguments(act == actEarlier)
	case actCalls:
		a.openCalls()
	case actToWire:
		a.toWire()
	case actSaveBlock:
		return a.openSave()
	case actWatch:
		return a.toggleWatch()
	case actReload:
		if !a.mayAsk() {
			return nil
		}
		a.sess.Reload(client.Tools)
		a.tools.reload = true
		a.say("loading the tools anew")
	case actFilter:
		return a.openFilter()
	case actFollow:
		a.wire.follow(!a.wire.list.Following())
	default:
		if a.mode.Focus == PaneCall {
			return a.callAction(act)
		}
		return a.move(act)
	}
	return nil
}

// quit leaves; the server is closed by whoever opened the screen.
func (a *app) quit() tea.Cmd {
	a.leaving = true
	return tea.Quit
}

// suspend gives the terminal back to the shell until that continues us.
func (a *app) suspend() tea.Cmd {
	return tea.Exec(&suspension{a.out}, func(err error) tea.Msg {
		if err != nil {
			return noticeMsg("not suspended: " + err.Error())
		}
		return noticeMsg("the server was running all the time")
	})
}

// interrupt cancels the running call; pressed again it quits.
func (a *app) interrupt() tea.Cmd {
	if a.quitAsked {
		return a.quit()
	}
	a.quitAsked = true
	if len(a.running) == 0 {
		a.say("ctrl+c again quits")
		return nil
	}
	a.cancel()
	return nil
}

// back leaves what is on top: help, detail, zoom, the form.
func (a *app) back() {
	switch {
	case a.mode.Zoom:
		a.mode.Zoom = false
	case a.mode.Focus == PaneResult && a.result.view != viewResult:
		a.result.view = viewResult
	case a.mode.Focus == PaneDetail:
		a.mode.Detail = false
		a.focus(PaneWire)
	case a.mode.Focus == PaneCall, a.mode.Focus == PaneResult:
		a.focus(PaneTools)
	case a.mode.Focus == PaneWire && a.wire.sieve != nil:
		a.wire.filter(nil, a.wire.place())
		a.say("all rows again")
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
	case PaneCall, PaneResult:
		a.mode.Detail = false
	}
}

// step goes to the next pane that is shown, in the order of their numbers.
func (a *app) step(by int) {
	n := int(paneEnd) - 1
	for i := 1; i <= n; i++ {
		p := Pane((int(a.mode.Focus)-1+by*i+n*2)%n + 1)
		if a.lay.Panes[p].W > 0 || a.lay.Tabs || a.mode.Zoom {
			a.focus(p)
			return
		}
	}
}

// number goes to a pane; the same digit again is its next view.
func (a *app) number(p Pane) {
	if p == PaneServer && a.mode.Focus == PaneServer && a.mode.Server && a.lay.Panes[PaneTools].W == 0 {
		a.focus(PaneTools)
		return
	}
	if a.mode.Focus == p {
		a.view()
		return
	}
	a.focus(p)
}

// view changes what the focused pane shows.
func (a *app) view() {
	switch a.mode.Focus {
	case PaneDetail, PaneWire:
		a.detail.next()
	case PaneCall:
		if why := a.call.nextView(); why != "" {
			a.say("%s", why)
		}
	case PaneResult:
		a.result.view = a.result.view.next(a.watch.build != nil)
	default:
		a.say("this pane has one view")
	}
}

// open is enter: the form of a tool, a field, a fold, the detail of a row.
func (a *app) open() tea.Cmd {
	switch a.mode.Focus {
	case PaneTools:
		if it, ok := a.tools.current(); ok {
			a.openTool(it)
			a.focus(PaneCall)
		}
	case PaneCall:
		if a.call.onSend() {
			return a.send(false)
		}
		return a.told(a.call.edit())
	case PaneServer:
		if v := a.snap.Server; v != nil && v.Seq >= 0 {
			a.openRow(v.Seq)
		} else {
			a.say("nothing to open yet: the server has not said who it is")
		}
	case PaneResult:
		if a.result.view == viewCalls {
			a.takeBack()
			return nil
		}
		if a.result.toggle() {
			break
		}
		if last, ok := a.snap.Last[a.call.tool]; ok {
			a.openRow(last.Answer)
		} else {
			a.say("nothing to open yet: this tool was not called")
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
	if _, ok := a.wire.rows.index(seq); !ok {
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
		if act == actEnd && !a.snap.List(client.Tools.Name).Complete {
			cmd := a.later(func() tea.Cmd { a.tools.move(actEnd); return nil })
			a.tools.move(act)
			return cmd
		}
		a.tools.move(act)
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
	if a.mode.Focus == PaneCall && a.call.nextProblem(back) {
		return nil
	}
	return a.begin("problem", !back, odd)
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
	found := false
	if a.help != nil {
		if !a.help.lines.find(q, dir) {
			a.say("%q is not in the help", q)
		}
		return nil
	}
	switch a.mode.Focus {
	case PaneServer:
		found = a.server.lines.find(q, dir)
	case PaneTools:
		if found = a.tools.find(q, dir); !found && !a.snap.List(client.Tools.Name).Complete {
			return a.later(func() tea.Cmd {
				if !a.tools.find(q, dir) {
					a.say("%q is in no tool", q)
				}
				return nil
			})
		}
	case PaneCall:
		found = a.call.find(q, dir)
	case PaneResult:
		found = a.result.lines.find(q, dir)
	case PaneWire:
		return a.begin(fmt.Sprintf("%q", q), dir > 0, a.wire.holds(q))
	case PaneDetail:
		if a.detail.of == nil {
			break
		}
		var ctx context.Context
		ctx, a.stopFind = context.WithCancel(a.ctx)
		return a.detail.find(ctx, q, dir)
	}
	if !found {
		a.say("%q is not in this pane", q)
	}
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
		if p.kind == promptSearch && a.mode.Focus == PaneCall {
			a.call.searchBack()
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
			if a.mode.Focus == PaneCall && a.call.search(value) {
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
			return nil
		}
	}
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(m)
	if p.kind == promptSearch && a.mode.Focus == PaneCall {
		a.call.search(p.input.Value())
	}
	return cmd
}

// helpKey is a key while the help is shown: it moves and searches there, and closes it.
func (a *app) helpKey(name string) tea.Cmd {
	switch act := lookup(name, Everywhere); act {
	case actSearch:
		return a.prompt.open(promptSearch)
	case actNextMatch, actPrevMatch:
		return a.find(1, act == actPrevMatch)
	case actBack, actHelp, actQuit:
		a.help = nil
	case actInterrupt:
		return a.do(act, name)
	default:
		a.help.lines.move(act)
	}
	return nil
}

// editKey is a key while a field of the form takes text.
func (a *app) editKey(m tea.KeyMsg, name string) tea.Cmd {
	switch act := lookup(name, OnEdit); act {
	case actSend:
		return a.send(false)
	case actEditDone:
		a.call.done()
		return nil
	case actEditNext, actEditPrev:
		if a.call.takes(name) {
			break
		}
		if name == "enter" && a.call.onSend() {
			a.call.done() // nothing is typed there, and the keys for what comes next are commands
			return a.send(false)
		}
		return a.call.advance(act == actEditPrev)
	}
	if name == "ctrl+c" {
		return a.interrupt()
	}
	return a.call.key(m)
}

// callAction is an action on the rows of the form.
func (a *app) callAction(act Action) tea.Cmd {
	switch act {
	case actSend:
		return a.send(false)
	case actSendRaw:
		return a.send(true)
	case actEditor, actEditorAll:
		return a.told(a.call.external(a.opts.In, a.opts.Out, act == actEditorAll))
	}
	return a.told(a.call.act(act))
}

// told shows why something cannot be done, and gives what it started.
func (a *app) told(cmd tea.Cmd, why string) tea.Cmd {
	if why != "" {
		a.say("%s", why)
	}
	return cmd
}

// restart starts the server again in the same log; it asks when calls are open.
func (a *app) restart() tea.Cmd {
	if n := len(a.snap.Calls); n > 0 && a.live() {
		a.prompt.confirm(fmt.Sprintf("%s open: restart the server?", text.Plural(n, "call")+" "+isAre(n)), a.startAgain)
		return nil
	}
	return a.startAgain()
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (a *app) startAgain() tea.Cmd {
	if !a.startable() {
		a.say("%s", nothingStarted)
		return nil
	}
	a.say("restarting")
	a.connectErr = nil
	sess, ctx := a.sess, a.ctx
	return func() tea.Msg { return connectedMsg{sess.Restart(ctx)} }
}
