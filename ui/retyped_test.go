//go:build !windows

package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/cli"
	"example.com/mcpinspect/ui/words"
)

// hearer is a server over HTTP that keeps what it gets.
type hearer struct {
	*httptest.Server
	mu     sync.Mutex
	bodies [][]byte
	header http.Header
}

func hearing(t *testing.T) *hearer {
	h := &hearer{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		h.bodies, h.header = append(h.bodies, body), r.Header.Clone()
		h.mu.Unlock()
		id := client.Get(body, "id")
		if id == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}},"tools":[],"content":[],"contents":[],"messages":[],"completion":{"values":[]}}}`, id)
	}))
	t.Cleanup(h.Close)
	return h
}

// typedAgain runs a command line of ours within this process and returns the exit code and stderr.
func typedAgain(t *testing.T, line string, show cli.Show) (code int, errs string) {
	t.Helper()
	list, err := words.Split(line)
	if err != nil || len(list) == 0 || list[0] != "mcpinspect" {
		t.Fatalf("%s: no command of ours (%v)", line, err)
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	files := cli.IO{In: out, Out: out, Err: out}
	if show != nil {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer master.Close()
		defer tty.Close()
		files.In, files.Out = tty, tty
	}
	code = cli.Main(t.Context(), list[1:], files, show)
	said, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(said)
}

// sense is a message without its id and without what every client puts into _meta by itself.
func sense(t *testing.T, message []byte) map[string]any {
	t.Helper()
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(message))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	if m["id"] != nil {
		m["id"] = true
	}
	params, _ := m["params"].(map[string]any)
	meta, _ := params["_meta"].(map[string]any)
	for _, key := range []string{client.MetaProtocolVersion, client.MetaClientCapabilities, client.MetaClientInfo, client.MetaProgressToken} {
		delete(meta, key)
	}
	if meta[client.MetaTraceparent] != nil {
		meta[client.MetaTraceparent] = true
	}
	if len(meta) == 0 {
		delete(params, "_meta")
	}
	if len(params) == 0 {
		if _, ok := m["params"].([]any); !ok {
			delete(m, "params")
		}
	}
	return m
}

// TestCopiedCommandSendsTheSame: the command that is copied for a row of any kind is taken by our own
// command line and sends what the row has: method, parameters digit for digit, and _meta.
func TestCopiedCommandSendsTheSame(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	request := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`
	}
	const standing = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":3`
	for _, c := range []struct{ verb, message string }{
		{"call", request("tools/call", `{"name":"add","arguments":{"a":2,"b":3.50,"c":9007199254740993},`+standing+`}}`)},
		{"send", request("tools/call", `{"name":"no arguments"}`)},
		{"call", request("tools/call", `{"name":"https://x/y","arguments":{}}`)},
		{"call", request("tools/call", `{"name":"x","arguments":{"q":"it's \"$HOME\" \\ \u0000 \n 東京 @file"}}`)},
		{"send", request("tools/call", `{"name":"-x","arguments":{}}`)},
		{"send", request("tools/call", `{"name":"x","arguments":[1]}`)},
		{"send", request("tools/call", `{"name":"x","arguments":null}`)},
		{"send", request("tools/call", `{"name":"x","arguments":{},"task":{"ttl":5}}`)},
		{"send", request("tools/call", `{"name":"x","arguments":{},"inputResponses":{"a":{"action":"accept"}},"requestState":"s"}`)},
		{"send", request("tools/call", `{"name":5}`)},
		{"call", request("tools/call", `{"name":"x","arguments":{},`+standing+`,"a.example/k":{"deep":[1.0,"'"]},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}`)},
		{"read", request("resources/read", `{"uri":"file:///a b'c"}`)},
		{"read", request("resources/read", `{"uri":"https://example.com/x"}`)},
		{"send", request("resources/read", `{"uri":"x://{id}"}`)},
		{"send", request("resources/read", `{"uri":"-x"}`)},
		{"send", request("resources/read", `{"uri":"a","range":[1,2]}`)},
		{"prompt", request("prompts/get", `{"name":"p","arguments":{"a":"@b","c":""}}`)},
		{"prompt", request("prompts/get", `{"name":"http://p"}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":{}}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":{"-a":"b"}}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":{"http://a":"b"}}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":{"a":"\u0000"}}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":{"a":5}}`)},
		{"send", request("prompts/get", `{"name":"p","arguments":"a"}`)},
		{"send", request("completion/complete", `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"},"context":{"arguments":{"b":"y"}}}`)},
		{"send", request("tools/list", `{"cursor":"page 2"}`)},
		{"send", `{"jsonrpc":"2.0","id":"text","method":"prompts/list"}`},
		{"send", request("x/own", `{"a":[1e400,null]}`)},
		{"send", `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`},
		{"send", `{"jsonrpc":"2.0","method":"notifications/own","params":{"a":1.0}}`},
		{"send", `{"jsonrpc":"2.0","method":"own","params":{}}`},
		{"discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`},
	} {
		h := hearing(t)
		a := appOn(t, madeOf(t, recordings.Target{Transport: "http", URL: h.URL}, "in:"+c.message+"\n"), "none", 120, 36)
		press(a, "5", "G")
		line, _, why := a.commandLine()
		if why != "" {
			t.Errorf("%s: %s", c.message, why)
			continue
		}
		if list, _ := words.Split(line); c.verb != "discover" && list[1] != c.verb {
			t.Errorf("%s\nis made %s, not by %s", c.message, line, c.verb)
		}
		code, said := typedAgain(t, line, nil)
		if code == 1 || code == 70 || code == 4 {
			t.Errorf("%s\nends with %d: %s", line, code, said)
			continue
		}
		want, found := sense(t, []byte(c.message)), false
		for _, body := range h.bodies {
			found = found || reflect.DeepEqual(sense(t, body), want)
		}
		if !found {
			t.Errorf("%s\nfor %s\nsends %s", line, c.message, bytes.Join(h.bodies, []byte("\n")))
		}
	}
}

