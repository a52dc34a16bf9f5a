package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// union explains why no branch of an anyOf or oneOf fits. Where one branch is
// clearly meant (by the kind of the value, by the property that tells branches
// apart) its problems are told; those of the value itself keep the keyword of
// the union, since another branch would do as well.
func (t *translator) union(p place, keyword string, branches []*subschema, causes []*jsonschema.ValidationError) []Problem {
	if names, ok := requiredAlternatives(branches); ok && p.value.Kind == Object {
		list := p.problem(keyword, "must have "+listWords(names, "or"))
		list[0].Row = Pointer(p.path, branches[0].required[0])
		return list
	}
	kinds := typeOf(p.value)
	var meant []int // branches for this kind of value
	listedOnly := true
	for i, b := range branches {
		if i < len(causes) && b.accepted().accepts(kinds) {
			meant = append(meant, i)
			if _, ok := b.literals(); !ok {
				listedOnly = false
			}
		}
	}
	if listedOnly {
		return p.problem(keyword, p.mustBe(branches))
	}
	by := ""
	if p.value.Kind == Object {
		var objects []*subschema
		for _, i := range meant {
			objects = append(objects, branches[i])
		}
		if by = p.schema.discriminator; by == "" {
			by = discriminator(objects)
		}
	}
	suffix := ""
	if by != "" {
		var problem string
		if meant, problem = p.meantBy(by, branches, meant); problem != "" {
			list := p.problem(keyword, problem)
			list[0].Row = Pointer(p.path, by)
			return list
		}
		if v, ok := p.value.Get(by); ok {
			suffix = " for " + by + " " + bareWord(v)
		}
	} else if len(meant) == 1 {
		var others []*subschema
		for i, b := range branches {
			if i != meant[0] {
				others = append(others, b)
			}
		}
		if words := alternatives(others); len(words) > 0 {
			suffix = " (or " + listWords(words, "or") + ")"
		}
	}
	best := t.best(meant, causes)
	if best < 0 {
		return p.problem(keyword, p.mustBe(branches))
	}
	if len(meant) > 1 {
		suffix = " (as " + branchNames(branches)[best] + ")"
	}
	list := t.translate(causes[best])
	for i, sub := range list {
		if sub.Path == p.path {
			list[i].Keyword = keyword
			list[i].Message += suffix
		}
	}
	return list
}

// best is the branch with the fewest problems; -1 when there is none.
func (t *translator) best(meant []int, causes []*jsonschema.ValidationError) int {
	best, fewest := -1, 0
	for _, i := range meant {
		if n := len(t.translate(causes[i])); best < 0 || n < fewest {
			best, fewest = i, n
		}
	}
	return best
}

// meantBy keeps the branches that allow the value of the property that tells
// them apart.
func (p place) meantBy(by string, branches []*subschema, meant []int) (kept []int, problem string) {
	v, ok := p.value.Get(by)
	if !ok {
		return nil, by + " is required"
	}
	var values []Value
	for _, i := range meant {
		list := branches[i].valuesOf(by)
		values = append(values, list...)
		if list == nil || slices.ContainsFunc(list, v.Equal) {
			kept = append(kept, i)
		}
	}
	if kept == nil {
		return nil, by + " must be " + listWords(plainWords(values), "or")
	}
	return kept, ""
}

// mustBe lists what the branches want.
func (p place) mustBe(branches []*subschema) string {
	message := "must be " + listWords(alternatives(branches), "or")
	for _, b := range branches {
		if list, ok := b.literals(); ok && (len(list) > 1 || list[0].value.Kind != Null) {
			return message
		}
	}
	return message + ", is " + describe(p.value)
}

// alternatives gives the values or types that branches want, null last.
func alternatives(branches []*subschema) []string {
	var values []Value
	for _, b := range branches {
		list, _ := b.literals()
		for _, l := range list {
			values = append(values, l.value)
		}
	}
	written := plainWords(values)
	var words []string
	add := func(list ...string) {
		for _, w := range list {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	at := 0
	for _, b := range branches {
		if list, ok := b.literals(); ok {
			add(written[at : at+len(list)]...)
			at += len(list)
		} else if b.accepted() == typeObject && b.title != "" {
			add(cut(b.title))
		} else {
			add(typePhrases(b.accepted())...)
		}
	}
	if i := slices.Index(words, "null"); i >= 0 {
		words = append(slices.Delete(words, i, i+1), "null")
	}
	return words
}
