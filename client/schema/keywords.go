package schema

import (
	"slices"
	"strconv"
	"strings"
)

// reader reads the keywords of one subschema. What is no use is left out and
// noted: a wrong keyword never takes the rest of the schema down with it.
type reader struct {
	g     *graph
	s     *subschema
	depth int
}

// note tells of a keyword that could not be used, and so refuses nothing.
func (r *reader) note(keyword, text string) {
	r.g.noteAt(Pointer(r.s.pointer, keyword), text)
	r.s.unchecked = append(r.s.unchecked, strings.TrimPrefix(text, "not checked: "))
}

func (r *reader) wrong(keyword, wanted string, v Value) {
	r.note(keyword, keyword+" must be "+wanted+", is "+describe(v))
}

// keywords walks the members in their order, so that notes and nodes follow
// the document; of duplicates the last counts.
func (r *reader) keywords() {
	s := r.s
	if id, ok := r.text("$id"); ok && s.parent != nil && !strings.HasPrefix(id, "#") {
		s.base = s
	}
	if r.g.draft <= 7 {
		if ref, ok := s.raw.Get("$ref"); ok && ref.Kind == String {
			r.annotations()
			r.definitions()
			r.reference("$ref")
			return
		}
	}
	r.annotations()
	r.definitions()
	r.reference("$ref")
	if s.refText == "" {
		r.reference("$dynamicRef")
	}
	if s.refText == "" {
		r.reference("$recursiveRef")
	}
	r.values()
	r.numbers()
	r.objects()
	r.arrays()
	s.allOf, s.anyOf, s.oneOf = r.schemas("allOf"), r.schemas("anyOf"), r.schemas("oneOf")
	s.not, s.ifs = r.schema("not", false), r.schema("if", false)
	if s.ifs != nil {
		s.then, s.otherwise = r.schema("then", false), r.schema("else", false)
	}
}

func (r *reader) get(keyword string) (Value, bool) { return r.s.raw.Get(keyword) }

func (r *reader) text(keyword string) (string, bool) {
	v, ok := r.get(keyword)
	if !ok || v.Kind != String {
		return "", false
	}
	return v.Text, true
}

func (r *reader) annotations() {
	s := r.s
	s.title, _ = r.text("title")
	s.description, _ = r.text("description")
	s.format, _ = r.text("format")
	s.mediaType, _ = r.text("contentMediaType")
	s.encoding, _ = r.text("contentEncoding")
	if v, ok := r.get("default"); ok {
		s.initial = &v
	}
	if v, ok := r.get("examples"); ok && v.Kind == Array {
		s.examples = v.Items
	}
	if v, ok := r.get("example"); ok {
		s.examples = append(s.examples, v)
	}
	for _, keyword := range []string{"enumNames", "x-enumNames", "x-enum-varnames"} {
		if v, ok := r.get(keyword); ok && v.Kind == Array && s.optionTitles == nil {
			for _, item := range v.Items {
				s.optionTitles = append(s.optionTitles, item.Text)
			}
		}
	}
	if v, ok := r.get("discriminator"); ok {
		if name, ok := v.Get("propertyName"); ok && name.Kind == String {
			s.discriminator = name.Text
		}
	}
	s.nullable, s.readOnly = r.isTrue("nullable"), r.isTrue("readOnly")
	s.writeOnly, s.deprecated = r.isTrue("writeOnly"), r.isTrue("deprecated")
}

func (r *reader) isTrue(keyword string) bool {
	v, ok := r.get(keyword)
	return ok && v.IsTrue()
}

