package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Check says where a value is not what the schema asks for: what is missing
// first, then what is wrong in the order of the schema, then what is not
// expected. The first call compiles the schema and takes longer, so it belongs
// off the event loop. Nothing is ever passed in silence: what could not be
// checked is an advisory problem that starts with "not checked".
func (s *Schema) Check(v Value) []Problem {
	s.mu.Lock()
	s.open()
	if !s.result && v.Kind != Object {
		s.mu.Unlock()
		return []Problem{{Keyword: "type", Message: "must be an object, is " + describe(v)}}
	}
	e := s.compiled()
	t := translator{schema: s, root: v}
	reason := e.reason
	if reason == "" {
		n := 0
		if s.graph.root.evaluations(v, &n); n > maxEvaluations {
			reason = "the schema and the value together need more than " + strconv.Itoa(maxEvaluations) + " steps"
		}
	}
	s.mu.Unlock()

	if reason == "" {
		e.mu.Lock()
		e.spent = expiry{}
		errors, err := e.check(libraryValue(v, "", t.unchecked))
		for _, p := range e.spent.patterns {
			t.unchecked("", "pattern "+quote(p)+" takes too long")
		}
		e.mu.Unlock()
		if err != nil {
			reason = err.Error()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, err := range errors {
			t.problems = append(t.problems, t.translate(err)...)
		}
		t.advise(s.root, v, "", 0)
	}
	if reason != "" {
		t.unchecked("", reason)
	}
	return t.sorted()
}

// Advise is the advisory part of Check: formats, and what could not be checked. It compiles nothing
// and is quick enough to be asked after every field.
func (s *Schema) Advise(v Value) []Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	t := translator{schema: s, root: v}
	t.advise(s.root, v, "", 0)
	return t.sorted()
}

// compiled builds the engine; callers hold mu.
func (s *Schema) compiled() *engine {
	if s.engine == nil {
		before := len(s.graph.notes)
		s.engine = newEngine(s.graph)
		s.notes = append(s.notes, s.graph.notes[before:]...)
	}
	return s.engine
}

// CheckOutput checks structuredContent against an outputSchema as it was sent;
// paths are relative to the content. Whoever checks more than once keeps what
// CompileOutput gives.
func CheckOutput(raw []byte, structured Value) []Problem {
	return CompileOutput(raw).Check(structured)
}

func (t *translator) unchecked(path, reason string) {
	t.problems = append(t.problems, Problem{Path: path, Row: path, Keyword: "schema", Message: "not checked: " + reason, Advisory: true})
}

// advise finds what warns and does not refuse: formats, and parts of the
// schema that could not be used.
func (t *translator) advise(n *node, v Value, path string, depth int) {
	if depth > maxDepth {
		return
	}
	for _, s := range n.parts {
		if reason, ok := strings.CutPrefix(s.note, "finding: "); ok {
			t.unchecked(path, reason)
		}
		for _, reason := range s.unchecked {
			t.unchecked(path, reason)
		}
		if s.matcher != nil && v.Kind == String {
			if err := s.matcher.compile(); err != nil {
				t.unchecked(path, err.Error())
			}
		}
		if v.Kind == String && s.format != "" {
			if wanted := wrongFormat(s.format, v.Text); wanted != "" {
				t.problems = append(t.problems, Problem{Path: path, Row: path, Keyword: "format", Message: "must be " + wanted, Advisory: true})
			}
		}
	}
	n = n.suited(v)
	switch v.Kind {
	case Object:
		for name, i := range lastMembers(v.Members) {
			t.advise(n.child(name), v.Members[i].Value, Pointer(path, name), depth+1)
		}
	case Array:
		if n.spec.Control == ControlList || n.spec.Tuple {
			for i, item := range v.Items {
				t.advise(n.row(i), item, Pointer(path, strconv.Itoa(i)), depth+1)
			}
		}
	}
}

// suited gives the branch of a variant that suits the value, else n.
func (n *node) suited(v Value) *node {
	if n.spec.Control != ControlVariant {
		return n
	}
	best, bestFit := n, 0
	for i := range n.forms {
		if fit := n.branch(i).fit(v, 0); fit > bestFit {
			best, bestFit = n.branch(i), fit
		}
	}
	return best
}

// Ranks of the order in which problems are told.
const (
	rankMissing = iota
	rankWrong
	rankUnexpected
	rankUnchecked
)

func (p Problem) rank() int {
	switch p.Keyword {
	case "required", "dependentRequired":
		return rankMissing
	case "additionalProperties", "unevaluatedProperties":
		return rankUnexpected
	case "schema":
		return rankUnchecked
	}
	return rankWrong
}

func (t *translator) sorted() []Problem {
	type placed struct {
		Problem
		place []int
	}
	list := make([]placed, 0, len(t.problems))
	seen := map[Problem]bool{}
	for _, p := range t.problems {
		if !seen[p] {
			seen[p] = true
			list = append(list, placed{p, t.place(p.Row)})
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), slices.Compare(a.place, b.place))
	})
	var problems []Problem
	for _, p := range list {
		problems = append(problems, p.Problem)
	}
	return problems
}

// place gives the position of each step of a path in its schema or value.
func (t *translator) place(path string) []int {
	tokens, err := Tokens(path)
	if err != nil {
		return nil
	}
	n, v := t.schema.root, t.root
	places := make([]int, 0, len(tokens))
	for _, token := range tokens {
		n = n.suited(v)
		if v.Kind == Array {
			i, ok := index(token, len(v.Items))
			if !ok || i >= len(v.Items) {
				return places
			}
			places, n, v = append(places, i), n.row(i), v.Items[i]
			continue
		}
		at := n.position(token)
		if at < 0 {
			at = len(n.props) + slices.IndexFunc(v.Members, func(m Member) bool { return m.Name == token }) + 1
		}
		places, n = append(places, at), n.child(token)
		v, _ = v.Get(token)
	}
	return places
}

func (n *node) position(name string) int {
	if _, ok := n.byName[name]; !ok {
		return -1
	}
	return slices.IndexFunc(n.props, func(p *property) bool { return p.name == name })
}

// Merge joins the problems that Form.Value told with those that Check found in
// its value, in the order of Check. One row does not complain twice about the
// same text. With Form.Mark this is what Form.Check does, for whoever checks in
// another goroutine.
func (s *Schema) Merge(v Value, typed, checked []Problem) []Problem {
	if len(typed) == 0 {
		return checked
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := translator{schema: s, root: v, problems: slices.Clone(typed)}
	for _, p := range checked {
		if !slices.ContainsFunc(typed, func(own Problem) bool { return own.Row == p.Row }) {
			t.problems = append(t.problems, p)
		}
	}
	return t.sorted()
}
