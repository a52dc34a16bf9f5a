package client

import "encoding/binary"

// Span is a half-open range of bytes in the body of a frame; the zero Span is an absent member.
type Span struct{ Start, End int }

// Present reports whether the member was there.
func (s Span) Present() bool { return s.End > 0 }

// scanState is where in the JSON grammar (RFC 8259) the scanner stands.
type scanState uint8

const (
	stValue    scanState = iota // a value must follow
	stArrFirst                  // a value or ]
	stObjFirst                  // a member name or }
	stName                      // a member name
	stColon
	stAfter // , or the end of the open container
	stString
	stEscape
	stHex // one of four digits of \uXXXX
	stMinus
	stZero
	stInt
	stPoint
	stFrac
	stExp
	stExpSign
	stExpDigits
	stLiteral // inside true, false or null
	stDone    // the value is complete
	stError
)

// member is a JSON-RPC member that the scanner keeps the span of.
type member uint8

const (
	mOther member = iota
	mJSONRPC
	mID
	mMethod
	mParams
	mResult
	mError
	memberCount
)

var memberNames = [memberCount]string{"", "jsonrpc", "id", "method", "params", "result", "error"}

// nameKeep is how many bytes of a member name are compared with the JSON-RPC names: the longest
// has seven, one more tells a longer name apart.
const nameKeep = 8

// envelope is what one object at message level holds, while and after it is scanned.
type envelope struct {
	span    Span
	members [memberCount]Span
	first   [memberCount]byte // first byte of the member's value: its JSON type
	folded  bool              // a member differs from a JSON-RPC name in case only
	extra   bool              // a member that JSON-RPC does not know
	dup     Span              // the first repeated name, anywhere below
}

// scanner checks the whole grammar of one JSON text, fed in pieces, in one iterative pass. It
// decodes nothing and keeps spans only. Nesting costs one bit and one name list a level.
type scanner struct {
	state    scanState
	pos      int      // bytes consumed
	depth    int      // open containers
	kinds    []uint64 // one bit a level: set for an object
	names    []uint64 // hashes of the member names of the open objects
	marks    []int    // where each open object's names begin
	nested   int      // open objects beyond maxNested, which have no names kept
	large    map[int]map[uint64]struct{}
	literal  string
	isName   bool
	nameAt   int
	hash     uint64
	name     [nameKeep]byte
	nameLen  int
	hex      int
	hexValue uint32
	high     uint32 // a high surrogate waiting for its other half, in a name

	nonASCII bool
	maxDepth int
	topArray bool
	root     byte // first byte of the value
	cur      envelope
	curName  member
	found    []envelope // objects at message level, in order, at most MaxMessages
	beyond   int        // where the first object begins that had no place there; 0 for none
	reason   string     // why the state is stError
}

const (
	hashSeed  = 14695981039346656037 // FNV-1a, 64 bit
	hashPrime = 1099511628211

	// linearNames is how many names of one object are compared one by one before a set is made.
	linearNames = 24
)

func (s *scanner) reset() {
	*s = scanner{kinds: s.kinds[:0], names: s.names[:0], marks: s.marks[:0], found: s.found[:0]}
}

// base is the depth of the objects that may be messages: 1, or 2 inside a batch.
func (s *scanner) base() int {
	if s.topArray {
		return 2
	}
	return 1
}

func (s *scanner) inObject() bool {
	return s.depth > 0 && s.kinds[(s.depth-1)>>6]&(1<<((s.depth-1)&63)) != 0
}

func (s *scanner) open(object bool) {
	w := s.depth >> 6
	if w == len(s.kinds) {
		s.kinds = append(s.kinds, 0)
	}
	if bit := uint64(1) << (s.depth & 63); object {
		s.kinds[w] |= bit
		if len(s.marks) < maxNested {
			s.marks = append(s.marks, len(s.names))
		} else {
			s.nested++
		}
	} else {
		s.kinds[w] &^= bit
	}
	if s.depth == 0 {
		s.topArray = !object
	}
	s.depth++
	s.maxDepth = max(s.maxDepth, s.depth)
	if object && s.depth == s.base() {
		s.cur = envelope{span: Span{Start: s.pos}}
	}
}

