package client_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// connected runs a test over a connection that speaks rev with one scripted server.
func connected(t *testing.T, rev client.Revision, server script, test func(*testing.T, *client.Conn, *clienttest.Door)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Identity: client.Identity{Name: "test", Version: "1"}, Seed: 5}
		x.Scripts = []script{func(s *clienttest.Server) {
			if rev.Modern() {
				s.Discover(`"` + string(rev) + `"`)
			} else {
				s.Handshake(rev)
			}
			server(s)
		}}
		c, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: rev})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		test(t, c, x.Door)
		c.Close()
	})
}

// tool is a tool call.
func tool(name string, limits client.Limits) client.Request {
	r := client.CallTool(name, []byte(`{"x":1}`))
	r.Limits = limits
	return r
}

func TestCallAnswers(t *testing.T) {
	connected(t, client.Rev2026_07_28, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		time.Sleep(70 * time.Millisecond)
		s.Result(m.ID, `{"content":[]}`)
		s.Fail(s.Expect(client.MethodToolsCall).ID, -32602, "bad", `{"why":1}`)
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		a, err := c.Call(t.Context(), tool("a", client.Limits{}))
		if err != nil || a.Err() != nil || string(a.ResultRaw()) != `{"content":[]}` || a.Latency != 70*time.Millisecond || a.Match != client.MatchExact || a.RequestID != a.RawID() {
			t.Errorf("%+v, %v", a, err)
		}
		a, err = c.Call(t.Context(), tool("b", client.Limits{}))
		var rpc *client.RPCError
		if err != nil || !errors.As(a.Err(), &rpc) || rpc.Code != -32602 || rpc.Message != "bad" || string(rpc.Data) != `{"why":1}` {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

func TestOverlappingCalls(t *testing.T) {
	const n = 50
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		var got []clienttest.Message
		for range n {
			got = append(got, s.Expect(client.MethodToolsCall))
		}
		for i, m := range slices.Backward(got) { // last first, with a word between
			s.Result(m.ID, `{"name":`+string(client.Get(m.Params, "name"))+`}`)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":%d}}`, i)
		}
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				name := fmt.Sprint("tool", i)
				if a, err := c.Call(t.Context(), tool(name, client.Limits{Idle: time.Second})); err != nil || client.GetText(a.ResultRaw(), "name") != name {
					t.Errorf("%s got %s, %v", name, a.ResultRaw(), err)
				}
			})
		}
		wg.Wait()
	})
}

func TestTimeout(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		cancelled := s.Expect(client.MethodCancelled)
		if want := fmt.Sprintf(`{"requestId":%s,"reason":"timed out"}`, m.ID); string(cancelled.Params) != want {
			t.Errorf("cancelled with %s, want %s", cancelled.Params, want)
		}
		s.Result(m.ID, `{}`)
		s.Result(s.Expect(client.MethodToolsCall).ID, `{"ok":true}`)
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		var id string
		r := tool("slow", client.Limits{Idle: 2 * time.Second, Max: time.Minute})
		r.Sent = func(got string) { id = got }
		_, err := c.Call(t.Context(), r)
		var e *client.TimeoutError
		if !errors.As(err, &e) || e.Total || e.Waited != 2*time.Second || e.ID != id || err.Error() != "tools/call (id "+id+") got no answer within 2s" {
			t.Errorf("%v: %+v", err, e)
		}
		synctest.Wait()
		for what, want := range map[string]string{client.NoteTimeout: "got no answer within 2s", client.NoteCancel: "timed out", client.NoteLate: "a late answer to id " + id + ", which had timed out"} {
			if n := door.Notes(what); len(n) != 1 || n[0].ID != id || !strings.Contains(n[0].Text, want) {
				t.Errorf("notes %s: %+v, want %q", what, n, want)
			}
		}
		if a, err := c.Call(t.Context(), tool("next", client.Limits{Idle: time.Second})); err != nil || string(a.ResultRaw()) != `{"ok":true}` {
			t.Errorf("the next call: %s, %v", a.ResultRaw(), err)
		}
	})
}

