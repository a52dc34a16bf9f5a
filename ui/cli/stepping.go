package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// stepped is how a step went.
type stepped struct {
	answer []byte // the message, or what stands for it; nil when there is none
	result []byte // the part that is printed
	note   string // a few words for people
	err    error
}

// steps runs them one after the other. A server that has gone ends the run unless the next step starts
// it again, everything else only fails its step.
func (r *run) steps(ctx context.Context, steps []step) error {
	var failed []error
	var last []byte
	for i, s := range steps {
		start := time.Now()
		var got stepped
		if s.verb == "expect" {
			got.err = s.expect.judge(last)
		} else {
			got = r.step(ctx, &s)
			last = got.answer
		}
		awaited := got.err != nil && got.answer != nil && i+1 < len(steps) && steps[i+1].verb == "expect"
		r.tell(&s, got, time.Since(start), awaited)
		if got.err == nil || awaited {
			continue
		}
		o := outcomeOf(worst(got.err))
		failed = append(failed, &failure{outcome: o, text: sentence("line %d, %s: %v", s.number, s.text, worst(got.err)), err: got.err})
		restarts := i+1 < len(steps) && steps[i+1].verb == "restart"
		if o == interrupted || o == internal || ctx.Err() != nil || o == unreachable && !restarts && !lives(got.err) {
			break
		}
	}
	return failedSteps(failed)
}

// lives reports whether the connection can be used after an error of its kind: one request was not
// answered, or not with an answer.
func lives(err error) bool {
	var slow *client.TimeoutError
	var web *client.HTTPError
	return errors.As(err, &slow) || errors.As(err, &web) && web.Status != 0
}

// failedSteps is the gravest of the failures, which were all told already.
func failedSteps(failed []error) error {
	if len(failed) < 2 {
		return errors.Join(failed...)
	}
	w := worst(errors.Join(failed...))
	return &failure{outcome: outcomeOf(w), text: fmt.Sprintf("%d steps failed; the gravest is %v", len(failed), w), err: w}
}

func (r *run) step(ctx context.Context, s *step) stepped {
	switch s.verb {
	case "call":
		return r.callStep(ctx, s.words[0], s.words[1:])
	case "list":
		return r.listStep(ctx, s.words)
	case "read":
		uri, err := expand(s.words[0], s.words[1:])
		if err != nil {
			return stepped{err: err}
		}
		return r.sent(ctx, client.Request{Method: client.MethodResourcesRead, Params: append(append([]byte(`{"uri":`), client.Quote(uri)...), '}')})
	case "prompt":
		return r.promptStep(ctx, s.words[0], s.words[1:])
	case "send":
		if client.IsNotification(s.words[0]) {
			return stepped{note: "a notification: no answer comes", err: r.sess.Notify(s.words[0], s.params)}
		}
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
	return stepOf(r.sess.Call(ctx, q))
}

func stepOf(answer client.Answer, err error) stepped {
	if err != nil {
		return stepped{err: err}
	}
	message := answer.Raw(answer.Span)
	return stepped{answer: message, result: answer.ResultRaw(), err: answer.Err()}
}

func (r *run) callStep(ctx context.Context, name string, given []string) stepped {
	c, err := r.toolCall(ctx, name, given)
	switch {
	case err != nil:
		return stepped{err: err}
	case c.it.Hints().Said && !r.line.flags.allowDestructive:
		return stepped{err: refuseDestructive(name)}
	}
	got := stepOf(r.sess.CallTool(ctx, c.request, false))
	if got.err == nil {
		got.err = r.judge(name, c.it, got.result, r.voice.warn)
	}
	for block := range client.Elements(client.Get(got.result, "content")) {
		if got.note = firstLine(client.GetText(block, "text")); got.note != "" {
			break
		}
	}
	return got
}

func (r *run) promptStep(ctx context.Context, name string, given []string) stepped {
	names, object, err := r.texts(given)
	if err == nil && !r.line.flags.unchecked {
		err = r.promptFits(ctx, name, names)
	}
	if err != nil {
		return stepped{err: err}
	}
	params := append([]byte(`{"name":`), client.Quote(name)...)
	if len(names) > 0 {
		params = append(append(params, `,"arguments":`...), object...)
	}
	return r.sent(ctx, client.Request{Method: client.MethodPromptsGet, Params: append(params, '}')})
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
