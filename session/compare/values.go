package compare

import (
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/diff"
)

// place is where two JSON values differ.
type place struct {
	path     string // JSON pointer
	was, now []byte // raw; nil where there is nothing
}

// values lists where two values differ. In the sets of a schema order means nothing: each value that
// came or went is a place at the path of its set.
func values(was, now []byte, ignore diff.Ignore) (out []place, complete bool) {
	list, complete := diff.Compare(was, now, ignore)
	for _, d := range list {
		p := place{d.Path, d.Was, d.Now}
		set := d.Path[:max(strings.LastIndexByte(d.Path, '/'), 0)]
		if !isSet(set) {
			out = append(out, p)
			continue
		}
		for _, one := range [...]place{{set, p.was, nil}, {set, nil, p.now}} {
			if one.was != nil || one.now != nil {
				out = moved(out, one)
			}
		}
	}
	return out, complete
}

// moved adds a value that came into a set or went; what went and came back has only moved.
func moved(out []place, p place) []place {
	for i, q := range out {
		if q.path == p.path && (q.was == nil) == (p.now == nil) && canonical(slices.Concat(q.was, q.now)) == canonical(slices.Concat(p.was, p.now)) {
			return slices.Delete(out, i, i+1)
		}
	}
	return append(out, p)
}

// isSet reports whether the order of an array at a path of a schema means nothing.
func isSet(path string) bool {
	return strings.HasPrefix(path, "/inputSchema/") && (strings.HasSuffix(path, "/required") || strings.HasSuffix(path, "/enum") || strings.HasSuffix(path, "/type"))
}

// maxDepth is how deep values are written anew; what lies deeper stays as it is.
const maxDepth = 64

// canonical is a value in one spelling: members in order, no space, text as it decodes. Numbers keep
// their digits. What is nested too deep, or no JSON, is itself.
func canonical(v []byte) string {
	var b strings.Builder
	appendCanonical(&b, v, 0)
	return b.String()
}

func appendCanonical(b *strings.Builder, v []byte, depth int) {
	if len(v) == 0 {
		return
	}
	switch {
	case v[0] == '{' && depth < maxDepth:
		all, names := map[string][]byte{}, []string(nil) // of a repeated name the last counts
		for name, value := range client.Members(v) {
			if _, again := all[string(name)]; !again {
				names = append(names, string(name))
			}
			all[string(name)] = value
		}
		slices.Sort(names)
		b.WriteByte('{')
		for _, n := range names {
			appendCanonical(b, []byte(n), depth)
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
