package script

import (
	"strconv"

	"example.com/mcpinspect/client/schema"
)

// Difference is one place where two JSON texts differ.
type Difference struct {
	Path string // JSON pointer
	Was  []byte // JSON; nil when it was not there
	Now  []byte
}

// Diff compares two JSON texts by value: order of members, spelling of numbers and white space do
// not count. ignore are JSON pointers of what is not compared, with everything below; a token * in
// one stands for any. A text that is no JSON differs as a whole.
func Diff(was, now []byte, ignore []string) []Difference {
	a, aerr := schema.Parse(was)
	b, berr := schema.Parse(now)
	if aerr != nil || berr != nil {
		if string(was) == string(now) {
			return nil
		}
		return []Difference{{"", schema.AppendJSON(nil, schema.Text(string(was))), schema.AppendJSON(nil, schema.Text(string(now)))}}
	}
	d := differ{}
	for _, p := range ignore {
		if tokens, err := schema.Tokens(p); err == nil {
			d.ignore = append(d.ignore, tokens)
		}
	}
	d.values("", nil, &a, &b)
	return d.found
}

// Values is Diff of values that were parsed.
func Values(was, now schema.Value) []Difference {
	d := differ{}
	d.values("", nil, &was, &now)
	return d.found
}

type differ struct {
	ignore [][]string
	found  []Difference
}

// values compares two values; nil is one that is not there.
func (d *differ) values(path string, tokens []string, was, now *schema.Value) {
	if d.ignored(tokens) {
		return
	}
	switch {
	case was == nil || now == nil || was.Kind != now.Kind:
	case was.Kind == schema.Object:
		d.objects(path, tokens, was, now)
		return
	case was.Kind == schema.Array:
		for i := range max(len(was.Items), len(now.Items)) {
			d.values(path+"/"+strconv.Itoa(i), append(tokens, strconv.Itoa(i)), item(was, i), item(now, i))
		}
		return
	case was.Equal(*now):
		return
	}
	d.found = append(d.found, Difference{path, text(was), text(now)})
}

func (d *differ) objects(path string, tokens []string, was, now *schema.Value) {
	a, b := members(was), members(now)
	seen := make(map[string]bool, len(a)+len(b))
	for _, list := range [][]schema.Member{was.Members, now.Members} {
		for _, m := range list {
			if seen[m.Name] {
				continue
			}
			seen[m.Name] = true
			d.values(schema.Pointer(path, m.Name), append(tokens, m.Name), a[m.Name], b[m.Name])
		}
	}
}

// members finds values by name; of duplicates the last counts.
func members(v *schema.Value) map[string]*schema.Value {
	byName := make(map[string]*schema.Value, len(v.Members))
	for i := range v.Members {
		byName[v.Members[i].Name] = &v.Members[i].Value
	}
	return byName
}

func (d *differ) ignored(tokens []string) bool {
	for _, p := range d.ignore {
		if len(p) > len(tokens) {
			continue
		}
		match := true
		for i := range p {
			match = match && (p[i] == "*" || p[i] == tokens[i])
		}
		if match && len(p) == len(tokens) {
			return true
		}
	}
	return false
}

func item(v *schema.Value, i int) *schema.Value {
	if i < len(v.Items) {
		return &v.Items[i]
	}
	return nil
}

func text(v *schema.Value) []byte {
	if v == nil {
		return nil
	}
	return schema.AppendJSON(nil, *v)
}
