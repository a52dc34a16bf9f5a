package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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
