package client_test

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

type script = func(*clienttest.Server)

// dial negotiates with scripted servers, one script a start, in a bubble of its own, and closes
// the connection afterwards.
func dial(t *testing.T, o client.DialOptions, scripts []script, check func(*clienttest.Spawner, *client.Conn, client.Dialed, error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Identity: client.Identity{Name: "test", Version: "1"}, Scripts: scripts, Seed: 3}
		c, got, err := client.Dial(t.Context(), x.Spawn, o)
		check(x, c, got, err)
		if c != nil {
			c.Close()
		}
		synctest.Wait()
		if x.Runs() != len(scripts) {
			t.Errorf("%d servers were started, want %d", x.Runs(), len(scripts))
		}
	})
}

// fails answers the probe with an error and goes on with a handshake of the revision.
func fails(code int, message, data string, rev client.Revision) script {
	return func(s *clienttest.Server) {
		s.Fail(s.Expect(client.MethodDiscover).ID, code, message, data)
		s.Handshake(rev)
	}
}

// TestEvidence has a case for every answer to the probe: basic/versioning, protocol detection.
func TestEvidence(t *testing.T) {
	const newest, legacy = client.Rev2026_07_28, client.Rev2025_11_25
	for _, c := range []struct {
		name    string
		scripts []script
		want    client.Revision
		why     string
		sent    string // to the last server
	}{
		{"modern", []script{func(s *clienttest.Server) { s.Discover(`"2026-07-28"`) }},
			newest, "the server answered server/discover and offers 2026-07-28", "server/discover"},
		{"modern among others", []script{func(s *clienttest.Server) { s.Discover(`"2024-11-05","2025-11-25","2099-01-01","2026-07-28"`) }},
			newest, "offers 2026-07-28", "server/discover"},
		{"handshake revisions only", []script{func(s *clienttest.Server) {
			s.Discover(`"2024-11-05","2025-06-18"`)
			s.Handshake(client.Rev2025_06_18)
		}}, client.Rev2025_06_18, "offers handshake revisions only", "server/discover initialize notifications/initialized"},
		{"no versions in the answer", []script{func(s *clienttest.Server) {
			s.Result(s.Expect(client.MethodDiscover).ID, `{"hello":1}`)
			s.Handshake(legacy)
		}}, legacy, "lists no supportedVersions", "server/discover initialize notifications/initialized"},
		{"refused with a common version", []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32022, "unsupported", `{"supported":["2026-07-28"]}`)
			s.Discover(`"2026-07-28"`)
		}}, newest, "the server refused 2026-07-28 and named 2026-07-28", "server/discover server/discover"},
		{"refused with handshake versions", []script{fails(-32022, "unsupported", `{"supported":["2025-03-26"]}`, client.Rev2025_03_26)},
			client.Rev2025_03_26, "supports handshake revisions only", "server/discover initialize notifications/initialized"},
		{"refused without versions", []script{fails(-32022, "unsupported", "", legacy)}, legacy, "error -32022", "server/discover initialize notifications/initialized"},
		{"unknown method", []script{fails(-32601, "no", "", legacy)}, legacy, `error -32601 "no"`, "server/discover initialize notifications/initialized"},
		{"invalid request", []script{fails(-32600, "no", "", legacy)}, legacy, "error -32600", "server/discover initialize notifications/initialized"},
		{"invalid params", []script{fails(-32602, "io.modelcontextprotocol/protocolVersion", "", legacy)}, legacy, "error -32602", "server/discover initialize notifications/initialized"},
		{"not initialized", []script{fails(-32000, "Server not initialized", "", legacy)}, legacy, "error -32000", "server/discover initialize notifications/initialized"},
		{"code zero", []script{fails(0, "?", "", legacy)}, legacy, "error 0", "server/discover initialize notifications/initialized"},
		{"an error without id", []script{func(s *clienttest.Server) {
			s.Expect(client.MethodDiscover)
			s.Fail("null", -32600, "no", "")
			s.Handshake(legacy)
		}}, legacy, "error -32600", "server/discover initialize notifications/initialized"},
		{"an older choice", []script{fails(-32601, "no", "", client.Rev2024_11_05)}, client.Rev2024_11_05, "we asked for 2025-11-25, the server chose 2024-11-05", "server/discover initialize notifications/initialized"},
		{"silence", []script{func(s *clienttest.Server) {
			s.Expect(client.MethodDiscover)
			s.Handshake(client.Rev2025_06_18)
		}}, client.Rev2025_06_18, "got no answer within 3s", "server/discover initialize notifications/initialized"},
		{"exit", []script{
			func(s *clienttest.Server) { s.Expect(client.MethodDiscover); s.Exit(1) },
			func(s *clienttest.Server) { s.Handshake(legacy) },
		}, legacy, "the server ended when it was asked server/discover first", "initialize notifications/initialized"},
		{"exit after a slow start", []script{
			func(s *clienttest.Server) { time.Sleep(8 * time.Second); s.Expect(client.MethodDiscover); s.Exit(1) },
			func(s *clienttest.Server) { s.Handshake(legacy) },
		}, legacy, "the server ended when it was asked server/discover first", "initialize notifications/initialized"},
		{"stdout closed", []script{
			func(s *clienttest.Server) { s.Expect(client.MethodDiscover); s.CloseStdout(); s.Hang() },
			func(s *clienttest.Server) { s.Handshake(legacy) },
		}, legacy, "the server ended when", "initialize notifications/initialized"},
		{"one version only, named in the error", []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			m := s.Expect(client.MethodInitialize)
			if got := client.GetText(m.Params, "protocolVersion"); got != "2025-11-25" {
				s.T.Errorf("first asked for %s", got)
			}
			s.Fail(m.ID, -32602, "Unsupported protocol version", `{"supported":["2025-06-18"],"requested":"2025-11-25"}`)
			s.Handshake(client.Rev2025_06_18)
		}}, client.Rev2025_06_18, "initialize with 2025-11-25 was refused, the server named 2025-06-18", "server/discover initialize initialize notifications/initialized"},
		{"late discover wins", []script{func(s *clienttest.Server) {
			m := s.Expect(client.MethodDiscover)
			s.Expect(client.MethodInitialize)
			s.Result(m.ID, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
		}}, newest, "got no answer within 3s; the server answered server/discover", "server/discover initialize"},
		{"late initialize wins", []script{func(s *clienttest.Server) {
			m := s.Expect(client.MethodDiscover)
			time.Sleep(20 * time.Second)
			s.Handshake(legacy)
			s.Result(m.ID, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
		}}, legacy, "got no answer within 3s", "server/discover initialize notifications/initialized"},
		{"late discover offers nothing", []script{func(s *clienttest.Server) {
			m := s.Expect(client.MethodDiscover)
			i := s.Expect(client.MethodInitialize)
			s.Fail(m.ID, -32601, "no", "")
			s.Result(i.ID, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`)
			s.Expect(client.MethodInitialized)
		}}, legacy, "got no answer within 3s", "server/discover initialize notifications/initialized"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dial(t, client.DialOptions{}, c.scripts, func(x *clienttest.Spawner, conn *client.Conn, got client.Dialed, err error) {
				synctest.Wait()
				if err != nil || got.Revision != c.want || conn.Revision() != c.want || !strings.Contains(got.Why, c.why) {
					t.Errorf("revision %s (connection: %s), error %v, because %q; want %s because %q", got.Revision, conn.Revision(), err, got.Why, c.want, c.why)
				}
				if sent := strings.Join(x.Door.Sent(len(c.scripts)), " "); sent != c.sent {
					t.Errorf("sent %s, want %s", sent, c.sent)
				}
				if n := x.Door.Notes(client.NoteEra); len(n) != 1 || client.GetText(n[0].Data, "revision") != string(c.want) {
					t.Errorf("era notes: %+v", n)
				}
			})
		})
	}
}

// TestRaceIsDecided: both answers in one read give the same revision every time.
func TestRaceIsDecided(t *testing.T) {
	for range 20 {
		dial(t, client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Seed = 0
			m := s.Expect(client.MethodDiscover)
			i := s.Expect(client.MethodInitialize)
			s.Print(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"supportedVersions":["2026-07-28"]}}` + "\n" +
				`{"jsonrpc":"2.0","id":` + i.ID + `,"result":{"protocolVersion":"2025-11-25"}}` + "\n")
		}}, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
			if err != nil || got.Revision != client.Rev2026_07_28 {
				t.Errorf("%s, %v", got.Revision, err)
			}
		})
	}
}

