package session

import (
	"context"
	"fmt"

	"example.com/mcpinspect/client"
)

const (
	// maxRounds is how often a request may ask for input before we stop: the specification has no
	// limit, the SDKs stop at ten.
	maxRounds = 10
	// maxStateRounds is the same for results that carry nothing but a state: nobody is asked then.
	maxStateRounds = 3
)

// rounds answers what the result of a request asks for and repeats the request, each time with a
// new id, until it is complete (basic/patterns/mrtr). When an answer is refused, or there have been
// too many rounds, the result that asks is what the caller gets.
func (s *Session) rounds(ctx context.Context, r client.Request, send func(client.Request) (client.Answer, error)) (client.Answer, error) {
	a, err := send(r)
	stateOnly := 0
	for round := 1; err == nil && !a.IsError() && s.opts.Identity.Answer != nil; round++ {
		questions, asks := client.InputRequired(a.ResultRaw())
		if !asks {
			break
		}
		if len(questions) == 0 {
			stateOnly++
		}
		if round > maxRounds || stateOnly > maxStateRounds {
			s.Note(client.NoteWarning, "%s asked for input in %d rounds and would ask again: it was not answered any more", r.Method, round-1)
			break
		}
		next, refused := s.answers(ctx, r, a, questions)
		if refused != "" {
			s.Note(client.NoteInfo, "%s (id %s) asks for input and gets none: %s", r.Method, a.RequestID, refused)
			break
		}
		a, err = send(next)
	}
	return a, err
}

// answers asks for every answer that a result wants and makes the next request of them; or says why
// there is none.
func (s *Session) answers(ctx context.Context, r client.Request, a client.Answer, questions []client.Question) (next client.Request, refused string) {
	var keys []string
	var results [][]byte
	for _, q := range questions {
		q.ID = a.RequestID
		if !s.opts.Identity.Serves(q.Method) {
			return r, fmt.Sprintf("%q wants %s, which was not offered", q.Key, q.Method)
		}
		reply := s.opts.Identity.Answer(ctx, q)
		if reply.Result == nil {
			return r, fmt.Sprintf("%q was refused: %s", q.Key, reply.Reason)
		}
		keys, results = append(keys, q.Key), append(results, reply.Result)
	}
	return client.Again(r, a.ResultRaw(), keys, results), ""
}
