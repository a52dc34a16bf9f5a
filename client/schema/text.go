package schema

import (
	"errors"
	"strings"
)

// ExactPrefix starts a text that is JSON to the letter, whatever the schema
// wants: ":=5".
const ExactPrefix = ":="

// TextError says why a text is no value for its place. Keyword is "json" when
// the text was read as JSON and is none, else "type".
type TextError struct {
	Keyword string
	Problem string // a predicate: "must be a whole number, is x"
}

func (e *TextError) Error() string { return e.Problem }

func invalidJSON(err error) *TextError {
	var s *SyntaxError
	if errors.As(err, &s) {
		return &TextError{"json", "invalid JSON at " + s.place() + " (" + s.Problem + ")"}
	}
	return &TextError{"json", "invalid JSON: " + err.Error()}
}

// readExact reads what follows ExactPrefix.
func readExact(text string) (Value, *TextError) {
	v, err := Parse([]byte(text))
	if err != nil {
		return Value{}, invalidJSON(err)
	}
	return v, nil
}

// readText turns what was typed into the value that the node wants. An error
// comes with the text as a string, so that it can still be sent on purpose,
// unless it was to be JSON.
func (n *node) readText(text string) (Value, *TextError) {
	c := n.spec.Control
	if c.takesText() {
		return Text(text), nil
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "null" && n.spec.Nullable && c != ControlJSON && c != ControlVariant {
		return Value{}, nil
	}
	switch c {
	case ControlInteger, ControlNumber:
		return n.readNumber(text, trimmed)
	case ControlCheckbox:
		if trimmed == "true" || trimmed == "false" {
			return Boolean(trimmed == "true"), nil
		}
		return Text(text), n.notType(text)
	case ControlChoice, ControlFixed:
		return n.readOption(text)
	case ControlVariant:
		return n.readVariant(text)
	}
	v, err := Parse([]byte(text))
	if err != nil {
		return Value{}, invalidJSON(err)
	}
	return v, nil
}

func (n *node) notType(text string) *TextError {
	return &TextError{"type", "must be " + listWords(typePhrases(n.accepts), "or") + ", is " + quote(text)}
}

func (n *node) readNumber(text, trimmed string) (Value, *TextError) {
	v, ok := Num(trimmed)
	if !ok {
		e := n.notType(text)
		if better := nearNumber(trimmed); better != "" {
			e.Problem += " (" + better + "?)"
		}
		return Text(text), e
	}
	if n.spec.Control == ControlInteger && !WholeNumber(trimmed) {
		return v, &TextError{"type", "must be " + listWords(typePhrases(n.accepts), "or") + ", is " + cut(trimmed)}
	}
	return v, nil
}

// nearNumber is the JSON spelling of a number that is written otherwise: 007,
// +5, .5, 5. It is only proposed, never taken.
func nearNumber(text string) string {
	sign := ""
	switch {
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	case strings.HasPrefix(text, "-"):
		sign, text = "-", text[1:]
	}
	if text = strings.TrimSuffix(text, "."); strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	for len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' {
		text = text[1:]
	}
	if _, ok := Num(sign + text); !ok {
		return ""
	}
	return sign + text
}

// readOption finds the option that a text means: its JSON, its text, its
// title, in this order.
func (n *node) readOption(text string) (Value, *TextError) {
	options := n.spec.Options
	trimmed := strings.TrimSpace(text)
	if typed, err := Parse([]byte(trimmed)); err == nil {
		for _, o := range options {
			if o.Kind != String && o.Equal(typed) || o.Kind == String && typed.Kind == String && o.Text == typed.Text && !n.hasOption(text) {
				return o, nil
			}
		}
	}
	for _, o := range options {
		if o.Kind == String && o.Text == text {
			return o, nil
		}
	}
	for i, title := range n.spec.Titles {
		if title != "" && title == text {
			return options[i], nil
		}
	}
	return Text(text), &TextError{"enum", mustBeOneOf(options, Text(text))}
}

func (n *node) hasOption(text string) bool {
	for _, o := range n.spec.Options {
		if o.Kind == String && o.Text == text {
			return true
		}
	}
	return false
}

// optionText is the text that readOption turns into the option.
func (n *node) optionText(o Value) string {
	if o.Kind != String {
		return o.JSON()
	}
	if v, err := n.readOption(o.Text); err == nil && v.Kind == String && v.Text == o.Text {
		return o.Text
	}
	return o.JSON()
}

// readVariant finds the branch that a text suits. Text that looks like a
// number is a number when a branch wants one; text is what remains.
func (n *node) readVariant(text string) (Value, *TextError) {
	var words *node
	var failed *TextError
	for i := range n.forms {
		b := n.branch(i)
		if b.spec.Control.takesText() {
			if words == nil {
				words = b
			}
			continue
		}
		v, err := b.readText(text)
		if err == nil && b.accepts.accepts(typeOf(v)) {
			return v, nil
		}
		if failed == nil || failed.Keyword == "type" && err != nil {
			failed = err
		}
	}
	switch {
	case words != nil:
		return Text(text), nil
	case n.spec.Nullable && strings.TrimSpace(text) == "null":
		return Value{}, nil
	case failed == nil || failed.Keyword != "json":
		return Text(text), n.notType(text)
	}
	return Value{}, failed
}

// textOf gives the text that readText turns into exactly this value; ok is
// false when only ExactPrefix can say it.
func (n *node) textOf(v Value) (text string, ok bool) {
	c := n.spec.Control
	switch {
	case c.takesText():
		return v.Text, v.Kind == String && v.Text != "" && !strings.HasPrefix(v.Text, ExactPrefix)
	case c == ControlChoice || c == ControlFixed:
		for _, o := range n.spec.Options {
			if o.JSON() == v.JSON() {
				return n.optionText(o), true
			}
		}
		return "", false
	case c == ControlJSON:
		return v.JSON(), v.ValidUTF8()
	case c == ControlInteger, c == ControlNumber:
		return v.Text, v.Kind == Number && (c == ControlNumber || WholeNumber(v.Text))
	case c == ControlCheckbox:
		return v.Text, v.Kind == Bool
	}
	return "", false
}
