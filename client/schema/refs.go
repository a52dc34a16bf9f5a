package schema

import (
	"net/url"
	"strings"
)

// readDraft takes the dialect from $schema. An unknown one is read as the
// newest and noted.
func (g *graph) readDraft(v Value) {
	if v.Kind != String {
		g.noteAt("/$schema", "$schema must be text, is "+describe(v))
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(v.Text, "http://"), "https://"), "#")
	switch name {
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
	case "json-schema.org/draft/2019-09/schema":
		g.draft = 2019
	case "json-schema.org/draft-07/schema":
		g.draft = 7
	case "json-schema.org/draft-06/schema":
		g.draft = 6
	case "json-schema.org/draft-04/schema", "json-schema.org/draft-03/schema":
		g.draft = 4
	default:
		g.noteAt("/$schema", "dialect "+v.Text+" is not supported, read as 2020-12")
		g.foreign = v.Text
	}
}

// resolve points every reference at its target. Nothing is ever fetched.
func (g *graph) resolve() {
	// Reading a target can bring more references, so the list grows.
	for i := 0; i < len(g.refs); i++ {
		s := g.refs[i]
		target, problem := g.target(s)
		if problem != "" {
			s.note = "finding: " + problem
			g.noteAt(Pointer(s.pointer, "$ref"), problem)
			continue
		}
		s.ref = target
	}
	g.breakLoops()
}

// breakLoops drops references that come back to themselves without going down
// into the value: such a schema means nothing and would never end.
func (g *graph) breakLoops() {
	const open, done = 1, 2
	state := make([]byte, len(g.nodes))
	var path []*subschema
	var walk func(s *subschema)
	walk = func(s *subschema) {
		if s.id < 0 {
			return
		}
		state[s.id] = open
		path = append(path, s)
		for _, t := range s.inPlace() {
			if t.id < 0 || state[t.id] == done {
				continue
			}
			if state[t.id] == 0 {
				walk(t)
				continue
			}
			for i := len(path) - 1; i >= 0; i-- {
				next := t
				if i+1 < len(path) {
					next = path[i+1]
				}
				if path[i].ref == next {
					g.dropLoop(path[i])
					break
				}
				if path[i] == t {
					break
				}
			}
		}
		state[s.id] = done
		path = path[:len(path)-1]
	}
	for _, s := range g.nodes {
		if state[s.id] == 0 {
			walk(s)
		}
	}
}

func (g *graph) dropLoop(s *subschema) {
	s.ref = nil
	s.note = "finding: " + s.refText + " refers to itself"
	g.noteAt(Pointer(s.pointer, "$ref"), s.refText+" refers to itself")
}

func (g *graph) target(s *subschema) (target *subschema, problem string) {
	text := s.refText
	if t, ok := g.named[text]; ok {
		return t, ""
	}
	path, fragment, _ := strings.Cut(text, "#")
	base := s.base
	if path != "" {
		t, ok := g.named[path]
		if !ok {
			if t, ok = g.relative(s.base, path); !ok {
				return nil, "external reference not fetched"
			}
		}
		base = t
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if fragment != "" && fragment[0] != '/' {
		if t, ok := g.named["#"+fragment]; ok {
			return t, ""
		}
		return nil, text + " is not defined"
	}
	for _, from := range []*subschema{base, g.root} {
		place := from.pointer + fragment
		if t, ok := g.at[place]; ok {
			return t, ""
		}
		if v, ok := g.doc.At(place); ok {
			return g.read(v, place, from, "$ref", false, strings.Count(fragment, "/")), ""
		}
	}
	return nil, text + " is not defined"
}

// relative finds a reference that is written relative to the $id around it.
func (g *graph) relative(base *subschema, path string) (*subschema, bool) {
	id, ok := base.raw.Get("$id")
	if !ok || id.Kind != String {
		return nil, false
	}
	from, err := url.Parse(id.Text)
	if err != nil {
		return nil, false
	}
	to, err := from.Parse(path)
	if err != nil {
		return nil, false
	}
	t, ok := g.named[to.String()]
	if !ok {
		for name, s := range g.named {
			if u, err := from.Parse(name); err == nil && u.String() == to.String() {
				return s, true
			}
		}
	}
	return t, ok
}

// inPlace lists the subschemas that judge the same value as s.
func (s *subschema) inPlace() []*subschema {
	if s.ref == nil && s.allOf == nil && s.anyOf == nil && s.oneOf == nil && s.not == nil && s.ifs == nil && s.dependents == nil {
		return nil
	}
	var list []*subschema
	for _, t := range []*subschema{s.ref, s.not, s.ifs, s.then, s.otherwise} {
		if t != nil {
			list = append(list, t)
		}
	}
	list = append(append(append(list, s.allOf...), s.anyOf...), s.oneOf...)
	for _, d := range s.dependents {
		list = append(list, d.schema)
	}
	return list
}
