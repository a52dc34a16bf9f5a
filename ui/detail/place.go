package detail

import (
	"context"
	"maps"
)

// Span is a range of bytes of a body.
type Span struct{ Off, N int64 }

// Holds reports whether a byte lies in the range.
func (s Span) Holds(off int64) bool { return off >= s.Off && off < s.Off+s.N }

// Spans are the bytes that the lines of a window show, those between them included: each span ends
// where the next one begins.
func (p *pretty) Spans(from, n int) []Span {
	p.mu.Lock()
	defer p.mu.Unlock()
	from = max(from, 0)
	w, ok := p.walk(from)
	if !ok {
		return nil
	}
	var out []Span
	for i := range n {
		off := w.spot.off
		if _, ok := p.step(&w, from+i); !ok {
			break
		}
		out = append(out, Span{off, w.spot.off - off})
	}
	return out
}

func (v *wrapped) Spans(from, n int) []Span {
	v.mu.Lock()
	defer v.mu.Unlock()
	from = max(from, 0)
	off, ok := v.walk(from)
	if !ok {
		return nil
	}
	var out []Span
	for i := from; i-from < n && off < v.body.Len(); i++ {
		_, end := v.step(i, off, false)
		out = append(out, Span{off, end - off})
		off = end
	}
	return out
}

func (v *hexView) Spans(from, n int) []Span {
	var out []Span
	for i := max(from, 0); i-from < n && int64(i)*v.per < v.body.Len(); i++ {
		off := int64(i) * v.per
		out = append(out, Span{off, min(v.per, v.body.Len()-off)})
	}
	return out
}

// At is the line that shows a byte; the last one for those behind the end.
func (p *pretty) At(ctx context.Context, off int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, s := p.marks.at(off)
	w := p.walker(s)
	for ctx.Err() == nil {
		if _, ok := p.step(&w, at); !ok {
			return max(at-1, 0)
		}
		if w.spot.off > off {
			return at
		}
		at++
	}
	return at
}

func (v *wrapped) At(ctx context.Context, off int64) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	i, begin := v.marks.at(off)
	for pos := int64(begin); ctx.Err() == nil && pos < v.body.Len(); i++ {
		if _, pos = v.step(i, pos, false); pos > off || pos >= v.body.Len() {
			return i
		}
	}
	return i
}

func (v *hexView) At(_ context.Context, off int64) int {
	return int(max(min(off, v.body.Len()-1), 0) / v.per)
}

// Fold returns the view with the value of a line in one line, or with what was so in its own again;
// false where the line opens nothing. The line keeps its number.
func (p *pretty) Fold(n int) (View, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, ok := p.value(n)
	if !ok || !l.opens && !l.folded && l.phase != atClose {
		return p, false
	}
	made := newPretty(p.body)
	made.long, made.folds = maps.Clone(p.long), maps.Clone(p.folds)
	if made.folds[l.off] {
		delete(made.folds, l.off)
	} else {
		made.folds[l.off] = true
	}
	return made, true
}

// Fold returns the view as it is: only JSON has parts.
func (v *wrapped) Fold(int) (View, bool) { return v, false }
func (v *hexView) Fold(int) (View, bool) { return v, false }
