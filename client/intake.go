package client

import (
	"errors"
	"io"
	"time"
)

// intake reads the body of a reply through the door.
type intake struct {
	t        *HTTP
	number   int
	form     Form
	most     int    // bytes that are read of a body that is no event stream; 0 means DefaultMaxLine
	id       string // of the request it should answer
	shared   bool   // it is a stream of GET or the reply to a batch: what is answered on it may be any request
	mute     func(*Incoming) bool
	answered bool
	seen     int // messages
	size     int64
	head     []byte // the first bytes
	watch    events // what an event stream says beside its messages
	lastID   string
	retry    time.Duration
	other    string // a type of event that no message has
	named    bool   // an endpoint was named
	endpoint string // empty for one that cannot be used
	located  func(endpoint string)
	headed   func() // the head of the stream has come, or will not; nil for nobody
}

// bodyHead is how much of a body an error repeats.
const bodyHead = 2 << 10

// errTooLong is a body that is longer than any message that is kept. A server may send for ever.
var errTooLong = errors.New("its body is longer than any message that is kept (--max-line): the rest was not read")

// all reads to the end; its error is that of the reading.
func (in *intake) all(body io.ReadCloser) (err error) {
	t := in.t
	defer body.Close()
	in.watch.limit = maxEventField
	buf := make([]byte, ReadSize)
	for err == nil {
		var n int
		n, err = body.Read(buf)
		if n == 0 && err == nil {
			continue
		}
		p := buf[:n]
		if in.size += int64(n); in.form != FormEvents && in.size > int64(in.limit()) && err == nil {
			err = errTooLong
		}
		if room := bodyHead - len(in.head); room > 0 {
			in.head = append(in.head, p[:min(n, room)]...)
		}
		if in.form == FormEvents && n > 0 {
			in.watch.Feed(p, 0, in.beside)
		}
		at := t.door.Now()
		if n > 0 {
			t.heard.at(Out, at)
		}
		got := t.door.Chunk(Chunk{Run: t.run, Stream: Out, Exchange: in.number, Form: in.form, At: at, Bytes: p, End: err != nil})
		for i := range got {
			if in.mute != nil && in.mute(&got[i]) {
				continue
			}
			in.seen++
			if got[i].Kind.IsAnswer() && got[i].RawID() == in.id {
				in.answered = true
			}
			got[i].From = Origin{ID: in.id, Closed: !in.shared}
			t.deliver(got[i])
		}
		if in.named && in.located != nil {
			in.located(in.endpoint)
			in.located = nil
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	t.end(in.number, err)
	return err
}

func (in *intake) limit() int {
	if in.most > 0 {
		return in.most
	}
	return DefaultMaxLine
}

// beside sees what the transport needs of an event: ids and retry times to resume by, the endpoint
// of HTTP+SSE.
func (in *intake) beside(f *Frame, e *ServerEvent) {
	if f.Flaws.Has(FlawTorn) {
		return
	}
	if e.HasID {
		in.lastID = e.ID
	}
	if d, ok := digits(e.Retry); ok {
		in.retry = d
	}
	switch {
	case e.Message():
	case e.Type != "endpoint":
		in.other = e.Type
	case !in.named: // the first one counts
		if in.named = true; !e.NoData && f.Cut == 0 {
			in.endpoint = string(f.Body.Bytes())
		}
	}
}

func digits(s string) (time.Duration, bool) {
	const longest = 9 // eleven days
	if s == "" || len(s) > longest {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return time.Duration(n) * time.Millisecond, true
}
