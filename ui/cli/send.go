package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
)

// sending is what the flags of send say.
type sending struct {
	notify bool
	bare   bool
	raw    string
	split  int
}

func (a *app) sendCommand() *cobra.Command {
	var s sending
	c := &cobra.Command{Use: "send METHOD [PARAMS] [FLAGS] TARGET", Short: "send any request or notification, or bytes as they are", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect send tools/list --demo\n  mcpinspect send tools/list -- ./server\n  mcpinspect send resources/read '{\"uri\":\"file:///a\"}' -- ./server\n  mcpinspect send --notify notifications/roots/list_changed -- ./server\n  mcpinspect send --raw @bytes.bin --split 3 -- ./server",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			return a.send(c.Context(), s, args)
		}}
	a.verbFlags(c)
	f := c.Flags()
	f.BoolVar(&s.notify, "notify", false, "send a notification: no id, no answer")
	f.BoolVar(&s.bare, "bare", false, "add no _meta")
	f.StringVar(&s.raw, "raw", "", "send the bytes of `@FILE` as they are, once connected; @- is standard input")
	f.IntVar(&s.split, "split", 0, "write --raw in pieces of this many bytes")
	f.BoolVar(&a.line.flags.dryRun, "dry-run", false, "print what would be sent, send nothing")
	return c
}

func (a *app) send(ctx context.Context, s sending, args []string) error {
	if s.raw != "" {
		return a.sendRaw(ctx, s, args)
	}
	switch {
	case s.split != 0:
		return usagef("--split is about --raw @FILE, which is not there")
	case len(args) == 0 || args[0] == "":
		return usagef("send needs a method").hinted("as in: mcpinspect send tools/list %s", a.where())
	case isParams(args[0]):
		return usagef("%s is no method, which stands before the parameters", text.Short(args[0], longestName)).hinted("as in: mcpinspect send tools/list '{...}' %s; a whole message as it is: --raw @FILE", a.where())
	}
	if err := atMost(2, args, "send takes a method and its parameters as one JSON text"); err != nil {
		return err
	}
	if !utf8.ValidString(args[0]) {
		return usagef("the method %q has bytes that are no UTF-8, and JSON cannot carry them", args[0]).hinted("to send what is no JSON: --raw @FILE")
	}
	told := s.notify
	if s.notify = told || client.IsNotification(args[0]); s.notify && s.bare {
		return usagef("%s is a notification: it has no _meta that --bare could leave out", args[0])
	}
	r := client.Request{Method: args[0], Bare: s.bare}
	if len(args) == 2 {
		var err error
		if r.Params, err = a.params(args[1]); err != nil {
			return err
		}
	}
	return a.headless(ctx, func(ctx context.Context, run *run) error {
		hide(run.hidden, r.Params)
		if err := run.sess.Connect(ctx); err != nil {
			return err
		}
		if s.notify {
			if !told {
				run.voice.warn("%s", sentAsNotification(r.Method))
			}
			return run.notify(r)
		}
		if a.line.flags.dryRun {
			run.out.raw(run.sess.Encode(run.sess.Revision(), r))
			return nil
		}
		if rev := run.sess.Revision(); rev.Lacks(r.Method) {
			run.voice.warn("%s has no %s: it is sent all the same", rev, r.Method)
		}
		answer, err := run.sess.Call(ctx, r)
		if err != nil {
			return err
		}
		run.out.rawLine(answer.Raw(answer.Span))
		return answer.Err()
	}, nil)
}

// isParams tells parameters that stand where a method belongs: no method begins as JSON does that could
// be parameters, or a whole message.
func isParams(word string) bool { return strings.HasPrefix(word, "{") || strings.HasPrefix(word, "[") }

// sentAsNotification is said where a notification was to be sent as a request: with an id it would be
// malformed (basic/index), and an answer to it must not come.
func sentAsNotification(method string) string {
	return method + " is a notification: it was sent without an id, and no answer comes. --notify says so; with an id it goes by --raw"
}

// notify sends a notification. With --json the document is what was sent: there is no answer.
func (r *run) notify(n client.Request) error {
	line := append([]byte(`{"jsonrpc":"2.0","method":`), client.Quote(n.Method)...)
	if n.Params != nil {
		line = append(append(line, `,"params":`...), oneLine(n.Params)...)
	}
	line = append(line, '}')
	dry := r.line.flags.dryRun
	if !dry {
		if err := r.sess.Notify(n.Method, n.Params); err != nil {
			return err
		}
	}
	if dry || r.json {
		r.out.rawLine(line)
	}
	return nil
}

// params reads the PARAMS of send: JSON, @FILE or - for standard input.
func (a *app) params(word string) ([]byte, error) {
	b, from := []byte(word), "the parameters"
	if word == "-" || strings.HasPrefix(word, "@") {
		var err error
		if b, err = a.file(strings.TrimPrefix(word, "@")); err != nil {
			return nil, err
		}
		from = "the parameters in " + word
	}
	if !utf8.Valid(b) {
		return nil, usagef("%s have bytes that are no UTF-8, and JSON cannot carry them", from).hinted("to send what is no JSON: --raw @FILE")
	}
	if !client.ValidJSON(b) {
		why := "it is nested too deeply"
		if _, err := schema.Parse(b); err != nil {
			why = err.Error()
		}
		return nil, usagef("%s are no JSON: %s", from, why).hinted("to send what is no JSON: --raw @FILE")
	}
	return bytes.TrimSpace(b), nil
}

