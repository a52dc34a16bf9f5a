package script

import (
	"strconv"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
)

// Pointer is the JSON pointer of member names.
func Pointer(path ...string) (pointer string) {
	for _, name := range path {
		pointer = schema.Pointer(pointer, name)
	}
	return pointer
}

// maxHidden is how deep masked values are looked for; below it the whole is taken as masked.
const maxHidden = 200

// Hidden are the JSON pointers of the values of a text that were masked, wholly or in part. The
// text must end where its memory does, as what text[a:b:b] cuts out.
func Hidden(text []byte, masked []recordings.Span) (pointers []string) {
	if len(masked) > 0 {
		hidden(text, text, "", masked, 0, &pointers)
	}
	return pointers
}

func hidden(text, value []byte, path string, masked []recordings.Span, depth int, out *[]string) {
	if !overlaps(within(text, value), masked) {
		return
	}
	before := len(*out)
	if depth < maxHidden && len(value) > 0 {
		switch value[0] {
		case '{':
			for name, v := range client.Members(value) {
				if overlaps(within(text, name), masked) {
					*out = append((*out)[:before], path)
					return
				}
				key, _ := client.Text(name)
				hidden(text, v, schema.Pointer(path, key), masked, depth+1, out)
			}
		case '[':
			i := 0
			for v := range client.Elements(value) {
				hidden(text, v, path+"/"+strconv.Itoa(i), masked, depth+1, out)
				i++
			}
		}
	}
	if len(*out) == before {
		*out = append(*out, path)
	}
}

func overlaps(span client.Span, masked []recordings.Span) bool {
	for _, sp := range masked {
		if sp.Off < span.End && span.Start < sp.Off+sp.Len {
			return true
		}
	}
	return false
}
