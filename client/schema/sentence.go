package schema

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// translator turns the errors of the library into problems. All sentences come
// from one grammar: a predicate that starts with "must", or the name of a
// property and what is the matter with it.
type translator struct {
	schema   *Schema
	root     Value
	problems []Problem
	known    map[*jsonschema.ValidationError][]Problem // of errors translated before
}

// place is where an error was found.
type place struct {
	schema *subschema
	tokens []string
	path   string
	value  Value
}

func (t *translator) locate(err *jsonschema.ValidationError) place {
	p := place{tokens: err.InstanceLocation, value: t.root}
	for _, token := range p.tokens {
		p.path = Pointer(p.path, token)
	}
	p.value, _ = t.root.At(p.path)
	if i, err := strconv.Atoi(err.SchemaURL); err == nil && i >= 0 && i < len(t.schema.graph.nodes) {
		p.schema = t.schema.graph.nodes[i]
	} else {
		p.schema = t.schema.graph.root
	}
	return p
}

func (p place) problem(keyword, message string) []Problem {
	return []Problem{{Path: p.path, Row: p.path, Keyword: keyword, Message: message}}
}

func (t *translator) translate(err *jsonschema.ValidationError) []Problem {
	list, ok := t.known[err]
	if !ok {
		list = t.work(err)
		if t.known == nil {
			t.known = map[*jsonschema.ValidationError][]Problem{}
		}
		t.known[err] = list
	}
	return slices.Clone(list)
}

func (t *translator) work(err *jsonschema.ValidationError) []Problem {
	p := t.locate(err)
	s := p.schema
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		return t.union(p, "anyOf", s.anyOf, err.Causes)
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return p.problem("oneOf", severalFit(s.oneOf, k.Subschemas))
		}
		return t.union(p, "oneOf", s.oneOf, err.Causes)
	case *kind.Type:
		message := "must be " + listWords(typePhrases(s.types), "or") + ", is " + describe(p.value)
		if p.value.Kind == Null && s.nullable {
			message += " (nullable is OpenAPI, not JSON Schema)"
		}
		return p.problem("type", message)
	case *enumKind:
		values := s.enum
		if k.keyword == "const" {
			values = []Value{*s.constant}
		}
		return p.problem(k.keyword, mustBeOneOf(values, p.value))
	case *kind.FalseSchema:
		return t.forbidden(p)
	case *kind.Not:
		return p.problem("not", "must not "+s.not.negated())
	case *kind.Required:
		return t.missing(p, "required", k.Missing, t.because(p))
	case *kind.DependentRequired:
		return t.missing(p, "dependentRequired", k.Missing, " when "+k.Prop+" is given")
	case *kind.AdditionalProperties:
		return t.unexpected(p, "additionalProperties", k.Properties)
	case *nameKind:
		return t.wrongName(p, k)
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		return p.problem(containsWords(s, err.ErrorKind))
	case *kind.UniqueItems:
		return p.problem("uniqueItems", "must not have equal rows ("+strconv.Itoa(k.Duplicates[0]+1)+" and "+strconv.Itoa(k.Duplicates[1]+1)+")")
	case *kind.Pattern:
		return p.problem("pattern", "must match "+cut(s.pattern))
	case *kind.Minimum:
		return p.problem("minimum", "must be at least "+tidy(s.minimum))
	case *kind.Maximum:
		return p.problem("maximum", "must be at most "+tidy(s.maximum))
	case *kind.ExclusiveMinimum:
		return p.problem("exclusiveMinimum", "must be greater than "+tidy(s.above))
	case *kind.ExclusiveMaximum:
		return p.problem("exclusiveMaximum", "must be less than "+tidy(s.below))
	case *kind.MultipleOf:
		return p.problem("multipleOf", "must be a multiple of "+tidy(s.multipleOf))
	case *kind.MinLength:
		if k.Got == 0 && k.Want == 1 {
			return p.problem("minLength", "must not be empty")
		}
		return p.problem("minLength", size("at least", k.Want, "character", k.Got))
	case *kind.MaxLength:
		return p.problem("maxLength", size("at most", k.Want, "character", k.Got))
	case *kind.MinItems:
		return p.problem("minItems", size("at least", k.Want, "row", k.Got))
	case *kind.MaxItems:
		return p.problem("maxItems", size("at most", k.Want, "row", k.Got))
	case *kind.MinProperties:
		return p.problem("minProperties", size("at least", k.Want, "entry", k.Got))
	case *kind.MaxProperties:
		return p.problem("maxProperties", size("at most", k.Want, "entry", k.Got))
	}
	// What only holds other errors: allOf, references, groups.
	var list []Problem
	for _, cause := range err.Causes {
		list = append(list, t.translate(cause)...)
	}
	if list == nil {
		keyword := "schema"
		if path := err.ErrorKind.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
		list = p.problem(keyword, "must fit the schema at "+s.pointer)
	}
	return list
}