// initialized knows no probe and answers initialize with this result.
func initialized(result string) script {
	return func(s *clienttest.Server) {
		s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
		s.Result(s.Expect(client.MethodInitialize).ID, result)
	}
}

// echo is what cat does.
func echo(s *clienttest.Server) {
	for m, ok := s.Next(); ok; m, ok = s.Next() {
		s.Printf("%s", m.Raw)
	}
}

// TestEchoIsNoAnswer: a terminal in between sends back what is sent, and the server answers all the same.
func TestEchoIsNoAnswer(t *testing.T) {
	for _, delay := range []time.Duration{0, 2 * time.Second} {
		dial(t, client.DialOptions{}, []script{func(s *clienttest.Server) {
			m := s.Expect(client.MethodDiscover)
			s.Printf("%s", m.Raw)
			s.Fail(m.ID, -32601, "no", "")
			m = s.Expect(client.MethodInitialize)
			s.Printf("%s", m.Raw)
			time.Sleep(delay)
			s.Result(m.ID, `{"protocolVersion":"2025-06-18"}`)
			s.Printf("%s", s.Expect(client.MethodInitialized).Raw)
		}}, func(x *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
			if sent := x.Door.Sent(1); err != nil || got.Revision != client.Rev2025_06_18 || len(sent) != 3 {
				t.Errorf("%+v, %v, sent %v", got, err, sent)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name    string
		options client.DialOptions
		scripts []script
		err     string
		hint    string
	}{
		{"header mismatch", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32020, "bad", "")
		}}, "refuses our server/discover: the server answered with error -32020: bad", "--protocol 2025-11-25"},
		{"missing capability", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32021, "bad", "")
		}}, "-32021", "--protocol"},
		{"refused twice", client.DialOptions{}, []script{func(s *clienttest.Server) {
			for range 2 {
				s.Fail(s.Expect(client.MethodDiscover).ID, -32022, "no", `{"supported":["2026-07-28"]}`)
			}
		}}, "refuses 2026-07-28 although", ""},
		{"nothing in common", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Discover(`"2099-01-01","1999-01-01"`)
		}}, "no common revision: the server offers 2099-01-01, 1999-01-01", "spoken here"},
		{"a second exit", client.DialOptions{}, []script{
			func(s *clienttest.Server) { s.Expect(client.MethodDiscover); s.Exit(3) },
			func(s *clienttest.Server) { s.Expect(client.MethodInitialize); s.Exit(4) },
		}, "the server ended with exit status 4 before initialize", ""},
		{"initialize refused", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			s.Fail(s.Expect(client.MethodInitialize).ID, -32603, "broken", "")
		}}, "the server refused initialize with 2025-11-25: the server answered with error -32603: broken", ""},
		{"initialize refused twice", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			for _, v := range []string{"2025-06-18", "2025-03-26"} {
				s.Fail(s.Expect(client.MethodInitialize).ID, -32602, "no", `{"supported":["`+v+`"]}`)
			}
		}}, "refused initialize with 2025-06-18", "try --protocol 2025-03-26"},
		{"a stateless answer to initialize", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			s.Result(s.Expect(client.MethodInitialize).ID, `{"protocolVersion":"2026-07-28"}`)
		}}, `protocolVersion "2026-07-28", which has no handshake`, "--protocol 2026-07-28"},
		{"an unknown version in the answer", client.DialOptions{}, []script{initialized(`{"protocolVersion":"1999-01-01"}`)},
			`protocolVersion "1999-01-01", which is no handshake revision`, "handshake revisions spoken here: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"},
		{"initialize answered with null", client.DialOptions{}, []script{initialized(`null`)}, "answered initialize with a result that is no object: null", "2025-11-25"},
		{"initialize answered with neither", client.DialOptions{Protocol: client.Rev2025_06_18}, []script{func(s *clienttest.Server) {
			s.Printf(`{"jsonrpc":"2.0","id":%s}`, s.Expect(client.MethodInitialize).ID)
		}}, "refused initialize with 2025-06-18: the answer has neither result nor error", ""},
		{"echo", client.DialOptions{}, []script{echo}, "sends back what it is sent: server/discover came back as a request, and no answer within 3s", "cat"},
		{"echo to a handshake", client.DialOptions{Protocol: client.Rev2025_06_18}, []script{echo}, "sends back what it is sent: initialize", "cat"},
		{"echo to a pinned probe", client.DialOptions{Protocol: client.Rev2026_07_28}, []script{echo}, "sends back what it is sent: server/discover", "cat"},
		{"no version in the answer", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			s.Result(s.Expect(client.MethodInitialize).ID, `{}`)
		}}, "initialize without a protocolVersion: {}", ""},
		{"a version that is a number", client.DialOptions{}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
			s.Result(s.Expect(client.MethodInitialize).ID, `{"protocolVersion":20250618}`)
		}}, "a protocolVersion that is no text: 20250618", ""},
		{"silent to everything", client.DialOptions{}, []script{func(s *clienttest.Server) { s.Hang() }}, "the server did not answer before the connect timeout of 1m0s", ""},
		{"pinned handshake, refused", client.DialOptions{Protocol: client.Rev2025_06_18}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodInitialize).ID, -32602, "no", `{"supported":["2025-03-26"]}`)
		}}, "refused initialize with 2025-06-18", "try --protocol 2025-03-26"},
		{"pinned stateless, refused", client.DialOptions{Protocol: client.Rev2026_07_28}, []script{func(s *clienttest.Server) {
			s.Fail(s.Expect(client.MethodDiscover).ID, -32601, "no", "")
		}}, "does not speak 2026-07-28 as asked", "without --protocol"},
		{"pinned stateless, exit", client.DialOptions{Protocol: client.Rev2026_07_28}, []script{func(s *clienttest.Server) {
			s.Expect(client.MethodDiscover)
			s.Exit(1)
		}}, "exit status 1 before server/discover", ""},
		{"pinned stateless, silent", client.DialOptions{Protocol: client.Rev2026_07_28, Connect: time.Second}, []script{func(s *clienttest.Server) {
			s.Expect(client.MethodDiscover)
		}}, "connect timeout of 1s", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dial(t, c.options, c.scripts, func(x *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%+v, error %v; want %q", got, err, c.err)
				}
				var n *client.NegotiationError
				if errors.As(err, &n); c.hint != "" && (n == nil || !strings.Contains(n.Hint, c.hint)) {
					t.Errorf("no hint with %q: %+v", c.hint, n)
				}
				if notes := x.Door.Notes(client.NoteEra); len(notes) > 0 {
					t.Errorf("a revision was noted: %+v", notes)
				}
			})
		})
	}
}

