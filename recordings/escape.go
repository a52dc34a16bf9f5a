package recordings

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// escapedGrowth is the most bytes that one byte can become: \u001b.
const escapedGrowth = 6

// wordSlack is how far behind the end of the output a whole word may be stored.
const wordSlack = 8

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, by their high bits, the bytes of a little-endian word that may not stand as they
// are in a line: controls, DEL, quote, backslash and everything that is not ASCII. The lowest
// mark is exact; those above it may be false.
func special(x uint64) uint64 {
	quote := x ^ '"'*ones
	slash := x ^ '\\'*ones
	return (x | (x + ones) | ((x - ' '*ones) &^ x) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)) & highs
}

// appendEscaped appends p as the inside of a JSON string. It reports false, and dst as it was,
// when p is not UTF-8.
//
// Control characters of both sets, DEL, line separators and direction overrides are written as
// \uXXXX, so that a recording can be shown on a terminal and split at line ends by anything.
func appendEscaped(dst, p []byte) ([]byte, bool) {
	dst = slices.Grow(dst, len(p)*escapedGrowth+wordSlack)
	out := dst[:cap(dst)]
	j := len(dst)
	i := 0
	for i < len(p) {
		if len(p)-i >= 8 {
			// The word is stored whole; what follows its first special byte is overwritten.
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
		switch {
		case c == '"' || c == '\\':
			out[j], out[j+1] = '\\', c
			i, j = i+1, j+2
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p[i:])
			if size == 1 {
				return dst, false
			}
			if hidden(r) {
				j += copy(out[j:], `\u`)
				for shift := 12; shift >= 0; shift -= 4 {
					out[j] = hexDigits[r>>shift&15]
					j++
				}
			} else {
				j += copy(out[j:], p[i:i+size])
			}
			i += size
		case c >= ' ' && c != 0x7f:
			out[j] = c
			i, j = i+1, j+1
		case c == '\n':
			out[j], out[j+1] = '\\', 'n'
			i, j = i+1, j+2
		case c == '\r':
			out[j], out[j+1] = '\\', 'r'
			i, j = i+1, j+2
		case c == '\t':
			out[j], out[j+1] = '\\', 't'
			i, j = i+1, j+2
		default:
			j += copy(out[j:], `\u00`)
			out[j], out[j+1] = hexDigits[c>>4], hexDigits[c&15]
			i, j = i+1, j+2
		}
	}
	return out[:j], true
}

// hidden reports whether a character beyond ASCII acts instead of being seen: the C1 controls,
// the line and paragraph separators, the embedding, override and isolate marks.
func hidden(r rune) bool {
	return r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// appendString appends s as a JSON string with its quotes; what is not UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	out, ok := appendEscaped(append(dst, '"'), []byte(s))
	if !ok {
		out, _ = appendEscaped(append(dst, '"'), []byte(toValid(s)))
	}
	return append(out, '"')
}
