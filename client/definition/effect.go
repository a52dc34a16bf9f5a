package definition

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// rule names a change of a definition by what it means to those who call it.
func (p *place) rule(kind client.ListKind) string {
	if s, ok := locate(p.path); ok && kind == client.Tools {
		switch {
		case prose(s.keyword):
			return "text-changed"
		case s.inverse:
			return "input-changed"
		}
		return effects[p.effect(s)]
	}
	member, below, _ := strings.Cut(strings.TrimPrefix(p.path, "/"), "/")
	last := p.path[strings.LastIndexByte(p.path, '/')+1:]
	switch {
	case kind == client.Tools && member == "outputSchema":
		return "output-changed"
	case kind == client.Tools && member == "annotations":
		return "annotations-changed"
	case last == "description" || last == "title":
		return "text-changed"
	case kind == client.Prompts && member == "arguments":
		return effects[p.promptEffect(below)]
	}
	return "definition-changed"
}

// prose reports whether a keyword is text for people and models, which refuses nothing.
func prose(keyword string) bool {
	return keyword == "description" || keyword == "title" || keyword == "$comment" || keyword == "examples"
}

// effect is what a change of an input does to calls that were right before.
type effect uint8

const (
	other    effect = iota // nobody can tell without trying
	narrowed               // some are refused
	widened                // all are taken, and more than before
)

var effects = [...]string{other: "input-changed", narrowed: "input-narrowed", widened: "input-widened"}

// gained is the effect of a condition that came, or went.
func (p *place) gained() effect {
	switch {
	case p.was == nil:
		return narrowed
	case p.now == nil:
		return widened
	}
	return other
}

func flip(e effect) effect {
	switch e {
	case narrowed:
		return widened
	case widened:
		return narrowed
	}
	return other
}

// effect judges a change at a spot of the input schema (JSON Schema 2020-12, validation).
func (p *place) effect(s spot) effect {
	switch s.keyword {
	case "": // a schema as a whole
		switch s.within {
		case "properties": // that it is required is said at its own place
			return flip(p.gained())
		case "anyOf", "oneOf":
			return flip(p.gained())
		case "allOf", "items", "additionalProperties", "unevaluatedProperties":
			return p.whole()
		}
		return other
	case "required", "const", "pattern", "format", "multipleOf", "dependentRequired", "dependentSchemas", "patternProperties", "allOf", "anyOf", "oneOf":
		return p.gained()
	case "enum":
		if len(p.was) > 0 && p.was[0] == '[' || len(p.now) > 0 && p.now[0] == '[' {
			return p.gained() // the whole of it
		}
		return flip(p.gained())
	case "type":
		return p.types()
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains":
		return p.bound(1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains":
		return p.bound(-1)
	case "uniqueItems":
		return p.flag(narrowed)
	case "nullable":
		return p.flag(widened)
	}
	return other
}

// whole is the effect of a schema that came, went or is true or false now. What is true takes all.
func (p *place) whole() effect {
	was, now := string(p.was), string(p.now)
	switch {
	case now == "false" || (was == "" || was == "true") && now != "true":
		return narrowed
	case was == "false" || (now == "" || now == "true") && was != "true":
		return widened
	}
	return other
}

// bound is the effect of a bound that moved; higher is the sign of a number that refuses more.
func (p *place) bound(higher int) effect {
	if e := p.gained(); e != other {
		return e
	}
	if !number(p.was) || !number(p.now) {
		return other
	}
	switch schema.CompareNumbers(string(p.now), string(p.was)) * higher {
	case 1:
		return narrowed
	case -1:
		return widened
	}
	return other
}

func number(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// flag is the effect of a switch that is off where it is not said.
func (p *place) flag(on effect) effect {
	was, now := string(p.was) == "true", string(p.now) == "true"
	switch {
	case now && !was:
		return on
	case was && !now:
		return flip(on)
	}
	return other
}

// types is the effect of other types. Every integer is a number.
func (p *place) types() effect {
	if e := p.gained(); e != other {
		return e
	}
	came, went := setChange(p.was, p.now)
	came, went = withoutIntegers(came, p.was), withoutIntegers(went, p.now)
	switch {
	case len(went) > 0:
		return narrowed
	case len(came) > 0:
		return widened
	}
	return other
}

// withoutIntegers leaves "integer" out of types where the other side takes every number.
func withoutIntegers(types [][]byte, other []byte) (out [][]byte) {
	numbers := false
	for _, v := range elements(other) {
		numbers = numbers || string(v) == `"number"`
	}
	for _, v := range types {
		if !numbers || string(v) != `"integer"` {
			out = append(out, v)
		}
	}
	return out
}

// promptEffect judges a change of the arguments of a prompt; below is the path in them: "1/required".
func (p *place) promptEffect(below string) effect {
	_, member, _ := strings.Cut(below, "/")
	switch {
	case member == "required":
		return p.flag(narrowed)
	case member != "":
		return other
	case p.was == nil && !demands(p.now):
		return widened
	case p.was == nil || p.now == nil:
		return narrowed
	}
	return other
}

// demands reports whether an argument of a prompt, or one of several, is required.
func demands(raw []byte) bool {
	for _, a := range elements(raw) {
		if string(client.Get(a, "required")) == "true" {
			return true
		}
	}
	return false
}
