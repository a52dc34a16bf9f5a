package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

func accepting() client.Identity {
	return client.Identity{Capabilities: []byte(`{"elicitation":{"form":{}}}`), Answer: func(_ context.Context, asked []client.Question) []client.Reply {
		replies := make([]client.Reply, len(asked))
		for i := range replies {
			replies[i].Result = []byte(`{"action":"accept"}`)
		}
		return replies
	}}
}

// TestTaskHandshake: in 2025-11-25 the request asks for the task, tasks/get is sent at the pace that the
// server suggests, and tasks/result brings the answer; what is asked meanwhile comes as a request.
func TestTaskHandshake(t *testing.T) {
	scripted(t, Options{Protocol: client.Rev2025_11_25, Identity: accepting()}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_11_25)
		m := s.Expect(client.MethodToolsCall)
		if string(client.Get(m.Params, "task")) != "{}" || client.GetText(m.Params, "name") != "a" {
			t.Errorf("sent %s", m.Raw)
		}
		s.Result(m.ID, `{"task":{"taskId":"t1","status":"working","createdAt":"x","lastUpdatedAt":"x","ttl":null,"pollInterval":3000}}`)
		began := time.Now()
		m = s.Expect(client.MethodTasksGet)
		if waited := time.Since(began); waited != 3*time.Second || client.GetText(m.Params, "taskId") != "t1" {
			t.Errorf("after %v: %s", waited, m.Raw)
		}
		s.Result(m.ID, `{"taskId":"t1","status":"input_required","statusMessage":"which?","ttl":null,"pollInterval":3000}`)
		m = s.Expect(client.MethodTasksResult)
		s.Printf(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"which?","requestedSchema":{"type":"object","properties":{}}}}`)
		s.Expect("")
		s.Result(m.ID, `{"content":[{"type":"text","text":"done"}]}`)
	}}, func(t *testing.T, s *Session) {
		done := make(chan struct{})
		client.Go("caller", s.opts.Fault, func() {
			defer close(done)
			a, err := s.CallTask(t.Context(), client.CallTool("a", nil))
			if err != nil || !strings.Contains(string(a.ResultRaw()), "done") {
				t.Errorf("%s %v", a.ResultRaw(), err)
			}
		})
		time.Sleep(time.Second)
		synctest.Wait()
		if calls := s.Snapshot().Calls; len(calls) != 1 || calls[0].Progress != "task t1 working" || calls[0].Name != "a" {
			t.Errorf("while it works: %+v", calls)
		}
		<-done
		synctest.Wait()
		snap := s.Snapshot()
		last := snap.Last[ToolSubject("a")]
		if in, _ := s.Log().Event(last.Answer); len(snap.Calls) > 0 || !strings.Contains(string(s.Log().Body(in.Seq).Bytes()), "done") {
			t.Errorf("at the end: %+v %+v", snap.Calls, last)
		}
		want := []string{"task t1 working", "task t1 input_required: which?", "task t1 has its result"}
		if got := notes(s, client.NoteTask); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q", got)
		}
	})
}

// TestToolOfTasks: a tool that takes no other call is called as a task, where its server can make them.
func TestToolOfTasks(t *testing.T) {
	const able = `"tasks":{"requests":{"tools":{"call":{}}}},"tools":{}`
	for name, c := range map[string]struct {
		capabilities, support string
		rev                   client.Revision
		task, want            bool
	}{
		"required":                 {able, "required", client.Rev2025_11_25, false, true},
		"required, not declared":   {`"tools":{}`, "required", client.Rev2025_11_25, false, false},
		"required, older revision": {able, "required", client.Rev2025_06_18, false, false},
		"optional":                 {able, "optional", client.Rev2025_11_25, false, false},
		"optional, asked for":      {able, "optional", client.Rev2025_11_25, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			scripted(t, Options{Protocol: c.rev, Identity: accepting()}, []func(*clienttest.Server){func(s *clienttest.Server) {
				m := s.Expect(client.MethodInitialize)
				s.Result(m.ID, `{"protocolVersion":"`+string(c.rev)+`","capabilities":{`+c.capabilities+`},"serverInfo":{"name":"n","version":"1"}}`)
				s.Expect(client.MethodInitialized)
				s.Result(s.Expect(client.MethodToolsList).ID, `{"tools":[{"name":"a","inputSchema":{"type":"object"},"execution":{"taskSupport":"`+c.support+`"}}]}`)
				m = s.Expect(client.MethodToolsCall)
				if got := client.Get(m.Params, "task") != nil; got != c.want {
					t.Errorf("as a task is %v: %s", got, m.Raw)
				}
				s.Result(m.ID, `{"content":[]}`)
			}}, func(t *testing.T, s *Session) {
				if _, err := s.All(t.Context(), client.Tools); err != nil {
					t.Fatal(err)
				}
				if _, err := s.CallTool(t.Context(), client.CallTool("a", nil), c.task); err != nil {
					t.Error(err)
				}
				if said := slices.Contains(notes(s, client.NoteInfo), "a is called as a task: its execution.taskSupport is required"); said != (c.want && !c.task) {
					t.Errorf("said is %v", said)
				}
			})
		})
	}
}

// TestTaskExtension: in 2026-07-28 every request of a task declares the extension, what the task asks for is
// given by tasks/update once, and the result stands in tasks/get.
func TestTaskExtension(t *testing.T) {
	declared := func(m clienttest.Message) {
		t.Helper()
		if got := string(client.Get(m.Params, "_meta", client.MetaClientCapabilities)); got != `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}` {
			t.Errorf("%s declares %s", m.Method, got)
		}
	}
	scripted(t, Options{Identity: accepting()}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Discover(`"2026-07-28"`)
		m := s.Expect(client.MethodToolsCall)
		declared(m)
		if client.Get(m.Params, "task") != nil {
			t.Errorf("sent %s", m.Raw)
		}
		s.Result(m.ID, `{"resultType":"task","taskId":"t2","status":"working","ttlMs":null,"pollIntervalMs":10}`)
		for _, status := range []string{
			`"status":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?"}}}`,
			`"status":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?"}}}`,
			`"status":"completed","result":{"content":[],"structuredContent":{"n":1e2}}`,
		} {
			m := s.Expect(client.MethodTasksGet)
			declared(m)
			s.Result(m.ID, `{"resultType":"complete","taskId":"t2","ttlMs":null,`+status+`}`)
			if strings.Contains(status, "inputRequests") && m.ID == "3" {
				m = s.Expect(client.MethodTasksUpdate)
				declared(m)
				if got := string(client.Get(m.Params, "inputResponses")); got != `{"k":{"action":"accept"}}` {
					t.Errorf("answered %s", got)
				}
				s.Result(m.ID, `{"resultType":"complete"}`)
			}
		}
	}}, func(t *testing.T, s *Session) {
		a, err := s.CallTask(t.Context(), client.CallTool("a", nil))
		if err != nil || string(client.Get(a.ResultRaw(), "structuredContent", "n")) != "1e2" {
			t.Errorf("%s %v", a.ResultRaw(), err)
		}
		if calls := s.Snapshot().Calls; len(calls) > 0 {
			t.Errorf("%+v", calls)
		}
	})
}

