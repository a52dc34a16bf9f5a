// Package text makes text that a server sent safe to draw, and measures, cuts
// and wraps it in terminal cells. Everything drawn passes through Clean (or
// Escape, for raw views) before anything else looks at it; it is the only place
// that decides how wide a character is.
//
// # What Clean keeps
//
// A terminal and this package must agree on the cells of a line, or the borders
// move. Clean therefore keeps a grapheme cluster only when terminals draw it in
// as many cells as x/ansi measures, and writes the rest as visible ASCII:
//
//   - a letter, digit, symbol, ideograph or private-use character stands for
//     itself, one cell or two;
//   - up to maxMarks combining marks stay on their base; a mark without a base
//     would climb onto whatever is drawn before it and is written as \u0301;
//   - variation selectors 15 and 16 after a symbol only choose between two
//     drawings of different width on which terminals disagree: they are dropped,
//     the sole thing that disappears (Escape shows them); every other selector
//     is written out, since rows of them hide data;
//   - a pair of regional indicators (a flag), a tag sequence on the black flag, a
//     symbol with a skin tone, and up to maxJoined symbols joined by U+200D stay
//     when they measure two cells; otherwise their invisible parts are shown;
//   - a modern Hangul syllable spelled in jamo stays;
//   - controls, DEL, escape sequences, direction controls, all other format and
//     default-ignorable characters, fillers that draw nothing, unassigned code
//     points and bytes that are no UTF-8 are written out.
//
// Terminals without grapheme support draw joined emoji and some Indic conjuncts
// wider than measured. They are kept all the same: the alternative is unreadable.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TabWidth is the distance of tab stops. Eight would waste a narrow pane.
const TabWidth = 4

// Clean returns one line of untrusted text as it may be drawn: valid UTF-8 without
// any control, format or direction character. Those appear as \n, \r, \u202e or
// \u{e0041}, a byte that is no UTF-8 as \x97; a tab becomes spaces up to the next
// tab stop. Cleaning twice changes nothing. Text that needs no change is returned
// as it is, without allocation. The cost is that of the whole of s: cut a long
// line first, or use Line.
func Clean(s string) string {
	n, col := untouched(s)
	if n == len(s) {
		return s
	}
	dst := make([]byte, n, len(s)+len(s)/8+32)
	copy(dst, s)
	return string(appendClean(dst, s[n:], col))
}

// CleanBytes appends to dst what Clean makes of b, as a line of its own.
func CleanBytes(dst, b []byte) []byte { return appendClean(dst, string(b), 0) }

// CleanLines splits s at \n and \r\n and cleans each line. A lone \r stays in its
// line, visibly; a final line break does not add an empty line.
func CleanLines(s string) []string {
	s = strings.TrimSuffix(s, "\n")
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Clean(strings.TrimSuffix(l, "\r"))
	}
	return lines
}

// Typed returns what a field of one line has drawn with every character that orders or hides others as
// U+FFFD. Such a field keeps control characters out of what is typed, so that the escapes are its own,
// and lets the others pass: a default of the server has them, too.
func Typed(drawn string) string {
	return strings.Map(func(r rune) rune {
		joins := r == 0x200d || r >= 0xe0020 && r <= 0xe007f // of an emoji, and the letters of a flag
		if unicode.Is(unicode.Cf, r) && !joins {
			return utf8.RuneError
		}
		return r
	}, drawn)
}

// ASCII returns s with everything but printable ASCII written out, for terminals
// that do not speak UTF-8.
func ASCII(s string) string {
	if printable(s) == len(s) {
		return s
	}
	dst := make([]byte, 0, len(s)+32)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r >= ' ' && r < 0x7f {
			dst = append(dst, s[i])
		} else {
			dst = appendEscape(dst, s[i], r, n)
		}
		i += n
	}
	return string(dst)
}

// Escape returns s as a raw view shows it: as Clean, but \t is written out and
// every character that is not a cell or two by itself too (marks, joiners,
// selectors, regional indicators, skin tones, jamo), so that nothing is dropped
// and each source character can be found in the result.
func Escape(s string) string {
	if printable(s) == len(s) {
		return s
	}
	dst := make([]byte, 0, len(s)+32)
	for len(s) > 0 {
		var n int
		dst, n, _ = AppendRaw(dst, s)
		s = s[n:]
	}
	return string(dst)
}

