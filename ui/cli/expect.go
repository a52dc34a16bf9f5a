package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
)

// expectation is what a step wants of the answer before it.
type expectation struct {
	pointer string
	op      string // == != ~ exists absent
	value   schema.Value
	re      *regexp.Regexp
}

// readExpectation reads POINTER OP VALUE.
func readExpectation(s string) (e expectation, err error) {
	pointer, rest, ok := cutPointer(s)
	if !ok {
		return e, errors.New("expect needs a POINTER, as in expect /structuredContent/sum == 5; '' names the whole answer")
	}
	if _, err := schema.Tokens(pointer); err != nil {
		return e, err
	}
	op, value, _ := strings.Cut(rest, " ")
	value = strings.TrimSpace(value)
	e = expectation{pointer: pointer, op: op}
	switch op {
	case "==", "!=":
		if e.value, err = schema.Parse([]byte(value)); err != nil {
			return e, fmt.Errorf("%s wants JSON behind it, and %q is none: text needs quotes, as in \"text\"", op, value)
		}
	case "~":
		if len(value) < 2 || value[0] != '/' || value[len(value)-1] != '/' {
			return e, fmt.Errorf("~ wants a regular expression between slashes, as in ~ /^a+/, not %q", value)
		}
		if e.re, err = regexp.Compile(value[1 : len(value)-1]); err != nil {
			return e, fmt.Errorf("the regular expression cannot be used: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	case "exists", "absent":
		if value != "" {
			return e, fmt.Errorf("%s takes nothing behind it, not %q", op, value)
		}
	default:
		return e, fmt.Errorf("expect has no %q: it is one of == != ~ exists absent", op)
	}
	return e, nil
}

// cutPointer takes the pointer off, which may stand in single quotes.
func cutPointer(s string) (pointer, rest string, ok bool) {
	if strings.HasPrefix(s, "'") {
		pointer, rest, ok = strings.Cut(s[1:], "'")
		return pointer, strings.TrimSpace(rest), ok
	}
	pointer, rest, _ = strings.Cut(s, " ")
	return pointer, strings.TrimSpace(rest), pointer != ""
}

// envelope are the members of a message that a pointer can begin with; one that begins otherwise
// leads into the result.
var envelope = []string{"jsonrpc", "id", "result", "error"}

func (e *expectation) find(doc schema.Value) (schema.Value, bool) {
	tokens, _ := schema.Tokens(e.pointer)
	if _, message := doc.Get("jsonrpc"); message && len(tokens) > 0 && !slices.Contains(envelope, tokens[0]) {
		result, ok := doc.Get("result")
		if !ok {
			return schema.Value{}, false
		}
		doc = result
	}
	return doc.At(e.pointer)
}

// judge holds an answer against the expectation.
func (e *expectation) judge(answer []byte) error {
	if answer == nil {
		return unmet("there is no answer to look at")
	}
	doc, err := schema.Parse(answer)
	if err != nil {
		return unmet("the answer cannot be read: %v", err)
	}
	got, ok := e.find(doc)
	shown := "nothing is there"
	if ok {
		shown = "it is " + text.Clean(short(got.JSON()))
	}
	met := false
	switch e.op {
	case "exists":
		met = ok
	case "absent":
		met = !ok
	case "==":
		met = ok && got.Equal(e.value)
	case "!=":
		met = !ok || !got.Equal(e.value)
	case "~":
		s := got.JSON()
		if got.Kind == schema.String {
			s = got.Text
		}
		met = ok && e.re.MatchString(s)
	}
	if met {
		return nil
	}
	return unmet("%s", shown)
}

// short is the beginning of a long value.
func short(s string) string {
	if len(s) > shownSide {
		return strings.ToValidUTF8(s[:shownSide], "") + "…"
	}
	return s
}

func unmet(format string, args ...any) *failure {
	return &failure{outcome: findings, text: fmt.Sprintf(format, args...)}
}
