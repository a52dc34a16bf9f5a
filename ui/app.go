package ui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// app is the root model and the only one: it routes keys, runs commands, pulls snapshots and
// joins the panes. Its View is a cached string.
type app struct {
	ctx  context.Context
	stop context.CancelCauseFunc // ends the screen with a reason
	opts Options
	sess *session.Session
	look look
	out  *guard
	snap *session.Snapshot

	w, h  int
	lay   Layout
	mode  Mode
	frame string
	dirty bool

	server   serverPane
	offers   offersPane
	call     callPane
	asking   asking
	result   resultPane
	wire     wirePane
	detail   detailPane
	bodies   bodies
	prompt   prompt
	help     *sheet    // in front of the panes; nil for none
	findings *findings // of the sheet that was opened last; nil for none

	connected   chan error
	connectErr  error
	everReady   bool
	notice      string
	noticeUntil time.Time
	passing     bool                       // the next key takes the notice away
	running     map[int]context.CancelFunc // calls of ours, by generation
	hunt        *hunt                      // runs beside the loop; nil for none
	inBody      *bodyHunt                  // a search in the detail or the result; nil for none
	calls       int
	meta        []client.MetaKey // overrides of the person, for every call
	tasks       bool             // calls are made as tasks
	ticking     bool
	looking     bool // the snapshot is not fresh: another look follows
	fed         time.Time
	yank        bool // y was pressed: the next key says what to copy
	escape      escapeFilter
	text        atomic.Bool // keys are text now; the reader of the keyboard asks
	quitAsked   bool        // ctrl+c was the last key
	opened      bool        // the tool of the command line was opened
	missing     string      // said until a key is pressed: why it could not be
	last        lastCall
	matching    templateMatch
	completion  completion
	diff        compared         // the latest result of the tool that is shown, with the one before
	steps       map[offer]*steps // through the earlier arguments
	watch       watcher
	replayed    replaying
	player      player
	feeds       int  // the session that is shown: counts those that were
	leaving     bool // the person quits: no further key counts
}

type connectedMsg struct{ err error }

type pageMsg struct{ err error }

// callMsg ends a call of ours; what it brought is in the log.
type callMsg struct {
	generation int
	name       string // of what was asked for
	err        error
}

// noticeMsg is one sentence for the status line.
type noticeMsg string

func newApp(ctx context.Context, stop context.CancelCauseFunc, o Options, l look, connected chan error, out *guard) *app {
	a := &app{ctx: ctx, stop: stop, opts: o, sess: o.Session, look: l, out: out, connected: connected, running: map[int]context.CancelFunc{}, dirty: true}
	a.mode.Focus = PaneTools
	a.snap = a.sess.Snapshot()
	a.wire.home = noRow
	a.wire.follow(true)
	a.bodies.log = a.sess.Log()
	a.offers.init()
	a.asking.queue = o.Questions
	return a
}

// Init parks the feed and waits for the connection.
func (a *app) Init() tea.Cmd {
	var watching tea.Cmd
	if a.opts.Watch.On {
		watching = a.watchOn()
	}
	return tea.Batch(a.feed(), a.await(), a.awaitQuestion(), a.startTick(), watching, loadSaved)
}

func (a *app) await() tea.Cmd {
	connected := a.connected
	ctx := a.ctx
	return func() tea.Msg {
		select {
		case err := <-connected:
			return connectedMsg{err}
		case <-ctx.Done():
			return nil
		}
	}
}

// startTick keeps one tick going while something shows a running time.
func (a *app) startTick() tea.Cmd {
	if a.ticking || !a.timeRuns() {
		return nil
	}
	a.ticking = true
	return tick()
}

func (a *app) timeRuns() bool {
	if l, recorded := a.sess.Loading(); recorded && !l.Done && (!a.sess.Pace().Bound || a.sess.Pace().Speed > 0) {
		return true // how much of it is there
	}
	return a.live() && (a.snap.Phase == session.Connecting || len(a.snap.Calls) > 0) || len(a.asking.open) > 0 || a.notice != "" || a.hunt != nil || a.inBody != nil
}

// filter runs before Update: it swallows the pieces of broken escape sequences, which would
// otherwise be read as commands.
func (a *app) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if key, ok := msg.(tea.KeyMsg); ok && !a.escape.pass(key, time.Now()) {
		return nil
	}
	return msg
}

// caught ends the screen after a panic: the fault is told once the terminal is restored, where
// Bubble Tea would print it over whatever is there.
func (a *app) caught() {
	if cause := recover(); cause != nil {
		a.stop(&client.Fault{Where: "the screen", Cause: cause, Stack: debug.Stack()})
	}
}

