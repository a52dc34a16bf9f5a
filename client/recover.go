package client

import "bytes"

// glued looks for messages beside text or beside each other on one line. The rest of the line
// stays stray, and so does a message that is quoted inside another JSON value.
func (w *Wire) glued(f *Frame) {
	line := f.Body.Bytes()
	if !bytes.Contains(line, []byte(`"jsonrpc"`)) {
		return
	}
	text := false // something but white space and messages is on the line
	budget := glueScans*len(line) + minPiece
	for at, end, tries := 0, 0, 0; ; {
		i := bytes.IndexByte(line[at:], '{')
		if i < 0 || tries == maxGlueTries || budget < 0 {
			text = text || skipSpace(line, end) < len(line)
			break
		}
		at += i
		s := &w.scan
		s.reset()
		n := s.feed(line[at:])
		budget -= n
		if f.Cut > 0 && n == len(line)-at && f.cutShort(s, Body{line[at:]}, w.framer.limit()) {
			text = text || skipSpace(line, end) < at
			break // what lies in it is quoted
		}
		if !s.finish() || len(s.found) != 1 {
			tries++
			at++
			continue
		}
		n = s.found[0].span.End
		if m, ok := s.found[0].judge(Body{line[at:]}, s.maxDepth); ok && !m.Flaws.Has(FlawNoVersion) && !quoted(&m, line[at:]) {
			text = text || skipSpace(line, end) < at
			if len(w.msgs) == MaxMessages {
				f.Flaws |= FlawOverfull
				f.Beyond = at
				break
			}
			m.shift(at)
			w.msgs = append(w.msgs, m)
			end = at + n
			tries = 0
		}
		at += n
	}
	if len(w.msgs) == 0 {
		return
	}
	if f.Lost != nil && f.Cut == 0 {
		f.Lost = nil // two writes ran into each other: what was meant may be among the messages
	}
	f.Kind = KindBatch
	if len(w.msgs) == 1 {
		f.Kind = w.msgs[0].Kind
	}
	mark := FlawMany
	if text {
		mark = FlawGlued
	}
	for i := range w.msgs {
		w.msgs[i].Flaws |= mark
		f.Flaws |= w.msgs[i].Flaws
	}
}

// quoted reports whether a message beside text is one that only a client sends: a log line that
// quotes what was received, not something to answer.
func quoted(m *Message, body []byte) bool {
	if !m.Method.Present() {
		return false
	}
	method, _ := Text(body[m.Method.Start:m.Method.End])
	return FromClient(method)
}

// retain copies a borrowed frame to the held ones; a carried body was given away and is kept.
func (w *Wire) retain(f *Frame) {
	kept := *f
	if len(f.Body) == 1 {
		kept.Body = Body{append([]byte(nil), f.Body[0]...)}
	}
	w.held = append(w.held, kept)
	w.heldLen += f.Body.Len() + len(f.Term.String())
}

// join decides whether a line continues the held ones. It returns false when it does not; at least
// the first of the held lines has been emitted then.
func (w *Wire) join(f *Frame) bool {
	if f.Cut > 0 || len(w.held) >= MaxHeldLines || w.heldLen > w.framer.limit() {
		w.abandon(f)
		w.release()
		return false
	}
	if w.standsAlone(f) {
		w.release()
		return false
	}
	s := &w.spread
	end := s.feedBody(f.Body, 0)
	if end < f.Body.Len() { // broken, or text behind the value
		w.held[0].spoilt(s, w.heldBody(f))
		w.release()
		return false
	}
	if s.state == stDone {
		w.emitSpread(f)
		return true
	}
	s.feed([]byte(f.Term.String()))
	if s.state == stError || f.Term == TermNone {
		if f.Term != TermNone {
			w.held[0].spoilt(s, w.heldBody(f))
		}
		w.release()
		return false
	}
	w.retain(f)
	return true
}

// standsAlone reports whether a line is a whole message by itself: it then ends what was held,
// since a stray opening bracket must not swallow the answers behind it.
func (w *Wire) standsAlone(f *Frame) bool {
	if !opensObject(f) {
		return false
	}
	s := &w.scan
	s.reset()
	end := s.feedBody(f.Body, 0)
	if !s.finish() || end != f.Body.Len() || len(s.found) != 1 {
		return false
	}
	m, ok := s.found[0].judge(f.Body, s.maxDepth)
	return ok && !m.Flaws.Has(FlawNoVersion)
}

// emitSpread emits the held lines and their last one as one frame.
func (w *Wire) emitSpread(last *Frame) {
	joined := make([]byte, 0, w.heldLen+last.Body.Len())
	first := &w.held[0]
	f := Frame{Term: last.Term, Offset: first.Offset, First: first.First, At: last.At, Reads: int(last.read-first.read) + first.Reads, Shared: first.head || last.tail}
	f.Flaws = last.Flaws | FlawSpread
	f.Lines = len(w.held) + 1
	for i := range w.held {
		h := &w.held[i]
		joined = append(h.Body.Append(joined), h.Term.String()...)
		f.Flaws |= h.Flaws
	}
	f.Body = Body{last.Body.Append(joined)}
	clear(w.held)
	w.held, w.heldLen = w.held[:0], 0
	w.msgs = w.msgs[:0]
	w.whole(&f, &w.spread)
	for i := range w.msgs {
		w.msgs[i].Flaws |= FlawSpread
	}
	w.settle(&f, w.spread.nonASCII)
}

// release emits the first of the held lines as what it is, no message, and those behind it too,
// unless one of them opens an object at its very start: from there on they are judged anew, so
// that a stray bracket does not take a pretty-printed message with it.
func (w *Wire) release() {
	lines := w.held
	w.held, w.heldLen = nil, 0
	for i := range lines {
		f := &lines[i]
		if i > 0 && w.again > 0 && opensObject(f) {
			w.again--
			for ; i < len(lines); i++ {
				w.place(&lines[i])
			}
			return
		}
		if blank(f) {
			w.emit(f) // Kind is KindBlank
			continue
		}
		w.msgs = w.msgs[:0]
		f.Kind = KindNotJSON
		if !f.Flaws.Has(FlawUnjoined) {
			f.Reason, f.ReasonAt = endsEarly, f.Body.Len()
		}
		w.glued(f)
		w.settle(f, true)
	}
}