func TestProgressResetsTimeout(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		token := client.Get(m.Params, "_meta", "progressToken")
		for i := range 5 {
			time.Sleep(1900 * time.Millisecond)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token, i)
		}
		time.Sleep(1900 * time.Millisecond)
		s.Result(m.ID, `{}`)

		m = s.Expect(client.MethodToolsCall) // progress of others, and without a token, resets nothing
		for range 5 {
			time.Sleep(500 * time.Millisecond)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"%s","progress":1}}`, m.ID)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/progress"}`)
		}
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		var seen []string
		r := tool("long", client.Limits{Idle: 2 * time.Second, Max: time.Minute})
		r.Progress = func(params []byte) { seen = append(seen, string(client.Get(params, "progress"))) }
		if _, err := c.Call(t.Context(), r); err != nil {
			t.Error(err)
		}
		if got := strings.Join(seen, ""); got != "01234" {
			t.Errorf("progress %s", got)
		}
		var e *client.TimeoutError
		if _, err := c.Call(t.Context(), r); !errors.As(err, &e) || e.Waited != 2*time.Second {
			t.Errorf("error %v", err)
		}
	})
}

func TestTotalTimeout(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		for range 10 {
			time.Sleep(time.Second)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, m.ID)
		}
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		_, err := c.Call(t.Context(), tool("endless", client.Limits{Idle: 2 * time.Second, Max: 7500 * time.Millisecond}))
		var e *client.TimeoutError
		if !errors.As(err, &e) || !e.Total || e.Waited != 7500*time.Millisecond || !strings.Contains(err.Error(), "given up after 7.5s in total") {
			t.Errorf("error %v", err)
		}
	})
}

func TestTimeoutFacts(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		s.Expect(client.MethodToolsCall)
		s.Print(`{"jsonrpc":"2.0",`)
		s.Hang()
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		var e *client.TimeoutError
		_, err := c.Call(t.Context(), tool("half", client.Limits{Idle: time.Second}))
		if !errors.As(err, &e) || len(e.Facts) != 1 || !strings.Contains(e.Facts[0], "an unfinished line of 17 bytes") {
			t.Errorf("%v: %+v", err, e)
		}
		// The cancel notification is stuck by now, since nobody reads it.
		_, err = c.Call(t.Context(), tool("stuck", client.Limits{Idle: time.Second}))
		if !errors.As(err, &e) || len(e.Facts) != 2 || !strings.Contains(e.Facts[1], "does not read its stdin") {
			t.Errorf("%v: %+v", err, e)
		}
	})
}

func TestCallerGivesUp(t *testing.T) {
	connected(t, client.Rev2026_07_28, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		if got := string(client.Get(s.Expect(client.MethodCancelled).Params, "requestId")); got != m.ID {
			t.Errorf("cancelled %s, want %s", got, m.ID)
		}
		s.Result(m.ID, `{}`)
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		if _, err := c.Call(ctx, tool("slow", client.Limits{Idle: time.Minute})); err != why {
			t.Errorf("error %v", err)
		}
		synctest.Wait()
		if n := door.Notes(client.NoteCancel); len(n) != 1 || !strings.Contains(n[0].Text, "cancelled by the user") {
			t.Errorf("notes %+v", n)
		}
		if n := door.Notes(client.NoteLate); len(n) != 1 || !strings.HasSuffix(n[0].Text, ", which had been cancelled") {
			t.Errorf("notes %+v", n)
		}
	})
}

