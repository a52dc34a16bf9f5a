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
