package compare

import (
	"slices"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
)

// place is where two JSON values differ.
type place struct {
	path     string // JSON pointer
	was, now []byte // raw; nil where there is nothing
}

// maxDepth is how deep values are taken apart; what lies deeper is compared as a whole.
const maxDepth = 64

// values lists where two values differ: members by name, elements by place, sets by what is in them.
func values(path string, was, now []byte, depth int, out []place) []place {
	switch {
	case canonical(was, depth) == canonical(now, depth):
		return out
	case was == nil || now == nil || depth >= maxDepth || was[0] != now[0] || was[0] != '{' && was[0] != '[':
		return append(out, place{path, was, now})
	case was[0] == '{':
		old, names := members(was)
		fresh, more := members(now)
		for _, n := range more {
			if _, ok := old[n]; !ok {
				names = append(names, n)
			}
		}
		for _, n := range names {
			out = values(path+"/"+escape(n), old[n], fresh[n], depth+1, out)
		}
		return out
	case isSet(path):
		return sets(path, was, now, out)
	}
	a, b := slices.Collect(client.Elements(was)), slices.Collect(client.Elements(now))
	for i := range max(len(a), len(b)) {
		var x, y []byte
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		out = values(path+"/"+strconv.Itoa(i), x, y, depth+1, out)
	}
	return out
}

// isSet reports whether the order of an array at a path of a schema means nothing.
func isSet(path string) bool {
	return strings.HasSuffix(path, "/required") || strings.HasSuffix(path, "/enum") || strings.HasSuffix(path, "/type")
}

func sets(path string, was, now []byte, out []place) []place {
	a, b := slices.Collect(client.Elements(was)), slices.Collect(client.Elements(now))
	has := func(list [][]byte, v []byte) bool {
		return slices.ContainsFunc(list, func(x []byte) bool { return canonical(x, 0) == canonical(v, 0) })
	}
	for _, v := range a {
		if !has(b, v) {
			out = append(out, place{path, v, nil})
		}
	}
	for _, v := range b {
		if !has(a, v) {
			out = append(out, place{path, nil, v})
		}
	}
	return out
}

// members are the members of an object by name; of a repeated name the last counts.
func members(obj []byte) (map[string][]byte, []string) {
	all, names := map[string][]byte{}, []string(nil)
	for name, value := range client.Members(obj) {
		n, ok := client.Text(name)
		if !ok {
			n = string(name)
		}
		if _, again := all[n]; !again {
			names = append(names, n)
		}
		all[n] = value
	}
	return all, names
}

func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// canonical is a value in one spelling: members in order, no space, text as it decodes. Numbers keep
// their digits. What is nested too deep, or no JSON, is itself.
func canonical(v []byte, depth int) string {
	var b strings.Builder
	appendCanonical(&b, v, depth)
	return b.String()
}

func appendCanonical(b *strings.Builder, v []byte, depth int) {
	if len(v) == 0 {
		return
	}
	switch {
	case v[0] == '{' && depth < maxDepth:
		all, names := members(v)
		slices.Sort(names)
		b.WriteByte('{')
		for _, n := range names {
			b.Write(client.Quote(n))
			b.WriteByte(':')
			appendCanonical(b, all[n], depth+1)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case v[0] == '[' && depth < maxDepth:
		b.WriteByte('[')
		for e := range client.Elements(v) {
			appendCanonical(b, e, depth+1)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	default:
		if s, ok := client.Text(v); ok {
			b.Write(client.Quote(s))
			return
		}
		b.Write(v)
	}
}
