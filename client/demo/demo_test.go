package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits before it fails; nothing here takes that long.
const patience = 10 * time.Second

// dialogue is a client of a demo server that runs in the test.
type dialogue struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	ended  chan error
	stderr *lockedBuffer
	next   int
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// wholeLines fails on a write that is not whole lines.
type wholeLines struct {
	t  *testing.T
	to chan string
}

func (w wholeLines) Write(p []byte) (int, error) {
	if !bytes.HasSuffix(p, []byte("\n")) && !bytes.HasPrefix(p, []byte(`{"jsonrpc":"2.0","id":"half"`)) {
		w.t.Errorf("a write that ends in the middle of a line: %q", p)
	}
	w.to <- strings.TrimSuffix(string(p), "\n")
	return len(p), nil
}

func begin(t *testing.T) *dialogue {
	t.Helper()
	r, w := io.Pipe()
	d := &dialogue{t: t, in: w, lines: make(chan string, 1000), ended: make(chan error, 1), stderr: &lockedBuffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { d.ended <- Serve(ctx, r, wholeLines{t, d.lines}, d.stderr) }()
	t.Cleanup(func() { cancel(); w.Close() })
	return d
}

func (d *dialogue) write(format string, a ...any) {
	d.t.Helper()
	if _, err := fmt.Fprintf(d.in, format+"\n", a...); err != nil {
		d.t.Fatal(err)
	}
}

func (d *dialogue) read() string {
	d.t.Helper()
	select {
	case line := <-d.lines:
		return line
	case err := <-d.ended:
		d.t.Fatalf("the server ended: %v", err)
	case <-time.After(patience):
		d.t.Fatal("no line came")
	}
	return ""
}

// end closes the input and returns what Serve returned.
func (d *dialogue) end() error {
	d.t.Helper()
	d.in.Close()
	select {
	case err := <-d.ended:
		return err
	case <-time.After(patience):
		d.t.Fatal("the server does not end")
	}
	return nil
}

const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}`

// ask sends a stateless request and returns the next line. params are without the outer braces.
func (d *dialogue) ask(method, params string) string {
	d.t.Helper()
	d.next++
	if params != "" {
		params += ","
	}
	d.write(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{%s}}}`, d.next, method, params, meta)
	return d.read()
}