// TestServerAsks: real servers wait for answers to what they ask, before initialized too.
func TestServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := func(s *clienttest.Server, want string) {
			if m := s.Expect(""); m.Raw != want {
				t.Errorf("answered %s, want %s", m.Raw, want)
			}
		}
		x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Scripts: []script{func(s *clienttest.Server) {
			m := s.Expect(client.MethodInitialize)
			s.Printf(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
			answer(s, `{"jsonrpc":"2.0","id":0,"result":{}}`)
			s.Printf(`{"jsonrpc":"2.0","id":"p-1","method":"ping"}`)
			answer(s, `{"jsonrpc":"2.0","id":"p-1","result":{}}`)
			s.Result(m.ID, `{"protocolVersion":"2025-11-25"}`)
			s.Expect(client.MethodInitialized)
			for _, method := range []string{"sampling/createMessage", "roots/list", `odd"one`} {
				s.Printf(`{"jsonrpc":"2.0","id":"a\"b","method":%s,"params":{}}`, client.Quote(method))
				answer(s, `{"jsonrpc":"2.0","id":"a\"b","error":{"code":-32601,"message":`+string(client.Quote("this client does not serve "+method))+`}}`)
			}
			s.Printf(`{"jsonrpc":"2.0","id":null,"method":"ping"}`) // no id to answer with
			s.Printf(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)    // like one of ours
			answer(s, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		}}}
		c, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: client.Rev2025_11_25})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(x.Door.Sent(1)); n != 8 {
			t.Errorf("%d messages were sent: %v", n, x.Door.Sent(1))
		}
		c.Close()
	})
	connected(t, client.Rev2026_07_28, func(s *clienttest.Server) {
		s.Printf(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		s.Printf(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		if sent := door.Sent(1); len(sent) != 1 {
			t.Errorf("a stateless client must not answer, it sent %v", sent)
		}
	})
}

func TestOddAnswers(t *testing.T) {
	for _, c := range []struct {
		name, answer string // %s is the id
		match        client.Match
		note         string
		open         bool // nothing that fits came
	}{
		{"text", `{"jsonrpc":"2.0","id":"%s","result":{}}`, client.MatchType, "was matched all the same", false},
		{"fraction", `{"jsonrpc":"2.0","id":%s.0,"result":{}}`, client.MatchType, "was matched all the same", false},
		{"error with id null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom %s"}}`, client.MatchAttributed, "the only open request", false},
		{"error without id", `{"jsonrpc":"2.0","error":{"code":-32603,"message":"boom %s"}}`, client.MatchAttributed, "the only open request", false},
		{"glued", `Loading %[1]s... {"jsonrpc":"2.0","id":%[1]s,"result":{}}`, client.MatchExact, "", false},
		{"no version", `{"id":%s,"result":{}}`, client.MatchExact, "", false},
		{"both", `{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":1,"message":"m"}}`, client.MatchExact, "", false},
		{"neither", `{"jsonrpc":"2.0","id":%s}`, client.MatchExact, "", false},
		{"neither, by its meaning", `{"jsonrpc":"2.0","id":"%s","Result":{}}`, client.MatchType, "was matched all the same", false},
		{"result with id null", `{"jsonrpc":"2.0","id":null,"result":{"was":%s}}`, 0, "", true},
		{"another id", `{"jsonrpc":"2.0","id":%s99,"result":{}}`, 0, "", true},
		{"quoted", `{"log":{"jsonrpc":"2.0","id":%s,"result":{}}}`, 0, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
				s.Printf(c.answer, s.Expect(client.MethodToolsCall).ID)
			}, func(t *testing.T, conn *client.Conn, door *clienttest.Door) {
				a, err := conn.Call(t.Context(), tool("odd", client.Limits{Idle: time.Second}))
				var late *client.TimeoutError
				if c.open != errors.As(err, &late) || !c.open && (err != nil || a.Match != c.match) {
					t.Errorf("%+v, %v", a, err)
				}
				notes := door.Notes(client.NoteMatch)
				if (c.note != "") != (len(notes) == 1) || c.note != "" && !strings.Contains(notes[0].Text, c.note) {
					t.Errorf("notes %+v", notes)
				}
			})
		})
	}
	// With two calls open an error without id belongs to neither.
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		a, b := s.Expect(client.MethodToolsCall), s.Expect(client.MethodToolsCall)
		s.Fail("null", -32603, "boom", "")
		s.Result(a.ID, `{}`)
		s.Result(b.ID, `{}`)
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if a, err := c.Call(t.Context(), tool("x", client.Limits{Idle: time.Second})); err != nil || a.IsError() {
					t.Errorf("%+v, %v", a, err)
				}
			})
		}
		wg.Wait()
	})
}

