package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/testdata/programs"
)

// serve plays a scenario over HTTP and returns its address and what the player reports.
func serve(t *testing.T, name string) (address, report string) {
	t.Helper()
	report = filepath.Join(t.TempDir(), "report.jsonl")
	cmd := exec.Command(programs.Build(t, "testdata/player"), "-http", "127.0.0.1:0", "-scale", "0.2", "-report", report, programs.Scenario(t, name))
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if a := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(lines.Text()); a != "" {
			return "http://" + a, report
		}
	}
	t.Fatal("the player names no address")
	return "", ""
}

// reported is what the player says of its client.
func reported(t *testing.T, report string) (lines []map[string]any) {
	t.Helper()
	b, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(b) {
		var m map[string]any
		if err := json.Unmarshal(l, &m); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, m)
	}
	return lines
}

// posted are the methods that the player got, with the ways of GET and DELETE.
func posted(lines []map[string]any) (out []string) {
	for _, l := range lines {
		switch verb, _ := l["verb"].(string); {
		case l["kind"] == "in":
			method, _ := l["method"].(string)
			out = append(out, method)
		case l["kind"] == "http" && verb != "POST":
			out = append(out, verb)
		}
	}
	return out
}

// TestHTTPScenarios plays the scripted HTTP servers. The player must have nothing against us, and
// what its scenario expects to be said must be said.
func TestHTTPScenarios(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("HTTP_TEST_TOKEN", "good-token-for-tests")
	call := []string{"call", "echo", "text=a"}
	for _, c := range []struct {
		name, path string
		words      []string
		code       int
		says       []string // on stderr, or stdout
		never      []string
		sent       string // methods, as they came
	}{
		{name: "http-401-bare", words: []string{"list", "tools"}, code: 3, says: []string{"401 Unauthorized", "--bearer-env"}, sent: "server/discover"},
		{name: "http-401-challenge", words: []string{"list", "tools"}, code: 3, says: []string{`resource_metadata="/team/.well-known/oauth-protected-resource"`, `scope="notes:read"`}},
		{name: "http-401-challenge", words: []string{"list", "tools", "-H", "Authorization: Bearer good"}, says: []string{"echo(text*)"}},
		{name: "http-401-challenge", words: []string{"list", "tools", "--bearer-env", "HTTP_TEST_TOKEN"}, code: 3, never: []string{"good-token"}},
		{name: "http-404-method-vs-path", words: []string{"send", "foo/bar"}, code: 7, says: []string{"-32601"}, never: []string{"expired"}, sent: "server/discover foo/bar"},
		{name: "http-404-method-vs-path", path: "/wrong", words: []string{"list"}, code: 4, says: []string{"404 at http://127.0.0.1:", "/wrong: nothing there; is the path right?"}},
		{name: "http-405-on-get", words: call},
		{name: "http-accept-and-headers", words: call, sent: "server/discover tools/list tools/call"},
		{name: "http-accept-and-headers", words: append(slices.Clone(call), "-H", "accept: */*"), says: []string{"they are added"}},
		{name: "http-header-mismatch-retry", words: call, says: []string{"it is repeated once"}, sent: "server/discover tools/list tools/call tools/list tools/call"},
		{name: "http-html-error-page", words: call, code: 4, says: []string{"502 Bad Gateway", "an HTML page, 502 Bad Gateway"}, never: []string{"JSON"}},
		{name: "http-legacy-fallback-bodies", words: call, sent: "server/discover initialize notifications/initialized tools/list tools/call"},
		{name: "http-legacy-sse-only", words: []string{"discover"}, code: 4, says: []string{"this address speaks the deprecated HTTP+SSE transport (2024-11-05); its endpoint is /messages?session=abc"}},
		{name: "http-name-header-encoding", words: []string{"call", "検索", "region=us-west1", "dry=true", "text= padded "}, says: []string{"ok"}},
		{name: "http-notification-200-text", words: call, says: []string{"expected 202 without a body for notifications/initialized, got 200 text/plain; charset=utf-8 (8 bytes)"}},
		{name: "http-redirect-307-slash", words: call, says: []string{"the server redirects", "/mcp/: use that address"}},
		{name: "http-session-404", words: call, says: []string{"session expired, started a new one"}, sent: "server/discover initialize notifications/initialized tools/list tools/call initialize notifications/initialized tools/call"},
		{name: "http-sse-buffered-by-proxy", words: call, says: []string{"ok"}},
		{name: "http-sse-close-cancels", words: append(slices.Clone(call), "--timeout", "300ms"), code: 4, sent: "server/discover tools/list tools/call"},
		{name: "http-sse-crlf", words: call, says: []string{"ok"}},
		{name: "http-sse-multiline-data", words: call, says: []string{"ok"}},
		{name: "http-sse-progress-then-drop", words: call, code: 4, says: []string{"the event stream ended without the answer"}, sent: "server/discover tools/list tools/call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, report := serve(t, c.name)
			if c.path == "" {
				c.path = "/mcp"
			}
			code, out, errs := runMain(t, append(slices.Clone(c.words), address+c.path))
			if code != c.code {
				t.Errorf("exit status %d, not %d: %s", code, c.code, errs)
			}
			said := string(out) + string(errs)
			for _, s := range c.says {
				if !strings.Contains(said, s) {
					t.Errorf("%q is not said in\n%s", s, said)
				}
			}
			for _, s := range c.never {
				if strings.Contains(said, s) {
					t.Errorf("%q is said in\n%s", s, said)
				}
			}
			lines := reported(t, report)
			for _, l := range lines {
				if ok, _ := l["ok"].(bool); l["kind"] == "lint" || l["kind"] == "check" && !ok {
					t.Errorf("the player says: %v", l)
				}
			}
			// The stream of a handshake server is opened beside the rest.
			sent := slices.DeleteFunc(posted(lines), func(m string) bool { return m == "GET" || m == "DELETE" })
			if got := strings.Join(sent, " "); c.sent != "" && got != c.sent {
				t.Errorf("sent %s\nwant %s", got, c.sent)
			}
		})
	}
}