// Update is the only place where the screen's state changes. It never waits.
func (a *app) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer a.caught()
	if model = a; a.ctx.Err() != nil { // after a panic nothing of it can be relied on
		return a, nil
	}
	a.dirty = true
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = m.Width, m.Height
		return a, tea.Batch(a.settle(), tea.ClearScreen)
	case changedMsg:
		if m.feed != a.feeds {
			break
		}
		a.fed = time.Now()
		a.replayed.wake()
		cmd = a.feed()
	case lookMsg:
		a.looking = false
	case tickMsg:
		a.ticking = false
		if a.notice != "" && time.Now().After(a.noticeUntil) {
			a.notice = ""
		}
	case connectedMsg:
		a.connectErr = m.err
		switch said := a.damage(); {
		case m.err != nil && !a.shown(m.err):
			a.say("%s", m.err)
		case m.err == nil && said != "":
			a.say("%s", said)
		case a.notice == restarting:
			a.notice = ""
		}
	case pageMsg:
		a.offers.loading = ""
		if m.err != nil {
			a.offers.after, a.offers.afterOf = nil, nil // the pages it waits for do not come
		}
		if m.err != nil && !errors.Is(m.err, context.Canceled) && !a.shown(m.err) {
			a.say("%s", m.err)
		}
	case callMsg:
		cmd = a.ended(m)
	case diffMsg:
		a.compareDone(m)
	case watchOnMsg:
		cmd = a.watchTurned(m)
	case watchMsg:
		cmd = a.changed(m)
	case builtMsg:
		cmd = a.built(m)
	case freshMsg:
		cmd = a.fresh(m)
	case againMsg:
		cmd = a.began(m)
	case plannedMsg:
		a.planned(m)
	case replayedMsg:
		a.replayDone(m)
	case markedMsg:
		a.detail.changed(m.seq)
		a.say("%s", m.said)
	case completeMsg:
		cmd = a.askValues(m)
	case completedMsg:
		a.completed(m)
	case questionMsg:
		a.asked()
		cmd = a.awaitQuestion()
	case folderMsg:
		a.folderRead(m)
	case savedMsg:
		a.filtersSaved(m)
	case noticeMsg:
		a.say("%s", string(m))
	case answerMsg:
		a.result.deliver(m.a)
	case picturesMsg:
		m.deliver()
	case sieveMsg:
		if m.of == a.wire.sieve {
			a.wire.sieve.deliver(m)
		}
	case rowsDiffMsg:
		a.rowsCompared(m)
	case gatherMsg:
		m.of.waits = false
	case findingsMsg:
		a.gathered(m)
	case statisticsMsg:
		a.counted(m)
	case storyMsg:
		if m.of == a.wire.story {
			m.of.deliver(m)
		}
	case rankMsg:
		if m.of == a.wire.ranked {
			m.of.deliver(m)
		}
	case huntMsg:
		cmd = a.hunted(m.h)
	case bodyMsg:
		a.bodies.deliver(m)
		a.detail.changed(m.seq)
		a.result.changed()
	case detailMsg:
		a.detail.deliver(m)
	case foundMsg:
		cmd = a.foundInBody(m)
	case countedMsg:
		a.countedInBody(m)
	case tea.KeyMsg:
		cmd = a.keys(m)
	case externalMsg:
		cmd = a.edited(m)
	default:
		cmd = a.formPane().update(msg)
	}
	if said := a.formPane().said(); said != "" {
		a.say("%s", said)
	}
	a.text.Store(a.typing())
	return a, tea.Batch(cmd, a.settle())
}

// settle pulls the state, gives the panes their sizes and content, and starts what follows from
// that: the next page, a detail to format, a tick.
func (a *app) settle() tea.Cmd {
	var fresh bool
	var again tea.Cmd
	if a.snap, fresh = a.sess.Glance(); !fresh && !a.looking {
		a.looking, again = true, lookAgain()
	}
	if a.snap.Phase == session.Ready {
		a.everReady = true
	}
	a.mode.Detail = a.mode.Detail && (a.mode.Focus == PaneDetail || a.mode.Focus == PaneWire)
	a.lay = Arrange(a.w, a.h, a.mode)
	now := a.sess.Now()
	a.offers.sync(a.look, a.snap)
	a.syncCall()
	a.syncQuestion()
	a.server.sync(a.look, a.snap, a.sess.Target(), now, a.inner(PaneServer))
	comparing, completing := a.compare(), a.complete()
	a.showNews()
	a.result.sync(a.look, a.resultSource(now), a.inner(PaneResult), a.lay.Panes[PaneResult].body())
	a.wire.waits = a.snap.Calls
	judge := a.wire.sync(a.ctx, a.sess.Log(), clock{a.sess.Start(), now})
	format := a.detail.sync(a.look, &a.bodies, a.wire.detailed(a.detail.other), a.inner(PaneDetail), a.lay.Panes[PaneDetail].body())
	return tea.Batch(again, comparing, completing, judge, a.goOnInBody(), a.gather(), a.page(), a.loaded(), a.result.reading(a.sess.Log()), a.result.drawing(a.ctx, a.look), format, a.bodies.cmd(), a.startTick())
}