// TestUnreadableAnswers: an answer that cannot be read ends the call it shows the id of, or the
// only one that is open, and no other.
func TestUnreadableAnswers(t *testing.T) {
	long := strings.Repeat("y", 2000)
	for _, c := range []struct {
		name, answer string // %s is the id
		open         int    // further calls
		want         string // in the error; empty for a call that waits on
	}{
		{"too long", `{"jsonrpc":"2.0","id":%s,"result":"` + long + `"}`, 1, "its line of 2036 bytes is longer than the 1000 that are kept"},
		{"too long, id as text", `{"jsonrpc":"2.0","id":"%s","result":"` + long + `"}`, 1, "longer than the 1000"},
		{"too long, id behind", `{"jsonrpc":"2.0","result":"` + long + `","id":%s}`, 0, "longer than the 1000"},
		{"too long, id behind, two open", `{"jsonrpc":"2.0","result":"` + long + `","id":%s}`, 1, ""},
		{"too long, another id", `{"jsonrpc":"2.0","id":%s99,"result":"` + long + `"}`, 0, ""},
		{"too long, a request", `{"jsonrpc":"2.0","id":%s,"method":"` + long + `"}`, 0, ""},
		{"no JSON", `{"jsonrpc":"2.0","id":%s,"result":{NaN}}`, 1, "it is no JSON"},
		{"no JSON, no id", `{"jsonrpc":"2.0","result":{NaN},"id":%s}`, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &clienttest.Spawner{T: t, Door: &clienttest.Door{MaxLine: 1000}, Scripts: []script{func(s *clienttest.Server) {
					s.Handshake(client.Rev2025_06_18)
					m := s.Expect(client.MethodToolsCall)
					for range c.open {
						s.Expect(client.MethodToolsCall)
					}
					s.Printf(c.answer, m.ID)
				}}}
				conn, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: client.Rev2025_06_18})
				if err != nil {
					t.Fatal(err)
				}
				first := make(chan error, 1)
				go func() {
					_, err := conn.Call(t.Context(), tool("first", client.Limits{Idle: time.Second}))
					first <- err
				}()
				synctest.Wait()
				for range c.open {
					go func() {
						_, err := conn.Call(t.Context(), tool("other", client.Limits{Idle: time.Second}))
						if late := new(client.TimeoutError); !errors.As(err, &late) {
							t.Errorf("the other call ended with %v", err)
						}
					}()
				}
				err = <-first
				var late *client.TimeoutError
				var spoilt *client.AnswerError
				if c.want == "" && !errors.As(err, &late) || c.want != "" && (!errors.As(err, &spoilt) || !strings.Contains(err.Error(), c.want) || spoilt.Method != client.MethodToolsCall) {
					t.Errorf("error %v", err)
				}
				time.Sleep(2 * time.Second)
				conn.Close()
			})
		})
	}
}

func TestServerGoes(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		s.Expect(client.MethodToolsCall)
		s.Exit(7)
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		_, err := c.Call(t.Context(), tool("x", client.Limits{Idle: time.Minute}))
		var e *client.ClosedError
		if !errors.As(err, &e) || e.Exit == nil || e.Exit.Code != 7 || e.Method != client.MethodToolsCall || !strings.Contains(err.Error(), "exit status 7 before tools/call (id 2) was answered") {
			t.Errorf("%v", err)
		}
		if _, err := c.Call(t.Context(), tool("y", client.Limits{})); !errors.As(err, &e) || e.Exit == nil || e.ID != "3" {
			t.Errorf("a call after the end: %v", err)
		}
		if err := c.Notify("n", nil); !errors.As(err, &e) {
			t.Errorf("a notification after the end: %v", err)
		}
		if exit := c.Close(); exit.Code != 7 || exit.Asked != client.AskedNo || c.Close() != exit {
			t.Errorf("%+v", exit)
		}
	})
}

