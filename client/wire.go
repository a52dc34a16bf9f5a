package client

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Wire turns the bytes of one stream of one run into frames with their messages: framing, scan,
// and the recovery of messages that are glued to text or spread over lines. It reads no clock:
// the same bytes give the same frames, live and from a recording.
//
// A line that is the beginning of a JSON value is held back until the next line shows whether
// the two belong together; Pending tells of it meanwhile. Stray text is never held.
type Wire struct {
	form    Form
	framer  Framer
	events  *events
	text    bool    // stderr: lines without grammar
	recover bool    // the server's stdout: glued and spread messages are recovered
	scan    scanner // over the line that is judged
	spread  scanner // over the held lines
	held    []Frame
	heldLen int
	again   int // how often held lines may still be judged anew
	header  int // the length that a header of the Language Server Protocol announced; 0 for none
	msgs    []Message
	emit    func(*Frame)
}

// NewWire makes the wire of a stream. maxLine is the longest line kept, 0 for DefaultMaxLine.
func NewWire(stream Stream, maxLine int) *Wire {
	w := &Wire{framer: Framer{Limit: maxLine}}
	switch stream {
	case Err:
		w.text = true
		w.framer = Framer{Limit: MaxStderrLine, Split: true}
	case Out:
		w.recover = true
		w.framer.Whole = w.isMessage
	}
	return w
}

// NewForm makes the wire of a stream of HTTP, In or Out.
func NewForm(stream Stream, form Form, maxLine int) *Wire {
	w := &Wire{form: form, framer: Framer{Limit: maxLine}, recover: stream == Out}
	if form == FormEvents {
		w.events = &events{limit: maxLine}
	}
	return w
}

// Feed takes the bytes of one read or write; emit gets every frame that is settled by them.
// The frame is borrowed until emit returns.
func (w *Wire) Feed(chunk []byte, at time.Duration, emit func(*Frame)) {
	w.emit = emit
	switch w.form {
	case FormLines:
		w.framer.Feed(chunk, at, w.line)
	case FormWhole:
		w.framer.hold(chunk, at)
	case FormEvents:
		w.events.Feed(chunk, at, w.event)
	}
}

// Close ends the stream: what was held back and the line without an end are emitted.
func (w *Wire) Close(at time.Duration, emit func(*Frame)) {
	w.emit = emit
	if w.form == FormEvents {
		w.events.Close(at, w.event)
		return
	}
	w.framer.Close(at, w.line)
	for len(w.held) > 0 {
		w.release()
	}
}

// Judge finds the messages of one line that was kept, without copying it: what the wire of the
// server's stdout found in it when it came.
func Judge(b Body) (v Verdict) {
	w := NewWire(Out, 0)
	w.emit = func(f *Frame) {
		v = f.Verdict
		v.Messages = append([]Message(nil), f.Messages...)
	}
	w.judge(&Frame{Body: b, Term: TermLF, Verdict: Verdict{Lines: 1}})
	w.release()
	return v
}

// Pending is the unfinished line or message so far: its size and its last bytes.
func (w *Wire) Pending() (size int64, tail []byte) {
	size, tail = w.framer.Pending()
	if n := len(w.held); n > 0 {
		size += int64(w.heldLen)
		if body := w.held[n-1].Body; len(tail) == 0 {
			tail = body.Slice(max(0, body.Len()-minPiece), body.Len())
		}
	}
	return size, tail
}

// line gets every line of the framer.
func (w *Wire) line(f *Frame) {
	f.Lines = 1
	if f.Cut > 0 {
		f.Flaws |= FlawCut
	}
	if w.text {
		f.Kind = KindText
		encoding(f)
		w.emit(f)
		return
	}
	if f.Term == TermNone && w.form == FormLines && !f.counted {
		f.Flaws |= FlawTorn
	}
	if len(w.held) == 0 {
		w.again = maxAgain
	}
	w.place(f)
}

// event gets every frame of an event stream; what is no event of the protocol is text.
func (w *Wire) event(f *Frame, e *ServerEvent) {
	f.Event = e
	if f.Cut > 0 {
		f.Flaws |= FlawCut
	}
	if f.Kind == KindText {
		encoding(f)
		w.emit(f)
		return
	}
	w.judge(f)
}

// place joins a line with the held ones or judges it by itself.
func (w *Wire) place(f *Frame) {
	for len(w.held) > 0 {
		if w.join(f) {
			return
		}
	}
	w.judge(f)
}

// judge finds the messages of one line.
func (w *Wire) judge(f *Frame) {
	w.msgs = w.msgs[:0]
	skip := 0
	if len(f.Body) > 0 && bytes.HasPrefix(f.Body[0], utf8BOM) {
		f.Flaws |= FlawBOM
		skip = len(utf8BOM)
	}
	s := &w.scan
	s.reset()
	end := s.feedBody(f.Body, skip)
	size := f.Body.Len()
	if s.root == 0 && end == size {
		f.Kind = KindBlank
		w.announced()
		w.emit(f)
		return
	}
	if s.finish() && end == size {
		w.whole(f, s)
		w.settle(f, s.nonASCII)
		return
	}
	if w.begins(f, s) {
		w.scan, w.spread = w.spread, w.scan
		w.retain(f)
		return
	}
	w.stray(f, s, end)
}

