package detail

import (
	"bytes"
	"context"
	"sync"

	"example.com/mcpinspect/ui/text"
)

// wrapped is the View of Raw and Text: lines of at most width cells that begin
// where the one before ends. A line of the body always ends a line here. Raw shows
// every byte, also the line break; Text shows what is meant to be read.
type wrapped struct {
	noValue
	body  *Body
	mode  Mode
	width int

	mu    sync.Mutex
	marks marks[at]
	seen  extent
	last  at
	lastN int
}

// at is the offset where a line begins.
type at int64

func (a at) offset() int64 { return int64(a) }

func newWrapped(body *Body, mode Mode, width int) *wrapped {
	return &wrapped{body: body, mode: mode, width: width, marks: newMarks(at(0))}
}

func (v *wrapped) Mode() Mode { return v.mode }

// walk returns the offset of line n, false when there is no such line.
func (v *wrapped) walk(n int) (int64, bool) {
	i, off := v.marks.before(n)
	if v.lastN > i && v.lastN <= n {
		i, off = v.lastN, v.last
	}
	pos := int64(off)
	for ; i < n && pos < v.body.Len(); i++ {
		_, pos = v.step(i, pos, false)
	}
	if pos >= v.body.Len() {
		v.seen.reach(i, pos, true)
		return pos, false
	}
	return pos, true
}

// step makes line i, which begins at off, and returns where the next one does. The
// line is only there when it is to be drawn.
func (v *wrapped) step(i int, off int64, draw bool) (string, int64) {
	s, end := v.line(off, draw)
	if end < v.body.Len() {
		v.marks.add(i+1, at(end))
	}
	v.seen.reach(i+1, end, end >= v.body.Len())
	return s, end
}

// line lays out the line at off, which lies inside the body.
func (v *wrapped) line(off int64, draw bool) (string, int64) {
	// Most lines are printable ASCII, a byte a cell, and go on for another.
	rest := v.body.at(off)
	n := ascii(rest, v.width+1)
	if full, final := n > v.width, off+int64(n) == v.body.Len(); full || final {
		n = min(n, v.width)
		if !draw {
			return "", off + int64(n)
		}
		return string(rest[:n]), off + int64(n)
	}
	// A few bytes a cell do, save for stacked marks.
	for size := int64(4 * v.width); ; size *= 4 {
		if s, n, ok := v.layOut(v.body.Bytes(off, size), off+size >= v.body.Len()); ok {
			return s, off + int64(n)
		}
	}
}

// ascii returns how many of the first limit bytes of b are printable ASCII.
func ascii(b []byte, limit int) int {
	b = b[:min(len(b), limit)]
	for i, c := range b {
		if c < ' ' || c >= 0x7f {
			return i
		}
	}
	return len(b)
}

// layOut makes a line of the start of chunk and returns how many bytes it took;
// false when chunk, which is not the last of the body, holds too little to say.
func (v *wrapped) layOut(chunk []byte, last bool) (string, int, bool) {
	limit := len(chunk)
	if nl := bytes.IndexByte(chunk, '\n'); nl >= 0 {
		limit, last = nl+1, true
	}
	src := string(chunk[:limit])
	if v.mode == Text && last { // the line break itself shows nothing
		src = string(bytes.TrimSuffix(bytes.TrimSuffix(chunk[:limit], []byte("\n")), []byte("\r")))
	}
	next := text.AppendNext
	if v.mode == Raw {
		next = func(dst []byte, s string, _ int) ([]byte, int, int) { return text.AppendRaw(dst, s) }
	}
	dst := make([]byte, 0, 2*v.width)
	n, cells := 0, 0
	for n < len(src) {
		if !last && len(src)-n < text.CellBytes {
			return "", 0, false // a character or cluster may go on behind the chunk
		}
		kept := len(dst)
		out, size, w := next(dst, src[n:], cells)
		if cells+w > v.width && cells > 0 {
			return string(dst[:kept]), n, true
		}
		if w > v.width { // a cluster taken apart: no wider view would help
			return text.Clip(string(out), v.width), n + size, true
		}
		dst, n, cells = out, n+size, cells+w
	}
	if !last {
		return "", 0, false
	}
	return string(dst), limit, true
}

func (v *wrapped) Lines() (int, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen.line == 0 {
		v.walk(firstGap)
	}
	return v.seen.lines(v.body.Len())
}

func (v *wrapped) Count(ctx context.Context) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for !v.seen.end {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		v.walk(v.seen.line + v.marks.gap)
	}
	return v.seen.line, nil
}

func (v *wrapped) Window(from, n int) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	from = max(from, 0)
	off, ok := v.walk(from)
	if !ok {
		return nil
	}
	v.last, v.lastN = at(off), from
	var lines []string
	for i := from; i-from < n && off < v.body.Len(); i++ {
		var s string
		s, off = v.step(i, off, true)
		lines = append(lines, s)
	}
	return lines
}

func (v *wrapped) Find(ctx context.Context, query string, from int, forward bool) (int, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	start, _ := v.walk(max(from, 0))
	hit := find(ctx, v.body, query, start, forward)
	if hit < 0 {
		return 0, false
	}
	i, off := v.marks.at(hit)
	for pos := int64(off); ctx.Err() == nil; i++ {
		if _, pos = v.step(i, pos, false); pos > hit {
			return i, true
		}
	}
	return 0, false
}
