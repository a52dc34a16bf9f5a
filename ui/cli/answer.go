package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session/questions"
)

// answers are what a headless run says when the server asks: --answer and --root. Without them
// nothing is offered, so that nothing may be asked.
type answers struct {
	action string // accept, decline or cancel; empty with a file, or for roots only
	file   []byte // raw object: request keys, or methods, to answers
	offer  questions.Offer
	warn   func(format string, args ...any)

	unchecked bool // what the form objects to is sent

	mu     sync.Mutex
	failed *failure // the first question that could not be answered
}

// newAnswers reads the flags; nil when there are none.
func (a *app) newAnswers() (*answers, error) {
	f := &a.line.flags
	offer, err := a.offer()
	if err != nil || f.answer == "" && len(f.roots) == 0 {
		return nil, err
	}
	out := &answers{offer: offer, unchecked: f.unchecked}
	name, isFile := strings.CutPrefix(f.answer, "@")
	switch {
	case isFile:
		b, err := a.file(name)
		if err != nil {
			return nil, err
		}
		v, err := schema.Parse(b)
		switch {
		case err != nil:
			return nil, usagef("--answer %s is no JSON: %v", f.answer, err)
		case v.Kind != schema.Object:
			return nil, usagef("--answer %s is no JSON object", f.answer).hinted(`it maps what is asked to answers: {"confirm":{"action":"accept","content":{"ok":true}}}`)
		}
		out.file = schema.AppendJSON(nil, v)
	case f.answer == "", f.answer == "accept", f.answer == "decline", f.answer == "cancel":
		out.action = f.answer
	default:
		return nil, usagef("--answer %s is no answer", f.answer).hinted("one of: accept, decline, cancel, @FILE")
	}
	return out, nil
}

// offer is what --root and --without say of what is served.
func (a *app) offer() (questions.Offer, error) {
	var o questions.Offer
	f := &a.line.flags
	for _, dir := range f.roots {
		r, err := questions.NewRoot(dir)
		if err != nil {
			return o, usagef("--root %v", err)
		}
		o.Roots = append(o.Roots, r)
	}
	if f.without != "" {
		list, err := questions.ParseCapabilities(f.without)
		if err != nil {
			return o, usagef("--without: %v", err)
		}
		o.Without = list
	}
	return o, nil
}

// capabilities are what is offered to the server: no more than can be answered.
func (s *answers) capabilities() []byte {
	o := s.offer
	o.Without = append(slices.Clone(o.Without), questions.SamplingTools, questions.RootsChanged) // nothing here uses a tool, or changes
	if s.action == "" && s.file == nil {
		o.Without = append(o.Without, questions.Elicitation)
	}
	if !s.samples() {
		o.Without = append(o.Without, questions.Sampling)
	}
	handshake, _ := o.Encode()
	return handshake
}

// samples reports whether the file holds a message of a model: only what is written there can be said.
func (s *answers) samples() bool {
	for _, value := range client.Members(s.file) {
		if client.Get(value, "role") != nil {
			return true
		}
	}
	return false
}

// answer is a client.Answerer.
func (s *answers) answer(_ context.Context, asked []client.Question) []client.Reply {
	replies := make([]client.Reply, len(asked))
	for i, q := range asked {
		replies[i] = s.one(q)
	}
	return replies
}

func (s *answers) one(q client.Question) client.Reply {
	if q.Method == client.MethodRoots {
		return client.Reply{Result: questions.ListRoots(s.offer.Roots)}
	}
	message := firstLine(client.GetText(q.Params, "message"))
	if r := s.fromFile(q); r != nil {
		if bad := s.objections(q, r); bad != nil {
			return s.lacking(q, message, bad)
		}
		s.say(q, message, "answered from the file"+where(q))
		return client.Reply{Result: r}
	}
	if q.Method == client.MethodSample {
		return client.Reply{Code: client.CodeRejected, Reason: "--answer has no message for " + orWord(q.Key, q.Method)}
	}
	action := s.action
	if s.file != nil {
		action = "cancel" // what is not in it was not foreseen
	}
	if action != "accept" {
		s.say(q, message, action+where(q))
		return client.Reply{Result: []byte(`{"action":"` + action + `"}`)}
	}
	if client.GetText(q.Params, "mode") == client.ModeURL {
		s.say(q, message, "accept"+where(q))
		return client.Reply{Result: []byte(`{"action":"accept"}`)}
	}
	content, missing := defaults(client.Get(q.Params, "requestedSchema"))
	if len(missing) > 0 {
		var bad []schema.Problem
		for _, name := range missing {
			bad = append(bad, schema.Problem{Path: "/" + name, Keyword: "required", Message: "is required, and has no default"})
		}
		return s.lacking(q, message, bad)
	}
	s.say(q, message, "accept "+string(content))
	return client.Reply{Result: append(append([]byte(`{"action":"accept","content":`), content...), '}')}
}

