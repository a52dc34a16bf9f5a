package session

import (
	"runtime/debug"

	"example.com/mcpinspect/client"
)

// store keeps bodies one behind the other in segments; a large one has a segment of its own.
// Segments are numbered as they were begun.
type store struct {
	segments []segment
	base     int32   // the number of the first in segments
	open     int32   // the one being filled, -1 for none
	queue    []int32 // those that can be cut, oldest first
	bytes    int64   // in memory, of bodies and notes
	max      int64
	thin     bool // beyond thinFrom bytes in memory large bodies keep their beginning only, from the first
	thinFrom int64
}

// segment is some bodies, with the rows that they belong to.
type segment struct {
	data        []byte
	first, last int
	spare       int // bytes that are freed when it is cut
}

const (
	// maxBytes is how many bytes of bodies are kept: a session of an ordinary day by far, and what
	// a laptop can spare.
	maxBytes = 512 << 20

	// prefixSize is what an old body keeps: more than a row of the screen shows, and enough to
	// tell what it is about.
	prefixSize = 256

	// cutGain is the part of a segment, one over this, that cutting must free to be worth it.
	cutGain = 4

	vast     = 128 << 20 // twice a body of this size is more than a short moment may cost
	moveStep = 64 << 20  // of a vast body is copied before what was copied is given back to the system

	// thinFrom is from how many bytes in memory on a recording that is opened keeps beginnings only:
	// its bodies are in its file already. Those of an ordinary session are all at hand.
	thinFrom = 64 << 20

	// thinAsked is the longest request of ours that is kept whole then: it can be sent again, which
	// what is read back with stars for secrets cannot.
	thinAsked = 64 << 10

	firstSegment = 64 << 10 // a short session stays small, and is over before garbage is collected
	thinGain     = 64       // less is not worth reading back
	segmentSize  = 4 << 20  // large enough that a session has few, small enough to waste little
	ownPiece     = 1 << 20  // a body from here on lies by itself, so that segments are not left half empty

	// viewChunk is how many bodies are made at once: one at a time would be an allocation a line.
	viewChunk = 256
)

func newStore() store { return store{open: -1, max: maxBytes, thinFrom: thinFrom} }

func (s *store) at(n int32) *segment { return &s.segments[n-s.base] }

// begin makes a segment and returns its number.
func (s *store) begin(size, row int) int32 {
	data := make([]byte, 0, size)
	if size >= segmentSize {
		huge(data)
	}
	s.segments = append(s.segments, segment{data: data, first: row, last: row})
	return s.base + int32(len(s.segments)-1)
}

// add appends a body to a segment; it must fit.
func (s *store) add(g *segment, b client.Body, size, row int) (off int) {
	off = len(g.data)
	g.data = b.Append(g.data)
	g.last = row
	if size > prefixSize {
		g.spare += size - prefixSize
	}
	s.bytes += int64(size)
	return off
}

// move copies a body and lets go of the pieces that it came in meanwhile: there is never twice of it. The
// pieces are ours (client.Framer gives them away), and whoever comes behind looks at the copy.
func move(g *segment, b client.Body) {
	left := moveStep
	for i, piece := range b {
		g.data = append(g.data, piece...)
		if left -= len(piece); left <= 0 && i < len(b)-1 {
			clear(b[:i+1])
			debug.FreeOSMemory()
			left = moveStep
		}
	}
}

// thins reports whether a body keeps its beginning only. A vast one is moved, not joined for a look.
func (s *store) thins(stream client.Stream, size int) bool {
	return s.thin && s.bytes >= s.thinFrom && size > prefixSize+thinGain && size < vast && (stream != client.In || size > thinAsked)
}

// keepHead copies the beginning of the body of the next row, and its id where that lies behind. What
// is returned as stable is the body as it was given.
func (l *Log) keepHead(r *row, b client.Body) client.Body {
	whole := client.Body{b.Bytes()} // it may be looked at in pieces many times
	kept := append(make([]byte, 0, prefixSize+maxKeptID), whole[0][:prefixSize]...)
	if end := r.idAt + uint32(r.idLen); r.idLen > 0 && end > prefixSize {
		r.idLen = min(r.idLen, prefixSize)
		kept = append(kept, whole[0][r.idAt:r.idAt+uint32(r.idLen)]...)
		r.idAt = prefixSize
	}
	r.bits |= bitCut
	r.seg, r.off, _ = l.keep(client.Body{kept})
	return whole
}

