package client

import (
	"bytes"
	"strconv"
)

// What is written in another way than messages are written on stdio, and can be read all the same.

// lengthHeader is how the Language Server Protocol begins a message; the case of it is free.
const lengthHeader = "content-length:"

// ContentLength is what a header of the Language Server Protocol says; false for any other line. Text may
// stand before it: the end of the message before, which has no newline.
func ContentLength(line []byte) (int, bool) {
	const longest = 64 // of the header and what it says
	tail := line[max(0, len(line)-longest):]
	at := bytes.LastIndexByte(tail, ':') + 1 - len(lengthHeader)
	if at < 0 || !bytes.EqualFold(tail[at:at+len(lengthHeader)], []byte(lengthHeader)) {
		return 0, false
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(tail[at+len(lengthHeader):])))
	return n, err == nil && n > 0
}

// announces notes the length that a line announces, if it is such a header. Other headers may follow it.
func (w *Wire) announces(f *Frame) {
	if !w.recover || w.form != FormLines {
		return
	}
	size := f.Body.Len()
	if n, ok := ContentLength(f.Body.Slice(max(0, size-minPiece), size)); ok && n <= w.framer.limit() {
		w.header = n
	}
}

// announced lets the framer end the next line where the header before the blank line says.
func (w *Wire) announced() {
	if w.header > 0 {
		w.framer.Due, w.header = w.header, 0
	}
}

// isMessage reports whether a text is one message and nothing else.
func (w *Wire) isMessage(b Body) bool {
	s := &w.scan
	s.reset()
	end := s.feedBody(b, 0)
	if !s.finish() || end != b.Len() || len(s.found) != 1 {
		return false
	}
	_, ok := s.found[0].judge(b, s.maxDepth)
	return ok
}

// wide notes the answer that a line in UTF-16 is. It is not delivered: no client reads it.
func (w *Wire) wide(f *Frame) bool {
	head := f.Body.Slice(0, min(f.Body.Len(), minPiece)) // most lines are known by it, and need not be joined
	if _, ok := UTF16(head); !ok {
		return false
	}
	text, _ := UTF16(f.Body.Bytes())
	text = bytes.TrimSpace(text)
	if !w.isMessage(Body{text}) {
		return true
	}
	if m, _ := w.scan.found[0].judge(Body{text}, w.scan.maxDepth); m.Kind.IsAnswer() && m.ID.Present() {
		f.Lost = &Lost{ID: string(text[m.ID.Start:m.ID.End]), Reason: "it is written in UTF-16, not in UTF-8"}
	}
	return true
}
