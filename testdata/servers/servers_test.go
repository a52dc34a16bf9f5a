package servers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/testdata/programs"
)

// patience ends a server that hangs; none takes that long.
const patience = 30 * time.Second

// exchange is what is written to a server and what comes back: for every line that was answered, in
// the order of the answers, parts that its line holds.
type exchange struct {
	send string
	want []string // nil: no answer
}

// talk writes all the lines, closes the input, and returns what the server wrote.
func talk(t *testing.T, server string, args []string, lines ...string) (stdout []string, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, programs.Build(t, "testdata/servers/"+server), args...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s hangs", server)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), errs.String(), err
}

// check holds a server to a table of exchanges.
func check(t *testing.T, server string, args []string, table []exchange) {
	t.Helper()
	var lines []string
	var answered []exchange
	for _, x := range table {
		lines = append(lines, x.send)
		if x.want != nil {
			answered = append(answered, x)
		}
	}
	got, _, err := talk(t, server, args, lines...)
	if err != nil {
		t.Errorf("it ended with %v", err)
	}
	if len(got) != len(answered) {
		t.Fatalf("%d answers, not %d:\n%s", len(got), len(answered), strings.Join(got, "\n"))
	}
	for i, x := range answered {
		for _, part := range x.want {
			if !strings.Contains(got[i], part) {
				t.Errorf("%s\n no %s\n in %s", x.send, part, got[i])
			}
		}
	}
}

const version, capabilities = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`

// modern is a stateless request; params are without the outer braces.
func modern(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{%s,%s}}}`, id, method, params, version, capabilities)
}

// plain is a request of the handshake era.
func plain(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, params)
}

func hello(revision string) string {
	return plain("0", "initialize", `"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}`)
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

func TestMinimal(t *testing.T) {
	t.Parallel()
	check(t, "minimal", nil, []exchange{
		{modern("1", "server/discover", ""), []string{`"id":1`, `"resultType":"complete"`, `"supportedVersions":["2026-07-28"]`, `"name":"minimal"`}},
		{modern("2", "tools/list", ""), []string{`"name":"add"`, `"name":"boom"`, `"name":"weather"`, `"ttlMs":300000,"cacheScope":"public"`}},
		{modern("3", "tools/call", `"name":"add","arguments":{"a":2,"b":3}`), []string{`"text":"5"`, `"isError":false`}},
		{modern("4", "tools/call", `"name":"boom","arguments":{}`), []string{`"text":"city not found"`, `"isError":true`}},
		{modern("5", "tools/call", `"name":"nope"`), []string{`"code":-32602,"message":"Unknown tool: nope"`}},
		{modern("6", "tools/call", `"name":"weather","arguments":{"days": 2.5, "units": "k", "x": 1}`), []string{`"isError":true`,
			`"text":"missing required field: location\ndays must be an integer\nunits must be one of \"c\", \"f\"\nunexpected field: x"`}},
		{modern("7", "resources/list", ""), []string{`"code":-32601,"message":"Method not found"`}},
		{`{"jsonrpc":"2.0","method":"notifications/progress"}`, nil},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"_meta":{` + version + `}}}`,
			[]string{`"code":-32602,"message":"Missing required _meta field: io.modelcontextprotocol/clientCapabilities"`}},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{` + capabilities + `,"io.modelcontextprotocol/protocolVersion":"2025-01-01"}}}`,
			[]string{`"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-01-01"}`}},
		{`{"a":"line1`, []string{`"error":{"code":-32700`}},
		{hello("2025-11-25"), []string{`"code":-32022`, `"requested":"2025-11-25"`}},
	})
}