// where says of an address that it was not opened.
func where(q client.Question) string {
	if client.GetText(q.Params, "mode") != client.ModeURL {
		return ""
	}
	return "; the address was not opened: " + client.GetText(q.Params, "url")
}

// objections are what the form of a question holds against an answer; --unchecked sends it all the same.
func (s *answers) objections(q client.Question, answer []byte) (bad []schema.Problem) {
	form := client.Get(q.Params, "requestedSchema")
	if s.unchecked || q.Method != client.MethodElicit || form == nil || client.GetText(answer, "action") != "accept" {
		return nil
	}
	content := client.Get(answer, "content")
	if content == nil {
		content = []byte("{}")
	}
	v, err := schema.Parse(content)
	if err != nil {
		return []schema.Problem{{Message: err.Error()}}
	}
	for _, p := range schema.Compile(form).Check(v) {
		if !p.Advisory {
			bad = append(bad, p)
		}
	}
	return bad
}

// lacking cancels a question for which there is no answer that its form takes. The run fails for it,
// whatever the server makes of that.
func (s *answers) lacking(q client.Question, message string, bad []schema.Problem) client.Reply {
	s.say(q, message, "cancel: --answer has nothing that its form takes")
	f := violation(fmt.Sprintf("--answer has no answer to %s that its form takes: it was cancelled", orWord(q.Key, q.Method)), bad)
	f.hint = `values for it: --answer @FILE, with {"` + client.MethodElicit + `":{"name":"value"}}`
	if s.file != nil {
		f.hint = "to send it all the same: --unchecked"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = f
	}
	return client.Reply{Result: []byte(`{"action":"cancel"}`)}
}

// failure is that a question could not be answered; nil when all could.
func (s *answers) failure() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		return nil
	}
	return s.failed
}

func (s *answers) say(q client.Question, message, how string) {
	what := q.Method
	if q.Key != "" {
		what += " " + q.Key
	}
	if message != "" {
		what += ` "` + message + `"` // it is clean
	}
	s.warn("the server asks %s: %s", what, how)
}

// fromFile is the answer to a question by its key, else by its method. To a form it may be the whole
// answer, with its action, or what the form is filled with.
func (s *answers) fromFile(q client.Question) []byte {
	for _, name := range []string{q.Key, q.Method} {
		r := client.Get(s.file, name)
		if name == "" || len(r) == 0 || r[0] != '{' {
			continue
		}
		switch action := client.GetText(r, "action"); {
		case q.Method != client.MethodElicit, action == "accept", action == "decline", action == "cancel":
			return r
		}
		return append(append([]byte(`{"action":"accept","content":`), r...), '}')
	}
	return nil
}

// defaults are the values that an elicitation form comes with (client/elicitation), and the names of
// required ones without.
func defaults(form []byte) (content []byte, missing []string) {
	content = []byte{'{'}
	for name, field := range client.Members(client.Get(form, "properties")) {
		if d := client.Get(field, "default"); d != nil {
			if len(content) > 1 {
				content = append(content, ',')
			}
			content = append(append(append(content, name...), ':'), d...)
		}
	}
	for raw := range client.Elements(client.Get(form, "required")) {
		if name, ok := client.Text(raw); ok && client.Get(form, "properties", name, "default") == nil {
			missing = append(missing, name)
		}
	}
	return append(content, '}'), missing
}
