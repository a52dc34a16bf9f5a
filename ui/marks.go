package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
)

// markedMsg ends what was put on a row.
type markedMsg struct {
	seq  int
	said string
}

// Signs of a row that a person has put something on.
const (
	signDiffers = "~"
	signMarked  = "*"
	signNoted   = "\""
)

// signOf is one cell.
func signOf(e *session.Event) string {
	switch {
	case e.Marked:
		return signMarked
	case e.Noted != "":
		return signNoted
	}
	return " "
}

// toggleMark marks the row under the cursor of the wire, or unmarks it.
func (a *app) toggleMark() tea.Cmd {
	seq := a.wire.selected()
	e, ok := a.sess.Log().Event(seq)
	if !ok {
		a.say("no row to mark")
		return nil
	}
	if a.wire.list.Following() {
		a.wire.follow(false) // the row that was meant stays under the cursor
		a.wire.goTo(seq)
	}
	said := fmt.Sprintf("#%d marked; :note TEXT says why", seq)
	if e.Marked {
		said = fmt.Sprintf("#%d is marked no longer", seq)
	}
	sess := a.sess
	return func() tea.Msg {
		kept, err := sess.Mark(seq, !e.Marked)
		return markedMsg{seq, keptIn(said, sess.Target().File, kept, err)}
	}
}

// noteCommand is :note TEXT, on the row under the cursor of the wire; without a text the note is
// taken off.
func (a *app) noteCommand(line string) tea.Cmd {
	_, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	text = strings.TrimSpace(text)
	seq := a.wire.selected()
	e, ok := a.sess.Log().Event(seq)
	switch {
	case !ok:
		a.say("no row to put a note on")
		return nil
	case text == "" && e.Noted == "":
		a.say("note needs a text; it is put on row #%d, the one under the cursor of the wire", seq)
		return nil
	}
	said := fmt.Sprintf("a note on #%d", seq)
	if text == "" {
		said = fmt.Sprintf("the note on #%d is gone", seq)
	}
	sess := a.sess
	return func() tea.Msg {
		kept, err := sess.PutNote(seq, text)
		return markedMsg{seq, keptIn(said, sess.Target().File, kept, err)}
	}
}

// keptIn adds to what was done where it is kept, as far as that is not where everything is.
func keptIn(said, opened, kept string, err error) string {
	switch {
	case errors.Is(err, session.ErrUnkept):
		return said + "; this session is not recorded, so it is there until the end"
	case err != nil:
		return said + ", but not kept: " + err.Error()
	case opened != "" && kept != opened && filepath.Base(kept) != filepath.Base(opened):
		return said + ", kept in " + kept
	}
	return said
}
