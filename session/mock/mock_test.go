package mock

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// recorded makes the play of a recording whose lines are written as "> what the client wrote", "<
// what the server wrote", "! what it wrote to stderr", "exit CODE ASKED" and "+ 5ms", which lets time
// pass. A line without \n at its end has none in the recording either.
func recorded(t testing.TB, text string) *script.Script {
	t.Helper()
	var file bytes.Buffer
	w := recordings.NewWriter(&file)
	w.Head(recordings.Head{Tool: "test", Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "/bin/server")
	var now time.Duration
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
		if line == "" {
			continue
		}
		now += time.Microsecond
		mark, rest, _ := strings.Cut(line, " ")
		rest = strings.ReplaceAll(rest, `\xff`, "\xff") + "\n"
		rest = strings.TrimSuffix(rest, "…\n")
		switch mark {
		case ">":
			w.Bytes(now, recordings.In, []byte(rest))
		case "<":
			w.Bytes(now, recordings.Out, []byte(rest))
		case "!":
			w.Bytes(now, recordings.Err, []byte(rest))
		case "+":
			d, err := time.ParseDuration(strings.TrimSpace(rest))
			if err != nil {
				t.Fatal(err)
			}
			now += d
		case "exit":
			code, asked := 0, ""
			fmt.Sscan(rest, &code, &asked)
			w.Exit(now, &code, "", asked, "")
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	w.Close()
	return scriptOf(t, file.Bytes())
}

func scriptOf(t testing.TB, file []byte) *script.Script {
	t.Helper()
	r, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// talk serves a client that writes the lines and then ends.
func talk(t testing.TB, sc *script.Script, o Options, lines string) (stdout, stderr string, misses []string, exit client.Exit) {
	t.Helper()
	var out, errs bytes.Buffer
	say := func(format string, args ...any) { misses = append(misses, fmt.Sprintf(format, args...)) }
	exit, err := Serve(t.Context(), sc, o, strings.NewReader(lines), &out, &errs, say, func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) })
	if err != nil {
		t.Error(err)
	}
	return out.String(), errs.String(), misses, exit
}

const twice = `
	> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":{"a":1}}}
	< {"jsonrpc":"2.0","id":1,"result":{"n":1}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n","arguments":{"a":1}}}
	< {"jsonrpc":"2.0", "id" : 2 ,"result":{"n":2}}
	> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
	< {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
	exit 5 stdin-closed`

func call(id, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"n","arguments":` + args + `}}` + "\n"
}

func TestServe(t *testing.T) {
	for _, c := range []struct {
		name   string
		record string
		o      Options
		lines  string
		want   string
		misses string // what each says, a part of it, joined by |
		exit   int
		stderr string
	}{
		{name: "ids are spliced, other bytes stay, the last answer is given again", record: twice,
			lines:  call(`"x"`, `{"a":1}`) + call("7", `{"a":1.0}`) + call("8", `{ "a" : 1 }`),
			want:   `{"jsonrpc":"2.0","id":"x","result":{"n":1}}` + "\n" + `{"jsonrpc":"2.0", "id" : 7 ,"result":{"n":2}}` + "\n" + `{"jsonrpc":"2.0", "id" : 8 ,"result":{"n":2}}` + "\n",
			misses: "", exit: 5},
		{name: "once", record: twice, o: Options{Once: true},
			lines:  call("1", `{"a":1}`) + call("2", `{"a":1}`) + call("3", `{"a":1}`),
			want:   `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n" + `{"jsonrpc":"2.0", "id" : 2 ,"result":{"n":2}}` + "\n" + `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"not recorded: tools/call n is #3 of the recording, but every recorded answer was given"}}` + "\n",
			misses: "every recorded answer was given", exit: 5},
		{name: "a miss names the nearest and where it differs", record: twice, lines: call("1", `{"a":2}`),
			want:   `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"not recorded: tools/call n: the nearest is #1 tools/call n, which differs at /params/arguments/a: 1 recorded, 2 asked"}}` + "\n",
			misses: "the nearest is #1 tools/call n, which differs at /params/arguments/a", exit: 5},
		{name: "the nearest", record: twice, o: Options{Nearest: true}, lines: call("1", `{"a":2}`),
			want: `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n", misses: "answered as that was", exit: 5},
		{name: "any order", record: twice, lines: `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{"progressToken":1,"traceparent":"t"}}}` + "\n" + call("1", `{"a":1}`),
			want: `{"jsonrpc":"2.0","id":9,"result":{"tools":[]}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n", exit: 5},
		{name: "recorded order", record: twice, o: Options{Recorded: true}, lines: `{"jsonrpc":"2.0","id":9,"method":"tools/list"}` + "\n" + call("1", `{"a":1}`),
			want:   `{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"not recorded: tools/list has no place in the recording: what comes next is #1 tools/call n"}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n",
			misses: "what comes next is #1 tools/call n", exit: 5},
		{name: "unknown method, ping", record: twice, lines: `{"jsonrpc":"2.0","id":1,"method":"server/discover"}` + "\n" + `{"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n",
			want:   `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"not recorded: server/discover has no place in the recording"}}` + "\n" + `{"jsonrpc":"2.0","id":"p","result":{}}` + "\n",
			misses: "server/discover", exit: 5},
		{name: "unanswered stays unanswered, and a death follows", record: `
			> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":{"a":1}}}
			! dying
			exit 3 no`, o: Options{Stderr: true}, lines: call("1", `{"a":1}`) + call("2", `{"a":1}`), stderr: "dying\n", exit: 3},
		{name: "wrong in the same way", record: `
			> {"jsonrpc":"2.0","id":1,"method":"a"}
			< {"jsonrpc":"2.0","id":"1","result":{}}
			< {"jsonrpc":"2.0","id":1,"result":{"again":true}}
			> {"jsonrpc":"2.0","id":2,"method":"b"}
			< {"jsonrpc":"2.0","id":null,"error":{}}`, lines: `{"jsonrpc":"2.0","id":7,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"b"}` + "\n",
			want: `{"jsonrpc":"2.0","id":"7","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":7,"result":{"again":true}}` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{}}` + "\n"},
		{name: "progress by its token, none without", record: `
			> {"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"progressToken":"p"}}}
			< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"p"}}
			< {"jsonrpc":"2.0","id":1,"result":{}}`, lines: `{"jsonrpc":"2.0","id":7,"method":"a","params":{"_meta":{"progressToken":12}}}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"a"}` + "\n",
			want: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":12}}` + "\n" + `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"result":{}}` + "\n"},
		{name: "what the server asks is waited for", record: `
			> {"jsonrpc":"2.0","id":1,"method":"a"}
			< {"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{}}
			> {"jsonrpc":"2.0","id":0,"result":{"action":"accept"}}
			< {"jsonrpc":"2.0","id":1,"result":{}}`, lines: `{"jsonrpc":"2.0","id":7,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"b"}` + "\n" + `{"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}` + "\n",
			want:   `{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"not recorded: b has no place in the recording"}}` + "\n" + `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n",
			misses: "b has no place"},
		{name: "a subscription ends when it is given up, its notifications come in their time", record: `
			> {"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}
			< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}
			> {"jsonrpc":"2.0","id":2,"method":"a"}
			< {"jsonrpc":"2.0","id":2,"result":{}}
			< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}
			> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"L"}}
			< {"jsonrpc":"2.0","id":"L","result":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}`,
			lines: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"r"}}` + "\n",
			want: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}` + "\n" + `{"jsonrpc":"2.0","id":3,"result":{}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}` + "\n"},
		{name: "stray output is left out", record: strayRecord, lines: strayLines,
			want: `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/message"}` + "\n"},
		{name: "or not", record: strayRecord, o: Options{Stray: true, Stderr: true}, lines: strayLines,
			want:   "\ufeffbanner\nloading {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}} done\n" + `{"jsonrpc":"2.0","method":"notifications/message"}` + "\nbye \xff",
			stderr: "log\n"},
		{name: "an opening that differs is answered, and said", record: `
			> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
			< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
			> {"jsonrpc":"2.0","method":"notifications/initialized"}
			< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			lines: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"b","version":"2"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n",
			want:  `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n", misses: "/params/protocolVersion"},
		{name: "a batch, answered one by one", record: twice, lines: "[" + strings.TrimSpace(call("1", `{"a":1}`)) + "," + strings.TrimSpace(call("2", `{"a":1}`)) + "]\n",
			want: `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n" + `{"jsonrpc":"2.0", "id" : 2 ,"result":{"n":2}}` + "\n", exit: 5},
		{name: "a line that is no message", record: "> hello\n< {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700}}\n", lines: "hello\nbye\n\n",
			want: `{"jsonrpc":"2.0","error":{"code":-32700}}` + "\n", misses: "no message: bye"},
		{name: "last line of the client without an end", record: twice, lines: strings.TrimSpace(call("1", `{"a":1}`)), want: `{"jsonrpc":"2.0","id":1,"result":{"n":1}}` + "\n", exit: 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, misses, exit := talk(t, recorded(t, c.record), c.o, c.lines)
			if stdout != c.want {
				t.Errorf("stdout\n%s\nnot\n%s", stdout, c.want)
			}
			if stderr != c.stderr || exit.Code != c.exit {
				t.Errorf("stderr %q, not %q; exit %d, not %d", stderr, c.stderr, exit.Code, c.exit)
			}
			var want []string
			if c.misses != "" {
				want = strings.Split(c.misses, "|")
			}
			if len(misses) != len(want) {
				t.Fatalf("misses %q", misses)
			}
			for i := range want {
				if !strings.Contains(misses[i], want[i]) || strings.Contains(misses[i], "\n") {
					t.Errorf("miss %q", misses[i])
				}
			}
		})
	}
}

const strayRecord = `
	< ` + "\ufeff" + `banner
	> {"jsonrpc":"2.0","id":1,"method":"a"}
	< loading {"jsonrpc":"2.0","id":1,"result":{}} done
	! log
	< {"jsonrpc":"2.0","method":"notifications/message"}
	< bye \xff…
	exit 0 stdin-closed`

const strayLines = `{"jsonrpc":"2.0","id":7,"method":"a"}` + "\n"

// TestSpeed: at --speed 1 an answer takes its time and no longer; two calls of the same at once keep
// their ids.
func TestSpeed(t *testing.T) {
	t.Parallel()
	sc := recorded(t, `
		> {"jsonrpc":"2.0","id":1,"method":"a"}
		+ 200ms
		< {"jsonrpc":"2.0","id":1,"result":{}}
		> {"jsonrpc":"2.0","id":2,"method":"b"}
		+ 50ms
		< {"jsonrpc":"2.0","id":2,"result":{}}`)
	start := time.Now()
	out, _, _, _ := talk(t, sc, Options{Speed: 1}, `{"jsonrpc":"2.0","id":7,"method":"a"}`+"\n"+`{"jsonrpc":"2.0","id":8,"method":"a"}`+"\n"+`{"jsonrpc":"2.0","id":9,"method":"b"}`+"\n")
	if took := time.Since(start); took < 200*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	want := `{"jsonrpc":"2.0","id":9,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"result":{}}` + "\n"
	if out != want {
		t.Errorf("%s", out)
	}
}

// TestCancelled: what a live client gives up is not answered any more.
func TestCancelled(t *testing.T) {
	t.Parallel()
	sc := recorded(t, `
		> {"jsonrpc":"2.0","id":1,"method":"a"}
		+ 1h
		< {"jsonrpc":"2.0","id":1,"result":{}}`)
	out, _, _, _ := talk(t, sc, Options{Speed: 1}, `{"jsonrpc":"2.0","id":7,"method":"a"}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`+"\n")
	if out != "" {
		t.Errorf("%s", out)
	}
}

// TestClientGone: a client that does not read ends the mock.
func TestClientGone(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	r.Close()
	in, held := io.Pipe()
	defer held.Close()
	go held.Write([]byte(call("1", `{"a":1}`)))
	exit, err := Serve(t.Context(), recorded(t, twice), Options{}, in, w, io.Discard, t.Logf, func(*client.Fault) {})
	if err != nil || exit.Code != 5 {
		t.Errorf("%+v, %v", exit, err)
	}
}

// FuzzServe: no client and no recording makes the mock fail.
func FuzzServe(f *testing.F) {
	f.Add([]byte(call("1", `{"a":1}`)), []byte(`{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`+"\n"))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]`+"\n"), []byte(`[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":"1","error":{}}]`+"\n"))
	f.Add([]byte("x\n\xff"), []byte(`t {"jsonrpc":"2.0","id":3,"method":"ping"} {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}`))
	f.Fuzz(func(t *testing.T, in, out []byte) {
		var file bytes.Buffer
		w := recordings.NewWriter(&file)
		w.Head(recordings.Head{Tool: "test", Start: time.Unix(0, 0)})
		w.Spawn(0, 1, 7, "/bin/server")
		w.Bytes(1, recordings.In, in)
		w.Bytes(2, recordings.Out, out)
		w.Exit(3, nil, "SIGKILL", "no", "")
		w.Close()
		sc := scriptOf(t, file.Bytes())
		for _, o := range []Options{{}, {Stray: true, Nearest: true, Recorded: true}, {Once: true, Speed: 1e6}} {
			talk(t, sc, o, string(in))
		}
	})
}