// TestCopiedCommandLeavesOut: what a message of 2026-07-28 went without of its _meta, the command goes without, too;
// a method that can be no word is told.
func TestCopiedCommandLeavesOut(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const version, capabilities, info = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}`
	for _, meta := range []string{"", "{" + version + "," + capabilities + "}", "{" + info + `,"progressToken":3}`, "{" + version + "," + capabilities + "," + info + `,"progressToken":7,"own":1}`, `{"own":1}`} {
		message := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x","arguments":{}}}`
		if meta != "" {
			message = strings.Replace(message, `{"name"`, `{"_meta":`+meta+`,"name"`, 1)
		}
		h := hearing(t)
		a := appOn(t, madeOf(t, recordings.Target{Transport: "http", URL: h.URL}, `in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}`+"\n",
			`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`+"\n", "in:"+message+"\n"), "none", 120, 36)
		press(a, "5", "G")
		a.snap.Server.Revision = "2026-07-28"
		line, _, why := a.commandLine()
		if code, said := typedAgain(t, line, nil); code != 0 {
			t.Fatalf("%s%s ends with %d: %s", line, why, code, said)
		}
		var sent []byte
		for _, body := range h.bodies {
			if client.GetText(body, "method") == "tools/call" {
				sent = body
			}
		}
		for _, key := range []string{client.MetaProtocolVersion, client.MetaClientCapabilities, client.MetaClientInfo, client.MetaProgressToken, "own"} {
			was, now := client.Get([]byte(message), "params", "_meta", key) != nil, client.Get(sent, "params", "_meta", key) != nil
			if was != now {
				t.Errorf("%s of %s: in the message %t, in what the command sends %t\n%s", key, meta, was, now, line)
			}
		}
		if got := client.Get(sent, "params", "_meta"); (got != nil) != (meta != "") {
			t.Errorf("%s becomes %s", meta, got)
		}
	}
	for _, method := range []string{"-x", "--version", ""} {
		a := appOn(t, madeOf(t, recordings.Target{Transport: "http", URL: "http://localhost:1"}, `in:{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`+"\n"), "none", 120, 36)
		press(a, "5", "G")
		if line, _, why := a.commandLine(); line != "" || !strings.Contains(why, "no word of a command line") {
			t.Errorf("of the method %q is made %q, said %q", method, line, why)
		}
	}
}

