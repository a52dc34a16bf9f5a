package schema

import (
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// surrogateLen is the number of bytes that keep a lone surrogate in a Text.
const surrogateLen = 3

// AppendJSON appends v in its shortest form: no spaces, numbers as they were
// written, order and duplicates kept. A lone surrogate is written as its
// escape, a byte that is no UTF-8 as U+FFFD.
func AppendJSON(dst []byte, v Value) []byte {
	switch v.Kind {
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text)
	case Array:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, item)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, m.Name), ':')
			dst = AppendJSON(dst, m.Value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// JSON is AppendJSON as a string.
func (v Value) JSON() string { return string(AppendJSON(nil, v)) }

// MarshalJSON lets a Value stand in structures that encoding/json writes. That
// package compacts and HTML-escapes: where bytes matter, use AppendJSON.
func (v Value) MarshalJSON() ([]byte, error) { return AppendJSON(nil, v), nil }

// AppendIndent appends v over several lines, each level indented by the given
// text. Empty containers stay on one line. There is no line break at the end.
func AppendIndent(dst []byte, v Value, indent string) []byte {
	return appendIndent(dst, v, indent, 0)
}

func appendIndent(dst []byte, v Value, indent string, depth int) []byte {
	if len(v.Items) == 0 && len(v.Members) == 0 {
		return AppendJSON(dst, v)
	}
	line := func(depth int) {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, indent...)
		}
	}
	if v.Kind == Array {
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			line(depth + 1)
			dst = appendIndent(dst, item, indent, depth+1)
		}
		line(depth)
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range v.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		line(depth + 1)
		dst = append(appendString(dst, m.Name), ": "...)
		dst = appendIndent(dst, m.Value, indent, depth+1)
	}
	line(depth)
	return append(dst, '}')
}

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			dst = append(dst, s[start:i]...)
			dst, n = appendInvalid(dst, s[i:])
			i += n
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// appendInvalid writes what stands at the start of s and is no UTF-8, and
// gives the number of bytes it took.
func appendInvalid(dst []byte, s string) ([]byte, int) {
	r, ok := surrogate(s)
	if !ok {
		return append(dst, "\uFFFD"...), 1
	}
	if low, ok := surrogate(s[surrogateLen:]); ok {
		if joined := utf16.DecodeRune(r, low); joined != utf8.RuneError {
			return utf8.AppendRune(dst, joined), 2 * surrogateLen
		}
	}
	return append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15]), surrogateLen
}

func appendSurrogate(dst []byte, r rune) []byte {
	return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
}

// surrogate reads a lone surrogate as appendSurrogate writes it.
func surrogate(s string) (rune, bool) {
	if len(s) < surrogateLen || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2] < 0x80 || s[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}
