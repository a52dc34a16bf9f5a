package schema

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds nesting, so that no input can exhaust the stack. It is the
// bound of encoding/json.
const maxDepth = 10000

// SyntaxError says where and how text is not JSON.
type SyntaxError struct {
	Line, Column int // from 1; columns count characters
	Offset       int // bytes
	Problem      string
}

func (e *SyntaxError) Error() string { return e.place() + ": " + e.Problem }

func (e *SyntaxError) place() string {
	return fmt.Sprintf("line %d, column %d", e.Line, e.Column)
}

// Parse reads one JSON value (RFC 8259, nothing more lenient) that must be the
// whole of b. An error is a *SyntaxError. b is not kept.
func Parse(b []byte) (Value, error) {
	p := parser{s: string(b)}
	p.space()
	v, ok := p.value(0)
	if ok {
		p.space()
		if p.at < len(p.s) {
			ok = p.fail(p.at, "unexpected "+p.here()+" after the value")
		}
	}
	if !ok {
		return Value{}, p.err
	}
	return v, nil
}

type parser struct {
	s   string
	at  int
	err *SyntaxError
}

func (p *parser) fail(at int, problem string) bool {
	if p.err == nil {
		line, start := 1, 0
		for i := 0; i < at; i++ {
			if p.s[i] == '\n' {
				line, start = line+1, i+1
			}
		}
		p.err = &SyntaxError{Line: line, Column: utf8.RuneCountInString(p.s[start:at]) + 1, Offset: at, Problem: problem}
	}
	return false
}

// here names what stands at the cursor.
func (p *parser) here() string {
	if p.at >= len(p.s) {
		return "end"
	}
	r, n := utf8.DecodeRuneInString(p.s[p.at:])
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("byte 0x%02x", p.s[p.at])
	}
	return fmt.Sprintf("%q", r)
}

func (p *parser) unexpected(wanted string) bool {
	if p.at >= len(p.s) {
		return p.fail(p.at, "unexpected end, expected "+wanted)
	}
	return p.fail(p.at, "unexpected "+p.here()+", expected "+wanted)
}

func (p *parser) space() {
	for p.at < len(p.s) {
		switch p.s[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (Value, bool) {
	if p.at >= len(p.s) {
		return Value{}, p.unexpected("a value")
	}
	switch c := p.s[p.at]; {
	case c == '{' || c == '[':
		if depth >= maxDepth {
			return Value{}, p.fail(p.at, fmt.Sprintf("nested deeper than %d levels", maxDepth))
		}
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		s, ok := p.str()
		return Value{Kind: String, Text: s}, ok
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true", Value{Kind: Bool, Text: "true"})
	case c == 'f':
		return p.word("false", Value{Kind: Bool, Text: "false"})
	case c == 'n':
		return p.word("null", Value{})
	case c == '\'':
		return Value{}, p.fail(p.at, "text is quoted with \", not '")
	}
	return Value{}, p.unexpected("a value")
}

func (p *parser) word(word string, v Value) (Value, bool) {
	for i := 0; i < len(word); i++ {
		if p.at+i >= len(p.s) {
			p.at += i
			return v, p.unexpected(word)
		}
		if p.s[p.at+i] != word[i] {
			return v, p.unexpected("a value (text needs quotes)")
		}
	}
	p.at += len(word)
	return v, true
}

func (p *parser) object(depth int) (Value, bool) {
	v := Value{Kind: Object}
	p.at++
	p.space()
	if p.at < len(p.s) && p.s[p.at] == '}' {
		p.at++
		return v, true
	}
	for {
		if p.at >= len(p.s) || p.s[p.at] != '"' {
			return v, p.unexpected("a name in quotes")
		}
		name, ok := p.str()
		if !ok {
			return v, false
		}
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != ':' {
			return v, p.unexpected("':'")
		}
		p.at++
		p.space()
		member, ok := p.value(depth)
		if !ok {
			return v, false
		}
		v.Members = append(v.Members, Member{Name: name, Value: member})
		more, ok := p.more('}')
		if !more {
			return v, ok
		}
	}
}

func (p *parser) array(depth int) (Value, bool) {
	v := Value{Kind: Array}
	p.at++
	p.space()
	if p.at < len(p.s) && p.s[p.at] == ']' {
		p.at++
		return v, true
	}
	for {
		item, ok := p.value(depth)
		if !ok {
			return v, false
		}
		v.Items = append(v.Items, item)
		more, ok := p.more(']')
		if !more {
			return v, ok
		}
	}
}

// more reads what follows an element: a comma and the start of the next one,
// or the end of the container.
func (p *parser) more(end byte) (more, ok bool) {
	p.space()
	if p.at < len(p.s) && p.s[p.at] == end {
		p.at++
		return false, true
	}
	if p.at >= len(p.s) || p.s[p.at] != ',' {
		return false, p.unexpected("',' or '" + string(rune(end)) + "'")
	}
	p.at++
	p.space()
	if p.at < len(p.s) && p.s[p.at] == end {
		return false, p.fail(p.at, "trailing comma")
	}
	return true, true
}

func (p *parser) number() (Value, bool) {
	n := numberLen(p.s[p.at:])
	if n == 0 {
		return Value{}, p.fail(p.at, "not a number")
	}
	token := p.s[p.at : p.at+n]
	if end := p.at + n; end < len(p.s) {
		switch c := p.s[end]; {
		case (token == "0" || token == "-0") && c >= '0' && c <= '9':
			return Value{}, p.fail(p.at, "a number has no leading zeros")
		case c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-':
			return Value{}, p.fail(end, "not a number")
		}
	}
	p.at += n
	return Value{Kind: Number, Text: token}, true
}

// numberLen is the length of the longest prefix that is a JSON number.
func numberLen(s string) int {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	end := i
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return end
		}
		end = i
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return end
		}
		end = i
	}
	return end
}

