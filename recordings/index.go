package recordings

import (
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

	reading sync.Mutex
	walks   map[lane]*walk // where Read stopped, so that reading on is no search; nil keeps none
	closed  bool
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
