package template

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/mcpinspect/client"
)

// value is what a variable stands for: a text, a list, or pairs of a name and a text.
type value struct {
	list  []string // of a map: name, text, name, text
	text  bool
	pairs bool
}

// defined reports whether there is something to put in: an empty list is as good as none (RFC 6570,
// section 2.3).
func (v value) defined() bool { return v.text || len(v.list) > 0 }

// way is how the values of an expression are put together (RFC 6570, appendix A).
type way struct {
	first, sep string
	named      bool
	ifEmpty    string
	reserved   bool // reserved characters and what is escaped already stay
}

func wayOf(op byte) way {
	switch op {
	case '+':
		return way{sep: ",", reserved: true}
	case '#':
		return way{first: "#", sep: ",", reserved: true}
	case '.', '/':
		return way{first: string(op), sep: string(op)}
	case ';':
		return way{first: ";", sep: ";", named: true}
	case '?':
		return way{first: "?", sep: "&", named: true, ifEmpty: "="}
	case '&':
		return way{first: "&", sep: "&", named: true, ifEmpty: "="}
	}
	return way{sep: ","}
}

// Expand fills the template with the members of a JSON object: texts, numbers and booleans as they
// are written, lists and maps of those. What is absent or null is left out, as RFC 6570 wants it.
func (t *Template) Expand(object []byte) (string, error) {
	values := map[string]value{}
	for name, raw := range client.Members(object) {
		key, _ := client.Text(name)
		v, ok := valueOf(raw)
		if !ok {
			return "", fmt.Errorf("the value of %s is neither a text nor a list nor a map of texts", key)
		}
		values[key] = v
	}
	var out strings.Builder
	for _, p := range t.parts {
		if p.vars == nil {
			escape(&out, p.literal, true)
			continue
		}
		w, begun := wayOf(p.op), false
		for _, s := range p.vars {
			v := values[s.name]
			if !v.defined() {
				continue
			}
			if s.prefix > 0 && !v.text {
				return "", fmt.Errorf("%s is cut to %d characters in the template: it must be a text", s.name, s.prefix)
			}
			if !begun {
				out.WriteString(w.first)
			} else {
				out.WriteString(w.sep)
			}
			begun = true
			v.expand(&out, s, w)
		}
	}
	return out.String(), nil
}

// valueOf reads a JSON value; false for what cannot stand in a URI.
func valueOf(raw []byte) (v value, ok bool) {
	scalar := func(raw []byte) bool {
		s, ok := client.Text(raw)
		if !ok {
			s = string(raw)
		}
		v.list = append(v.list, s)
		return len(raw) > 0 && raw[0] != '[' && raw[0] != '{'
	}
	if len(raw) == 0 {
		return v, false
	}
	switch raw[0] {
	case 'n':
		return v, true
	case '[':
		for e := range client.Elements(raw) {
			if !scalar(e) {
				return v, false
			}
		}
	case '{':
		v.pairs = true
		for name, e := range client.Members(raw) {
			key, _ := client.Text(name)
			v.list = append(v.list, key)
			if !scalar(e) {
				return v, false
			}
		}
	default:
		v.text = true
		scalar(raw)
	}
	return v, true
}

// expand writes one variable (RFC 6570, section 3.2.1).
func (v value) expand(out *strings.Builder, s spec, w way) {
	join := func(sep string, each func(i int)) {
		for i := range v.list {
			if i > 0 {
				out.WriteString(sep)
			}
			each(i)
		}
	}
	named := func(name string, empty bool) {
		escape(out, name, true)
		if empty {
			out.WriteString(w.ifEmpty)
		} else {
			out.WriteByte('=')
		}
	}
	plain := func(i int) { escape(out, v.list[i], w.reserved) }
	switch {
	case v.text:
		text := v.list[0]
		if s.prefix > 0 {
			text = beginning(text, s.prefix)
		}
		if w.named {
			named(s.name, text == "")
		}
		escape(out, text, w.reserved)
	case !s.explode:
		if w.named {
			named(s.name, false)
		}
		join(",", plain)
	case v.pairs:
		for i := 0; i+1 < len(v.list); i += 2 {
			if i > 0 {
				out.WriteString(w.sep)
			}
			escape(out, v.list[i], w.reserved)
			if w.named && v.list[i+1] == "" {
				out.WriteString(w.ifEmpty)
				continue
			}
			out.WriteByte('=')
			plain(i + 1)
		}
	default:
		join(w.sep, func(i int) {
			if w.named {
				named(s.name, v.list[i] == "")
			}
			plain(i)
		})
	}
}

// beginning is the first n characters of a text.
func beginning(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// escape writes text with every byte escaped that is not unreserved (RFC 3986); with reserved also
// those characters stay, and what is escaped already.
func escape(out *strings.Builder, s string, reserved bool) {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0,
			reserved && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0,
			reserved && c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			out.WriteByte(c)
		default:
			out.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
}

func isHex(c byte) bool {
	return c < utf8.RuneSelf && strings.IndexByte("0123456789abcdefABCDEF", c) >= 0
}
