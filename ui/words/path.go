package words

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/mcpinspect/client/schema"
)

// step is one step of a path: a name, or a row.
type step struct {
	name string
	row  int // -1: a name; next: one more row
}

const (
	isName = -1
	next   = -2
)

type path []step

// path reads a.b[0].c. What is no path, or a name that the schema lists, is a
// name as it stands.
func (r *reader) path(text string) (path, error) {
	whole := path{{name: text, row: isName}}
	if !strings.ContainsAny(text, ".[") || r.schema.HasProperty(text) {
		return whole, nil
	}
	if _, ok := r.args.Get(text); ok {
		return whole, nil
	}
	var p path
	for rest := text; rest != ""; {
		switch {
		case rest[0] == '[':
			inside, after, ok := strings.Cut(rest[1:], "]")
			if !ok || len(p) == 0 {
				return whole, nil
			}
			row := next
			if inside != "" {
				n, err := strconv.Atoi(inside)
				if err != nil || n < 0 || strconv.Itoa(n) != inside {
					return whole, nil
				}
				row = n
			}
			p, rest = append(p, step{row: row}), after
			if rest != "" && rest[0] != '.' && rest[0] != '[' {
				return whole, nil
			}
		case rest[0] == '.' && len(p) == 0:
			return whole, nil
		default:
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return whole, nil
			}
			p, rest = append(p, step{name: rest[:end], row: isName}), rest[end:]
			if rest == "." {
				return whole, nil
			}
		}
	}
	return p, nil
}

// pointer gives the path as a JSON pointer into v, where "one more row" has a
// number.
func (p path) pointer(v schema.Value) string {
	pointer := ""
	for _, s := range p {
		token := s.name
		if s.row != isName {
			row := s.row
			if row == next {
				here, _ := v.At(pointer)
				row = len(here.Items)
			}
			token = strconv.Itoa(row)
		}
		pointer = schema.Pointer(pointer, token)
	}
	return pointer
}

// put sets the value at the path, making objects and lists on the way.
func (p path) put(v, to schema.Value) (schema.Value, error) {
	if len(p) == 0 {
		return to, nil
	}
	s := p[0]
	if s.row == isName {
		if v.Kind != schema.Object && v.Kind != schema.Null {
			return v, fmt.Errorf("%s cannot be set, a value of type %s stands in its place", s.name, v.Kind)
		}
		members := append([]schema.Member(nil), v.Members...)
		for i := len(members) - 1; i >= 0; i-- {
			if members[i].Name == s.name {
				below, err := p[1:].put(members[i].Value, to)
				members[i].Value = below
				return schema.Obj(members...), err
			}
		}
		below, err := p[1:].put(schema.Value{}, to)
		return schema.Obj(append(members, schema.Member{Name: s.name, Value: below})...), err
	}
	if v.Kind != schema.Array && v.Kind != schema.Null {
		return v, fmt.Errorf("row %d cannot be set, a value of type %s stands in its place", max(s.row, 0)+1, v.Kind)
	}
	row := s.row
	if row == next {
		row = len(v.Items)
	}
	if row > len(v.Items) {
		return v, fmt.Errorf("[%d] would leave a gap: the next row is [%d]", row, len(v.Items))
	}
	items := append([]schema.Value(nil), v.Items...)
	if row == len(items) {
		items = append(items, schema.Value{})
	}
	below, err := p[1:].put(items[row], to)
	items[row] = below
	return schema.List(items...), err
}
