package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// trouble is what keeps the server from being of use: what is wrong, why, what to do, and then all
// that is known. It stands in panes that have nothing else to show, so that the first screen says it.
// Nothing is added while all is well.
func (b *lineBuilder) trouble(s *session.Snapshot, waited string, startable bool) {
	switch {
	case s.Phase == session.Ended && s.Box != nil:
		b.ended(s.Box, startable, "")
	case s.Phase == session.Failed, s.Phase == session.Ended:
		b.wrap(theme.Bad, "", s.Reason)
		if startable {
			b.wrap(theme.Mark, "", "R tries it again in the same log")
		}
	case s.Phase == session.Connecting:
		b.wrap(theme.Odd, "", "waiting for the first answer, "+waited)
		if c, ok := lastCallOpen(s); ok {
			b.known(c.Known)
		}
		if n := s.Counts.Stray; n > 0 {
			b.wrap(theme.Bad, "", fmt.Sprintf("%s on stdout that %s no message: stdout is for messages alone, print the rest to stderr", text.Plural(n, "line"), isAre(n)))
		}
		if s.Stderr != "" {
			b.wrap(theme.Stderr, "err ", s.Stderr)
		}
	}
}

// known are the facts about a call without an answer: the first explains most.
func (b *lineBuilder) known(facts []string) {
	for i, f := range facts {
		role := theme.Odd
		if i > 0 {
			role = theme.Faint
		}
		b.wrap(role, "", f)
	}
}

// ended is a black box, what is wanted first: how it ended, the line that most likely says why, what
// that usually means, how to start it again; then what was left, and its last lines. before stands in
// front of the first sentence.
func (b *lineBuilder) ended(box *session.BlackBox, startable bool, before string) {
	sentences := box.Sentences()
	role := theme.Odd
	if box.Exit.Asked == client.AskedNo || box.Exit.Code != 0 {
		role = theme.Bad
	}
	b.wrap(role, "", before+sentences[0])
	where, told := box.Telling()
	if told != "" {
		prefix := "err "
		if strings.Contains(where, "stdout") {
			prefix = "out "
		}
		b.wrap(theme.Stderr, prefix, told)
	}
	var guesses []string
	for _, hint := range box.Hints() {
		guesses = append(guesses, session.Guessed(hint))
		b.wrap(theme.Good, "", session.Guessed(hint))
	}
	if startable {
		b.wrap(theme.Mark, "", "R starts it again in the same log")
	}
	for _, sentence := range sentences[1:] {
		if !slices.Contains(guesses, sentence) {
			b.wrap(theme.Odd, "", sentence)
		}
	}
	if what, last := box.LastWords(lastWords); len(last) > 1 || len(last) == 1 && strings.TrimSpace(last[0]) != told {
		prefix := "err "
		if len(box.Stderr) == 0 {
			prefix = "out "
		}
		b.wrap(theme.Faint, "", what)
		for _, l := range last {
			b.wrap(theme.Stderr, prefix, l)
		}
	}
}

// troubled are the lines of trouble for a pane that is empty because of it; nil while all is well. What
// does not fit is in the server pane.
func (a *app) troubled(w, h int) []string {
	b := &lineBuilder{look: a.look, width: max(w-2, 8)}
	b.trouble(a.snap, text.Duration(a.sess.Now()-a.snap.Started), a.startable())
	if len(b.out) == 0 || h <= 0 {
		return nil
	}
	if len(b.out) > h {
		b.out = append(b.out[:h-1], line{text: fmt.Sprintf("%d has all of it", PaneServer), role: theme.Faint})
	}
	out := make([]string, len(b.out))
	for i, l := range b.out {
		out[i] = a.look.Paint(l.role, a.look.fit(" "+l.text, w))
	}
	return out
}

// shown reports whether the state of the server says what an error says: there and in the status it stands
// with the reason and the cure, for longer than a notice.
func (a *app) shown(err error) bool {
	s := a.sess.Snapshot()
	if s.Phase == session.Failed {
		return true
	}
	gone := (*client.ClosedError)(nil)
	return s.Phase == session.Ended && errors.As(err, &gone) && !gone.Unsent
}

// calledBy is how a call is named where its method would say nothing: by its tool or prompt.
func calledBy(c session.Call) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Method
}

func waitingLine(s *session.Snapshot) string {
	return fmt.Sprintf("an unfinished line of %s waits on the server's stdout", client.Bytes(s.Waiting))
}
