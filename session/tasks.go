package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// taskFarewell is how long tasks/cancel may take when the caller has given up.
const taskFarewell = 5 * time.Second

// CallTask makes a call as a task and returns its answer as if it had been none: it is polled at the pace
// that the server suggests, what it asks for is answered by Identity.Answer, and when ctx ends it is
// cancelled by tasks/cancel. A server may answer at once all the same. Every change of the status is noted;
// a task that ends without a result is a *client.TaskError.
func (s *Session) CallTask(ctx context.Context, r client.Request) (client.Answer, error) {
	rev := s.Revision()
	if err := s.HasTasks(); err != nil {
		return client.Answer{}, err
	}
	a, err := s.Call(ctx, client.AsTask(rev, r, s.opts.Identity.Capabilities))
	if err != nil || a.IsError() {
		return a, err
	}
	task, ok := client.Handle(a.ResultRaw())
	if !ok {
		s.Note(client.NoteInfo, "%s (id %s) was answered at once: the server made no task of it", r.Method, a.RequestID)
		return a, nil
	}
	w := &taskWait{s: s, modern: rev.Modern(), task: task, id: task.ID, call: a.RequestID, asked: map[string]bool{}, told: make(chan struct{}, 1)}
	a, err = w.run(ctx)
	if err != nil && ctx.Err() != nil {
		w.cancel(ctx)
	}
	w.over(err)
	return a, err
}

// CallTool calls a tool: with task as CallTask does it, and so too when the tool is known to take no other
// call, which a client has to heed (2025-11-25/basic/utilities/tasks, tool-level negotiation); a note says so.
func (s *Session) CallTool(ctx context.Context, r client.Request, task bool) (client.Answer, error) {
	if name := client.GetText(r.Params, "name"); !task && s.Revision() == client.Rev2025_11_25 {
		snap := s.Snapshot()
		it, ok := snap.List(client.Tools.Name).Find(name)
		if ok && it.OnlyTask() && snap.Server != nil && client.Get(snap.Server.Capabilities, "tasks", "requests", "tools", "call") != nil {
			task = true
			s.Note(client.NoteInfo, "%s is called as a task: its execution.taskSupport is required", name)
		}
	}
	if task {
		return s.CallTask(ctx, r)
	}
	return s.Call(ctx, r)
}

// HasTasks is why there can be no tasks; nil when there can.
func (s *Session) HasTasks() error {
	if rev := s.Revision(); !rev.Modern() && rev != client.Rev2025_11_25 {
		return &client.NegotiationError{Text: fmt.Sprintf("revision %s has no tasks", rev), Hint: "2025-11-25 and 2026-07-28 have"}
	}
	return nil
}

// TaskResult waits for the end of a task that somebody made and returns the answer of its call, as CallTask
// does; what the task asks for is answered. A caller that gives up leaves the task as it is.
func (s *Session) TaskResult(ctx context.Context, id string) (client.Answer, error) {
	if err := s.HasTasks(); err != nil {
		return client.Answer{}, err
	}
	w := &taskWait{s: s, modern: s.Revision().Modern(), task: client.Task{ID: id, Status: client.TaskWorking}, id: id, asked: map[string]bool{}, told: make(chan struct{}, 1)}
	w.said = w.task.String() // not known yet
	a, err := w.run(ctx)
	w.over(err)
	return a, err
}

// taskWait follows one task to its end.
type taskWait struct {
	s      *Session
	modern bool
	task   client.Task
	id     string          // of the task
	call   string          // id of the call
	said   string          // what was noted last
	asked  map[string]bool // keys that were answered: a task may not ask for one twice

	last client.TaskStatus // as known, for wake; guarded by the session
	told chan struct{}     // has an item when the server has told of another status
}

// wake ends the wait of who follows a task whose status the server tells by itself. What it tells is not
// taken for the result: that stands in an answer.
func (s *Session) wake(params []byte) {
	now, ok := client.ReadTask(params)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.waits {
		if w.id != now.ID || w.last == now.Status {
			continue
		}
		w.last = now.Status
		select {
		case w.told <- struct{}{}:
		default: // it is awake
		}
	}
}

// known tells wake the status that an answer has.
func (w *taskWait) known() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.last = w.task.Status
}

// begin and end frame the time in which the task is followed.
func (w *taskWait) begin() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.last = w.task.Status
	w.s.waits = append(w.s.waits, w)
}

