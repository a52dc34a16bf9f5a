package recordings

import (
	"bytes"
	"slices"
	"strings"
)

// block is how many bytes index the shift table of a matcher.
const block = 2

// pattern is one spelling of one secret.
type pattern struct {
	text []byte
	name string
}

// matcher finds every place of many patterns at once (Wu and Manber, 1994): a table tells, by the
// two bytes at the end of a window as long as the shortest pattern, how far no pattern can end.
// It is immutable.
type matcher struct {
	patterns []pattern // longest first
	window   int       // length of the shortest
	longest  int
	shift    [1 << (8 * block)]uint8
	ends     map[uint16][]int32 // patterns by the last block of their window
	starts   [256][]int32       // patterns by their first byte
}

func newMatcher(patterns []pattern) *matcher {
	m := &matcher{patterns: patterns, ends: map[uint16][]int32{}}
	slices.SortStableFunc(m.patterns, func(a, b pattern) int { return len(b.text) - len(a.text) })
	m.longest, m.window = len(patterns[0].text), len(patterns[len(patterns)-1].text)
	m.window = min(m.window, 255)
	for i := range m.shift {
		m.shift[i] = uint8(m.window - block + 1)
	}
	for n, p := range m.patterns {
		for i := block; i <= m.window; i++ {
			b := blockAt(p.text, i)
			m.shift[b] = min(m.shift[b], uint8(m.window-i))
		}
		end := blockAt(p.text, m.window)
		m.ends[end] = append(m.ends[end], int32(n))
		m.starts[p.text[0]] = append(m.starts[p.text[0]], int32(n))
	}
	return m
}

// blockAt is the block of text that ends before i.
func blockAt(text []byte, i int) uint16 {
	return uint16(text[i-2]) | uint16(text[i-1])<<8
}

// find appends where patterns stand in text, in order of their start; they may overlap.
func (m *matcher) find(text []byte, spans []Span) []Span {
	for i := m.window; i <= len(text); {
		b := blockAt(text, i)
		if s := m.shift[b]; s > 0 {
			i += int(s)
			continue
		}
		at := i - m.window
		for _, n := range m.ends[b] {
			if p := &m.patterns[n]; bytes.HasPrefix(text[at:], p.text) {
				spans = append(spans, Span{at, len(p.text), p.name})
				break // the longest that starts here
			}
		}
		i++
	}
	return spans
}

// open is where the longest end of text begins that more bytes could make a pattern, and the name
// of that secret; len(text) when there is none.
func (m *matcher) open(text []byte) (int, string) {
	for at := max(0, len(text)-m.longest+1); at < len(text); at++ {
		rest := text[at:]
		for _, n := range m.starts[rest[0]] {
			if p := &m.patterns[n]; len(p.text) > len(rest) && bytes.HasPrefix(p.text, rest) {
				return at, p.name
			}
		}
	}
	return len(text), ""
}

// disjoint orders spans and cuts what overlaps off the later one. It works in place.
func disjoint(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.Off != b.Off {
			return a.Off - b.Off
		}
		return b.Len - a.Len
	})
	kept := spans[:1]
	for _, s := range spans[1:] {
		last := kept[len(kept)-1]
		if over := last.Off + last.Len - s.Off; over > 0 {
			s.Off, s.Len = s.Off+over, s.Len-over
		}
		if s.Len > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// within appends the parts of spans that lie in [from, to), counted from from.
func within(dst, spans []Span, from, to int) []Span {
	for _, s := range spans {
		a, b := max(s.Off, from), min(s.Off+s.Len, to)
		if a < b {
			dst = append(dst, Span{a - from, b - a, s.Name})
		}
	}
	return dst
}

// star overwrites the spans of p.
func star(p []byte, spans []Span) {
	for _, s := range spans {
		for i := range p[s.Off : s.Off+s.Len] {
			p[s.Off+i] = '*'
		}
	}
}

func toValid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
