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
func (s *Session) rounds(ctx context.Context, conn *client.Conn, r client.Request, send func(client.Request) (client.Answer, error)) (client.Answer, error) {
	a, err := send(r)
	us := conn.Identity()
	stateOnly, since := 0, 0
	for round := 1; err == nil && !a.IsError() && us.Answer != nil; round++ {
		questions, asks := client.InputRequired(a.ResultRaw())
		if !asks {
			break
		}
		if len(questions) == 0 {
			stateOnly++
		}
		if round-since > maxRounds || stateOnly > maxStateRounds {
			if !s.goesOn(ctx, conn, client.Question{Method: r.Method, ID: a.RequestID}, round-1) {
				s.Note(client.NoteWarning, "%s asked for input in %d rounds and would ask again: it was not answered any more", r.Method, round-1)
				break
			}
			since, stateOnly = round, 0
		}
		next, refused, over := s.answers(ctx, conn, r, a, questions)
		if over != nil {
			return a, over
		}
		if refused != "" {
			s.Note(client.NoteInfo, "%s (id %s) asks for input and gets none: %s", r.Method, a.RequestID, refused)
			break
		}
		a, err = send(next)
	}
	if err == nil {
		s.addresses(ctx, conn, r, a)
	}
	return a, err
}

// unserved says why a question of a result is not asked; empty when it is.
func unserved(us client.Identity, q client.Question) string {
	switch code, why := us.Unserved(q); {
	case why == "":
		return ""
	case code == client.CodeMethodNotFound:
		return fmt.Sprintf("%q wants %s, which was not offered", q.Key, named(q.Method))
	default:
		return fmt.Sprintf("%q: %s", q.Key, why)
	}
}

// addresses asks the person to open what a request was refused for. Whatever is answered, nothing is sent:
// the caller may send the request again.
func (s *Session) addresses(ctx context.Context, conn *client.Conn, r client.Request, a client.Answer) {
	questions, asks := client.Addresses(a)
	us := conn.Identity()
	switch {
	case !asks || us.Answer == nil:
		return
	case len(questions) == 0:
		s.Note(client.NoteWarning, "%s (id %s) was refused until an address is opened, and names none", r.Method, a.RequestID)
		return
	}
	if why := unserved(us, questions[0]); why != "" {
		s.Note(client.NoteInfo, "%s (id %s) was refused until an address is opened: %s", r.Method, a.RequestID, why)
		return
	}
	wanted, stop := s.while(ctx, conn)
	defer stop()
	agreed := 0
	for _, reply := range us.Answer(wanted, questions) {
		if client.GetText(reply.Result, "action") == "accept" {
			agreed++
		}
	}
	if wanted.Err() == nil {
		s.Note(client.NoteInfo, "%s (id %s) was refused until %d addresses are opened: the person agreed to %d; nothing was opened or sent", r.Method, a.RequestID, len(questions), agreed)
	}
}

// answers asks for every answer that a result wants and makes the next request of them; or says why
// there is none. over is why nobody waits for it any more: the caller gave up, or the server has gone.
func (s *Session) answers(ctx context.Context, conn *client.Conn, r client.Request, a client.Answer, questions []client.Question) (next client.Request, refused string, over error) {
	us := conn.Identity()
	for i := range questions {
		q := &questions[i]
		q.ID = a.RequestID
		if why := unserved(us, *q); why != "" {
			return r, why, nil
		}
	}
	var keys []string
	var results [][]byte
	if len(questions) > 0 {
		wanted, stop := s.while(ctx, conn)
		defer stop()
		replies := us.Answer(wanted, questions)
		if err := ctx.Err(); err != nil {
			return r, "", context.Cause(ctx)
		}
		if err := context.Cause(wanted); err != nil {
			return r, "", &client.ClosedError{Method: r.Method, ID: a.RequestID, Err: err}
		}
		for i, q := range questions {
			if replies[i].Result == nil {
				return r, fmt.Sprintf("%q was refused: %s", q.Key, replies[i].Reason), nil
			}
			keys, results = append(keys, q.Key), append(results, replies[i].Result)
		}
	}
	return client.Again(r, a.ResultRaw(), keys, results), "", nil
}

// named is a method as it is said of: a question may be without one.
func named(method string) string {
	if method == "" {
		return "something without a method"
	}
	return method
}

// while is a context that ends with the server, too.
func (s *Session) while(ctx context.Context, conn *client.Conn) (context.Context, func()) {
	wanted, stop := context.WithCancelCause(ctx)
	client.Go("question", s.opts.Fault, func() {
		select {
		case <-conn.Done():
			stop(client.ErrServerGone)
		case <-conn.Closing():
			stop(client.ErrServerGone)
		case <-wanted.Done():
		}
	})
	return wanted, func() { stop(nil) }
}

// goesOn asks whether a request that asks again and again is to be answered on.
func (s *Session) goesOn(ctx context.Context, conn *client.Conn, request client.Question, rounds int) bool {
	ask := conn.Identity().GoOn
	if ask == nil {
		return false
	}
	wanted, stop := s.while(ctx, conn)
	defer stop()
	return ask(wanted, request, rounds)
}
