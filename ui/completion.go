package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/form"
	"example.com/mcpinspect/ui/text"
)

const (
	// completionDelay is how long nothing may be typed before the server is asked: a person who types
	// on does not ask for every letter.
	completionDelay = 150 * time.Millisecond

	// completionWait is how long an answer may take: after that nobody waits for it any more.
	completionWait = 3 * time.Second

	// maxValues is how many values one answer may bring (server/utilities/completion).
	maxValues = 100

	// contextSince is the revision since which the other arguments are sent along.
	contextSince = client.Revision("2025-06-18")
)

// argument is a field of a form whose values the server can propose.
type argument struct {
	of   offer
	name string
}

// completion is what the server proposes for the field that is being typed
// (server/utilities/completion). One request is under way at most.
type completion struct {
	at     argument
	typed  string // what was asked about, or is to be
	values []string
	chosen int    // of values; -1 while what was typed stands in the field
	note   string // how many there are; empty before the answer

	round   int // of the timer and the request: what belongs to an earlier one is dropped
	cancel  context.CancelFunc
	stopped map[argument]bool // fields that are not asked about any more
}

type (
	completeMsg struct{ round int } // nothing was typed for a while

	completedMsg struct {
		round  int
		answer client.Answer
		err    error
	}
)

// complete follows what is being typed: a change ends the request under way and starts the timer of
// the next. It is called after every message.
func (a *app) complete() tea.Cmd {
	c := &a.completion
	at, typed, ok := a.completable()
	if !ok {
		if c.at != (argument{}) {
			c.forget()
			a.offerValues()
		}
		return nil
	}
	if at == c.at && typed == c.typed {
		return nil
	}
	c.forget()
	c.at, c.typed = at, typed
	a.offerValues()
	round := c.round
	return tea.Tick(completionDelay, func(time.Time) tea.Msg { return completeMsg{round} })
}

// completable is the argument that is being typed; false when the server cannot be asked about it.
func (a *app) completable() (at argument, typed string, ok bool) {
	of := a.call.of
	if of.kind != client.Prompts.Name && of.kind != client.Templates.Name || a.mode.Focus != PaneCall || a.call.form == nil {
		return at, "", false
	}
	if s := a.snap; !a.live() || s.Phase != session.Ready || s.Server == nil || client.Get(s.Server.Capabilities, "completions") == nil {
		return at, "", false
	}
	path, typed, ok := a.call.form.Typing()
	name, isField := strings.CutPrefix(path, "/")
	if !ok || !isField || strings.Contains(name, "/") || strings.HasPrefix(typed, schema.ExactPrefix) {
		return at, "", false
	}
	at = argument{of, strings.NewReplacer("~1", "/", "~0", "~").Replace(name)}
	return at, typed, !a.completion.stopped[at] && !recordings.NamesSecret(at.name) // no secret is sent letter by letter
}

// forget drops what is proposed and what is under way.
func (c *completion) forget() {
	if c.cancel != nil {
		c.cancel()
	}
	*c = completion{round: c.round + 1, chosen: -1, stopped: c.stopped}
}

// askValues asks the server once the person pauses.
func (a *app) askValues(m completeMsg) tea.Cmd {
	c := &a.completion
	if m.round != c.round || c.at == (argument{}) {
		return nil
	}
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(a.ctx)
	params := a.completionParams()
	a.hide(params)
	r := client.Request{Method: client.MethodComplete, Params: params, Limits: client.Limits{Idle: completionWait}, Meta: a.meta}
	sess, round := a.sess, c.round
	return func() tea.Msg {
		answer, err := sess.Call(ctx, r)
		if err == nil {
			err = answer.Err()
		}
		return completedMsg{round, answer, err}
	}
}

// completionParams are what is asked: the field, what is typed in it, and the other fields where the
// revision has them.
func (a *app) completionParams() []byte {
	c := &a.completion
	ref := client.AppendQuote([]byte(`{"ref":{"type":"ref/prompt","name":`), c.at.of.name)
	if c.at.of.kind == client.Templates.Name {
		ref = client.AppendQuote([]byte(`{"ref":{"type":"ref/resource","uri":`), c.at.of.name)
	}
	out := client.AppendQuote(append(ref, `},"argument":{"name":`...), c.at.name)
	out = append(client.AppendQuote(append(out, `,"value":`...), c.typed), '}')
	var known []byte
	for name, value := range client.Members(schema.AppendJSON(nil, a.call.form.Given())) {
		if key, _ := client.Text(name); key == c.at.name || value[0] != '"' {
			continue
		}
		if known != nil {
			known = append(known, ',')
		}
		known = append(append(append(known, name...), ':'), value...)
	}
	if known != nil && a.snap.Server.Revision >= contextSince {
		out = append(append(append(out, `,"context":{"arguments":{`...), known...), `}}`...)
	}
	return append(out, '}')
}

// completed takes an answer in. A server that fails or is slow is not asked about that field again.
func (a *app) completed(m completedMsg) {
	c := &a.completion
	if m.round != c.round || errors.Is(m.err, context.Canceled) {
		return
	}
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	values := client.Get(m.answer.ResultRaw(), "completion", "values")
	// null is what some make of a list without values: it is no reason to ask no more.
	if m.err == nil && string(values) != "null" && (len(values) == 0 || values[0] != '[') {
		m.err = errors.New("the answer has no list of values")
	}
	if m.err != nil {
		if c.stopped == nil {
			c.stopped = map[argument]bool{}
		}
		c.stopped[c.at] = true
		a.say("values of %s are not asked for any more: %v", c.at.name, m.err)
		return
	}
	c.values = nil
	for raw := range client.Elements(values) {
		if s, ok := client.Text(raw); ok && len(c.values) < maxValues {
			c.values = append(c.values, s)
		}
	}
	c.note = valuesNote(m.answer.ResultRaw(), len(c.values))
	a.offerValues()
}

// valuesNote says how many values there are, of how many.
func valuesNote(result []byte, n int) string {
	out := text.Plural(n, "value")
	total, err := strconv.ParseInt(string(client.Get(result, "completion", "total")), 10, 64)
	switch {
	case err == nil && total > int64(n):
		out = fmt.Sprintf("%d of %d values", n, total)
	case string(client.Get(result, "completion", "hasMore")) == "true":
		out += ", and there are more"
	}
	if n == 0 {
		return out + " proposed by the server"
	}
	return out + ", ctrl+n or down takes the next"
}

// offerValues shows what is proposed in the form.
func (a *app) offerValues() {
	if a.call.form != nil {
		c := &a.completion
		a.call.form.Offer(form.Offered{Values: c.values, At: c.chosen, Note: c.note})
	}
}

// takeValue puts the next or previous value in the field; it reports whether there is one.
func (a *app) takeValue(by int) bool {
	c := &a.completion
	n := len(c.values)
	if n == 0 || a.mode.Focus != PaneCall || a.call.form == nil {
		return false
	}
	switch {
	case c.chosen < 0 && by < 0:
		c.chosen = n - 1
	default:
		c.chosen = (c.chosen + by + n) % n
	}
	c.typed = c.values[c.chosen]
	a.call.form.Type(c.typed)
	_, c.typed, _ = a.call.form.Typing() // a line takes no line breaks
	a.offerValues()
	return true
}