// madeOf is made for another server.
func madeOf(t testing.TB, target recordings.Target, chunks ...string) *session.Session {
	t.Helper()
	r, err := recordings.NewReader(strings.NewReader(recorded(t, chunks...)))
	if err != nil {
		t.Fatal(err)
	}
	head := r.Head()
	head.Target = target
	s := session.Recorded(head, session.Target{}, session.Options{})
	if err := s.Load(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCopiedCommandNamesTheServer: the words for a server name it again, with all it was given; secrets
// are not among them.
func TestCopiedCommandNamesTheServer(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const secret = "s3cr3t-value-of-a-token"
	t.Setenv("X_API_KEY", secret)
	for _, name := range []string{"MY_BEARER", "API_KEY", "OTHER", "X_PLAIN"} {
		t.Setenv(name, secret)
	}
	t.Setenv("GREETING", "it's "+secret)
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		target session.Target
		needs  string
	}{
		{"a program", session.Target{Command: client.Command{Args: []string{"./server", "--flag", "a b", "", "it's", "-e", "--"}}}, ""},
		{"all about a program", session.Target{Command: client.Command{Args: []string{"srv"}, Dir: dir, Env: []string{"GREETING=it's " + secret}, CleanEnv: true}}, ""},
		{"an address", session.Target{Address: client.Address{URL: "http://localhost:1/mcp?a=b&c='"}}, ""},
		{"all about an address", session.Target{Address: client.Address{URL: "https://localhost:1/mcp", Header: [][2]string{{"X-Plain", "it's $HOME"}, {"X-Api-Key", secret}},
			Bearer: secret, BearerEnv: "MY_BEARER", CAFile: "ca file.pem", Insecure: true}}, "X_API_KEY MY_BEARER"},
		{"secrets in an address", session.Target{Address: client.Address{URL: "https://localhost:1/mcp?a=b%20c&api_key=" + secret + "&other=" + secret + "&x"}}, "API_KEY OTHER"},
		{"a header that holds a secret", session.Target{Address: client.Address{URL: "http://localhost:1/mcp", Header: [][2]string{{"X-Plain", secret}}}}, "X_PLAIN"},
		{"a socket", session.Target{Address: client.Address{URL: "unix:/tmp/a b.sock"}}, ""},
		{"a port", session.Target{Address: client.Address{URL: "tcp:localhost:1"}}, ""},
	} {
		list, needs := targetWords(c.target, func(s string) bool { return strings.Contains(s, secret) })
		line := shellLine(append([]string{"mcpinspect"}, list...))
		if strings.Contains(line, secret) {
			t.Errorf("%s: the secret stands in %s", c.name, line)
		}
		if got := strings.Join(needs, " "); got != c.needs {
			t.Errorf("%s needs %q, not %q", c.name, got, c.needs)
		}
		out, err := exec.Command("sh", "-c", `mcpinspect() { printf '%s\0' "$@"; }; `+line).Output() // puts the variables in
		if err != nil {
			t.Fatal(err)
		}
		expanded := words.Shell(append([]string{"mcpinspect"}, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")...))
		var got session.Target
		code, said := typedAgain(t, expanded, func(_ context.Context, s cli.Screen) error {
			got = s.Session.Target()
			return nil
		})
		got.Label = ""
		if code != 0 || !reflect.DeepEqual(got, c.target) {
			t.Errorf("%s: %s\nnames %+v\nnot   %+v\n(%d: %s)", c.name, line, got, c.target, code, said)
		}
	}
}

// TestCopiedCommandOfARecording: what a recording does not have is said, not made up: a server that it
// does not name, and secrets, which are stars in it.
func TestCopiedCommandOfARecording(t *testing.T) {
	a := appOn(t, madeOf(t, recordings.Target{}, `in:{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), "none", 120, 36)
	press(a, "5", "G")
	if line, _, why := a.commandLine(); line != "" || !strings.Contains(why, "no command and no address") {
		t.Errorf("made %q, said %q", line, why)
	}
	const name = "NO_SUCH_VARIABLE_HERE"
	a = appOn(t, madeOf(t, recordings.Target{Transport: "stdio", Command: []string{"./s"}, Env: []string{name}}, "out:x\n"), "none", 120, 36)
	line, needs, why := a.commandLine()
	if line != "mcpinspect -e "+name+" -- ./s" || strings.Join(needs, " ") != name || why != "" {
		t.Errorf("made %q, needs %v, said %q", line, needs, why)
	}
}