// TestTaskEnds: the other ways in which a call as a task ends.
func TestTaskEnds(t *testing.T) {
	const handle = `{"resultType":"task","taskId":"t","status":"working","ttlMs":null,"pollIntervalMs":10}`
	for name, c := range map[string]struct {
		call, get string
		err       string
		result    string
	}{
		"at once":   {call: `{"content":[],"n":1}`, result: `{"content":[],"n":1}`},
		"failed":    {call: handle, get: `{"taskId":"t","status":"failed","error":{"code":-32603,"message":"broken"}}`, err: "error -32603: broken"},
		"broken":    {call: handle, get: `{"taskId":"t","status":"completed","result":{"content":[],"isError":true}}`, result: `{"content":[],"isError":true}`},
		"cancelled": {call: handle, get: `{"taskId":"t","status":"cancelled","statusMessage":"by the operator"}`, err: "task t cancelled: by the operator: there is no result"},
		"lost":      {call: handle, get: `{"taskId":"other","status":"working"}`, err: "has no such task"},
		"unoffered": {call: handle, get: `{"taskId":"t","status":"input_required","inputRequests":{"k":{"method":"roots/list"}}}`, err: `"k" wants roots/list, which was not offered`},
	} {
		t.Run(name, func(t *testing.T) {
			scripted(t, Options{Identity: accepting()}, []func(*clienttest.Server){func(s *clienttest.Server) {
				s.Discover(`"2026-07-28"`)
				s.Result(s.Expect(client.MethodToolsCall).ID, c.call)
				if c.get != "" {
					s.Result(s.Expect(client.MethodTasksGet).ID, c.get)
				}
			}}, func(t *testing.T, s *Session) {
				a, err := s.CallTask(t.Context(), client.CallTool("a", nil))
				if err == nil {
					err = a.Err()
				}
				if c.err == "" && (err != nil || string(a.ResultRaw()) != c.result) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("%s %v, want %q", a.ResultRaw(), err, c.err)
				}
				synctest.Wait()
				snap := s.Snapshot()
				if len(snap.Calls) > 0 {
					t.Errorf("open: %+v", snap.Calls)
				}
				// What ended the call is its answer, in a recording, too: there nobody waits for it.
				at, _ := s.Log().Event(snap.Last[ToolSubject("a")].Answer)
				ended := c.get == "" || name == "failed" || name == "broken" || name == "cancelled"
				if is := at.Method == client.MethodTasksGet || c.get == "" && at.Method == client.MethodToolsCall; is != ended || at.Failed != (name == "failed" || name == "broken") {
					t.Errorf("the answer is #%d %s, failed %v", at.Seq, at.Method, at.Failed)
				}
			})
		})
	}
	t.Run("given up", func(t *testing.T) {
		scripted(t, Options{}, []func(*clienttest.Server){func(s *clienttest.Server) {
			s.Discover(`"2026-07-28"`)
			s.Result(s.Expect(client.MethodToolsCall).ID, handle)
			for {
				m, ok := s.Next()
				if !ok {
					t.Error("tasks/cancel did not come")
					return
				}
				s.Result(m.ID, `{"taskId":"t","status":"working"}`)
				if m.Method == client.MethodTasksCancel {
					return
				}
			}
		}}, func(t *testing.T, s *Session) {
			enough := errors.New("enough")
			ctx, cancel := context.WithTimeoutCause(t.Context(), 1500*time.Millisecond, enough)
			defer cancel()
			if _, err := s.CallTask(ctx, client.CallTool("a", nil)); !errors.Is(err, enough) {
				t.Error(err)
			}
		})
	})
	t.Run("before there were any", func(t *testing.T) {
		scripted(t, Options{Protocol: client.Rev2025_06_18}, []func(*clienttest.Server){func(s *clienttest.Server) { s.Handshake(client.Rev2025_06_18) }}, func(t *testing.T, s *Session) {
			if _, err := s.CallTask(t.Context(), client.CallTool("a", nil)); err == nil || !strings.Contains(err.Error(), "2025-06-18 has no tasks") {
				t.Error(err)
			}
		})
	})
}

