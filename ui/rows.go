package ui

import "sort"

// rows are the rows of the log that the wire shows: all of them, or those that a filter let pass.
type rows struct {
	picked []int32 // ascending; nil for all
	n      int     // of all there were
	first  int     // the oldest that is still there
}

func (r rows) len() int {
	if r.picked != nil {
		return len(r.picked)
	}
	return r.n - r.first
}

// seq is the number of a row.
func (r rows) seq(i int) int {
	if r.picked != nil {
		return int(r.picked[i])
	}
	return r.first + i
}

// index is where a row stands, or would stand, and whether it does.
func (r rows) index(seq int) (int, bool) {
	if r.picked == nil {
		return max(min(seq, r.n)-r.first, 0), seq >= r.first && seq < r.n
	}
	i := sort.Search(len(r.picked), func(i int) bool { return int(r.picked[i]) >= seq })
	return i, i < len(r.picked) && int(r.picked[i]) == seq
}
