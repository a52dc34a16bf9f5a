package session

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// scripted runs a test over a session whose server plays a script in each of its runs, on a clock of its own.
func scripted(t *testing.T, o Options, scripts []func(*clienttest.Server), test func(*testing.T, *Session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.Fault = func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }
		s := New(Target{Label: "scripted"}, o)
		s.dial = func(run int, deliver func(client.Incoming)) (client.Transport, error) {
			p, server := clienttest.Open(s.door, run, deliver)
			server.T = t
			s.door.Note(client.Note{Run: run, At: s.Now(), What: client.NoteSpawn, Spawn: &client.Spawned{}})
			client.Go("script", o.Fault, func() {
				defer server.Exit(0)
				scripts[run-1](server)
				for {
					if _, ok := server.Next(); !ok {
						return
					}
				}
			})
			return p, nil
		}
		if err := s.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		test(t, s)
		s.Close()
	})
}

const acknowledged = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":%s}}`

// notes are the texts of the notes of a kind.
func notes(s *Session, what string) (out []string) {
	s.Log().Each(0, func(e Event) bool {
		if e.Note != nil && e.Note.What == what {
			out = append(out, e.Note.Text)
		}
		return true
	})
	return out
}

// TestListenStateless: the acknowledgement says what is honoured, what comes is counted, giving up sends
// the cancel, and a server that is started again is asked again.
func TestListenStateless(t *testing.T) {
	run := func(s *clienttest.Server) {
		s.Discover(`"2026-07-28"`)
		m := s.Expect(client.MethodListen)
		if got := string(client.Get(m.Params, "notifications")); got != `{"toolsListChanged":true,"resourceSubscriptions":["a:b"]}` {
			t.Errorf("asked for %s", got)
		}
		if client.Get(m.Params, "_meta", client.MetaProgressToken) != nil {
			t.Error("progress is asked for")
		}
		s.Printf(acknowledged, m.ID, `{"resourceSubscriptions":["a:b"]}`)
		s.Printf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"uri":"a:b"}}`, m.ID)
	}
	last := func(s *clienttest.Server) {
		run(s)
		if m := s.Expect(client.MethodCancelled); string(client.Get(m.Params, "requestId")) == "" {
			t.Error(m.Raw)
		}
	}
	want := client.Interest{Tools: true, URIs: []string{"a:b"}}
	scripted(t, Options{}, []func(*clienttest.Server){run, last}, func(t *testing.T, s *Session) {
		if err := s.Listen(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		look := func() {
			t.Helper()
			synctest.Wait()
			subs := s.Snapshot().Subscriptions
			if len(subs) != 1 || !subs[0].Acked || subs[0].Honoured.String() != "a:b" || subs[0].Asked.String() != "tools, a:b" || subs[0].Told != 1 || subs[0].ID == "" {
				t.Errorf("%+v", subs)
			}
			if calls := s.Snapshot().Calls; len(calls) > 0 {
				t.Errorf("it counts as a call that waits: %+v", calls)
			}
		}
		look()
		time.Sleep(time.Hour) // it never times out
		look()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		look()
		if err := s.Unlisten(t.Context(), client.Interest{}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if subs := s.Snapshot().Subscriptions; len(subs) > 0 {
			t.Errorf("left: %+v", subs)
		}
		if err := s.Unlisten(t.Context(), client.Interest{}); err == nil {
			t.Error("nothing was given up")
		}
	})
}

// TestListenEnds: a server ends a subscription with the result, by a notification, or refuses it.
func TestListenEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(s *clienttest.Server, id string)
		err  string
		note string
	}{
		"by its result": {end: func(s *clienttest.Server, id string) {
			s.Printf(acknowledged, id, `{}`)
			s.Result(id, `{"resultType":"complete"}`)
		}, note: "is over: the server ended it"},
		"by a cancel": {end: func(s *clienttest.Server, id string) {
			s.Printf(acknowledged, id, `{"toolsListChanged":true}`)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		}, note: "is over: the server ended it"},
		"by both": {end: func(s *clienttest.Server, id string) {
			s.Printf(acknowledged, id, `{"toolsListChanged":true}`)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
			s.Result(id, `{"resultType":"complete"}`)
		}, note: "is over: the server ended it"},
		"refused":     {end: func(s *clienttest.Server, id string) { s.Fail(id, -32601, "no", "") }, err: "error -32601: no"},
		"unannounced": {end: func(s *clienttest.Server, id string) { s.Result(id, `{}`) }, err: "without an acknowledgement"},
		"silent":      {end: func(*clienttest.Server, string) {}, err: "got no answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			scripted(t, Options{Limits: client.Limits{Idle: time.Minute}}, []func(*clienttest.Server){func(s *clienttest.Server) {
				s.Discover(`"2026-07-28"`)
				c.end(s, s.Expect(client.MethodListen).ID)
			}}, func(t *testing.T, s *Session) {
				err := s.Listen(t.Context(), client.Interest{Tools: true})
				if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("%v, want %q", err, c.err)
				}
				synctest.Wait()
				if subs := s.Snapshot().Subscriptions; len(subs) > 0 {
					t.Errorf("left: %+v", subs)
				}
				if said := strings.Join(notes(s, client.NoteInfo), "\n"); !strings.Contains(said, c.note) {
					t.Errorf("%q is not said in %q", c.note, said)
				}
			})
		})
	}
}

// TestSubscribe: in a handshake revision each resource is subscribed to by itself.
func TestSubscribe(t *testing.T) {
	scripted(t, Options{Protocol: client.Rev2025_11_25}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_11_25)
		for range 2 {
			s.Result(s.Expect(client.MethodSubscribe).ID, `{}`)
		}
		s.Printf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"b:1"}}`)
		m := s.Expect(client.MethodUnsubscribe)
		if client.GetText(m.Params, "uri") != "a:1" {
			t.Error(m.Raw)
		}
		s.Result(m.ID, `{}`)
		s.Fail(s.Expect(client.MethodSubscribe).ID, -32002, "no such resource", "")
	}}, func(t *testing.T, s *Session) {
		if err := s.Listen(t.Context(), client.Interest{URIs: []string{"a:1", "b:1"}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Unlisten(t.Context(), client.Interest{URIs: []string{"a:1"}}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if subs := s.Snapshot().Subscriptions; len(subs) != 1 || subs[0].Asked.String() != "b:1" || subs[0].Told != 1 {
			t.Errorf("%+v", subs)
		}
		if err := s.Listen(t.Context(), client.Interest{URIs: []string{"c:1"}}); err == nil || !strings.Contains(err.Error(), "resources/subscribe of c:1: ") {
			t.Error(err)
		}
	})
}

// TestRelist: a storm of list_changed costs two loadings, what changed is noted, and a list that nobody
// has loaded is left alone.
func TestRelist(t *testing.T) {
	const storm = 500
	lists := 0
	loaded := make(chan struct{})
	scripted(t, Options{Relist: true, Protocol: client.Rev2025_11_25}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_11_25)
		s.Result(s.Expect(client.MethodToolsList).ID, `{"tools":[{"name":"a"},{"name":"b","inputSchema":{"properties":{"x":{"type":"string"}}}}]}`)
		<-loaded
		for range storm {
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
		}
		for {
			m, ok := s.Next()
			if !ok {
				return
			}
			if m.Method != client.MethodToolsList {
				t.Errorf("sent %s", m.Raw)
			}
			lists++
			time.Sleep(time.Millisecond)
			s.Result(m.ID, `{"tools":[{"name":"b","inputSchema":{"properties":{"x":{"type":"integer"}}}},{"name":"c"}]}`)
		}
	}}, func(t *testing.T, s *Session) {
		if _, err := s.All(t.Context(), client.Tools); err != nil {
			t.Fatal(err)
		}
		close(loaded)
		time.Sleep(time.Minute)
		synctest.Wait()
		if lists < 1 || lists > 2 {
			t.Errorf("listed %d times after %d notifications", lists, storm)
		}
		got := notes(s, client.NoteChanged)
		if len(got) != lists || got[0] != "the tools have changed: b narrowed: x is integer, was string, +c, -a" {
			t.Errorf("%q", got)
		}
		if l := s.Snapshot().List("tools"); !l.Complete || len(l.Items) != 2 {
			t.Errorf("%+v", l)
		}
	})
}

