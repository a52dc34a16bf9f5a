package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"
)

// engine is a graph as the validation library has it. The library's structures
// are filled in directly: its compiler takes quadratic time, refuses a whole
// schema for one odd keyword and can be made to panic. This is the only file,
// with sentence.go, that knows the library.
type engine struct {
	mu      sync.Mutex // one check at a time: spent belongs to it
	root    *jsonschema.Schema
	schemas []*jsonschema.Schema // by subschema.id
	spent   expiry
	reason  string // why nothing is checked; "" when things are
}

func newEngine(g *graph) *engine {
	e := &engine{schemas: make([]*jsonschema.Schema, len(g.nodes)), reason: g.tooMuch}
	if g.foreign != "" && e.reason == "" {
		e.reason = "dialect " + g.foreign + " is not supported"
	}
	if e.reason != "" {
		return e
	}
	for i, s := range g.nodes {
		e.schemas[i] = &jsonschema.Schema{DraftVersion: newestDraft, Location: strconv.Itoa(s.id)}
	}
	for i, s := range g.nodes {
		if problem := e.fill(g, e.schemas[i], s); problem != "" {
			g.noteAt(s.pointer, problem)
		}
	}
	e.root = e.schemas[g.root.id]
	return e
}

// newestDraft is the dialect that graphs are read into.
const newestDraft = 2020

func (e *engine) fill(g *graph, to *jsonschema.Schema, s *subschema) (problem string) {
	if s.boolean != nil {
		to.Bool = s.boolean
		return ""
	}
	to.Types = libraryTypes(s.types)
	to.Ref = e.of(s.ref)
	to.AllOf, to.AnyOf, to.OneOf = e.list(s.allOf), e.list(s.anyOf), e.list(s.oneOf)
	to.Not, to.If, to.Then, to.Else = e.of(s.not), e.of(s.ifs), e.of(s.then), e.of(s.otherwise)
	to.Properties = e.names(s.properties)
	if s.additional != nil {
		if to.AdditionalProperties = any(e.of(s.additional)); s.additional.boolean != nil {
			to.AdditionalProperties = *s.additional.boolean
		}
	}
	for _, p := range s.patterns {
		if err := p.matcher.compile(); err != nil {
			problem = "not checked: " + err.Error()
			continue
		}
		if to.PatternProperties == nil {
			to.PatternProperties = map[jsonschema.Regexp]*jsonschema.Schema{}
		}
		to.PatternProperties[timed{p.matcher, &e.spent}] = e.of(p.schema)
	}
	to.UnevaluatedProperties, to.UnevaluatedItems = e.of(s.unevalProps), e.of(s.unevalItems)
	to.Required = s.required
	for _, d := range s.dependsOn {
		if to.DependentRequired == nil {
			to.DependentRequired = map[string][]string{}
		}
		to.DependentRequired[d.name] = d.required
	}
	to.DependentSchemas = e.names(s.dependents)
	to.PrefixItems, to.Items2020, to.Contains = e.list(s.prefix), e.of(s.items), e.of(s.contains)
	to.UniqueItems = s.unique
	to.MinItems, to.MaxItems, to.MinContains, to.MaxContains = s.minItems, s.maxItems, s.minContains, s.maxContains
	to.MinLength, to.MaxLength = s.minLength, s.maxLength
	to.MinProperties, to.MaxProperties = s.minProperties, s.maxProperties
	to.Minimum, to.Maximum = rational(s.minimum), rational(s.maximum)
	to.ExclusiveMinimum, to.ExclusiveMaximum = rational(s.above), rational(s.below)
	to.MultipleOf = rational(s.multipleOf)
	if s.matcher != nil {
		if err := s.matcher.compile(); err != nil {
			problem = "not checked: " + err.Error()
		} else {
			to.Pattern = timed{s.matcher, &e.spent}
		}
	}
	if s.hasEnum {
		to.Extensions = append(to.Extensions, listed{values: libraryValues(s.enum), kind: &enumKind{"enum"}})
	}
	if s.constant != nil {
		to.Extensions = append(to.Extensions, listed{values: libraryValues([]Value{*s.constant}), kind: &enumKind{"const"}})
	}
	if g.unevaluated && (s.prefix != nil || s.items != nil) {
		to.Extensions = append(to.Extensions, judged{len(s.prefix), s.items != nil})
	}
	if s.names != nil {
		to.Extensions = append(to.Extensions, propertyNames{e.of(s.names)})
	}
	return problem
}

func (e *engine) of(s *subschema) *jsonschema.Schema {
	if s == nil || s.id < 0 {
		return nil
	}
	return e.schemas[s.id]
}

func (e *engine) list(of []*subschema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	for _, s := range of {
		list = append(list, e.of(s))
	}
	return list
}

func (e *engine) names(of []named) map[string]*jsonschema.Schema {
	if of == nil {
		return nil
	}
	m := make(map[string]*jsonschema.Schema, len(of))
	for _, p := range of {
		m[p.name] = e.of(p.schema)
	}
	return m
}

func libraryTypes(set typeSet) *jsonschema.Types {
	if set == 0 {
		return nil
	}
	types := new(jsonschema.Types)
	for t := typeNull; t <= typeObject; t <<= 1 {
		if set&t != 0 {
			types.Add(libraryType(t))
		}
	}
	return types
}

func libraryType(t typeSet) string {
	for _, name := range []string{"null", "boolean", "integer", "string", "array", "object"} {
		if typeNamed(name) == t {
			return name
		}
	}
	return "number"
}

