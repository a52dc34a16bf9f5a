package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/watch"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// WatchOptions say what is watched and how the server is built.
type WatchOptions struct {
	On    bool   // from the beginning
	Glob  string // files of the sources; empty for the server's program
	Build string // a command line for the shell that builds the server; empty for none
}

const (
	// chainGap and maxChain tell a person from a loop: changes that come during a round or at its
	// end, this often in a row, are made by building or starting.
	chainGap = 100 * time.Millisecond
	maxChain = 5

	// maxCrashes ends the watch of a server that does not come up any more, this often in a row.
	maxCrashes = 5
)

// watcher is the loop of edit, build, restart and the same call again. One round runs at a time.
type watcher struct {
	files   *watch.Watcher // nil while it is off
	turning bool           // it is being switched
	phase   string         // what the round does; empty between rounds
	waiting bool           // a change came during the round
	round   int
	call    int // the generation of the round's call; 0 for none
	chain   int // rounds in a row that came at once
	crashes int // rounds in a row whose server did not come up
	ended   time.Time
	show    bool          // the round's call was answered: its result is to be shown
	broken  string        // why the latest round failed, for the header
	build   *buildFailure // what the latest build said, if it failed
}

// buildFailure is a build that did not work.
type buildFailure struct {
	watch.Built
	command string
	round   int
}

type (
	watchOnMsg struct {
		files *watch.Watcher
		err   error
	}
	watchMsg struct { // a change; ok is false at the end of the watch
		files  *watch.Watcher
		change watch.Change
		ok     bool
	}
	builtMsg struct {
		round int
		built watch.Built
	}
	// freshMsg is a server that was started again and whose tools were listed.
	freshMsg struct {
		round     int
		err, list error
	}
)

// toggleWatch switches the watch on or off.
func (a *app) toggleWatch() tea.Cmd {
	w := &a.watch
	if w.turning {
		return nil
	}
	if files := w.files; files != nil {
		w.files = nil
		return func() tea.Msg { files.Close(); return noticeMsg("the files are not watched any more") } // which is so once it is over
	}
	return a.watchOn()
}

// watchOn begins to watch. Looking for the folders is I/O, so it is done off the loop.
func (a *app) watchOn() tea.Cmd {
	o, cmd := a.opts.Watch, a.sess.Target().Command
	if a.sess.Target().Recorded || o.Glob == "" && len(cmd.Args) == 0 {
		a.say("there is no program to watch: the server was not started from here")
		return nil
	}
	a.watch.turning, a.watch.chain, a.watch.crashes = true, 0, 0
	ctx, fault := a.ctx, func(f *client.Fault) { a.stop(f) }
	return func() tea.Msg {
		var files *watch.Watcher
		var err error
		switch {
		case o.Glob == "":
			files, err = watch.Files(ctx, watch.Program(cmd), fault)
		case o.Build == "": // nobody but the person writes what the pattern names
			files, err = watch.Glob(ctx, ".", o.Glob, nil, fault)
		default:
			files, err = watch.Glob(ctx, ".", o.Glob, watch.Made(cmd), fault)
		}
		return watchOnMsg{files, err}
	}
}

// watchTurned takes in that the watch began.
func (a *app) watchTurned(m watchOnMsg) tea.Cmd {
	a.watch.turning = false
	if m.err != nil {
		a.say("nothing is watched: %v", m.err)
		return nil
	}
	a.watch.files = m.files
	a.offers.tools.all = true // half a list could not be compared with the next one
	what := a.opts.Watch.Glob
	if what == "" {
		what = strings.Join(watch.Program(a.sess.Target().Command), " and ")
	}
	then := "restarts the server"
	if a.opts.Watch.Build != "" {
		then = "runs " + a.opts.Watch.Build + " and " + then
	}
	a.say("watching %s: a change %s and sends the last call again", what, then)
	return a.awaitChange()
}

// awaitChange parks until the next change.
func (a *app) awaitChange() tea.Cmd {
	files := a.watch.files
	return func() tea.Msg {
		c, ok := <-files.Changes()
		return watchMsg{files, c, ok}
	}
}

