package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

const stepHelp = `A step is a line in the words of the verbs: call TOOL [ARG...], list [KIND], send METHOD [PARAMS],
notify METHOD [PARAMS], restart, wait 2s. On the answer to the step before it
  expect POINTER == JSON     is equal by value          expect POINTER exists
  expect POINTER != JSON     is not                     expect POINTER absent
  expect POINTER ~ /re/      is text that matches
A POINTER leads into the message, /result/content/0/text, or without /result into the result. Empty
lines and what follows # at the beginning of a line are skipped. An error that no expectation follows
fails its step.`

func (a *app) runCommand() *cobra.Command {
	destructive := false
	c := &cobra.Command{Use: "run FILE|- [FLAGS] TARGET", Short: "run many steps on one connection", Args: cobra.ArbitraryArgs,
		Long:    "Runs the steps of a file, or of standard input, one after the other on one connection.\n\n" + stepHelp,
		Example: "  mcpinspect run steps.txt -- ./server\n  printf 'call add a=2 b=3\\nexpect /structuredContent/sum == 5\\n' | mcpinspect run - --json -- ./server",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := atMost(1, args, "run takes one FILE of steps, or -"); err != nil {
				return err
			}
			if len(args) == 0 {
				return usagef("run needs a FILE of steps, or - for standard input").hinted("mcpinspect run --help shows what a step is")
			}
			name := args[0]
			b, err := a.file(name)
			if err != nil {
				return err
			}
			steps, err := readSteps(b)
			if err != nil {
				return err
			}
			return a.headless(c.Context(), func(ctx context.Context, r *run) error {
				if err := r.sess.Connect(ctx); err != nil {
					return err
				}
				return r.steps(ctx, steps, destructive)
			}, nil)
		}}
	a.verbFlags(c)
	c.Flags().BoolVar(&destructive, "allow-destructive", false, "call tools that say destructiveHint: true, too")
	c.Flags().BoolVar(&a.line.flags.unchecked, "unchecked", false, "send although a tool is not listed or its schema objects")
	return c
}

// step is one line of a file.
type step struct {
	number int // of the line
	text   string
	verb   string
	words  []string // behind the verb
	params []byte   // of send and notify
	wait   time.Duration
	expect expectation
}

// readSteps reads a file of steps; all that is wrong with it is told before anything is started.
func readSteps(b []byte) (steps []step, err error) {
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	lines.Buffer(nil, max(len(b)+1, bufio.MaxScanTokenSize))
	var bad []string
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		s, err := readStep(line)
		if err != nil {
			bad = append(bad, fmt.Sprintf("line %d: %v", n, err))
			continue
		}
		s.number = n
		steps = append(steps, s)
	}
	switch {
	case len(bad) > 0:
		f := usagef("%s", bad[0]).hinted("mcpinspect run --help shows what a step is")
		f.details = bad[1:]
		return nil, f
	case len(steps) == 0:
		return nil, usagef("there is no step in it").hinted("mcpinspect run --help shows what a step is")
	}
	return steps, nil
}

// stepVerbs are what a step can begin with.
var stepVerbs = []string{"call", "list", "send", "notify", "restart", "wait", "expect"}

func readStep(line string) (s step, err error) {
	s.text = line
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	s.verb = verb
	switch verb {
	case "expect":
		s.expect, err = readExpectation(rest)
		return s, err
	case "send", "notify":
		return s, s.message(rest)
	}
	if s.words, err = words.Split(rest); err != nil {
		return s, err
	}
	switch {
	case verb == "call" && len(s.words) == 0:
		return s, errors.New("call needs a tool")
	case verb == "list":
		_, err = kindsOf(s.words)
		return s, err
	case verb == "wait" && len(s.words) == 1:
		if s.wait, err = time.ParseDuration(s.words[0]); err != nil || s.wait < 0 {
			return s, fmt.Errorf("%q is no time to wait, such as 2s or 300ms", s.words[0])
		}
	case verb == "wait":
		return s, errors.New("wait needs one time, such as 2s")
	case verb == "restart" && len(s.words) > 0:
		return s, errors.New("restart takes no words")
	case verb != "call" && verb != "restart":
		near := ""
		if names := words.Near(verb, stepVerbs); len(names) > 0 {
			near = "; did you mean " + strings.Join(names, " or ") + "?"
		}
		return s, fmt.Errorf("no step %q%s", verb, near)
	}
	return s, nil
}

