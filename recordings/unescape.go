package recordings

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnescaped appends what the inside of a JSON string stands for. It reports false when p is
// none, is not UTF-8, or has half of a surrogate pair, which stands for no bytes.
func appendUnescaped(dst, p []byte) ([]byte, bool) {
	dst = slices.Grow(dst, len(p)+wordSlack)
	out := dst[:cap(dst)]
	j := len(dst)
	ascii := true
	for i := 0; i < len(p); {
		if len(p)-i >= 8 {
			x := binary.LittleEndian.Uint64(p[i:])
			binary.LittleEndian.PutUint64(out[j:], x)
			m := special(x)
			if m == 0 {
				i, j = i+8, j+8
				continue
			}
			n := bits.TrailingZeros64(m) >> 3
			i, j = i+n, j+n
		}
		c := p[i]
		if c < ' ' || c == '"' {
			return dst, false
		}
		if c != '\\' {
			ascii = ascii && c < utf8.RuneSelf
			out[j] = c
			i, j = i+1, j+1
			continue
		}
		if i+1 == len(p) {
			return dst, false
		}
		if c = p[i+1]; c != 'u' {
			if c = escapes(c); c == 0 {
				return dst, false
			}
			out[j] = c
			i, j = i+2, j+1
			continue
		}
		r, ok := hex4(p[i+2:])
		if i += escape; utf16.IsSurrogate(r) && ok && i+1 < len(p) && p[i] == '\\' && p[i+1] == 'u' {
			var low rune
			low, ok = hex4(p[i+2:])
			r = utf16.DecodeRune(r, low)
			i += escape
			ok = ok && r != utf8.RuneError // of two that are no pair
		}
		if !ok || utf16.IsSurrogate(r) {
			return dst, false
		}
		j += utf8.EncodeRune(out[j:], r)
	}
	return out[:j], ascii || utf8.Valid(p)
}

// escape is how long one is that names a code unit: \u00e9.
const escape = 6

// escapes is the byte that a backslash and c stand for, 0 for none.
func escapes(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return 0
}

// hex4 reads four hex digits.
func hex4(p []byte) (r rune, ok bool) {
	if len(p) < 4 {
		return 0, false
	}
	for _, c := range p[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
