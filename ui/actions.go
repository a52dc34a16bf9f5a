package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// do carries out an action in the focused pane.
func (a *app) do(act Action, key string) tea.Cmd {
	if act != actInterrupt {
		a.quitAsked = false
	}
	if a.mode.Focus == PaneQuestion && act != actNone && a.questionAction(act) {
		return nil
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
		a.help = newHelp(a.look, a.w-2)
	case actCommand:
		return a.openCommand()
	case actSearch:
		a.formPane().searchFrom()
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
		if q := a.asking.current(); q != nil && q.kind == askURL && a.mode.Focus == PaneQuestion {
			return copyText(a.ctx, a.out, "the address", client.GetText(q.Params, "url"))
		}
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
		tab := a.offers.tab
		for i := range tab.parts {
			a.sess.Reload(tab.parts[i].kind)
			tab.parts[i].reload = true
		}
		a.say("loading the %s anew", strings.ToLower(tab.title))
	case actFilter:
		return a.openFilter()
	case actPlay:
		return a.togglePlay()
	case actMark:
		return a.toggleMark()
	case actFollow:
		a.wire.follow(!a.wire.list.Following())
	default:
		if done, cmd := a.wireAction(act); done {
			return cmd
		}
		if a.onForm() {
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

// callAction is an action on the rows of the form.
func (a *app) callAction(act Action) tea.Cmd {
	switch act {
	case actSend:
		return a.send(false)
	case actSendRaw:
		return a.send(true)
	case actEditor, actEditorAll:
		return a.told(a.formPane().external(a.opts.In, a.opts.Out, act == actEditorAll))
	}
	return a.told(a.formPane().act(act))
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
	if n := a.snap.Open(); n > 0 && a.live() {
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

// restarting is the sentence of a restart; it goes when the server is there again.
const restarting = "restarting"

func (a *app) startAgain() tea.Cmd {
	if !a.startable() {
		a.say("%s", nothingStarted)
		return nil
	}
	a.say(restarting)
	a.connectErr = nil
	sess, ctx := a.sess, a.ctx
	return func() tea.Msg { return connectedMsg{sess.Restart(ctx)} }
}
