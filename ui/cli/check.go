package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/probe"
	"example.com/mcpinspect/session/report"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// checking is what the flags of check say, and what came of it.
type checking struct {
	failOn  string
	rules   bool
	explain string
	off     []string
	reports []string
	source  string
	against string
	update  bool
	calls   []string
	active  bool
	repeat  int
	all     bool // --protocol all

	server *session.Server // as it introduced itself first; nil before
	limit  session.Severity
	skip   map[string]bool
	files  []reportFile
	kept   *kept
	steps  []calling
	probes []probe.Verdict
	spoken []spokenRevision
	lists  []walked // of the latest run
	called int
	runs   int
	begun  time.Time
}

func (a *app) checkCommand() *cobra.Command {
	var k checking
	c := &cobra.Command{Use: "check [FLAGS] TARGET", Short: "judge every byte and message of a server, and how it ends", Args: cobra.ArbitraryArgs,
		Long: `Connects, lists everything, closes the server, and says what is wrong with what it sent and with how it
ended: the gravest first, with what to do about it. Exit code 2 when something reaches --fail-on.

Tools are called only with --call, and what a server is not asked for in daily use only with --active.`,
		Example: `  mcpinspect check --demo
  mcpinspect check -- ./server
  mcpinspect check --fail-on warning --rule -blank-line -- ./server
  mcpinspect check --call 'add a=2 b=3' --call 'weather {"city":"Oslo"}' -- ./server
  mcpinspect check --against tools.json -- ./server
  mcpinspect check --report sarif=check.sarif --report junit=check.xml --report md=check.md -- ./server
  mcpinspect check --explain stray-stdout`,
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := atMost(0, args, "check takes a server only"); err != nil {
				return err
			}
			switch {
			case k.rules:
				return a.printRules()
			case k.explain != "":
				return a.printRule(k.explain)
			}
			if err := k.settle(a, c.Flags().Changed); err != nil {
				return err
			}
			return a.check(c.Context(), &k)
		}}
	a.verbFlags(c)
	f := c.Flags()
	f.StringVar(&k.failOn, "fail-on", "error", "severity from which on the exit code is 2: error, warning, info or never")
	f.BoolVar(&k.rules, "rules", false, "list every rule")
	f.StringVar(&k.explain, "explain", "", "say what `RULE` looks for, why, and what to do")
	f.StringArrayVar(&k.off, "rule", nil, "`-NAME` switches a rule off")
	f.StringArrayVar(&k.reports, "report", nil, "write a file beside: `FORMAT=FILE`, FORMAT is "+strings.Join(report.Formats(), ", "))
	f.StringVar(&k.source, "source", "", "the `FILE` that SARIF results point at; without it the nearest build file")
	f.StringVar(&k.against, "against", "", "compare what the server offers with `FILE`, a kept list --json or a recording")
	f.BoolVar(&k.update, "update", false, "with --against: write FILE anew from what the server offers now")
	f.StringArrayVar(&k.calls, "call", nil, "call a tool, too: `'TOOL {json}'` or 'TOOL a=2 b=3'")
	f.BoolVar(&a.line.flags.allowDestructive, "allow-destructive", false, "with --call in several runs: also a tool that says it is destructive")
	f.BoolVar(&k.active, "active", false, "send harmless probes, too: unknown names, cursors and methods, and how they are refused")
	f.IntVar(&k.repeat, "repeat", 1, "do it `N` times, and look for what is not the same each time")
	f.Lookup("protocol").Usage += "; all repeats the check on every revision that the server speaks"
	return c
}

// never is above every severity.
const never = session.Error + 1

// maxRepeat is how often a check is repeated: each time starts the server once.
const maxRepeat = 100

// settle reads the flags before a server is started, and what they name.
func (k *checking) settle(a *app, given func(string) bool) (err error) {
	if k.limit, err = k.threshold(); err != nil {
		return err
	}
	if k.skip, err = k.switched(); err != nil {
		return err
	}
	if k.repeat < 1 || k.repeat > maxRepeat {
		return usagef("--repeat %d: from 1 to %d times", k.repeat, maxRepeat)
	}
	if k.all = a.line.flags.protocol == protocolAll; k.all {
		a.line.flags.protocol = ""
		if k.repeat > 1 {
			return usagef("--repeat is about one revision, and --protocol all about each").hinted("one after the other: --repeat %d, then --protocol all", k.repeat)
		}
	}
	if given("allow-destructive") && len(k.calls) == 0 {
		return usagef("--allow-destructive is about --call TOOL, which is not there")
	}
	if k.repeat == 1 && !k.all { // who names a tool means it, once; some libraries call every tool destructive
		a.line.flags.allowDestructive = true
	}
	for _, word := range k.calls {
		c, err := readCalling(word)
		if err != nil {
			return err
		}
		k.steps = append(k.steps, c)
	}
	if k.kept, err = a.readKept(k.against, k.update); err != nil {
		return err
	}
	k.files, err = readReports(k.reports)
	return err
}

