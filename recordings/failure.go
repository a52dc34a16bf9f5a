package recordings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// retryAfter is how much session time passes between two attempts to write to what has failed:
// often enough that little is lost once there is room, seldom enough to cost nothing.
const retryAfter = 250 * time.Millisecond

// failure is what a Writer knows of writes that failed: it counts what is lost and finds the way
// back. Nothing is queued, so that a full disk never becomes a full memory.
type failure struct {
	ends   []lineEnd       // of the lines in the Writer's buffer
	lost   [channels]int64 // bytes that no drop line tells of yet; None counts lines that carry none
	total  int64
	cause  error // why the last write failed; nil while writes succeed
	fresh  error // not told by Err yet
	torn   bool  // the file ends inside a line
	tried  bool  // at triedAt, and failed
	tryAt  time.Duration
	now    time.Duration // the latest t seen
	rescue []byte        // what is written first when writing goes on; reused
	limit  error         // that the file has its largest size; nil before
	full   bool          // a drop line says so
}

// lineEnd is where a line ends in a buffer, and what is lost with it.
type lineEnd struct {
	at    int
	x     int // the exchange of HTTP that ch is of; 0 for none
	ch    Channel
	n     int64
	tells bool // it is the drop line that tells of n lost bytes
}

// line notes that a line ends at the given place in the buffer.
func (f *failure) line(at, x int, ch Channel, n int64) {
	if ch == None && n == 0 {
		n = int64(at)
		if len(f.ends) > 0 {
			n -= int64(f.ends[len(f.ends)-1].at)
		}
	}
	f.ends = append(f.ends, lineEnd{at: at, x: x, ch: ch, n: n})
}

// write writes the lines in the buffer in one go; t is the time of the newest.
func (w *Writer) write(t time.Duration) {
	f := &w.failure
	buf := w.buf
	w.buf = w.buf[:0]
	f.now = max(f.now, t)
	if f.cause != nil {
		if f.tried && f.now-f.tryAt < retryAfter {
			w.settle(buf, 0)
			return
		}
		buf = w.resume(buf)
	} else if f.limit != nil && (len(buf) > 0 || !f.full) {
		f.full = true
		buf = w.resume(buf)
	}
	if len(buf) == 0 || w.closed {
		f.ends = f.ends[:0]
		return
	}
	n, err := w.out.Write(buf)
	if err == nil && n < len(buf) {
		err = io.ErrShortWrite
	}
	if err == nil {
		w.settle(buf, len(buf))
		f.cause, f.torn, f.tried = nil, false, false
		if f.fresh == nil && w.there.due(f.now) {
			f.fresh = w.there.missed(w.path)
		}
		return
	}
	if f.cause == nil {
		f.fresh = fmt.Errorf("the recording has a gap from here on, until it can be written again: %w", err)
	}
	f.cause, f.tried, f.tryAt = err, true, f.now
	w.settle(buf, min(max(n, 0), len(buf)))
}

// resume puts before the lines what has to stand between them and a failure: the end of a torn
// line, so that readers see one bad line and no wrong one, and what was lost.
func (w *Writer) resume(lines []byte) []byte {
	f := &w.failure
	ends := append([]lineEnd(nil), f.ends...)
	f.ends = f.ends[:0]
	w.buf = f.rescue[:0]
	if f.torn {
		w.buf = append(w.buf, '\n')
	}
	why := f.cause
	if why == nil {
		why = f.limit
	}
	for ch, n := range f.lost {
		if n > 0 {
			w.drop(f.now, Channel(ch), n, cause(why))
			f.ends[len(f.ends)-1].tells = true
			f.ends[len(f.ends)-1].n = n
		}
	}
	shift := len(w.buf)
	all := append(w.buf, lines...)
	f.rescue, w.buf = all, lines[:0]
	for _, e := range ends {
		e.at += shift
		f.ends = append(f.ends, e)
	}
	return all
}

// beyond counts n bytes that the limit keeps out.
func (w *Writer) beyond(x int, ch Channel, n int64) {
	f := &w.failure
	if f.limit == nil {
		f.limit = fmt.Errorf("it has its largest size, %d MiB", w.limit>>20)
		f.fresh = fmt.Errorf("the recording keeps no more bytes: %w", f.limit)
	}
	f.lost[ch] += n
	f.total += n
	w.index.line(lane{x, ch}, n, -1)
}

// settle counts what of buf is kept and what is lost when n bytes of it were written, and takes
// the lines in it into the index.
func (w *Writer) settle(buf []byte, n int) {
	f := &w.failure
	at := int64(0) // where the line begins in buf
	for _, e := range f.ends {
		// A line that lacks only its end gets it when writing goes on.
		kept := e.at <= n+1
		switch {
		case kept && e.tells:
			f.lost[e.ch] -= e.n
		case !kept && !e.tells:
			f.lost[e.ch] += e.n
			f.total += e.n
		}
		if e.ch != None && !e.tells {
			if !kept {
				at = -1
			} else {
				at += w.size
			}
			w.index.line(lane{e.x, e.ch}, e.n, at)
		}
		at = int64(e.at)
	}
	f.ends = f.ends[:0]
	w.size += int64(n)
	if n > 0 {
		f.torn = buf[n-1] != '\n'
	}
}

// cause is the reason without the path, which stands nowhere else in a recording.
func cause(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error()
}

// Err tells once of every time that writing began to fail.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.failure.fresh
	w.failure.fresh = nil
	return err
}

// Lost is how many bytes could not be kept so far, and whether the last attempt to write failed.
func (w *Writer) Lost() (n int64, failing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure.total, w.failure.cause != nil || w.failure.limit != nil
}

// atEnd is what stays wrong when the recording is closed.
func (f *failure) atEnd() error {
	if f.cause == nil {
		return nil
	}
	var n int64
	for _, l := range f.lost {
		n += l
	}
	return fmt.Errorf("the recording is not complete, %d bytes are missing at its end: %w", n, f.cause)
}