func TestDevserver(t *testing.T) {
	t.Parallel()
	trace := `"_meta":{` + version + `,` + capabilities + `,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","com.example/z":1}`
	table := []exchange{
		{hello("2025-11-25"), []string{`"code":-32022,"message":"unsupported protocol version '2025-11-25'","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}`}},
		{modern("1", "server/discover", ""), []string{`"capabilities":{"tools":{"listChanged":false,"count":7}}`, `"cacheScope":"server"`, `"title":"MCP Developer Server"`}},
		{modern("2", "tools/list", ""), []string{`"name":"count_lines"`, `"name":"read_file"`, `"nextCursor":"NQ=="`}},
		{modern("3", "tools/list", `"cursor":"NQ=="`), []string{`"tools":[{"name":"search_text"`, `"name":"workspace_summary"`}},
		{modern("4", "tools/list", `"cursor":"Ng=="`), []string{`"code":-32602`, `not issued`}},
		{modern("5", "tools/call", `"name":"read_file","arguments":{"path":".."}`), []string{`"isError":true`,
			`"structuredContent":{"error":"outside_workspace","message":"'..' resolves outside the workspace and cannot be read.","remedy":"Paths must stay inside myproject/."}`}},
		{modern("6", "tools/call", `"name":"read_file","arguments":{"path":"src/main.py"}`), []string{`<untrusted-file name=\"src/main.py\">`}},
		{modern("7", "tools/call", `"name":"read_file","arguments":{"pth":"x"}`), []string{`"error":"invalid_arguments"`, `unexpected field: pth`}},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"_meta":{` + version + `,` + capabilities + `,"x.mcp/y":1}}}`, []string{`"code":-32602`, `reserved`}},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{` + trace + `}}`, []string{`"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}`}},
		{modern("10", "tools/call", `"name":"find_symbol","arguments":{"name":"hello"}`), []string{`src/greet.py:1`}},
		{modern("11", "tools/call", `"name":"search_text","arguments":{"text":"hello","max_results":2}`), []string{`2 hits`}},
		{modern("12", "tools/call", `"name":"list_directory"`), []string{`README.md\nsrc/greet.py`}},
		{modern("13", "ping", ""), []string{`"code":-32601`}},
		{`{"jsonrpc":"2.0","method":"tools/list"}`, nil},
		{`[` + modern("14", "tools/list", "") + `]`, []string{`"code":-32600`}},
		{`{"jsonrpc":"2.0","id":15,"method":"tools/list"}`, []string{`"code":-32602`, `protocolVersion`}},
	}
	// Requests overlap here, so one at a time.
	for _, x := range table {
		got, _, err := talk(t, "devserver", nil, x.send)
		for _, part := range x.want {
			if err != nil || !strings.Contains(got[0], part) {
				t.Errorf("%s\n no %s\n in %s (%v)", x.send, part, got[0], err)
			}
		}
		if x.want == nil && got[0] != "" {
			t.Errorf("%s was answered: %s", x.send, got[0])
		}
	}
	var many []string
	for i := range 50 {
		many = append(many, modern(fmt.Sprint(i), "tools/list", ""))
	}
	if got, _, err := talk(t, "devserver", nil, many...); err != nil || len(got) != len(many) {
		t.Errorf("%d answers to %d requests, %v", len(got), len(many), err)
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	for asked, agreed := range map[string]string{"2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "2024-11-05": "2024-11-05", "2025-11-25": "2025-06-18"} {
		check(t, "notes", nil, []exchange{{hello(asked), []string{`"protocolVersion":"` + agreed + `"`, `"serverInfo":{"name":"notes"`}}})
	}
	check(t, "notes", nil, []exchange{
		{modern("99", "server/discover", ""), []string{`"code":-32601`}},
		{hello("2024-11-05"), []string{`"capabilities":{"tools":{},"resources":{},"prompts":{}}`}},
		{initialized, nil},
		{plain("1", "ping", ""), []string{`"id":1,"result":{}}`}},
		{plain("2", "tools/list", ""), []string{`"name":"add_note"`}},
		{plain("3", "tools/call", `"name":"read_note","arguments":{"id":"9"}`), []string{`"text":"no note with the id '9'"`, `"isError":true`}},
		{plain("4", "tools/call", `"name":"read_note","arguments":{"id":9}`), []string{`"code":-32602`}},
		{plain("5", "tools/call", `"name":"delete_note","arguments":{"id":"1"}`), []string{`"code":-32001,"message":"access denied`}},
		{plain("6", "tools/call", `"name":"none"`), []string{`"code":-32601`}},
		{plain("7", "resources/list", ""), []string{`"uri":"notes://3"`}},
		{plain("8", "resources/read", `"uri":"notes://3"`), []string{`"text":"[3,1,4,1,5]"`}},
		{plain("9", "prompts/list", ""), []string{`"name":"review"`}},
		{plain("10", "prompts/get", `"name":"review","arguments":{"id":"1"}`), []string{`"role":"user"`}},
		{plain("11", "completion/complete", ""), []string{`"code":-32601`}},
		{plain("12", "tools/call", `"name":"add_note","arguments":{"title":"t","body":"b"}`), []string{`added notes://4`}},
		{`{"jsonrpc":"1.0","id":13,"method":"ping"}`, []string{`"id":13,"error":{"code":-32600`}},
	})
	check(t, "notes", []string{"-burst", "1"}, []exchange{
		{plain("1", "tools/call", `"name":"summarize","arguments":{"id":"1"}`), []string{`shopping: 14 characters`}},
		{plain("2", "tools/call", `"name":"summarize","arguments":{"id":"1"}`), []string{`"code":-32002,"message":"rate limited","data":{"retry_after_seconds":30}`}},
	})
	got, stderr, err := talk(t, "notes", nil, "print('hello')", plain("1", "ping", ""))
	if err != nil || len(got) != 1 || !strings.Contains(stderr, "skipped a line") {
		t.Errorf("%q, stderr %q, %v", got, stderr, err)
	}
}

