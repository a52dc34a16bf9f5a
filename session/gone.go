package session

import "example.com/mcpinspect/client"

// Gone is what is remembered of the rows that were let go.
type Gone struct {
	Rows   int            // how many, from the first on
	CRLF   int            // lines on stdout that ended with CR LF
	Stderr int            // lines on stderr
	Notes  []*client.Note // the first of them
	Marks  []GoneMark     // in the order in which they came up
}

// GoneMark is a mark that rows had which were let go.
type GoneMark struct {
	Mark
	Event Event // the first row with it, without its body
	Count int   // marks of this rule on rows of the same stream and method
}

// goneKey is what marks are counted by. Notes are few, and each tells of something else.
type goneKey struct {
	rule     string
	severity Severity
	stream   client.Stream
	method   uint16
	note     int
}

const (
	maxGoneNotes = 4096  // more than a person makes in a day
	maxGoneMarks = 65536 // more than there are rules with methods, unless a server invents those
)

// Gone tells of the rows that were let go.
func (l *Log) Gone() Gone {
	l.mu.RLock()
	defer l.mu.RUnlock()
	g := l.gone
	g.Rows = l.first
	g.Notes = g.Notes[:len(g.Notes):len(g.Notes)]
	g.Marks = append([]GoneMark(nil), g.Marks...) // counts go on
	return g
}

// remember takes in what a chunk holds before it is let go.
func (l *Log) remember(c *chunk) {
	g := &l.gone
	g.Notes = append(g.Notes, c.notes[:min(len(c.notes), maxGoneNotes-len(g.Notes))]...)
	var latest struct {
		set    uint32
		stream client.Stream
		method uint16
		at     []int // in Marks, one for each mark of a row
	}
	for i := range c.rows {
		r := &c.rows[i]
		switch {
		case r.stream == client.Err:
			g.Stderr++
		case r.stream == client.Out && r.term == client.TermCRLF:
			g.CRLF++
		}
		if r.marks == 0 {
			continue
		}
		if r.stream == client.Life || latest.set != r.marks || latest.stream != r.stream || latest.method != r.method {
			latest.set, latest.stream, latest.method = r.marks, r.stream, r.method
			latest.at = l.goneMarks(latest.at[:0], l.first+i, r)
		}
		for n, m := range l.marks.of(r.marks) {
			if at := latest.at[n]; at >= 0 {
				g.Marks[at].Count += 1 + m.More
			}
		}
	}
}

// goneMarks appends where in gone.Marks each mark of a row is counted, -1 for nowhere.
func (l *Log) goneMarks(dst []int, seq int, r *row) []int {
	for _, m := range l.marks.of(r.marks) {
		key := goneKey{m.Rule, m.Severity, r.stream, r.method, 0}
		if r.stream == client.Life {
			key.note = seq + 1
		}
		at, ok := l.goneAt[key]
		if !ok {
			if len(l.gone.Marks) >= maxGoneMarks {
				dst = append(dst, -1)
				continue
			}
			at = len(l.gone.Marks)
			e := l.event(seq)
			e.Head, e.Kept, e.Marks = nil, 0, nil
			l.gone.Marks = append(l.gone.Marks, GoneMark{Mark: m, Event: e})
			l.goneAt[key] = at
		}
		dst = append(dst, at)
	}
	return dst
}