// runMain runs a command line within this process.
func runMain(t *testing.T, args []string) (code int, out, errs []byte) {
	t.Helper()
	const hang = 30 * time.Second
	dir := t.TempDir()
	var io IO
	for name, f := range map[string]**os.File{os.DevNull: &io.In, filepath.Join(dir, "out"): &io.Out, filepath.Join(dir, "err"): &io.Err} {
		var err error
		if *f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			t.Fatal(err)
		}
		defer (*f).Close()
	}
	ended := make(chan int, 1)
	go func() { ended <- Main(t.Context(), args, io, nil) }()
	select {
	case code = <-ended:
	case <-time.After(hang):
		errs, _ = os.ReadFile(io.Err.Name())
		t.Fatalf("it hangs; stderr: %s", errs)
	}
	out, err := os.ReadFile(io.Out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if errs, err = os.ReadFile(io.Err.Name()); err != nil {
		t.Fatal(err)
	}
	return code, out, errs
}

// odd serves tools/list well and leaves tools/call to answer, which writes the whole reply.
func odd(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, id string)) string {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := string(client.Get(body, "id"))
		reply := func(result string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
		}
		switch client.GetText(body, "method") {
		case client.MethodDiscover:
			reply(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case client.Tools.Method:
			reply(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		default:
			answer(w, r, id)
		}
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestOddReplies: what a server sends instead of an answer has its exit code, and no more of it is
// said than a person reads.
func TestOddReplies(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("ODD_TEST_TOKEN", "token-for-odd-tests")
	const longest = 20 << 10 // of what is said
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"q%d":{"method":"elicitation/create","params":{"message":"m\u001b","requestedSchema":{"type":"object"}}}`, i)
		}
		return b.String()[1:]
	}
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, id string)
		words  []string
		query  string
		code   int
		says   []string
		never  string
	}{
		"nothing": {answer: func(http.ResponseWriter, *http.Request, string) {}, code: 7, says: []string{"200 OK, but the reply ended without the answer"}},
		"a long challenge": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.Header().Set("Www-Authenticate", "Bearer "+strings.Repeat("a", 1<<19))
			w.WriteHeader(401)
		}, code: 3, says: []string{"the server asks for: Bearer aaa"}},
		"questions by the thousand": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":{%s}}}`, id, many(1000))
		}, words: []string{"--answer", "accept"}, code: 7, says: []string{"q7, and 992 more", `q0 "m\u001b": accept`, "more remarks of the kind question"}},
		"secrets": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.Header().Set("Www-Authenticate", "Bearer error="+r.Header.Get("Authorization"))
			w.WriteHeader(401)
			fmt.Fprint(w, "you sent ", r.Header.Get("Cookie"), r.Header.Get("X-Mine"), r.URL)
		}, words: []string{"--bearer-env", "ODD_TEST_TOKEN", "-H", "X-Mine: for-odd-tests-too", "-H", "Cookie: a=for-odd-tests-again; b=c"}, query: "?api_key=for-odd%2Dtests",
			code: 3, says: []string{"401 Unauthorized", "you sent"}, never: "odd-tests"},
		"secrets as JSON": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.WriteHeader(500)
			fmt.Fprint(w, r.Header.Get("Authorization"))
		}, words: []string{"--json", "--bearer-env", "ODD_TEST_TOKEN"}, code: 4, says: []string{`"message":`, "it says: Bearer ****"}, never: "odd-tests"},
	} {
		t.Run(name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "r.jsonl")
			address := odd(t, c.answer) + "/mcp" + c.query
			code, _, errs := runMain(t, append(append([]string{"call", "t", "--record", record}, c.words...), address))
			if code != c.code {
				t.Errorf("exit status %d, not %d: %s", code, c.code, errs)
			}
			if len(errs) > longest {
				t.Errorf("%d bytes are said", len(errs))
			}
			for _, s := range c.says {
				if !strings.Contains(string(errs), s) {
					t.Errorf("%q is not said in\n%s", s, errs)
				}
			}
			if c.never == "" {
				return
			}
			kept, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(errs)+string(kept), c.never) {
				t.Errorf("a secret is said in\n%s\nor in\n%s", errs, kept)
			}
		})
	}
}