func TestStdoutClosedWhileLiving(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		s.Expect(client.MethodToolsCall)
		s.CloseStdout()
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		_, err := c.Call(t.Context(), tool("x", client.Limits{Idle: time.Minute}))
		var e *client.ClosedError
		if !errors.As(err, &e) || e.Exit != nil || !strings.Contains(err.Error(), "closed its stdout but still runs") {
			t.Errorf("%v", err)
		}
		if n := door.Notes(client.NoteClosed); len(n) != 1 {
			t.Errorf("notes %+v", n)
		}
		if door.Now() > 2*time.Second {
			t.Errorf("it took %v", door.Now())
		}
	})
}

// TestStuckWriter: a server that does not read blocks the writer and nobody else.
func TestStuckWriter(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) { s.Hang() }, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		begin := door.Now()
		for i := range 100 {
			if err := c.Notify(fmt.Sprint("n", i), nil); err != nil {
				t.Error(err)
			}
		}
		if took := door.Now() - begin; took != 0 {
			t.Errorf("100 notifications took %v", took)
		}
		if _, err := c.Call(t.Context(), tool("x", client.Limits{Idle: time.Second})); err == nil {
			t.Error("a call was answered")
		}
		begin = door.Now()
		if exit := c.Close(); exit.Signal != "SIGKILL" || door.Now()-begin > 5*time.Second {
			t.Errorf("%+v after %v", exit, door.Now()-begin)
		}
		if n := door.Notes(client.NoteWrite); len(n) > 0 {
			t.Errorf("what we closed ourselves is no failed write: %+v", n)
		}
	})
}

// TestCloseSendsWhatIsQueued: the last words of a script must reach a server that reads.
func TestCloseSendsWhatIsQueued(t *testing.T) {
	read := 0
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		for {
			if _, ok := s.Next(); !ok {
				return
			}
			read++
			time.Sleep(time.Millisecond)
		}
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		for range 100 {
			c.Notify("n", nil)
		}
		c.Close()
		if read != 100 {
			t.Errorf("%d of 100 lines were read", read)
		}
	})
}

func TestSendRaw(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		if m, _ := s.Next(); m.Raw != "{broken" {
			t.Errorf("read %q", m.Raw)
		}
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		if err := c.SendRaw([]byte("{broken\n")); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if rows := door.Rows(client.In); rows[len(rows)-1].Text() != "{broken" || rows[len(rows)-1].Kind != client.KindNotJSON {
			t.Errorf("%+v", rows[len(rows)-1])
		}
	})
}

