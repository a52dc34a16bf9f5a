package rpc

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLong is what Next says of a line beyond the reader's limit; the line is skipped.
var ErrTooLong = errors.New("the line is too long")

// Reader cuts the client's bytes into lines.
type Reader struct {
	in    io.Reader
	limit int
	buf   []byte
	held  int // buf[held:] is unread
	err   error
}

// readSize is one read of a pipe on Linux.
const readSize = 64 << 10

// NewReader reads lines of at most limit bytes from in.
func NewReader(in io.Reader, limit int) *Reader { return &Reader{in: in, limit: limit} }

// Next is the next line that is not blank, without its end (a CR counts for the limit); it is the caller's until the next call.
// A last line without an end is a line too. At the end the error is in's, io.EOF as a rule.
func (r *Reader) Next() ([]byte, error) {
	skipping := false
	searched := 0
	for {
		rest := r.buf[r.held:]
		if n := bytes.IndexByte(rest[searched:], '\n'); n >= 0 {
			line := rest[:searched+n]
			r.held += len(line) + 1
			searched = 0
			if skipping || len(line) > r.limit {
				return nil, ErrTooLong
			}
			line = bytes.TrimRight(line, "\r")
			if len(bytes.TrimSpace(line)) > 0 {
				return line, nil
			}
			continue
		}
		if len(rest) > r.limit {
			skipping = true
			r.held = len(r.buf)
			rest = nil
		}
		searched = len(rest)
		if r.err != nil {
			r.held = len(r.buf)
			if skipping {
				return nil, ErrTooLong
			}
			if len(bytes.TrimSpace(rest)) > 0 {
				return rest, nil
			}
			return nil, r.err
		}
		r.fill()
	}
}

func (r *Reader) fill() {
	r.buf = append(r.buf[:0], r.buf[r.held:]...)
	r.held = 0
	used := len(r.buf)
	if cap(r.buf)-used < readSize {
		grown := make([]byte, used, 2*cap(r.buf)+readSize)
		copy(grown, r.buf)
		r.buf = grown
	}
	n, err := r.in.Read(r.buf[used : used+readSize])
	r.buf, r.err = r.buf[:used+n], err
}
