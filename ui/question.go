package ui

import (
	"fmt"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session/questions"
	"example.com/mcpinspect/ui/form"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// question is one thing that the server asks, with the form that makes its answer.
type question struct {
	*questions.Waiting
	kind  questionKind
	pane  callPane
	said  []line // what the server says, for a width
	width int
	text  linesPane // the same, to be read in full
	full  bool      // it is shown in place of the form
}

type questionKind uint8

const (
	askForm   questionKind = iota // elicitation by a form
	askURL                        // elicitation at an address: all that is asked for is consent
	askSample                     // a message of a model, which a person writes
	askGoOn                       // by ourselves: whether to answer on
)

// messageSchema is the result of sampling/createMessage (client/sampling). Content is one block of
// text; the JSON takes any other.
const messageSchema = `{"type":"object","properties":{` +
	`"content":{"anyOf":[{"title":"text","type":"object","properties":{"type":{"const":"text"},"text":{"type":"string","format":"multiline","description":"what the model says; e opens it in an editor"}},"required":["type","text"]},` +
	`{"title":"exact JSON","type":["object","array"]}],"description":"one block, or a list of them"},` +
	`"role":{"enum":["assistant","user"]},` +
	`"model":{"type":"string","description":"the model that is said to have written it"},` +
	`"stopReason":{"type":"string","description":"endTurn, stopSequence, maxTokens, toolUse or another word"}},"required":["content","role","model"]}`

// messageBegun is what a message begins with.
const messageBegun = `{"content":{"type":"text","text":""},"role":"assistant","model":"written by a person","stopReason":"endTurn"}`

// noSchema is a form without a field.
const noSchema = `{"type":"object","properties":{}}`

func newQuestion(w *questions.Waiting) *question {
	q := &question{Waiting: w}
	raw, begun := []byte(noSchema), []byte(nil)
	switch {
	case w.Rounds > 0:
		q.kind = askGoOn
	case w.Method == client.MethodSample:
		q.kind = askSample
		raw, begun = []byte(messageSchema), []byte(messageBegun)
	case client.GetText(w.Params, "mode") == client.ModeURL:
		q.kind = askURL
	default:
		if s := client.Get(w.Params, "requestedSchema"); s != nil {
			raw = s
			begun = defaults(s)
		}
	}
	q.pane.form = form.New(raw)
	q.pane.form.Sends = map[questionKind]string{askForm: "Accept", askURL: "Agree to open it", askSample: "Answer", askGoOn: "Go on"}[q.kind]
	if begun != nil {
		_ = q.pane.form.LoadText(string(begun))
	}
	if q.kind == askSample {
		q.pane.form.Go("/content/text")
	}
	return q
}

// defaults are the values that the form of an elicitation comes with, which it is to be filled with
// (client/elicitation); nil for none.
func defaults(form []byte) []byte {
	var b []byte
	for name, field := range client.Members(client.Get(form, "properties")) {
		if d := client.Get(field, "default"); d != nil {
			b = append(append(append(append(b, ','), name...), ':'), d...)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '{'
	return append(b, '}')
}

// accepted is the answer that the form makes, with the problems of its values. An error means that
// there is none: a field holds what is no JSON.
func (q *question) accepted() (client.Reply, []schema.Problem, error) {
	switch q.kind {
	case askGoOn:
		return client.Reply{Result: []byte("{}")}, nil, nil
	case askURL:
		return client.Reply{Result: []byte(`{"action":"accept"}`)}, nil, nil
	}
	values, problems, err := q.pane.value()
	if err != nil {
		return client.Reply{}, nil, err
	}
	if q.kind == askForm {
		values = append(append([]byte(`{"action":"accept","content":`), values...), '}')
	}
	return client.Reply{Result: values}, problems, nil
}

// refused is the answer of a person who does not want to: who declines, or who only closes it.
func (q *question) refused(declines bool) client.Reply {
	switch {
	case q.kind == askGoOn:
		return client.Reply{Code: client.CodeRejected, Reason: "not answered on"}
	case q.kind == askSample:
		return client.Reply{Code: client.CodeRejected, Reason: "User rejected sampling request"}
	case declines:
		return client.Reply{Result: []byte(`{"action":"decline"}`)}
	}
	return client.Reply{Result: []byte(`{"action":"cancel"}`)}
}

// leastForm is how many lines the form keeps while the server says a lot.
const leastForm = 4

// view is what the server says, cut to what leaves room for the form, and the form.
func (q *question) view(l look, w, h int, focused bool) []string {
	if q.full {
		return q.text.view(l, w, h, focused)
	}
	want := 1
	if q.kind == askForm || q.kind == askSample {
		want = max(min(q.pane.form.Len(), h/2), min(leastForm, h-1))
		if q.pane.editing() {
			want = max(want, h*2/3)
		}
	}
	room := max(h-want, 0)
	said := q.said[:min(len(q.said), room)]
	var out []string
	for _, ln := range said {
		out = append(out, l.Paint(ln.role, l.fit(" "+ln.text, w)))
	}
	if more := len(q.said) - len(said); more > 0 && len(out) > 0 {
		out[len(out)-1] = l.Paint(theme.Faint, l.fit(fmt.Sprintf(" t shows %s more that the server says", text.Plural(more+1, "line")), w))
	}
	return append(out, q.pane.view(l, w, max(h-len(out), 1), focused)...)
}