// TestTaskPushed: what a server tells of a task by itself stands on its call, in the shape of either revision.
func TestTaskPushed(t *testing.T) {
	for method, push := range map[string]string{
		client.MethodTaskStatus: `{"taskId":"t1","status":"working","statusMessage":"half","ttl":null}`,
		client.MethodTaskNews:   `{"taskId":"t1","status":"working","statusMessage":"half","ttlMs":null,"_meta":{"io.modelcontextprotocol/subscriptionId":7}}`,
	} {
		f := newFeeder()
		f.spawn(1)
		f.ask("1", client.MethodToolsCall, `{"name":"slow"}`)
		f.answer("1", `{"resultType":"task","taskId":"t1","status":"working","ttlMs":null}`)
		f.note(client.Note{What: client.NoteTask, ID: "1", Text: "task t1 working"})
		f.out(`{"jsonrpc":"2.0","method":%q,"params":{"taskId":"other","status":"failed"}}`, method)
		f.out(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, push)
		if calls := f.snapshot().Calls; len(calls) != 1 || calls[0].Progress != "task t1 working: half" {
			t.Errorf("%s: %+v", method, calls)
		}
	}
}

// TestTaskIsPushed: a status that the server tells of on a subscription ends the wait for the next look; one
// that is known already does not.
func TestTaskIsPushed(t *testing.T) {
	const tells = `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"taskId":%q,"status":%q,"ttlMs":null}}`
	const pace = 20 * time.Second
	scripted(t, Options{}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Discover(`"2026-07-28"`)
		s.Result(s.Expect(client.MethodToolsCall).ID, `{"resultType":"task","taskId":"t3","status":"working","ttlMs":null,"pollIntervalMs":20000}`)
		m := s.Expect(client.MethodListen)
		if got := string(client.Get(m.Params, "notifications")); got != `{"taskIds":["t3"]}` {
			t.Errorf("asked for %s", got)
		}
		if client.Get(m.Params, "_meta", client.MetaClientCapabilities, "extensions", client.ExtensionTasks) == nil {
			t.Errorf("the extension is not declared: %s", m.Params)
		}
		s.Printf(acknowledged, m.ID, `{"taskIds":["t3"]}`)
		s.Printf(tells, m.ID, "t3", "working")
		s.Printf(tells, m.ID, "other", "completed")
		began := time.Now()
		get := s.Expect(client.MethodTasksGet)
		if waited := time.Since(began); waited < pace/2 {
			t.Errorf("nothing new was told, and it was looked at after %v", waited)
		}
		s.Result(get.ID, `{"resultType":"complete","taskId":"t3","status":"working","ttlMs":null,"pollIntervalMs":20000}`)
		time.Sleep(time.Second)
		began = time.Now()
		s.Printf(tells, m.ID, "t3", "completed")
		get = s.Expect(client.MethodTasksGet)
		if waited := time.Since(began); waited > 0 {
			t.Errorf("it was told, and looked at after %v", waited)
		}
		s.Result(get.ID, `{"resultType":"complete","taskId":"t3","status":"completed","ttlMs":null,"result":{"content":[],"n":3}}`)
	}}, func(t *testing.T, s *Session) {
		done := make(chan struct{})
		client.Go("caller", s.opts.Fault, func() {
			defer close(done)
			a, err := s.CallTask(t.Context(), client.CallTool("a", nil))
			if err != nil || string(client.Get(a.ResultRaw(), "n")) != "3" {
				t.Errorf("%s %v", a.ResultRaw(), err)
			}
		})
		synctest.Wait()
		if err := s.Listen(t.Context(), client.Interest{Tasks: []string{"t3"}}); err != nil {
			t.Fatal(err)
		}
		<-done
		synctest.Wait()
		if subs := s.Snapshot().Subscriptions; len(subs) != 1 || subs[0].Told != 3 || subs[0].Honoured.String() != "task t3" {
			t.Errorf("%+v", subs)
		}
		if len(s.waits) > 0 {
			t.Error("it is still waited for")
		}
	})
}