// TestRelistLoop: a server that says list_changed after every list gets a few requests and then one every
// while, and that is said once.
func TestRelistLoop(t *testing.T) {
	var mu sync.Mutex
	var at []time.Duration
	times := func() []time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(at)
	}
	start, loaded := time.Time{}, make(chan struct{})
	scripted(t, Options{Relist: true, Protocol: client.Rev2025_06_18}, []func(*clienttest.Server){func(s *clienttest.Server) {
		start = time.Now()
		s.Handshake(client.Rev2025_06_18)
		for {
			m, ok := s.Next()
			if !ok {
				return
			}
			mu.Lock()
			at = append(at, time.Since(start))
			mu.Unlock()
			s.Result(m.ID, `{"tools":[]}`)
			<-loaded
			s.Printf(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
	}}, func(t *testing.T, s *Session) {
		if _, err := s.All(t.Context(), client.Tools); err != nil {
			t.Fatal(err)
		}
		close(loaded)
		time.Sleep(relistPause - time.Second)
		synctest.Wait()
		if n := len(times()); n > 3 {
			t.Errorf("%d lists in %v: %v", n, relistPause, times())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n, most := len(times()), 4+int(time.Minute/relistPause); n > most || n < 6 {
			t.Errorf("%d lists in a minute", n)
		}
		if got := notes(s, client.NoteWarning); len(got) != 1 || !strings.Contains(got[0], "says again and again that its tools have changed") {
			t.Errorf("%q", got)
		}
	})
}

// TestRelistUnasked: a stateless server may tell only what was asked for; what is not, starts nothing.
func TestRelistUnasked(t *testing.T) {
	scripted(t, Options{Relist: true}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Discover(`"2026-07-28"`)
		s.Result(s.Expect(client.MethodToolsList).ID, `{"tools":[]}`)
		s.Printf(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		if m, ok := s.Next(); ok {
			t.Errorf("sent %s", m.Raw)
		}
	}}, func(t *testing.T, s *Session) {
		if _, err := s.All(t.Context(), client.Tools); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
	})
}
