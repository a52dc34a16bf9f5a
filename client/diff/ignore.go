package diff

import (
	"fmt"
	"strconv"

	"example.com/mcpinspect/client/schema"
)

// Ignore is a set of places that are not compared. The zero value ignores nothing.
type Ignore struct{ rest [][]string } // what is left of each pointer below the value that is looked at

// Ignoring makes the set of JSON pointers. A token * stands for every member and every element:
// /content/*/text. What lies below an ignored place is ignored too. A pointer that is none is an error.
func Ignoring(pointers ...string) (Ignore, error) {
	var set Ignore
	for _, p := range pointers {
		tokens, err := schema.Tokens(p)
		if err != nil {
			return Ignore{}, fmt.Errorf("%q is no JSON pointer such as /content/*/text: %w", p, err)
		}
		set.rest = append(set.rest, tokens)
	}
	return set, nil
}

// all reports whether the whole value is ignored.
func (g Ignore) all() bool {
	for _, tokens := range g.rest {
		if len(tokens) == 0 {
			return true
		}
	}
	return false
}

// in is what is ignored within a member.
func (g Ignore) in(name string) (inner Ignore) {
	for _, tokens := range g.rest {
		if len(tokens) > 0 && (tokens[0] == "*" || tokens[0] == name) {
			inner.rest = append(inner.rest, tokens[1:])
		}
	}
	return inner
}

// at is what is ignored within an element.
func (g Ignore) at(i int) Ignore {
	if len(g.rest) == 0 {
		return g
	}
	return g.in(strconv.Itoa(i))
}
