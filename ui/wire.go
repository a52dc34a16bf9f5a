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
func (l look) wireRow(e *session.Event, sign, about string, w, side int) (string, theme.Role) {
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
	head := fmt.Sprintf("%*d%s%*.3f %s ", seqWidth-1, e.Seq, sign, timeWidth-1, e.T.Seconds(), dir)
	right := measured(e)
	if len(e.Head) < e.Size { // a secret may be cut in two
		e.Head, _ = l.secrets.MaskCut(e.Head)
	}
	what, strong := e.Subject(about)
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