func rational(token string) *big.Rat {
	if token == "" {
		return nil
	}
	r, _ := new(big.Rat).SetString(token)
	return r
}

// tooLarge says why no arithmetic is done with a number; "" when it is.
func tooLarge(token string) string {
	if len(token) > maxNumberLen {
		return fmt.Sprintf("a number of %d digits", len(token))
	}
	if i := strings.IndexAny(token, "eE"); i >= 0 && len(strings.TrimLeft(token[i+1:], "+-0")) > maxExponentLen {
		return "the exponent of " + cut(token) + " is too large"
	}
	return ""
}

// libraryValue gives a value as the library takes it. A number that is too
// large for arithmetic is replaced by one that lies on the same side of every
// bound, and reported.
func libraryValue(v Value, path string, replaced func(path, reason string)) any {
	switch v.Kind {
	case Bool:
		return v.IsTrue()
	case Number:
		if reason := tooLarge(v.Text); reason != "" {
			replaced(path, reason)
			return standIn(v.Text)
		}
		return json.Number(v.Text)
	case String:
		return strings.ToValidUTF8(v.Text, "\uFFFD")
	case Array:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = libraryValue(item, Pointer(path, strconv.Itoa(i)), replaced)
		}
		return list
	case Object:
		m := make(map[string]any, len(v.Members))
		for _, member := range v.Members {
			m[member.Name] = libraryValue(member.Value, Pointer(path, member.Name), replaced)
		}
		return m
	}
	return nil
}

func standIn(token string) json.Number {
	d := parseDecimal(token)
	sign := ""
	if d.neg {
		sign = "-"
	}
	switch {
	case d.digits == "":
		return "0"
	case d.exponent().Sign() > 0:
		return json.Number(sign + "1e9999")
	}
	return json.Number(sign + "1e-9999")
}

func libraryValues(values []Value) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = libraryValue(v, "", func(string, string) {})
	}
	return list
}

// timed is a pattern that charges its time to the check that is running.
type timed struct {
	m     *matcher
	spent *expiry
}

func (t timed) MatchString(text string) bool { return t.m.match(text, t.spent) }
func (t timed) String() string               { return t.m.source }

// listed is enum and const. The library's own enum cannot be filled in from
// outside, its const would end the judgement of the value.
type listed struct {
	values []any
	kind   *enumKind
}

func (l listed) Validate(ctx *jsonschema.ValidatorContext, v any) {
	if !slices.ContainsFunc(l.values, func(want any) bool { same, err := ctx.Equals(v, want); return same && err == nil }) {
		ctx.AddError(l.kind)
	}
}

// judged tells the library which rows unevaluatedItems does not concern; it
// knows from its own compiler only.
type judged struct {
	prefix int
	all    bool
}

func (j judged) Validate(ctx *jsonschema.ValidatorContext, v any) {
	list, _ := v.([]any)
	for i := range list {
		if j.all || i < j.prefix {
			ctx.EvaluatedItem(i)
		}
	}
}

type enumKind struct{ keyword string }

func (k *enumKind) KeywordPath() []string                   { return []string{k.keyword} }
func (k *enumKind) LocalizedString(*message.Printer) string { return k.keyword }

// propertyNames replaces the library's, which reports places that later
// siblings overwrite.
type propertyNames struct{ schema *jsonschema.Schema }

func (p propertyNames) Validate(ctx *jsonschema.ValidatorContext, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	for name := range object {
		if err := p.schema.Validate(name); err != nil {
			ctx.AddError(&nameKind{name: name, err: err.(*jsonschema.ValidationError)})
		}
	}
}

type nameKind struct {
	name string
	err  *jsonschema.ValidationError
}

func (k *nameKind) KeywordPath() []string                   { return []string{"propertyNames"} }
func (k *nameKind) LocalizedString(*message.Printer) string { return "propertyNames" }

// check runs the library and gives its errors, the outermost ones.
func (e *engine) check(v any) (errors []*jsonschema.ValidationError, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the validator failed: %v", fault)
		}
	}()
	failed := e.root.Validate(v)
	if failed == nil {
		return nil, nil
	}
	return failed.(*jsonschema.ValidationError).Causes, nil
}

// evaluations counts how often subschemas are applied to parts of a value, and
// stops counting at the bound.
func (s *subschema) evaluations(v Value, n *int) {
	if *n++; *n > maxEvaluations || s.id < 0 {
		return
	}
	for _, t := range s.inPlace() {
		t.evaluations(v, n)
	}
	each := func(t *subschema, v Value) {
		if t != nil && *n <= maxEvaluations {
			t.evaluations(v, n)
		}
	}
	switch v.Kind {
	case Array:
		for i, item := range v.Items {
			if i < len(s.prefix) {
				each(s.prefix[i], item)
			} else {
				each(s.items, item)
			}
			each(s.contains, item)
			each(s.unevalItems, item)
		}
	case Object:
		if s.properties == nil && s.patterns == nil && s.additional == nil && s.unevalProps == nil && s.names == nil {
			return
		}
		known := s.byName()
		for _, m := range v.Members {
			p, ok := known[m.Name]
			if ok {
				each(p, m.Value)
			} else {
				each(s.additional, m.Value)
			}
			for _, p := range s.patterns {
				each(p.schema, m.Value)
			}
			each(s.unevalProps, m.Value)
			each(s.names, Text(m.Name))
		}
	}
}
