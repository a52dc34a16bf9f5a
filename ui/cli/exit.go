package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/words"
)

// outcome is one way in which a run ends: its exit code and its name in error lines.
type outcome struct {
	code int
	kind string
}

var (
	internal    = outcome{70, "internal"}
	interrupted = outcome{130, "interrupted"}
	unreachable = outcome{4, "unreachable"}
	auth        = outcome{3, "auth"}
	protocol    = outcome{7, "protocol"}
	usage       = outcome{1, "usage"}
	unwritten   = outcome{1, "output"} // the result is right, but stdout does not take it
	schemaFault = outcome{6, "schema"}
	toolFault   = outcome{5, "tool"}
	findings    = outcome{2, "findings"}
)

// precedence is which outcome wins when several apply: the first.
var precedence = []outcome{internal, interrupted, auth, unreachable, protocol, unwritten, usage, schemaFault, toolFault, findings}

// failure is an error of this package's own making.
type failure struct {
	outcome outcome
	text    string
	hint    string
	data    []byte // raw JSON
	details []string
	err     error // what it explains; its text is part of text already
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.err }

func usagef(format string, args ...any) *failure {
	return &failure{outcome: usage, text: sentence(format, args...)}
}

// hinted adds what to do about it.
func (f *failure) hinted(format string, args ...any) *failure {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

var (
	errInterrupted = errors.New("interrupted")
	errDeadline    = errors.New("the run took longer than --deadline")
)

// outcomeOf is the one place that knows which error ends in which code.
func outcomeOf(err error) outcome {
	var (
		fault *client.Fault
		own   *failure
		start *client.StartError
		neg   *client.NegotiationError
		slow  *client.TimeoutError
		gone  *client.ClosedError
		rpc   *client.RPCError
		web   *client.HTTPError
		place *client.AddressError
		none  *client.ListError
		spoil *client.AnswerError
		taken *recordings.ExistsError
		busy  *recordings.BusyError
		heads *client.HeaderError
		tasks *client.TaskError
	)
	switch {
	case errors.As(err, &fault):
		return internal
	case errors.Is(err, errInterrupted):
		return interrupted
	case errors.As(err, &own):
		return own.outcome
	case errors.As(err, &web) && web.Auth():
		return auth
	case errors.As(err, &place):
		return usage
	case errors.As(err, &heads):
		return schemaFault
	case errors.As(err, &web) && web.NoAnswer():
		return protocol
	case errors.As(err, &web), errors.As(err, &start), errors.As(err, &neg), errors.As(err, &slow), errors.As(err, &gone):
		return unreachable
	case errors.Is(err, client.ErrConnectTimeout), errors.Is(err, errDeadline), errors.Is(err, session.ErrNotConnected):
		return unreachable
	case errors.As(err, &rpc), errors.As(err, &none), errors.As(err, &spoil), errors.As(err, &tasks):
		return protocol
	case errors.As(err, &taken), errors.As(err, &busy):
		return usage
	case errors.Is(err, context.Canceled):
		return interrupted
	}
	return usage // what is left comes from files and pipes of the person's
}

// worst picks the error that decides how a run ends.
func worst(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var pick error
	rank := len(precedence)
	for _, e := range joined.Unwrap() {
		e = worst(e)
		o := outcomeOf(e)
		for i, p := range precedence {
			if p == o && i < rank {
				pick, rank = e, i
			}
		}
	}
	return pick
}

// errorReport is what is said of an error.
type errorReport struct {
	outcome outcome
	message string
	hint    string
	code    string // of a JSON-RPC error, as written
	data    []byte
	details []string // further facts, one sentence or line each
}

func reportOf(err error) errorReport {
	err = worst(err)
	r := errorReport{outcome: outcomeOf(err), message: plain(err)}
	var (
		own   *failure
		start *client.StartError
		neg   *client.NegotiationError
		slow  *client.TimeoutError
		rpc   *client.RPCError
		spoil *client.AnswerError
		fault *client.Fault
		web   *client.HTTPError
		place *client.AddressError
		taken *recordings.ExistsError
		heads *client.HeaderError
	)
	if errors.As(err, &rpc) {
		r.code, r.data = rpc.CodeRaw, rpc.Data
	}
	if r.code == strconv.Itoa(client.CodeURLRequired) {
		r.hint = "once a person has opened what data.elicitations names, call again"
	}
	if errors.As(err, &slow) {
		r.details = append(r.details, slow.Facts...)
		r.hint = "to wait longer: --timeout 2m"
		if slow.Total {
			r.hint = "to wait longer: --max-time 30m"
		}
	}
	if errors.As(err, &web) {
		r.details = append(r.details, web.Details()...)
	}
	switch {
	case errors.As(err, &web) && web.Hint() != "":
		r.hint = web.Hint()
	case errors.As(err, &place):
		r.hint = place.Hint
	case errors.As(err, &heads):
		r.hint = "clients that follow the rules leave it out; to send it without such headers: --unchecked"
	case errors.As(err, &start):
		r.hint = start.Hint
	case errors.As(err, &neg):
		r.hint = neg.Hint
	case errors.As(err, &spoil) && spoil.Size > int64(spoil.Limit):
		const mib = 1 << 20
		if enough := size((spoil.Size + mib - 1) / mib * mib); enough <= words.MaxSize {
			r.hint = "to keep it whole: --max-line " + enough.String()
		}
	case errors.Is(err, client.ErrConnectTimeout):
		r.hint = "to wait longer: --connect-timeout 5m"
	case errors.As(err, &taken):
		r.hint = "to replace it: --overwrite"
	case errors.As(err, &fault):
		r.hint = "this is a fault of mcpinspect; --debug FILE keeps its trace"
	}
	if errors.As(err, &own) {
		if own.hint != "" {
			r.hint = own.hint
		}
		if own.data != nil {
			r.data = own.data
		}
		r.details = append(r.details, own.details...)
	}
	return r
}

// fail prints an error and returns its exit code.
func (a *app) fail(err error) int {
	r := reportOf(err)
	var fault *client.Fault
	if errors.As(err, &fault) && a.log == nil {
		if name := keepTrace(fault); name != "" {
			r.hint = "this is a fault of mcpinspect; its trace is in " + name
		}
	}
	a.log.fail(err, r)
	if r.outcome == unwritten && errors.Is(err, syscall.EPIPE) {
		return r.outcome.code // who closed the pipe has what was wanted, as head does
	}
	hidden := a.given()
	if a.json {
		line, _ := hidden.Mask(r.json())
		a.io.Err.Write(harmless(line))
		return r.outcome.code
	}
	p := painter(a.io.Err, a.line.flags.noColor)
	var b strings.Builder
	b.WriteString(p.bad("mcpinspect:") + " " + cleanLine(r.message) + "\n")
	for _, d := range r.details {
		b.WriteString("  " + cleanLine(d) + "\n")
	}
	if r.code != "" && r.data != nil {
		b.WriteString("  data: " + cleanLine(string(r.data)) + "\n")
	}
	if r.hint != "" {
		b.WriteString("hint: " + cleanLine(r.hint) + "\n")
	}
	a.io.Err.Write(harmless([]byte(hidden.MaskString(b.String()))))
	return r.outcome.code
}

// line is the message and its details in one line, those behind a colon as what it announces.
func (r errorReport) line() string {
	line := r.message
	for _, d := range r.details {
		if !strings.HasSuffix(line, ":") {
			line += ";"
		}
		line += " " + strings.TrimSpace(d)
	}
	return line
}

// json is the one line of contract section 1: everything that is said, in one object. Who reads
// stderr may be a terminal at any time, so what would act on one is escaped always.
func (r errorReport) json() []byte {
	b := append([]byte(`{"error":{"kind":`), client.Quote(r.outcome.kind)...)
	b = append(append(b, `,"message":`...), quoteText(r.line())...)
	if client.ValidJSON([]byte(r.code)) {
		b = append(append(b, `,"code":`...), r.code...)
	}
	if r.data != nil {
		b = append(append(b, `,"data":`...), oneLine(r.data)...)
	}
	if r.hint != "" {
		b = append(append(b, `,"hint":`...), quoteText(r.hint)...)
	}
	return append(visible(b), "}}\n"...)
}
