package recordings

import (
	"errors"
	"time"
)

// Exchange is what the lines of an HTTP exchange say beside their bytes. Which fields are set
// depends on the kind.
type Exchange struct {
	Number int
	Line   string // hq: POST /mcp
	URL    string // hq
	Text   string // hs: the status in words, media type and timings, as a person reads them
	Status int    // hs
	Header [][2]string
	End    bool   // hb: the last bytes of this body
	Err    string // he: why it ended early
}

// bodies are the two streams of an exchange.
type bodies struct{ in, out stream }

// Request records the head of an HTTP request. Secrets in it become ⟦NAME⟧.
func (w *Writer) Request(t time.Duration, x Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beginLine(KindRequest, t)
	w.int("x", int64(x.Number))
	w.text("line", w.secrets.Replace(x.Line))
	w.text("url", w.secrets.Replace(x.URL))
	w.headers(x.Header)
	w.endLine(0, None, 0)
	w.write(t)
}

// Reply records the head of a reply.
func (w *Writer) Reply(t time.Duration, x Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beginLine(KindReply, t)
	w.int("x", int64(x.Number))
	w.int("status", int64(x.Status))
	w.text("text", w.secrets.Replace(x.Text))
	w.headers(x.Header)
	w.endLine(0, None, 0)
	w.write(t)
}

// Body records bytes of a body; end says that no more of it follow. p is borrowed.
func (w *Writer) Body(t time.Duration, number int, ch Channel, p []byte, end bool) {
	if ch != In && ch != Out || len(p) == 0 && !end {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bodies == nil {
		w.bodies = map[int]*bodies{}
	}
	b := w.bodies[number]
	if b == nil {
		b = &bodies{in: stream{x: number}, out: stream{x: number}}
		w.bodies[number] = b
	}
	s := &b.out
	if ch == In {
		s = &b.in
	}
	m := w.secrets.compiled()
	switch {
	case len(p) == 0:
	case m != nil || len(s.held) > 0:
		w.masked(m, t, s, ch, p)
	default:
		w.bytes(t, number, ch, p, nil)
	}
	if end {
		w.flush(m, s, ch)
		w.beginLine(KindBody, t)
		w.int("x", int64(number))
		w.text("ch", ch.String())
		w.text("d", "")
		w.json("end", []byte("true"))
		w.endLine(0, None, 0)
	}
	w.write(t)
}

// Over records the end of an exchange; err is why it ended early.
func (w *Writer) Over(t time.Duration, number int, err string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.bodies[number]; b != nil {
		m := w.secrets.compiled()
		w.flush(m, &b.in, In)
		w.flush(m, &b.out, Out)
		delete(w.bodies, number)
	}
	w.beginLine(KindOver, t)
	w.int("x", int64(number))
	if err != "" {
		w.text("err", w.secrets.Replace(err))
	}
	w.endLine(0, None, 0)
	w.write(t)
}

func (w *Writer) headers(h [][2]string) {
	w.buf = append(w.buf, `,"headers":[`...)
	for i, kv := range h {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(appendString(append(w.buf, '['), kv[0]), ',')
		w.buf = append(appendString(w.buf, w.secrets.Replace(kv[1])), ']')
	}
	w.buf = append(w.buf, ']')
}

// decodeHTTP takes the fields of the kinds of HTTP.
func decodeHTTP(rec *Record, d *fieldReader) {
	x := &Exchange{}
	d.take("x", &x.Number)
	d.take("line", &x.Line)
	d.take("url", &x.URL)
	d.take("text", &x.Text)
	d.take("status", &x.Status)
	d.take("headers", &x.Header)
	d.take("end", &x.End)
	d.take("err", &x.Err)
	if x.Number <= 0 {
		d.fail(errors.New("names no exchange"))
	}
	rec.HTTP = x
}
