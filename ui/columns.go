package ui

import (
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// timeColumn is what the column of time shows.
type timeColumn uint8

const (
	sinceStart timeColumn = iota // seconds since the session began
	wallClock                    // the time of day
	sinceAbove                   // seconds since the row above
	timeColumns
)

func (t timeColumn) String() string { return [...]string{"start", "clock", "above"}[t] }

func (t timeColumn) says() string {
	return [...]string{"time since the start", "time of day", "time since the row above"}[t]
}

// clock is how the time of a session is told.
type clock struct {
	start time.Time     // when it began
	now   time.Duration // since then
}

// The least widths of the columns in front of a row: its number, and the time that it came.
const (
	seqWidth  = 5
	timeWidth = 9
)

// front is number and time of a row, of the same width for all rows. above is the row that stands
// above it, nil for none.
func (p *wirePane) front(e, above *session.Event) string {
	digits := seqWidth - 1
	for n := p.rows.n; n > 9999; n /= 10 {
		digits++
	}
	when := ""
	switch {
	case p.times == wallClock:
		when = p.clock.start.Add(e.T).Local().Format("15:04:05.000")
	case p.times == sinceAbove && above != nil:
		when = fmt.Sprintf("%+.3f", (e.T - above.T).Seconds())
	case p.times == sinceStart:
		when = fmt.Sprintf("%.3f", e.T.Seconds())
	}
	return fmt.Sprintf("%*d%s%*s ", digits, e.Seq, p.sign(e), timeWidth-1, when)
}

// The column of ids has this width from so much room on behind the direction; below the first, an id
// stands in the text.
var idColumns = [...]struct{ from, width int }{{96, 13}, {68, 8}, {40, 4}}

// id is the column of the id of a row, blank where it has none. Then the text goes without: the
// event loses its id.
func (p *wirePane) id(l look, e *session.Event, room int) string {
	for _, c := range idColumns {
		if room < c.from {
			continue
		}
		id := ""
		if e.Note == nil && e.Kind.IsMessage() {
			id, e.ID = l.glyphs.Short(l.mask(e.ID), c.width), ""
		}
		return strings.Repeat(" ", max(c.width-text.Width(id), 0)) + id + " "
	}
	return ""
}
