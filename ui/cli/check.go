package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// checking is what the flags of check say.
type checking struct {
	failOn  string
	rules   bool
	explain string
	off     []string
}

func (a *app) checkCommand() *cobra.Command {
	var k checking
	c := &cobra.Command{Use: "check [FLAGS] TARGET", Short: "judge every byte and message of a server, and how it ends", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect check -- ./server\n  mcpinspect check --fail-on warning --rule -blank-line -- ./server\n  mcpinspect check --explain stray-stdout",
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
			return a.check(c.Context(), k)
		}}
	a.verbFlags(c)
	f := c.Flags()
	f.StringVar(&k.failOn, "fail-on", "error", "severity from which on the exit code is 2: error, warning, info or never")
	f.BoolVar(&k.rules, "rules", false, "list every rule")
	f.StringVar(&k.explain, "explain", "", "say what `RULE` looks for, why, and what to do")
	f.StringArrayVar(&k.off, "rule", nil, "`-NAME` switches a rule off")
	return c
}

// never is above every severity.
const never = session.Error + 1

func (k checking) threshold() (session.Severity, error) {
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
func (k checking) switched() (off map[string]bool, err error) {
	off = map[string]bool{}
	for _, word := range k.off {
		name, minus := strings.CutPrefix(word, "-")
		if !minus {
			return nil, usagef("--rule %s: write --rule -%s to switch it off", word, word)
		}
		if _, ok := check.Find(name); !ok {
			return nil, noRule(name)
		}
		off[name] = true
	}
	return off, nil
}

func noRule(name string) error {
	var names []string
	for _, r := range check.Rules() {
		names = append(names, r.Name)
	}
	f := usagef("there is no rule %q", name).hinted("check --rules lists them")
	if near := words.DidYouMean(name, names); near != "" {
		f.hint = near
	}
	return f
}

// check connects, lists everything, closes, and judges what it saw. A server that was connected
// gets its findings printed whatever happens then.
func (a *app) check(ctx context.Context, k checking) error {
	limit, err := k.threshold()
	if err != nil {
		return err
	}
	off, err := k.switched()
	if err != nil {
		return err
	}
	a.judged = true
	connected := false
	return a.headless(ctx, func(ctx context.Context, r *run) error {
		if err := r.sess.Connect(ctx); err != nil {
			return err
		}
		connected = true
		_, err := r.walk(ctx, advertised(r.sess.Snapshot().Server), false)
		return judgedElsewhere(err)
	}, func(r *run, err error) error {
		found := check.Findings(r.sess.Log(), func(rule string) bool { return off[rule] })
		if r.json {
			if err := r.findingsJSON(found); err != nil {
				return err
			}
		} else {
			r.findings(found)
		}
		if !connected {
			return err
		}
		reached := 0
		for _, f := range found {
			if session.Severity(f.Severity) >= limit {
				reached++
			}
		}
		if reached > 0 {
			return &failure{outcome: findings, text: fmt.Sprintf("%s of severity %s or above", text.Plural(reached, "finding"), limit)}
		}
		if err != nil && limit != never {
			return &failure{outcome: findings, text: err.Error(), err: err}
		}
		return nil
	})
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

// findings prints what was found, gravest first.
func (r *run) findings(found []check.Finding) {
	slices.SortStableFunc(found, func(a, b check.Finding) int { return int(b.Severity) - int(a.Severity) })
	o := r.out
	for _, f := range found {
		times := ""
		if f.Count > 1 {
			times = fmt.Sprintf(" x%d", f.Count)
		}
		word := fmt.Sprintf("%-8s", f.Severity)
		switch session.Severity(f.Severity) {
		case session.Error:
			word = o.paint.bad(word)
		case session.Warning:
			word = o.paint.odd(word)
		}
		o.printf("%s %s%s (%s): %s\n", word, o.paint.bold(f.Rule), times, cleanLine(f.Subject), cleanLine(f.Message))
		if session.Severity(f.Severity) > session.Info {
			o.printf("         fix: %s\n         see: %s\n", f.Fix, f.Spec)
		}
	}
	sum := check.Sum(found)
	o.printf("%s, %s, %d info", text.Plural(sum.Error, "error"), text.Plural(sum.Warning, "warning"), sum.Info)
	if v := r.sess.Snapshot().Server; v != nil && v.Revision != "" {
		o.printf("; %s, %s", orWord(cleanLine(strings.TrimSpace(v.Name+" "+v.Version)), "a server without a name"), v.Revision)
	}
	if r.ended {
		o.printf("; ended with %s", r.exit)
	}
	o.printf("\n")
}

// findingsJSON is the document of contract section 3.
func (r *run) findingsJSON(found []check.Finding) error {
	if found == nil {
		found = []check.Finding{}
	}
	doc := struct {
		Findings []check.Finding `json:"findings"`
		Summary  check.Summary   `json:"summary"`
		Server   struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Title   string `json:"title,omitempty"`
		} `json:"server"`
		Protocol struct {
			Revision  string   `json:"revision"`
			Era       string   `json:"era"`
			Why       string   `json:"why"`
			Supported []string `json:"supported,omitempty"`
		} `json:"protocol"`
		Exit *exitDoc `json:"exit"`
	}{Findings: found, Summary: check.Sum(found)}
	if v := r.sess.Snapshot().Server; v != nil {
		doc.Server.Name, doc.Server.Version, doc.Server.Title = v.Name, v.Version, v.Title
		doc.Protocol.Revision, doc.Protocol.Why, doc.Protocol.Supported = string(v.Revision), v.Why, v.Supported
	}
	doc.Protocol.Era = client.Revision(doc.Protocol.Revision).Era()
	if r.ended {
		doc.Exit = newExitDoc(r.exit)
	}
	return r.out.document(doc)
}

// exitDoc is how a server ended, as JSON: a code or a signal.
type exitDoc struct {
	Code   *int    `json:"code"`
	Signal *string `json:"signal"`
	Asked  string  `json:"asked"`
}

func newExitDoc(x client.Exit) *exitDoc {
	d := &exitDoc{Asked: string(x.Asked)}
	if x.Signal != "" {
		d.Signal = &x.Signal
	} else {
		d.Code = &x.Code
	}
	return d
}

// ruleDoc is a rule as JSON.
type ruleDoc struct {
	Rule     string         `json:"rule"`
	Severity check.Severity `json:"severity"`
	About    string         `json:"about"`
	Long     string         `json:"long"`
	Fix      string         `json:"fix"`
	Spec     string         `json:"spec"`
}

func newRuleDoc(r check.Rule) ruleDoc {
	return ruleDoc{r.Name, check.Severity(r.Severity), r.Title, r.Why, r.Fix, r.Spec.In("")}
}

func (a *app) printRules() error {
	o := newOutput(a.io.Out, a.line.flags.noColor, nil)
	if a.json {
		rules := check.Rules()
		docs := make([]ruleDoc, len(rules))
		for i, r := range rules {
			docs[i] = newRuleDoc(r)
		}
		return o.document(docs)
	}
	for _, r := range check.Rules() {
		o.printf("%-8s %-26s %s\n", r.Severity, r.Name, r.Title)
	}
	return o.flush()
}

func (a *app) printRule(name string) error {
	r, ok := check.Find(name)
	if !ok {
		return noRule(name)
	}
	o := newOutput(a.io.Out, a.line.flags.noColor, nil)
	if a.json {
		return o.document(newRuleDoc(r))
	}
	const column = 76 // of prose that is read in a terminal
	o.printf("%s (%s)\n%s\n\n", o.paint.bold(r.Name), r.Severity, r.Title)
	for _, l := range text.Wrap(r.Why, column) {
		o.printf("%s\n", l)
	}
	o.printf("\n")
	for _, l := range text.Wrap("fix: "+r.Fix, column) {
		o.printf("%s\n", l)
	}
	o.printf("see: %s\n", r.Spec.In(""))
	return o.flush()
}
