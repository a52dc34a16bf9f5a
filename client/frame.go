package client

import (
	"bytes"
	"time"
)

// Body is a run of bytes in one or more pieces. A line that fits one read is one piece; a longer
// one comes in the pieces it was carried in, so that 50 MB are scanned without being joined.
type Body [][]byte

// Len is the number of bytes.
func (b Body) Len() int {
	n := 0
	for _, p := range b {
		n += len(p)
	}
	return n
}

// Bytes returns the bytes as one slice: the piece itself when there is only one, a copy otherwise.
func (b Body) Bytes() []byte {
	switch len(b) {
	case 0:
		return nil
	case 1:
		return b[0]
	}
	out := make([]byte, 0, b.Len())
	for _, p := range b {
		out = append(out, p...)
	}
	return out
}

// Slice returns the bytes from start to end; it copies only when they lie in several pieces.
func (b Body) Slice(start, end int) []byte {
	if len(b) == 1 {
		return b[0][start:end]
	}
	return b.Cut(start, end).Bytes()
}

// Cut returns the pieces from start to end without copying.
func (b Body) Cut(start, end int) Body {
	var out Body
	for _, p := range b {
		if end <= 0 {
			break
		}
		if start < len(p) {
			out = append(out, p[max(start, 0):min(end, len(p))])
		}
		start -= len(p)
		end -= len(p)
	}
	return out
}

// Append adds the bytes to dst.
func (b Body) Append(dst []byte) []byte {
	for _, p := range b {
		dst = append(dst, p...)
	}
	return dst
}

// Term is how a line ended.
type Term uint8

const (
	TermNone Term = iota // the stream ended, or the line was cut
	TermLF
	TermCRLF
)

func (t Term) String() string { return [...]string{"", "\n", "\r\n"}[t] }

// Frame is one line of a stream and, after a Wire has judged it, what the line holds.
// Body and Messages are borrowed: they are valid until the function that got them returns.
type Frame struct {
	Body   Body
	Term   Term
	Offset int64         // of the first byte in its stream
	First  time.Duration // when the first byte was read
	At     time.Duration // when the last byte was read
	Reads  int           // how many reads brought its bytes
	Shared bool          // one of those reads brought bytes of another line too
	Cut    int64         // bytes beyond the limit, which were not kept
	Event  *ServerEvent  // of an event stream

	Verdict

	read    int64 // the number of the last of its reads
	head    bool  // the first of its reads brought bytes before it
	tail    bool  // the last of its reads brought bytes behind it
	counted bool  // it ends where a header said, without a newline
}

// Framer cuts a stream into lines. It never copies a line that lies within one chunk, and it
// carries a longer one in pieces, so the cost is linear in the bytes whatever their chunking.
type Framer struct {
	Limit int // bytes of a line that are kept; 0 means DefaultMaxLine
	Due   int // a line of so many bytes that Whole takes ends there, though no newline follows; 0 for none
	Whole func(Body) bool
	Split bool // emit a row at every Limit bytes instead of dropping what lies beyond

	carry   Body
	size    int           // bytes in carry
	over    int64         // bytes of this line beyond Limit
	offset  int64         // of the first byte of this line
	feeds   int64         // reads so far
	reads   int           // reads that brought bytes of the line in carry
	first   time.Duration // when the first of them came
	head    bool          // it brought bytes before it
	lastCR  bool
	torn    bool // the last row was cut by Split: its line has not ended yet
	counted bool // the line that is handed out was ended by Due
	frame   Frame
	whole   [1][]byte // backs Body of a line that needed no carrying
}

// The carry grows in pieces between these sizes: small for the common split line, large enough
// that 50 MB are a few dozen pieces.
const (
	minPiece = 4 << 10
	maxPiece = 4 << 20
)

// Feed takes the bytes of one read and calls emit for every line that they complete.
// The frame is reused; emit must copy what it keeps.
func (f *Framer) Feed(chunk []byte, at time.Duration, emit func(*Frame)) {
	if len(chunk) == 0 {
		return
	}
	limit := f.limit()
	f.feeds++
	for before := false; len(chunk) > 0; before = true {
		if f.Due > 0 && f.size+len(chunk) >= f.Due {
			if n := f.due(chunk); n > 0 {
				rest := chunk[n:]
				f.counted = true
				f.end(chunk[:n], TermNone, at, before, len(rest) > 0, limit, emit)
				chunk = rest
				continue
			}
		}
		window := chunk
		room := limit - f.size
		if f.Split && len(chunk) > room {
			window = chunk[:room]
		}
		switch i := bytes.IndexByte(window, '\n'); {
		case i >= 0:
			rest := chunk[i+1:]
			f.Due = 0
			f.end(chunk[:i], TermLF, at, before, len(rest) > 0, limit, emit)
			chunk = rest
		case f.Split && len(window) == room:
			rest := chunk[room:]
			f.end(window, TermNone, at, before, len(rest) > 0, limit, emit)
			f.torn = true
			chunk = rest
		default:
			if f.reads == 0 {
				f.head, f.first = before, at
			}
			f.reads++
			f.keep(chunk, limit)
			return
		}
	}
}

