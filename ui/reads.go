package ui

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// reads says how a line came: in how many reads, over which time, and with which other rows.
func reads(log *session.Log, e *session.Event) string {
	what := "arrived in " + text.Plural(e.Reads, "read")
	if e.Reads > 1 {
		what += " over " + text.Duration(e.T-e.First)
	}
	if !e.Shared {
		return what
	}
	around := log.Window(nil, e.Seq-sharedLooked, 2*sharedLooked+1)
	if len(around) == 0 || around[0].Seq > e.Seq {
		return what // it was let go
	}
	own := e.Seq - around[0].Seq
	var before, first, last []int // rows of its only read, its first, its last
	for step := -1; step <= 1; step += 2 {
	look:
		for i := own + step; 0 <= i && i < len(around); i += step {
			o, seq := &around[i], around[i].Seq
			if o.Stream != e.Stream || o.Run != e.Run || o.Exchange != e.Exchange || o.Note != nil {
				continue
			}
			switch {
			case !o.Shared || step < 0 && o.T != e.T && o.T != e.First || step > 0 && o.First != e.T:
				break look // what lies beyond came in other reads
			case e.Reads == 1:
				before = append(before, seq)
			case step < 0 && o.T != e.T:
				first = append(first, seq)
			default:
				last = append(last, seq)
			}
		}
	}
	for _, part := range []struct {
		name string
		rows []int
	}{{"its read", before}, {"its first read", first}, {"its last read", last}} {
		if len(part.rows) > 0 {
			what += ", shared " + part.name + " with " + rowNames(part.rows)
		}
	}
	return what
}

const (
	// sharedLooked is how many rows on either side are looked at: a read brings hundreds of short lines.
	sharedLooked = 100

	// sharedNamed is how many of them are named.
	sharedNamed = 3
)

// rowNames names rows, the nearest first.
func rowNames(rows []int) string {
	var names []string
	for _, seq := range rows[:min(len(rows), sharedNamed)] {
		names = append(names, fmt.Sprintf("#%d", seq))
	}
	if len(rows) > sharedNamed {
		return strings.Join(names, ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
