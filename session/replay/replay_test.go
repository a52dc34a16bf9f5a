package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/mock"
	"example.com/mcpinspect/session/script"
)

// mockVar makes this test binary a mock of the recording it names.
const mockVar = "MCPINSPECT_REPLAY_TEST_MOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(mockVar); path != "" {
		file, err := os.ReadFile(path)
		if err == nil {
			var sc *script.Script
			if sc, err = scriptOf(file); err == nil {
				say := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
				exit, _ := mock.Serve(context.Background(), sc, mock.Options{Stray: true, Stderr: true}, os.Stdin, os.Stdout, os.Stderr, say, func(f *client.Fault) { panic(f) })
				os.Exit(exit.Code)
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	os.Exit(m.Run())
}

func scriptOf(file []byte) (*script.Script, error) {
	r, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	s, err := session.Read(r)
	if err != nil {
		return nil, err
	}
	again, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	masks, err := script.ReadMasks(again)
	if err != nil {
		return nil, err
	}
	return script.Of(s, masks, 0)
}

// secret is masked in what file writes.
const secret = "s3cr3t-value"

// file writes a recording: "> what the client wrote", "< what the server wrote", "exit CODE ASKED".
func file(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := recordings.NewWriter(&b)
	hidden := &recordings.Secrets{}
	hidden.Add("API_TOKEN", secret)
	w.Mask(hidden)
	w.Head(recordings.Head{Tool: "test", Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "/bin/server")
	now := time.Duration(0)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		now += time.Millisecond
		mark, rest, _ := strings.Cut(line, " ")
		switch mark {
		case ">":
			w.Bytes(now, recordings.In, []byte(rest+"\n"))
		case "<":
			w.Bytes(now, recordings.Out, []byte(rest+"\n"))
		case "exit":
			code, asked := 0, ""
			if _, err := fmt.Sscan(rest, &code, &asked); err != nil {
				t.Fatal(err)
			}
			w.Exit(now, &code, "", asked, "")
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// against replays a recording on a mock of another.
func against(t *testing.T, recorded, server []byte, o Options) (*Report, *session.Session, error) {
	t.Helper()
	sc, err := scriptOf(recorded)
	if err != nil {
		t.Fatal(err)
	}
	return againstScript(t, sc, server, o)
}

// againstScript replays a script on a mock of a recording.
func againstScript(t *testing.T, sc *script.Script, server []byte, o Options) (*Report, *session.Session, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server.jsonl")
	if err := os.WriteFile(path, server, 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	live := session.New(session.Target{Command: client.Command{Args: []string{self}, Env: []string{mockVar + "=" + path}}},
		session.Options{Protocol: sc.Revision, Identity: client.Identity{Name: "test", Version: "1"}, Fault: func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }})
	defer live.Close()
	if err := live.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	live.Divert(Asked) // as the screen does it; the verb gives it with the options
	o.Moved = live.Changed()
	if o.Timeout == 0 {
		o.Timeout = 300 * time.Millisecond
	}
	report, err := Run(t.Context(), live, sc, o)
	live.Log().Each(0, func(e session.Event) bool {
		if e.Stream == client.In && e.Kind == client.KindError {
			t.Errorf("row %d: a question of the server was refused beside the recorded answer", e.Seq)
		}
		return true
	})
	return report, live, err
}

// opened begins a recording of the handshake era.
const opened = `
	> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
	< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
	> {"jsonrpc":"2.0","method":"notifications/initialized"}
`

// spoken is what is replayed in most cases.
const spoken = opened + `
	> {"jsonrpc":"2.0","id":"x","method":"tools/list"}
	< {"jsonrpc":"2.0","id":"x","result":{"tools":[],"nextCursor":"c1"}}
	> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"c1"}}
	< {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a"}]}}
	> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":4}}}
	< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":1}}
	< {"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"message":"sure?"}}
	> {"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}
	< {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"done"}],"n":1.0}}
	> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"long"}}
	> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6,"reason":"r"}}
	> {"jsonrpc":"2.0","id":7,"method":"ping"}
	< {"jsonrpc":"2.0","id":7,"result":{}}
	exit 0 stdin-closed
`

func TestReplay(t *testing.T) {
	edit := func(text string, pairs ...string) string {
		changed := strings.NewReplacer(pairs...).Replace(text)
		if changed == text {
			t.Fatalf("nothing to change in %q", pairs)
		}
		return changed
	}
	for _, c := range []struct {
		name     string
		recorded string
		server   string // the same when empty
		o        Options
		want     string // the report as JSON
	}{
		{name: "against itself", recorded: spoken, want: `{"compared":5,"same":5,"different":[],"missing":[],"unmatched":[]}`},
		{name: "other ids, cursors and spellings are no difference", recorded: spoken,
			server: edit(spoken, `"c1"`, `"other"`, `"n":1.0`, `"n":1`, `"id":5,"method":"elicit`, `"id":"q","method":"elicit`, `"id":5,"result"`, `"id":"q","result"`),
			want:   `{"compared":5,"same":5,"different":[],"missing":[],"unmatched":[]}`},
		{name: "one changed answer", recorded: spoken, server: edit(spoken, `"done"`, `"undone"`),
			want: `{"compared":5,"same":4,"different":[{"seq":8,"method":"tools/call","path":"/result/content/0/text","was":"done","now":"undone"}],"missing":[],"unmatched":[]}`},
		{name: "that is ignored", recorded: spoken, server: edit(spoken, `"done"`, `"undone"`), o: Options{Ignore: []string{"/result/content/*/text"}},
			want: `{"compared":5,"same":5,"different":[],"missing":[],"unmatched":[]}`},
		{name: "the opening is compared", recorded: spoken, server: edit(spoken, `"name":"s","version":"1"`, `"name":"s","version":"2"`),
			want: `{"compared":5,"same":4,"different":[{"seq":1,"method":"initialize","path":"/result/serverInfo/version","was":"1","now":"2"}],"missing":[],"unmatched":[]}`},
		{name: "an answer is missing", recorded: spoken, server: edit(spoken, `< {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a"}]}}`, ""),
			want: `{"compared":4,"same":4,"different":[],"missing":[{"seq":6,"method":"tools/list","text":"no answer came within 300ms"}],"unmatched":[]}`},
		{name: "an answer more", recorded: spoken, server: edit(spoken, `> {"jsonrpc":"2.0","method":"notifications/cancelled"`, `< {"jsonrpc":"2.0","id":6,"result":{}}`+"\n"+`> {"jsonrpc":"2.0","method":"notifications/cancelled"`),
			want: `{"compared":5,"same":5,"different":[],"missing":[],"unmatched":[{"seq":13,"method":"tools/call","text":"it is answered now, and was not"}]}`},
		{name: "the server does not ask", recorded: spoken, server: edit(spoken, `< {"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"message":"sure?"}}`, "", `> {"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}`, ""),
			want: `{"compared":5,"same":5,"different":[],"missing":[{"seq":11,"method":"elicitation/create","text":"the server did not ask for elicitation/create within 300ms"}],"unmatched":[]}`},
		{name: "error for result", recorded: opened + `
			> {"jsonrpc":"2.0","id":2,"method":"a"}
			< {"jsonrpc":"2.0","id":2,"result":{"n":1}}`, server: opened + `
			> {"jsonrpc":"2.0","id":2,"method":"a"}
			< {"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"m"}}`,
			want: `{"compared":2,"same":1,"different":[{"seq":4,"method":"a","path":"/error","now":{"code":-1,"message":"m"}},{"seq":4,"method":"a","path":"/result","was":{"n":1}}],"missing":[],"unmatched":[]}`},
		{name: "a state goes back as the live server gave it", recorded: modern("S1"), server: modern("S2"),
			want: `{"compared":3,"same":3,"different":[],"missing":[],"unmatched":[]}`},
		{name: "a death that was recorded", recorded: opened + deadly + "exit 3 no", server: opened + deadly + "exit 3 no",
			want: `{"compared":2,"same":2,"different":[],"missing":[],"unmatched":[]}`},
		{name: "another death", recorded: opened + deadly + "exit 3 no", server: opened + deadly + "exit 4 no",
			want: `{"compared":2,"same":1,"different":[{"seq":4,"method":"exit","path":"","was":"exit status 3","now":"exit status 4"}],"missing":[],"unmatched":[]}`},
		{name: "no death any more", recorded: opened + deadly + "exit 3 no", server: opened + deadly + `< {"jsonrpc":"2.0","id":2,"result":{}}`,
			want: `{"compared":2,"same":1,"different":[{"seq":4,"method":"exit","path":"","was":"exit status 3","now":"it still runs"}],"missing":[],"unmatched":[{"seq":4,"method":"tools/call","text":"it is answered now, and was not"}]}`},
		{name: "what was masked is put in, and not compared where it comes back", recorded: opened + `
			> {"jsonrpc":"2.0","id":2,"method":"login","params":{"token":"` + secret + `"}}
			< {"jsonrpc":"2.0","id":2,"result":{"you":["said ` + secret + `"],"n":1}}`,
			o:    Options{Secret: func(string) (string, bool) { return "************", true }}, // what the mock knows
			want: `{"compared":2,"same":2,"different":[],"missing":[],"unmatched":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.server == "" {
				c.server = c.recorded
			}
			report, live, err := against(t, file(t, c.recorded), file(t, c.server), c.o)
			if err != nil {
				t.Error(err)
			}
			got, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("%s\nnot\n%s\n%s", got, c.want, rows(live))
			}
		})
	}
}

const deadly = `
	> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"boom"}}
	`

// modern is a stateless session with a call that takes two rounds.
func modern(state string) string {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	return `
	> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
	< {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a",` + meta + `}}
	< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"` + state + `"}}
	> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","requestState":"` + state + `",` + meta + `}}
	< {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
	exit 0 stdin-closed`
}

func rows(s *session.Session) string {
	var b strings.Builder
	s.Log().Each(0, func(e session.Event) bool {
		if e.Note != nil {
			fmt.Fprintf(&b, "%d note %s\n", e.Seq, e.Note.Text)
		} else {
			fmt.Fprintf(&b, "%d %s %s\n", e.Seq, e.Stream, e.Head)
		}
		return true
	})
	return b.String()
}

// TestServerDies: a server that ends too soon ends the replay, and what came is reported.
func TestServerDies(t *testing.T) {
	t.Parallel()
	server := opened + `
		> {"jsonrpc":"2.0","id":"x","method":"tools/list"}
		exit 3 no`
	report, _, err := against(t, file(t, spoken), file(t, server), Options{Timeout: time.Minute})
	var closed *client.ClosedError
	if !errors.As(err, &closed) || closed.Exit == nil || closed.Exit.Code != 3 {
		t.Errorf("%v", err)
	}
	if report.Compared != 1 || len(report.Missing) != 4 || report.Missing[0].Text != "it was not answered" || report.Missing[1].Text != "it was not sent" {
		t.Errorf("%+v", report)
	}
}

// TestUnmask: what is needed and not known is told before anything is sent.
func TestUnmask(t *testing.T) {
	t.Parallel()
	sc, err := scriptOf(file(t, opened+`> {"jsonrpc":"2.0","id":2,"method":"login","params":{"token":"`+secret+`"}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = Unmask(Turns(sc), func(string) (string, bool) { return "", false })
	var masked *MaskedError
	if !errors.As(err, &masked) || masked.Name != "API_TOKEN" || masked.Title != "login" {
		t.Errorf("%v", err)
	}
	if err := Unmask(Turns(sc), func(string) (string, bool) { return "x", true }); err != nil {
		t.Error(err)
	}
}

// TestSamples: every sample against a mock of itself.
func TestSamples(t *testing.T) {
	t.Parallel()
	entries, err := fs.ReadDir(recordings.Samples(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		b, err := fs.ReadFile(recordings.Samples(), name)
		if err != nil {
			t.Fatal(err)
		}
		report, live, err := against(t, b, b, Options{Timeout: 10 * time.Second})
		if name == "legacy-crash.jsonl" { // the mock of a test cannot die of a signal
			if len(report.Different) != 1 || report.Different[0].Method != "exit" {
				t.Errorf("%s: %+v", name, report)
			}
			continue
		}
		if err != nil || !report.Clean() || report.Compared == 0 {
			t.Errorf("%s: %+v, %v\n%s", name, report, err, rows(live))
		}
	}
}
