package schema

import (
	"slices"
	"strings"
	"sync"
)

// Schema is what a server published for the arguments or the result of a tool.
// Reading and compiling happen on first need; a Schema may be used by several
// goroutines.
type Schema struct {
	raw    []byte
	result bool // describes a result: any kind of value may stand at the root

	mu     sync.Mutex
	graph  *graph
	root   *node
	notes  []Note
	merged map[string]*node
	free   *node
	engine *engine
}

// Compile takes an inputSchema as it was sent; nil means that there was none.
// It never fails: what is odd about the schema is told by Notes and on the
// rows, and everything else works.
func Compile(raw []byte) *Schema { return &Schema{raw: raw} }

// CompileOutput is Compile for an outputSchema. A missing one and null mean
// that nothing is asked of the result.
func CompileOutput(raw []byte) *Schema { return &Schema{raw: raw, result: true} }

// Notes tells what is odd about the schema, in the order of the document.
func (s *Schema) Notes() []Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	return slices.Clone(s.notes)
}

// open reads the document; callers hold mu.
func (s *Schema) open() {
	if s.graph != nil {
		return
	}
	s.merged = map[string]*node{}
	doc, problem := s.parse()
	s.graph = readGraph(doc)
	s.root = s.node(merging{seeds: []*subschema{s.graph.root}})
	if !s.result {
		s.root = s.root.asArguments()
	}
	s.notes = s.graph.notes
	if problem != "" {
		if s.raw != nil && doc.IsTrue() && !strings.HasSuffix(problem, " is null") {
			s.graph.root.note = "finding: " + problem
		}
		s.notes = append([]Note{{Text: problem}}, s.notes...)
	}
	if !s.result && problem == "" {
		if t, ok := doc.Get("type"); doc.Kind == Object && (!ok || t.Text != "object") {
			s.notes = append([]Note{{Text: "inputSchema must have type object"}}, s.notes...)
		}
	}
}

// asArguments makes a group of a root that asks for nothing in particular:
// arguments are always an object.
func (n *node) asArguments() *node {
	if n.accepts&typeObject == 0 {
		n.addNote("finding: the schema does not describe an object")
		return n
	}
	if n.spec.Control != ControlJSON {
		return n
	}
	group := *n
	group.spec.Control = ControlGroup
	group.byName = map[string]*property{}
	return &group
}

// parse gives the document, or an open one and what was wrong.
func (s *Schema) parse() (doc Value, problem string) {
	word := "inputSchema"
	if s.result {
		word = "outputSchema"
	}
	free := Boolean(true)
	if s.raw == nil {
		if s.result {
			return free, ""
		}
		return free, word + " is missing"
	}
	doc, err := Parse(s.raw)
	switch {
	case err != nil:
		return free, word + " is not JSON: " + err.Error()
	case doc.Kind == Null:
		if s.result {
			return free, ""
		}
		return free, word + " is null"
	case doc.Kind == Object, doc.Kind == Bool && s.result:
		return doc, ""
	}
	return free, word + " must be an object, is " + describe(doc)
}