// close ends the innermost container, whose last byte is at s.pos.
func (s *scanner) close() {
	if s.inObject() {
		if s.nested > 0 {
			s.nested--
		} else {
			n := len(s.marks) - 1
			s.names = s.names[:s.marks[n]]
			s.marks = s.marks[:n]
			if s.large != nil {
				delete(s.large, n)
			}
		}
		if s.depth == s.base() {
			s.cur.span.End = s.pos + 1
			switch {
			case len(s.found) < MaxMessages:
				s.found = append(s.found, s.cur)
			case s.beyond == 0:
				s.beyond = s.cur.span.Start
			}
		}
	}
	s.depth--
	s.ended(s.pos + 1)
}

// ended notes that a value is complete at end (exclusive).
func (s *scanner) ended(end int) {
	if s.depth == 0 {
		s.state = stDone
		return
	}
	s.state = stAfter
	if s.curName != mOther && s.depth == s.base() {
		s.cur.members[s.curName].End = end
		s.curName = mOther
	}
}

// starts notes that a value begins at s.pos with byte c.
func (s *scanner) starts(c byte) {
	if s.depth == 0 {
		s.root = c
		return
	}
	if s.curName != mOther && s.depth == s.base() && s.inObject() {
		s.cur.members[s.curName] = Span{Start: s.pos}
		s.cur.first[s.curName] = c
	}
}

func (s *scanner) fail(reason string) {
	s.state, s.reason = stError, reason
}

// plain returns how many bytes at the start of p need no look inside a string: no quote,
// backslash or control byte. It also notes bytes beyond ASCII.
func (s *scanner) plain(p []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	i := 0
	var seen uint64
	for ; i+8 <= len(p); i += 8 {
		v := binary.LittleEndian.Uint64(p[i:])
		quote := v ^ ones*'"'
		slash := v ^ ones*'\\'
		stop := (quote - ones) &^ quote
		stop |= (slash - ones) &^ slash
		stop |= (v - ones*0x20) &^ v
		if stop&highs != 0 {
			break
		}
		seen |= v
	}
	for ; i < len(p); i++ {
		c := p[i]
		if c == '"' || c == '\\' || c < 0x20 {
			break
		}
		seen |= uint64(c)
	}
	if seen&highs != 0 {
		s.nonASCII = true
	}
	return i
}

// feed scans p and returns how many of its bytes belong to the value: less than len(p) when the
// value ended before or the grammar was broken there.
func (s *scanner) feed(p []byte) int {
	i, start := 0, s.pos
scan:
	for i < len(p) {
		c := p[i]
		switch s.state {
		case stString:
			n := s.plain(p[i:])
			if s.isName {
				s.nameRun(p[i : i+n])
			}
			if i += n; i == len(p) {
				break scan
			}
			s.pos = start + i
			switch p[i] {
			case '"':
				if s.isName {
					s.isName = false
					s.named()
				} else {
					s.ended(s.pos + 1)
				}
			case '\\':
				s.state = stEscape
			default:
				s.fail("a raw control byte inside a string")
				return i
			}
		case stEscape:
			s.state = stString
			switch c {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				if s.isName {
					s.nameByte(unescaped(c))
				}
			case 'u':
				s.state, s.hex, s.hexValue = stHex, 0, 0
			default:
				s.pos = start + i
				s.fail("an unknown escape in a string")
				return i
			}
		case stHex:
			d := hexDigit(c)
			if d > 15 {
				s.pos = start + i
				s.fail("a broken \\u escape in a string")
				return i
			}
			s.hexValue = s.hexValue<<4 | uint32(d)
			if s.hex++; s.hex == 4 {
				s.state = stString
				if s.isName {
					s.nameRune(s.hexValue)
				}
			}
		case stMinus, stZero, stInt, stPoint, stFrac, stExp, stExpSign, stExpDigits:
			s.pos = start + i
			if !s.number(c) {
				if s.state == stError {
					return i
				}
				continue // the number ended before c
			}
		case stLiteral:
			if c != s.literal[0] {
				s.pos = start + i
				s.fail("an unknown word")
				return i
			}
			if s.literal = s.literal[1:]; s.literal == "" {
				s.ended(start + i + 1)
			}
		default:
			if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
				i++
				continue
			}
			s.pos = start + i
			if s.state == stDone {
				return i
			}
			s.structural(c)
			if s.state == stError {
				return i
			}
		}
		i++
	}
	s.pos = start + i
	return i
}

