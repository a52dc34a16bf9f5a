package session

import (
	"bytes"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
)

// refused notes that a page of a list did not come.
func (s *state) refused(kind client.ListKind, q *openRequest, why string) {
	l := &List{names: map[string]bool{}, run: q.key.run}
	if old := s.snap.Lists[kind.Name]; old != nil {
		*l = *old
	}
	l.Error = why
	s.snap.Lists[kind.Name] = l
}

// page takes in one answered page of a list: one without a cursor begins the list anew.
func (s *state) page(kind client.ListKind, q *openRequest, in *client.Incoming, e *Event, latency time.Duration) {
	cursor := q.cursor
	old := s.snap.Lists[kind.Name]
	if in.Kind == client.KindError {
		s.refused(kind, q, client.NewRPCError(in.Raw(in.Error)).Error())
		return
	}
	l := &List{names: map[string]bool{}, run: q.key.run}
	if cursor == nil && old != nil && old.Complete { // half a list would make the other half look new
		s.prev[kind.Name] = old
	}
	if cursor != nil && old != nil {
		*l = *old
	}
	l.add(kind, cursor, bytes.Clone(in.Raw(in.Result)), latency, e.Seq)
	if prev, ok := s.prev[kind.Name]; ok && l.Complete {
		changes, _ := definition.Compare(kind, prev.Definitions(), l.Definitions())
		l.Changes, l.Anew = definition.Brief(changes), prev.run == l.run
	}
	s.snap.Lists[kind.Name] = l
}
