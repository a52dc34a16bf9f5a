package check

import "example.com/mcpinspect/session"

var (
	taskUnasked = &Rule{Name: "task-not-asked", Severity: session.Error, Revisions: in2511, Spec: pageTasks,
		Title: "a task came that was not asked for",
		Why:   "A request becomes a task only when it says so. Clients that did not ask wait for a result, and take the task for one.",
		Fix:   "return the result when the request has no task",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"task":{"taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`,
		Good: `> 1 tools/call {"name":"a","task":{}}
< 1 {"task":{"taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`}
	taskFields = &Rule{Name: "task-incomplete", Severity: session.Error, Revisions: in2511 | modern, Spec: pageTasks,
		Title: "a task lacks what is required",
		Why:   "A task has taskId, status, the times createdAt and lastUpdatedAt, and how long it is kept. Clients poll by these.",
		Fix:   "send all of them; null for a task that is kept for ever",
		Bad: `@2025-11-25
> 1 tools/call {"name":"a","task":{}}
< 1 {"task":{"taskId":"t","status":"working"}}`,
		Good: `@2025-11-25
> 1 tools/call {"name":"a","task":{}}
< 1 {"task":{"taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`}
	taskStatusInvalid = &Rule{Name: "task-status", Severity: session.Error, Revisions: in2511 | modern, Spec: pageTasks,
		Title: "a task has a status that it cannot have",
		Why:   "A task is working, input_required, completed, failed or cancelled, and begins with working. Clients poll for ever when they do not know that it has ended.",
		Fix:   "use one of the five",
		Bad: `@2025-11-25
> 1 tools/call {"name":"a","task":{}}
< 1 {"task":{"taskId":"t","status":"running","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`,
		Good: `@2025-11-25
> 1 tools/call {"name":"a","task":{}}
< 1 {"task":{"taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`}
	taskRelated = &Rule{Name: "task-not-related", Severity: session.Error, Revisions: in2511, Spec: pageTasks,
		Title: "the result of a task does not name it",
		Why:   "tasks/result returns what the request would have, with io.modelcontextprotocol/related-task in its _meta.",
		Fix:   "add the key with the taskId",
		Bad: `> 1 tasks/result {"taskId":"t"}
< 1 {"content":[]}`,
		Good: `> 1 tasks/result {"taskId":"t"}
< 1 {"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}`}
	taskOutcome = &Rule{Name: "task-without-outcome", Severity: session.Error, Revisions: modern, Spec: pageTasks,
		Title: "a task has ended and does not say how",
		Why:   "In the extension tasks/get carries the outcome: result when completed, error when failed, inputRequests when it asks for input.",
		Fix:   "add the member that goes with the status",
		Bad: `> 1 tasks/get {"taskId":"t"}
< 1 {"taskId":"t","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null}`,
		Good: `> 1 tasks/get {"taskId":"t"}
< 1 {"taskId":"t","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,"result":{"content":[]}}`}
	taskGone = &Rule{Name: "task-old-form", Severity: session.Error, Revisions: modern, Spec: pageTasks,
		Title: "tasks are served in the form of 2025-11-25",
		Why:   "The extension has no tasks/list and tasks/result, and counts in ttlMs and pollIntervalMs. The two forms cannot be mixed.",
		Fix:   "serve tasks as the extension has them",
		Bad: `> 1 tasks/list {}
< 1 {"tasks":[]}`,
		Good: `> 1 tasks/list {}
< 1 error {"code":-32601,"message":"Method not found"}`}
)

var tasksRules = []*Rule{
	taskUnasked, taskFields, taskStatusInvalid, taskRelated, taskOutcome, taskGone,
}
