package ui

import (
	"fmt"
	"time"

	"example.com/mcpinspect/session"
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
