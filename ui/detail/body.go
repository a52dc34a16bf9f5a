// Package detail shows a window of a body: as indented JSON, as raw text, as
// bytes. A body may be 50 MB in one line, or no JSON, or no UTF-8. Nothing here
// formats a whole one: a view walks as far as it was asked to, remembers the way
// in a bounded number of marks, and draws the lines that were asked for. It reads
// the body where it is and never copies or changes it.
//
// A View may be used from any goroutine; calls wait for each other. A call that
// leads to a place nobody has been to yet takes as long as walking there, up to
// some hundred milliseconds for 50 MB, so it belongs off the event loop.
package detail

import "sort"

// Body is an immutable sequence of bytes in segments, as the log keeps it.
type Body struct {
	segments [][]byte
	starts   []int64 // offset of each segment
	length   int64
}

// NewBody makes a body of segments, which must not change afterwards.
func NewBody(segments ...[]byte) *Body {
	b := &Body{}
	for _, s := range segments {
		if len(s) > 0 {
			b.segments = append(b.segments, s)
			b.starts = append(b.starts, b.length)
			b.length += int64(len(s))
		}
	}
	return b
}

// Len returns the number of bytes.
func (b *Body) Len() int64 { return b.length }

// Bytes returns the n bytes at off, or as many as there are. The result may be
// part of the body and must not be changed.
func (b *Body) Bytes(off, n int64) []byte {
	n = min(n, b.length-off)
	if off < 0 || n <= 0 {
		return nil
	}
	rest := b.at(off)
	if int64(len(rest)) >= n {
		return rest[:n:n]
	}
	out := make([]byte, 0, n)
	for {
		out = append(out, rest[:min(int64(len(rest)), n-int64(len(out)))]...)
		if int64(len(out)) == n {
			return out
		}
		rest = b.at(off + int64(len(out)))
	}
}

// at returns the bytes from off to the end of their segment, none at the end.
func (b *Body) at(off int64) []byte {
	if off < 0 || off >= b.length {
		return nil
	}
	if len(b.segments) == 1 {
		return b.segments[0][off:]
	}
	i := sort.Search(len(b.starts), func(i int) bool { return b.starts[i] > off }) - 1
	return b.segments[i][off-b.starts[i]:]
}

// head returns a body of the first n bytes.
func (b *Body) head(n int64) *Body {
	if n >= b.length {
		return b
	}
	if n <= 0 {
		return &Body{}
	}
	i := sort.Search(len(b.starts), func(i int) bool { return b.starts[i] >= n })
	h := &Body{segments: append([][]byte(nil), b.segments[:i]...), starts: b.starts[:i], length: n}
	h.segments[i-1] = h.segments[i-1][:n-b.starts[i-1]]
	return h
}
