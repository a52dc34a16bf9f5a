package ui

import (
	"cmp"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// outcomeWidth holds "error -32601" and "pending 19.0 ms".
const outcomeWidth = 15

// callRow is a request in one line: what is called with what, how it ended, how long that took and
// how large the answer is. Those of the server are marked by their direction.
func (p *wirePane) callRow(l look, e *session.Event, front string, w int) (string, theme.Role) {
	dir, role := "-> ", theme.Sent
	if e.Stream == client.Out {
		dir, role = "<- ", theme.Received
	}
	outcome, bad := p.outcome(e)
	switch {
	case bad:
		role = theme.Bad
	case e.Open || e.Pair == session.NoPair:
		role = theme.Odd
	}
	took, size := "", ""
	if a, ok := p.log.Event(e.Pair); ok && e.Latency >= 0 {
		took, size = text.Duration(e.Latency), text.Size(int64(a.Size))
	}
	head := front + dir
	head += p.id(l, e, w-text.Width(head))
	room := w - text.Width(head)
	right := " " + text.Pad(outcome, outcomeWidth) + left(took, latencyWidth) + left(size, sizeWidth)
	if room-text.Width(right) < outcomeWidth { // what they are ranked by is shown in any case
		right = " " + outcome + left(took, latencyWidth)
		if p.order() == session.BySize {
			right = " " + outcome + left(size, sizeWidth)
		}
	}
	return head + p.beside(l, subject(e), right, room), role
}

// subject is what a request calls and with what: a tool or a prompt by its name, anything else by
// its method.
func subject(e *session.Event) string {
	params := client.Get(e.Head, "params")
	name := cmp.Or(client.GetText(params, "name"), client.GetText(params, "uri"))
	if e.Method != client.MethodToolsCall || name == "" {
		name = e.Method + " " + name
	}
	return name + " " + string(client.Get(params, "arguments"))
}

// outcome says in a word or two how a request ended, or for how long it has been open.
func (p *wirePane) outcome(e *session.Event) (said string, bad bool) {
	a, answered := p.log.Event(e.Pair)
	switch {
	case e.Open && e.Cancelled:
		return "cancelled", false
	case e.Open:
		what := "pending "
		if c, waits := p.waiting(e); waits && c.Far.Measured {
			what = c.Far.Percent() + " "
		}
		return what + text.Duration(p.clock.now-e.T), false
	case !answered && e.Pair != session.NoPair:
		return "answered", false // by a row that was let go
	case !answered && e.Cancelled:
		return "cancelled", false
	case !answered:
		return "lost", true
	case a.Kind == client.KindError:
		if code := client.Get(a.Head, "error", "code"); code != nil {
			return "error " + text.Clean(string(code[:min(len(code), outcomeWidth)])), true
		}
		return "error", true
	case a.Failed:
		return "isError", true
	case !a.Kind.IsAnswer() && a.Kind != client.KindBatch:
		return "unreadable", true
	case e.Cancelled:
		return "ok, cancelled", false
	case client.GetText(a.Head, "result", "resultType") == client.ResultInputRequired:
		return "asks back", false
	}
	return "ok", false
}

// levelWidth holds "emergency".
const levelWidth = 9

// messageRow is a log message of the server in one line: level, logger, data.
func (p *wirePane) messageRow(l look, e *session.Event, front string, w int) (string, theme.Role) {
	m := session.ReadLogMessage(e.Head)
	role := theme.Plain
	switch level := session.LogLevel(m.Level); {
	case level >= session.LogLevel("error"):
		role = theme.Bad
	case level == session.LogLevel("warning"):
		role = theme.Odd
	case level <= 0:
		role = theme.Faint
	}
	said, ok := client.Text(m.Data)
	if !ok {
		said = string(m.Data)
	}
	if m.Logger != "" {
		said = m.Logger + ": " + said
	}
	head := front + text.Fit(l.glyphs.Clean(l.mask(m.Level)), levelWidth) + " "
	room := w - text.Width(head)
	right := " " + text.Size(int64(e.Size))
	if text.Width(right) > room/2 {
		right = ""
	}
	return head + p.beside(l, said, right, room), role
}
