package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/session/replay"
	"example.com/mcpinspect/session/script"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// Replay is what :replay needs beside the session; the zero value has none of it.
type Replay struct {
	Reopen func() (*recordings.Reader, error)           // the recording that is shown, from its beginning
	Secret func(name string) (value string, known bool) // what was masked in it
}

// replaying is what :replay has found, by rows of the log: of the recorded answers, and of those now.
type replaying struct {
	moved  chan struct{} // has a value when the log may have grown; capacity 1
	rows   map[int][]replay.Difference
	odd    map[int]string // what is wrong with a row beside
	script *script.Script
}

// plannedMsg is what a replay would send.
type plannedMsg struct {
	script *script.Script
	needs  []replay.Need
	err    error
}

// replayedMsg ends a replay.
type replayedMsg struct {
	generation int
	report     *replay.Report
	err        error
}

// replayCommand is :replay [FILTER]: what the recorded client sent goes to the server that runs now,
// all of it or what the filter selects, once the person has seen what that is.
func (a *app) replayCommand(expr string) tea.Cmd {
	only, err := a.expression(expr)
	switch {
	case a.sess.Target().File == "" || a.opts.Replay.Reopen == nil:
		a.say("replay sends a recording to a server: mcpinspect open FILE -- COMMAND")
		return nil
	case !a.live():
		a.mayAsk()
		return nil
	case a.snap.Phase != session.Ready:
		a.say("the server is not ready: R starts it")
		return nil
	case err != nil:
		a.say("%v", err)
		return nil
	}
	sess, with := a.sess, a.opts.Replay
	a.say("reading what the client sent")
	return func() tea.Msg {
		s, needs, err := plan(sess, with, only)
		return plannedMsg{s, needs, err}
	}
}

// plan makes the play of the recorded part of a session.
func plan(sess *session.Session, with Replay, only *filter.Expr) (*script.Script, []replay.Need, error) {
	r, err := with.Reopen()
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	masks, err := script.ReadMasks(r)
	if err != nil {
		return nil, nil, err
	}
	s, err := script.Of(sess, masks, script.Latest(sess, sess.LiveFrom()-1))
	if err != nil {
		return nil, nil, err
	}
	var needs []replay.Need
	if log := sess.Log(); !only.Empty() {
		chosen := 0
		s, needs, chosen = replay.Only(s, func(t *script.Turn) bool {
			e, ok := log.Event(t.Seq)
			return ok && only.Match(&e, log)
		})
		if chosen == 0 {
			return nil, nil, fmt.Errorf("%s selects no message of the recorded client", only)
		}
	}
	turns := replay.Turns(s)
	if len(turns) == 0 {
		return nil, nil, fmt.Errorf("the client sent nothing but the opening in run %d", s.Run)
	}
	return s, needs, replay.Unmask(turns, with.Secret)
}

// planned asks whether what a replay would send is to be sent.
func (a *app) planned(m plannedMsg) {
	if m.err != nil {
		a.say("not replayed: %v", m.err)
		return
	}
	if a.prompt.kind != promptNone || a.typing() { // what is being typed is no answer
		a.say("the replay was not begun: something else is being typed")
		return
	}
	turns := replay.Turns(m.script)
	ask := "replay " + replay.Plan(turns)
	for _, n := range m.needs {
		ask += "; " + n.String()
	}
	if v := a.snap.Server; v != nil && m.script.Revision != "" && v.Revision != m.script.Revision {
		ask += fmt.Sprintf("; recorded in %s, the server speaks %s now", m.script.Revision, v.Revision)
	}
	list := a.snap.List("tools")
	for _, t := range turns {
		if it, ok := list.Find(t.Name); ok && t.Method == "tools/call" && it.Hints().Said {
			ask += fmt.Sprintf("; %s says that it is destructive", t.Name)
			break
		}
	}
	a.prompt.confirm(ask+"?", func() tea.Cmd { return a.replay(m.script) })
}

// replay sends a script to the server. x or ctrl+c ends it.
func (a *app) replay(s *script.Script) tea.Cmd {
	ctx, stop := context.WithCancel(a.ctx)
	a.calls++
	generation := a.calls
	a.running[generation] = stop
	a.replayed = replaying{moved: make(chan struct{}, 1), script: s}
	a.wire.follow(true)
	a.say("replaying %s; x ends it", text.Plural(len(replay.Turns(s)), "message"))
	o := replay.Options{Volatile: a.sess.Volatile(), Timeout: a.opts.HostLimit, Secret: a.opts.Replay.Secret, Moved: a.replayed.moved}
	sess := a.sess
	sess.Divert(replay.Asked)
	return func() tea.Msg {
		defer sess.Divert(nil)
		report, err := replay.Run(ctx, sess, s, o)
		return replayedMsg{generation, report, err}
	}
}

