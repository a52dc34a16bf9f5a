package recordings

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Writer records one session. Every call is one write of whole lines, on the caller's goroutine;
// nothing is kept for later but what may be the beginning of a secret.
//
// Its methods return no errors, since a full disk must not end the session: see Err. They are
// safe for concurrent use; the order of the lines is the order of the calls.
type Writer struct {
	mu      sync.Mutex
	out     io.Writer
	path    string
	secrets *Secrets
	closed  bool

	buf     []byte // the lines of this call; reused
	streams [channels]stream
	bodies  map[int]*bodies // of exchanges that are not over
	scratch scratch
	failure failure
	there   presence
	size    int64 // of the file
	limit   int64 // of size; 0 for none
	index   Index
}

// NewWriter records to out, and closes it in Close if it can be closed.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out, index: Index{holes: true}} }

// Index tells where the bytes that were given to the Writer stand in its file: those of a channel
// have the offsets in which they came, also when some of them were lost.
func (w *Writer) Index() *Index { return &w.index }

// Path is the file that is written; empty when NewWriter was given something else.
func (w *Writer) Path() string { return w.path }

// Mask hides the secrets from now on, also those that are added to s later. nil hides nothing.
func (w *Writer) Mask(s *Secrets) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.secrets = s
}

// Limit stops keeping bytes once the file has n bytes; everything else is still recorded, and what
// is missing is told as of a full disk. 0 is no limit.
func (w *Writer) Limit(n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit = n
}

// Head writes the first line; a zero Start is now. Secrets become ⟦NAME⟧.
func (w *Writer) Head(h Head) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := headLine{V: Version, Tool: h.Tool, Start: h.Start.UTC(), OS: h.OS, Target: h.Target, Options: h.Options, Redacted: h.Redacted,
		Filtered: w.secrets.Replace(h.Filtered)}
	if h.Start.IsZero() {
		line.Start = time.Now().UTC()
	}
	if h.Redacted == nil {
		line.Redacted = w.secrets.Names()
	}
	line.Target.Command = nil
	for _, word := range h.Target.Command {
		line.Target.Command = append(line.Target.Command, w.secrets.Replace(word))
	}
	line.Target.Cwd = w.secrets.Replace(h.Target.Cwd)
	line.Target.URL = w.secrets.Replace(h.Target.URL)
	text, err := json.Marshal(line)
	if err != nil { // a year that RFC 3339 cannot write
		line.Start = time.Time{}
		text, _ = json.Marshal(line)
	}
	w.buf = append(append(w.buf, `{"k":"head",`...), text[1:len(text)-1]...)
	w.endLine(0, None, 0)
	w.write(0)
}

// Spawn tells that a child was started: run counts from 1.
func (w *Writer) Spawn(t time.Duration, run, pid int, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.release()
	w.beginLine(KindSpawn, t)
	w.int("run", int64(run))
	w.int("pid", int64(pid))
	w.text("path", w.secrets.Replace(path))
	w.endLine(0, None, 0)
	w.write(t)
}

// Bytes records what one read brought or one write was given. p is borrowed. Empty ones leave no
// line.
func (w *Writer) Bytes(t time.Duration, ch Channel, p []byte) {
	if len(p) == 0 || ch == None || ch >= channels {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := w.secrets.compiled(); m != nil || len(w.streams[ch].held) > 0 {
		w.masked(m, t, &w.streams[ch], ch, p)
	} else {
		w.bytes(t, 0, ch, p, nil)
	}
	w.write(t)
}

// Masked records bytes of a whole frame, of exchange x of HTTP where that is not 0, in which the given
// spans are stars already; secrets are masked beside. Nothing is held back.
func (w *Writer) Masked(t time.Duration, x int, ch Channel, p []byte, red []Span) {
	if len(p) == 0 || ch == None || ch >= channels {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p, more := w.secrets.Mask(p)
	if len(red) > 0 {
		p = bytes.Clone(p)
		for _, s := range red {
			for i := range p[s.Off : s.Off+s.Len] {
				p[s.Off+i] = '*'
			}
		}
	}
	w.bytes(t, x, ch, p, disjoint(append(slices.Clone(red), more...)))
	w.write(t)
}

// End tells that a stream of the server has ended. What was held back of it goes before.
func (w *Writer) End(t time.Duration, ch Channel) {
	if ch == None || ch >= channels {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush(w.secrets.compiled(), &w.streams[ch], ch)
	w.beginLine(KindEnd, t)
	w.text("ch", ch.String())
	w.endLine(0, None, 0)
	w.write(t)
}

// Flush writes what is held back of every channel. Call it where streams end or rest for good: a
// secret that goes on behind it is not recognised. A rest of MinSecret bytes or more that may be
// the beginning of a secret is masked.
func (w *Writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.release()
	w.write(w.failure.now)
}

// Ctl records a decision. A field may not be named k, t or what.
func (w *Writer) Ctl(t time.Duration, what string, fields ...Field) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beginLine(KindCtl, t)
	w.text("what", what)
	for _, f := range fields {
		switch {
		case f.key == "k" || f.key == "t" || f.key == "what":
		case f.kind == intField:
			w.int(f.key, f.n)
		case f.kind == jsonField:
			w.json(f.key, f.raw)
		default:
			w.text(f.key, w.secrets.Replace(f.text))
		}
	}
	w.endLine(0, None, 0)
	w.write(t)
}

// Exit tells how the child ended: by a code, or by a signal, and then code is nil. asked is what
// had been done to it: no, stdin-closed, term or kill; text says it in a sentence, or is empty. What
// was held back of the streams goes before it.
func (w *Writer) Exit(t time.Duration, code *int, signal, asked, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.release()
	w.beginLine(KindExit, t)
	if code != nil {
		w.int("code", int64(*code))
	}
	if signal != "" {
		w.text("signal", signal)
	}
	w.text("asked", asked)
	if text != "" {
		w.text("text", w.secrets.Replace(text))
	}
	w.endLine(0, None, 0)
	w.write(t)
}

// Drop tells that n bytes of a channel could not be kept, here, and why.
func (w *Writer) Drop(t time.Duration, ch Channel, n int64, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ch >= channels {
		return
	}
	w.flush(w.secrets.compiled(), &w.streams[ch], ch)
	w.drop(t, ch, n, why)
	w.write(t)
}

// Close writes what is held back and closes the file. The error tells of bytes that are missing
// in it at its end, or of the closing. A second call does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.release()
	w.failure.tried, w.failure.full = false, false
	w.write(w.failure.now)
	err := w.failure.atEnd()
	if missed := w.there.missed(w.path); err == nil {
		err = missed
	}
	w.closed = true
	w.buf = nil
	w.index.Close()
	if c, ok := w.out.(io.Closer); ok {
		if cerr := c.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("the recording may be incomplete: %w", cerr)
		}
	}
	return err
}

