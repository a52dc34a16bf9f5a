package cli

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/mock"
	"example.com/mcpinspect/session/script"
)

// mocking is what the flags of mock say.
type mocking struct {
	run    int
	order  string
	once   bool
	speed  float64
	stray  bool
	stderr bool
	miss   string
}

func (a *app) mockCommand() *cobra.Command {
	var m mocking
	c := &cobra.Command{Use: "mock [FLAGS] FILE", Aliases: []string{"serve"}, Short: "answer a client as the recorded server did", Args: cobra.ArbitraryArgs,
		Long: `Is a server on stdin and stdout that says what the recorded one said. A request is found by its
method, its name and its parameters; ids, progress tokens, traces and what a client says of itself
do not count, and are put into the answers as the client sent them. Everything else is byte for byte
as it was recorded. What was not answered stays unanswered, and the end is the recorded end. Each
request that was not recorded is one line on stderr, with the nearest one that was, and at the end
what the client did wrong.`,
		Example: "  mcpinspect list tools -- mcpinspect mock paging\n  mcpinspect mock session.jsonl\n  mcpinspect call add a=2 b=3 -- mcpinspect mock session.jsonl\n  mcpinspect mock --speed 1 --stray --stderr session.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			path, err := a.recordingFile("mock", args)
			if err != nil {
				return err
			}
			if a.line.dashed {
				return usagef("mock starts no server: %q has no place behind --", a.line.command)
			}
			return a.mock(c.Context(), path, m)
		}}
	a.lastFlag(c.Flags())
	f, s := &a.line.flags, c.Flags()
	s.IntVar(&m.run, "run", 0, "which run of the recording: 1 is the first; without it the last that did more than connect")
	s.StringVar(&m.order, "order", "set", "recorded: requests must come as they were recorded; set: in any order")
	s.BoolVar(&m.once, "once", false, "give each answer as often as it was recorded, instead of the last one again")
	s.Float64Var(&m.speed, "speed", 0, "1 answers as slowly as the server did, 2 in half the time, 0 at once")
	s.BoolVar(&m.stray, "stray", false, "write what the server wrote to stdout beside its messages, too")
	s.BoolVar(&m.stderr, "stderr", false, "write what the server wrote to stderr, too")
	s.StringVar(&m.miss, "miss", "error", "what a request gets that was not recorded: an error, or the nearest answer")
	f.maxLine = client.DefaultMaxLine
	s.Var(&f.maxLine, "max-line", "longest line that is kept")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "do not say what was not recorded, and do not judge the client")
	s.BoolVar(&f.json, "json", false, "failures are one line of JSON")
	s.BoolVar(&f.noColor, "no-color", false, "no colours; NO_COLOR says the same")
	return c
}

// options reads the flags.
func (m mocking) options(maxLine int) (mock.Options, error) {
	o := mock.Options{Once: m.once, Speed: m.speed, Stray: m.stray, Stderr: m.stderr, MaxLine: maxLine}
	switch m.order {
	case "set":
	case "recorded":
		o.Recorded = true
	default:
		return o, usagef("--order %s: it is one of set, recorded", m.order)
	}
	switch m.miss {
	case "error":
	case "nearest":
		o.Nearest = true
	default:
		return o, usagef("--miss %s: it is one of error, nearest", m.miss)
	}
	if !(m.speed >= 0) || m.speed > maxSpeed {
		return o, usagef("--speed %s: it is 0 for at once, 1 for as recorded, or how many times faster", strconv.FormatFloat(m.speed, 'g', -1, 64))
	}
	return o, nil
}

// maxSpeed is far beyond what makes a difference; more would overflow.
const maxSpeed = 1e6

func (a *app) mock(ctx context.Context, path string, m mocking) error {
	o, err := m.options(int(a.line.flags.maxLine))
	if err != nil {
		return err
	}
	p, err := a.readPlay(path, m.run)
	if err != nil {
		return err
	}
	if names := maskedNames(p.Script); names != nil && !a.line.flags.quiet {
		a.warn("what was masked in the recording is answered as stars: %s", strings.Join(names, ", "))
	}
	var fault atomic.Pointer[client.Fault]
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	in, out, judged := io.Reader(a.io.In), io.Writer(a.io.Out), func(client.Exit) {}
	if !a.line.flags.quiet {
		in, out, judged = a.witnessed(in, out, o.MaxLine)
	}
	exit, err := mock.Serve(ctx, p.Script, o, in, out, a.io.Err, a.say, func(x *client.Fault) { fault.Store(x); cancel(x) })
	if x := fault.Load(); x != nil {
		return x
	}
	judged(exit)
	if err != nil {
		return err
	}
	return &passedOn{exit}
}

// witnessed puts a judge between a client and the mock. judged says, at the end, what the client did
// wrong; what the server did is that of the recording.
func (a *app) witnessed(in io.Reader, out io.Writer, maxLine int) (io.Reader, io.Writer, func(client.Exit)) {
	s := session.New(session.Target{}, session.Options{MaxLine: maxLine, Start: time.Now(), Observers: []session.Observer{check.New()}})
	w := s.Witness()
	return w.Client(in), w.Server(out), func(exit client.Exit) {
		w.Ended(exit)
		a.sayFindings(slices.DeleteFunc(check.Findings(s.Log(), nil), func(f check.Finding) bool { return f.Subject != check.OfClient }))
	}
}

// maskedNames are the secrets that stand in what the server said on stdout.
func maskedNames(p *script.Script) (names []string) {
	seen := map[string]bool{}
	add := func(lines []*script.Line) {
		for _, l := range lines {
			if l.Stream != client.Out {
				continue
			}
			for _, sp := range l.Masked {
				if !seen[sp.Name] {
					seen[sp.Name] = true
					names = append(names, sp.Name)
				}
			}
		}
	}
	add(p.Before)
	for _, t := range p.Turns {
		add(t.Lines)
	}
	return names
}