// due is how many bytes of a chunk complete the line whose length was announced; 0 when they do not.
func (f *Framer) due(chunk []byte) int {
	n := f.Due - f.size
	f.Due = 0
	if n <= 0 || bytes.IndexByte(chunk[:n], '\n') >= 0 || !f.Whole(append(f.carry[:len(f.carry):len(f.carry)], chunk[:n])) {
		return 0
	}
	return n
}

func (f *Framer) limit() int {
	if f.Limit <= 0 {
		return DefaultMaxLine
	}
	return f.Limit
}

// end completes a line, or a row of Split, whose last bytes are tail.
func (f *Framer) end(tail []byte, term Term, at time.Duration, before, after bool, limit int, emit func(*Frame)) {
	fr := &f.frame
	*fr = Frame{Term: term, Offset: f.offset, First: at, At: at, Reads: 1, read: f.feeds, head: before, tail: after}
	if f.reads > 0 { // it began in an earlier read
		f.keep(tail, limit)
		fr.Reads, fr.head, fr.First = f.reads+1, f.head, f.first
		f.emitCarry(emit)
		return
	}
	f.offset += int64(len(tail))
	if term == TermLF {
		f.offset++
		if n := len(tail); n > 0 && tail[n-1] == '\r' {
			tail, fr.Term = tail[:n-1], TermCRLF
		}
	}
	if len(tail) > limit {
		fr.Cut = int64(len(tail) - limit)
		tail = tail[:limit]
	}
	f.whole[0] = tail
	fr.Body = f.whole[:]
	f.hand(emit)
}

// emitCarry hands out the carried line as f.frame. Its pieces are given away: a log may keep them
// as they are.
func (f *Framer) emitCarry(emit func(*Frame)) {
	fr := &f.frame
	fr.Body, fr.Cut = f.carry, f.over
	f.offset += int64(f.size) + f.over
	if fr.Term == TermLF {
		f.offset++
		if f.lastCR {
			fr.Term = TermCRLF
			if f.over > 0 {
				fr.Cut--
			} else {
				fr.Body = f.carry.Cut(0, f.size-1)
			}
		}
	}
	f.carry, f.size, f.over, f.reads, f.head, f.lastCR = nil, 0, 0, 0, false, false
	f.hand(emit)
}

// hand emits f.frame, unless it is no more than the end of a line whose bytes were rows of Split.
func (f *Framer) hand(emit func(*Frame)) {
	fr := &f.frame
	fr.Shared = fr.head || fr.tail
	fr.counted, f.counted = f.counted, false
	torn := f.torn
	f.torn = false
	if torn && fr.Term != TermNone && fr.Body.Len() == 0 {
		return
	}
	emit(fr)
}

// keep carries bytes of an unfinished line.
func (f *Framer) keep(p []byte, limit int) {
	if len(p) == 0 {
		return
	}
	f.lastCR = p[len(p)-1] == '\r'
	if f.size+len(p) > limit {
		room := limit - f.size
		f.over += int64(len(p) - room)
		p = p[:room]
	}
	for len(p) > 0 {
		if n := len(f.carry); n == 0 || len(f.carry[n-1]) == cap(f.carry[n-1]) {
			f.carry = append(f.carry, make([]byte, 0, min(max(minPiece, f.size, len(p)), maxPiece)))
		}
		last := &f.carry[len(f.carry)-1]
		n := min(len(p), cap(*last)-len(*last))
		*last = append(*last, p[:n]...)
		f.size += n
		p = p[n:]
	}
}

// hold takes the bytes of one read of a stream that is one frame, which Close emits.
func (f *Framer) hold(chunk []byte, at time.Duration) {
	if len(chunk) == 0 {
		return
	}
	if f.reads == 0 {
		f.first = at
	}
	f.feeds++
	f.reads++
	f.keep(chunk, f.limit())
}

// Close ends the stream: a line without its terminator is emitted with TermNone.
func (f *Framer) Close(at time.Duration, emit func(*Frame)) {
	if f.reads == 0 {
		return
	}
	f.frame = Frame{Offset: f.offset, First: f.first, At: at, Reads: f.reads, read: f.feeds, head: f.head}
	f.emitCarry(emit)
}

// Pending is the unfinished line so far: its size, and its last bytes up to 4 KiB.
func (f *Framer) Pending() (size int64, tail []byte) {
	if n := len(f.carry); n > 0 {
		tail = f.carry[n-1]
		tail = tail[max(0, len(tail)-minPiece):]
	}
	return int64(f.size) + f.over, tail
}
