package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/mcpinspect/testdata/programs"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"}`

// turn is what is written, and a part of each line that comes back.
type turn struct {
	send string
	want []string
}

func TestStateless(t *testing.T) {
	talk(t, []turn{
		{`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`, []string{`"supportedVersions"`}},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}`, []string{`"nextCursor"`}},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},` + meta + `}}`, []string{`"structuredContent":{"sum":5}`}},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"slow","arguments":{"steps":2,"delay_ms":1},` + meta + `}}`,
			[]string{`"progress":1`, `"progress":2`, `"text":"done"`}},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fail","arguments":{},` + meta + `}}`, []string{`"isError":true`}},
		{`{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"file:///readme.txt",` + meta + `}}`, []string{`nothing to read`}},
		{`{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"greeting","arguments":{"name":"Ada"},` + meta + `}}`, []string{`Greet Ada`}},
	})
}

func TestHandshake(t *testing.T) {
	talk(t, []turn{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, []string{`"protocolVersion":"2025-11-25"`}},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}`, []string{`Hello, Ada`}},
	})
}

// talk takes turns with the server over stdio, and sees that it ends well.
func talk(t *testing.T, turns []turn) {
	cmd := exec.Command(programs.Build(t, "testdata/servers/gosdk"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	for _, x := range turns {
		fmt.Fprintln(in, x.send)
		for _, part := range x.want {
			if !lines.Scan() {
				t.Fatalf("no answer to %s: %v", x.send, lines.Err())
			}
			if !strings.Contains(lines.Text(), part) {
				t.Errorf("no %s in %s", part, lines.Text())
			}
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestPages(t *testing.T) {
	ctx := t.Context()
	here, there := mcp.NewInMemoryTransports()
	if _, err := newServer().Connect(ctx, there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var sizes []int
	for cursor := ""; ; {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Tools))
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if !slices.Equal(sizes, []int{10, 10, 3}) {
		t.Errorf("pages of %v", sizes)
	}
}

func TestHTTP(t *testing.T) {
	cmd := exec.Command(programs.Build(t, "testdata/servers/gosdk"), "-http", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	line, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "gosdk: "))
	req, err := http.NewRequest("POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"} {
		req.Header.Set(key, value)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), `"name":"add"`) {
		t.Errorf("%s: %s %v", answer.Status, body, err)
	}
}
