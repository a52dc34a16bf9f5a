package export

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestHARofHTTP: every exchange is an entry with its heads, its status, its times and its body.
func TestHARofHTTP(t *testing.T) {
	file := overHTTP + `{"k":"hq","t":2000000,"x":3,"line":"GET /mcp","url":"http://x/mcp","headers":[["Accept","text/event-stream"]]}
{"k":"hs","t":5000000,"x":3,"status":405,"text":"405 Method Not Allowed","headers":[["Allow","POST"]]}
{"k":"he","t":5000000,"x":3}
`
	s, head, _ := readAll(t, []byte(file))
	var out bytes.Buffer
	if err := Write(&out, "har", s, Options{Head: head}); err != nil {
		t.Fatal(err)
	}
	var har struct{ Log harLog }
	if err := json.Unmarshal(out.Bytes(), &har); err != nil {
		t.Fatal(err)
	}
	type entry struct {
		method, url, header, version string
		status                       int
		kind, body                   string
		wait, receive                float64
	}
	var got []entry
	for _, e := range har.Log.Entries {
		x := entry{method: e.Request.Method, url: e.Request.URL, version: e.Response.HTTPVersion, status: e.Response.Status, kind: e.Response.Content.Type,
			body: e.Response.Content.Text, wait: e.Timings.Wait, receive: e.Timings.Receive}
		if len(e.Request.Headers) > 0 {
			x.header = e.Request.Headers[0].Name + ": " + e.Request.Headers[0].Value
		}
		if e.From == "client" {
			got = append(got, x)
		}
	}
	want := []entry{
		{"POST", "http://x/mcp", "Content-Type: application/json", "HTTP/1.1", 200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{}}`, 1e-6, 2e-6},
		{"POST", "http://x/mcp", "Content-Type: application/json", "HTTP/1.1", 200, "text/event-stream",
			"id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\ndata: \"params\":{}}\n\nevent: odd\ndata: x\n\n: keep alive\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}\n\n", 1e-6, 3e-6},
		{"GET", "http://x/mcp", "Accept: text/event-stream", "HTTP/1.1", 405, "x-unknown", "", 3, 0},
	}
	if len(got) != len(want) {
		t.Fatalf("%d entries: %+v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("entry %d is\n%+v\nwant\n%+v", i, got[i], want[i])
		}
	}
	if len(har.Log.Other) == 0 {
		t.Error("the life of the session is not there")
	}
}
