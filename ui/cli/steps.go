package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

const stepHelp = `A step is a line in the words of the verbs: call TOOL [ARG...], list [KIND], read URI [NAME=VALUE...],
prompt NAME [ARG=TEXT...], send METHOD [PARAMS], notify METHOD [PARAMS], restart, wait 2s. On the
answer to the step before it
  expect POINTER == JSON     is equal by value          expect POINTER exists
  expect POINTER != JSON     is not                     expect POINTER absent
  expect POINTER ~ /re/      is text that matches
A POINTER leads into the message, /result/content/0/text, or without /result into the result. Empty
lines and what follows # at the beginning of a line are skipped. An error that no expectation follows
fails its step. A server that has gone ends the run, unless restart is the next step.`

func (a *app) runCommand() *cobra.Command {
	c := &cobra.Command{Use: "run FILE|- [FLAGS] TARGET", Short: "run many steps on one connection", Args: cobra.ArbitraryArgs,
		Long:    "Runs the steps of a file, or of standard input, one after the other on one connection.\n\n" + stepHelp,
		Example: "  printf 'call add a=2 b=3\\nexpect /structuredContent/sum == 5\\n' | mcpinspect run - --demo\n  mcpinspect run steps.txt --json -- ./server",
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
			if name == "-" {
				name = "standard input"
			}
			steps, err := readSteps(name, b)
			if err != nil {
				return err
			}
			return a.headless(c.Context(), func(ctx context.Context, r *run) error {
				if err := r.sess.Connect(ctx); err != nil {
					return err
				}
				return r.steps(ctx, steps)
			}, nil)
		}}
	a.verbFlags(c)
	c.Flags().BoolVar(&a.line.flags.allowDestructive, "allow-destructive", false, "call tools that say destructiveHint: true, too")
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

// readSteps reads a file of steps, whose name is for errors; all that is wrong with it is told before anything is started.
func readSteps(name string, b []byte) (steps []step, err error) {
	if !utf8.Valid(b) {
		return nil, usagef("%s is no file of steps: it has bytes that are no UTF-8", name).hinted("mcpinspect run --help shows what a step is")
	}
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
			bad = append(bad, sentence("line %d: %v", n, err))
			continue
		}
		s.number = n
		steps = append(steps, s)
	}
	switch {
	case len(bad) > 0:
		f := usagef("%s: %s", name, bad[0]).hinted("mcpinspect run --help shows what a step is")
		f.details = bad[1:min(len(bad), fewBad)]
		if more := len(bad) - fewBad; more > 0 {
			f.details = append(f.details, text.Plural(more, "line")+" more")
		}
		return nil, f
	case len(steps) == 0:
		return nil, usagef("%s: there is no step in it", name).hinted("mcpinspect run --help shows what a step is")
	}
	return steps, nil
}

// stepVerbs are what a step can begin with.
var stepVerbs = []string{"call", "list", "read", "prompt", "send", "notify", "restart", "wait", "expect"}

// needs is what must stand behind a verb; empty for nothing.
func needs(verb string) string {
	switch verb {
	case "call":
		return "a tool"
	case "read":
		return "a URI"
	case "prompt":
		return "a name"
	case "wait":
		return "one time, such as 2s"
	}
	return ""
}

// fewBad is how many lines that are no steps are told one by one.
const fewBad = 10

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
	case needs(verb) != "" && len(s.words) == 0:
		return s, fmt.Errorf("%s needs %s", verb, needs(verb))
	case verb == "read":
		if _, err := expand(s.words[0], s.words[1:]); err != nil {
			return s, err
		}
	case verb == "list":
		_, err = kindsOf(s.words)
		return s, err
	case verb == "wait" && len(s.words) == 1:
		if s.wait, err = time.ParseDuration(s.words[0]); err != nil || s.wait < 0 {
			return s, fmt.Errorf("%q is no time to wait, such as 2s or 300ms", s.words[0])
		}
	case verb == "wait":
		return s, errors.New("wait takes one time, such as 2s")
	case verb == "restart" && len(s.words) > 0:
		return s, errors.New("restart takes no words")
	case !slices.Contains(stepVerbs, verb):
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
	if isParams(method) {
		return fmt.Errorf("%s needs a method before the parameters", s.verb)
	}
	if params != "" && !client.ValidJSON([]byte(params)) {
		return fmt.Errorf("the parameters are no JSON: %s", params)
	}
	s.words, s.params = []string{method}, []byte(params)
	return nil
}
