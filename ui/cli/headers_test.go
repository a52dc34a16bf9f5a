package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/mcpinspect/client"
)

// TestBrokenHeaders: a tool whose x-mcp-header breaks the rules is named when the tools are listed and
// refused over HTTP before anything is sent, the others are not; --unchecked sends it all the same.
func TestBrokenHeaders(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const tools = `{"tools":[{"name":"good","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}},` +
		`{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}}]}`
	var calls atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		result := map[string]string{
			client.MethodDiscover:  `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`,
			client.MethodToolsList: tools, client.MethodToolsCall: `{"content":[]}`,
		}[client.GetText(body, "method")]
		if client.GetText(body, "method") == client.MethodToolsCall {
			calls.Add(1)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, client.Get(body, "id"), result)
	}))
	t.Cleanup(web.Close)
	const warning = `clients have to leave out over HTTP, since their x-mcp-header breaks the rules: "bad" (x-mcp-header of /a stands on type "number"`
	for _, c := range []struct {
		words []string
		code  int
		says  string
		calls int32
	}{
		{[]string{"list", "tools"}, 0, warning, 0},
		{[]string{"call", "good", "a=x"}, 0, warning, 1},
		{[]string{"call", "bad", "a=1"}, 6, `the tool "bad" cannot be called over HTTP, nothing was sent`, 0},
		{[]string{"call", "bad", "a=1", "--unchecked"}, 0, warning, 1},
	} {
		before := calls.Load()
		code, out, errs := runMain(t, append(c.words, web.URL+"/mcp"))
		if code != c.code || !strings.Contains(string(errs), c.says) {
			t.Errorf("%v: exit status %d, not %d, or %q is not said:\n%s", c.words, code, c.code, c.says, errs)
		}
		if n := calls.Load() - before; n != c.calls {
			t.Errorf("%v: %d calls were sent, not %d", c.words, n, c.calls)
		}
		if c.words[0] == "list" && !strings.Contains(string(out), "bad(a)") {
			t.Errorf("the list lacks the tool: %s", out)
		}
	}
}