func size(bound string, want int, word string, got int) string {
	return "must have " + bound + " " + plural(want, word) + ", has " + strconv.Itoa(got)
}

func (t *translator) missing(p place, keyword string, names []string, because string) []Problem {
	n := t.nodeAt(p)
	var list []Problem
	for _, name := range names {
		message := named{name: name}.word() + " is required" + because
		if prop, ok := n.byName[name]; ok && len(prop.schemas) > 0 && n.propertyNode(prop).spec.Nullable {
			message += " (null is allowed)"
		}
		list = append(list, Problem{Path: p.path, Row: Pointer(p.path, name), Keyword: keyword, Message: message})
	}
	return list
}

// word is a name in a sentence.
func (n named) word() string {
	if n.name == "" {
		return `""`
	}
	return cut(n.name)
}

func (t *translator) unexpected(p place, keyword string, names []string) []Problem {
	n := t.nodeAt(p)
	known := make([]string, 0, len(n.props))
	for _, prop := range n.props {
		known = append(known, prop.name)
	}
	var list []Problem
	for _, name := range names {
		message := named{name: name}.word() + " is not expected"
		if !t.schema.result && p.path == "" {
			message = named{name: name}.word() + " is not a parameter"
		}
		if near := Near(name, known); len(near) > 0 {
			message += " (" + cut(near[0]) + "?)"
		} else if p.schema.patterns != nil {
			message += ", names must match " + cut(p.schema.patterns[0].name)
		}
		list = append(list, Problem{Path: p.path, Row: Pointer(p.path, name), Keyword: keyword, Message: message})
	}
	return list
}

// forbidden is a value where the schema says false.
func (t *translator) forbidden(p place) []Problem {
	s := p.schema
	if len(p.tokens) == 0 || s.parent == nil || !s.step {
		return p.problem("false", "must not be given"+t.because(p))
	}
	above := place{schema: s.parent, tokens: p.tokens[:len(p.tokens)-1]}
	for _, token := range above.tokens {
		above.path = Pointer(above.path, token)
	}
	above.value, _ = t.root.At(above.path)
	last := p.tokens[len(p.tokens)-1]
	switch s.via {
	case "items", "additionalItems", "unevaluatedItems":
		want, bound := len(s.parent.prefix), "at most"
		if s.parent.minItems != nil && *s.parent.minItems == want {
			bound = "exactly"
		}
		return above.problem(s.via, size(bound, want, "row", len(above.value.Items)))
	case "additionalProperties", "unevaluatedProperties":
		return t.unexpected(above, s.via, []string{last})
	}
	return p.problem("false", "must not be given"+t.because(p))
}

func (t *translator) wrongName(p place, k *nameKind) []Problem {
	inner := translator{schema: t.schema, root: Text(k.name)}
	var list []Problem
	for _, cause := range k.err.Causes {
		for _, sub := range inner.translate(cause) {
			list = append(list, Problem{Path: p.path, Row: Pointer(p.path, k.name), Keyword: "propertyNames", Message: "name " + quote(k.name) + " " + sub.Message})
		}
	}
	return list
}

