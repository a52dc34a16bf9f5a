package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
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
	o, err := a.options()
	if err != nil {
		return err
	}
	if f.args != "" {
		if f.tool == "" {
			return usagef("--args is about --tool NAME, which is not there")
		}
		if v, err := schema.Parse([]byte(f.args)); err != nil {
			return usagef("--args is no JSON: %v", err)
		} else if v.Kind != schema.Object {
			return usagef("--args is no JSON object")
		}
	}
	if !isTerminal(a.io.In) || !isTerminal(a.io.Out) {
		return usagef("the inspector needs a terminal").hinted("without one use a verb, for example: mcpinspect list %s", a.where())
	}
	if a.log, err = openDebug(f.debug); err != nil {
		return err
	}
	return a.inspect(c.Context(), t, o)
}

// inspect runs the screen on a session, which is always recorded.
func (a *app) inspect(parent context.Context, t session.Target, o session.Options) error {
	f := &a.line.flags
	sig, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancelCause(sig)
	defer cancel(nil)
	var fault atomic.Pointer[client.Fault]
	o.Fault = func(x *client.Fault) {
		fault.CompareAndSwap(nil, x)
		cancel(x)
	}
	o.Observers = []session.Observer{check.New()}
	secrets := a.secrets()
	rec, err := a.record(t, &o, secrets, true)
	if err != nil && f.record != "" {
		return err
	}
	unkept := err // a session that nobody asked to record is shown all the same
	a.log.begin(t, o)
	s := session.New(t, o)
	show := Screen{Session: s, Tool: f.tool, HostLimit: f.timeout, Theme: f.theme, NoColor: f.noColor || os.Getenv("NO_COLOR") != "", ASCII: f.ascii, In: a.io.In, Out: a.io.Out, Secrets: secrets}
	if rec != nil {
		show.Recording = rec.Path()
	} else {
		s.Note(client.NoteWarning, "this session is not recorded: %v", unkept)
	}
	if f.args != "" {
		show.Args = []byte(f.args)
	}
	err = a.show(ctx, show)
	s.Close()
	switch {
	case rec != nil:
		a.keep(rec, s.Snapshot().Run > 0)
	default:
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
	r := &run{app: a, sess: s}
	return r.explain(err)
}

// keep ends the recording of a screen: one that nobody named is kept among the latest, or not at all
// when it is not wanted or no server was started.
func (a *app) keep(rec *session.Recording, started bool) {
	path := rec.Path()
	if err := rec.Close(); err != nil {
		a.io.Err.WriteString("warning: the recording is not complete: " + cleanLine(err.Error()) + "\n")
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