func TestPinned(t *testing.T) {
	dial(t, client.DialOptions{Protocol: client.Rev2025_03_26}, []script{func(s *clienttest.Server) {
		m := s.Expect(client.MethodInitialize)
		if want := `{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`; string(m.Params) != want {
			t.Errorf("initialize with %s, want %s", m.Params, want)
		}
		s.Result(m.ID, `{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`)
		s.Expect(client.MethodInitialized)
	}}, func(x *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if err != nil || got.Revision != client.Rev2025_03_26 || got.Costly {
			t.Errorf("%+v, %v", got, err)
		}
	})
	dial(t, client.DialOptions{Protocol: client.Rev2026_07_28}, []script{func(s *clienttest.Server) {
		time.Sleep(30 * time.Second) // a slow start is no silence when nothing else may be tried
		s.Discover(`"2026-07-28"`)
	}}, func(x *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if sent := x.Door.Sent(1); err != nil || got.Revision != client.Rev2026_07_28 || !slices.Equal(sent, []string{client.MethodDiscover}) {
			t.Errorf("%+v, %v, sent %v", got, err, sent)
		}
	})
}

func TestRemembered(t *testing.T) {
	o := client.DialOptions{Remembered: client.Rev2025_06_18}
	dial(t, o, []script{func(s *clienttest.Server) { s.Handshake(client.Rev2025_06_18) }}, func(x *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if err != nil || got.Healed || got.Costly || got.Why != "remembered from the last connection to this program" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	// The program speaks a newer revision by now.
	dial(t, o, []script{func(s *clienttest.Server) { s.Handshake(client.Rev2025_03_26) }}, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if err != nil || !got.Healed || got.Revision != client.Rev2025_03_26 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	// It speaks no handshake any more.
	dial(t, o, []script{
		func(s *clienttest.Server) { s.Fail(s.Expect(client.MethodInitialize).ID, -32601, "no", "") },
		func(s *clienttest.Server) { s.Discover(`"2026-07-28"`) },
	}, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if err != nil || !got.Healed || got.Revision != client.Rev2026_07_28 || !strings.Contains(got.Why, "no longer works") {
			t.Errorf("%+v, %v", got, err)
		}
	})
	// It does not answer: the next connection must not trust what is remembered.
	dial(t, o, []script{func(s *clienttest.Server) { s.Hang() }}, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if !errors.Is(err, client.ErrConnectTimeout) || !got.Healed {
			t.Errorf("%+v, %v", got, err)
		}
	})
	// A remembered stateless revision is no shortcut: the probe is its own first request.
	dial(t, client.DialOptions{Remembered: client.Rev2026_07_28}, []script{func(s *clienttest.Server) { s.Discover(`"2026-07-28"`) }}, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
		if err != nil || got.Revision != client.Rev2026_07_28 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestCostly: what was expensive to find out is worth remembering, what was not is not.
func TestCostly(t *testing.T) {
	legacy := func(s *clienttest.Server) { s.Handshake(client.Rev2025_06_18) }
	for name, c := range map[string]struct {
		scripts []script
		want    bool
	}{
		"error":  {[]script{fails(-32601, "no", "", client.Rev2025_06_18)}, false},
		"silent": {[]script{func(s *clienttest.Server) { s.Expect(client.MethodDiscover); legacy(s) }}, true},
		"exit":   {[]script{func(s *clienttest.Server) { s.Expect(client.MethodDiscover); s.Exit(0) }, legacy}, true},
	} {
		dial(t, client.DialOptions{}, c.scripts, func(_ *clienttest.Spawner, _ *client.Conn, got client.Dialed, err error) {
			if err != nil || got.Costly != c.want {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		})
	}
}

func TestDialIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Scripts: []script{func(s *clienttest.Server) { s.Hang() }}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		c, _, err := client.Dial(ctx, x.Spawn, client.DialOptions{})
		if !errors.Is(err, context.Canceled) || c == nil {
			t.Errorf("connection %v, error %v", c, err)
		}
		if exit := c.Close(); exit.Signal != "SIGKILL" || exit.Asked != client.AskedKill {
			t.Errorf("%+v", exit)
		}
	})
}

func TestServerCannotStart(t *testing.T) {
	c, _, err := client.Dial(t.Context(), func(context.Context) (*client.Conn, error) {
		return nil, &client.StartError{Program: "nothing", Err: errors.New("why")}
	}, client.DialOptions{})
	var e *client.StartError
	if c != nil || !errors.As(err, &e) {
		t.Errorf("connection %v, error %v", c, err)
	}
}
