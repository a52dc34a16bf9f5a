package schema

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// describe takes what the parts say about the value: words from the outermost
// part that has them, of bounds the tightest.
func (n *node) describe() {
	sp := &n.spec
	for _, s := range n.parts {
		first := func(to *string, text string) {
			if *to == "" {
				*to = text
			}
		}
		first(&sp.Title, s.title)
		first(&sp.Description, s.description)
		first(&sp.Format, s.format)
		first(&sp.Pattern, s.pattern)
		first(&sp.MultipleOf, s.multipleOf)
		if sp.Default == nil {
			sp.Default = s.initial
		}
		if sp.Examples == nil {
			sp.Examples = s.examples
		}
		sp.ReadOnly = sp.ReadOnly || s.readOnly
		sp.Deprecated = sp.Deprecated || s.deprecated
		sp.Secret = sp.Secret || s.format == "password" || s.writeOnly
		sp.Base64 = sp.Base64 || s.encoding == "base64" || s.format == "byte" || s.format == "binary"
		if s.note != "" {
			n.addNote(s.note)
		}
	}
	sp.Nullable = n.accepts&typeNull != 0
}

// tighten takes the bounds that fit the control.
func (n *node) tighten() {
	sp := &n.spec
	low := func(bound string, open bool) {
		if bound == "" {
			return
		}
		if c := 1; sp.Min != "" {
			if c = CompareNumbers(bound, sp.Min); c < 0 || c == 0 && !open {
				return
			}
		}
		sp.Min, sp.OpenMin = bound, open
	}
	high := func(bound string, open bool) {
		if bound == "" {
			return
		}
		if c := -1; sp.Max != "" {
			if c = CompareNumbers(bound, sp.Max); c > 0 || c == 0 && !open {
				return
			}
		}
		sp.Max, sp.OpenMax = bound, open
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	for _, s := range n.parts {
		switch sp.Control {
		case ControlInteger, ControlNumber:
			low(s.minimum, false)
			low(s.above, true)
			high(s.maximum, false)
			high(s.below, true)
		case ControlText, ControlMultiline, ControlSecret:
			low(number(s.minLength), false)
			high(number(s.maxLength), false)
		case ControlList:
			low(number(s.minItems), false)
			high(number(s.maxItems), false)
		case ControlMap:
			low(number(s.minProperties), false)
			high(number(s.maxProperties), false)
		}
	}
}

// choose finds the control.
func (n *node) choose(m merging, unions []*union) {
	sp := &n.spec
	switch {
	case n.accepts == 0:
		sp.Control = ControlNone
		n.addNote("cannot be given")
	case n.chooseLiterals(), n.chooseVariant(m, unions):
	default:
		n.chooseType(m)
	}
	n.tighten()
	sp.Type = n.typeWords(0)
}

func (n *node) chooseLiterals() bool {
	var list []literal
	found := false
	for _, s := range n.parts {
		of, ok := s.literals()
		if !ok {
			continue
		}
		if !found {
			list, found = slices.Clone(of), true
			continue
		}
		list = slices.DeleteFunc(list, func(l literal) bool {
			if l.value.Kind == Null { // accepts knows whether null is allowed
				return false
			}
			return !slices.ContainsFunc(of, func(o literal) bool { return o.value.Equal(l.value) })
		})
	}
	if !found {
		return false
	}
	list = slices.DeleteFunc(list, func(l literal) bool { return !n.accepts.accepts(typeOf(l.value)) })
	sp := &n.spec
	titled := false
	sp.Nullable = false
	for _, l := range list {
		sp.Options = append(sp.Options, l.value)
		sp.Titles = append(sp.Titles, l.title)
		titled = titled || l.title != ""
		sp.Nullable = sp.Nullable || l.value.Kind == Null
	}
	if !titled || len(list) == 1 {
		sp.Titles = nil
	}
	switch len(list) {
	case 0:
		sp.Control = ControlNone
		n.addNote("cannot be given")
	case 1:
		sp.Control = ControlFixed
	default:
		sp.Control = ControlChoice
	}
	return true
}

func (n *node) chooseVariant(m merging, unions []*union) bool {
	if m.chosen != nil {
		return false
	}
	for _, u := range unions {
		if !slices.ContainsFunc(u.branches, (*subschema).hasShape) {
			continue
		}
		n.union = u
		for _, b := range u.branches {
			if b.accepted()&n.accepts != 0 {
				n.forms = append(n.forms, merging{seeds: m.seeds, chosen: b, at: u, force: n.accepts &^ typeNull})
			}
		}
		n.branches = make([]*node, len(n.forms))
		n.spec.Control = ControlVariant
		n.spec.Variants = n.variantNames()
		return true
	}
	return false
}

// hasShape tells a branch that says what a value is from one that only says
// which names must be there.
func (s *subschema) hasShape() bool {
	return s.types != 0 || s.properties != nil || s.ref != nil || s.allOf != nil || s.anyOf != nil || s.oneOf != nil ||
		s.hasEnum || s.constant != nil || s.items != nil || s.prefix != nil || s.additional != nil || s.patterns != nil ||
		s.pattern != "" || s.format != "" || s.title != ""
}

func (n *node) chooseType(m merging) {
	sp := &n.spec
	types := n.accepts &^ typeNull
	if types&typeNumber != 0 {
		types &^= typeInteger
	}
	if types == 0 { // only null
		sp.Control, sp.Options = ControlFixed, []Value{{}}
		return
	}
	if types == typeAny&^(typeNull|typeInteger) {
		types = n.guessType()
	}
	if bits.OnesCount8(uint8(types)) > 1 {
		if m.chosen != nil || m.force != 0 {
			sp.Control = ControlJSON
			return
		}
		n.splitTypes(m, types)
		return
	}
	switch types {
	case typeBoolean:
		sp.Control = ControlCheckbox
	case typeInteger:
		sp.Control = ControlInteger
	case typeNumber:
		sp.Control = ControlNumber
	case typeString:
		n.chooseText()
	case typeArray:
		n.chooseArray()
	case typeObject:
		n.chooseObject()
	default:
		sp.Control = ControlJSON
	}
}

// guessType reads from the other keywords what a schema without a type is
// about; 0 when they do not agree.
func (n *node) guessType() typeSet {
	var set typeSet
	for _, s := range n.parts {
		if s.properties != nil || s.additional != nil || s.patterns != nil || s.required != nil || s.names != nil || s.minProperties != nil || s.maxProperties != nil {
			set |= typeObject
		}
		if s.items != nil || s.prefix != nil || s.contains != nil || s.minItems != nil || s.maxItems != nil {
			set |= typeArray
		}
		if s.pattern != "" || s.minLength != nil || s.maxLength != nil || s.mediaType != "" || s.encoding != "" || s.format != "" {
			set |= typeString
		}
		if s.minimum != "" || s.maximum != "" || s.above != "" || s.below != "" || s.multipleOf != "" {
			set |= typeNumber
		}
	}
	if bits.OnesCount8(uint8(set)) > 1 {
		return 0
	}
	return set
}

// splitTypes makes a variant of a list of types, in the order published.
func (n *node) splitTypes(m merging, types typeSet) {
	var order []typeSet
	for _, s := range n.parts {
		if v, ok := s.raw.Get("type"); ok {
			for _, item := range v.Items {
				t := typeNamed(item.Text)
				if t&typeNumber != 0 {
					t = typeNumber
				}
				if t&types != 0 && !slices.Contains(order, t) {
					order = append(order, t)
				}
			}
		}
	}
	for t := typeNull; t <= typeObject; t <<= 1 {
		if t&types != 0 && !slices.Contains(order, t) {
			order = append(order, t)
		}
	}
	for _, t := range order {
		if t == typeNumber && n.accepts&typeInteger != 0 {
			t |= typeInteger
		}
		n.forms = append(n.forms, merging{seeds: m.seeds, force: t})
		n.spec.Variants = append(n.spec.Variants, typeWord(t))
	}
	n.branches = make([]*node, len(n.forms))
	n.spec.Control = ControlVariant
}

// longText is the maxLength from which a text gets several lines.
const longText = 500

func (n *node) chooseText() {
	sp := &n.spec
	sp.Control = ControlText
	for _, s := range n.parts {
		switch {
		case s.format == "password":
			sp.Control = ControlSecret
			return
		case s.format == "date":
			sp.Control = ControlDate
			return
		case s.format == "date-time":
			sp.Control = ControlDatetime
			return
		case s.format == "multiline", s.format == "textarea", s.format == "markdown",
			s.mediaType != "" && s.encoding == "" && !sp.Base64,
			s.maxLength != nil && *s.maxLength >= longText:
			sp.Control = ControlMultiline
		}
	}
	if sp.Base64 {
		sp.Control = ControlText
		n.addNote("may be filled from a file")
	}
}

func (n *node) chooseArray() {
	sp := &n.spec
	sp.Control = ControlList
	open := true
	for _, s := range n.parts {
		if s.prefix != nil && n.prefix == nil {
			for _, p := range s.prefix {
				n.prefix = append(n.prefix, n.owner.node(merging{seeds: []*subschema{p}}))
			}
		}
		if s.items != nil {
			if s.items.forbids() {
				open = false
			} else if n.item == nil {
				n.item = n.owner.node(merging{seeds: []*subschema{s.items}})
			}
		}
		if s.minItems != nil {
			n.minLen = max(n.minLen, *s.minItems)
		}
		if s.maxItems != nil && n.prefix != nil && *s.maxItems <= len(n.prefix) {
			open = false
		}
	}
	if n.item == nil && open {
		n.item = n.owner.anything()
	}
	if !open {
		n.item = nil
		if n.prefix != nil {
			sp.Control, sp.Tuple = ControlGroup, true
		}
	}
	if n.prefix != nil && open {
		n.addNote(n.prefixWords())
	}
}

func (n *node) chooseObject() {
	sp := &n.spec
	n.readProperties()
	schemed := false
	for _, s := range n.parts {
		if s.additional != nil || s.unevalProps != nil {
			a := s.additional
			if a == nil {
				a = s.unevalProps
			}
			switch {
			case a.forbids():
				sp.Closed = true
			case a.boolean == nil:
				schemed = true
			}
		}
		schemed = schemed || s.patterns != nil
	}
	if schemed && slices.ContainsFunc(n.parts, func(s *subschema) bool { return s.patterns != nil }) {
		sp.Closed = false
	}
	switch {
	case len(n.props) > 0:
		sp.Control = ControlGroup
	case schemed:
		sp.Control = ControlMap
	case sp.Closed:
		sp.Control = ControlGroup
	default:
		sp.Control = ControlJSON
	}
}

// readProperties lists the names in the order of their first mention, be it
// under properties or under required.
func (n *node) readProperties() {
	n.byName = map[string]*property{}
	mention := func(name string) *property {
		p, ok := n.byName[name]
		if !ok {
			p = &property{name: name}
			n.byName[name] = p
			n.props = append(n.props, p)
		}
		return p
	}
	for _, s := range n.parts {
		for _, m := range s.properties {
			p := mention(m.name)
			p.schemas = append(p.schemas, m.schema)
		}
		for _, name := range s.required {
			mention(name).required = true
		}
	}
	n.readConditions(mention)
}

// anything is the node of a value that the schema says nothing about.
func (s *Schema) anything() *node {
	if s.free == nil {
		s.free = &node{owner: s, accepts: typeAny, spec: Spec{Control: ControlJSON, Nullable: true, Type: "any JSON"}}
	}
	return s.free
}

func (n *node) addNote(text string) {
	if text != "" && !strings.Contains(n.spec.Note, text) {
		if n.spec.Note != "" {
			n.spec.Note += "; "
		}
		n.spec.Note += text
	}
}
