package check

import (
	"example.com/mcpinspect/client"
)

// taskCreated judges a result that is a task instead of what was asked for.
func (v *verdicts) taskCreated(q *request, flat bool) {
	task := v.o.result.get("task")
	if flat {
		task = nil
	}
	switch {
	case v.rev.Modern(): // resultKind has judged whether it may be one
		v.taskFields(q, nil)
	case v.rev != client.Rev2025_11_25 && v.rev != "":
		v.add(newerMember, "the result of %s is a task, which came with %s", q.label(), client.Rev2025_11_25)
	case !q.task:
		v.add(taskUnasked, "the result of %s is a task, and none was asked for", q.label())
	default:
		v.taskFields(q, task)
		if status := client.Get(task, "status"); isText(status) && !is(status, "working") {
			v.add(taskStatusInvalid, "a new task has the status %s: it begins with working", client.Excerpt(status))
		}
	}
}

// taskFields judges what every task says of itself; task is nil for the result as a whole.
func (v *verdicts) taskFields(q *request, task []byte) {
	get := func(name string) []byte {
		if task == nil {
			return v.o.result.get(name)
		}
		return client.Get(task, name)
	}
	ttl := "ttl"
	if v.rev.Modern() {
		ttl = "ttlMs"
	}
	for _, name := range []string{"taskId", "status", "createdAt", "lastUpdatedAt", ttl} {
		raw := get(name)
		switch {
		case raw == nil:
			v.add(taskFields, "the task of %s has no %s", q.label(), name)
			return
		case name == ttl && !isInteger(raw) && !isNull(raw):
			v.add(taskFields, "the task of %s has the %s %s: it is an integer or null", q.label(), ttl, client.Excerpt(raw))
			return
		case (name == "createdAt" || name == "lastUpdatedAt") && !isTime(text(raw)):
			v.add(taskFields, "the task of %s has the %s %s, which is no time of ISO 8601", q.label(), name, client.Excerpt(raw))
			return
		}
	}
	v.taskState(get("status"))
}

// taskState judges the status of a task.
func (v *verdicts) taskState(status []byte) {
	for _, s := range [...]string{"working", "input_required", "completed", "failed", "cancelled"} {
		if is(status, s) {
			return
		}
	}
	v.add(taskStatusInvalid, "a task has the status %s, which there is none of", orNone(status))
}

// taskResult judges the answers to tasks/get and its kin.
func (v *verdicts) taskResult(q *request) {
	res := &v.o.result
	switch {
	case !v.rev.Modern() && q.method == "tasks/get":
		v.taskFields(q, nil)
	case !v.rev.Modern() && q.method == "tasks/result" && client.Get(res.get("_meta"), metaTask) == nil:
		v.add(taskRelated, "the result of tasks/result does not name its task in _meta")
	case v.rev.Modern() && (q.method == "tasks/list" || q.method == "tasks/result"):
		v.add(taskGone, "%s was answered, which the extension does not have", q.method)
	case v.rev.Modern() && q.method == "tasks/get":
		v.taskFields(q, nil)
		status := res.get("status")
		for _, need := range [...][2]string{{"completed", "result"}, {"failed", "error"}, {"input_required", "inputRequests"}} {
			if is(status, need[0]) && !res.has(need[1]) {
				v.add(taskOutcome, "a task has the status %s and no %s", need[0], need[1])
			}
		}
		if res.has("ttl") || res.has("pollInterval") {
			v.add(taskGone, "a task has ttl or pollInterval: they are ttlMs and pollIntervalMs")
		}
	}
}

// taskStatus judges a notification about a task.
func (v *verdicts) taskStatus(params []byte) {
	if !isText(client.Get(params, "taskId")) {
		v.add(taskFields, "a notification about a task has no taskId")
		return
	}
	v.taskState(client.Get(params, "status"))
}