func TestStrict(t *testing.T) {
	t.Parallel()
	early := []string{`"error":{"code":0,"message":"method \"tools/list\" is invalid during session initialization"`}
	list := plain("5", "tools/list", "")
	check(t, "strict", nil, []exchange{
		{plain("1", "ping", ""), []string{`"result":{}`}},
		{modern("2", "server/discover", ""), []string{`"code":0`}},
		{list, early},
		{initialized, nil}, // too early: it does not count
		{hello("2025-11-25"), []string{`"protocolVersion":"2025-06-18"`}},
		{list, early},
		{plain("4", "notifications/initialized", ""), []string{`"code":-32600`}},
		{list, early},
		{initialized, nil},
		{list, []string{`"name":"reverse"`}},
		{plain("6", "tools/call", `"name":"reverse","arguments":{"text":"añb"}`), []string{`"text":"bña"`}},
		{plain("7", "tools/call", `"name":"count","arguments":{"text":"a b"}`), []string{`"text":"2"`}},
		{plain("8", "tools/call", `"name":"count"`), []string{`"code":-32602`}},
		{hello("2024-11-05"), []string{`"code":-32600`}},
	})
	for _, malformed := range []string{"hello", "[]", `{"jsonrpc":"2.0"}`} {
		got, stderr, err := talk(t, "strict", nil, malformed, plain("1", "ping", ""))
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || got[0] != "" || !strings.Contains(stderr, "fatal") {
			t.Errorf("%s: %q, stderr %q, %v", malformed, got, stderr, err)
		}
	}
}

func TestFlood(t *testing.T) {
	t.Parallel()
	for _, era := range [][]string{
		{modern("1", "server/discover", ""), modern("2", "tools/list", ""), modern("3", "tools/call", `"name":"flood"`)},
		{hello("2025-06-18"), plain("2", "tools/list", ""), plain("3", "tools/call", `"name":"flood"`)},
	} {
		got, _, err := talk(t, "flood", []string{"-n", "5000"}, era...)
		if err != nil || len(got) != 2+5000+1 {
			t.Fatalf("%d lines, %v", len(got), err)
		}
		if !strings.Contains(got[1], `"name":"flood"`) || !strings.Contains(got[len(got)-1], `"text":"5000 messages"`) {
			t.Errorf("%s\n%s", got[1], got[len(got)-1])
		}
		for i, line := range got[2 : len(got)-1] {
			if len(line) < 190 || len(line) > 210 || !strings.Contains(line, fmt.Sprintf(`"message %d `, i)) {
				t.Fatalf("line %d: %s", i, line)
			}
		}
	}
	check(t, "flood", nil, []exchange{
		{modern("1", "tools/call", `"name":"flood","arguments":{"n":0}`), []string{`"text":"0 messages"`}},
		{modern("2", "tools/call", `"name":"flood","arguments":{"n":-1}`), []string{`"code":-32602`}},
		{modern("3", "tools/call", `"name":"none"`), []string{`"code":-32602`}},
		{plain("4", "tools/list", ""), []string{`"code":-32602`, `protocolVersion`}},
		{plain("5", "ping", ""), []string{`"code":-32602`}},
		{hello("2024-11-05"), []string{`"protocolVersion":"2025-06-18"`}},
		{plain("6", "ping", ""), []string{`"result":{}`}},
		{plain("7", "server/discover", ""), []string{`"code":-32601`}},
	})
}

func TestBig(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1000, 40_000, 1_000_001} {
		got, _, err := talk(t, "big", []string{"-bytes", fmt.Sprint(size)}, modern("1", "tools/call", `"name":"big"`), modern("2", "tools/call", `"name":"big","arguments":{"bytes":5}`))
		if err != nil || len(got) != 2 || len(got[0])+1 != size || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"all work`) {
			t.Errorf("%d: %d answers, the first of %d bytes, %v", size, len(got), len(got[0]), err)
		}
		if !slices.Contains(got, `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":""}],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"big","version":"1.0.0"}}}}`) {
			t.Errorf("no empty answer")
		}
	}
	check(t, "big", nil, []exchange{
		{hello("2025-06-18"), []string{`"name":"big"`}},
		{initialized, nil},
		{plain("1", "tools/list", ""), []string{`"name":"big"`}},
		{plain("2", "tools/call", `"name":"big","arguments":{"bytes":"x"}`), []string{`"code":-32602`}},
		{plain("3", "tools/call", `"name":"big","arguments":{"bytes":0}`), []string{`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":""}],"isError":false}}`}},
	})
}
