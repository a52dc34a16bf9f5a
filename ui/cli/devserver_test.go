package cli

import (
	"bufio"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
)

// TestDevserverHTTP: a server that wants a token, looks at the Origin and holds every header against its
// body. What it refuses is said with what it asks for, and what is right passes.
func TestDevserverHTTP(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("DEVSERVER_TOKEN", "a-token-of-the-tests")
	cmd := exec.Command(programs.Build(t, "testdata/servers/devserver"), "-http", "127.0.0.1:0")
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
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://\S+`).FindString(line)
	token := []string{"--bearer-env", "DEVSERVER_TOKEN"}
	for _, c := range []struct {
		words []string
		token bool
		code  int
		says  string
	}{
		{[]string{"list", "tools"}, false, 3, `the server asks for: Bearer realm="mcp-devserver"`},
		{[]string{"list", "tools", "-H", "Origin: https://evil.example"}, true, 3, "403 Forbidden"},
		{[]string{"list", "tools", "-H", "Origin: http://localhost:5173"}, true, 0, "workspace_summary"},
		{[]string{"call", "read_file", "path=.."}, true, 5, "outside"},
		{[]string{"call", "read_file", "path=.."}, false, 3, "401 Unauthorized"},
		{[]string{"send", "tools/list", "-H", "Mcp-Method: tools/call"}, true, 4, "-32020"},
		{[]string{"send", "no/such"}, true, 7, "-32601"},
		{[]string{"discover", "--protocol", "2025-11-25"}, true, 4, "unsupported protocol version '2025-11-25'"},
	} {
		words := c.words
		if c.token {
			words = append(append([]string(nil), words...), token...)
		}
		code, out, errs := runMain(t, append(words, address))
		if code != c.code || !strings.Contains(string(out)+string(errs), c.says) {
			t.Errorf("%v: exit status %d, not %d, or %q is not said:\n%s%s", words, code, c.code, c.says, out, errs)
		}
		if strings.Contains(string(out)+string(errs), "a-token-of") {
			t.Errorf("%v: the token is said", words)
		}
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/mcp": 401} {
		resp, err := http.Get(strings.TrimSuffix(address, "/mcp") + path)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("%s: %v %v", path, resp, err)
		}
		resp.Body.Close()
	}
}
