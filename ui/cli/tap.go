package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
)

func (a *app) tapCommand() *cobra.Command {
	all := false
	c := &cobra.Command{Use: "tap [FLAGS] -- COMMAND [ARG...]", Short: "stand between a client and its server, and record", Args: cobra.ArbitraryArgs,
		Long: `Put this in front of the server's command in the configuration of a client. What either side writes
is passed on as it is, stderr, signals and the exit status too; stdout holds nothing of ours. With
--record it is all kept in a file; a line on stderr sums the session up at its end, --findings
says in which way client and server are wrong, -q keeps all of it back.`,
		Example: "  mcpinspect tap --record s.jsonl --demo\n  mcpinspect tap --record s.jsonl -- ./server --its-flag",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := atMost(0, args, "tap takes the command of a server only, behind --"); err != nil {
				return err
			}
			if all && (a.line.flags.json || a.line.flags.quiet) {
				return usagef("--findings goes without --json, which has them all, and without -q")
			}
			return a.tap(all)
		}}
	a.startFlags(c)
	f, s := &a.line.flags, c.Flags()
	s.BoolVar(&f.json, "json", false, "sum up as one JSON document on stderr, with every finding")
	s.BoolVar(&all, "findings", false, "say what either side did wrong, too, a line each")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing of our own")
	return c
}

// passedOn ends the program the way the server ended.
type passedOn struct{ exit client.Exit }

func (p *passedOn) Error() string { return "the server ended with " + p.exit.String() }

// tap passes everything on until the server has ended. A capture that fails does not end it.
func (a *app) tap(all bool) error {
	t, err := a.target()
	if err != nil {
		return err
	}
	if t.Remote() {
		return usagef("tap stands between a client and a server that it starts, and %s is not started", a.line.url)
	}
	f := &a.line.flags
	if a.log, err = openDebug(f.debug); err != nil {
		return err
	}
	var fault atomic.Pointer[client.Fault]
	o := session.Options{MaxLine: int(f.maxLine), Start: time.Now(), Identity: identity(), Observers: []session.Observer{check.New()},
		Fault: func(x *client.Fault) { fault.CompareAndSwap(nil, x) }}
	rec, err := a.tapRecord(t, &o)
	if err != nil {
		return err
	}
	a.log.begin(t, o)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, endings...)
	a.signals.takeOver()
	s := session.New(t, o)
	tap, err := s.Tap(client.Ends{In: a.io.In, Out: a.io.Out, Err: quietly{a.io.Err}})
	if err != nil {
		return err
	}
	quiet := make(chan struct{})
	client.Go("signals", o.Fault, func() {
		for sig := range signals {
			tap.Signal(sig)
		}
	}, func() { close(quiet) })
	exit, whole := tap.Wait()
	signal.Stop(signals)
	close(signals)
	<-quiet
	broken := fault.Load()
	if !whole {
		a.say("the capture was not finished: what was passed on is not affected")
	}
	if broken != nil {
		s.Note(client.NoteFault, "%v", broken)
		a.log.fail(broken, reportOf(broken))
		a.say("%s", broken.Error())
	}
	if whole && !f.quiet {
		a.sumUp(s, rec, all)
	}
	if rec != nil && (whole || broken != nil) {
		if err := rec.Close(); err != nil {
			a.say("%v", err)
		}
	}
	return &passedOn{exit}
}

// quietly is our stderr as the server's: its end is not ours.
type quietly struct{ *os.File }

func (quietly) Close() error { return nil }

// say is a line of our own, on a stderr that is the server's otherwise.
func (a *app) say(format string, args ...any) {
	if !a.line.flags.quiet {
		a.io.Err.WriteString("mcpinspect: " + cleanLine(sentence(format, args...)) + "\n")
	}
}

// tapRecord starts the recording. A client starts its server again and again by the same words: a
// file that is there from the last time must not keep it from starting.
func (a *app) tapRecord(t session.Target, o *session.Options) (*session.Recording, error) {
	f := &a.line.flags
	if f.overwrite && f.record == "" {
		return nil, usagef("--overwrite is about --record FILE, which is not there")
	}
	rec, err := a.record(t, o, a.secrets(), false)
	if err == nil {
		return rec, nil
	}
	why := err
	var taken *recordings.ExistsError
	if f.record, err = "", nil; errors.As(why, &taken) {
		rec, err = a.record(t, o, a.secrets(), true)
		if err == nil {
			a.say("%v; this session goes to %s", why, rec.Path())
			return rec, nil
		}
	}
	o.Recorder = nil
	a.say("not recorded: %v", errors.Join(why, err))
	return nil, nil
}

// sumUp says in one line on stderr what was seen, behind one for each finding where all are asked for.
func (a *app) sumUp(s *session.Session, rec *session.Recording, all bool) {
	found := check.Findings(s.Log(), func(string) bool { return false })
	if a.json {
		r := &run{app: a, sess: s, out: newOutput(a.io.Err, true, a.say)}
		if box := s.Snapshot().Box; box != nil {
			r.exit, r.ended = box.Exit, true
		}
		if err := r.findingsJSON(found, nil); err != nil {
			a.say("%v", err)
		}
		return
	}
	if all {
		a.sayFindings(found)
	}
	n, sum := s.Snapshot().Counts, check.Sum(found)
	line := fmt.Sprintf("%s to the server, %d from it; %s, %s", text.Plural(n.Out, "message"), n.In, text.Plural(sum.Error, "error"), text.Plural(sum.Warning, "warning"))
	var rules []string
	for _, x := range found {
		if session.Severity(x.Severity) > session.Info && !slices.Contains(rules, x.Rule) {
			rules = append(rules, x.Rule)
		}
	}
	if rules != nil {
		line += " (" + strings.Join(rules, ", ") + ")"
	}
	if rec != nil {
		line += "; recorded in " + rec.Path()
	}
	a.say("%s", line)
}

// sayFindings says a line of each finding, with the side that it is about.
func (a *app) sayFindings(found []check.Finding) {
	for i := range found {
		f := &found[i]
		side, times := "server", ""
		if f.Subject == check.OfClient {
			side = check.OfClient
		}
		if f.Count > 1 {
			times = fmt.Sprintf(" x%d", f.Count)
		}
		a.say("%s of the %s: %s%s at #%d: %s", session.Severity(f.Severity), side, f.Rule, times, f.First.Seq, f.Message)
	}
}
