// Package script makes a play of one recorded run: what the client said, and what the server said
// because of it. A mock plays the server's part of it, a replay the client's.
package script

import (
	"fmt"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// Script is one run of a recorded session.
type Script struct {
	Run, Runs int             // which of how many
	Revision  client.Revision // empty when nothing in the run tells
	Turns     []*Turn         // what the client said, in order
	Before    []*Line         // what the server said before that
	// Unanswered are the requests of the server that the client did not answer.
	Unanswered []*Said
	Exit       *client.Exit // nil when the recording does not reach it
	ExitAt     time.Duration
	ExitCause  *Turn // what an unasked end came upon; nil for nothing
}

// Turn is one message of the client, or a line of it that is no message.
type Turn struct {
	Seq     int // row of the log; the turns of a batch share one
	At      time.Duration
	Line    []byte // without its end
	Term    client.Term
	Message client.Message    // spans of Line; KindNotJSON for what is no message
	Method  string            // of a request or notification
	Name    string            // of the tool or prompt
	ID      string            // raw token
	Token   string            // progress token, raw
	Params  schema.Value      // what is compared: see Stable
	Masked  []recordings.Span // parts of Line
	Opens   bool              // it is part of the opening of a connection
	Answer  *Line             // nil when it was not answered
	Lines   []*Line           // what the server said because of it, in order
	Answers *Said             // the server's request that it answers
	Cancels *Turn             // the request that it gives up
}

// Raw returns the bytes of a span of the line.
func (t *Turn) Raw(s client.Span) []byte {
	if !s.Present() {
		return nil
	}
	return t.Line[s.Start:s.End]
}

// Title names a turn for people: "tools/call add".
func (t *Turn) Title() string {
	switch {
	case t.Name != "":
		return t.Method + " " + t.Name
	case t.Method != "":
		return t.Method
	case t.Answers != nil:
		return "answer to " + t.Answers.Method
	}
	return t.Message.Kind.String()
}

// Line is one line of the server, on stdout or stderr.
type Line struct {
	Seq    int
	At     time.Duration
	Stream client.Stream
	Text   []byte // without its end
	Term   client.Term
	Kind   client.Kind
	Flaws  client.Flaws
	Said   []Said
	Cause  *Turn   // nil: it came before anything was said
	After  []*Turn // what else had been said that it must wait for
	Masked []recordings.Span
}

// Said is one message of the server.
type Said struct {
	client.Message
	Method string
	ID     string // raw token
	Of     *Turn  // whose id or progress token it carries; nil for none
	Params schema.Value
}

// Runs lists how many messages the client sent in each run of a session; run n is at n-1.
func Runs(s *session.Session) (counts []int) {
	s.Log().Each(0, func(e session.Event) bool {
		for e.Run > len(counts) {
			counts = append(counts, 0)
		}
		if e.Stream == client.In && e.Run > 0 {
			counts[e.Run-1] += max(e.Count, 1)
		}
		return true
	})
	return counts
}

// NoRunError is a recording without the run that is asked for, or without any.
type NoRunError struct{ Run, Runs int }

func (e *NoRunError) Error() string {
	if e.Runs == 0 {
		return "no server was started in the recording"
	}
	return fmt.Sprintf("the recording has no run %d: it has %d", e.Run, e.Runs)
}

// LongError is a recording of which memory does not keep the first rows.
type LongError struct{ Rows int }

func (e *LongError) Error() string {
	return fmt.Sprintf("the recording is too long to be played: memory does not keep its first %d rows", e.Rows)
}

// opening is how many messages may be no more than the opening of a connection: discover, or the
// two of a handshake.
const opening = 2

// Latest is the last of the first runs of a session in which the client did more than connect, or else
// the last of them.
func Latest(s *session.Session, first int) int {
	counts := Runs(s)
	return latest(counts[:min(max(first, 0), len(counts))])
}

func latest(counts []int) int {
	for n := len(counts); n > 0; n-- {
		if counts[n-1] > opening {
			return n
		}
	}
	return len(counts)
}

// Of makes the play of a run of a session that was read; 0 picks the last one in which the client
// did more than connect, or else the last. masks may be nil.
func Of(s *session.Session, masks Masks, run int) (*Script, error) {
	if n := s.Log().First(); n > 0 {
		return nil, &LongError{n}
	}
	counts := Runs(s)
	if len(counts) == 0 || run < 0 || run > len(counts) {
		return nil, &NoRunError{run, len(counts)}
	}
	if run == 0 {
		run = latest(counts)
	}
	b := &builder{sess: s, masks: masks, script: &Script{Run: run, Runs: len(counts)}, open: map[string]*Turn{}, ids: map[string]*Turn{}, tokens: map[string]*Turn{},
		asked: map[string]*Said{}, askers: map[*Said]*Turn{}}
	s.Log().Each(0, func(e session.Event) bool {
		if e.Run == run {
			b.event(&e)
		}
		return true
	})
	b.finish()
	return b.script, nil
}
