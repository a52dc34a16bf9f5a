package detail

import "encoding/binary"

// scanner reads JSON (RFC 8259) from a body. Its methods return false at the first
// byte that is none; it stays there, at the end of the body when that came too
// early. Invalid UTF-8 in strings passes, as in encoding/json.
type scanner struct {
	body *Body
	pos  int64
	cur  []byte // the body from pos to the end of the segment
}

func scanAt(b *Body, off int64) scanner { return scanner{body: b, pos: off} }

// peek returns the next byte, or -1 at the end.
func (s *scanner) peek() int {
	if len(s.cur) == 0 {
		if s.cur = s.body.at(s.pos); len(s.cur) == 0 {
			return -1
		}
	}
	return int(s.cur[0])
}

func (s *scanner) advance(n int) { s.cur, s.pos = s.cur[n:], s.pos+int64(n) }

// take steps over the next byte if it is c.
func (s *scanner) take(c byte) bool {
	if s.peek() != int(c) {
		return false
	}
	s.advance(1)
	return true
}

func (s *scanner) space() {
	for {
		switch s.peek() {
		case ' ', '\n', '\t', '\r':
			s.advance(1)
		default:
			return
		}
	}
}

// key steps over a name, its colon and the space around them, and returns where
// the name is, quotes included.
func (s *scanner) key() (off, n int64, ok bool) {
	s.space()
	off = s.pos
	if !s.str() {
		return 0, 0, false
	}
	n = s.pos - off
	s.space()
	if !s.take(':') {
		return 0, 0, false
	}
	s.space()
	return off, n, true
}

// value steps over any value and the space before it.
func (s *scanner) value() bool {
	var stack kinds
	for {
		s.space()
		switch c := s.peek(); c {
		case '{', '[':
			s.advance(1)
			s.space()
			if s.take(closing(c == '[')) {
				break
			}
			stack.push(c == '[')
			if c == '{' {
				if _, _, ok := s.key(); !ok {
					return false
				}
			}
			continue
		default:
			if !s.scalar() {
				return false
			}
		}
		for { // after a value
			if stack.n == 0 {
				return true
			}
			s.space()
			if s.take(',') {
				if !stack.array() {
					if _, _, ok := s.key(); !ok {
						return false
					}
				}
				break
			}
			if !s.take(closing(stack.array())) {
				return false
			}
			stack.n--
		}
	}
}

func closing(array bool) byte {
	if array {
		return ']'
	}
	return '}'
}

// kinds is a stack of open brackets, a bit each: a body of 50 million brackets
// needs 6 MB.
type kinds struct {
	bits []uint64
	n    int
}

func (k *kinds) push(array bool) {
	if k.n/64 == len(k.bits) {
		k.bits = append(k.bits, 0)
	}
	k.bits[k.n/64] &^= 1 << (k.n % 64)
	if array {
		k.bits[k.n/64] |= 1 << (k.n % 64)
	}
	k.n++
}

func (k *kinds) array() bool { return k.bits[(k.n-1)/64]>>((k.n-1)%64)&1 == 1 }

// scalar steps over a string, number, true, false or null.
func (s *scanner) scalar() bool {
	switch c := s.peek(); c {
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

func (s *scanner) word(w string) bool {
	for i := range len(w) {
		if !s.take(w[i]) {
			return false
		}
	}
	return true
}

func (s *scanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	some := false
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.advance(1)
		some = true
	}
	return some
}

func (s *scanner) str() bool {
	if !s.take('"') {
		return false
	}
	for s.peek() >= 0 {
		n := plain(s.cur)
		s.advance(n)
		if len(s.cur) == 0 {
			continue
		}
		switch s.cur[0] {
		case '"':
			s.advance(1)
			return true
		case '\\':
			if !s.escape() {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func (s *scanner) escape() bool {
	s.advance(1)
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.advance(1)
		return true
	case 'u':
		s.advance(1)
		for range 4 {
			c := s.peek()
			if c < '0' || c > '9' && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
			s.advance(1)
		}
		return true
	}
	return false
}

// plain returns how many bytes at the start of b are string content that needs no
// look: no quote, no backslash, no control byte. It takes eight at a time.
func plain(b []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		if ((w-ones*' ')|(quote-ones)|(slash-ones))&^w&highs != 0 {
			break
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}