// begins reports whether a line is the beginning of a value that later lines may complete. It
// scans the line's end too: inside a string that breaks the value.
func (w *Wire) begins(f *Frame, s *scanner) bool {
	if !w.recover || w.form != FormLines || f.Term == TermNone || f.Cut > 0 || s.root != '{' && s.root != '[' || !s.unfinished() {
		return false
	}
	s.feed([]byte(f.Term.String()))
	return s.unfinished()
}

// stray emits a line that is no JSON, with the messages that can be recovered from it.
func (w *Wire) stray(f *Frame, s *scanner, end int) {
	f.Kind, f.Reason, f.ReasonAt = KindNotJSON, s.reason, end
	w.announces(f)
	switch size := f.Body.Len(); {
	case end == size:
		f.Reason = endsEarly
	case s.state == stDone:
		f.Reason = "text follows the value"
	}
	if w.recover {
		switch {
		case w.form == FormWhole: // the end of the exchange says that its answer did not come
		case f.Cut == 0 && f.Term != TermNone && w.wide(f):
		case f.Cut == 0 && f.Term != TermNone:
			f.spoilt(s, f.Body)
		case f.Cut > 0 && s.root == '{':
			f.cutShort(s, f.Body, w.framer.limit())
		}
		if f.Lost == nil || f.Cut == 0 {
			w.glued(f)
		}
	}
	w.settle(f, true)
}

const endsEarly = "it ends before the value does"

// settle judges the encoding, where there is more than ASCII to judge, and emits.
func (w *Wire) settle(f *Frame, beyondASCII bool) {
	if beyondASCII {
		encoding(f)
	}
	f.Messages = w.msgs
	w.emit(f)
}

// whole judges a line that is exactly one JSON value.
func (w *Wire) whole(f *Frame, s *scanner) {
	f.Kind = KindJSON
	for i := range s.found {
		m, ok := s.found[i].judge(f.Body, s.maxDepth)
		if !ok {
			continue
		}
		if s.topArray {
			m.Flaws |= FlawInBatch
		}
		w.msgs = append(w.msgs, m)
		f.Flaws |= m.Flaws
	}
	if s.beyond > 0 && len(w.msgs) > 0 {
		f.Flaws |= FlawOverfull
		f.Beyond = s.beyond
	}
	switch {
	case len(w.msgs) == 0:
		if len(s.found) > 0 && s.found[0].dup.Present() {
			f.Flaws |= FlawDuplicate
		}
	case s.topArray:
		f.Kind = KindBatch
	default:
		f.Kind = w.msgs[0].Kind
	}
}

// shift moves every span of a message by n bytes.
func (m *Message) shift(n int) {
	for _, s := range []*Span{&m.Span, &m.ID, &m.Method, &m.Params, &m.Result, &m.Error, &m.Dup} {
		if s.Present() {
			s.Start += n
			s.End += n
		}
	}
}

func opensObject(f *Frame) bool {
	return len(f.Body) > 0 && len(f.Body[0]) > 0 && f.Body[0][0] == '{'
}

func blank(f *Frame) bool {
	for _, p := range f.Body {
		if skipSpace(p, 0) < len(p) {
			return false
		}
	}
	return true
}

var utf8BOM = []byte("\xef\xbb\xbf")

// feedBody scans the pieces of a body from offset skip on and returns where it stopped.
func (s *scanner) feedBody(b Body, skip int) int {
	total := 0
	for _, p := range b {
		from := 0
		if skip > 0 {
			from = min(skip, len(p))
			s.pos += from
			skip -= from
			total += from
		}
		n := s.feed(p[from:])
		total += n
		if n < len(p)-from {
			break
		}
	}
	return total
}

// encoding notes bytes that are no UTF-8, and control bytes.
func encoding(f *Frame) {
	if !validUTF8(f) {
		f.Flaws |= FlawUTF8
	}
	if f.Kind != KindNotJSON && f.Kind != KindText {
		return
	}
	for _, p := range f.Body {
		for _, c := range p {
			if c < ' ' && c != '\t' || c == 0x7F {
				f.Flaws |= FlawControl
				return
			}
		}
	}
}

// validUTF8 checks a body across its pieces and notes the offset of the first bad byte.
func validUTF8(f *Frame) bool {
	if len(f.Body) == 1 && utf8.Valid(f.Body[0]) {
		return true
	}
	base := 0
	var tail [2 * utf8.UTFMax]byte
	left := 0 // bytes of a character that a piece boundary cut, in tail
	for n, p := range f.Body {
		if left > 0 {
			head := copy(tail[left:], p[:min(len(p), utf8.UTFMax)])
			r, size := utf8.DecodeRune(tail[:left+head])
			if r == utf8.RuneError && size <= 1 {
				f.BadUTF8 = base - left
				return false
			}
			p = p[size-left:]
			base += size - left
			left = 0
		}
		if !utf8.Valid(p) {
			i := 0
			for i < len(p) {
				if n < len(f.Body)-1 && !utf8.FullRune(p[i:]) {
					left = copy(tail[:], p[i:])
					break
				}
				r, size := utf8.DecodeRune(p[i:])
				if r == utf8.RuneError && size <= 1 {
					f.BadUTF8 = base + i
					return false
				}
				i += size
			}
		}
		base += len(p)
	}
	return true
}
