package recordings

import (
	"slices"
	"time"
)

// stream is one channel on its way through the mask. What may be the beginning of a secret at its
// end is held back, at most the longest spelling less one byte, until more bytes tell.
type stream struct {
	held []byte  // as they came
	from []piece // the reads or writes that held is made of
	red  []Span  // parts of held that are known to be secret, since secrets may overlap
	x    int     // the exchange of HTTP it is a body of; 0 for none
}

// piece is how many bytes of one read or write are held: they keep their own time.
type piece struct {
	t time.Duration
	n int
}

// scratch is memory that is used again from call to call.
type scratch struct {
	text, starred []byte
	spans, cut    []Span
}

// masked appends the lines that p completes.
func (w *Writer) masked(m *matcher, t time.Duration, s *stream, ch Channel, p []byte) {
	text := p
	if len(s.held) > 0 {
		text = append(append(w.scratch.text[:0], s.held...), p...)
		w.scratch.text = text
	}
	spans := append(w.scratch.spans[:0], s.red...)
	open := len(text)
	if m != nil {
		spans = m.find(text, spans)
		open, _ = m.open(text)
	}
	w.scratch.spans = spans
	s.from = append(s.from, piece{t, len(p)})
	w.pass(s, ch, text, disjoint(spans), open)
}

// flush appends what is held of a stream as if it ended here.
func (w *Writer) flush(m *matcher, s *stream, ch Channel) {
	if len(s.held) == 0 {
		return
	}
	spans := append(w.scratch.spans[:0], s.red...)
	if m != nil {
		if at, name := m.open(s.held); len(s.held)-at >= MinSecret {
			spans = append(spans, Span{at, len(s.held) - at, name})
		}
	}
	w.scratch.spans = spans
	w.pass(s, ch, s.held, disjoint(spans), len(s.held))
}

// release flushes every channel.
func (w *Writer) release() {
	m := w.secrets.compiled()
	for ch := None; ch < channels; ch++ {
		w.flush(m, &w.streams[ch], ch)
	}
	for _, b := range w.bodies {
		w.flush(m, &b.in, In)
		w.flush(m, &b.out, Out)
	}
}

// pass appends the b lines of text up to open, with its spans starred, and holds the rest back.
func (w *Writer) pass(s *stream, ch Channel, text []byte, spans []Span, open int) {
	seen := text
	if len(spans) > 0 {
		seen = append(w.scratch.starred[:0], text...)
		w.scratch.starred = seen
		star(seen, spans)
	}
	done := 0
	for at := 0; at < open; {
		p := &s.from[done]
		n := min(p.n, open-at)
		w.scratch.cut = within(w.scratch.cut[:0], spans, at, at+n)
		w.bytes(p.t, s.x, ch, seen[at:at+n], w.scratch.cut)
		at += n
		if p.n -= n; p.n == 0 {
			done++
		}
	}
	s.from = slices.Delete(s.from, 0, done)
	s.red = within(s.red[:0], spans, open, len(text))
	s.held = append(s.held[:0], text[open:]...)
}
