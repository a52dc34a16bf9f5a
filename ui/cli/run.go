package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
)

// run is one verb at work on one server.
type run struct {
	*app
	sess    *session.Session
	hidden  *recordings.Secrets // masked in the recording; nil for none
	voice   *voice
	out     *output
	fault   func(*client.Fault) // told of faults in goroutines of the verb
	exit    client.Exit         // valid when ended
	ended   bool
	stopped bool // a signal is how this verb ends: no failure
}

// endings are the signals that end a run in order: the server is closed and the terminal restored.
// SIGQUIT is among them, since what it does otherwise, a trace and an end at once, leaves both behind;
// SIGABRT still does that.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// verb makes what a command runs: it connects, works, closes the server, and says all that there
// is to say about it on stderr before the error, if there is one. allow looks at the command line
// before a server is started.
func (a *app) verb(allow func(c *cobra.Command, args []string) error, work func(ctx context.Context, r *run, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		args, err := a.begin(c, args)
		if err != nil {
			return err
		}
		if err := allow(c, args); err != nil {
			return err
		}
		return a.headless(c.Context(), func(ctx context.Context, r *run) error {
			if err := r.sess.Connect(ctx); err != nil {
				return err
			}
			return work(ctx, r, args)
		}, nil)
	}
}

// headless runs work with a session that is not connected yet. after is called with its error when
// the server has been closed and every byte of it is in the log; its own error takes its place.
func (a *app) headless(parent context.Context, work func(context.Context, *run) error, after func(*run, error) error) (err error) {
	f := &a.line.flags
	t, err := a.target()
	if err != nil {
		return err
	}
	o, err := a.options()
	if err != nil {
		return err
	}
	answers, err := a.newAnswers()
	if err != nil {
		return err
	}
	if answers != nil {
		o.Identity.Capabilities, o.Identity.Answer = answers.capabilities(), answers.answer
	}
	if a.log, err = openDebug(f.debug); err != nil {
		return err
	}
	sig, stop := signal.NotifyContext(parent, endings...)
	defer stop()
	a.signals.takeOver()
	// A second signal changes nothing: dying of it would leave the server behind, and closing it is bounded.
	ctx, cancel := context.WithCancelCause(sig)
	defer cancel(nil)
	if f.deadline > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeoutCause(ctx, f.deadline, fmt.Errorf("%w %v", errDeadline, f.deadline))
		defer done()
	}
	var fault atomic.Pointer[client.Fault]
	o.Fault = func(x *client.Fault) {
		fault.CompareAndSwap(nil, x)
		cancel(x)
	}
	o.Limits = client.Limits{Idle: f.timeout, Max: f.maxTime}
	o.Observers = []session.Observer{check.New()}
	if a.prepare != nil {
		a.prepare(&o)
	}
	secrets := a.secrets()
	rec, err := a.record(t, &o, secrets, false)
	if err != nil {
		return err
	}
	r := &run{app: a, sess: hear(session.New(t, o)), hidden: secrets, fault: o.Fault}
	v := newVoice(a, r.sess, o.Fault)
	r.voice = v
	if answers != nil {
		answers.warn = v.question
	}
	r.out = newOutput(a.io.Out, f.noColor, v.warn)
	for _, w := range client.ReservedWarnings(o.Meta) {
		v.warn("%s", w)
	}
	for _, w := range unexpanded(t.Command.Args) {
		v.warn("%s", w)
	}
	a.log.begin(t, o)

	err = ours(func() error { return work(ctx, r) })
	if aerr := answers.failure(); aerr != nil {
		err = errors.Join(err, aerr)
	}
	if ferr := r.out.flush(); ferr != nil {
		err = errors.Join(err, ferr)
	}
	r.exit, r.ended = r.sess.Close()
	if after != nil && fault.Load() == nil && !errors.As(err, new(*client.Fault)) {
		err = ours(func() error { return after(r, err) })
		if ferr := r.out.flush(); ferr != nil {
			err = errors.Join(err, ferr)
		}
	}
	v.finish(err)
	r.noteFault(err, fault.Load())
	if rec != nil {
		if cerr := rec.Close(); cerr != nil {
			v.warn("%v", cerr)
		}
	}
	switch {
	case fault.Load() != nil:
		return fault.Load()
	case errors.As(err, new(*client.Fault)):
		return err
	case sig.Err() != nil && parent.Err() == nil && !(r.stopped && err == nil):
		return errInterrupted
	}
	if err == nil {
		if n := r.sess.Snapshot().Counts.Errors; f.strict && n > 0 {
			err = &failure{outcome: findings, text: fmt.Sprintf("--strict: the run has findings of severity error: %d", n), hint: "they are named above; to see them in full: mcpinspect check"}
		}
		return err
	}
	if context.Cause(ctx) != nil && errors.Is(context.Cause(ctx), errDeadline) && errors.Is(err, errDeadline) {
		err = context.Cause(ctx)
	}
	return r.explain(err)
}

// ours runs what a verb or the screen does and returns a panic in it as its error: the server is
// still to be ended, and the recording to be closed.
func ours(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &client.Fault{Where: "main", Cause: cause, Stack: debug.Stack()}
		}
	}()
	return work()
}

// noteFault puts a fault of ours, in err or in a goroutine, into the log: a recording says why it ends.
func (r *run) noteFault(err error, fault *client.Fault) {
	if fault != nil || errors.As(err, &fault) {
		r.sess.Note(client.NoteFault, "%v", fault)
	}
}

// explain adds what is known of a server that could not be reached or that has gone.
func (r *run) explain(err error) error {
	err = worst(err)
	if outcomeOf(err) != unreachable {
		return err
	}
	var own *failure
	var gone *client.ClosedError
	if errors.As(err, &own) && !errors.As(err, &gone) {
		return err
	}
	out := &failure{outcome: unreachable, text: err.Error(), err: err}
	snap := r.sess.Snapshot()
	if n := snap.Counts; n.In == 0 && n.Stray > lastLines {
		out.details = append(out.details, fmt.Sprintf("%s came on its stdout, and none is a message: it may be no MCP server", text.Plural(n.Stray, "line")))
		out.hint = "is this the server's command? what it prints for people belongs on stderr"
	}
	r.explainSilence(out, err, snap)
	if box := snap.Box; box != nil {
		switch {
		case box.Exit.Asked == client.AskedNo, errors.As(err, &gone):
			out.details = append(out.details, box.Sentences()...)
		case box.Half > 0:
			out.details = append(out.details, fmt.Sprintf("%s of an unfinished line were left on stdout: %q", client.Bytes(box.Half), box.HalfEnd))
		}
		passedOn := !r.json && !r.line.flags.quiet && len(box.Stderr) > 0
		if passedOn && len(box.Crash) > 0 {
			out.details = append(out.details, "it crashed with: "+box.LastWord())
		}
		if what, lines := box.LastWords(lastLines); len(lines) > 0 && !passedOn { // what was passed on stands above
			out.details = append(out.details, what)
			for _, l := range lines {
				out.details = append(out.details, "  "+l)
			}
		}
	}
	return out
}

// lastLines is how many lines of stderr an error message repeats.
const lastLines = 5

// ms is a time span in milliseconds, for JSON.
func ms(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(time.Microsecond))/float64(time.Millisecond), 'f', -1, 64)
}