// AppendRaw appends the raw view of the first character of s, which must not be
// empty, and says how many bytes it took and how many cells it fills. What it
// appends depends on nothing before or after it.
func AppendRaw(dst []byte, s string) (out []byte, n, cells int) {
	if s[0] >= ' ' && s[0] < 0x7f {
		return append(dst, s[0]), 1, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if wide(r) {
		return append(dst, s[:n]...), n, 2
	}
	if r >= utf8.RuneSelf && (r != utf8.RuneError || n > 1) && alone(r) {
		if w := ansi.StringWidth(s[:n]); w > 0 {
			return append(dst, s[:n]...), n, w
		}
	}
	out = appendEscape(dst, s[0], r, n)
	return out, n, len(out) - len(dst)
}

func appendClean(dst []byte, s string, col int) []byte {
	for len(s) > 0 {
		if n := printable(s); n > 0 {
			dst = append(dst, s[:n]...)
			s, col = s[n:], col+n
			continue
		}
		var n, cells int
		dst, n, cells = AppendNext(dst, s, col)
		s, col = s[n:], col+cells
	}
	return dst
}

// untouched returns how many bytes of s Clean would leave as they are, up to the
// first cluster it changes, and how many cells those fill.
func untouched(s string) (n, cells int) {
	var scratch [CellBytes]byte
	for n < len(s) {
		if p := printable(s[n:]); p > 0 {
			n, cells = n+p, cells+p
			continue
		}
		out, size, w := AppendNext(scratch[:0], s[n:], cells)
		if string(out) != s[n:n+size] {
			return n, cells
		}
		n, cells = n+size, cells+w
	}
	return n, cells
}

// printable returns the length of the printable ASCII at the start of s that
// surely stands alone: a last letter before a non-ASCII byte may carry a mark.
func printable(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f {
			if c >= utf8.RuneSelf && i > 0 {
				return i - 1
			}
			return i
		}
	}
	return len(s)
}

// AppendNext appends the drawn form of the first cluster of s, which must not be empty
// and starts in column col of its line, and says how many bytes it took and how
// many cells it fills. Clean is the sum of these steps.
func AppendNext(dst []byte, s string, col int) (out []byte, n, cells int) {
	switch c := s[0]; {
	case c == '\t':
		cells = TabWidth - col%TabWidth
		return append(dst, blanks(cells)...), 1, cells
	case c < ' ' || c == 0x7f:
		out = appendEscape(dst, c, rune(c), 1)
		return out, 1, len(out) - len(dst)
	case c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf):
		return append(dst, c), 1, 1
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	// What starts like a character and is none counts as one up to the end of s: by
	// such a cluster the escapes would depend on what follows.
	if n := valid(cluster); n == 0 {
		out = appendEscape(dst, s[0], utf8.RuneError, 1)
		return out, 1, len(out) - len(dst)
	} else if n < len(cluster) {
		cluster = cluster[:n]
		w = ansi.StringWidth(cluster)
	}
	r, size := utf8.DecodeRuneInString(cluster)
	if size == len(cluster) {
		if w > 0 && base(r) {
			return append(dst, cluster...), size, w
		}
		out = appendEscape(dst, s[0], r, size)
		return out, size, len(out) - len(dst)
	}
	out = appendCluster(dst, cluster, w)
	if drawn := out[len(dst):]; string(drawn) != cluster {
		w = Width(string(drawn))
	}
	return out, len(cluster), w
}

// valid returns the length of the UTF-8 at the start of s.
func valid(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(s)
}

const hex = "0123456789abcdef"

// appendEscape writes the character r of n bytes, or the byte b when r is not one.
func appendEscape(dst []byte, b byte, r rune, n int) []byte {
	switch {
	case r == utf8.RuneError && n <= 1:
		return append(dst, '\\', 'x', hex[b>>4], hex[b&15])
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r <= 0xffff:
		return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	dst = append(dst, '\\', 'u', '{')
	for shift := 20; shift >= 0; shift -= 4 {
		if d := r >> shift; d > 0 { // the first digit of every such rune is not zero
			dst = append(dst, hex[d&15])
		}
	}
	return append(dst, '}')
}
