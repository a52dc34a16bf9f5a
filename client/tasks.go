package client

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A call as a task: it is answered at once with a handle, and its result is fetched later. 2025-11-25 has
// tasks as an experiment that the request asks for (basic/utilities/tasks); 2026-07-28 has an extension of
// another shape, which the client declares and the server decides on (ext-tasks).
const (
	MethodTasksGet    = "tasks/get"
	MethodTasksResult = "tasks/result" // 2025-11-25: waits for the end and is the answer of the call
	MethodTasksList   = "tasks/list"   // 2025-11-25
	MethodTasksCancel = "tasks/cancel"
	MethodTasksUpdate = "tasks/update" // the extension: answers to what the task asks for

	MethodTaskStatus = "notifications/tasks/status" // 2025-11-25: a task, as tasks/get has it
	MethodTaskNews   = "notifications/tasks"        // the extension, on a subscription

	// ExtensionTasks is the capability that declares it.
	ExtensionTasks = MetaPrefix + "tasks"
)

const (
	// taskPoll is how often a task is looked at when the server suggests nothing.
	taskPoll = time.Second
	// minTaskPoll and maxTaskPoll bound what it may suggest: a person waits, and the server works.
	minTaskPoll = 50 * time.Millisecond
	maxTaskPoll = 30 * time.Second
)

// TaskStatus is where a task stands; the last three are final.
type TaskStatus string

const (
	TaskWorking   TaskStatus = "working"
	TaskInput     TaskStatus = "input_required"
	TaskCompleted TaskStatus = "completed"
	TaskFailed    TaskStatus = "failed"
	TaskCancelled TaskStatus = "cancelled"
)

// Task is what a server says of one.
type Task struct {
	ID      string
	Status  TaskStatus
	Message string        // of the status
	Poll    time.Duration // how long to wait before it is looked at again
	Raw     []byte        // the task as sent
}

// ReadTask reads the task in a result, in either shape; false when there is none.
func ReadTask(result []byte) (t Task, ok bool) {
	raw := Get(result, "task")
	if raw == nil {
		raw = result
	}
	t = Task{ID: GetText(raw, "taskId"), Status: TaskStatus(GetText(raw, "status")), Message: GetText(raw, "statusMessage"), Raw: raw, Poll: taskPoll}
	for _, name := range []string{"pollInterval", "pollIntervalMs"} {
		if ms, err := strconv.ParseFloat(string(Get(raw, name)), 64); err == nil && ms > 0 {
			t.Poll = maxTaskPoll
			if ms < float64(maxTaskPoll/time.Millisecond) {
				t.Poll = max(time.Duration(ms*float64(time.Millisecond)), minTaskPoll)
			}
		}
	}
	return t, t.ID != "" && t.Status != ""
}

// Handle reads the task that a call was answered with; false when the answer is a result.
func Handle(result []byte) (Task, bool) {
	if Get(result, "task") == nil && GetText(result, "resultType") != "task" {
		return Task{}, false
	}
	return ReadTask(result)
}

// Done reports whether the status is final.
func (t Task) Done() bool {
	return t.Status == TaskCompleted || t.Status == TaskFailed || t.Status == TaskCancelled
}

// String is what a person reads of a task: "task t1 working: copying".
func (t Task) String() string {
	s := "task " + t.ID + " " + string(t.Status)
	if t.Message != "" {
		s += ": " + t.Message
	}
	return s
}

// TaskError is a task that ended without a result.
type TaskError struct{ Task Task }

func (e *TaskError) Error() string { return fmt.Sprintf("%s: there is no result", e.Task) }

// AsTask makes a call one that may become a task. Where the extension is declared the server decides;
// capabilities are ours without it.
func AsTask(rev Revision, r Request, capabilities []byte) Request {
	if rev.Modern() {
		return Declaring(r, capabilities)
	}
	params := []byte{'{'}
	for name, value := range Members(r.Params) {
		if !nameIs(name, "task") {
			params = append(append(append(append(params, name...), ':'), value...), ',')
		}
	}
	r.Params = append(params, `"task":{}}`...)
	return r
}

// Declaring adds the extension to the capabilities of one request.
func Declaring(r Request, capabilities []byte) Request {
	own := []byte(`"` + ExtensionTasks + `":{}`)
	all, extensions := []byte{'{'}, []byte{'{'}
	for name, value := range Members(capabilities) {
		if !nameIs(name, "extensions") {
			all = append(append(append(append(all, name...), ':'), value...), ',')
			continue
		}
		for ext, settings := range Members(value) {
			if !nameIs(ext, ExtensionTasks) {
				extensions = append(append(append(append(extensions, ext...), ':'), settings...), ',')
			}
		}
	}
	all = append(append(append(append(all, `"extensions":`...), extensions...), own...), "}}"...)
	r.Meta = append([]MetaKey{{MetaClientCapabilities, all}}, r.Meta...)
	return r
}

// OfTask is a request about a task.
func OfTask(method, id string) Request {
	return Request{Method: method, Params: append(append([]byte(`{"taskId":`), Quote(id)...), '}')}
}

// UpdateTask gives a task of the extension answers to what it asks for, key by key.
func UpdateTask(id string, keys []string, answers [][]byte) Request {
	r := OfTask(MethodTasksUpdate, id)
	b := append(r.Params[:len(r.Params)-1], `,"inputResponses":{`...)
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(AppendQuote(b, key), ':'), answers[i]...)
	}
	r.Params = append(b, "}}"...)
	return r
}

// Inlined is the answer of a call that became a task of the extension, as it stands in an answer about the
// task: the member result, or error.
func Inlined(a Answer, task Task) (Answer, bool) {
	for _, member := range []string{"result", "error"} {
		raw := Get(task.Raw, member)
		if raw == nil {
			continue
		}
		line := append(append(append([]byte(`{"jsonrpc":"2.0","id":`), a.RequestID...), `,"`+member+`":`...), raw...)
		body := Body{append(line, '}')}
		if v := Judge(body); len(v.Messages) == 1 {
			a.Message, a.Body = v.Messages[0], body
			return a, true
		}
	}
	return a, false
}

// AboutTask reports whether a method is one of tasks.
func AboutTask(method string) bool { return strings.HasPrefix(method, "tasks/") }
