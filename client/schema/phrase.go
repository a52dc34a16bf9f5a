package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// describe says what a value is in a sentence: "null", "text", "a list".
func describe(v Value) string {
	switch v.Kind {
	case String:
		return "text"
	case Array:
		return "a list"
	case Object:
		return "an object"
	case Number:
		return cut(v.Text)
	}
	return v.JSON()
}

// typeWord names a type in a sentence.
func typeWord(t typeSet) string {
	switch {
	case t&typeNumber != 0:
		return "number"
	case t&typeInteger != 0:
		return "integer"
	case t&typeString != 0:
		return "text"
	case t&typeBoolean != 0:
		return "true or false"
	case t&typeArray != 0:
		return "list"
	case t&typeObject != 0:
		return "object"
	}
	return "null"
}

// typePhrases says which types are wanted, as the words of a list.
func typePhrases(t typeSet) []string {
	var words []string
	add := func(of typeSet, word ...string) {
		if t&of != 0 {
			words = append(words, word...)
		}
	}
	add(typeString, "text")
	if t&typeNumber != 0 {
		add(typeNumber, "a number")
	} else {
		add(typeInteger, "a whole number")
	}
	add(typeBoolean, "true", "false")
	add(typeArray, "a list")
	add(typeObject, "an object")
	add(typeNull, "null")
	return words
}

// listWords joins "a", "b" and "c" with a word before the last. Long lists are
// cut and say by how much.
func listWords(words []string, last string) string {
	if more := len(words) - maxListed; more > 1 {
		return strings.Join(words[:maxListed], ", ") + " (" + strconv.Itoa(more) + " more)"
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}

// mustBeOneOf lists the values that are allowed. Where not all of them are listed, the one that was
// perhaps meant is named too.
func mustBeOneOf(values []Value, got Value) string {
	message := "must be " + listWords(plainWords(values), "or")
	if len(values) <= maxListed+1 || got.Kind != String {
		return message
	}
	var known []string
	for _, v := range values {
		if v.Kind == String {
			known = append(known, v.Text)
		}
	}
	if near := Near(got.Text, known); len(near) > 0 {
		message += "; did you mean " + cut(near[0]) + "?"
	}
	return message
}

// plainWords writes values for a sentence. Text stands without quotes unless
// other kinds are in the list, which could be mistaken for it.
func plainWords(values []Value) []string {
	quoted := slices.ContainsFunc(values, func(v Value) bool {
		return v.Kind != String && v.Kind != Null && slices.ContainsFunc(values, func(w Value) bool { return w.Kind == String })
	})
	words := make([]string, len(values))
	for i, v := range values {
		if v.Kind == String && !quoted && v.Text != "" && v.Text != "null" && len(values) > 1 {
			words[i] = cut(v.Text)
		} else {
			words[i] = cut(v.JSON())
		}
	}
	return words
}

// bareWord writes a value after "is", where it cannot be mistaken.
func bareWord(v Value) string {
	if v.Kind == String && v.Text != "" {
		return cut(v.Text)
	}
	return cut(v.JSON())
}

// tidy writes a bound for people: 0.0 as 0.
func tidy(token string) string {
	if strings.Contains(token, ".") && !strings.ContainsAny(token, "eE") {
		token = strings.TrimSuffix(strings.TrimRight(token, "0"), ".")
	}
	return cut(token)
}

func quote(s string) string { return cut(Text(s).JSON()) }

// cut shortens what a sentence quotes.
func cut(s string) string {
	if len(s) <= maxQuoted || utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > maxQuoted {
			return s[:i] + "…"
		}
	}
	return s
}

// plural gives "1 row", "2 rows".
func plural(n int, word string) string {
	if n != 1 {
		if strings.HasSuffix(word, "y") {
			word = word[:len(word)-1] + "ie"
		}
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth"}

func ordinal(i int) string {
	if i < len(ordinals) {
		return ordinals[i]
	}
	return "number " + strconv.Itoa(i+1)
}

// typeWords describes the node in a few words.
func (n *node) typeWords(depth int) string {
	sp := &n.spec
	switch sp.Control {
	case ControlText, ControlMultiline, ControlSecret:
		if sp.Format != "" && sp.Format != "password" {
			return "text (" + cut(sp.Format) + ")"
		}
		return "text"
	case ControlInteger:
		return "whole number" + n.rangeWords()
	case ControlNumber:
		return "number" + n.rangeWords()
	case ControlCheckbox:
		return "true or false"
	case ControlDate:
		return "date"
	case ControlDatetime:
		return "date and time"
	case ControlChoice, ControlFixed:
		words := plainWords(sp.Options)
		if len(words) == 1 {
			return bareWord(sp.Options[0])
		}
		if len(words) > 4 {
			words = append(words[:3:3], "…+"+strconv.Itoa(len(words)-3))
		}
		return strings.Join(words, "|")
	case ControlList:
		if n.item != nil && depth < 3 && n.prefix == nil && n.item.spec.Control != ControlJSON {
			return "list of " + n.item.typeWords(depth+1)
		}
		return "list"
	case ControlMap:
		return "map"
	case ControlGroup:
		if sp.Tuple {
			return "list of " + strconv.Itoa(len(n.prefix))
		}
		return "object"
	case ControlVariant:
		return listWords(sp.Variants, "or")
	case ControlNone:
		return "nothing"
	}
	if n.accepts == typeObject || n.accepts == typeObject|typeNull {
		return "object"
	}
	return "any JSON"
}

func (n *node) rangeWords() string {
	sp := &n.spec
	words := ""
	switch {
	case sp.Min != "" && sp.Max != "" && !sp.OpenMin && !sp.OpenMax:
		return " " + tidy(sp.Min) + ".." + tidy(sp.Max)
	case sp.OpenMin:
		words = " above " + tidy(sp.Min)
	case sp.Min != "":
		words = " from " + tidy(sp.Min)
	}
	switch {
	case sp.OpenMax:
		words += " below " + tidy(sp.Max)
	case sp.Max != "":
		words += " to " + tidy(sp.Max)
	}
	return words
}

// prefixWords explains a list whose first rows differ from the rest.
func (n *node) prefixWords() string {
	var words []string
	for i, p := range n.prefix {
		if i == maxListed {
			break
		}
		words = append(words, ordinal(i)+" is "+p.typeWords(1))
	}
	rest := "anything"
	if n.item != nil {
		switch n.item.spec.Control {
		case ControlNumber:
			rest = "numbers"
		case ControlInteger:
			rest = "whole numbers"
		case ControlJSON:
		default:
			rest = n.item.typeWords(1)
		}
	}
	return strings.Join(append(words, "the rest "+rest), ", ")
}
