package schema

import (
	"slices"
	"strings"
)

// readConditions says on the rows of an object what if, dependentRequired, not
// and unions of required ask of them, and adds the names that only a condition
// knows.
func (n *node) readConditions(mention func(string) *property) {
	note := func(name, text string) {
		if p, ok := n.byName[name]; ok && !slices.Contains(p.notes, text) {
			p.notes = append(p.notes, text)
		}
	}
	adopt := func(of *subschema, when string) {
		for _, s := range of.withTargets() {
			for _, m := range s.properties {
				_, known := n.byName[m.name]
				switch {
				case m.schema.forbids():
					note(m.name, "not allowed "+when)
				case !known:
					p := mention(m.name)
					p.schemas = []*subschema{m.schema}
					note(m.name, "only "+when)
				}
			}
			for _, name := range s.required {
				mention(name)
				note(name, "required "+when)
			}
		}
	}
	for _, s := range n.parts {
		if s.ifs != nil {
			is, isNot := s.ifs.condition()
			if s.then != nil {
				adopt(s.then, is)
			}
			if s.otherwise != nil {
				adopt(s.otherwise, isNot)
			}
		}
		for _, d := range s.dependsOn {
			for _, name := range d.required {
				mention(name)
				note(name, "required when "+d.name+" is given")
			}
		}
		for _, d := range s.dependents {
			adopt(d.schema, "when "+d.name+" is given")
		}
		if s.not != nil && s.not.onlyRequired() {
			for _, name := range s.not.required {
				others := slices.DeleteFunc(slices.Clone(s.not.required), func(o string) bool { return o == name })
				if len(others) == 0 {
					note(name, "cannot be given")
				} else {
					note(name, "not together with "+listWords(others, "and"))
				}
			}
		}
		n.noteAlternatives(s.oneOf, "exactly one of ", note)
		n.noteAlternatives(s.anyOf, "at least one of ", note)
	}
}

// noteAlternatives explains a union whose branches only ask for names.
func (n *node) noteAlternatives(branches []*subschema, word string, note func(name, text string)) {
	if names, ok := requiredAlternatives(branches); ok && len(branches) > 1 {
		for _, b := range branches {
			for _, name := range b.required {
				note(name, word+strings.Join(names, ", "))
			}
		}
	}
}

// requiredAlternatives gives the names that the branches of a union ask for,
// when asking for names is all they do.
func requiredAlternatives(branches []*subschema) (names []string, ok bool) {
	for _, b := range branches {
		if !b.onlyRequired() {
			return nil, false
		}
		names = append(names, listWords(b.required, "and"))
	}
	return names, len(branches) > 0
}

func (s *subschema) onlyRequired() bool {
	return len(s.required) > 0 && !s.hasShape() && s.not == nil && s.ifs == nil
}

// withTargets gives s and what it refers to or holds in allOf.
func (s *subschema) withTargets() []*subschema {
	list := []*subschema{s}
	for i := 0; i < len(list) && len(list) < maxNesting; i++ {
		if r := list[i].ref; r != nil && !slices.Contains(list, r) {
			list = append(list, r)
		}
		list = append(list, list[i].allOf...)
	}
	return list
}

// condition puts an if into words: "when auth is basic", and its contrary.
func (s *subschema) condition() (is, isNot string) {
	var yes, no []string
	for _, p := range s.properties {
		if list, ok := p.schema.literals(); ok && len(list) <= maxListed {
			var values []string
			for _, l := range list {
				values = append(values, bareWord(l.value))
			}
			words := listWords(values, "or")
			yes, no = append(yes, p.name+" is "+words), append(no, p.name+" is not "+words)
		} else {
			yes, no = append(yes, p.name+" fits"), append(no, p.name+" does not fit")
		}
	}
	for _, name := range s.required {
		if !slices.ContainsFunc(s.properties, func(p named) bool { return p.name == name }) {
			yes, no = append(yes, name+" is given"), append(no, name+" is not given")
		}
	}
	if yes == nil {
		return "when the condition of the schema holds", "when the condition of the schema does not hold"
	}
	return "when " + listWords(yes, "and"), "when " + listWords(no, "or")
}

// note adds what is worth knowing about the value itself.
func (n *node) note(unions []*union) {
	for _, s := range n.parts {
		if s.nullable && !n.spec.Nullable {
			n.addNote("nullable is not a JSON Schema word: hint only")
		}
	}
	if n.spec.ReadOnly {
		n.addNote("readOnly: not offered by default")
	}
	if n.spec.Deprecated {
		n.addNote("deprecated")
	}
	for _, u := range unions {
		if u == n.union || !slices.ContainsFunc(u.branches, (*subschema).hasShape) || n.spec.Options != nil {
			continue
		}
		n.addNote("must also fit one of " + listWords(branchNames(u.branches), "or"))
	}
}
