package ui

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// wireWidths are the columns of a wire row: number, time, direction, what it is, and at the right
// end what was measured.
const (
	seqWidth  = 5
	timeWidth = 9
)

// wireRow is one row of the log as one line of w cells, its text from cell side on: what is told
// apart by colour is also a word.
func (l look) wireRow(e *session.Event, about string, w, side int) (string, theme.Role) {
	dir, role := "<- in ", theme.Received
	switch {
	case e.Stream == client.In:
		dir, role = "-> out", theme.Sent
	case e.Stream == client.Err:
		dir, role = "   err", theme.Stderr
	case e.Stream == client.Life:
		dir, role = "** ", theme.Life
	case e.Stray():
		dir, role = "!! ", theme.Odd
	}
	head := fmt.Sprintf("%*d %*.3f %s ", seqWidth-1, e.Seq, timeWidth-1, e.T.Seconds(), dir)
	right := measured(e)
	if len(e.Head) < e.Size { // a secret may be cut in two
		e.Head, _ = l.secrets.MaskCut(e.Head)
	}
	what, strong := subject(e, about)
	what = l.mask(what)
	if strong {
		role = theme.Bad
	}
	room := w - len(head)
	if text.Width(right) > room/2 {
		if right = " " + text.Duration(e.Latency); e.Latency < 0 || text.Width(right) > room/2 {
			right = ""
		}
	}
	what = l.glyphs.Window(l.glyphs.Short(what, max(room, 1)*2+side), side, max(room, 1)*2)
	return head + l.fit(what, room-text.Width(right)) + right, role
}

// measured is the right end of a row: latency of an answer, size, reads.
func measured(e *session.Event) string {
	if e.Stream == client.Life {
		return ""
	}
	var parts []string
	if e.Stream == client.Out && e.Reads > 1 {
		parts = append(parts, fmt.Sprintf("in %d reads", e.Reads))
	}
	if e.Stream == client.Out && e.Pair != session.NoPair && e.Latency >= 0 {
		parts = append(parts, text.Duration(e.Latency))
	}
	parts = append(parts, text.Size(int64(e.Size)))
	return " " + strings.Join(parts, " ")
}

// subject says what a row is. strong marks what must not be missed.
func subject(e *session.Event, about string) (what string, strong bool) {
	method := e.Method
	if about != "" {
		method += " " + about
	}
	switch {
	case e.Note != nil:
		return e.Note.What + " " + e.Note.Text, e.Note.What == client.NoteExit && e.Note.Exit.Asked == client.AskedNo || e.Note.What == client.NoteFault
	case e.Stream == client.Err:
		return string(e.Head), false
	case e.Kind == client.KindBlank:
		return "blank line", false
	case e.Stray():
		return `STRAY "` + string(e.Head) + `"`, false
	}
	switch e.Kind {
	case client.KindRequest:
		what = fmt.Sprintf("%s id %s", method, e.ID)
		if e.Open {
			what += " ... open"
		} else if e.Pair == session.NoPair {
			what += " (never answered)"
		}
	case client.KindNotification:
		what = e.Method
	case client.KindResponse, client.KindError:
		name, of := "result", "no request"
		if e.Kind == client.KindError {
			name, strong = "ERROR", true
		} else if e.Failed {
			name, strong = "TOOL ERROR", true
		}
		if e.Pair != session.NoPair {
			of = fmt.Sprintf("#%d %s", e.Pair, method)
		}
		what = fmt.Sprintf("%s of %s", name, of)
		if e.Pair == session.NoPair {
			what += " id " + e.ID
		}
	case client.KindBatch:
		what = fmt.Sprintf("batch of %d messages", e.Count)
	default:
		what = e.Kind.String() + " " + string(e.Head)
	}
	for _, m := range e.Marks {
		if m.Severity == session.Error {
			what = "FINDING " + m.Rule + ": " + what
			break
		}
	}
	return what, strong
}
