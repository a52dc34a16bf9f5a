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
// Offsets of a channel count its bytes over all runs. Safe for concurrent use.
type Index struct {
	path  string // empty: there is no file to read
	holes bool   // lost bytes have offsets too: it was made by the Writer that lost them

	mu       sync.Mutex
	channels [channels]indexed
}

// indexed is what an Index knows of one channel.
type indexed struct {
	next   int64   // the offset behind its latest byte
	places []place // in order
}

// place is a line of the file: the offset of its first byte in the channel, and where it begins.
type place struct{ off, at int64 }

// A GapError is a part of a channel that a recording does not have.
type GapError struct{ Reason string }

func (e *GapError) Error() string { return e.Reason }

// line takes in that the next n bytes of a channel stand on the line at the given place of the
// file; a negative place is that they are lost.
func (x *Index) line(ch Channel, n int64, at int64) {
	x.mu.Lock()
	c := &x.channels[ch]
	if at >= 0 && (len(c.places) == 0 || at-c.places[len(c.places)-1].at >= indexStep) {
		c.places = append(c.places, place{c.next, at})
	}
	c.next += n
	x.mu.Unlock()
}

// find is the entry from which the byte at off is found.
func (x *Index) find(ch Channel, off int64) (place, bool) {
	x.mu.Lock()
	places := x.channels[ch].places // grows, never changes
	x.mu.Unlock()
	i := sort.Search(len(places), func(i int) bool { return places[i].off > off }) - 1
	if i < 0 {
		return place{}, false
	}
	return places[i], true
}

// Read returns n bytes of a channel from off on, and which of them are masked. Bytes that the
// file does not have are a *GapError. It opens the file anew each time.
func (x *Index) Read(ch Channel, off int64, n int) ([]byte, []Span, error) {
	if x == nil || x.path == "" {
		return nil, nil, &GapError{"nothing is recorded in a file"}
	}
	from, ok := x.find(ch, off)
	if !ok {
		return nil, nil, &GapError{"the recording does not have them"}
	}
	f, err := os.Open(x.path)
	if err != nil {
		return nil, nil, fmt.Errorf("the recording cannot be read: %w", err)
	}
	defer f.Close()
	r := &Reader{in: bufio.NewReaderSize(io.NewSectionReader(f, from.at, math.MaxInt64-from.at), readBuffer), limit: maxRecordLine}
	data := make([]byte, 0, n)
	var spans []Span
	for pos := from.off; len(data) < n; {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil, &GapError{"the recording ends before them"}
		case err != nil:
			return nil, nil, err
		case rec.Ch != ch:
			continue
		case rec.K == KindDrop && x.holes:
			if pos += rec.N; pos > off {
				return nil, nil, &GapError{"the recording has a gap there: " + rec.Why}
			}
			continue
		case rec.K != KindBytes:
			continue
		}
		want := off + int64(len(data)) // the next byte
		if end := pos + int64(len(rec.Data)); end > want {
			a := int(want - pos)
			b := min(len(rec.Data), a+n-len(data))
			for _, s := range within(nil, rec.Spans, a, b) {
				s.Off += len(data)
				spans = append(spans, s)
			}
			data = append(data, rec.Data[a:b]...)
		}
		pos += int64(len(rec.Data))
	}
	return data, spans, nil
}