// changed begins a round, or lets one follow that which runs.
func (a *app) changed(m watchMsg) tea.Cmd {
	w := &a.watch
	switch {
	case m.files != w.files:
		return nil // of a watch that was switched off
	case !m.ok:
		w.files = nil
		a.say("the watch has ended: %v", m.files.Err())
		return nil
	case w.phase != "":
		w.waiting = true
		return a.awaitChange()
	}
	if w.round > 0 && m.change.At.Before(w.ended.Add(chainGap)) {
		w.chain++
	} else {
		w.chain = 0
	}
	if w.chain >= maxChain {
		return a.watchStopped(fmt.Sprintf("%d changes in a row came from building or starting the server itself, the last of %s", maxChain, m.change.Path))
	}
	return tea.Batch(a.awaitChange(), a.beginRound(m.change.Path))
}

// watchStopped ends the watch with a reason.
func (a *app) watchStopped(why string) tea.Cmd {
	files := a.watch.files
	a.watch.files, a.watch.phase, a.watch.broken = nil, "", "stopped"
	a.sess.Note(client.NoteWarning, "the watch was stopped: %s", why)
	a.say("the watch was stopped: %s; W watches again", why)
	return func() tea.Msg { files.Close(); return nil }
}

// beginRound builds, when there is a command for that, and starts the server anew.
func (a *app) beginRound(path string) tea.Cmd {
	w := &a.watch
	w.round++
	w.waiting, w.call, w.broken = false, 0, ""
	if a.opts.Watch.Build == "" {
		a.say("%s changed: restarting", path)
		return a.freshServer()
	}
	w.phase = "building"
	a.say("%s changed: building", path)
	ctx, line, round := a.ctx, a.opts.Watch.Build, w.round
	return func() tea.Msg { return builtMsg{round, watch.Build(ctx, line)} }
}

// built goes on after a build. One that failed leaves the server as it is.
func (a *app) built(m builtMsg) tea.Cmd {
	w := &a.watch
	if m.round != w.round || w.phase == "" {
		return nil
	}
	if m.built.Err != nil {
		w.build = &buildFailure{m.built, a.opts.Watch.Build, m.round}
		w.broken = "BUILD FAILED"
		a.result.view = viewBuild
		a.say("the build failed: %v; the server that runs is the old one", m.built.Err)
		return a.endRound()
	}
	w.build = nil
	return a.freshServer()
}

// freshServer starts the server again in the same log and lists its tools.
func (a *app) freshServer() tea.Cmd {
	a.watch.phase = "restarting"
	a.connectErr = nil
	sess, ctx, round := a.sess, a.ctx, a.watch.round
	return func() tea.Msg {
		m := freshMsg{round: round, err: sess.Restart(ctx)}
		if m.err == nil && offers(sess.Snapshot(), client.Tools) {
			_, m.list = sess.All(ctx, client.Tools)
		}
		return m
	}
}

// fresh goes on with a server that was started: the last call is sent again.
func (a *app) fresh(m freshMsg) tea.Cmd {
	w := &a.watch
	a.connectErr = m.err
	if m.round != w.round || w.phase == "" {
		return nil
	}
	if m.err != nil {
		return a.notUp(m.err)
	}
	w.crashes = 0
	a.snap = a.sess.Snapshot()
	last := a.last
	switch {
	case m.list != nil:
		w.broken = "NO TOOLS"
		a.say("the tools cannot be listed: %v", m.list)
		return a.endRound()
	case last.tool == "":
		a.say("restarted; no call was made yet that could be sent again%s", a.catalogueNews())
		return a.endRound()
	}
	it, ok := a.snap.List(client.Tools.Name).Find(last.tool)
	switch {
	case !ok:
		w.broken = "TOOL GONE"
		a.say("restarted; there is no tool %s any more%s", last.tool, a.catalogueNews())
		return a.endRound()
	case it.Hints().Said:
		a.say("restarted; %s says that it is destructive: r in the form sends it again%s", last.tool, a.catalogueNews())
		return a.endRound()
	}
	args := client.Get(last.req.Params, "arguments")
	if problems := objections(it.InputSchema(), args); len(problems) > 0 && !a.call.unchecked[toolOffer(last.tool)] {
		if last.tool == a.call.tool() {
			a.call.refresh(it)
			a.call.refuse(problems)
		}
		a.say("restarted; the arguments of %s do not fit its schema any more: nothing was sent%s", last.tool, a.catalogueNews())
		return a.endRound()
	}
	w.phase = "calling " + last.tool
	cmd := a.request(last.tool, last.req)
	w.call = a.calls
	return cmd
}

