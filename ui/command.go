package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// command runs one line of the command prompt, in the words of the verbs.
func (a *app) command(s string) tea.Cmd {
	list, err := words.Split(s)
	if err != nil || len(list) == 0 {
		a.say("%v", err)
		return nil
	}
	verb, rest := list[0], list[1:]
	a.help = nil // what a command does is seen in the panes
	switch verb {
	case "call":
		return a.callCommand(rest)
	case "read":
		return a.readCommand(rest)
	case "prompt":
		return a.promptCommand(rest)
	case "send", "notify":
		return a.sendCommand(verb, s)
	case "history":
		return a.historyCommand(rest)
	case string(actSaveBlock):
		if len(rest) == 0 {
			return a.openSave()
		}
		return a.saveCommand(rest)
	case string(actStatistics):
		return a.openStatistics()
	case "q":
		return a.quit()
	case "filter":
		if len(rest) > 0 {
			a.filterCommand(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), verb)))
			return nil
		}
		a.focus(PaneWire)
		return a.openFilter()
	case "save":
		return a.save(s)
	case "export":
		return a.export(s)
	case "replay":
		return a.replayCommand(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), verb)))
	case "play", "pause", "step", "at":
		return a.playCommand(verb, rest)
	case "note":
		return a.noteCommand(s)
	case "listen", "unlisten":
		return a.listenCommand(verb, rest)
	case "task":
		a.tasks = !a.tasks
		if a.say("calls are sent as usual again"); a.tasks {
			a.say("the server may make a task of each call from now on; :task again ends that")
		}
		return nil
	case "log-level":
		return a.logLevelCommand(rest)
	case "root":
		a.rootCommand(rest)
		return nil
	case "with", "without":
		a.withoutCommand(verb, rest)
		return nil
	case "meta":
		a.metaCommand(rest)
		return nil
	case "raw":
		if len(rest) == 0 {
			a.say("raw needs the bytes to send: raw '{...}'")
			return nil
		}
		a.wire.follow(true)
		a.say("sent as it is; what comes back is in the wire")
		line := []byte(strings.TrimSpace(s)[len("raw"):][1:] + "\n")
		a.hide(line)
		if err := a.sess.SendRaw(line); err != nil {
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
			switch {
			case b.Scope == OnCall, b.Scope == OnForm && !a.onForm():
				a.focus(PaneCall)
			case b.Scope == OnQuestion:
				if a.asking.current() == nil {
					a.say("the server asks nothing")
					return nil
				}
				a.toQuestion()
			}
			return a.do(b.Action, "")
		}
	}
	a.say("no command %q; there are call, read, prompt, send, notify, raw, listen, unlisten, log-level, task, meta, save, export, note, replay, play, pause, step, at, history, filter, stats, root, with, without, and the names of the key table (? shows it)", verb)
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