// message reads METHOD [PARAMS]. The params are JSON as it stands: nobody has to quote it for a
// shell that is not there, but may.
func (s *step) message(rest string) error {
	method, params, _ := strings.Cut(rest, " ")
	params = strings.TrimSpace(params)
	if n := len(params); n > 1 && params[0] == '\'' && params[n-1] == '\'' {
		params = params[1 : n-1]
	}
	if method == "" {
		return fmt.Errorf("%s needs a method", s.verb)
	}
	if params != "" && !client.ValidJSON([]byte(params)) {
		return fmt.Errorf("the parameters are no JSON: %s", params)
	}
	s.words, s.params = []string{method}, []byte(params)
	return nil
}

// stepped is how a step went.
type stepped struct {
	answer []byte // the message, or what stands for it; nil when there is none
	result []byte // the part that is printed
	note   string // a few words for people
	err    error
}

// steps runs them one after the other. A server that has gone ends the run, everything else only
// fails its step.
func (r *run) steps(ctx context.Context, steps []step, destructive bool) error {
	var failed []error
	var last []byte
	for i, s := range steps {
		start := time.Now()
		var got stepped
		if s.verb == "expect" {
			got.err = s.expect.judge(last)
		} else {
			got = r.step(ctx, &s, destructive)
			last = got.answer
		}
		awaited := got.err != nil && got.answer != nil && i+1 < len(steps) && steps[i+1].verb == "expect"
		r.tell(&s, got, time.Since(start), awaited)
		if got.err == nil || awaited {
			continue
		}
		o := outcomeOf(worst(got.err))
		failed = append(failed, &failure{outcome: o, text: fmt.Sprintf("line %d, %s: %v", s.number, s.text, worst(got.err)), err: got.err})
		if o == unreachable || o == interrupted || o == internal {
			break
		}
	}
	return failedSteps(failed)
}

// failedSteps is the gravest of the failures, which were all told already.
func failedSteps(failed []error) error {
	if len(failed) < 2 {
		return errors.Join(failed...)
	}
	w := worst(errors.Join(failed...))
	return &failure{outcome: outcomeOf(w), text: fmt.Sprintf("%d steps failed; the gravest is %v", len(failed), w), err: w}
}

func (r *run) step(ctx context.Context, s *step, destructive bool) stepped {
	switch s.verb {
	case "call":
		return r.callStep(ctx, s.words[0], s.words[1:], destructive)
	case "list":
		return r.listStep(ctx, s.words)
	case "send":
		return r.sent(ctx, client.Request{Method: s.words[0], Params: s.params})
	case "notify":
		return stepped{err: r.sess.Notify(s.words[0], s.params)}
	case "restart":
		if err := r.sess.Restart(ctx); err != nil {
			return stepped{err: err}
		}
		return stepped{note: fmt.Sprintf("run %d", r.sess.Snapshot().Run)}
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return stepped{}
	case <-ctx.Done():
		return stepped{err: context.Cause(ctx)}
	}
}

// sent sends a request; an error answer is an answer, too.
func (r *run) sent(ctx context.Context, q client.Request) stepped {
	answer, err := r.sess.Call(ctx, q)
	if err != nil {
		return stepped{err: err}
	}
	message := answer.Raw(answer.Span)
	return stepped{answer: message, result: answer.ResultRaw(), err: answer.Err()}
}

