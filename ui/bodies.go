package ui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// bodies hands out the bodies of rows. Those that memory has no longer are read back from the
// recording in a command, and the latest of them kept.
type bodies struct {
	log    *session.Log
	read   []bodyMsg // oldest first
	wanted []int
	asked  map[int]bool
}

// keptBodies is how many bodies that were read back are kept: those of the selected row, of a
// result and of its request, and one more.
const keptBodies = 4

// bodyMsg is a body that was read back, or what is there of it and why.
type bodyMsg struct {
	seq    int
	body   client.Body
	masked int
	err    error
}

// of is the body of a row; whole is false when it is only the beginning, and remark says what a
// person must know of it.
func (b *bodies) of(e *session.Event) (body client.Body, remark string, whole bool) {
	if e.Kept == e.Size {
		return b.log.Body(e.Seq), "", true
	}
	for _, m := range b.read {
		switch {
		case m.seq != e.Seq:
		case m.err != nil:
			return m.body, m.err.Error(), false
		case m.masked > 0:
			return m.body, fmt.Sprintf("read back from the recording, in which %s of it are masked", text.Plural(m.masked, "byte")), true
		default:
			return m.body, "read back from the recording", true
		}
	}
	if !b.asked[e.Seq] {
		b.wanted = append(b.wanted, e.Seq)
	}
	return b.log.Body(e.Seq), fmt.Sprintf("the first %d of %s; the rest is being read back from the recording", e.Kept, text.Plural(e.Size, "byte")), false
}

// coming reports whether the body of a row is being read back, or about to be.
func (b *bodies) coming(seq int) bool { return b.asked[seq] || slices.Contains(b.wanted, seq) }

// cmd reads what was asked for; nil when nothing was.
func (b *bodies) cmd() tea.Cmd {
	var all []tea.Cmd
	for _, seq := range b.wanted {
		if b.asked[seq] {
			continue
		}
		if b.asked == nil {
			b.asked = map[int]bool{}
		}
		b.asked[seq] = true
		log := b.log
		all = append(all, func() tea.Msg {
			body, masked, err := log.Read(seq)
			return bodyMsg{seq, body, masked, err}
		})
	}
	b.wanted = b.wanted[:0]
	return tea.Batch(all...)
}

func (b *bodies) deliver(m bodyMsg) {
	delete(b.asked, m.seq)
	b.read = append(b.read, m)
	if len(b.read) > keptBodies {
		b.read = append(b.read[:0:0], b.read[1:]...)
	}
}