// str reads a string at its opening quote and gives its content.
func (p *parser) str() (string, bool) {
	open := p.at
	p.at++
	start := p.at
	var out []byte // nil as long as the content stands in the input as it is
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == '"':
			tail := p.s[start:p.at]
			p.at++
			if out == nil {
				return tail, true
			}
			return string(append(out, tail...)), true
		case c == '\n' || c == '\r':
			return "", p.fail(p.at, "a line break inside text must be written \\n")
		case c < ' ':
			return "", p.fail(p.at, fmt.Sprintf("a control byte inside text must be written \\u%04x", c))
		case c == '\\':
			out = append(out, p.s[start:p.at]...)
			var ok bool
			if out, ok = p.escape(out); !ok {
				return "", false
			}
			start = p.at
		default:
			p.at++
		}
	}
	return "", p.fail(open, "text without a closing quote")
}

// escape reads one escape (or a pair of surrogates) and appends what it means.
func (p *parser) escape(out []byte) ([]byte, bool) {
	if out == nil {
		out = []byte{}
	}
	if p.at+1 >= len(p.s) {
		p.at++
		return out, p.fail(len(p.s), "unexpected end after \\")
	}
	c := p.s[p.at+1]
	if c == 'u' {
		return p.escapeU(out)
	}
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	default:
		return out, p.fail(p.at, "unknown escape after \\ (a backslash itself is written \\\\)")
	}
	p.at += 2
	return append(out, c), true
}

func (p *parser) escapeU(out []byte) ([]byte, bool) {
	r, ok := hex4(p.s, p.at+2)
	if !ok {
		return out, p.fail(p.at, "\\u needs four hexadecimal digits")
	}
	p.at += 6
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), true
	}
	if p.at+1 < len(p.s) && p.s[p.at] == '\\' && p.s[p.at+1] == 'u' {
		if low, ok := hex4(p.s, p.at+2); ok {
			if joined := utf16.DecodeRune(r, low); joined != utf8.RuneError {
				p.at += 6
				return utf8.AppendRune(out, joined), true
			}
		}
	}
	return appendSurrogate(out, r), true
}

func hex4(s string, at int) (rune, bool) {
	if at+4 > len(s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[at : at+4]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
