package session

import (
	"example.com/mcpinspect/client"
)

// Reproduction is what has to be written to a server so that it gets the request at a row as it got
// it, line by line as it was sent: the handshake of its run, where there was one, and the request.
// None when the row is no request of ours; whole is false when memory does not have all of them.
func (l *Log) Reproduction(seq int) (lines [][]byte, whole bool) {
	q, ok := l.Event(seq)
	if !ok || q.Stream != client.In || q.Kind != client.KindRequest {
		return nil, true
	}
	whole = l.First() == 0 && q.Kept == q.Size
	l.Each(0, func(e Event) bool {
		if e.Seq >= seq {
			return false
		}
		opens := e.Method == client.MethodInitialize && e.Kind == client.KindRequest || e.Method == client.MethodInitialized
		if opens && e.Run == q.Run && e.Stream == client.In {
			lines = append(lines, l.Body(e.Seq).Bytes())
			whole = whole && e.Kept == e.Size
		}
		return true
	})
	return append(lines, l.Body(seq).Bytes()), whole
}

// RequestOf is the row of the request of ours that a row is about: itself, or what it answers; -1
// for none.
func (l *Log) RequestOf(seq int) int {
	e, ok := l.Event(seq)
	switch {
	case !ok:
		return -1
	case e.Stream == client.In && e.Kind == client.KindRequest:
		return seq
	case e.Stream == client.Out && e.Kind.IsAnswer() && e.Pair != NoPair:
		return e.Pair
	}
	return -1
}