// resultSource is what the result pane is made of now.
func (a *app) resultSource(now time.Duration) resultSource {
	of, about := a.call.of, a.subject()
	asks := a.asking.asksFor(a.snap.Last[about], runningCall(a.snap, about) != nil)
	return resultSource{asks: asks, snap: a.snap, log: a.sess.Log(), bodies: &a.bodies, offer: of, subject: about, output: a.call.output, unchecked: a.call.unchecked[of], refused: a.call.refused,
		now: now, host: a.opts.HostLimit, diff: &a.diff, catalogue: a.snap.List(client.Tools.Name).Changes, past: func() []pastCall { return a.pastCalls(of) },
		clock: a.sess.Start().Add(now), input: a.call.input(), secrets: a.look.secrets, build: a.watch.build, startable: a.startable()}
}

// page loads the next page of a list when the cursor nears the end of what is there.
func (a *app) page() tea.Cmd {
	if a.offers.loading != "" || !a.live() || a.snap.Phase != session.Ready {
		return nil
	}
	kind, ok := a.offers.page(a.snap, a.opts.Tool != "" && !a.opened)
	if !ok {
		return nil
	}
	a.offers.loading = kind.Name
	sess, ctx := a.sess, a.ctx
	return func() tea.Msg {
		_, err := sess.More(ctx, kind)
		return pageMsg{err}
	}
}

// syncCall opens the form of a tool once it is known: the one of the command line, else the one
// under the cursor as long as the person has not begun another.
func (a *app) syncCall() {
	list := a.snap.List(client.Tools.Name)
	if a.opts.Tool != "" && !a.opened {
		if it, ok := list.Find(a.opts.Tool); ok {
			a.opened = true
			a.openTool(it)
			if len(a.opts.Args) > 0 {
				if err := a.call.load(a.opts.Args); err != nil {
					a.say("--args: %v", err)
				}
			}
			a.focus(PaneCall)
		} else if list.Complete || list.Stopped != "" || list.Error != "" {
			a.opened = true
			a.missing = noTool(a.opts.Tool, list)
			a.opts.Tool = ""
		}
	}
	// The form follows the cursor of the list while the person looks at it, never after a restart.
	if r, ok := a.offers.tab.current(); ok && r.of.name != "" && (a.call.of == offer{} && a.opts.Tool == "" || a.mode.Focus == PaneTools && !a.call.touched() && !a.offers.tab.away()) {
		a.call.show(r.of, r.item)
	}
	if it, ok := a.call.of.find(a.snap); ok {
		a.call.refresh(it)
	}
}

func (a *app) openTool(it session.Item) {
	a.call.show(toolOffer(it.Name), it)
	a.offers.tab = &a.offers.tools
	a.offers.tab.goTo(toolOffer(it.Name))
}

// later runs an action once every page of a tab is there; at once when it is.
func (a *app) later(of *listPane, do func() tea.Cmd) tea.Cmd {
	if !a.coming(of) {
		return do()
	}
	of.all, a.offers.after, a.offers.afterOf = true, do, of
	a.say("loading the other pages")
	return nil
}

// coming reports whether more pages of a tab will come: not of a server that has gone, that offers no
// such list, or whose list has failed.
func (a *app) coming(of *listPane) bool {
	return !of.complete(a.snap) && a.live() && a.snap.Phase == session.Ready
}

// loaded runs what waited for every page.
func (a *app) loaded() tea.Cmd {
	o := &a.offers
	if o.after == nil || !o.afterOf.complete(a.snap) {
		return nil
	}
	do := o.after
	o.afterOf.all, o.after, o.afterOf, a.notice = false, nil, nil, ""
	return do()
}

func (a *app) say(format string, args ...any) {
	a.notice = fmt.Sprintf(format, args...)
	a.noticeUntil = time.Now().Add(noticeTime) // the clock of a recording stands
	a.passing = false
}

// sayHere says something that is true where the focus is: at the next key it may not be.
func (a *app) sayHere(format string, args ...any) {
	a.say(format, args...)
	a.passing = true
}

// noticeTime is how long a sentence stays in the status line.
const noticeTime = 6 * time.Second

// verdict is what Run returns once the person has left.
func (a *app) verdict() error {
	if !a.live() {
		return nil
	}
	if a.everReady || a.snap.Phase == session.Ready {
		return nil
	}
	if a.connectErr == nil && a.snap.Box != nil {
		return &client.ClosedError{Exit: &a.snap.Box.Exit}
	}
	if a.connectErr == nil {
		return &client.NegotiationError{Text: "the server had not answered when it was left"}
	}
	return a.connectErr
}
