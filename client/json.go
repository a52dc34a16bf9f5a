package client

import (
	"bytes"
	"encoding/json"
	"iter"
)

// These read JSON that the scanner has passed. They copy and decode nothing but what is asked for.

// skipSpace returns the index of the first byte at or after i that is no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index behind the string that begins at b[i].
func skipString(b []byte, i int) int {
	start := i
	for i++; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		slashes := 0
		for at := i - 1; at > start && b[at] == '\\'; at-- {
			slashes++
		}
		if slashes%2 == 0 { // the quote is no escaped one
			return i + 1
		}
	}
}

// skipValue returns the index behind the value that begins at b[i].
func skipValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch c := b[i]; c {
		case '"':
			i = skipString(b, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r', ':':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// Members iterates over the members of a JSON object: the raw name with its quotes, and the raw
// value. Anything but an object has none.
func Members(obj []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		i := skipSpace(obj, 0)
		if i >= len(obj) || obj[i] != '{' {
			return
		}
		for i++; ; i++ {
			i = skipSpace(obj, i)
			if i >= len(obj) || obj[i] != '"' {
				return
			}
			nameEnd := skipString(obj, i)
			name := obj[i:nameEnd]
			i = skipSpace(obj, nameEnd)
			i = skipSpace(obj, i+1) // the colon
			if i >= len(obj) {
				return
			}
			end := skipValue(obj, i)
			if end == i || !yield(name, obj[i:end]) {
				return
			}
			if i = skipSpace(obj, end); i >= len(obj) || obj[i] != ',' {
				return
			}
		}
	}
}

// Elements iterates over the raw elements of a JSON array. Anything but an array has none.
func Elements(arr []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := skipSpace(arr, 0)
		if i >= len(arr) || arr[i] != '[' {
			return
		}
		for i++; ; i++ {
			i = skipSpace(arr, i)
			if i >= len(arr) || arr[i] == ']' {
				return
			}
			end := skipValue(arr, i)
			if end == i || !yield(arr[i:end]) { // no value is no element
				return
			}
			if i = skipSpace(arr, end); i >= len(arr) || arr[i] != ',' {
				return
			}
		}
	}
}

// Get follows member names into nested objects and returns the raw value, nil when it is absent.
// Of a repeated name the last counts, as in most decoders.
func Get(obj []byte, path ...string) []byte {
	for _, want := range path {
		var found []byte
		for name, value := range Members(obj) {
			if nameIs(name, want) {
				found = value
			}
		}
		if found == nil {
			return nil
		}
		obj = found
	}
	return obj
}

// nameIs compares a raw member name with a decoded one.
func nameIs(raw []byte, want string) bool {
	if len(raw) == len(want)+2 && string(raw[1:len(raw)-1]) == want {
		return true
	}
	for _, c := range raw {
		if c == '\\' {
			s, _ := Text(raw)
			return s == want
		}
	}
	return false
}

// Text decodes a JSON string. ok is false for anything else; bytes that are no UTF-8 become U+FFFD.
func Text(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	for _, c := range raw {
		if c == '\\' || c >= 0x80 {
			err := json.Unmarshal(raw, &s)
			return s, err == nil
		}
	}
	return string(raw[1 : len(raw)-1]), true
}

// GetText is Text of Get.
func GetText(obj []byte, path ...string) string {
	s, _ := Text(Get(obj, path...))
	return s
}

// Quote encodes a string as JSON without escaping what HTML would need.
func Quote(s string) []byte { return AppendQuote(nil, s) }

// AppendQuote appends the JSON encoding of s.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20 || c == 0x7F:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// ValidJSON reports whether b is exactly one JSON value (RFC 8259), whatever its depth.
func ValidJSON(b []byte) bool {
	var s scanner
	n := s.feed(b)
	return s.finish() && n == len(b)
}