// replayDone shows what a replay has found on the rows of both sides.
func (a *app) replayDone(m replayedMsg) {
	if stop := a.running[m.generation]; stop != nil {
		stop()
		delete(a.running, m.generation)
	}
	rows, odd := map[int][]replay.Difference{}, map[int]string{}
	first := -1
	for _, d := range m.report.Different {
		for _, seq := range [...]int{d.Answer, d.Live} {
			if seq > 0 {
				rows[seq] = append(rows[seq], d)
			}
		}
		if d.Live > 0 && (first < 0 || d.Live < first) {
			first = d.Live
		}
	}
	for _, o := range slices.Concat(m.report.Missing, m.report.Unmatched) {
		odd[o.Seq] = o.Text
		if first < 0 {
			first = o.Seq
		}
	}
	a.replayed.rows, a.replayed.odd = rows, odd
	a.wire.differs, a.detail.more = a.replayed.differs, a.replayed.lines
	a.detail.refresh()
	if first >= 0 {
		a.wire.follow(false)
		a.wire.goTo(first)
		a.focus(PaneWire)
	}
	switch {
	case m.err != nil:
		a.say("the replay ended early: %v; %s", m.err, m.report.Sum())
	case first >= 0:
		a.say("%s; the rows with ~ have the differences in their detail", m.report.Sum())
	default:
		a.say("%s", m.report.Sum())
	}
}

// wake tells a replay that the log may have grown.
func (r *replaying) wake() {
	select {
	case r.moved <- struct{}{}:
	default: // nobody replays, or it knows
	}
}

// differs reports whether the replay has found something at a row.
func (r *replaying) differs(seq int) bool { return r.rows[seq] != nil || r.odd[seq] != "" }

// sideBySide is the least width at which two values stand beside each other.
const sideBySide = 48

// lines say how a row differs from its other side: the recorded value and the one of now beside each
// other, or one above the other where there is no room.
func (r *replaying) lines(l look, seq, width int) []line {
	if !r.differs(seq) {
		return nil
	}
	b := &lineBuilder{look: l, width: width}
	if said := r.odd[seq]; said != "" {
		b.wrap(theme.Bad, "", "DIFFERS: "+said)
	}
	for i, d := range r.rows[seq] {
		if i == 0 {
			other, of := d.Answer, "in the recording"
			if seq == d.Answer {
				other, of = d.Live, "of the replay"
			}
			b.wrap(theme.Bad, "", fmt.Sprintf("DIFFERS from #%d %s", other, of))
		}
		from := len(b.out)
		path := d.Path
		if path == "" {
			path = "the whole answer"
		}
		b.wrap(theme.Name, "", path)
		was, now := []byte(d.Was), []byte(d.Now)
		if was != nil && now != nil {
			was, now = fromDifference(was, now)
		}
		if width < sideBySide {
			b.wrap(theme.Bad, "- ", sideText(was))
			b.wrap(theme.Good, "+ ", sideText(now))
		} else {
			b.beside(sideText(was), sideText(now))
		}
		for i := from; i < len(b.out); i++ { // the whole value of now is copied, whatever is shown
			b.out[i].fold, b.out[i].copy = path, string(d.Now)
			if d.Now == nil || b.out[i].role == theme.Bad {
				b.out[i].copy = string(d.Was)
			}
		}
	}
	return b.out
}

func sideText(raw []byte) string {
	if raw == nil {
		return "(nothing)"
	}
	return shortValue(raw)
}

// maxBeside is how many lines of two values stand beside each other.
const maxBeside = 20

// beside puts two texts in two columns.
func (b *lineBuilder) beside(was, now string) {
	l, half := b.look, (b.width-3)/2
	left, right := l.glyphs.Wrap(l.mask(was), half-2, maxBeside), l.glyphs.Wrap(l.mask(now), half-2, maxBeside)
	for i := range max(len(left), len(right)) {
		cell := func(side []string, sign string) string {
			if i >= len(side) {
				return strings.Repeat(" ", half)
			}
			return l.fit(sign+" "+side[i], half)
		}
		b.out = append(b.out, line{text: cell(left, "-") + " " + l.glyphs.Vertical + " " + cell(right, "+"), role: theme.Odd})
	}
}