func (w *taskWait) end() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.waits = slices.DeleteFunc(w.s.waits, func(o *taskWait) bool { return o == w })
}

func (w *taskWait) run(ctx context.Context) (client.Answer, error) {
	w.begin()
	defer w.end()
	for {
		w.note()
		if !w.modern && (w.task.Done() || w.task.Status == client.TaskInput) {
			// It waits for the end, and what the task asks for comes meanwhile.
			return w.s.Call(ctx, client.OfTask(client.MethodTasksResult, w.task.ID))
		}
		timer := time.NewTimer(w.task.Poll)
		select {
		case <-timer.C:
		case <-w.told:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return client.Answer{}, context.Cause(ctx)
		}
		a, err := w.ask(ctx, client.OfTask(client.MethodTasksGet, w.task.ID))
		if err != nil {
			return a, err
		}
		now, ok := client.ReadTask(a.ResultRaw())
		if !ok || now.ID != w.task.ID {
			return a, &client.TaskError{Task: client.Task{ID: w.task.ID, Status: "lost", Message: "the answer to tasks/get has no such task"}}
		}
		w.task = now
		w.known()
		switch {
		case !w.modern:
		case now.Done():
			w.note()
			if a, ok := client.Inlined(a, now); ok {
				return a, nil
			}
			return a, &client.TaskError{Task: now}
		case now.Status == client.TaskInput:
			w.note()
			if err := w.answer(ctx); err != nil {
				return a, err
			}
		}
	}
}

// ask sends a request about the task; an error answer is an error.
func (w *taskWait) ask(ctx context.Context, r client.Request) (client.Answer, error) {
	a, err := w.s.Call(ctx, r)
	if err == nil {
		err = a.Err()
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s of task %s: %w", r.Method, w.task.ID, err)
	}
	return a, err
}

// answer answers what a task of the extension asks for and was not answered yet.
func (w *taskWait) answer(ctx context.Context) error {
	conn := w.s.current()
	if conn == nil {
		return w.s.offline()
	}
	var open []client.Question
	us := conn.Identity()
	for _, q := range client.Questions(w.task.Raw) {
		if w.asked[q.Key] {
			continue
		}
		q.ID = w.call
		if why := unserved(us, q); why != "" {
			return &client.TaskError{Task: client.Task{ID: w.task.ID, Status: w.task.Status, Message: why}}
		}
		open = append(open, q)
	}
	if open == nil {
		return nil // their answers are on their way
	}
	wanted, stop := w.s.while(ctx, conn)
	defer stop()
	replies := us.Answer(wanted, open)
	if err := context.Cause(wanted); err != nil {
		return err
	}
	var keys []string
	var answers [][]byte
	for i, q := range open {
		if replies[i].Result == nil {
			return &client.TaskError{Task: client.Task{ID: w.task.ID, Status: w.task.Status, Message: fmt.Sprintf("%q was refused: %s", q.Key, replies[i].Reason)}}
		}
		w.asked[q.Key] = true
		keys, answers = append(keys, q.Key), append(answers, replies[i].Result)
	}
	_, err := w.ask(ctx, client.UpdateTask(w.task.ID, keys, answers))
	return err
}

// note says where the task stands, when that is new.
func (w *taskWait) note() {
	if text := w.task.String(); text != w.said && !w.task.Done() { // the end is noted by over
		w.said = text
		w.s.door.Note(client.Note{Run: w.s.runNumber(), At: w.s.Now(), What: client.NoteTask, ID: w.call, Text: text})
	}
}

// over notes the end.
func (w *taskWait) over(err error) {
	text := w.task.String()
	var none *client.TaskError
	switch {
	case w.task.Done():
	case errors.As(err, &none):
		text = none.Error()
	case err != nil:
		text = fmt.Sprintf("task %s is not followed any more: %v", w.task.ID, err)
	default:
		text = "task " + w.task.ID + " has its result"
	}
	w.s.door.Note(client.Note{Run: w.s.runNumber(), At: w.s.Now(), What: client.NoteTask, ID: w.call, Text: text, Data: []byte(`{"final":true}`)})
}

// cancel gives the task up at the server; the caller has gone already.
func (w *taskWait) cancel(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), taskFarewell)
	defer stop()
	var gone *client.ClosedError
	if _, err := w.ask(ctx, client.OfTask(client.MethodTasksCancel, w.task.ID)); err != nil && !errors.As(err, &gone) {
		w.s.Note(client.NoteWarning, "%v", err)
	}
}
