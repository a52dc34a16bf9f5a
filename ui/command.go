package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// typedCommand is a line of the command prompt.
type typedCommand struct {
	name  string
	rest  string   // what follows the name, as it was typed
	words []string // the same, taken apart as a shell does
	line  string
}

// parseCommand reads a line. What follows a command whose words are free text may have any quotes.
func parseCommand(s string) (c typedCommand, err error) {
	c.line = strings.TrimSpace(s)
	c.name, c.rest, _ = strings.Cut(c.line, " ")
	c.rest = strings.TrimSpace(c.rest)
	c.words, err = words.Split(c.rest)
	return c, err
}

// openCommand asks for a command.
func (a *app) openCommand() tea.Cmd { return tea.Batch(a.prompt.open(promptCommand), a.chooseAnew()) }

// command runs one line of the command prompt, in the words of the verbs.
func (a *app) command(s string) tea.Cmd {
	c, unquoted := parseCommand(s)
	if c.name == "" {
		return nil
	}
	for _, cmd := range commands() {
		if cmd.name != c.name {
			continue
		}
		if unquoted != nil && !cmd.free {
			a.say("%v", unquoted)
			return nil
		}
		if c.rest == "" && cmd.orKey { // the key of the same name
			break
		}
		a.help = nil // what a command does is seen in the panes
		return cmd.run(a, c)
	}
	if b, ok := a.bindingOf(c.name); ok {
		a.help = nil
		return a.bound(b, c)
	}
	known := commandNames()
	a.say("no command %q%s", c.name, nearCommand(c.name, known))
	return nil
}

// nearCommand says which command may have been meant.
func nearCommand(name string, known []string) string {
	if near := words.DidYouMean(name, known); near != "" {
		return ": " + near
	}
	return "; tab behind : shows them, and ? the names of the keys"
}

// bindingOf finds the line of the key table that a command names: in the scopes of the focused pane
// first, since some keys mean another thing elsewhere.
func (a *app) bindingOf(name string) (Binding, bool) {
	for _, scope := range append(scopesOf(a.mode.Focus), "") {
		for _, b := range keyTable {
			if string(b.Action) == name && (b.Scope == scope || scope == "") {
				return b, true
			}
		}
	}
	return Binding{}, false
}

// bound does what the key of a binding does.
func (a *app) bound(b Binding, c typedCommand) tea.Cmd {
	if b.Action == actPane {
		return a.paneCommand(c.words)
	}
	if c.rest != "" {
		a.say("%s takes no words", c.name)
		return nil
	}
	if b.Scope == OnEdit && b.Action != actSend {
		a.say("%s is for a field that takes text: enter begins one, and there it is the key %s", c.name, b.Keys[0])
		return nil
	}
	if !slices.Contains(scopesOf(a.mode.Focus), b.Scope) && !a.toScope(b.Scope) {
		return nil
	}
	return a.do(b.Action, "")
}

// toScope goes to the pane in which a scope holds; false where there is none.
func (a *app) toScope(s Scope) bool {
	if s == OnQuestion {
		if a.asking.current() == nil {
			a.say("the server asks nothing")
			return false
		}
		a.toQuestion()
		return true
	}
	for p := PaneServer; p < paneEnd; p++ {
		if scopesOf(p)[0] == s || s == OnForm && p == PaneCall {
			a.focus(p)
			break
		}
	}
	return true
}

// paneCommand is :pane NUMBER or :pane NAME.
func (a *app) paneCommand(rest []string) tea.Cmd {
	for p := PaneServer; p < paneEnd && len(rest) == 1; p++ {
		if rest[0] == fmt.Sprint(int(p)) || strings.EqualFold(rest[0], paneNames[p]) {
			a.number(p)
			return nil
		}
	}
	a.say("pane takes a number or a name: %s", strings.ToLower(strings.Join(paneNames[PaneServer:], ", ")))
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
	for _, k := range keys {
		a.hide(append(append(append([]byte{'{'}, client.Quote(k.Key)...), ':'), append(k.Value, '}')...))
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
		a.say("call needs a tool: call TOOL name=value ...")
		return nil
	}
	it, ok := a.snap.List(client.Tools.Name).Find(rest[0])
	if !ok && a.coming(&a.offers.tools) && a.offers.after == nil {
		return a.later(&a.offers.tools, func() tea.Cmd { return a.callCommand(rest) })
	}
	if !ok {
		a.say("%s", noTool(rest[0], a.snap.List(client.Tools.Name)))
		return nil
	}
	return a.fillAndSend(toolOffer(rest[0]), it, rest[1:])
}

// rawCommand is :raw BYTES.
func (a *app) rawCommand(c typedCommand) tea.Cmd {
	if c.rest == "" {
		a.say("raw needs the bytes to send: raw {...}")
		return nil
	}
	a.wire.follow(true)
	a.say("sent as it is; what comes back is in the wire")
	line := []byte(c.line[len(c.name)+1:] + "\n") // a blank more is a byte, too
	a.hide(line)
	if err := a.sess.SendRaw(line); err != nil {
		a.say("%v", err)
	}
	return nil
}

// taskCommand is :task.
func (a *app) taskCommand(typedCommand) tea.Cmd {
	a.tasks = !a.tasks
	if a.say("calls are sent as usual again"); a.tasks {
		a.say("the server may make a task of each call from now on; :task again ends that")
	}
	return nil
}

// sendCommand is :send METHOD [PARAMS] and :notify METHOD [PARAMS]. What follows the method is JSON
// as it stands: nobody has to quote it for a shell that is not there.
func (a *app) sendCommand(c typedCommand) tea.Cmd {
	verb := c.name
	method, text, _ := strings.Cut(c.rest, " ")
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
	a.hide(params)
	a.wire.follow(true)
	a.say("sent %s; its answer is in the wire", method)
	if verb == "notify" || client.IsNotification(method) {
		a.say("sent %s, a notification: no answer comes", method)
		if err := a.sess.Notify(method, params); err != nil {
			a.say("%v", err)
		}
		return nil
	}
	return a.request("", client.Request{Method: method, Params: params})
}
