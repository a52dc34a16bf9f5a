package cli

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// answers are what a headless run says when the server asks: --answer and --root. Without them
// nothing is offered, so that nothing may be asked.
type answers struct {
	action string // accept, decline or cancel; empty with a file, or for roots only
	file   []byte // raw object: request keys, or methods, to answers
	roots  []byte // raw result of roots/list; nil for none
	warn   func(format string, args ...any)
}

// newAnswers reads the flags; nil when there are none.
func (a *app) newAnswers() (*answers, error) {
	f := &a.line.flags
	if f.answer == "" && len(f.roots) == 0 {
		return nil, nil
	}
	out := &answers{}
	name, isFile := strings.CutPrefix(f.answer, "@")
	switch {
	case isFile:
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, usagef("--answer: %v", err)
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
	if len(f.roots) > 0 {
		roots, err := rootList(f.roots)
		if err != nil {
			return nil, err
		}
		out.roots = roots
	}
	return out, nil
}

// rootList is the result of roots/list for directories.
func rootList(dirs []string) ([]byte, error) {
	b := []byte(`{"roots":[`)
	for i, dir := range dirs {
		if dir == "" {
			return nil, usagef("--root names no directory").hinted("the one that we are in is --root .")
		}
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, usagef("--root: %v", err)
		}
		if st, err := os.Stat(abs); err != nil || !st.IsDir() {
			return nil, usagef("--root %s is no directory", dir)
		}
		if i > 0 {
			b = append(b, ',')
		}
		path := filepath.ToSlash(abs)
		if !strings.HasPrefix(path, "/") { // a drive of Windows
			path = "/" + path
		}
		u := url.URL{Scheme: "file", Path: path}
		b = append(append(b, `{"uri":`...), client.Quote(u.String())...)
		b = append(append(append(b, `,"name":`...), client.Quote(filepath.Base(abs))...), '}')
	}
	return append(b, "]}"...), nil
}

// capabilities are what is offered to the server: no more than can be answered.
func (s *answers) capabilities() []byte {
	var offers []string
	if s.action != "" || s.file != nil {
		offers = append(offers, `"elicitation":{"form":{},"url":{}}`)
	}
	if s.samples() {
		offers = append(offers, `"sampling":{}`)
	}
	if s.roots != nil {
		offers = append(offers, `"roots":{}`)
	}
	return []byte("{" + strings.Join(offers, ",") + "}")
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
func (s *answers) answer(_ context.Context, q client.Question) client.Reply {
	if q.Method == client.MethodRoots {
		return client.Reply{Result: s.roots}
	}
	message := firstLine(client.GetText(q.Params, "message"))
	if r := s.fromFile(q); r != nil {
		s.say(q, message, "answered from the file")
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
		s.say(q, message, action)
		return client.Reply{Result: []byte(`{"action":"` + action + `"}`)}
	}
	if client.GetText(q.Params, "mode") == "url" {
		s.say(q, message, "accept; the address was not opened: "+client.GetText(q.Params, "url"))
		return client.Reply{Result: []byte(`{"action":"accept"}`)}
	}
	content, missing := defaults(client.Get(q.Params, "requestedSchema"))
	if len(missing) > 0 {
		s.say(q, message, "cancel: no default for "+strings.Join(missing, ", ")+"; --answer @FILE gives values")
		return client.Reply{Result: []byte(`{"action":"cancel"}`)}
	}
	s.say(q, message, "accept "+string(content))
	return client.Reply{Result: append(append([]byte(`{"action":"accept","content":`), content...), '}')}
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