// beginLine starts a line of a kind.
func (w *Writer) beginLine(kind string, t time.Duration) {
	w.buf = append(append(w.buf, `{"k":"`...), kind...)
	w.buf = strconv.AppendInt(append(w.buf, `","t":`...), int64(t), 10)
}

// endLine finishes a line that stands for n bytes of a channel, of exchange x where that is not 0, or for none.
func (w *Writer) endLine(x int, ch Channel, n int64) {
	w.buf = append(w.buf, '}', '\n')
	w.failure.line(len(w.buf), x, ch, n)
}

// bytes appends one b line, or one hb line of exchange x.
func (w *Writer) bytes(t time.Duration, x int, ch Channel, p []byte, red []Span) {
	if w.limit > 0 && w.size >= w.limit {
		w.beyond(x, ch, int64(len(p)))
		return
	}
	if x > 0 {
		w.beginLine(KindBody, t)
		w.int("x", int64(x))
	} else {
		w.beginLine(KindBytes, t)
	}
	w.buf = append(append(append(w.buf, `,"ch":"`...), ch.String()...), `","d":"`...)
	var ok bool
	if w.buf, ok = appendEscaped(w.buf, p); ok {
		w.buf = append(w.buf, '"')
	} else {
		w.buf = append(w.buf[:len(w.buf)-len(`":"`)], `64":"`...)
		w.buf = append(base64.StdEncoding.AppendEncode(w.buf, p), '"')
	}
	for i, s := range red {
		w.buf = append(w.buf, [...]string{`,"red":[[`, `,[`}[min(i, 1)]...)
		w.buf = append(strconv.AppendInt(w.buf, int64(s.Off), 10), ',')
		w.buf = append(strconv.AppendInt(w.buf, int64(s.Len), 10), ',')
		w.buf = append(appendString(w.buf, s.Name), ']')
	}
	if len(red) > 0 {
		w.buf = append(w.buf, ']')
	}
	w.endLine(x, ch, int64(len(p)))
}

func (w *Writer) drop(t time.Duration, ch Channel, n int64, why string) {
	w.beginLine(KindDrop, t)
	if ch != None {
		w.text("ch", ch.String())
	}
	w.int("n", n)
	w.text("why", w.secrets.Replace(why))
	w.endLine(0, ch, n)
}

func (w *Writer) text(key, value string) {
	w.buf = appendString(append(w.buf, ','), key)
	w.buf = appendString(append(w.buf, ':'), value)
}

func (w *Writer) int(key string, n int64) {
	w.buf = appendString(append(w.buf, ','), key)
	w.buf = strconv.AppendInt(append(w.buf, ':'), n, 10)
}

// json appends a field that is JSON, on one line; with a secret replaced it may be none any more.
func (w *Writer) json(key string, raw []byte) {
	text := w.secrets.Replace(string(raw))
	compact, err := compactJSON(text)
	if err != nil {
		w.text(key, text)
		return
	}
	w.buf = appendString(append(w.buf, ','), key)
	w.buf = append(append(w.buf, ':'), compact...)
}
