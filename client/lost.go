package client

import "fmt"

// Lost is an answer that has come but cannot be read: it is too large to be kept, or broken.
type Lost struct {
	ID     string // raw id token; empty when it was not seen, and the only open request is meant
	Reason string // a clause: "it is no JSON: …"
	Size   int64  // of its line, when that is longer than Limit
	Limit  int
}

// AnswerError is a request that was answered with something that cannot be read.
type AnswerError struct {
	Method, ID string
	Lost
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s (id %s) was answered, but %s", e.Method, e.ID, e.Reason)
}

// begun returns the envelope that the text broke off in, when it is that of an answer as far as it goes.
func (s *scanner) begun() (e *envelope, ok bool) {
	level := s.base() - 1
	if s.state == stDone || s.depth <= level || s.kinds[level>>6]&(1<<(level&63)) == 0 {
		return nil, false
	}
	e = &s.cur
	if e.first[mMethod] != 0 || e.first[mParams] != 0 {
		return nil, false
	}
	answers := e.first[mResult] != 0 || e.first[mError] != 0
	if e.members[mJSONRPC].Present() {
		return e, answers || e.members[mID].Present()
	}
	return e, answers && !e.extra // as for a whole message without the version
}

// token is the id that was seen; empty for none.
func (e *envelope) token(b Body) string {
	id := e.members[mID]
	if !id.Present() || e.first[mID] == 'n' {
		return ""
	}
	return string(b.Slice(id.Start, id.End))
}

// cutShort notes the answer that a line began which is longer than what is kept; b is the text
// that s has seen of it.
func (f *Frame) cutShort(s *scanner, b Body, limit int) bool {
	e, ok := s.begun()
	if ok {
		size := int64(f.Body.Len()) + f.Cut
		f.Lost = &Lost{ID: e.token(b), Size: size, Limit: limit, Reason: fmt.Sprintf("its line of %d bytes is longer than the %d that are kept", size, limit)}
	}
	return ok
}

// spoilt notes the answer that broken text was meant to be. It could be anything, so that only one
// that shows its id counts.
func (f *Frame) spoilt(s *scanner, b Body) {
	e, ok := s.begun()
	if !ok {
		return
	}
	if id := e.token(b); id != "" {
		f.Lost = &Lost{ID: id, Reason: fmt.Sprintf("it is no JSON: %s at byte %d", s.reason, s.pos)}
	}
}

// heldBody is the text of the held lines and of the one behind them.
func (w *Wire) heldBody(f *Frame) (b Body) {
	for i := range w.held {
		h := &w.held[i]
		b = append(append(b, h.Body...), []byte(h.Term.String()))
	}
	return append(b, f.Body...)
}

// abandon notes on the first of the held lines that their value, which f goes on with, will not
// be put together because it is too large.
func (w *Wire) abandon(f *Frame) {
	first := &w.held[0]
	limit := w.framer.limit()
	size := int64(w.heldLen+f.Body.Len()) + f.Cut
	first.Flaws |= FlawUnjoined
	lost := &Lost{Reason: fmt.Sprintf("it is spread over more than the %d lines that are put together", MaxHeldLines)}
	if len(w.held) < MaxHeldLines {
		lost = &Lost{Reason: fmt.Sprintf("its lines have more than the %d bytes that are kept", limit), Size: size, Limit: limit}
	}
	first.Reason, first.ReasonAt = lost.Reason, first.Body.Len()
	if e, ok := w.spread.begun(); ok {
		lost.ID = e.token(w.heldBody(f))
		first.Lost = lost
	}
}