// definitions reads what other parts refer to.
func (r *reader) definitions() {
	s, g := r.s, r.g
	for _, keyword := range []string{"$id", "id"} {
		if id, ok := r.text(keyword); ok && (keyword == "$id" || g.draft == 4) {
			if name, found := strings.CutPrefix(id, "#"); found {
				g.named["#"+name] = s
			} else {
				g.named[strings.TrimSuffix(id, "#")] = s
			}
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := r.text(keyword); ok {
			g.named["#"+name] = s
		}
	}
	r.named("$defs", false)
	r.named("definitions", false)
}

func (r *reader) reference(keyword string) {
	v, ok := r.get(keyword)
	if !ok {
		return
	}
	if v.Kind != String {
		r.wrong(keyword, "text", v)
		return
	}
	r.s.refText = v.Text
	r.g.refs = append(r.g.refs, r.s)
}

func (r *reader) values() {
	s := r.s
	if v, ok := r.get("type"); ok {
		s.types = r.typesOf(v)
	}
	if v, ok := r.get("enum"); ok {
		if v.Kind == Array {
			s.enum, s.hasEnum = v.Items, true
			if len(v.Items) == 0 {
				r.g.noteAt(Pointer(s.pointer, "enum"), "enum is empty: no value is allowed")
			}
		} else {
			r.wrong("enum", "a list", v)
		}
	}
	if v, ok := r.get("const"); ok {
		s.constant = &v
	}
	if v, ok := r.get("pattern"); ok {
		if v.Kind == String {
			s.pattern = v.Text
			s.matcher = r.matcher("pattern", v.Text)
		} else {
			r.wrong("pattern", "text", v)
		}
	}
}

func (r *reader) typesOf(v Value) typeSet {
	list := v.Items
	switch v.Kind {
	case String:
		list = []Value{v}
	case Array:
	default:
		r.note("type", "type must be text or a list, is "+describe(v))
		return 0
	}
	var set typeSet
	for _, item := range list {
		t := typeNamed(item.Text)
		switch {
		case item.Kind != String:
			r.note("type", "type must be text or a list of texts")
			return 0
		case t == 0:
			r.note("type", "type "+quote(item.Text)+" is unknown")
			return 0 // a type that is not understood must not refuse anything
		}
		set |= t
	}
	return set
}

func (r *reader) matcher(keyword, pattern string) *matcher {
	m, err := newMatcher(pattern)
	if err != nil {
		r.note(keyword, "not checked: "+err.Error())
		return nil
	}
	return m
}

func (r *reader) numbers() {
	s := r.s
	s.minimum, s.maximum = r.number("minimum"), r.number("maximum")
	s.above, s.below = r.exclusive("exclusiveMinimum", &s.minimum), r.exclusive("exclusiveMaximum", &s.maximum)
	if s.multipleOf = r.number("multipleOf"); s.multipleOf != "" && CompareNumbers(s.multipleOf, "0") <= 0 {
		r.note("multipleOf", "multipleOf must be greater than 0")
		s.multipleOf = ""
	}
	s.minLength, s.maxLength = r.count("minLength"), r.count("maxLength")
	s.minItems, s.maxItems = r.count("minItems"), r.count("maxItems")
	s.minContains, s.maxContains = r.count("minContains"), r.count("maxContains")
	s.minProperties, s.maxProperties = r.count("minProperties"), r.count("maxProperties")
}

func (r *reader) number(keyword string) string {
	v, ok := r.get(keyword)
	if !ok {
		return ""
	}
	if v.Kind != Number {
		r.wrong(keyword, "a number", v)
		return ""
	}
	if reason := tooLarge(v.Text); reason != "" {
		r.note(keyword, "not checked: "+reason)
		return ""
	}
	return v.Text
}

// exclusive reads a bound that draft 04 and OpenAPI write as true beside the
// inclusive one, which it then takes over.
func (r *reader) exclusive(keyword string, inclusive *string) string {
	v, ok := r.get(keyword)
	if !ok {
		return ""
	}
	if v.Kind == Bool {
		if v.IsFalse() {
			return ""
		}
		bound := *inclusive
		*inclusive = ""
		return bound
	}
	return r.number(keyword)
}

func (r *reader) count(keyword string) *int {
	token := r.number(keyword)
	if token == "" {
		return nil
	}
	d := parseDecimal(token)
	if !WholeNumber(token) || d.neg {
		r.note(keyword, keyword+" must be a whole number from 0, is "+token)
		return nil
	}
	// More than a billion characters or rows mean "no bound" just as well.
	n := 1 << 30
	if CompareNumbers(token, strconv.Itoa(n)) < 0 {
		n = 0
		for i := range int(d.exponent().Int64()) {
			n *= 10
			if i < len(d.digits) {
				n += int(d.digits[i] - '0')
			}
		}
	}
	return &n
}

func (r *reader) objects() {
	s := r.s
	s.properties = r.named("properties", true)
	for _, p := range r.named("patternProperties", true) {
		if p.matcher = r.matcher("patternProperties", p.name); p.matcher != nil {
			s.patterns = append(s.patterns, p)
		}
	}
	s.additional = r.schema("additionalProperties", true)
	s.names = r.schema("propertyNames", true)
	s.unevalProps = r.schema("unevaluatedProperties", true)
	s.required = r.texts("required")
	s.dependents = r.named("dependentSchemas", false)
	for _, keyword := range []string{"dependentRequired", "dependencies"} {
		v, ok := r.get(keyword)
		if !ok {
			continue
		}
		if v.Kind != Object {
			r.wrong(keyword, "an object", v)
			continue
		}
		for _, m := range v.Members {
			place := Pointer(Pointer(s.pointer, keyword), m.Name)
			if m.Value.Kind == Array {
				s.dependsOn = append(s.dependsOn, dependency{m.Name, r.textsOf(keyword, m.Value)})
			} else if keyword == "dependencies" {
				s.dependents = append(s.dependents, named{name: m.Name, schema: r.g.read(m.Value, place, s, keyword, false, r.depth+1)})
			}
		}
	}
}

func (r *reader) texts(keyword string) []string {
	v, ok := r.get(keyword)
	if !ok {
		return nil
	}
	if v.Kind != Array {
		// "required": true on a property is how draft 03 said it.
		r.wrong(keyword, "a list of names", v)
		return nil
	}
	return r.textsOf(keyword, v)
}

func (r *reader) textsOf(keyword string, v Value) []string {
	var texts []string
	for _, item := range v.Items {
		if item.Kind != String {
			r.note(keyword, keyword+" must be a list of names, holds "+describe(item))
		} else if !slices.Contains(texts, item.Text) {
			texts = append(texts, item.Text)
		}
	}
	return texts
}

func (r *reader) arrays() {
	s := r.s
	s.prefix = r.schemas("prefixItems")
	for _, p := range s.prefix {
		p.step = true
	}
	items, ok := r.get("items")
	if ok && items.Kind == Array { // a tuple before 2020-12
		s.prefix = r.schemas("items")
		for _, p := range s.prefix {
			p.step = true
		}
		s.items = r.schema("additionalItems", true)
	} else {
		s.items = r.schema("items", true)
	}
	s.contains = r.schema("contains", true)
	s.unevalItems = r.schema("unevaluatedItems", true)
	r.g.unevaluated = r.g.unevaluated || s.unevalItems != nil
	s.unique = r.isTrue("uniqueItems")
}

func (r *reader) schema(keyword string, step bool) *subschema {
	v, ok := r.get(keyword)
	if !ok {
		return nil
	}
	return r.g.read(v, Pointer(r.s.pointer, keyword), r.s, keyword, step, r.depth+1)
}

func (r *reader) schemas(keyword string) []*subschema {
	v, ok := r.get(keyword)
	if !ok {
		return nil
	}
	if v.Kind != Array {
		r.wrong(keyword, "a list of schemas", v)
		return nil
	}
	var list []*subschema
	place := Pointer(r.s.pointer, keyword)
	for i, item := range v.Items {
		list = append(list, r.g.read(item, Pointer(place, strconv.Itoa(i)), r.s, keyword, false, r.depth+1))
	}
	return list
}

// named reads a keyword that holds schemas by name; of duplicates the last.
func (r *reader) named(keyword string, step bool) []named {
	v, ok := r.get(keyword)
	if !ok {
		return nil
	}
	if v.Kind != Object {
		r.wrong(keyword, "an object", v)
		return nil
	}
	place := Pointer(r.s.pointer, keyword)
	var last map[string]int
	if len(v.Members) > 1 {
		last = lastMembers(v.Members)
	}
	list := make([]named, 0, len(v.Members))
	for i, m := range v.Members {
		if last == nil || last[m.Name] == i {
			list = append(list, named{name: m.Name, schema: r.g.read(m.Value, Pointer(place, m.Name), r.s, keyword, step, r.depth+1)})
		}
	}
	return list
}
