package detail

import "sort"

const (
	// firstGap is how many lines lie between marks at first: a walk over as many
	// takes some tens of microseconds.
	firstGap = 256
	// maxMarks bounds what a view remembers. When there are more every second one
	// is dropped, so that 25 million lines have a mark every 8,192.
	maxMarks = 4096
)

// A place is the state of a walk at the start of a line.
type place interface{ offset() int64 }

// marks remember places at equal distances. The first is line 0.
type marks[P place] struct {
	gap    int
	places []P
}

func newMarks[P place](start P) marks[P] {
	return marks[P]{gap: firstGap, places: []P{start}}
}

// add offers the place of a line; lines must be offered without gaps.
func (m *marks[P]) add(line int, p P) {
	if line != len(m.places)*m.gap {
		return
	}
	m.places = append(m.places, p)
	if len(m.places) <= maxMarks {
		return
	}
	kept := m.places[:0]
	for i := 0; i < len(m.places); i += 2 {
		kept = append(kept, m.places[i])
	}
	clear(m.places[len(kept):])
	m.places, m.gap = kept, 2*m.gap
}

// before returns the last mark at or before a line.
func (m *marks[P]) before(line int) (int, P) {
	i := max(min(line/m.gap, len(m.places)-1), 0)
	return i * m.gap, m.places[i]
}

// at returns the last mark at or before an offset.
func (m *marks[P]) at(off int64) (int, P) {
	i := sort.Search(len(m.places), func(i int) bool { return m.places[i].offset() > off })
	i = max(i-1, 0)
	return i * m.gap, m.places[i]
}

// extent is how far a view has been.
type extent struct {
	line int   // the furthest line whose start is known
	off  int64 // and where it starts
	end  bool  // it is the number of lines
}

func (e *extent) reach(line int, off int64, end bool) {
	if line > e.line || end {
		*e = extent{line, off, end}
	}
}

// lines estimates the number of lines of a body of n bytes.
func (e *extent) lines(n int64) (int, bool) {
	if e.end || e.off == 0 {
		return e.line, e.end
	}
	return max(e.line+1, int(float64(e.line)*float64(n)/float64(e.off))), false
}