// TestLibraryLog: nothing of what the libraries log reaches stderr by itself, where a screen may be.
func TestLibraryLog(t *testing.T) {
	s := hear(session.New(session.Target{Label: "x"}, session.Options{}))
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q", "x")
	if e, ok := s.Log().Event(0); !ok || e.Note == nil || e.Note.What != client.NoteWarning || !strings.HasPrefix(e.Note.Text, "Unsolicited response") {
		t.Errorf("%+v", e.Note)
	}
}

// TestHeaderWords: a header that cannot be sent as it is said is refused, and Host is sent.
func TestHeaderWords(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	hosts := make(chan string, 1)
	address := odd(t, func(w http.ResponseWriter, r *http.Request, id string) {
		hosts <- r.Host
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, id)
	})
	if code, _, errs := runMain(t, []string{"call", "t", "-H", "host: other.example", address}); code != 0 || <-hosts != "other.example" {
		t.Errorf("exit status %d: %s", code, errs)
	}
	for _, name := range []string{"content-length", "Transfer-Encoding", "trailer"} {
		if code, _, errs := runMain(t, []string{"call", "t", "-H", name + ": 5", address}); code != 1 || !strings.Contains(string(errs), "follows from the message") {
			t.Errorf("%s: exit status %d: %s", name, code, errs)
		}
	}
}
