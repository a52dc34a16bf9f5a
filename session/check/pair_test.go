package check

import (
	"fmt"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// TestPairOfStreams: a server of HTTP+SSE answers on the stream of the GET and takes what is posted with
// words of its own. That holds whatever revision it agrees to: some speak the later ones over it.
func TestPairOfStreams(t *testing.T) {
	events := [][2]string{{"Content-Type", "text/event-stream"}}
	post := func(x int, body string) act {
		return func(w *recordings.Writer, at time.Duration) {
			w.Request(at, recordings.Exchange{Number: x, Line: "POST /messages", URL: "http://127.0.0.1/messages", Header: [][2]string{{"Content-Type", "application/json"}}})
			w.Body(at, x, recordings.In, []byte(body), true)
			w.Reply(at, recordings.Exchange{Number: x, Line: "HTTP/1.1 202", Status: 202})
			w.Body(at, x, recordings.Out, []byte("Accepted"), true)
			w.Over(at, x, "")
		}
	}
	event := func(kind, data string) act {
		return func(w *recordings.Writer, at time.Duration) {
			w.Body(at, 1, recordings.Out, fmt.Appendf(nil, "event: %s\ndata: %s\n\n", kind, data), false)
		}
	}
	for _, rev := range []client.Revision{client.Rev2024_11_05, client.Rev2025_11_25} {
		s := play(t,
			func(w *recordings.Writer, at time.Duration) {
				w.Request(at, recordings.Exchange{Number: 1, Line: "GET /sse", URL: "http://127.0.0.1/sse"})
				w.Reply(at, recordings.Exchange{Number: 1, Line: "HTTP/1.1 200 OK", Status: 200, Header: events})
			},
			event("endpoint", "/messages"),
			post(2, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+string(rev)+`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`),
			event("message", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"`+string(rev)+`","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`),
			era(rev),
			post(3, `{"jsonrpc":"2.0","method":"notifications/initialized"}`),
			post(4, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}`),
			event("message", `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`),
			post(5, `{"jsonrpc":"2.0","id":3,"method":"ping"}`),
			event("message", `{"jsonrpc":"2.0","id":3,"result":{}}`),
		)
		for _, f := range Findings(s.Log(), nil) {
			t.Errorf("%s: %s %s: %s", rev, f.Severity, f.Rule, f.Message)
		}
	}
}

// TestTypeOfReply: the sentence is whole with and without a type.
func TestTypeOfReply(t *testing.T) {
	for head, want := range map[string]string{
		"":                         "expected 202 without a body for notifications/initialized, got 200 with 2 bytes of no type",
		"Content-Type: text/plain": "expected 202 without a body for notifications/initialized, got 200 with 2 bytes of the type text/plain",
	} {
		found := Findings(dialogue(t, acceptedStatus, "@2025-06-18\n* POST /mcp\n> notifications/initialized\n* 200 "+head+"\n< ok\n* done").Log(), nil)
		if f := pick(found, acceptedStatus.Name); f == nil || f.Message != want {
			t.Errorf("%q: %s", head, told(found))
		}
	}
}

// TestHandshakeBehindDiscover: a server of both eras answers server/discover first; its handshake is judged
// by the revisions that have one.
func TestHandshakeBehindDiscover(t *testing.T) {
	found := Findings(dialogue(t, noBuffering, `@
* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: server/discover
> 1 server/discover
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{}}
* done
* POST /mcp
> 2 initialize {"protocolVersion":"2025-11-25","capabilities":{}}
* 200 Content-Type: text/event-stream; Mcp-Session-Id: x
< 2 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
* done`).Log(), nil)
	if len(found) > 0 {
		t.Errorf("%+v", found)
	}
}
