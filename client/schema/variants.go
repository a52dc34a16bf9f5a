package schema

import (
	"slices"
	"strconv"
	"strings"
)

// variantNames names the branches: by title, by the value that tells them
// apart, by type, by what they refer to.
func (n *node) variantNames() []string {
	branches := make([]*subschema, len(n.forms))
	for i, f := range n.forms {
		branches[i] = f.chosen
	}
	return branchNames(branches)
}

func branchNames(branches []*subschema) []string {
	by := discriminator(branches)
	names := make([]string, 0, len(branches))
	for i, b := range branches {
		name := b.branchName(by, i)
		for k := 2; slices.Contains(names, name); k++ {
			name = strings.TrimSuffix(name, " ("+strconv.Itoa(k-1)+")") + " (" + strconv.Itoa(k) + ")"
		}
		names = append(names, name)
	}
	return names
}

func (s *subschema) branchName(by string, i int) string {
	parts := s.withTargets()
	for _, p := range parts {
		if p.title != "" {
			return cut(p.title)
		}
	}
	if by != "" {
		if list := s.valuesOf(by); list != nil {
			words := make([]string, 0, len(list))
			for _, v := range list {
				words = append(words, bareWord(v))
			}
			return by + " = " + strings.Join(words, ", ")
		}
	}
	if list, ok := s.literals(); ok {
		var values []Value
		for _, l := range list {
			values = append(values, l.value)
		}
		return listWords(plainWords(values), "or")
	}
	if s.refText != "" {
		if at := strings.LastIndexAny(s.refText, "/#"); at >= 0 && at+1 < len(s.refText) {
			return cut(s.refText[at+1:])
		}
	}
	if t := s.accepted() &^ typeNull; t != typeAny&^typeNull && t != typeObject {
		if t&typeArray == t {
			for _, p := range parts {
				if p.items != nil && p.items.accepted() != typeAny && !p.items.forbids() {
					return "list of " + typeWord(p.items.accepted())
				}
			}
		}
		return typeWord(t)
	}
	for _, p := range parts {
		if len(p.required) > 0 {
			return "with " + listWords(p.required, "and")
		}
	}
	for _, p := range parts {
		if len(p.properties) > 0 {
			return "with " + p.properties[0].name
		}
	}
	if s.accepted()&^typeNull == typeObject {
		return "object"
	}
	return "variant " + strconv.Itoa(i+1)
}

// valuesOf gives the values that a branch allows for a property, nil when it
// does not list them.
func (s *subschema) valuesOf(name string) []Value {
	for _, p := range s.withTargets() {
		for _, m := range p.properties {
			if m.name == name {
				if list, ok := m.schema.literals(); ok {
					values := make([]Value, len(list))
					for i, l := range list {
						values[i] = l.value
					}
					return values
				}
			}
		}
	}
	return nil
}

// discriminator finds the property whose listed values tell branches apart:
// every branch that is an object lists some, and no value twice.
func discriminator(branches []*subschema) string {
	var objects []*subschema
	for _, b := range branches {
		if b.accepted()&typeObject != 0 {
			objects = append(objects, b)
		}
	}
	if len(objects) < 2 {
		return ""
	}
	for _, p := range objects[0].withTargets() {
	next:
		for _, m := range p.properties {
			seen := map[string]bool{}
			for _, b := range objects {
				list := b.valuesOf(m.name)
				if list == nil {
					continue next
				}
				for _, v := range list {
					if seen[v.JSON()] {
						continue next
					}
					seen[v.JSON()] = true
				}
			}
			return m.name
		}
	}
	return ""
}
