package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// maxDepth ends a recursive schema on arguments that nest without end.
const maxDepth = 64

// Problems says in plain words what is wrong with a tool's arguments: what is missing first, then
// the properties in the order of the schema, then what is unexpected. It knows the keywords that the
// servers here use (type, const, enum, required, properties, additionalProperties, items, minItems,
// minimum, maximum, minLength, oneOf, and $ref into $defs) and ignores the others. The schema is the
// server's own and trusted, the arguments may be anything.
func Problems(schema, arguments json.RawMessage) []string {
	c := checker{root: schema}
	c.check("", schema, bytes.TrimSpace(arguments), 0)
	return c.found
}

type checker struct {
	root  json.RawMessage
	found []string
}

func (c *checker) say(path, format string, a ...any) {
	what := fmt.Sprintf(format, a...)
	if path == "" {
		path = "the arguments"
	}
	c.found = append(c.found, path+" "+what)
}

func (c *checker) check(path string, schema, value json.RawMessage, depth int) {
	if len(value) == 0 {
		return
	}
	if depth > maxDepth {
		c.say(path, "is nested too deeply")
		return
	}
	keywords := Members(schema)
	if ref, has := Text(keywords["$ref"]); has {
		c.check(path, c.resolve(ref), value, depth+1)
		return
	}
	if branches := list(keywords["oneOf"]); branches != nil {
		c.oneOf(path, branches, value, depth)
		return
	}
	if t := keywords["type"]; t != nil && !hasType(t, value) {
		c.say(path, "must be %s", typeWords(t))
		return
	}
	if fixed := keywords["const"]; fixed != nil && !same(fixed, value) {
		c.say(path, "must be %s", fixed)
	}
	if choices := list(keywords["enum"]); choices != nil && !oneOfThem(choices, value) {
		c.say(path, "must be one of %s", strings.Join(texts(choices), ", "))
	}
	switch value[0] {
	case '{':
		c.object(path, keywords, value, depth)
	case '[':
		items := list(value)
		if least, has := number(keywords["minItems"]); has && float64(len(items)) < least {
			c.say(path, "needs at least %v items", least)
		}
		if each := keywords["items"]; each != nil {
			for i, item := range items {
				c.check(fmt.Sprintf("%s[%d]", path, i), each, item, depth+1)
			}
		}
	case '"':
		text, _ := Text(value)
		if least, has := number(keywords["minLength"]); has && float64(utf8.RuneCountInString(text)) < least {
			c.say(path, "needs at least %v characters", least)
		}
	default:
		n, isNumber := number(value)
		if least, has := number(keywords["minimum"]); has && isNumber && n < least {
			c.say(path, "must be %v or more", least)
		}
		if most, has := number(keywords["maximum"]); has && isNumber && n > most {
			c.say(path, "must be %v or less", most)
		}
	}
}

func (c *checker) object(path string, keywords map[string]json.RawMessage, value json.RawMessage, depth int) {
	members := Members(value)
	for _, raw := range list(keywords["required"]) {
		name, _ := Text(raw)
		if _, has := members[name]; !has {
			c.found = append(c.found, "missing required field: "+join(path, name))
		}
	}
	properties := Members(keywords["properties"])
	for _, name := range Keys(keywords["properties"]) {
		if v, has := members[name]; has {
			c.check(join(path, name), properties[name], v, depth+1)
		}
	}
	extra := keywords["additionalProperties"]
	if extra == nil {
		return
	}
	for _, name := range Keys(value) {
		if _, known := properties[name]; known {
			continue
		}
		if string(extra) == "false" {
			c.found = append(c.found, "unexpected field: "+join(path, name))
		} else {
			c.check(join(path, name), extra, members[name], depth+1)
		}
	}
}

func (c *checker) oneOf(path string, branches []json.RawMessage, value json.RawMessage, depth int) {
	fits := 0
	for _, b := range branches {
		try := checker{root: c.root}
		if try.check(path, b, value, depth+1); try.found == nil {
			fits++
		}
	}
	if fits != 1 {
		c.say(path, "must fit exactly one of the %d shapes, it fits %d", len(branches), fits)
	}
}

// resolve follows a local reference; what cannot be followed allows everything.
func (c *checker) resolve(ref string) json.RawMessage {
	at := c.root
	rest, local := strings.CutPrefix(ref, "#")
	if !local {
		return json.RawMessage("true")
	}
	for _, step := range strings.Split(strings.TrimPrefix(rest, "/"), "/") {
		if step != "" {
			at = Members(at)[step]
		}
	}
	return at
}

// Keys are an object's keys in the order they were written.
func Keys(object json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return keys
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return keys
		}
		keys = append(keys, key.(string))
	}
	return keys
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func list(value json.RawMessage) []json.RawMessage {
	if len(value) == 0 || value[0] != '[' {
		return nil
	}
	var items []json.RawMessage
	json.Unmarshal(value, &items)
	return items
}

func texts(values []json.RawMessage) []string {
	var t []string
	for _, v := range values {
		t = append(t, string(v))
	}
	return t
}

func number(value json.RawMessage) (float64, bool) {
	var n *float64
	if len(value) == 0 || json.Unmarshal(value, &n) != nil || n == nil {
		return 0, false
	}
	return *n, true
}

func same(a, b json.RawMessage) bool {
	x, isNumber := number(a)
	y, also := number(b)
	if isNumber && also {
		return x == y
	}
	var s, t bytes.Buffer
	return json.Compact(&s, a) == nil && json.Compact(&t, b) == nil && bytes.Equal(s.Bytes(), t.Bytes())
}

func oneOfThem(choices []json.RawMessage, value json.RawMessage) bool {
	for _, c := range choices {
		if same(c, value) {
			return true
		}
	}
	return false
}

// types reads the type keyword, which is one name or a list of them.
func types(keyword json.RawMessage) []string {
	if one, is := Text(keyword); is {
		return []string{one}
	}
	var names []string
	for _, raw := range list(keyword) {
		name, _ := Text(raw)
		names = append(names, name)
	}
	return names
}

func hasType(keyword, value json.RawMessage) bool {
	for _, t := range types(keyword) {
		n, isNumber := number(value)
		is := false
		switch t {
		case "object":
			is = value[0] == '{'
		case "array":
			is = value[0] == '['
		case "string":
			is = value[0] == '"'
		case "boolean":
			is = value[0] == 't' || value[0] == 'f'
		case "null":
			is = value[0] == 'n'
		case "number":
			is = isNumber
		case "integer":
			is = isNumber && n == math.Trunc(n)
		}
		if is {
			return true
		}
	}
	return false
}

func typeWords(keyword json.RawMessage) string {
	var words []string
	for _, t := range types(keyword) {
		switch t {
		case "object", "array", "integer":
			t = "an " + t
		case "null":
		default:
			t = "a " + t
		}
		words = append(words, t)
	}
	return strings.Join(words, " or ")
}
