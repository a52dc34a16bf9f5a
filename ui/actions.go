package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// key routes one key message: prompt, overlay, the pane that takes text, the bindings.
func (a *app) key(m tea.KeyMsg) tea.Cmd {
	name := keyText(m)
	switch {
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
	if r := runes(m); len(r) > 1 {
		return a.burst(r)
	}
	return a.do(lookup(name, scopesOf(a.mode.Focus)...), name)
}

// burst is several characters in one message: a held key, repeated if it moves; anything else was
// typed or pasted without brackets and must not become commands.
func (a *app) burst(r []rune) tea.Cmd {
	for _, c := range r {
		if c != r[0] {
			a.say("%d characters at once were ignored: paste into a field", len(r))
			return nil
		}
	}
	act := lookup(string(r[0]), scopesOf(a.mode.Focus)...)
	if !movement(act) {
		return nil
	}
	var cmds []tea.Cmd
	for range r {
		cmds = append(cmds, a.do(act, string(r[0])))
	}
	return tea.Batch(cmds...)
}

// paste outside a field: a whole object fills the form, anything else is refused with a word.
func (a *app) paste(s string) tea.Cmd {
	if a.mode.Focus == PaneCall && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if err := a.call.load([]byte(s)); err != nil {
			a.say("the pasted text is no JSON object: %v", err)
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
	case actHelp:
		a.help = newHelp()
	case actCommand:
		return a.prompt.open(promptCommand)
	case actSearch:
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
		a.odd(act == actPrevOdd)
	case actReload:
		a.sess.Reload(client.Tools)
		a.tools.reload = true
		a.say("loading the tools anew")
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
func (a *app) quit() tea.Cmd { return tea.Quit }

// interrupt cancels the running call; pressed again it quits.
func (a *app) interrupt() tea.Cmd {
	if a.quitAsked {
		return tea.Quit
	}
	a.quitAsked = true
	if len(a.running) == 0 {
		a.say("ctrl+c again quits")
		return nil
	}
	a.cancel()
	return nil
}

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
	a.say("cancelled; the server was told")
}

// back leaves what is on top: help, detail, zoom, the form.
func (a *app) back() {
	switch {
	case a.mode.Zoom:
		a.mode.Zoom = false
	case a.mode.Focus == PaneDetail:
		a.mode.Detail = false
		a.focus(PaneWire)
	case a.mode.Focus == PaneCall, a.mode.Focus == PaneResult:
		a.focus(PaneTools)
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
		a.call.nextView()
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
		if a.call.onSend() && !a.call.form.AsJSON() {
			return a.send(false)
		}
		return a.call.edit()
	case PaneResult:
		a.result.toggle()
	case PaneWire:
		a.mode.Detail = true
		a.focus(PaneDetail)
	}
	return nil
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
func (a *app) odd(back bool) {
	if a.mode.Focus == PaneCall && a.call.nextProblem(back) {
		return
	}
	if !a.wire.nextOdd(a.sess.Log(), back) {
		a.say("nothing odd in the log")
		return
	}
	if a.lay.Panes[PaneWire].W == 0 || a.mode.Focus != PaneDetail {
		a.focus(PaneWire)
	}
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
		found = a.wire.find(a.sess.Log(), q, dir)
	case PaneDetail:
		return a.detail.find(a.ctx, q, dir)
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
	switch name {
	case "esc", "ctrl+c":
		p.close()
		return nil
	case "enter":
		kind, value := p.kind, p.input.Value()
		p.close()
		if kind == promptSearch {
			if value != "" {
				p.search = value
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
	return cmd
}

func (a *app) helpKey(name string) tea.Cmd {
	switch act := lookup(name, Everywhere); act {
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
		if name == "enter" && a.call.multiline() {
			break
		}
		if name == "enter" && a.call.onSend() {
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
	case actAgain:
		return a.again()
	}
	if why := a.call.act(act); why != "" {
		a.say("%s", why)
	}
	return nil
}

// send calls the tool with what the form says. Problems are shown on their rows and nothing is
// sent, unless unchecked.
func (a *app) send(unchecked bool) tea.Cmd {
	if a.call.tool == "" {
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
		a.say("%s: nothing was sent; ; goes to the next, S sends unchecked", text.Plural(len(problems), "problem"))
		return nil
	}
	return a.confirmed(args, unchecked && len(problems) > 0)
}

// confirmed asks once before the first call of a tool that says it is destructive.
func (a *app) confirmed(args []byte, unchecked bool) tea.Cmd {
	tool := a.call.tool
	start := func() tea.Cmd { return a.start(tool, args, unchecked) }
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
	last, ok := a.call.sent[a.call.tool]
	if !ok {
		a.say("this tool was not called yet")
		return nil
	}
	return a.confirmed(last, a.call.unchecked[a.call.tool])
}

// start sends a call. Its answer reaches the screen by the log; the message only ends the spinner.
func (a *app) start(tool string, args []byte, unchecked bool) tea.Cmd {
	a.call.began(tool, args, unchecked)
	if a.look.secrets != nil {
		a.call.form.Secrets(recordings.NamesSecret, func(name, value string) { a.look.secrets.Add(name, value) })
	}
	return a.request(tool, client.CallTool(tool, args))
}

func (a *app) request(tool string, r client.Request) tea.Cmd {
	a.calls++
	g := a.calls
	ctx, cancel := context.WithCancel(a.ctx)
	a.running[g] = cancel
	r.Meta = append(r.Meta, a.meta...)
	sess := a.sess
	return func() tea.Msg {
		_, err := sess.Call(ctx, r)
		return callMsg{g, tool, err}
	}
}

func (a *app) ended(m callMsg) {
	if cancel, ok := a.running[m.generation]; ok {
		cancel()
		delete(a.running, m.generation)
	}
	if m.err != nil && !errors.Is(m.err, context.Canceled) {
		a.say("%s", m.err)
	}
}

// restart starts the server again in the same log; it asks when calls are open.
func (a *app) restart() tea.Cmd {
	if n := len(a.snap.Calls); n > 0 {
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
	a.say("restarting")
	a.connectErr = nil
	sess, ctx := a.sess, a.ctx
	return func() tea.Msg { return connectedMsg{sess.Restart(ctx)} }
}

// copy puts a part of the focused pane into the clipboard.
func (a *app) copy(what string) tea.Cmd {
	var s, name string
	switch what {
	case "y":
		s, name = a.line(), "the line"
	case "v":
		s, name = a.valueUnder(), "the value"
	case "p":
		s, name = a.pointer(), "the pointer"
	case "c":
		s, name = a.commandLine(), "the command"
	default:
		return nil
	}
	if s == "" {
		a.say("nothing to copy here")
		return nil
	}
	return copyText(a.ctx, a.out, name, s)
}

// line is the line under the cursor, true bytes where there are some.
func (a *app) line() string {
	switch a.mode.Focus {
	case PaneServer:
		l, _ := a.server.lines.current()
		return l.text
	case PaneResult:
		l, _ := a.result.lines.current()
		return l.text
	case PaneTools:
		it, _ := a.tools.current()
		return it.Name
	case PaneCall:
		return a.call.line()
	case PaneWire:
		return string(a.sess.Log().Body(a.wire.selected()).Bytes())
	case PaneDetail:
		return a.detail.line()
	}
	return ""
}

func (a *app) valueUnder() string {
	switch a.mode.Focus {
	case PaneServer:
		l, _ := a.server.lines.current()
		return l.copy
	case PaneResult:
		l, _ := a.result.lines.current()
		return l.copy
	case PaneTools:
		it, _ := a.tools.current()
		return string(it.Raw)
	case PaneCall:
		args, _, _ := a.call.value()
		return string(args)
	case PaneDetail:
		return a.detail.value(a.sess.Log())
	}
	return a.line()
}

func (a *app) pointer() string {
	switch a.mode.Focus {
	case PaneCall:
		return a.call.path()
	case PaneDetail:
		return a.detail.pointer()
	}
	return ""
}

// commandLine is a shell command that does what the screen shows.
func (a *app) commandLine() string {
	target := append([]string{"--"}, a.sess.Target().Command.Args...)
	out := []string{"mcpinspect"}
	if a.mode.Focus == PaneCall || a.mode.Focus == PaneResult {
		args, _, _ := a.call.value()
		out = append(out, "call", a.call.tool, string(args))
	}
	return words.Shell(append(out, target...))
}

// command runs one line of the command prompt, in the words of the verbs.
func (a *app) command(s string) tea.Cmd {
	list, err := words.Split(s)
	if err != nil || len(list) == 0 {
		a.say("%v", err)
		return nil
	}
	verb, rest := list[0], list[1:]
	switch verb {
	case "call":
		return a.callCommand(rest)
	case "send", "notify":
		return a.sendCommand(verb, s)
	case "q":
		return a.quit()
	case "meta":
		a.metaCommand(rest)
		return nil
	case "raw":
		if len(rest) == 0 {
			a.say("raw needs the bytes to send: raw '{…}'")
			return nil
		}
		a.wire.follow(true)
		a.say("sent as it is; what comes back is in the wire")
		if err := a.sess.SendRaw([]byte(strings.TrimSpace(s)[len("raw"):][1:] + "\n")); err != nil {
			a.say("%v", err)
		}
		return nil
	}
	for _, b := range keyTable {
		if string(b.Action) == verb && b.Action != actPane && b.Scope != OnEdit {
			if len(rest) > 0 {
				a.say("%s takes no words", verb)
				return nil
			}
			if b.Scope == OnCall {
				a.focus(PaneCall)
			}
			return a.do(b.Action, "")
		}
	}
	a.say("no command %q; there are call, send, notify, raw, meta, and the names of the key table (? shows it)", verb)
	return nil
}

// metaCommand is :meta KEY=JSON, :meta KEY- to leave a key out, and :meta alone to send the usual
// ones again. It holds for every call that follows.
func (a *app) metaCommand(rest []string) {
	if len(rest) == 0 {
		a.meta = nil
		a.say("_meta is as usual again")
		return
	}
	var keys []client.MetaKey
	for _, word := range rest {
		k, err := client.ParseMeta(word)
		if err != nil {
			a.say("%v", err)
			return
		}
		keys = append(keys, k)
	}
	a.meta = append(a.meta, keys...)
	said := fmt.Sprintf("%s overridden in every call from now on; :meta alone ends it", text.Plural(len(a.meta), "key"))
	if w := client.ReservedWarnings(keys); len(w) > 0 {
		said = w[0]
	}
	a.say("%s", said)
}

// callCommand is :call TOOL ARG...; the form shows what is sent.
func (a *app) callCommand(rest []string) tea.Cmd {
	if len(rest) == 0 {
		a.say("call needs a tool: call TOOL name=value …")
		return nil
	}
	it, ok := a.snap.List(client.Tools.Name).Find(rest[0])
	if !ok && !a.snap.List(client.Tools.Name).Complete && a.after == nil {
		return a.later(func() tea.Cmd { return a.callCommand(rest) })
	}
	if !ok {
		a.say("no tool %q is listed", rest[0])
		return nil
	}
	a.openTool(it)
	if len(rest) > 1 {
		if err := a.call.words(rest[1:]); err != nil {
			a.say("%v", err)
			return nil
		}
	}
	a.focus(PaneCall)
	return a.send(false)
}

// sendCommand is :send METHOD [PARAMS] and :notify METHOD [PARAMS]. What follows the method is JSON
// as it stands: nobody has to quote it for a shell that is not there.
func (a *app) sendCommand(verb, line string) tea.Cmd {
	_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	method, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == '\'' && text[n-1] == '\'' {
		text = text[1 : n-1] // quoted all the same
	}
	if method == "" {
		a.say("%s METHOD [PARAMS], PARAMS one JSON object", verb)
		return nil
	}
	var params []byte
	if text != "" {
		params = []byte(text)
		if !client.ValidJSON(params) {
			a.say("the params are no JSON: %s", text)
			return nil
		}
	}
	a.wire.follow(true)
	a.say("sent %s; its answer is in the wire", method)
	if verb == "notify" {
		a.say("sent %s", method)
		if err := a.sess.Notify(method, params); err != nil {
			a.say("%v", err)
		}
		return nil
	}
	return a.request("", client.Request{Method: method, Params: params})
}
