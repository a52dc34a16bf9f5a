package vlist

// A Search looks for a row in slices, so that a slow predicate over many rows
// never holds up the screen. It is begun with List.Search and goes stale when rows
// change their place.
type Search struct {
	at, step, left, n int
}

// Search begins at the row after the cursor (forward) or before it, goes once
// around the list and ends with the cursor's own row.
func (l *List) Search(forward bool) *Search {
	step := 1
	if !forward {
		step = -1
	}
	return &Search{at: l.cursor, step: step, left: l.n, n: l.n}
}

// Peek is the row that Next looks at first; -1 when the search is over.
func (s *Search) Peek() int {
	if s.left == 0 {
		return -1
	}
	return ((s.at+s.step)%s.n + s.n) % s.n
}

// Next looks at no more than limit rows. It returns the first that matches, or -1;
// done says that the search is over, with or without a row. Next may be called
// again after a match, for the one behind it.
func (s *Search) Next(limit int, match func(i int) bool) (row int, done bool) {
	for ; limit > 0 && s.left > 0; limit-- {
		s.left--
		s.at += s.step
		switch {
		case s.at >= s.n:
			s.at = 0
		case s.at < 0:
			s.at = s.n - 1
		}
		if match(s.at) {
			return s.at, true
		}
	}
	return -1, s.left == 0
}