// objections are what a schema has against arguments.
func objections(input, args []byte) (hard []schema.Problem) {
	if args == nil {
		args = []byte("{}")
	}
	v, err := schema.Parse(args)
	if err != nil {
		return nil
	}
	for _, p := range schema.Compile(input).Check(v) {
		if !p.Advisory {
			hard = append(hard, p)
		}
	}
	return hard
}

// notUp ends a round whose server did not come up.
func (a *app) notUp(err error) tea.Cmd {
	w := &a.watch
	w.crashes++
	w.broken = "NOT STARTED"
	if w.crashes >= maxCrashes && w.files != nil {
		end := a.endRound()
		return tea.Batch(end, a.watchStopped(fmt.Sprintf("the server did not come up %d times in a row, the last time: %v", maxCrashes, err)))
	}
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		a.say("the program is not whole yet, or not for this machine: the next change starts it (%v)", err)
	case errors.Is(err, context.Canceled):
	default:
		if box := a.sess.Snapshot().Box; box != nil { // its last words say more than which request they left open
			err = errors.New(box.Brief())
		}
		a.say("the new server did not come up: %v; the next change starts it again", err)
	}
	return a.endRound()
}

// called ends the round whose call has ended, and shows what is different.
func (a *app) called(generation int, err error) tea.Cmd {
	w := &a.watch
	if w.call == 0 || generation != w.call || w.phase == "" {
		return nil
	}
	if err != nil {
		w.broken = "CALL FAILED"
		return a.endRound()
	}
	w.show = true
	a.say("run %d, %s called again%s", a.snap.Run, a.last.tool, a.catalogueNews())
	return a.endRound()
}

// showNews turns the result pane to what a round has changed, once it is known: the changes when
// there are some, else the result.
func (a *app) showNews() {
	w := &a.watch
	if !w.show || a.call.tool() != a.last.tool {
		return
	}
	last, ok := a.snap.Last[a.subject()]
	if first := ok && last.Was[1] == session.NoPair; ok && !first && (!a.diff.ready || a.diff.of.now[1] != last.Answer) {
		return
	}
	w.show = false
	a.result.view = viewResult
	if len(a.diff.list) > 0 || a.catalogueNews() != "" {
		a.result.view = viewChanges
	}
}

// endRound ends a round; a change that came meanwhile begins the next.
func (a *app) endRound() tea.Cmd {
	w := &a.watch
	w.phase, w.ended = "", time.Now()
	if !w.waiting || w.files == nil {
		return nil
	}
	w.waiting = false
	if w.chain++; w.chain >= maxChain {
		return a.watchStopped(fmt.Sprintf("%d changes in a row came while it was built or started: a pattern that matches what the build writes?", maxChain))
	}
	return a.beginRound("a file")
}

// catalogueNews is what changed in the tools since the run before, for the end of a sentence.
func (a *app) catalogueNews() string {
	if c := a.snap.List(client.Tools.Name).Changes; c != "" {
		return "; tools: " + c
	}
	return ""
}

// header says in a word or two how the watch goes; empty when it is off.
func (w *watcher) header() string {
	switch {
	case w.files == nil && w.broken == "stopped":
		return "watch stopped"
	case w.files == nil:
		return ""
	case w.phase != "":
		return "watch: " + w.phase
	case w.broken != "":
		return "watch: " + w.broken
	}
	return "watch"
}

// failed shows what a build said that did not work.
func (p *resultPane) failed(b *lineBuilder, f *buildFailure) {
	p.title, p.note = "Build failed", text.Duration(f.Took)
	b.wrap(theme.Bad, "", f.Err.Error()+": "+f.command)
	b.wrap(theme.Faint, "", "the server that runs is the old one; v shows its result")
	if f.Cut {
		b.wrap(theme.Odd, "", "the beginning of the output is missing")
	}
	for l := range strings.Lines(string(f.Output)) {
		b.wrap(theme.Plain, "", strings.TrimRight(l, "\r\n"))
	}
	if len(f.Output) == 0 {
		b.wrap(theme.Faint, "", "it printed nothing")
	}
}