// nodeAt gives the merged node of a place.
func (t *translator) nodeAt(p place) *node {
	n, v := t.schema.root, t.root
	for _, token := range p.tokens {
		n = n.suited(v)
		if v.Kind == Array {
			if i, ok := index(token, len(v.Items)); ok && i < len(v.Items) {
				n, v = n.row(i), v.Items[i]
				continue
			}
		}
		n = n.child(token)
		v, _ = v.Get(token)
	}
	return n.suited(v)
}

// because explains what an if or a dependency led to, from the values that are
// there: " because auth is basic".
func (t *translator) because(p place) string {
	steps := 0
	for s := p.schema; s.parent != nil && steps <= len(p.tokens); s = s.parent {
		if s.via == "then" || s.via == "else" {
			var path string
			for _, token := range p.tokens[:len(p.tokens)-steps] {
				path = Pointer(path, token)
			}
			v, _ := t.root.At(path)
			if words := s.parent.ifs.reasons(v); words != "" {
				return " because " + words
			}
			return ""
		}
		if s.via == "dependentSchemas" || s.via == "dependencies" {
			tokens, _ := Tokens(s.pointer)
			return " because " + tokens[len(tokens)-1] + " is given"
		}
		if s.step {
			steps++
		}
		if s.via == "$defs" || s.via == "definitions" {
			break
		}
	}
	return ""
}

// reasons says how the properties that an if looks at stand.
func (s *subschema) reasons(v Value) string {
	var words []string
	add := func(name string, value bool) {
		member, ok := v.Get(name)
		switch {
		case !ok:
			words = append(words, name+" is not given")
		case value:
			words = append(words, name+" is "+bareWord(member))
		default:
			words = append(words, name+" is given")
		}
	}
	for _, m := range s.properties {
		add(m.name, true)
	}
	for _, name := range s.required {
		if !slices.ContainsFunc(s.properties, func(m named) bool { return m.name == name }) {
			add(name, false)
		}
	}
	return listWords(words, "and")
}

// negated says what a not forbids.
func (s *subschema) negated() string {
	if s.onlyRequired() {
		if len(s.required) == 1 {
			return "have " + s.required[0]
		}
		return "have " + listWords(s.required, "and") + " together"
	}
	return "be " + s.wanted()
}

// wanted describes a schema in a few words.
func (s *subschema) wanted() string {
	if list, ok := s.literals(); ok {
		values := make([]Value, len(list))
		for i, l := range list {
			values[i] = l.value
		}
		return listWords(plainWords(values), "or")
	}
	if s.title != "" {
		return cut(s.title)
	}
	if t := s.accepted(); t != typeAny && t != typeObject && t != typeArray {
		return listWords(typePhrases(t), "or")
	}
	return "as in " + cut(s.raw.JSON())
}

func containsWords(s *subschema, k jsonschema.ErrorKind) (keyword, message string) {
	row := " that is " + s.contains.wanted()
	rows := " like " + s.contains.wanted()
	switch k := k.(type) {
	case *kind.MinContains:
		return "minContains", "must have at least " + plural(k.Want, "row") + rows + ", has " + strconv.Itoa(len(k.Got))
	case *kind.MaxContains:
		return "maxContains", "must have at most " + plural(k.Want, "row") + rows + ", has " + strconv.Itoa(len(k.Got))
	}
	return "contains", "must have a row" + row
}

func severalFit(branches []*subschema, fits []int) string {
	if names, ok := requiredAlternatives(branches); ok {
		return "must have only one of " + listWords(names, "and")
	}
	names := branchNames(branches)
	var both []string
	for _, i := range fits {
		if i < len(names) {
			both = append(both, names[i])
		}
	}
	return "must fit only one of " + listWords(names, "or") + ", fits " + listWords(both, "and")
}
