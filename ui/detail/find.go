package detail

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// findBlock is how much is searched between two looks at the context.
const findBlock = 256 << 10

// find returns the offset of the nearest match at or behind start, or, backwards,
// the nearest that begins before it; -1 if there is none.
func find(ctx context.Context, body *Body, query string, start int64, forward bool) int64 {
	needles := spellings(query)
	fold := !strings.ContainsFunc(query, unicode.IsUpper)
	longest := 0
	for i, n := range needles {
		longest = max(longest, len(n))
		if fold {
			needles[i] = appendLower(nil, n)
		}
	}
	if longest == 0 {
		return -1
	}
	var folded []byte
	block := func(from, to int64) []byte { // matches that begin in from..to lie inside
		b := body.Bytes(from, to-from+int64(longest)-1)
		if fold {
			folded = appendLower(folded[:0], b)
			return folded
		}
		return b
	}
	if forward {
		for from := start; from < body.Len() && ctx.Err() == nil; from += findBlock {
			to := min(from+findBlock, body.Len())
			if i := nearest(block(from, to), needles, int(to-from), bytes.Index, false); i >= 0 {
				return from + int64(i)
			}
		}
		return -1
	}
	for to := min(start, body.Len()); to > 0 && ctx.Err() == nil; to -= findBlock {
		from := max(to-findBlock, 0)
		if i := nearest(block(from, to), needles, int(to-from), bytes.LastIndex, true); i >= 0 {
			return from + int64(i)
		}
	}
	return -1
}

// nearest returns the first or last match of any needle that begins before limit.
func nearest(b []byte, needles [][]byte, limit int, index func(b, sep []byte) int, last bool) int {
	best := -1
	for _, needle := range needles {
		i := index(b[:min(len(b), limit+len(needle)-1)], needle)
		if i >= 0 && (best < 0 || last == (i > best)) {
			best = i
		}
	}
	return best
}

// spellings returns how the query may be written in a body: as it is, without the
// blank that Pretty puts behind a colon, with visible escapes turned back into
// what they stand for, and with characters beyond ASCII as JSON escapes.
func spellings(query string) [][]byte {
	var out [][]byte
	for _, s := range []string{query, strings.ReplaceAll(query, `": `, `":`), unescape(query), escaped(query)} {
		known := s == ""
		for _, o := range out {
			known = known || string(o) == s
		}
		if !known {
			out = append(out, []byte(s))
		}
	}
	return out
}

// unescape is the reverse of text.Escape, as far as there is one.
func unescape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		meant, n := meaning(s)
		b.WriteString(meant)
		s = s[n:]
	}
	return b.String()
}

// meaning returns what the escape at the start of s stands for and its length, or
// the first byte of s when there is none.
func meaning(s string) (string, int) {
	if len(s) < 2 || s[0] != '\\' {
		return s[:1], 1
	}
	var digits string
	n := 0
	switch s[1] {
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'x':
		n = min(len(s), len(`\x97`))
		digits = s[2:n]
	case 'u':
		n = min(len(s), len(`\u001b`))
		digits = s[2:n]
		if end := strings.IndexByte(s, '}'); strings.HasPrefix(digits, "{") && end > 0 {
			n = end + 1
			digits = s[len(`\u{`):end]
		}
	}
	r, err := strconv.ParseUint(digits, 16, 32)
	switch {
	case err != nil || r > utf8.MaxRune:
		return s[:1], 1
	case s[1] == 'x':
		return string([]byte{byte(r)}), n
	}
	return string(rune(r)), n
}

// escaped writes characters beyond ASCII as JSON encoders do that avoid them.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// appendLower appends b with ASCII letters in lower case.
func appendLower(dst, b []byte) []byte {
	dst = append(dst, b...)
	for i, c := range dst {
		if c >= 'A' && c <= 'Z' {
			dst[i] = c | 0x20
		}
	}
	return dst
}
