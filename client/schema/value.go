// Package schema turns the JSON Schemas that servers publish into forms that
// people fill in, and the values that they fill in into exact JSON.
//
// Values are trees whose numbers are text, so what was typed is what is sent.
// Nothing here fetches, prints or knows a screen.
package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind says which of the six kinds of JSON value a Value is.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String gives the name that JSON Schema uses for the kind.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is one JSON value. The zero Value is null.
//
// Values are treated as immutable: operations that change something return a
// new Value that shares the parts that stayed.
type Value struct {
	Kind Kind
	// Text is the decoded content of a string, the token of a number exactly
	// as it was written, or "true" or "false". A lone surrogate is kept as the
	// three bytes that UTF-8 would give it; bytes that are no UTF-8 are kept.
	Text    string
	Items   []Value  // of an array
	Members []Member // of an object: order and duplicates as written
}

// Member is one name and its value in an object.
type Member struct {
	Name  string
	Value Value
}

// Text makes a string.
func Text(s string) Value { return Value{Kind: String, Text: s} }

// Boolean makes true or false.
func Boolean(b bool) Value { return Value{Kind: Bool, Text: strconv.FormatBool(b)} }

// Int makes a number.
func Int(n int64) Value { return Value{Kind: Number, Text: strconv.FormatInt(n, 10)} }

// Num makes a number of a token such as "1.0" or "1e400"; ok is false when the
// token does not follow the JSON grammar.
func Num(token string) (v Value, ok bool) {
	if n := numberLen(token); n == 0 || n != len(token) {
		return Value{}, false
	}
	return Value{Kind: Number, Text: token}, true
}

// List makes an array.
func List(items ...Value) Value { return Value{Kind: Array, Items: items} }

// Obj makes an object.
func Obj(members ...Member) Value { return Value{Kind: Object, Members: members} }

// IsTrue reports whether v is the value true.
func (v Value) IsTrue() bool { return v.Kind == Bool && v.Text == "true" }

// IsFalse reports whether v is the value false.
func (v Value) IsFalse() bool { return v.Kind == Bool && v.Text == "false" }

// Get returns the member of an object; of duplicates the last one counts, as
// in most readers of JSON.
func (v Value) Get(name string) (Value, bool) {
	if v.Kind == Object {
		for i := len(v.Members) - 1; i >= 0; i-- {
			if v.Members[i].Name == name {
				return v.Members[i].Value, true
			}
		}
	}
	return Value{}, false
}

// At returns the value that a JSON pointer (RFC 6901) names: "" is v itself.
func (v Value) At(pointer string) (Value, bool) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return Value{}, false
	}
	for _, t := range tokens {
		ok := false
		switch v.Kind {
		case Object:
			v, ok = v.Get(t)
		case Array:
			var i int
			if i, ok = index(t, len(v.Items)); ok && i < len(v.Items) {
				v = v.Items[i]
			} else {
				ok = false
			}
		}
		if !ok {
			return Value{}, false
		}
	}
	return v, true
}

// Set returns v with the value at the pointer replaced. Missing objects on the
// way are made; null counts as missing. An index equal to the length of an
// array, or "-", appends. v itself does not change.
func (v Value) Set(pointer string, to Value) (Value, error) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return v, err
	}
	out, err := v.set(tokens, to)
	if err != nil {
		return v, fmt.Errorf("cannot set %s: %w", pointer, err)
	}
	return out, nil
}

func (v Value) set(tokens []string, to Value) (Value, error) {
	if len(tokens) == 0 {
		return to, nil
	}
	t := tokens[0]
	switch v.Kind {
	case Null, Object:
		members := append([]Member(nil), v.Members...)
		at := -1
		for i := range members {
			if members[i].Name == t {
				at = i
			}
		}
		if at < 0 {
			at = len(members)
			members = append(members, Member{Name: t})
		}
		child, err := members[at].Value.set(tokens[1:], to)
		if err != nil {
			return v, err
		}
		members[at].Value = child
		return Value{Kind: Object, Members: members}, nil
	case Array:
		i, ok := index(t, len(v.Items))
		if !ok {
			return v, fmt.Errorf("%q is no place in a list of %d", t, len(v.Items))
		}
		items := append([]Value(nil), v.Items...)
		if i == len(items) {
			items = append(items, Value{})
		}
		child, err := items[i].set(tokens[1:], to)
		if err != nil {
			return v, err
		}
		items[i] = child
		return Value{Kind: Array, Items: items}, nil
	}
	return v, fmt.Errorf("a %s has no member %q", v.Kind, t)
}

// index reads a pointer token as a place in a list of n: 0 to n, "-" is n.
func index(token string, n int) (int, bool) {
	if token == "-" {
		return n, true
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i > n || strconv.Itoa(i) != token {
		return 0, false
	}
	return i, true
}

// Tokens splits a JSON pointer into its unescaped tokens.
func Tokens(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("JSON pointer %q does not start with /", pointer)
	}
	parts := strings.Split(pointer[1:], "/")
	for i, p := range parts {
		if strings.Contains(p, "~") {
			parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
		}
	}
	return parts, nil
}

// Pointer adds one token to a JSON pointer.
func Pointer(parent, token string) string {
	if strings.ContainsAny(token, "~/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
	}
	return parent + "/" + token
}

// Equal compares by value: numbers by what they mean (1.0 is 1), objects
// without regard to order, of duplicate names the last.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Null:
		return true
	case Number:
		return CompareNumbers(v.Text, w.Text) == 0
	case Array:
		if len(v.Items) != len(w.Items) {
			return false
		}
		for i := range v.Items {
			if !v.Items[i].Equal(w.Items[i]) {
				return false
			}
		}
		return true
	case Object:
		a, b := lastMembers(v.Members), lastMembers(w.Members)
		if len(a) != len(b) {
			return false
		}
		for name, i := range a {
			j, ok := b[name]
			if !ok || !v.Members[i].Value.Equal(w.Members[j].Value) {
				return false
			}
		}
		return true
	}
	return v.Text == w.Text
}

// lastMembers gives the place of each name, the last one where it stands twice.
func lastMembers(members []Member) map[string]int {
	last := make(map[string]int, len(members))
	for i, m := range members {
		last[m.Name] = i
	}
	return last
}

// ValidUTF8 reports whether v can be written without loss: no string or name
// in it holds bytes that are no UTF-8. Lone surrogates are no loss.
func (v Value) ValidUTF8() bool {
	if v.Kind == String && !validText(v.Text) {
		return false
	}
	for _, item := range v.Items {
		if !item.ValidUTF8() {
			return false
		}
	}
	for _, m := range v.Members {
		if !validText(m.Name) || !m.Value.ValidUTF8() {
			return false
		}
	}
	return true
}

// Repeated is the first name that an object in v, at any depth, has twice; "" when there is none.
func (v Value) Repeated() string {
	seen := make(map[string]bool, len(v.Members))
	for _, m := range v.Members {
		if seen[m.Name] {
			return m.Name
		}
		seen[m.Name] = true
		if name := m.Value.Repeated(); name != "" {
			return name
		}
	}
	for _, item := range v.Items {
		if name := item.Repeated(); name != "" {
			return name
		}
	}
	return ""
}

func validText(s string) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			high, ok := surrogate(s[i:])
			if !ok {
				return false
			}
			n = surrogateLen
			if low, ok := surrogate(s[i+n:]); ok && utf16.DecodeRune(high, low) != utf8.RuneError {
				return false // would be written as the one character they make
			}
		}
		i += n
	}
	return true
}