// structural handles a byte outside strings, numbers and words.
func (s *scanner) structural(c byte) {
	switch s.state {
	case stObjFirst, stName:
		switch {
		case c == '"':
			s.state, s.isName, s.nameAt = stString, true, s.pos
			s.hash, s.nameLen, s.high = hashSeed, 0, 0
		case c == '}' && s.state == stObjFirst:
			s.close()
		default:
			s.fail("a member name must follow")
		}
	case stColon:
		if c != ':' {
			s.fail("a colon must follow a member name")
			return
		}
		s.state = stValue
	case stAfter:
		object := s.inObject()
		switch {
		case c == ',' && object:
			s.state = stName
		case c == ',':
			s.state = stValue
		case c == '}' && object, c == ']' && !object:
			s.close()
		default:
			s.fail("a comma or the end of the list must follow")
		}
	case stArrFirst:
		if c == ']' {
			s.close()
			return
		}
		s.value(c)
	case stValue:
		s.value(c)
	}
}

func (s *scanner) value(c byte) {
	s.starts(c)
	switch c {
	case '{':
		s.open(true)
		s.state = stObjFirst
	case '[':
		s.open(false)
		s.state = stArrFirst
	case '"':
		s.state = stString
	case 't':
		s.state, s.literal = stLiteral, "rue"
	case 'f':
		s.state, s.literal = stLiteral, "alse"
	case 'n':
		s.state, s.literal = stLiteral, "ull"
	case '-':
		s.state = stMinus
	case '0':
		s.state = stZero
	default:
		if c < '1' || c > '9' {
			s.fail("a value must follow")
			return
		}
		s.state = stInt
	}
}

// number takes c as the next byte of a number. It returns false when the number ended before c
// or c breaks it (state stError).
func (s *scanner) number(c byte) bool {
	digit := '0' <= c && c <= '9'
	switch s.state {
	case stMinus:
		switch {
		case c == '0':
			s.state = stZero
		case digit:
			s.state = stInt
		default:
			s.fail("a digit must follow")
			return false
		}
		return true
	case stZero, stInt:
		switch {
		case digit && s.state == stInt:
			return true
		case c == '.':
			s.state = stPoint
			return true
		case c == 'e' || c == 'E':
			s.state = stExp
			return true
		}
	case stPoint, stExpSign:
		if !digit {
			s.fail("a digit must follow")
			return false
		}
		s.state++ // stFrac or stExpDigits
		return true
	case stFrac:
		if digit {
			return true
		}
		if c == 'e' || c == 'E' {
			s.state = stExp
			return true
		}
	case stExp:
		switch {
		case c == '+' || c == '-':
			s.state = stExpSign
		case digit:
			s.state = stExpDigits
		default:
			s.fail("a digit must follow")
			return false
		}
		return true
	case stExpDigits:
		if digit {
			return true
		}
	}
	s.ended(s.pos)
	return false
}

// finish ends the text and reports whether it was one complete value.
func (s *scanner) finish() bool {
	switch s.state {
	case stZero, stInt, stFrac, stExpDigits:
		s.ended(s.pos)
	}
	return s.state == stDone
}

// unfinished reports whether the text so far is the beginning of a value that more bytes could complete.
func (s *scanner) unfinished() bool { return s.state != stDone && s.state != stError }
