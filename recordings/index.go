package recordings

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"sync"
)

// indexStep is how many bytes of the file lie between two entries of a channel in an Index: so
// much is read in vain at most to find a place, and a file of 100 GB has an index of 6 MB.
const indexStep = 256 << 10

// Index tells where in a recording the bytes of each channel stand, so that a part of them can be
// read back with work that does not depend on the size of the file. Writers and Readers keep one.
// Offsets of a channel count its bytes over all runs; each exchange of HTTP has channels of its
// own. Safe for concurrent use.
type Index struct {
	path  string // empty: there is no file to read
	holes bool   // lost bytes have offsets too: it was made by the Writer that lost them

	mu    sync.Mutex
	lanes map[lane]*indexed
}

// lane is a channel, of exchange x where that is not 0.
type lane struct {
	x  int
	ch Channel
}

// indexed is what an Index knows of one lane.
type indexed struct {
	next   int64   // the offset behind its latest byte
	places []place // in order
}

// place is a line of the file: the offset of its first byte in the lane, and where it begins.
type place struct{ off, at int64 }

// A GapError is a part of a channel that a recording does not have.
type GapError struct{ Reason string }

func (e *GapError) Error() string { return e.Reason }

// line takes in that the next n bytes of a lane stand on the line at the given place of the file;
// a negative place is that they are lost.
func (x *Index) line(l lane, n int64, at int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := x.lanes[l]
	if c == nil {
		if x.lanes == nil {
			x.lanes = map[lane]*indexed{}
		}
		c = &indexed{}
		x.lanes[l] = c
	}
	if at >= 0 && (len(c.places) == 0 || at-c.places[len(c.places)-1].at >= indexStep) {
		c.places = append(c.places, place{c.next, at})
	}
	c.next += n
}

// find is the entry from which the byte at off is found.
func (x *Index) find(l lane, off int64) (place, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := x.lanes[l]
	if c == nil {
		return place{}, false
	}
	i := sort.Search(len(c.places), func(i int) bool { return c.places[i].off > off }) - 1
	if i < 0 {
		return place{}, false
	}
	return c.places[i], true
}

// Read returns n bytes of a channel, of an exchange of HTTP where that is not 0, from off on, and
// which of them are masked. Bytes that the file does not have are a *GapError.
func (x *Index) Read(exchange int, ch Channel, off int64, n int) ([]byte, []Span, error) {
	data := make([]byte, 0, n)
	var spans []Span
	err := x.Walk(exchange, ch, off, func(p []byte, red []Span) bool {
		p = p[:min(len(p), n-len(data))]
		for _, s := range within(nil, red, 0, len(p)) {
			s.Off += len(data)
			spans = append(spans, s)
		}
		data = append(data, p...)
		return len(data) < n
	})
	if err != nil {
		return nil, nil, err
	}
	return data, spans, nil
}

// Walk calls yield for the bytes of a channel from off on, in pieces and with what is masked in
// each, until it returns false; p is borrowed. Where the file ends before that, or lacks bytes, it
// returns a *GapError. It opens the file anew each time.
func (x *Index) Walk(exchange int, ch Channel, off int64, yield func(p []byte, spans []Span) bool) error {
	if x == nil || x.path == "" {
		return &GapError{"nothing is recorded in a file"}
	}
	from, ok := x.find(lane{exchange, ch}, off)
	if !ok {
		return &GapError{"the recording does not have them"}
	}
	f, err := os.Open(x.path)
	if err != nil {
		return fmt.Errorf("the recording cannot be read: %w", err)
	}
	defer f.Close()
	r := &Reader{in: bufio.NewReaderSize(io.NewSectionReader(f, from.at, math.MaxInt64-from.at), readBuffer), limit: maxRecordLine}
	for pos := from.off; ; {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return &GapError{"the recording ends before them"}
		case err != nil:
			return err
		case rec.Ch != ch:
			continue
		case rec.K == KindDrop && x.holes:
			// A drop does not say whose bytes it tells of where exchanges share a channel.
			if pos += rec.N; pos > off || exchange > 0 {
				return &GapError{"the recording has a gap there: " + rec.Why}
			}
			continue
		case rec.K == KindBytes && exchange == 0, rec.K == KindBody && rec.HTTP.Number == exchange:
		default:
			continue
		}
		end := pos + int64(len(rec.Data))
		if end > off {
			a := int(max(off-pos, 0))
			if !yield(rec.Data[a:], within(nil, rec.Spans, a, len(rec.Data))) {
				return nil
			}
		}
		pos = end
	}
}
