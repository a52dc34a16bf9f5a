package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// storyView is the story of one request in the wire. It is read in commands, which go on as rows
// come: a story may look at every row of the log, and read some from the recording.
type storyView struct {
	story *session.Story // belongs to the command while work is set
	seq   int            // the request
	of    string         // the request, for the title
	rows  []int32
	work  context.CancelFunc
}

// storyMsg is what a command has read.
type storyMsg struct {
	of   *storyView
	anew bool
	rows []int32
}

// end stops the work that goes on.
func (v *storyView) end() {
	if v != nil && v.work != nil {
		v.work()
		v.work = nil
	}
}

// storyPiece is how many rows of a story a command reads before it tells: some tens of milliseconds.
const storyPiece = 50_000

// goOn reads what came since.
func (v *storyView) goOn(ctx context.Context) tea.Cmd {
	if v.work != nil || !v.story.More() {
		return nil
	}
	work, stop := context.WithCancel(ctx)
	v.work = stop
	return func() tea.Msg {
		m := storyMsg{of: v}
		m.anew = v.story.Read(work, func(e session.Event) bool {
			m.rows = append(m.rows, int32(e.Seq))
			return len(m.rows) < storyPiece
		})
		if work.Err() != nil {
			return nil
		}
		return m
	}
}

func (v *storyView) deliver(m storyMsg) {
	v.end()
	if m.anew {
		v.rows = nil
	}
	v.rows = append(v.rows, m.rows...)
}

// count is what the title says at its right end.
func (v *storyView) count() string {
	if v.work != nil {
		return text.Plural(len(v.rows), "row") + ", reading on"
	}
	return text.Plural(len(v.rows), "row")
}

// followCall shows the story of the request that the row under the cursor belongs to.
func (a *app) followCall() {
	log := a.sess.Log()
	seq := log.RequestFor(a.wire.selected())
	if a.mode.Focus == PaneDetail {
		seq = log.RequestFor(a.detail.seq)
	}
	story := log.Follow(max(seq, 0))
	if seq < 0 || story == nil {
		a.say("this row belongs to no request: t follows a request, from it, its answer, or stray output that came while it was open")
		return
	}
	e, _ := log.Event(seq)
	a.focus(PaneWire)
	a.wire.tell(&storyView{story: story, seq: seq, of: strings.TrimSpace(e.Method + " " + a.look.maskCut(log.About(&e)))}, seq)
}

// tell turns to a story, with the cursor on a row; nil leaves it.
func (p *wirePane) tell(v *storyView, row int) {
	p.story.end()
	p.story = v
	p.home = row
	p.list.Follow(false)
	p.list.Tail = v != nil || p.ranked == nil
}