func (r *run) callStep(ctx context.Context, name string, given []string, destructive bool) stepped {
	unchecked := r.line.flags.unchecked
	it, ok, err := r.tool(ctx, name)
	var rpc *client.RPCError
	switch {
	case err != nil && !(unchecked && errors.As(err, &rpc)):
		return stepped{err: err}
	case err == nil && !ok && !unchecked:
		return stepped{err: r.noTool(name)}
	case ok && it.Hints().Said && !destructive:
		return stepped{err: refuseDestructive(name)}
	}
	in := schema.Compile(it.InputSchema())
	args, _, err := words.Read(given, in, r.file)
	if err != nil {
		return stepped{err: badWord(err, name, r.where())}
	}
	if ok && !unchecked {
		if err := r.objections(name, in.Check(args)); err != nil {
			return stepped{err: err}
		}
	}
	if r.hidden != nil {
		form := in.Form()
		form.Load(args)
		form.Secrets(recordings.NamesSecret, func(name, value string) { r.hidden.Add(name, value) })
	}
	got := r.sent(ctx, client.CallTool(name, schema.AppendJSON(nil, args)))
	if got.err == nil {
		got.err = r.judge(name, it, got.result)
	}
	for block := range client.Elements(client.Get(got.result, "content")) {
		if got.note = firstLine(client.GetText(block, "text")); got.note != "" {
			break
		}
	}
	return got
}

// listStep walks lists anew; its answer is the document that list --json prints.
func (r *run) listStep(ctx context.Context, given []string) stepped {
	kinds, err := kindsOf(given)
	if err != nil {
		return stepped{err: err}
	}
	named := kinds != nil
	if !named {
		kinds = advertised(r.sess.Snapshot().Server)
	}
	for _, k := range kinds {
		r.sess.Reload(k)
	}
	lists, err := r.walk(ctx, kinds, named)
	doc := []byte{'{'}
	var counts []string
	for i, l := range lists {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = append(append(doc, client.Quote(l.kind.Name)...), ":["...)
		for n, it := range l.list.Items {
			if n > 0 {
				doc = append(doc, ',')
			}
			doc = append(doc, it.Raw...)
		}
		doc = append(doc, ']')
		counts = append(counts, text.Plural(len(l.list.Items), strings.TrimSuffix(l.kind.Name, "s")))
	}
	doc = append(doc, '}')
	return stepped{answer: doc, result: doc, note: strings.Join(counts, ", "), err: err}
}

// tell prints how a step went, at once: who runs steps by hand watches them. expected says that an
// expectation follows on what failed.
func (r *run) tell(s *step, got stepped, took time.Duration, expected bool) {
	o := r.out
	if r.json {
		o.printf(`{"line":%d,"step":`, s.number)
		o.raw(quoteText(s.text))
		o.printf(`,"ok":%t,"ms":%s`, got.err == nil || expected, ms(took))
		if got.result != nil {
			o.printf(`,"result":`)
			o.raw(oneLine(got.result))
		}
		if got.err != nil {
			report := reportOf(got.err).json()
			o.printf(`,`)
			o.raw(bytes.TrimSuffix(report[1:len(report)-1], []byte{'}'}))
		}
		o.printf("}\n")
		_ = o.flush() // told at the end
		return
	}
	line := fmt.Sprintf("%3d  %s  ", s.number, cleanLine(s.text))
	switch {
	case got.err == nil:
		line += "ok"
	case expected:
		line += "error: " + cleanLine(reportOf(got.err).message)
	default:
		line += o.paint.bad("FAILED") + ": " + cleanLine(reportOf(got.err).message)
	}
	if s.verb != "expect" && s.verb != "wait" && got.err == nil {
		line += fmt.Sprintf(", %v", took.Round(100*time.Microsecond))
		if got.note != "" {
			line += ": " + got.note
		}
	}
	o.printf("%s\n", line)
	for _, d := range detailsOf(got.err) {
		o.printf("       %s\n", cleanLine(d))
	}
	_ = o.flush()
}

func detailsOf(err error) []string {
	if err == nil {
		return nil
	}
	return reportOf(err).details
}
