package session

import "example.com/mcpinspect/client"

// tasked is a call that became a task: it goes on although its request was answered.
type tasked struct {
	call  openRequest
	shown Call
}

// maxTasked bounds how many of them are followed; beyond it they are calls that were answered.
const maxTasked = 1024

// handled takes in that a call was answered with a task.
func (s *state) handled(q *openRequest, result []byte) {
	t, ok := client.Handle(result)
	if !ok || len(s.tasks) >= maxTasked {
		return
	}
	if s.tasks == nil {
		s.tasks = map[string]*tasked{}
	}
	s.tasks[t.ID] = &tasked{*q, Call{ID: q.id, Seq: q.seq, Method: q.method, Name: q.name, Sent: q.sent, Progress: t.String()}}
}

// outcome takes in an answer about a task, and says whether the call failed by it. The one that brings
// the result, or the error in its place, is the answer of the call; so is, since 2026-07-28, one that
// says that the task ended with neither.
func (s *state) outcome(q *openRequest, e *Event, result []byte) (failed bool) {
	of, final := result, q.method == client.MethodTasksResult
	if !final {
		now, _ := client.ReadTask(result)
		of = client.Get(now.Raw, "result")
		broken := client.Get(now.Raw, "error") != nil
		final = now.Done() && (of != nil || broken || s.snap.Server != nil && s.snap.Server.Revision.Modern())
		failed = final && broken
	}
	if t := s.tasks[q.name]; t != nil && final {
		s.answered(&t.call, e, result)
	}
	return failed || final && string(client.Get(of, "isError")) == "true"
}

// task takes in a note of where a task stands; final is the last one.
func (s *state) task(call, text string, final bool) {
	for id, t := range s.tasks {
		if t.shown.ID != call {
			continue
		}
		s.drop(call)
		if t.shown.Progress = text; final {
			delete(s.tasks, id)
		} else {
			s.calls = append(s.calls, t.shown)
		}
		return
	}
}

// pushed takes in what a server tells by itself of a task: its call shows it, and polling goes on.
func (s *state) pushed(params []byte) {
	now, ok := client.ReadTask(params)
	t := s.tasks[now.ID]
	if !ok || t == nil {
		return
	}
	t.shown.Progress = now.String()
	for i := range s.calls {
		if s.calls[i].ID == t.shown.ID {
			s.calls[i].Progress = t.shown.Progress
		}
	}
}
