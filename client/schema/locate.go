package schema

// Locate finds where in a JSON text the value of a pointer stands: at its name in an object, at the
// value itself in an array. Line and column count from 1, columns in characters. The nearest that
// there is on the way is taken; ok is false when b is no JSON up to there.
func Locate(b []byte, pointer string) (line, column int, ok bool) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return 0, 0, false
	}
	p := parser{s: string(b)}
	p.space()
	at := p.at
	for _, t := range tokens {
		found, ok := p.enter(t)
		if !ok {
			return 0, 0, false
		}
		if found < 0 {
			break
		}
		at = found
	}
	p.err = nil
	p.fail(min(at, len(p.s)), "")
	return p.err.Line, p.err.Column, true
}

// enter steps from the start of a container to the value of one token and tells where that stands;
// -1 when the container has none. ok is false at what is no JSON.
func (p *parser) enter(token string) (at int, ok bool) {
	if p.at >= len(p.s) || p.s[p.at] != '{' && p.s[p.at] != '[' {
		return -1, true
	}
	object := p.s[p.at] == '{'
	p.at++
	for i := 0; ; i++ {
		p.space()
		if p.at >= len(p.s) {
			return 0, false
		}
		if p.s[p.at] == '}' || p.s[p.at] == ']' {
			return -1, true
		}
		at, here := p.at, Int(int64(i)).Text == token
		if object {
			if p.s[p.at] != '"' {
				return 0, false
			}
			name, ok := p.str()
			if p.space(); !ok || p.at >= len(p.s) || p.s[p.at] != ':' {
				return 0, false
			}
			p.at++
			p.space()
			here = name == token
		}
		if here {
			return at, true
		}
		if _, ok := p.value(0); !ok {
			return 0, false
		}
		if p.space(); p.at < len(p.s) && p.s[p.at] == ',' {
			p.at++
		}
	}
}
