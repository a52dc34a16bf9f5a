package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/session/questions"
	"example.com/mcpinspect/session/watch"
	"example.com/mcpinspect/ui/words"
)

// screen is what a command line without a verb does.
func (a *app) screen(c *cobra.Command, args []string) error {
	args, err := a.begin(c, args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return a.noVerb(c, args[0])
	}
	f, l := &a.line.flags, &a.line
	if !l.dashed && l.url == "" && !f.demo {
		f := usagef("what is to be inspected?")
		f.details = strings.Split(strings.TrimSuffix(forms, "\n"), "\n")
		return f.hinted("mcpinspect --help says more")
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	given, err := a.screenArgs()
	if err != nil {
		return err
	}
	watched, err := a.watched()
	if err != nil {
		return err
	}
	if err := a.needTerminal("mcpinspect list " + a.where()); err != nil {
		return err
	}
	return a.inspect(c.Context(), t, Screen{Args: given, Watch: watched}, nil)
}

// needTerminal refuses to draw where nobody would see it.
func (a *app) needTerminal(instead string) error {
	if isTerminal(a.io.In) && isTerminal(a.io.Out) {
		return nil
	}
	return usagef("the inspector needs a terminal").hinted("without one use a verb, for example: %s", instead)
}

// screenArgs are the arguments that --tool is opened with: an object, or a file that has one. Standard
// input is the keyboard here.
func (a *app) screenArgs() ([]byte, error) {
	f := &a.line.flags
	switch {
	case f.args == "":
		return nil, nil
	case f.tool == "":
		return nil, usagef("--args is about --tool NAME, which is not there")
	case f.args == "-":
		return nil, usagef("--args - would read the keyboard, which is the screen's").hinted("name a file: --args @FILE")
	}
	raw := []byte(f.args)
	if name, ok := strings.CutPrefix(f.args, "@"); ok {
		var err error
		if raw, err = a.file(name); err != nil {
			return nil, err
		}
	}
	if v, err := schema.Parse(raw); err != nil {
		return nil, usagef("--args is no JSON: %v", err)
	} else if v.Kind != schema.Object {
		return nil, usagef("--args is no JSON object")
	}
	return raw, nil
}

// watched is what --watch and --build say.
func (a *app) watched() (Watch, error) {
	f := &a.line.flags
	w := Watch{On: f.watch != "", Glob: f.watch, Build: f.build}
	if w.Glob == watchProgram {
		w.Glob = ""
	}
	switch {
	case w.Build != "" && !w.On:
		return w, usagef("--build is about --watch=GLOB, which is not there").hinted("as in --watch='**/*.go' --build %s", words.Shell([]string{f.build}))
	case w.Build != "" && w.Glob == "":
		return w, usagef("--build needs to know the sources: the program itself changes with every build").hinted("as in --watch='**/*.go' --build %s", words.Shell([]string{f.build}))
	}
	if w.Glob == "" {
		if w.On && a.line.url != "" {
			return w, usagef("--watch has no program to watch: a server at an address is not started from here").hinted("--watch=GLOB names files of it, and connects anew")
		}
		return w, nil
	}
	if _, err := watch.ParsePattern(w.Glob); err != nil {
		return w, usagef("--watch: %v", err)
	}
	return w, nil
}

// inspect runs the screen on a session: on a server, which is always recorded, or on a recording,
// which from is; nil for none.
func (a *app) inspect(parent context.Context, t session.Target, show Screen, from *opened) error {
	f := &a.line.flags
	o, err := a.options()
	if err != nil {
		return err
	}
	if a.log, err = openDebug(f.debug); err != nil {
		return err
	}
	sig, stop := signal.NotifyContext(parent, endings...)
	defer stop()
	a.signals.takeOver()
	ctx, cancel := context.WithCancelCause(sig)
	defer cancel(nil)
	var fault atomic.Pointer[client.Fault]
	o.Fault = func(x *client.Fault) {
		fault.CompareAndSwap(nil, x)
		cancel(x)
	}
	o.Observers = []session.Observer{check.New()}
	o.Relist = true
	o.Limits.Quiet = client.DefaultQuiet
	secrets := a.secrets()
	if from != nil {
		o.Start = from.reader.Head().Start // what is recorded goes on with its times
		o.Notebook = from.notebook(secrets)
		show.Replay = Replay{Reopen: from.reopen, Secret: replaying{}.secret(f)}
	}
	serves := len(t.Command.Args) > 0 || t.Remote()
	if serves {
		offer, err := a.offer()
		if err != nil {
			return err
		}
		show.Questions = questions.New(offer)
		o.Identity.Capabilities, o.Identity.Stateless = offer.Encode()
		o.Identity.Answer, o.Identity.GoOn = show.Questions.Answer, show.Questions.GoOn
		o.Identity.Complete = show.Questions.Complete
	}
	var rec *session.Recording
	var unkept error
	if serves {
		rec, unkept = a.record(t, &o, secrets, true)
		if unkept != nil && f.record != "" {
			return unkept // a session that nobody asked to record is shown all the same
		}
		a.log.begin(t, o)
	}
	var s *session.Session
	if from == nil {
		s = session.New(t, o)
	} else {
		s = session.Recorded(from.reader.Head(), t, o)
		show.Again = from.again(t, o)
		show.Load = func(ctx context.Context) error { return s.Load(ctx, from.reader) }
	}
	hear(s)
	show.Session, show.Tool, show.HostLimit, show.Secrets = s, f.tool, f.timeout, secrets
	show.Theme, show.NoColor, show.ASCII, show.In, show.Out = f.theme, f.noColor || os.Getenv("NO_COLOR") != "", f.ascii, a.io.In, a.io.Out
	var odd error
	if serves {
		show.History, odd = a.history(t)
	}
	if rec != nil {
		show.Recording = rec.Path()
	}
	if from == nil { // a recording begins with its own rows
		if odd != nil {
			s.Note(client.NoteWarning, "%v", odd)
		}
		if unkept != nil {
			s.Note(client.NoteWarning, "this session is not recorded: %v", unkept)
		}
	}
	err = ours(func() error { return a.show(ctx, show) })
	r := &run{app: a, sess: s}
	s.Close()
	r.noteFault(err, fault.Load())
	switch {
	case rec != nil:
		a.keep(rec, s.Done() != nil)
	case unkept != nil:
		a.io.Err.WriteString("warning: the session was not recorded: " + cleanLine(unkept.Error()) + "\n")
	}
	switch {
	case fault.Load() != nil:
		return fault.Load()
	case errors.As(err, new(*client.Fault)):
		return err
	case sig.Err() != nil && parent.Err() == nil:
		return errInterrupted
	case err == nil:
		return nil
	}
	return r.explain(err)
}

// history is what is kept of the arguments that this server was called with; nothing with --no-keep.
func (a *app) history(t session.Target) (*history.Store, error) {
	if a.line.flags.noKeep {
		return nil, nil
	}
	if len(t.Command.Args) == 0 { // an address is the same from everywhere
		return history.Open(t.Label, "")
	}
	dir, err := filepath.Abs(t.Command.Dir) // ours when it has none
	if err != nil {
		dir = t.Command.Dir // another folder's server is taken for this one at worst
	}
	return history.Open(t.Label, dir)
}

// keep ends the recording of a screen: one that nobody named is kept among the latest, or not at all
// when it is not wanted or no server was started.
func (a *app) keep(rec *session.Recording, started bool) {
	path := rec.Path()
	if err := rec.Close(); err != nil {
		a.io.Err.WriteString("warning: " + cleanLine(err.Error()) + "\n")
	}
	switch {
	case a.line.flags.record == "" && (a.line.flags.noKeep || !started):
		_ = os.Remove(path) // it is pruned later otherwise
	case started:
		a.io.Err.WriteString("mcpinspect: the session is kept in " + cleanLine(path) + "\n")
	}
	if a.line.flags.record != "" {
		return
	}
	_, _ = recordings.Prune(recordings.KeepSessions, recordings.KeepBytes) // the next session tries again
}
