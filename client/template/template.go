// Package template fills the URI templates of resources (RFC 6570, server/resources), and tells which
// URIs are of one. It knows nothing of servers and screens.
package template

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yosida95/uritemplate/v3"
)

// maxTemplate bounds the templates that are read, in bytes, and maxURI the URIs that are held against
// one: nobody wrote a longer one, and both cost time.
const (
	maxTemplate = 4 << 10
	maxURI      = 16 << 10
)

// Template is one that was read. It may be used by several goroutines.
type Template struct {
	raw     string
	parts   []part
	pattern *regexp.Regexp // nil when none can be made
}

// Variable is a variable of a template, once for each name.
type Variable struct {
	Name     string
	Exploded bool // it has the modifier *: lists and maps are spelled out
}

// part is a literal, or an expression when it has variables.
type part struct {
	literal string
	op      byte // 0 for none
	vars    []spec
}

type spec struct {
	name    string
	prefix  int // 0 for all
	explode bool
}

// Parse reads a template; an error says where it is none.
func Parse(raw string) (*Template, error) {
	if len(raw) > maxTemplate {
		return nil, fmt.Errorf("the template is longer than %d bytes", maxTemplate)
	}
	u, err := uritemplate.New(raw)
	if err != nil {
		return nil, fmt.Errorf("it is no URI template: %w", err)
	}
	t := &Template{raw: raw, pattern: patternOf(u)}
	for rest := raw; rest != ""; {
		literal, from, found := strings.Cut(rest, "{")
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
		}
		if !found {
			break
		}
		inside, after, _ := strings.Cut(from, "}")
		t.parts = append(t.parts, expression(inside))
		rest = after
	}
	return t, nil
}

// expression reads what stands between braces; the library has judged it.
func expression(s string) (p part) {
	if s != "" && strings.IndexByte("+#./;?&", s[0]) >= 0 {
		p.op, s = s[0], s[1:]
	}
	for _, v := range strings.Split(s, ",") {
		name, exploded := strings.CutSuffix(v, "*")
		name, length, _ := strings.Cut(name, ":")
		n, _ := strconv.Atoi(length)
		p.vars = append(p.vars, spec{name, n, exploded})
	}
	return p
}

// patternOf is what the URIs of a template look like. Of very many variables the library makes a
// pattern that cannot be compiled, and panics.
func patternOf(u *uritemplate.Template) (re *regexp.Regexp) {
	defer func() {
		if recover() != nil {
			re = nil
		}
	}()
	return u.Regexp()
}

// Variables are the variables in the order in which they stand there first.
func (t *Template) Variables() (list []Variable) {
	at := map[string]int{}
	for _, p := range t.parts {
		for _, v := range p.vars {
			i, known := at[v.name]
			if !known {
				i = len(list)
				at[v.name] = i
				list = append(list, Variable{Name: v.name})
			}
			list[i].Exploded = list[i].Exploded || v.explode
		}
	}
	return list
}

// Fits reports whether a URI may have been made of the template.
func (t *Template) Fits(uri string) bool {
	return t.pattern != nil && len(uri) <= maxURI && t.pattern.MatchString(uri)
}
