package ui

import (
	"sort"

	"example.com/mcpinspect/session"
)

// rows are the rows of the log that the wire shows: all of them, those of a view, those that a
// filter let pass, in the order of time or in that of a ranking.
type rows struct {
	picked []int32          // ascending; nil for all
	rank   *session.Ranking // of picked; nil for the order of time
	n      int              // of all there were
	first  int              // the oldest that is still there
}

func (r rows) len() int {
	switch {
	case r.rank != nil:
		return r.rank.Len()
	case r.picked != nil:
		return len(r.picked)
	}
	return r.n - r.first
}

// seq is the number of a row.
func (r rows) seq(i int) int {
	switch {
	case r.rank != nil:
		return r.rank.At(i)
	case r.picked != nil:
		return int(r.picked[i])
	}
	return r.first + i
}

// index is where a row stands, or would stand in the order of time, and whether it does.
func (r rows) index(seq int) (int, bool) {
	switch {
	case r.rank != nil:
		return r.rank.Find(seq)
	case r.picked == nil:
		return max(min(seq, r.n)-r.first, 0), seq >= r.first && seq < r.n
	}
	i := sort.Search(len(r.picked), func(i int) bool { return int(r.picked[i]) >= seq })
	return i, i < len(r.picked) && int(r.picked[i]) == seq
}

// still are the rows as they stand now, for whoever reads them beside the loop: only seq and len
// are of use there.
func (r rows) still() rows {
	if r.rank != nil {
		r.picked, r.rank = r.rank.Rows(), nil
	}
	return r
}

// glimpse is the rows of one frame, which the log is asked for once: while a server floods it, each
// question may have to wait for a line that is being written.
type glimpse struct {
	log    *session.Log
	rows   rows
	height int // of what is drawn
	events []session.Event
	asked  bool
}

// row is a row of the list, nil where there is none. The first one that is asked for is the highest
// that is drawn.
func (g *glimpse) row(i int) *session.Event {
	if i < 0 || i >= g.rows.len() {
		return nil
	}
	if !g.asked {
		g.asked = true
		from := max(i-1, 0) // a row may tell of the one above it
		seqs := make([]int, 0, g.height+1)
		for n := from; n < min(i+g.height, g.rows.len()); n++ {
			seqs = append(seqs, g.rows.seq(n))
		}
		g.events = g.log.Pick(make([]session.Event, 0, len(seqs)), seqs)
	}
	for at, seq := 0, g.rows.seq(i); at < len(g.events); at++ {
		if g.events[at].Seq == seq {
			return &g.events[at]
		}
	}
	return nil
}