// file reads a file, or standard input for "-".
func (a *app) file(name string) ([]byte, error) {
	var b []byte
	var err error
	if name == "" {
		return nil, usagef("@ is followed by no file name").hinted("@- is standard input")
	}
	if name == "-" {
		b, err = io.ReadAll(a.io.In)
	} else {
		b, err = os.ReadFile(name)
	}
	if err != nil {
		f := &failure{outcome: usage, text: sentence("cannot read %v", err), err: err}
		if here, werr := os.Getwd(); werr == nil && errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(name) {
			f.hint = "it is looked for in " + here
		}
		return nil, f
	}
	return b, nil
}

// sendRaw writes bytes as they are and prints each line that comes back, until every request in
// them is answered; when there is none, until the first line, unless they are nothing but
// notifications, which nobody answers.
func (a *app) sendRaw(ctx context.Context, s sending, args []string) error {
	name, ok := strings.CutPrefix(s.raw, "@")
	switch {
	case !ok || name == "":
		return usagef("--raw takes @FILE, not %q", s.raw)
	case len(args) > 0:
		return usagef("--raw sends bytes as they are: %q has no place there", args[0])
	case s.notify || s.bare || a.line.flags.dryRun:
		return usagef("--raw goes with --split only")
	case s.split < 0:
		return usagef("--split %d: a piece has one byte at least", s.split)
	}
	b, err := a.file(name)
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return usagef("--raw %s: there is nothing in it to send", s.raw)
	}
	return a.headless(ctx, func(ctx context.Context, r *run) error {
		for line := range bytes.Lines(b) {
			hide(r.hidden, line)
		}
		if err := r.sess.Connect(ctx); err != nil {
			return err
		}
		return r.raw(ctx, b, s.split)
	}, nil)
}

func (r *run) raw(ctx context.Context, b []byte, split int) error {
	next := r.sess.Log().Len()
	if split == 0 {
		split = len(b)
	}
	for rest := b; len(rest) > 0; {
		n := min(split, len(rest))
		if err := r.sess.SendRaw(rest[:n:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	requests, others := rawMessages(b, int(r.line.flags.maxLine))
	var got []([]byte) // with --json: the messages, printed at the end
	defer func() { r.rawJSON(requests, got) }()
	if requests == 0 && others {
		return nil
	}
	var limit <-chan time.Time
	if d := r.line.flags.timeout; d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		limit = timer.C
	}
	for answered := 0; ; {
		over := r.over()
		for end := r.sess.Settled(); next < end; next++ {
			e, _ := r.sess.Log().Event(next)
			if e.Stream != client.Out || e.Kind == client.KindBlank {
				continue
			}
			kept, _, err := r.sess.Log().Read(next)
			if err != nil {
				r.voice.warn("%v", err)
			}
			body := kept.Bytes()
			if r.json {
				if e.Kind != client.KindNotJSON {
					got = append(got, body)
				}
			} else {
				r.out.rawLine(body)
			}
			if e.Kind.IsAnswer() || e.Kind == client.KindBatch || requests == 0 {
				answered += max(1, e.Count)
			}
		}
		switch {
		case answered >= max(1, requests):
			return nil
		case over:
			return &client.ClosedError{Err: errors.New("the server ended before it had answered what was sent")}
		}
		select {
		case <-r.voice.moved:
		case <-r.sess.Done():
		case <-limit:
			return &failure{outcome: unreachable, text: fmt.Sprintf("no answer to what was sent within %v", r.line.flags.timeout), hint: "to wait longer: --timeout 2m"}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// over reports whether the server has ended.
func (r *run) over() bool {
	select {
	case <-r.sess.Done():
		return true
	default:
		return false
	}
}

// rawJSON prints what came back as one document: the answer when one was asked for, else a list.
func (r *run) rawJSON(requests int, got [][]byte) {
	if !r.json {
		return
	}
	if requests == 1 && len(got) == 1 {
		r.out.rawLine(got[0])
		return
	}
	r.out.printf("[")
	for i, b := range got {
		if i > 0 {
			r.out.printf(",")
		}
		r.out.raw(b)
	}
	r.out.printf("]\n")
}

// rawMessages counts the requests in raw bytes, and says whether they hold other messages, and
// nothing but messages.
func rawMessages(b []byte, maxLine int) (requests int, others bool) {
	w := client.NewWire(client.In, maxLine)
	stray := false
	count := func(f *client.Frame) {
		stray = stray || !f.Kind.IsMessage() && f.Kind != client.KindBlank
		for i := range f.Messages {
			if f.Messages[i].Kind == client.KindRequest {
				requests++
			} else {
				others = true
			}
		}
	}
	w.Feed(b, 0, count)
	w.Close(0, count)
	return requests, others && !stray
}
