package session

import (
	"bytes"
	"context"
	"strings"

	"example.com/mcpinspect/client"
)

// Requests are the rows of the requests that a person may mean by an id: written as its raw token
// ("7" with the quotes for a string), as the text of a string id, or as #ROW, where ROW may be the
// request or its answer. Ids count anew in each direction, so there may be several.
func (l *Log) Requests(id string) (seqs []int) {
	row := -1
	if digits, ok := strings.CutPrefix(id, "#"); ok {
		row = atoi(digits)
	}
	l.Each(0, func(e Event) bool {
		switch {
		case e.Kind != client.KindRequest || e.Note != nil:
		case row >= 0 && (e.Seq == row || e.Pair == row):
			seqs = append(seqs, e.Seq)
		case row < 0 && (e.ID == id || e.ID == string(client.Quote(id))):
			seqs = append(seqs, e.Seq)
		}
		return true
	})
	return seqs
}

// atoi reads a row number; -1 for anything else.
func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > 1<<40 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	if s == "" {
		return -1
	}
	return n
}

// RequestFor is the row of the request, of either side, that a row belongs to: itself, what it
// answers, what was open when stray output came; -1 for none.
func (l *Log) RequestFor(seq int) int {
	e, ok := l.Event(seq)
	switch {
	case !ok || e.Note != nil:
		return -1
	case e.Kind == client.KindRequest:
		return seq
	}
	if q, ok := l.Event(e.Pair); ok && q.Kind == client.KindRequest {
		return e.Pair
	}
	return -1
}

// Story calls yield for the rows of the story of a request, as Follow tells them.
func (l *Log) Story(seq int, yield func(Event) bool) {
	if s := l.Follow(seq); s != nil {
		s.Read(context.Background(), yield)
	}
}

// Story tells which rows belong to a request, in order: itself, its progress and cancellation,
// decisions about it, and, while it was open, what the other side logged, printed and asked, and
// how it ended. Behind its answer only what names it follows, such as late progress or a second
// answer, and the next round where the answer asked back. It is read as far as the log goes, and
// on when there is more. It belongs to one goroutine.
type Story struct {
	log      *Log
	seq      int
	q        Event // the request, or that of the latest round
	token    string
	asked    map[int]bool // requests of the other side that belong to it
	answered bool
	asks     bool   // the answer asked back
	state    []byte // what the next round has to bring, raw; nil for none
	next     int    // the row to look at next
	over     bool   // the run has ended
}

// Follow begins the story of the request at a row; nil when there is none.
func (l *Log) Follow(seq int) *Story {
	if q, ok := l.Event(seq); !ok || q.Kind != client.KindRequest {
		return nil
	}
	s := &Story{log: l, seq: seq}
	s.begin()
	return s
}

func (s *Story) begin() {
	*s = Story{log: s.log, seq: s.seq, asked: map[int]bool{}, next: s.seq}
	q, _ := s.log.Event(s.seq)
	s.round(&q)
}

// round takes up a request.
func (s *Story) round(q *Event) {
	s.q, s.answered, s.asks, s.state = *q, false, false, nil
	s.token = string(client.Get(s.log.Line(q.Seq), "params", "_meta", client.MetaProgressToken))
}

// Seq is the row of the request.
func (s *Story) Seq() int { return s.seq }

// More reports whether there are rows that were not looked at.
func (s *Story) More() bool { return !s.over && s.next < s.log.Len() }

// Read goes on to where the log ends when it is called, or until yield returns false or ctx ends: a
// log that grows faster than it is read would have no end. It may read the recording. anew says that it began from the first row again: a row was looked at before it was
// known to be the answer.
func (s *Story) Read(ctx context.Context, yield func(Event) bool) (anew bool) {
	if q, ok := s.log.Event(s.q.Seq); ok {
		s.q = q
	}
	if anew = !s.answered && s.q.Pair != NoPair && s.q.Pair < s.next; anew {
		s.begin()
	}
	if s.over {
		return anew
	}
	end := s.log.Len()
	s.log.Each(s.next, func(e Event) bool {
		const often = 1024
		if e.Seq >= end || e.Seq%often == 0 && ctx.Err() != nil {
			return false
		}
		s.next = e.Seq + 1
		if e.Run != s.q.Run || !s.belongs(&e) {
			return true // a note on another run, or the next run
		}
		s.over = e.Note != nil && e.Note.What == client.NoteExit
		return yield(e) && !s.over
	})
	return anew
}

// belongs reports whether a row is part of the story.
func (s *Story) belongs(e *Event) bool {
	q := &s.q
	switch {
	case e.Seq == q.Seq:
		return true
	case e.Note != nil:
		return e.Note.ID != "" && e.Note.ID == q.ID || !s.answered && e.Note.What == client.NoteExit
	case e.Seq == q.Pair:
		s.end(e)
		return true
	case e.Stream == client.Err || e.Stray():
		return !s.answered
	}
	switch {
	case e.Kind == client.KindNotification:
		params := client.Get(s.log.Line(e.Seq), "params")
		switch e.Method {
		case client.MethodProgress:
			return s.token != "" && string(client.Get(params, client.MetaProgressToken)) == s.token
		case client.MethodCancelled:
			id := string(client.Get(params, "requestId"))
			return e.Stream == q.Stream && id == q.ID || e.Stream != q.Stream && s.names(id)
		}
		return !s.answered && e.Stream != q.Stream
	case e.Kind == client.KindRequest && e.Stream != q.Stream && !s.answered:
		s.asked[e.Seq] = true
		return true
	case e.Kind == client.KindRequest && s.asks && s.follows(e):
		s.round(e)
		return true
	case e.Kind.IsAnswer():
		return s.asked[e.Pair] || e.Pair == NoPair && e.Stream != q.Stream && e.ID == q.ID
	}
	return false
}

// names reports whether an id is that of a request of the other side that belongs to the story.
func (s *Story) names(id string) bool {
	for seq := range s.asked {
		if e, ok := s.log.Event(seq); ok && e.ID == id {
			return true
		}
	}
	return false
}

// end takes in the answer.
func (s *Story) end(e *Event) {
	s.answered = true
	if e.Kind != client.KindResponse {
		return
	}
	result := client.Get(s.log.Line(e.Seq), "result")
	if s.asks = client.GetText(result, "resultType") == client.ResultInputRequired; s.asks {
		s.state = bytes.Clone(client.Get(result, "requestState"))
	}
}

// follows reports whether a request is the next round (basic/patterns/mrtr): the same is asked
// again, with what was asked for or with the state that was given.
func (s *Story) follows(e *Event) bool {
	if e.Stream != s.q.Stream || e.Method != s.q.Method {
		return false
	}
	params := client.Get(s.log.Line(e.Seq), "params")
	was := client.Get(s.log.Line(s.q.Seq), "params")
	if !bytes.Equal(client.Get(params, "name"), client.Get(was, "name")) || !bytes.Equal(client.Get(params, "uri"), client.Get(was, "uri")) {
		return false
	}
	if s.state != nil {
		return bytes.Equal(client.Get(params, "requestState"), s.state)
	}
	return client.Get(params, "inputResponses") != nil
}