// protocolAll is the value of --protocol that check alone knows.
const protocolAll = "all"

func (k *checking) threshold() (session.Severity, error) {
	for _, s := range []session.Severity{session.Info, session.Warning, session.Error} {
		if k.failOn == s.String() {
			return s, nil
		}
	}
	if k.failOn == "never" {
		return never, nil
	}
	return 0, usagef("--fail-on %s: it is one of error, warning, info, never", k.failOn)
}

// switched reads --rule words.
func (k *checking) switched() (off map[string]bool, err error) {
	off = map[string]bool{}
	for _, word := range k.off {
		name, minus := strings.CutPrefix(word, "-")
		if _, ok := check.Find(name); !ok {
			return nil, noRule(name)
		}
		if !minus {
			return nil, usagef("--rule %s: write --rule -%s to switch it off", word, word)
		}
		off[name] = true
	}
	return off, nil
}

func noRule(name string) error {
	f := usagef("there is no rule %q", name).hinted("check --rules lists them")
	if near := words.DidYouMean(name, ruleNames()); near != "" {
		f.hint = near
	}
	return f
}

// check connects, does what the flags say, closes, and judges what it saw. A server that was
// connected gets its findings printed whatever happens then.
func (a *app) check(ctx context.Context, k *checking) error {
	a.judged = true
	k.begun = time.Now()
	connected := false
	return a.headless(ctx, func(ctx context.Context, r *run) error {
		if err := r.sess.Connect(ctx); err != nil {
			return err
		}
		connected = true
		return r.checkRuns(ctx, k)
	}, func(r *run, err error) error {
		found := check.Findings(r.sess.Log(), func(rule string) bool { return k.skip[rule] })
		check.Sort(found)
		if r.json {
			if err := r.findingsJSON(found, k); err != nil {
				return err
			}
		} else {
			if err != nil && len(found) == 0 { // nothing else says why
				r.out.printf("not finished: %s\n", cleanLine(unfinished(r.explain(err))))
			}
			r.findings(found, k)
			if err != nil && len(found) > 0 {
				r.out.printf("not finished: %s\n", cleanLine(unfinished(r.explain(err))))
			}
		}
		if ferr := r.writeReports(k, r.newReport(found, k, err)); ferr != nil {
			return errors.Join(err, ferr)
		}
		if !connected {
			return err
		}
		return verdict(found, k.limit, err)
	})
}

// unfinished is an error and its hint in one line: the findings have the details.
func unfinished(err error) string {
	rep := reportOf(err)
	if rep.hint != "" {
		return rep.message + "; " + rep.hint
	}
	return rep.message
}

// verdict is how a check of a server that was connected ends, whatever else happened.
func verdict(found []check.Finding, limit session.Severity, err error) error {
	var own *failure
	switch {
	case errors.As(err, &own) && (own.outcome == unwritten || own.outcome == usage):
		return err // about files of the person's
	case err != nil && outcomeOf(worst(err)) == interrupted:
		return err
	}
	reached := 0
	for _, f := range found {
		if session.Severity(f.Severity) >= limit && f.Because == "" { // its cause is as grave
			reached++
		}
	}
	if reached > 0 {
		return &failure{outcome: findings, text: fmt.Sprintf("%s of severity %s or above", text.Plural(reached, "finding"), limit)}
	}
	if err != nil && limit != never {
		return &failure{outcome: findings, text: err.Error()}
	}
	return nil
}

// checkRuns is the first run of a check, and what follows from its flags.
func (r *run) checkRuns(ctx context.Context, k *checking) error {
	k.server = r.sess.Snapshot().Server
	first, err := r.checkRun(ctx, k)
	if err != nil {
		return err
	}
	if k.kept != nil {
		if err := r.compareKept(k.kept, first); err != nil {
			return err
		}
	}
	if k.active {
		err := probe.Run(ctx, r.sess, func(v probe.Verdict) { k.probes = append(k.probes, v) })
		if err != nil {
			return err
		}
	}
	switch {
	case k.all:
		return r.everyRevision(ctx, k, first)
	case k.repeat > 1:
		return r.again(ctx, k, first)
	}
	return nil
}

// checkRun walks the lists of the server that is connected, and calls what is to be called.
func (r *run) checkRun(ctx context.Context, k *checking) (o offer, err error) {
	k.runs++
	lists, err := r.walk(ctx, advertised(r.sess.Snapshot().Server), false)
	k.lists = lists
	if err = judgedElsewhere(err); err != nil {
		return o, err
	}
	o = r.offered(lists)
	for _, c := range k.steps {
		if err := r.calling(ctx, k, c); err != nil {
			return o, err
		}
	}
	return o, nil
}

// judgedElsewhere drops the errors of a list that are findings anyway.
func judgedElsewhere(err error) error {
	var rpc *client.RPCError
	var none *client.ListError
	if (errors.As(err, &rpc) || errors.As(err, &none)) && outcomeOf(worst(err)) == protocol {
		return nil
	}
	return err
}
