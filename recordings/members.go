package recordings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// members are those of a line that is a JSON object, each value as it is written: numbers keep their
// digits, and nothing is taken for something else. They are borrowed from the line. The error continues
// a sentence about the line; a name that comes twice is one, since readers differ in which of them counts.
func members(line []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(line) {
		return nil, errNoJSON
	}
	if !utf8.Valid(line) {
		return nil, errNoUTF8
	}
	rest := bytes.TrimLeft(line, jsonSpace)
	if rest[0] != '{' {
		return nil, errNoJSON
	}
	fields := map[string]json.RawMessage{}
	for rest = bytes.TrimLeft(rest[1:], jsonSpace); rest[0] != '}'; rest = bytes.TrimLeft(rest, jsonSpace+",") {
		n := valueEnd(rest)
		name := rest[1 : n-1]
		if plain, ok := appendUnescaped(nil, name); ok {
			name = plain
		}
		rest = bytes.TrimLeft(rest[n:], jsonSpace+":")
		n = valueEnd(rest)
		if _, twice := fields[string(name)]; twice {
			return nil, fmt.Errorf("has %q twice", clip(string(name)))
		}
		fields[string(name)] = rest[:n:n]
		rest = bytes.TrimLeft(rest[n:], jsonSpace)
	}
	return fields, nil
}

const jsonSpace = " \t\r\n"

// valueEnd is where the value ends that valid JSON begins with.
func valueEnd(p []byte) int {
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '"':
			for i++; p[i] != '"'; i++ {
				if p[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 { // of what the value stands in
				return i
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(p)
}