// keep copies a body, that of the next row, and returns where it lies and a stable view of it.
func (l *Log) keep(b client.Body) (seg int32, off uint32, stable client.Body) {
	s, size := &l.store, b.Len()
	if size >= ownPiece {
		// In one piece: whoever reads the answer, its result, its text, would join it again each time.
		n := s.begin(size, l.count)
		g := s.at(n)
		if size >= vast {
			move(g, b)
			b = nil
		}
		s.add(g, b, size, l.count)
		s.queue = append(s.queue, n)
		return n, 0, client.Body{g.data}
	}
	var g *segment
	if s.open >= 0 {
		g = s.at(s.open)
	}
	if g == nil || len(g.data)+size > cap(g.data) {
		want := segmentSize
		if n := int(s.base) + len(s.segments); n < 3 {
			want = min(want, firstSegment<<(2*n)) // each four times the one before
		}
		s.close()
		s.open = s.begin(max(want, size), l.count)
		g = s.at(s.open)
	}
	from := s.add(g, b, size, l.count)
	data := g.data
	if len(l.views) == cap(l.views) {
		l.views = make([][]byte, 0, viewChunk)
	}
	n := len(l.views)
	l.views = append(l.views, data[from:len(data):len(data)])
	return s.open, uint32(from), client.Body(l.views[n : n+1 : n+1])
}

// close ends the segment that is being filled.
func (s *store) close() {
	if s.open >= 0 {
		s.queue = append(s.queue, s.open)
	}
	s.open = -1
}

// body is what is kept of the body of a row, and its id.
func (s *store) body(r *row) (body, id []byte) {
	data := s.at(r.seg).data[r.off:]
	n := r.size
	if r.bits&bitCut != 0 {
		n = min(n, prefixSize)
	}
	return data[:n:n], data[r.idAt : r.idAt+uint32(r.idLen)]
}

// shrink brings the bytes in memory under their limit: old bodies keep their beginning, and where
// that is not enough the oldest rows go. The newest body, of the given size, stays, and when it is
// large it does not drive out the rest. The caller holds mu.
func (l *Log) shrink(newest int) {
	if newest < ownPiece {
		newest = 0
	}
	for l.store.bytes-int64(newest) > l.store.max {
		if l.cut() {
			continue
		}
		if len(l.chunks) < 2 {
			return
		}
		l.letGo()
	}
}

// Bound sets how many rows and how many bytes of bodies are kept, of those that are here and those
// to come; rows go rowChunk at a time.
func (l *Log) Bound(rows int, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.maxRows, l.store.max = rows, bytes
	for l.count-l.first > rows && len(l.chunks) > 1 {
		l.letGo()
	}
	l.shrink(0)
}

// cut takes the bodies of the oldest segment that is worth it down to their first bytes; false
// when there is none.
func (l *Log) cut() bool {
	s := &l.store
	for len(s.queue) > 0 {
		n := s.queue[0]
		if n >= s.base && s.at(n).last == l.count-1 {
			return false // the newest
		}
		s.queue = s.queue[1:]
		if n < s.base {
			continue
		}
		if g := s.at(n); g.spare*cutGain > len(g.data) {
			l.cutSegment(n)
			return true
		}
	}
	return false
}

func (l *Log) cutSegment(n int32) {
	g := l.store.at(n)
	old := g.data
	left := make([]byte, 0, len(old)-g.spare)
	for seq := max(g.first, l.first); seq <= g.last; seq++ {
		r := l.at(seq)
		if r.stream == client.Life || r.seg != n {
			continue
		}
		if r.bits&bitCut != 0 {
			kept := old[r.off:]
			n := prefixSize
			if r.idAt >= prefixSize {
				n += int(r.idLen)
			}
			r.off = uint32(len(left))
			left = append(left, kept[:n]...)
			continue
		}
		body := old[r.off : r.off+r.size]
		r.off = uint32(len(left))
		if r.size <= prefixSize {
			left = append(left, body...)
			continue
		}
		r.bits |= bitCut
		left = append(left, body[:prefixSize]...)
		if end := r.idAt + uint32(r.idLen); r.idLen > 0 && end > prefixSize {
			r.idLen = min(r.idLen, prefixSize)
			left = append(left, body[r.idAt:r.idAt+uint32(r.idLen)]...)
			r.idAt = prefixSize
		}
	}
	g.data = left
	l.store.bytes -= int64(len(old) - len(left))
}

// letGo drops the oldest chunk of rows, and the segments that no other rows need.
func (l *Log) letGo() {
	c := l.chunks[0]
	l.remember(c)
	l.chunks[0] = nil
	l.chunks = l.chunks[1:]
	l.first += len(c.rows)
	l.oldest.Store(int64(l.first))
	l.spare = c.rows[:0]
	l.index.forget(l.first)
	s := &l.store
	s.bytes -= c.cost
	for len(s.segments) > 0 && s.segments[0].last < l.first {
		if s.base == s.open {
			s.open = -1
		}
		s.bytes -= int64(len(s.segments[0].data))
		s.segments[0] = segment{}
		s.segments = s.segments[1:]
		s.base++
	}
}
