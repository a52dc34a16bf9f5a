package session

import (
	"errors"
	"fmt"
	"sync"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// Bytes says where the bytes of a body are: in a stream of a run, or in a body of an exchange of
// HTTP.
type Bytes struct {
	Run      int
	Stream   client.Stream
	Exchange int  // 0 for the streams of a process
	Event    bool // the body is the data of the event that begins at Offset
	Offset   int64
	Size     int
}

// source reads bodies back; see Recorder.
type source interface {
	ReadBack(b Bytes) (data []byte, masked int, err error)
}

// CutError is a body that is not whole any more: only its first bytes are known.
type CutError struct {
	Size, Kept int   // bytes of the body
	Err        error // why the rest cannot be read back
}

func (e *CutError) Error() string {
	return fmt.Sprintf("%d of %d bytes are no longer in memory, and cannot be read back: %v", e.Size-e.Kept, e.Size, e.Err)
}

func (e *CutError) Unwrap() error { return e.Err }

var (
	errNotRecorded = errors.New("the session is not recorded")
	errOther       = errors.New("the recording has other bytes in their place")
	errLetGo       = errors.New("the row is no longer in memory")
)

// Read is the whole body of a row. Where memory keeps its beginning only, the rest is read back
// from the recording, which takes as long as a disk does; secrets are stars in it, masked counts
// them. On a *CutError the body is what is there. The body must not be changed.
func (l *Log) Read(seq int) (body client.Body, masked int, err error) {
	l.mu.RLock()
	r := l.row(seq)
	if r == nil {
		l.mu.RUnlock()
		return nil, 0, errLetGo
	}
	if r.stream == client.Life {
		l.mu.RUnlock()
		return nil, 0, nil
	}
	head, _ := l.store.body(r)
	size := int(r.size)
	at := Bytes{Run: int(r.run), Stream: r.stream, Offset: r.offset, Size: size}
	if c, i := l.place(seq); c.http != nil {
		at.Exchange, at.Event = int(c.http[i].exchange), c.http[i].sse
	}
	back := l.back
	l.mu.RUnlock()
	if len(head) == size {
		return client.Body{head}, 0, nil
	}
	cut := &CutError{size, len(head), errNotRecorded}
	if back == nil {
		return client.Body{head}, 0, cut
	}
	data, masked, err := back.ReadBack(at)
	if err == nil && (len(data) != size || !alike(data, head)) {
		err = errOther
	}
	if err != nil {
		cut.Err = err
		return client.Body{head}, 0, cut
	}
	return client.Body{data}, masked, nil
}

// Line is the body that Read gives as one slice, for those who make do with what is there. It must
// not be changed.
func (l *Log) Line(seq int) []byte {
	body, _, _ := l.Read(seq)
	return body.Bytes()
}

// alike reports whether data begins with head, apart from what is masked in it.
func alike(data, head []byte) bool {
	for i, c := range head {
		if data[i] != c && data[i] != '*' {
			return false
		}
	}
	return true
}

// places turns offsets of a run's stream into those of a channel of a recording, in which one run
// follows the other.
type places struct {
	index *recordings.Index

	mu    sync.Mutex
	given [4]int64 // bytes by stream
	run   [4]int   // the latest with bytes
	base  map[wireKey]int64
}

// readBack says where bodies are read back from.
func (l *Log) readBack(from source) {
	l.mu.Lock()
	l.back = from
	l.mu.Unlock()
}

// thin says whether large bodies are in memory by their beginning only, which a source must have.
func (l *Log) thin(on bool) {
	l.mu.Lock()
	l.store.thin = on
	l.mu.Unlock()
}

func newPlaces(x *recordings.Index) *places { return &places{index: x, base: map[wireKey]int64{}} }

// chunk takes in what the recording is given of the streams of a process.
func (p *places) chunk(run int, s client.Stream, n int) {
	if n == 0 {
		return
	}
	p.mu.Lock()
	if p.run[s] < run || p.given[s] == 0 {
		p.run[s] = run
		p.base[wireKey{run, s, 0}] = p.given[s]
	}
	p.given[s] += int64(n)
	p.mu.Unlock()
}

// ReadBack is source.
func (p *places) ReadBack(b Bytes) (data []byte, masked int, err error) {
	base := int64(0)
	if b.Exchange == 0 {
		p.mu.Lock()
		at, ok := p.base[wireKey{b.Run, b.Stream, 0}]
		p.mu.Unlock()
		if !ok {
			return nil, 0, errNotRecorded
		}
		base = at
	}
	if b.Event {
		return p.event(b)
	}
	data, spans, err := p.index.Read(b.Exchange, channel(b.Stream), base+b.Offset, b.Size)
	for _, sp := range spans {
		masked += sp.Len
	}
	return data, masked, err
}

// event reads the data of an event back: it is cut out of the stream as it was at first.
func (p *places) event(b Bytes) (data []byte, masked int, err error) {
	w := client.NewForm(client.Out, client.FormEvents, b.Size)
	err = p.index.Walk(b.Exchange, channel(b.Stream), b.Offset, func(chunk []byte, spans []recordings.Span) bool {
		for _, sp := range spans {
			masked += sp.Len
		}
		w.Feed(chunk, 0, func(f *client.Frame) {
			if data == nil {
				data = f.Body.Append(make([]byte, 0, f.Body.Len()))
			}
		})
		return data == nil
	})
	return data, masked, err
}

// joined is a session in two recordings: the runs from one on are in the second.
type joined struct {
	first  source
	from   int
	second source
}

// ReadBack is source.
func (j joined) ReadBack(b Bytes) (data []byte, masked int, err error) {
	if b.Run >= j.from {
		return j.second.ReadBack(b)
	}
	return j.first.ReadBack(b)
}

// ChannelOf is where a recording keeps a stream.
func ChannelOf(s client.Stream) recordings.Channel { return channel(s) }

// channel is where a recording keeps a stream.
func channel(s client.Stream) recordings.Channel {
	switch s {
	case client.In:
		return recordings.In
	case client.Out:
		return recordings.Out
	case client.Err:
		return recordings.Err
	}
	return recordings.None
}
