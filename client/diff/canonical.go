package diff

import (
	"slices"
	"strings"

	"example.com/mcpinspect/client"
)

// maxWritten is how deep values are written anew; what lies deeper stays as it is.
const maxWritten = 64

// Canonical is a value in one spelling, to look it up by: members in order, no space, text as it decodes.
// Numbers keep their digits, so that 1 and 1.0 are two. What is nested too deep, or no JSON, is itself.
func Canonical(v []byte) string {
	var b strings.Builder
	appendCanonical(&b, v, 0)
	return b.String()
}

func appendCanonical(b *strings.Builder, v []byte, depth int) {
	if len(v) == 0 {
		return
	}
	switch {
	case v[0] == '{' && depth < maxWritten:
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
	case v[0] == '[' && depth < maxWritten:
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
