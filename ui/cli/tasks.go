package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// maxTaskPages ends a list of tasks that goes round in a circle without giving a cursor twice.
const maxTaskPages = 1000

func (a *app) tasksCommand() *cobra.Command {
	const shape = "tasks takes list, or get, result or cancel and the id of a task"
	c := &cobra.Command{Use: "tasks [list] | get|result|cancel ID [FLAGS] TARGET", Short: "look at the tasks of a server, wait for one, or cancel it", Args: cobra.ArbitraryArgs,
		Long: "Lists the tasks of a server, tells where one stands, waits for the result of one, or cancels it:\n" +
			"the tasks of 2025-11-25, and those of the extension of 2026-07-28, which has no list of them.",
		Example: "  mcpinspect tasks http://localhost:8080/mcp\n  mcpinspect tasks result 7f3a http://localhost:8080/mcp",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0, len(args) == 1 && args[0] == "list":
				return nil
			case args[0] != "get" && args[0] != "result" && args[0] != "cancel":
				return usagef("%q is nothing that is done with tasks", args[0]).hinted(shape)
			case len(args) == 1:
				return usagef("tasks %s needs the id of a task", args[0]).hinted("mcpinspect tasks %s shows them, where the server lists them", a.where())
			}
			return atMost(2, args, shape)
		}, func(ctx context.Context, r *run, args []string) error {
			if err := r.sess.HasTasks(); err != nil {
				return err
			}
			switch {
			case len(args) < 2:
				return r.tasks(ctx)
			case args[0] == "result":
				return r.taskResult(ctx, args[1])
			}
			return r.task(ctx, map[string]string{"get": client.MethodTasksGet, "cancel": client.MethodTasksCancel}[args[0]], args[1])
		})}
	a.verbFlags(c)
	return c
}

// tasks prints every task of a server of 2025-11-25, page by page.
func (r *run) tasks(ctx context.Context) error {
	if r.sess.Revision().Modern() {
		return &failure{outcome: protocol, text: fmt.Sprintf("%s has no list of tasks", r.sess.Revision()), hint: "the id is in the answer that made the task: tasks get ID"}
	}
	var cursor []byte
	seen := map[string]bool{}
	var all []string
	for page := 0; page < maxTaskPages; page++ {
		params := []byte("{}")
		if cursor != nil {
			params = append(append([]byte(`{"cursor":`), cursor...), '}')
		}
		answer, err := r.sess.Call(ctx, client.Request{Method: client.MethodTasksList, Params: params})
		if err == nil {
			err = answer.Err()
		}
		if err != nil {
			return err
		}
		list := client.Get(answer.ResultRaw(), "tasks")
		if len(list) == 0 || list[0] != '[' {
			return &failure{outcome: protocol, text: "the answer to tasks/list has no list \"tasks\"", hint: "mcpinspect send tasks/list shows what it is"}
		}
		for raw := range client.Elements(list) {
			if all = append(all, string(raw)); !r.json {
				r.taskLine(raw)
			}
		}
		next := client.Get(answer.ResultRaw(), "nextCursor")
		if next == nil || string(next) == "null" {
			break
		}
		if seen[string(next)] {
			r.voice.warn("cursor %s came back: the list of tasks goes round in a circle", client.Excerpt(next))
			break
		}
		seen[string(next)], cursor = true, append([]byte(nil), next...)
	}
	if r.json {
		r.out.rawLine(oneLine([]byte(`{"tasks":[` + strings.Join(all, ",") + `]}`)))
	} else if len(all) == 0 {
		r.aside("the server has no tasks")
	}
	return nil
}

// taskLine prints a task in one line.
func (r *run) taskLine(raw []byte) {
	t, ok := client.ReadTask(raw)
	if !ok {
		r.out.printf("no task: ")
		r.out.rawLine(oneLine(raw))
		return
	}
	line := t.ID + "  " + string(t.Status)
	if t.Message != "" {
		line += "  " + firstLine(t.Message)
	}
	if at := client.GetText(t.Raw, "createdAt"); at != "" {
		line += "  created " + at
	}
	r.out.printf("%s\n", cleanLine(line))
}

// task sends tasks/get or tasks/cancel and prints where the task stands then.
func (r *run) task(ctx context.Context, method, id string) error {
	answer, err := r.sess.Call(ctx, client.OfTask(method, id))
	if err == nil {
		err = answer.Err()
	}
	if err != nil {
		return err
	}
	result := answer.ResultRaw()
	t, ok := client.ReadTask(result)
	switch {
	case r.json:
		r.out.rawLine(result)
	case ok:
		r.taskLine(t.Raw)
		if asked := client.Questions(t.Raw); len(asked) > 0 {
			r.asks(t.Raw)
			r.aside("tasks result " + cleanLine(id) + " with --answer answers it")
		}
	case method == client.MethodTasksCancel: // the extension acknowledges, and the task ends later
		r.out.printf("%s  cancel was asked for\n", cleanLine(id))
		return nil
	}
	if !ok && method == client.MethodTasksGet {
		return &failure{outcome: protocol, text: "the answer to tasks/get is no task", hint: "--json shows what it is"}
	}
	return nil
}

// taskResult waits for the end of a task and prints the result of its call.
func (r *run) taskResult(ctx context.Context, id string) error {
	answer, err := r.sess.TaskResult(ctx, id)
	if err == nil {
		err = answer.Err()
	}
	if err != nil {
		return err
	}
	result := answer.ResultRaw()
	if r.json {
		r.out.rawLine(result)
	} else {
		r.result(result)
	}
	return r.judge("task "+id, session.Item{}, result, r.voice.warn)
}
