package schema

import (
	"slices"
	"strconv"
	"strings"
)

// node is what all subschemas that apply to one value say together: references
// followed, allOf merged, the null branch of a union taken as "nullable".
type node struct {
	owner *Schema
	spec  Spec
	// parts are the subschemas that must all hold, the outermost first.
	parts    []*subschema
	accepts  typeSet
	union    *union
	branches []*node
	forms    []merging // of the branches, made into nodes on demand

	props  []*property
	byName map[string]*property
	prefix []*node
	item   *node // of further rows; nil: none are allowed
	minLen int   // rows that a tuple must have
}

// property is one name of an object.
type property struct {
	name     string
	schemas  []*subschema
	required bool
	notes    []string
	node     *node // made on demand
}

// merging says which subschemas a node is made of.
type merging struct {
	seeds  []*subschema
	chosen *subschema // branch taken at the union of the seeds
	at     *union
	force  typeSet // 0: as the subschemas say
}

func (m merging) key() string {
	var b strings.Builder
	for _, s := range m.seeds {
		b.WriteString(strconv.Itoa(s.id) + ",")
	}
	if m.chosen != nil {
		b.WriteString("|" + strconv.Itoa(m.at.of.id) + m.at.keyword + strconv.Itoa(m.chosen.id))
	}
	return b.String() + "!" + strconv.Itoa(int(m.force))
}

// union is an anyOf or oneOf that leaves a choice.
type union struct {
	of       *subschema
	keyword  string
	branches []*subschema // without the one for null
}

// node gives the node of a set of subschemas, the same one for the same set.
func (s *Schema) node(m merging) *node {
	key := m.key()
	if n, ok := s.merged[key]; ok {
		return n
	}
	n := &node{owner: s}
	s.merged[key] = n
	n.merge(m)
	return n
}

func (n *node) merge(m merging) {
	var unions []*union
	seen := map[*subschema]bool{}
	var add func(s *subschema)
	add = func(s *subschema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		n.parts = append(n.parts, s)
		add(s.ref)
		for _, t := range s.allOf {
			add(t)
		}
		for _, u := range s.unions() {
			switch {
			case m.at != nil && u.of == m.at.of && u.keyword == m.at.keyword:
				add(m.chosen)
			case len(u.branches) == 1:
				add(u.branches[0])
			case len(u.branches) > 1:
				unions = append(unions, u)
			}
		}
	}
	n.accepts = typeAny
	for _, s := range m.seeds {
		n.accepts &= s.accepted()
		add(s)
	}
	if m.chosen != nil {
		n.accepts &= m.chosen.accepted()
	}
	if m.force != 0 {
		n.accepts &= m.force
	}
	n.describe()
	n.choose(m, unions)
	n.note(unions)
}

// unions gives the choices of s; branches that are unions themselves are
// taken apart.
func (s *subschema) unions() []*union {
	var list []*union
	for _, u := range []union{{s, "anyOf", s.anyOf}, {s, "oneOf", s.oneOf}} {
		if u.branches == nil {
			continue
		}
		real := make([]*subschema, 0, len(u.branches))
		for _, b := range u.branches {
			if b.accepted() == typeNull {
				continue
			}
			if inner := b.bareUnion(); inner != nil {
				real = append(real, inner...)
			} else {
				real = append(real, b)
			}
		}
		list = append(list, &union{s, u.keyword, real})
	}
	return list
}

// bareUnion gives the branches of a schema that is nothing but a union.
func (s *subschema) bareUnion() []*subschema {
	for range maxNesting {
		if s.ref == nil || len(s.raw.Members) > 1 {
			break
		}
		s = s.ref
	}
	if s.boolean != nil || s.types != 0 || s.ref != nil || s.allOf != nil || s.properties != nil || s.hasEnum || s.constant != nil {
		return nil
	}
	branches := s.anyOf
	if branches == nil {
		branches = s.oneOf
	} else if s.oneOf != nil {
		return nil
	}
	if _, ok := s.literals(); ok {
		return nil
	}
	return branches
}