func TestEncode(t *testing.T) {
	const modern = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"progressToken":4`
	c := client.NewConn(&clienttest.Door{}, 1, &client.IDs{}, client.Identity{Name: "test", Version: "1"}, nil)
	for _, x := range []struct {
		name   string
		rev    client.Revision
		r      client.Request
		params string // empty for none
	}{
		{"handshake list", client.Rev2025_06_18, client.Request{Method: "tools/list"}, ``},
		{"handshake call", client.Rev2025_06_18, client.CallTool("a", nil), `{"name":"a","_meta":{"progressToken":4}}`},
		{"stateless list", client.Rev2026_07_28, client.Request{Method: "tools/list"}, `{"_meta":{` + modern + `}}`},
		{"stateless call", client.Rev2026_07_28, client.CallTool("a", []byte(`{"n":1.10,"big":12345678901234567890}`)), `{"name":"a","arguments":{"n":1.10,"big":12345678901234567890},"_meta":{` + modern + `}}`},
		{"bare", client.Rev2026_07_28, client.Request{Method: "x", Params: []byte(`[1]`), Bare: true}, `[1]`},
		{"params of another kind", client.Rev2026_07_28, client.Request{Method: "x", Params: []byte(`[1]`)}, `[1]`},
		{"_meta of another kind", client.Rev2026_07_28, client.Request{Method: "x", Params: []byte(`{"_meta":5}`)}, `{"_meta":5}`},
		{"indented", client.Rev2025_06_18, client.CallTool("a", []byte("{\r\n  \"s\": \"a\\nb\"\n}")), `{"name":"a","arguments":{    "s": "a\nb" },"_meta":{"progressToken":4}}`},
		{"own _meta", client.Rev2025_06_18, client.Request{Method: "tools/call", Params: []byte(`{"_meta":{"progressToken":"mine","k":1},"name":"a"}`)}, `{"name":"a","_meta":{"progressToken":"mine","k":1}}`},
		{"an override beats own _meta", client.Rev2025_06_18, client.Request{Method: "tools/call", Params: []byte(`{"_meta":{"k":1}}`), Meta: []client.MetaKey{{Key: "k", Value: []byte("2")}}}, `{"_meta":{"progressToken":4,"k":2}}`},
		{"the last override wins", client.Rev2025_06_18, client.Request{Method: "x", Meta: []client.MetaKey{{Key: "k", Value: []byte("1")}, {Key: "k", Value: []byte("2")}}}, `{"_meta":{"k":2}}`},
		{"leave out", client.Rev2026_07_28, client.Request{Method: "x", Meta: []client.MetaKey{{Key: client.MetaProtocolVersion}, {Key: "progressToken"}, {Key: client.MetaClientInfo}}}, `{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}`},
		{"leave out what is own", client.Rev2025_06_18, client.Request{Method: "x", Params: []byte(`{"_meta":{"k":1}}`), Meta: []client.MetaKey{{Key: "k"}}}, `{"_meta":{}}`},
		{"leave out all", client.Rev2025_06_18, client.Request{Method: "tools/call", Meta: []client.MetaKey{{Key: "progressToken"}}}, ``},
		{"override", client.Rev2026_07_28, client.Request{Method: "x", Meta: []client.MetaKey{{Key: client.MetaProtocolVersion, Value: []byte(`7`)}, {Key: "new\"key", Value: []byte(`{"a":[]}`)}}}, `{"_meta":{"io.modelcontextprotocol/protocolVersion":7,` + modern[strings.Index(modern, ",")+1:] + `,"new\"key":{"a":[]}}}`},
		{"repeated names stay", client.Rev2025_06_18, client.CallTool("a", []byte(`{"k":1,"k":2}`)), `{"name":"a","arguments":{"k":1,"k":2},"_meta":{"progressToken":4}}`},
	} {
		want := `{"jsonrpc":"2.0","id":4,"method":"` + x.r.Method + `"`
		if x.params != "" {
			want += `,"params":` + x.params
		}
		if got := string(c.Encode(x.rev, "4", x.r)); got != want+"}\n" {
			t.Errorf("%s:\n got %s want %s}", x.name, got, want)
		}
	}
}

// FuzzEncode: whatever the params and overrides, JSON in is one line of JSON out.
func FuzzEncode(f *testing.F) {
	f.Add("tools/call", []byte("{\"_meta\": {\"a\" : 1},\n\"x\":[{}]}"), "k", []byte(`{"a":1}`))
	f.Add("a\"b", []byte(`[]`), "progressToken", []byte(nil))
	f.Add("", []byte(`{"_meta":null}`), client.MetaProtocolVersion, []byte("\n1\r\n"))
	c := client.NewConn(&clienttest.Door{}, 1, &client.IDs{}, client.Identity{Name: "test", Version: "1"}, nil)
	f.Fuzz(func(t *testing.T, method string, params []byte, key string, value []byte) {
		r := client.Request{Method: method, Params: params, Meta: []client.MetaKey{{Key: key, Value: value}}}
		for _, rev := range client.Revisions {
			line := string(c.Encode(rev, "1", r))
			if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "}\n") {
				t.Fatalf("%q is no line", line)
			}
			if client.ValidJSON(params) && (len(value) == 0 || client.ValidJSON(value)) && !client.ValidJSON([]byte(line)) {
				t.Fatalf("%q of params %q, %q = %q", line, params, key, value)
			}
		}
	})
}
