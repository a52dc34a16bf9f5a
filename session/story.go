package session

import (
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

// Story calls yield for the rows that belong to a request, in order: itself, its progress and
// cancellation, decisions about it, and, while it was open, what the server logged, printed and
// asked, and how it ended. Behind its answer only what names it follows, such as late progress.
func (l *Log) Story(seq int, yield func(Event) bool) {
	q, ok := l.Event(seq)
	if !ok || q.Kind != client.KindRequest {
		return
	}
	token := string(client.Get(l.Line(seq), "params", "_meta", client.MetaProgressToken))
	asked := map[int]bool{} // requests of the other side that belong to it
	answered := false
	l.Each(seq, func(e Event) bool {
		if e.Run != q.Run {
			return true // a note on another run, or the next run
		}
		if e.Seq != seq && !l.belongs(&q, &e, token, asked, answered) {
			return true
		}
		if e.Seq == q.Pair {
			answered = true
		}
		if !yield(e) {
			return false
		}
		return e.Note == nil || e.Note.What != client.NoteExit
	})
}

// belongs reports whether a row is part of the story of q. Behind the answer only what names the
// request is.
func (l *Log) belongs(q, e *Event, token string, asked map[int]bool, answered bool) bool {
	if e.Note != nil {
		return e.Note.ID == q.ID || !answered && e.Note.What == client.NoteExit
	}
	if e.Stream == client.Err || e.Stray() {
		return !answered
	}
	switch {
	case e.Seq == q.Pair:
		return true
	case e.Kind == client.KindNotification:
		params := client.Get(l.Line(e.Seq), "params")
		switch e.Method {
		case client.MethodProgress:
			return token != "" && string(client.Get(params, client.MetaProgressToken)) == token
		case client.MethodCancelled:
			return e.Stream == q.Stream && string(client.Get(params, "requestId")) == q.ID
		}
		return !answered && e.Stream != q.Stream
	case e.Kind == client.KindRequest && e.Stream != q.Stream && !answered:
		asked[e.Seq] = true
		return true
	case e.Kind.IsAnswer():
		return asked[e.Pair]
	}
	return false
}
