package schema

import (
	"strconv"
)

// subschema is one schema of a document with its keywords read and its
// references resolved. All drafts are read into the words of 2020-12.
type subschema struct {
	id      int    // place in graph.nodes
	pointer string // place in the document
	parent  *subschema
	via     string // keyword of the parent that holds this one
	step    bool   // it judges a part of what the parent judges, not the same value
	base    *subschema
	raw     Value

	boolean *bool // the schemas true and false

	refText string
	ref     *subschema

	types     typeSet // 0: the keyword is missing
	enum      []Value
	hasEnum   bool
	constant  *Value
	allOf     []*subschema
	anyOf     []*subschema
	oneOf     []*subschema
	not       *subschema
	ifs       *subschema
	then      *subschema
	otherwise *subschema

	properties  []named
	patterns    []named
	additional  *subschema
	names       *subschema
	required    []string
	dependsOn   []dependency
	dependents  []named
	unevalProps *subschema

	prefix      []*subschema
	items       *subschema
	contains    *subschema
	unevalItems *subschema
	unique      bool

	minimum, maximum, above, below, multipleOf string // number tokens
	minLength, maxLength                       *int
	minItems, maxItems                         *int
	minContains, maxContains                   *int
	minProperties, maxProperties               *int
	pattern                                    string
	matcher                                    *matcher

	title, description, format string
	mediaType, encoding        string
	initial                    *Value // the keyword default
	examples                   []Value
	optionTitles               []string
	discriminator              string
	nullable                   bool // the OpenAPI word
	readOnly, writeOnly        bool
	deprecated                 bool

	note      string   // why this is not what the server meant
	unchecked []string // why keywords that were meant to refuse values do not

	acceptedTypes typeSet // answers that were worked out once
	acceptedKnown bool
	listed        []literal
	literalsKnown bool
	index         map[string]*subschema
}

// byName gives the schemas of the listed properties.
func (s *subschema) byName() map[string]*subschema {
	if s.index == nil {
		s.index = make(map[string]*subschema, len(s.properties))
		for _, p := range s.properties {
			s.index[p.name] = p.schema
		}
	}
	return s.index
}

type named struct {
	name    string
	schema  *subschema
	matcher *matcher // when the name is a pattern
}

type dependency struct {
	name     string
	required []string
}

// typeSet is a set of JSON Schema types.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
	typeAny = typeNull | typeBoolean | typeInteger | typeNumber | typeString | typeArray | typeObject
)

func typeNamed(name string) typeSet {
	switch name {
	case "null":
		return typeNull
	case "boolean":
		return typeBoolean
	case "integer":
		return typeInteger
	case "number":
		return typeNumber | typeInteger
	case "string":
		return typeString
	case "array":
		return typeArray
	case "object":
		return typeObject
	}
	return 0
}

// typeOf gives the types that a value has: a whole number has two.
func typeOf(v Value) typeSet {
	switch v.Kind {
	case Null:
		return typeNull
	case Bool:
		return typeBoolean
	case Number:
		if WholeNumber(v.Text) {
			return typeNumber | typeInteger
		}
		return typeNumber
	case String:
		return typeString
	case Array:
		return typeArray
	}
	return typeObject
}

// accepts reports whether a value of the given types has one of the set.
func (t typeSet) accepts(of typeSet) bool {
	if of&typeNumber != 0 && t&typeNumber == 0 {
		return t&typeInteger != 0 && of&typeInteger != 0
	}
	return t&of != 0
}

// graph is a schema document read into subschemas.
type graph struct {
	doc     Value
	draft   int // 4, 6, 7, 2019, 2020
	root    *subschema
	nodes   []*subschema
	at      map[string]*subschema // by pointer
	named   map[string]*subschema // by $id and by $id#anchor
	notes   []Note
	foreign string // a $schema that nobody here knows
	tooMuch string // why the document was not read to its end
	refs    []*subschema

	unevaluated bool // unevaluatedItems is used somewhere
}

// Note is something odd about a schema, with the place in the document.
type Note struct {
	Pointer string
	Text    string
}

func readGraph(doc Value) *graph {
	g := &graph{doc: doc, draft: 2020, at: map[string]*subschema{}, named: map[string]*subschema{}}
	if v, ok := doc.Get("$schema"); ok {
		g.readDraft(v)
	}
	g.root = g.read(doc, "", nil, "", false, 0)
	g.resolve()
	return g
}

func (g *graph) noteAt(pointer, text string) {
	g.notes = append(g.notes, Note{Pointer: pointer, Text: text})
}

// read reads the schema at a place and everything below it.
func (g *graph) read(v Value, pointer string, parent *subschema, via string, step bool, depth int) *subschema {
	if s, ok := g.at[pointer]; ok {
		return s
	}
	s := &subschema{id: len(g.nodes), pointer: pointer, parent: parent, via: via, step: step, raw: v}
	if len(g.nodes) >= maxNodes || depth > maxNesting {
		if g.tooMuch == "" {
			g.tooMuch = "the schema has more than " + strconv.Itoa(maxNodes) + " parts"
			if depth > maxNesting {
				g.tooMuch = "the schema is nested deeper than " + strconv.Itoa(maxNesting) + " levels"
			}
			g.noteAt(pointer, g.tooMuch)
		}
		return &subschema{id: -1, pointer: pointer, parent: parent, via: via, boolean: new(true), note: g.tooMuch}
	}
	g.nodes = append(g.nodes, s)
	g.at[pointer] = s
	s.base = s
	if parent != nil {
		s.base = parent.base
	}
	switch v.Kind {
	case Bool:
		s.boolean = new(v.IsTrue())
	case Object:
		r := reader{g: g, s: s, depth: depth}
		r.keywords()
	default:
		g.noteAt(pointer, "a schema must be an object, true or false, this is "+describe(v))
		s.boolean = new(true)
		s.note = "finding: the schema is " + describe(v)
	}
	return s
}
