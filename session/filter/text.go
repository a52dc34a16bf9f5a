package filter

import (
	"bytes"
	"strings"
)

// Text finds a piece of text, without regard to the case of ASCII letters. Looking for it costs
// about what reading the bytes does, and allocates nothing.
type Text struct {
	lower  string // what is looked for
	anchor int    // the byte of it that is rarest
	other  byte   // that byte in the other case; the same where there is none
}

// NewText prepares a search. The empty text is in everything.
func NewText(s string) Text {
	t := Text{lower: lowerASCII(s)}
	for i := range len(t.lower) {
		if rank(t.lower[i]) < rank(t.lower[t.anchor]) {
			t.anchor = i
		}
	}
	if t.lower != "" {
		t.other = t.lower[t.anchor]
		if isLetter(t.other) {
			t.other -= 'a' - 'A'
		}
	}
	return t
}

// In reports whether the text stands in b.
func (t *Text) In(b []byte) bool {
	if t.lower == "" {
		return true
	}
	// b[low:high] is where the anchor may stand.
	low, high := t.anchor, len(b)-len(t.lower)+t.anchor+1
	if low >= high {
		return false
	}
	small, capital := next(b, low, high, t.lower[t.anchor]), high
	if t.other != t.lower[t.anchor] {
		capital = next(b, low, high, t.other)
	}
	for {
		at := min(small, capital)
		if at >= high {
			return false
		}
		if from := at - t.anchor; equalFold(b[from:from+len(t.lower)], t.lower) {
			return true
		}
		if at == small {
			small = next(b, at+1, high, t.lower[t.anchor])
		} else {
			capital = next(b, at+1, high, t.other)
		}
	}
}

// InString is In for a short string.
func (t *Text) InString(s string) bool {
	for i := 0; i+len(t.lower) <= len(s); i++ {
		if equalFold(s[i:i+len(t.lower)], t.lower) {
			return true
		}
	}
	return false
}

// next is where c stands in b[from:high], high when it does not.
func next(b []byte, from, high int, c byte) int {
	if i := bytes.IndexByte(b[from:high], c); i >= 0 {
		return from + i
	}
	return high
}

// common are the bytes of messages, the most frequent first.
const common = `"e,:tniaosrl{}[]d/cupm0_1hgbf2-.vy3 4567x89kwqjz`

// rank is low for a byte that is rare in messages.
func rank(c byte) int {
	if i := strings.IndexByte(common, c); i >= 0 {
		return len(common) - i
	}
	return 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// equalFold reports whether s, which is as long as lower, is lower in any case.
func equalFold[S string | []byte](s S, lower string) bool {
	for i := range len(lower) {
		if c := s[i]; c != lower[i] && (c < 'A' || c > 'Z' || c|0x20 != lower[i]) {
			return false
		}
	}
	return true
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
