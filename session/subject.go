package session

import (
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// Subject is what a request of ours is about: the tool that is called, the prompt that is got, the
// resource that is read. Its latest answer, its loss and its requests are known by it.
type Subject struct {
	Method string // tools/call, prompts/get or resources/read
	Name   string // of the tool or prompt; the URI of the resource
}

// ToolSubject, PromptSubject and ResourceSubject are the three kinds of subjects.
func ToolSubject(name string) Subject    { return Subject{client.MethodToolsCall, name} }
func PromptSubject(name string) Subject  { return Subject{client.MethodPromptsGet, name} }
func ResourceSubject(uri string) Subject { return Subject{client.MethodResourcesRead, uri} }

// Subject is what a call is about; false when it has none that is followed.
func (c *Call) Subject() (Subject, bool) { return subject(c.Method, c.Name) }

func subject(method, name string) (Subject, bool) {
	switch method {
	case client.MethodToolsCall, client.MethodPromptsGet, client.MethodResourcesRead:
		return Subject{method, name}, true
	}
	return Subject{}, false
}

// nameIn is what the params of a request name: a tool, a prompt, or a URI.
func nameIn(method string, params []byte) string {
	switch method {
	case client.MethodResourcesRead, client.MethodSubscribe, client.MethodUnsubscribe:
		return client.GetText(params, "uri")
	case client.MethodTasksGet, client.MethodTasksResult, client.MethodTasksCancel, client.MethodTasksUpdate:
		return client.GetText(params, "taskId")
	}
	return client.GetText(params, "name")
}

// maxSubjects bounds how many subjects are followed: a client may read URIs without end, and every
// snapshot copies what is known of each. Those that came first are forgotten.
const maxSubjects = 1024

// follow notes a subject and forgets the oldest when there are too many.
func (s *state) follow(of Subject) {
	if _, known := s.snap.Made[of]; known {
		return
	}
	s.snap.Made[of] = nil
	if s.followed = append(s.followed, of); len(s.followed) > maxSubjects {
		old := s.followed[0]
		s.followed = slices.Delete(s.followed, 0, 1)
		delete(s.snap.Made, old)
		delete(s.snap.Last, old)
		delete(s.snap.Lost, old)
	}
}

// asked notes the row of a request.
func (s *state) asked(of Subject, row int) {
	s.follow(of)
	delete(s.snap.Lost, of)
	made := s.snap.Made[of] // shared with snapshots: never written to
	s.snap.Made[of] = append(slices.Clip(made[max(0, len(made)-keepMade+1):]), row)
}

// lose remembers a call that gets no answer.
func (s *state) lose(c Call, why string) {
	if of, ok := c.Subject(); ok {
		c.Lost = why
		s.follow(of)
		s.snap.Lost[of] = c
	}
}

// cancelled takes in that a request of ours is not wanted any more. It does not wait: in 2026-07-28 its
// server must not answer it, before that it should not. One that does all the same is shown.
func (s *state) cancelled(id string, at time.Duration) {
	c := s.drop(id)
	if c.Method == "" {
		return // answered, or cancelled already
	}
	if c.GivenUp == "" {
		c.GivenUp, c.Left = client.NoteCancel, at
	}
	s.lose(c, "")
}

// unanswerable takes in that no answer can come for a request of ours, and why.
func (s *state) unanswerable(id, why string) {
	if c := s.drop(id); c.Method != "" {
		s.lose(c, why)
		return
	}
	for _, c := range s.snap.Lost { // cancelled, and then its exchange was closed
		if c.ID == id && c.GivenUp != "" {
			s.lose(c, why)
			return
		}
	}
}

// answered notes the answer of a request; result is nil when it cannot be read.
func (s *state) answered(q *openRequest, e *Event, result []byte) {
	of, ok := subject(q.method, q.name)
	if !ok {
		return
	}
	s.follow(of)
	if s.snap.Lost[of].ID == q.id { // it was cancelled and is answered all the same
		delete(s.snap.Lost, of)
	}
	before, was := time.Duration(-1), [2]int{NoPair, NoPair}
	if l, ok := s.snap.Last[of]; ok && l.asked { // another round of one call: what came before is before all of it
		before, was = l.Before, l.Was
	} else if ok {
		before, was = l.Latency, [2]int{l.Request, l.Answer}
	}
	_, task := client.Handle(result)
	s.snap.Last[of] = Latest{ID: q.id, Request: q.seq, Answer: e.Seq, Latency: e.T - q.sent, Before: before, Was: was,
		asked: task || client.GetText(result, "resultType") == client.ResultInputRequired}
}
