package session

import (
	"fmt"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// Severity says how bad a finding is (contract section 3).
type Severity uint8

const (
	Info    Severity = iota // worth showing
	Warning                 // breaks a SHOULD, or is strongly suspicious
	Error                   // breaks a MUST
)

func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// Mark is what an observer found at one event.
type Mark struct {
	Rule     string // kebab-case, never changes
	Severity Severity
	Text     string          // one plain sentence about this occurrence
	More     int             // further occurrences on the same row, which have no mark of their own
	Subject  string          // what it is about; empty for what the event is about
	Revision client.Revision // that it was judged by; empty for that of the session
	Fix      string          // the cure for this occurrence; empty for that of its rule
	Because  string          // the rule whose occurrence this one comes of; empty for none
}

// maxSame is how many marks of one rule a row keeps one by one: a line of thousands of messages
// makes the same point thousands of times.
const maxSame = 16

// thin joins what is beyond maxSame of a rule into one mark each.
func thin(marks []Mark) []Mark {
	if len(marks) <= maxSame {
		return marks
	}
	count := map[string]int{}
	out := marks[:0]
	for _, m := range marks {
		if count[m.Rule]++; count[m.Rule] <= maxSame {
			out = append(out, m)
		}
	}
	for i := range out {
		if more := count[out[i].Rule] - maxSame; more > 0 {
			delete(count, out[i].Rule)
			out = append(out, Mark{Rule: out[i].Rule, Severity: out[i].Severity, Text: fmt.Sprintf("%d more like these on the same line", more), More: more - 1})
		}
	}
	return slices.Clip(out)
}

// Observer looks at every event in order and returns what it found. It is called under the door
// and must neither block nor keep the event or the frame. The marks are copied before it is called
// again. The same observers see live and recorded sessions.
type Observer interface {
	Frame(e *Event, f *client.Frame) []Mark
	Note(e *Event, n *client.Note) []Mark
}

// NoPair is the Pair of an event that has no other side.
const NoPair = -1

// Event is one row of the log: a frame that was read or written, or a note. Rows are numbered
// from 0 and never change their place.
type Event struct {
	Seq     int
	T       time.Duration
	Run     int
	Stream  client.Stream
	Kind    client.Kind
	Flaws   client.Flaws
	Method  string        // of a request or notification; of the request that Pair names for an answer and for stray output
	ID      string        // raw id token of the first message
	Size    int           // bytes of the body, without the line end
	Kept    int           // so many of them are in memory, from the first; see Log.Read for the rest
	Offset  int64         // of the first byte in its stream
	Reads   int           // reads or writes that brought it
	First   time.Duration // when the first of them came; T for a note
	Shared  bool          // one of them brought other lines too
	Term    client.Term
	Lines   int // more than one for a pretty-printed message
	Count   int // messages in the frame
	Pair    int // the row of the other side of the first message, NoPair for none
	Latency time.Duration
	Open    bool   // a request that is not answered
	Failed  bool   // an answer whose result says isError: true, and its request
	Head    []byte // the first bytes of the body, for one line of a list
	Note    *client.Note
	Marks   []Mark
	Marked  bool   // a person has marked the row
	Noted   string // the note that a person has put on it

	Cancelled bool // a request whose sender has sent notifications/cancelled

	Exchange int                 // of HTTP; 0 for the streams of a process
	Event    *client.ServerEvent // of an event stream
}

// Stray reports whether it is output of the server that is no message. A reply of HTTP may be a
// page of whatever stands before the server: it is judged by its status.
func (e *Event) Stray() bool {
	return e.Exchange == 0 && e.Stream == client.Out && (e.Kind == client.KindNotJSON || e.Kind == client.KindJSON)
}

// headSize is how much of a body an event carries: more than the widest row can show.
const headSize = 512
