package recordings

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// maxWalks is how many lanes are read on where the last Read of them stopped: those of a process,
// and some exchanges of HTTP.
const maxWalks = 8

// Readable reports whether there is a file from which bytes can be read back.
func (x *Index) Readable() bool { return x != nil && x.path != "" }

// Read returns n bytes of a channel, of an exchange of HTTP where that is not 0, from off on, and
// which of them are masked. Bytes that the file does not have are a *GapError. Parts that are read
// in their order cost no more than reading the file once.
func (x *Index) Read(exchange int, ch Channel, off int64, n int) ([]byte, []Span, error) {
	data := make([]byte, 0, n)
	if n == 0 {
		return data, nil, nil
	}
	var spans []Span
	l := lane{exchange, ch}
	x.reading.Lock()
	defer x.reading.Unlock()
	w, err := x.resume(l, off)
	if err != nil {
		return nil, nil, err
	}
	for {
		if p, red := w.from(off + int64(len(data))); len(p) > 0 {
			p = p[:min(len(p), n-len(data))]
			for _, s := range within(nil, red, 0, len(p)) {
				s.Off += len(data)
				spans = append(spans, s)
			}
			if data = append(data, p...); len(data) == n {
				x.keep(l, w)
				return data, spans, nil
			}
		}
		if err := w.next(off); err != nil {
			w.close()
			return nil, nil, err
		}
	}
}

// Walk calls yield for the bytes of a channel from off on, in pieces and with what is masked in
// each, until it returns false; p is borrowed. Where the file ends before that, or lacks bytes, it
// returns a *GapError.
func (x *Index) Walk(exchange int, ch Channel, off int64, yield func(p []byte, spans []Span) bool) error {
	w, err := x.begin(lane{exchange, ch}, off)
	if err != nil {
		return err
	}
	defer w.close()
	for {
		if err := w.next(off); err != nil {
			return err
		}
		if p, red := w.from(off); len(p) > 0 && !yield(p, red) {
			return nil
		}
	}
}

// Close lets go of the files that Read has open; reading opens them anew from then on.
func (x *Index) Close() {
	x.reading.Lock()
	defer x.reading.Unlock()
	for _, w := range x.walks {
		w.close()
	}
	x.walks, x.closed = nil, true
}

// resume is a walk of a lane that has not come beyond off: the one that Read kept, where that is not
// far behind. It is the caller's. The caller holds reading.
func (x *Index) resume(l lane, off int64) (*walk, error) {
	w := x.walks[l]
	if w == nil {
		return x.begin(l, off)
	}
	delete(x.walks, l)
	if near, ok := x.find(l, off); ok && w.start <= off && w.r.begin+indexStep >= near.at {
		return w, nil
	}
	w.close()
	return x.begin(l, off)
}

// keep keeps a walk for the next Read. The caller holds reading.
func (x *Index) keep(l lane, w *walk) {
	if x.closed {
		w.close()
		return
	}
	if x.walks == nil {
		x.walks = map[lane]*walk{}
	}
	for old, v := range x.walks { // any of them: the others come back by themselves
		if len(x.walks) < maxWalks {
			break
		}
		v.close()
		delete(x.walks, old)
	}
	x.walks[l] = w
}

// walk goes over the lines of a file that have bytes of one lane.
type walk struct {
	lane  lane
	holes bool
	file  *os.File
	r     *Reader
	start int64 // the offset of the first byte of rec
	end   int64 // that behind its last
	rec   Record
}

// begin opens the file where the byte at off is found.
func (x *Index) begin(l lane, off int64) (*walk, error) {
	if !x.Readable() {
		return nil, &GapError{"nothing is recorded in a file"}
	}
	from, ok := x.find(l, off)
	if !ok {
		return nil, &GapError{"the recording does not have them"}
	}
	f, err := os.Open(x.path)
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be read: %w", err)
	}
	r := &Reader{in: bufio.NewReaderSize(io.NewSectionReader(f, from.at, math.MaxInt64-from.at), readBuffer), limit: maxRecordLine, pos: from.at}
	if l.x == 0 {
		r.only = l.ch
	}
	return &walk{lane: l, holes: x.holes, file: f, r: r, start: from.off, end: from.off}, nil
}

func (w *walk) close() { w.file.Close() }

// from is the part of the current line that begins at off.
func (w *walk) from(off int64) ([]byte, []Span) {
	if off >= w.end {
		return nil, nil
	}
	a := int(max(off-w.start, 0))
	return w.rec.Data[a:], within(nil, w.rec.Spans, a, len(w.rec.Data))
}

// next goes to the next line of the lane. A gap behind off is an error.
func (w *walk) next(off int64) error {
	for {
		rec, err := w.r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return &GapError{"the recording ends before them"}
		case err != nil:
			return err
		case rec.Ch != w.lane.ch:
			continue
		case rec.K == KindDrop && w.holes:
			// A drop does not say whose bytes it tells of where exchanges share a channel.
			if w.end += rec.N; w.end > off || w.lane.x > 0 {
				return &GapError{"the recording has a gap there: " + rec.Why}
			}
			continue
		case rec.K == KindBytes && w.lane.x == 0, rec.K == KindBody && rec.HTTP.Number == w.lane.x:
		default:
			continue
		}
		w.rec, w.start = rec, w.end
		w.end += int64(len(rec.Data))
		return nil
	}
}

// elsewhere reports whether a line, as a Writer makes it, has bytes of another channel than the only
// one that is wanted: it need not be read.
func (r *Reader) elsewhere(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"k":"b","t":`))
	if !ok {
		return false
	}
	for len(rest) > 0 && rest[0]-'0' <= 9 {
		rest = rest[1:]
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"ch":"`)); !ok {
		return false
	}
	name, _, ok := bytes.Cut(rest[:min(len(rest), len(`out"`))], []byte{'"'})
	ch, known := channelOf(string(name))
	return ok && known && ch != None && ch != r.only
}
