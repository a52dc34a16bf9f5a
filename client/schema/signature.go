package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a signature shows of a long list of arguments.
const (
	maxSigned      = 5  // names
	maxSignedWidth = 48 // characters
)

// Signature writes a tool in one line as lists show it: "add(a*, b*)". What is
// required has a star and stands first; of a long list the rest is counted.
// The names are the server's, unchanged: clean them before they are drawn.
func Signature(name string, raw []byte) string { return Compile(raw).Signature(name) }

// Signature is the function of the same name for a schema at hand.
func (s *Schema) Signature(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	return name + "(" + s.root.signature() + ")"
}

func (n *node) signature() string {
	switch n.spec.Control {
	case ControlVariant:
		return cut(strings.Join(n.spec.Variants, " | "))
	case ControlMap:
		return "name=value…"
	case ControlJSON:
		return "…"
	}
	var args []string
	for _, required := range []bool{true, false} {
		for _, p := range n.props {
			if p.required != required || n.propertyNode(p).spec.Control == ControlNone {
				continue
			}
			if required {
				args = append(args, p.name+"*")
			} else {
				args = append(args, p.name)
			}
		}
	}
	width := 0
	for i, arg := range args {
		width += utf8.RuneCountInString(arg) + len(", ")
		if i > 0 && (i >= maxSigned || width > maxSignedWidth) && len(args)-i > 1 {
			return strings.Join(args[:i], ", ") + ", …+" + strconv.Itoa(len(args)-i)
		}
	}
	return strings.Join(args, ", ")
}
