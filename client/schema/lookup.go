package schema

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// HasProperty reports whether the schema lists the name at its root, in any
// branch.
func (s *Schema) HasProperty(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	return s.root.has(name)
}

func (n *node) has(name string) bool {
	if _, ok := n.byName[name]; ok {
		return true
	}
	for i := range n.forms {
		if n.branch(i).has(name) {
			return true
		}
	}
	return false
}

// Names lists the properties at a pointer, required ones first, for
// completion and for near names. v is what is filled in so far; it chooses
// branches.
func (s *Schema) Names(pointer string, v Value) (required, optional []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	seen := map[string]bool{}
	var list func(n *node)
	list = func(n *node) {
		for _, p := range n.props {
			switch {
			case seen[p.name]:
			case p.required:
				required = append(required, p.name)
			default:
				optional = append(optional, p.name)
			}
			seen[p.name] = true
		}
		for i := range n.forms {
			list(n.branch(i))
		}
	}
	list(s.find(pointer, v))
	return required, optional
}

// Spec tells what belongs at a pointer; v is what is filled in so far.
func (s *Schema) Spec(pointer string, v Value) *Spec {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	return &s.find(pointer, v).spec
}

// find walks down the nodes. Where branches differ it takes the one that
// suits the value, or else one that knows the name.
func (s *Schema) find(pointer string, v Value) *node {
	n := s.root
	tokens, err := Tokens(pointer)
	if err != nil {
		return s.anything()
	}
	for _, token := range tokens {
		if n.spec.Control == ControlVariant {
			n = n.branchFor(token, v)
		}
		switch n.spec.Control {
		case ControlList:
			i, _ := index(token, 1<<30)
			n = n.row(i)
		default:
			if i, ok := index(token, len(n.prefix)); ok && n.spec.Tuple {
				n = n.row(i)
			} else {
				n = n.child(token)
			}
		}
		if v.Kind == Array {
			v, _ = v.At("/" + token)
		} else {
			v, _ = v.Get(token)
		}
	}
	return n
}

func (n *node) branchFor(token string, v Value) *node {
	suited := n.suited(v)
	if _, ok := suited.byName[token]; ok || suited.spec.Control == ControlList {
		return suited
	}
	for i := range n.forms {
		if b := n.branch(i); b.byName[token] != nil {
			return b
		}
	}
	for i := range n.forms {
		b := n.branch(i)
		if _, number := index(token, 1<<30); number == (b.spec.Control == ControlList) {
			return b
		}
	}
	return n.branch(0)
}

// ReadWord turns the text of a command line into the value that belongs at a
// pointer: a string where the schema wants text, a number where it wants one.
// Where any JSON is welcome, text that is no JSON is a string. Text that does
// not suit its place stays a string, for the check to complain about; only
// where nothing but JSON will do it is an error.
func (s *Schema) ReadWord(pointer, text string, v Value) (Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	n := s.find(pointer, v)
	value, failed := n.readText(text)
	switch {
	case failed == nil:
		if c := n.spec.Control; value.Kind == String && value.Text != text && (c == ControlChoice || c == ControlFixed) {
			if _, err := Parse([]byte(text)); err != nil {
				return Text(text), nil // a title; words name the value itself
			}
		}
		return value, nil
	case failed.Keyword != "json":
		return value, nil
	case n.spec.Control == ControlJSON && n.accepts&typeString != 0, n.spec.Control == ControlNone:
		return Text(text), nil
	}
	return Value{}, failed
}

// ReadBytes is ReadWord for the content of a file: base64 where the schema
// wants that, else text, which must be UTF-8.
func (s *Schema) ReadBytes(pointer string, content []byte, v Value) (Value, error) {
	spec := s.Spec(pointer, v)
	if spec.Base64 {
		return Text(base64.StdEncoding.EncodeToString(content)), nil
	}
	if !utf8.Valid(content) {
		return Value{}, &TextError{"type", "is not UTF-8 text, and the schema does not ask for base64"}
	}
	if spec.Control.takesText() {
		return Text(string(content)), nil
	}
	return s.ReadWord(pointer, strings.TrimSpace(string(content)), v)
}