// greet does the handshake with everything that a client may declare.
func (d *dialogue) greet(revision string) string {
	d.t.Helper()
	d.write(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`, revision)
	answer := d.read()
	d.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return answer
}

// plain sends a request of the handshake era and returns the next line.
func (d *dialogue) plain(method, params string) string {
	d.t.Helper()
	d.next++
	d.write(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, d.next, method, params)
	return d.read()
}

// holds fails unless line has every part, and is a JSON object.
func holds(t *testing.T, line string, parts ...string) {
	t.Helper()
	if !strings.HasPrefix(line, "{") || !json.Valid([]byte(line)) {
		t.Errorf("not a JSON object: %.300s", line)
	}
	for _, part := range parts {
		if !strings.Contains(line, part) {
			t.Errorf("no %s in %.600s", part, line)
		}
	}
}

func lacks(t *testing.T, line string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(line, part) {
			t.Errorf("%s in %.600s", part, line)
		}
	}
}

func TestStateless(t *testing.T) {
	d := begin(t)
	holds(t, d.ask("server/discover", ""), `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`,
		`"capabilities":{"tools":{}`, `"ttlMs":3600000,"cacheScope":"public"`, `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"mcpinspect-demo"`)
	holds(t, d.ask("tools/call", `"name":"add","arguments":{"a":2,"b":3}`), `"resultType":"complete"`, `"structuredContent":{"sum":5}`, `"isError":false`)
	holds(t, d.ask("tools/call", `"name":"add","arguments":{"a":0.5,"b":9223372036854775807}`), `"sum":9223372036854776000`)
	holds(t, d.ask("tools/call", `"name":"boom"`), `"text":"city not found"`, `"isError":true`)
	holds(t, d.ask("tools/call", `"name":"nope"`), `"error":{"code":-32602,"message":"Unknown tool: nope"}`)
	holds(t, d.ask("tools/call", `"name":"weather","arguments":{"days": 2.5, "units": "k", "x": 1}`), `"isError":true`,
		`missing required field: location\ndays must be an integer\nunits must be one of \"c\", \"f\"\nunexpected field: x`)
	holds(t, d.ask("resources/read", `"uri":"demo://none"`), `"code":-32602`, `"data":{"uri":"demo://none"}`)
	holds(t, d.ask("resources/read", `"uri":"demo://city/Z%C3%BCrich"`), `swims`, `"ttlMs":0,"cacheScope":"private"`)
	for _, gone := range []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list", "nonsense"} {
		holds(t, d.ask(gone, ""), `"code":-32601`)
	}
	if err := d.end(); err != nil {
		t.Error(err)
	}
}

func TestMeta(t *testing.T) {
	const version, caps = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	d := begin(t)
	for _, c := range []struct{ params, want string }{
		{``, `"code":-32602,"message":"Missing required _meta field: io.modelcontextprotocol/protocolVersion"`},
		{`,"params":{}`, `"code":-32602,"message":"Missing required _meta field: io.modelcontextprotocol/protocolVersion"`},
		{`,"params":{"_meta":{` + version + `}}`, `"code":-32602,"message":"Missing required _meta field: io.modelcontextprotocol/clientCapabilities"`},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-01-01",` + caps + `}}`,
			`"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28",`},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + caps + `}}`, `"code":-32602`},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5,` + caps + `}}`, `"code":-32602`},
		{`,"params":{"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":[]}}`, `"code":-32602`},
		{`,"params":{"_meta":{` + version + `,` + caps + `,"io.modelcontextprotocol/logLevel":"loud"}}`, `"code":-32602`},
		{`,"params":{"_meta":{` + version + `,` + caps + `,"progressToken":1.5}}`, `"code":-32602`},
		{`,"params":{"_meta":[]}`, `"code":-32602`},
		{`,"params":{"_meta":{` + version + `,` + caps + `,"io.modelcontextprotocol/clientInfo":5,"com.example/x":1}}`, `"supportedVersions"`},
	} {
		d.write(`{"jsonrpc":"2.0","id":"x","method":"server/discover"%s}`, c.params)
		holds(t, d.read(), `"id":"x"`, c.want)
	}
}

func TestHandshake(t *testing.T) {
	for _, c := range []struct {
		asked, agreed string
		has, not      []string // in the list of tools
	}{
		{rev2411, rev2411, nil, []string{`"title"`, `"outputSchema"`, `"annotations"`}},
		{rev2503, rev2503, []string{`"annotations"`}, []string{`"title":"Add`, `"outputSchema"`}},
		{rev2506, rev2506, []string{`"annotations"`, `"title":"Add`, `"outputSchema"`}, nil},
		{rev2511, rev2511, []string{`"outputSchema"`}, nil},
		{"2099-01-01", rev2511, nil, nil},
		{rev2607, rev2511, nil, nil},
	} {
		t.Run(c.asked, func(t *testing.T) {
			d := begin(t)
			holds(t, d.plain("ping", ""), `"result":{}`)
			holds(t, d.greet(c.asked), `"result":{"protocolVersion":"`+c.agreed+`"`, `"serverInfo":{"name":"mcpinspect-demo"`)
			list := d.plain("tools/list", "")
			holds(t, list, append(c.has, `"nextCursor":"`)...)
			lacks(t, list, append(c.not, "resultType", "ttlMs", "_meta")...)
			holds(t, d.plain("ping", ""), `"result":{}`)
			sum := d.plain("tools/call", `"name":"add","arguments":{"a":2,"b":3}`)
			holds(t, sum, `"text":"{\"sum\":5}"`)
			if has := strings.Contains(sum, "structuredContent"); has != (c.agreed >= rev2506) {
				t.Errorf("structured content: %v", has)
			}
			holds(t, d.plain("resources/read", `"uri":"demo://none"`), `"code":-32002`)
			holds(t, d.plain("server/discover", ""), `"code":-32601`)
			// the stateless era works beside it
			holds(t, d.ask("server/discover", ""), `"supportedVersions"`)
			if err := d.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBadInput(t *testing.T) {
	d := begin(t)
	for _, c := range []struct{ line, want string }{
		{`hello`, `{"jsonrpc":"2.0","error":{"code":-32700`},
		{`[]`, `"code":-32600`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `"code":-32600`},
		{`{"jsonrpc":"1.0","id":4,"method":"ping"}`, `"id":4,"error":{"code":-32600`},
		{strings.Repeat("[", 20_000), `"code":-32700`},
		{strings.Repeat("x", maxLine+1), `"code":-32700`},
	} {
		d.write("%s", c.line)
		holds(t, d.read(), c.want)
	}
	d.write(`{"jsonrpc":"2.0","method":"notifications/whatever","params":[]}`)
	d.write(`{"jsonrpc":"2.0","method":"tools/list"}`)
	d.write(`{"jsonrpc":"2.0","id":"demo-9","result":{}}`)
	d.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	holds(t, d.plain("ping", ""), `"result":{}`) // none of the four was answered
	for _, c := range []struct{ method, params string }{
		{"tools/call", ``}, {"tools/call", `"name":5`}, {"tools/call", `"name":"add","arguments":[]`},
		{"tools/list", `"cursor":"x"`}, {"tools/list", `"cursor":null`}, {"resources/list", `"cursor":"dG9vbHM6OQ"`},
		{"resources/read", ``}, {"resources/read", `"uri":"demo://city/%zz"`},
		{"prompts/get", ``}, {"prompts/get", `"name":"trip","arguments":{"country":"Spain"}`}, {"prompts/get", `"name":"trip","arguments":{"country":5}`},
		{"completion/complete", ``}, {"completion/complete", `"ref":{"type":"x"},"argument":{"name":"a","value":""}`},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"a","value":""}`},
		{"subscriptions/listen", ``}, {"subscriptions/listen", `"notifications":{"resourceSubscriptions":5}`},
	} {
		holds(t, d.ask(c.method, c.params), `"code":-32602`)
	}
}

func TestPages(t *testing.T) {
	d := begin(t)
	var names []string
	cursor := ""
	for pages := 1; ; pages++ {
		var answer struct {
			Result struct {
				Tools []struct {
					Name        string
					InputSchema struct{ Type string }
				}
				NextCursor *string
			}
		}
		if err := json.Unmarshal([]byte(d.ask("tools/list", cursor)), &answer); err != nil {
			t.Fatal(err)
		}
		for _, tool := range answer.Result.Tools {
			names = append(names, tool.Name)
			if tool.InputSchema.Type != "object" {
				t.Errorf("the schema of %s is no object", tool.Name)
			}
		}
		if answer.Result.NextCursor == nil {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
		cursor = fmt.Sprintf(`"cursor":%q`, *answer.Result.NextCursor)
	}
	const want = "add boom weather slow echo dice ask image media order shape profile tree search anything stray log big unicode crash wipe remember recall touch about"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("tools: %s", got)
	}
}

// TestSchemas keeps the JSON text in the catalogue well-formed.
func TestSchemas(t *testing.T) {
	for _, tool := range catalogue() {
		for _, text := range []string{tool.input, tool.output, tool.hints} {
			if text != "" && !json.Valid([]byte(text)) {
				t.Errorf("%s: not JSON: %s", tool.name, text)
			}
		}
		if tool.about == "" || tool.title == "" {
			t.Errorf("%s lacks a title or a description", tool.name)
		}
	}
}

func TestCrash(t *testing.T) {
	d := begin(t)
	d.write(`{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"crash","arguments":{"half_line":true},"_meta":{%s}}}`, meta)
	if line := d.read(); !strings.HasSuffix(line, `"type":"te`) {
		t.Errorf("half a line: %s", line)
	}
	select {
	case err := <-d.ended:
		var exit *Exit
		if !errors.As(err, &exit) || exit.Status != 3 {
			t.Errorf("%v", err)
		}
	case <-time.After(patience):
		t.Fatal("it lives")
	}
	if !strings.Contains(d.stderr.String(), "giving up") {
		t.Errorf("stderr: %s", d.stderr)
	}
}

// TestBrokenOutput: a client that is gone ends the server.
func TestBrokenOutput(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	broken, out := io.Pipe()
	broken.Close()
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), r, out, io.Discard) }()
	fmt.Fprintln(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	select {
	case err := <-ended:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("the server does not end")
	}
}

// FuzzServe: whatever a client writes, every answer is one JSON object and the server lives on.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n" + `[{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`))
	for _, tool := range catalogue() {
		f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool.name + `","arguments":{"a":1,"location":""},"_meta":{` + meta + `}}}`))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out output
		err := Serve(context.Background(), bytes.NewReader(in), &out, io.Discard)
		var exit *Exit
		if err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
		if text := out.text(); strings.Contains(text, `"code":-32603`) {
			t.Errorf("a fault of ours: %s", text)
		}
	})
}

// output is what a server wrote; a call that outlives the end of input may still write.
type output struct {
	mu sync.Mutex
	b  strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}
