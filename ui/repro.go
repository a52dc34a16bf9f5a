package ui

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/words"
)

// requestRow is the row of the request of ours that the focused pane is about; -1 for none.
func (a *app) requestRow() int {
	switch a.mode.Focus {
	case PaneWire, PaneDetail:
		return a.sess.Log().RequestOf(a.wire.selected())
	case PaneCall, PaneResult, PaneTools:
		if l, ok := a.snap.Last[a.subjectOf(a.offerUnder())]; ok {
			return l.Request
		}
		if c, ok := a.snap.Lost[a.subjectOf(a.offerUnder())]; ok {
			return c.Seq
		}
	}
	return -1
}

// offerUnder is what the focused pane is about.
func (a *app) offerUnder() offer {
	if a.mode.Focus == PaneTools {
		r, _ := a.offers.tab.current()
		return r.of
	}
	return a.call.of
}

// commandLine is a shell command that does what the screen shows: the call in the form, the request
// under the cursor, else the session.
func (a *app) commandLine() string {
	out := []string{"mcpinspect"}
	seq := a.requestRow()
	switch {
	case a.mode.Focus == PaneTools && !a.offerUnder().isTool():
		if of := a.offerUnder(); of == a.call.of {
			out = append(out, a.offerWords()...)
		}
	case (a.mode.Focus == PaneCall || a.mode.Focus == PaneResult) && a.call.of != (offer{}):
		out = append(out, a.offerWords()...)
	case (a.mode.Focus == PaneWire || a.mode.Focus == PaneDetail) && seq >= 0:
		e, ok := a.sess.Log().Event(seq)
		if !ok || e.Kept < e.Size {
			break // its beginning is no request
		}
		out = append(out, requestWords(e.Method, client.Get(a.sess.Log().Body(seq).Bytes(), "params"))...)
	}
	return words.Shell(append(out, targetWords(a.sess.Target())...))
}

// requestWords is a request as a verb makes it; _meta is filled in there.
func requestWords(method string, params []byte) []string {
	if name := client.GetText(params, "name"); method == client.MethodToolsCall && name != "" {
		args := client.Get(params, "arguments")
		if args == nil {
			args = []byte("{}")
		}
		return []string{"call", "--unchecked", name, string(args)}
	}
	switch name, uri := client.GetText(params, "name"), client.GetText(params, "uri"); {
	case method == client.MethodPromptsGet && name != "":
		if list, ok := textWords(client.Get(params, "arguments")); ok {
			return append([]string{"prompt", "--unchecked", name}, list...)
		}
	case method == client.MethodResourcesRead && uri != "" && !strings.Contains(uri, "{"): // the verb would fill it
		return []string{"read", uri}
	}
	var members []string
	for name, value := range client.Members(params) {
		if n, _ := client.Text(name); n != "_meta" {
			members = append(members, string(name)+":"+string(value))
		}
	}
	if members == nil {
		return []string{"send", method}
	}
	return []string{"send", method, "{" + strings.Join(members, ",") + "}"}
}

// targetWords are the words that name a server, with what it was started with. Values of variables
// are ours to pass on, not to write down.
func targetWords(t session.Target) (out []string) {
	for _, kv := range t.Command.Env {
		name, _, _ := strings.Cut(kv, "=")
		out = append(out, "-e", name)
	}
	if t.Command.Dir != "" {
		out = append(out, "--cwd", t.Command.Dir)
	}
	if t.Remote() {
		return append(out, t.Address.URL)
	}
	return append(append(out, "--"), t.Command.Args...)
}

// pipeLine is a shell line that gives a server the request under the cursor with nothing of ours
// between: what it needs before, and the request, byte for byte. why says what stands against it.
func (a *app) pipeLine() (line, why string) {
	t := a.sess.Target()
	seq := a.requestRow()
	switch {
	case t.Remote():
		return "", "a server at an address reads no pipe: y then c copies a command"
	case len(t.Command.Args) == 0:
		return "", "no command is known for this server"
	case seq < 0:
		return "", "no request of ours here: choose its row, or send the call first"
	}
	out := []string{"printf", `%s\n`}
	lines, whole := a.sess.Log().Reproduction(seq)
	if !whole {
		return "", "the bytes of this request are in the recording only: mcpinspect log FILE --story has them"
	}
	for _, l := range lines {
		out = append(out, string(l))
	}
	line = words.Shell(out) + " | "
	if t.Command.Dir != "" {
		line += "(cd " + words.Shell([]string{t.Command.Dir}) + " && " + words.Shell(t.Command.Args) + ")"
	} else {
		line += words.Shell(t.Command.Args)
	}
	return line, ""
}