// accepted gives the types that s may accept.
func (s *subschema) accepted() typeSet {
	if s.acceptedKnown {
		return s.acceptedTypes
	}
	s.acceptedKnown, s.acceptedTypes = true, typeAny // a loop adds nothing
	set := typeAny
	if s.boolean != nil && !*s.boolean {
		set = 0
	}
	if s.types != 0 {
		set &= s.types
	}
	if s.constant != nil {
		set &= typeOf(*s.constant)
	}
	if s.hasEnum {
		var kinds typeSet
		for _, v := range s.enum {
			kinds |= typeOf(v)
		}
		set &= kinds
	}
	if s.ref != nil {
		set &= s.ref.accepted()
	}
	for _, t := range s.allOf {
		set &= t.accepted()
	}
	for _, branches := range [][]*subschema{s.anyOf, s.oneOf} {
		if branches == nil {
			continue
		}
		var any typeSet
		for _, t := range branches {
			any |= t.accepted()
		}
		set &= any
	}
	s.acceptedTypes = set
	return set
}

// literal is a value that a schema lists, with its title.
type literal struct {
	value Value
	title string
}

// literals gives the values of a schema that allows only listed ones: enum,
// const, null, or a union of such schemas.
func (s *subschema) literals() ([]literal, bool) {
	if s.literalsKnown {
		return s.listed, s.listed != nil
	}
	s.literalsKnown = true
	var list []literal
	switch {
	case s.constant != nil:
		list = []literal{{*s.constant, s.title}}
	case s.hasEnum:
		list = make([]literal, 0, len(s.enum))
		for i, v := range s.enum {
			l := literal{value: v}
			if i < len(s.optionTitles) {
				l.title = s.optionTitles[i]
			} else if len(s.enum) == 1 {
				l.title = s.title
			}
			list = append(list, l)
		}
	case s.types == typeNull:
		list = []literal{{}}
	case s.ref != nil && len(s.allOf) == 0:
		list, _ = s.ref.literals()
	case len(s.allOf) == 1 && s.types == 0:
		list, _ = s.allOf[0].literals()
	default:
		branches := s.anyOf
		if branches == nil {
			branches = s.oneOf
		}
		seen := map[string]bool{}
		for _, b := range branches {
			of, ok := b.literals()
			if !ok {
				list = nil
				break
			}
			for _, l := range of {
				if key := l.value.JSON(); !seen[key] {
					seen[key] = true
					list = append(list, l)
				}
			}
		}
	}
	s.listed = list
	return list, list != nil
}

// child gives the node of a property, or of any further name of an object.
func (n *node) child(name string) *node {
	if p, ok := n.byName[name]; ok {
		return n.propertyNode(p)
	}
	return n.extra(name)
}

func (n *node) propertyNode(p *property) *node {
	if p.node == nil {
		if len(p.schemas) == 0 {
			p.node = n.extra(p.name)
		} else {
			p.node = n.owner.node(merging{seeds: p.schemas})
		}
	}
	return p.node
}

// extra gives the node of a name that the schema does not list.
func (n *node) extra(name string) *node {
	var schemas []*subschema
	for _, s := range n.parts {
		matched := false
		for _, p := range s.patterns {
			if p.matcher.MatchString(name) {
				matched = true
				schemas = append(schemas, p.schema)
			}
		}
		if !matched && s.additional != nil && !slices.ContainsFunc(s.properties, func(p named) bool { return p.name == name }) {
			schemas = append(schemas, s.additional)
		}
	}
	if schemas = slices.DeleteFunc(schemas, (*subschema).forbids); len(schemas) == 0 {
		return n.owner.anything()
	}
	return n.owner.node(merging{seeds: schemas})
}

func (s *subschema) forbids() bool { return s.boolean != nil && !*s.boolean }

// row gives the node of a place in an array.
func (n *node) row(i int) *node {
	if i < len(n.prefix) {
		return n.prefix[i]
	}
	if n.item != nil {
		return n.item
	}
	return n.owner.anything()
}

// sameShape reports whether two nodes have their rows from the same place in
// the document: a schema that contains itself does.
func (n *node) sameShape(m *node) bool { return n == m || n.shape() != nil && n.shape() == m.shape() }

func (n *node) shape() *subschema {
	for _, s := range n.parts {
		if s.properties != nil {
			return s
		}
	}
	return nil
}

// branch gives the node of one of the variants.
func (n *node) branch(i int) *node {
	if n.branches[i] == nil {
		n.branches[i] = n.owner.node(n.forms[i])
	}
	return n.branches[i]
}
