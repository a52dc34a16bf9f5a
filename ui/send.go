package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
)

// cancel gives up the latest call of ours: the server is told.
func (a *app) cancel() {
	latest := -1
	for g := range a.running {
		latest = max(latest, g)
	}
	if latest < 0 {
		a.say("no call is running")
		return
	}
	a.running[latest]()
	if a.snap.Open() == 0 {
		a.say("given up; the server waits for nothing")
		return
	}
	a.say("cancelled; the server was told")
}

// send calls the tool with what the form says. Problems are shown on their rows and nothing is
// sent, unless unchecked.
func (a *app) send(unchecked bool) tea.Cmd {
	if q := a.asking.current(); q != nil && a.mode.Focus == PaneQuestion {
		a.accept(q, unchecked)
		return nil
	}
	if (a.call.of == offer{}) {
		a.say("choose a tool first")
		return nil
	}
	args, problems, err := a.call.value()
	if err != nil {
		a.call.refused = "not sent: " + err.Error()
		a.say("%v: nothing was sent", err)
		return nil
	}
	if len(problems) > 0 && !unchecked {
		a.call.refuse(problems)
		how := "(; goes to the next, S sends unchecked)"
		if a.call.editing() { // there they are text
			how = "(after esc ; goes to the next, S sends unchecked)"
		}
		a.say("%s: nothing was sent %s", text.Plural(len(problems), "problem"), how)
		return nil
	}
	a.result.view = viewResult
	it, _ := a.snap.List(client.Tools.Name).Find(a.call.tool())
	_, fault := client.HeaderParams(it.InputSchema()) // S sends also what HTTP has to refuse
	return a.confirmed(args, unchecked && (len(problems) > 0 || fault != nil))
}

// confirmed asks once before the first call of a tool that says it is destructive.
func (a *app) confirmed(args []byte, unchecked bool) tea.Cmd {
	if !a.mayAsk() {
		return nil
	}
	of, tool := a.call.of, a.call.tool()
	start := func() tea.Cmd { return a.start(of, args, unchecked) }
	if a.call.hint.Said && !a.call.asked[tool] {
		a.prompt.confirm(fmt.Sprintf("%s says that it is destructive: send it?", tool), func() tea.Cmd {
			a.call.asked[tool] = true
			return start()
		})
		return nil
	}
	return start()
}

// again sends the last arguments of this tool once more.
func (a *app) again() tea.Cmd {
	last, ok := a.call.sent[a.call.of]
	if made, known := a.snap.Last[a.subject()]; !ok && known {
		view := a.result.view
		cmd := a.repeatRow(made.Request) // of the recording that is shown
		if view == viewChanges {
			a.result.view = view
		}
		return cmd
	}
	if !ok {
		a.say("this %s was not %s yet", a.call.of.noun(), a.call.of.done())
		return nil
	}
	if a.result.view != viewChanges { // whoever looks at what changes goes on doing so
		a.result.view = viewResult
	}
	return a.confirmed(last, a.call.unchecked[a.call.of])
}

// start sends a request. Its answer reaches the screen by the log; the message only ends the spinner.
func (a *app) start(of offer, args []byte, unchecked bool) tea.Cmd {
	r, err := of.request(args)
	if err != nil {
		a.call.refused = "not sent: " + err.Error()
		a.say("%v: nothing was sent", err)
		return nil
	}
	a.notice = "" // it may say that nothing was sent
	a.call.began(of, args, unchecked)
	a.stepped(of, args)
	if a.look.secrets != nil {
		a.call.form.Secrets(recordings.NamesSecret, func(name, value string) { a.look.secrets.Add(name, value) })
	}
	a.hide(args) // also where the schema has no fields
	r.Unchecked = unchecked
	return a.request(of.name, r)
}

// hide masks from now on the texts of what is sent whose names call them secret.
func (a *app) hide(raw []byte) {
	if a.look.secrets == nil {
		return
	}
	if v, err := schema.Parse(bytes.TrimSpace(raw)); err == nil {
		schema.NamedSecrets(v, recordings.NamesSecret, func(name, value string) { a.look.secrets.Add(name, value) })
	}
}

func (a *app) request(name string, r client.Request) tea.Cmd {
	if !a.mayAsk() {
		return nil
	}
	a.calls++
	g := a.calls
	ctx, cancel := context.WithCancel(a.ctx)
	a.running[g] = cancel
	if r.Method == client.MethodToolsCall {
		a.last = lastCall{client.GetText(r.Params, "name"), r}
	}
	begin, end := a.keeping(offerIn(r), client.Get(r.Params, "arguments"))
	r.Meta = append(append([]client.MetaKey(nil), r.Meta...), a.meta...)
	send, tasks := a.sess.Call, a.tasks
	switch {
	case r.Method != client.MethodToolsCall:
	case name != "":
		send = func(ctx context.Context, r client.Request) (client.Answer, error) {
			return a.sess.CallTool(ctx, r, tasks)
		}
	case tasks: // written by hand, it is sent as it was written otherwise
		send = a.sess.CallTask
	}
	return func() tea.Msg {
		begin()
		answer, err := send(ctx, r)
		end(answer, err)
		return callMsg{g, name, err}
	}
}

func (a *app) ended(m callMsg) tea.Cmd {
	if cancel, ok := a.running[m.generation]; ok {
		cancel()
		delete(a.running, m.generation)
	}
	if m.err != nil && !errors.Is(m.err, context.Canceled) && !a.shown(m.err) {
		a.say("%s", client.Told(m.err))
	}
	return a.called(m.generation, m.err)
}
