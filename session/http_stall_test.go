package session

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// TestHTTPStalls: a server that stops in the middle, wherever, costs the time limit and no more, and
// closing does not wait for it.
func TestHTTPStalls(t *testing.T) {
	flushed := func(w http.ResponseWriter, kind, text string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
		w.(http.Flusher).Flush()
	}
	for name, begin := range map[string]func(w http.ResponseWriter){
		"before the head":   func(http.ResponseWriter) {},
		"behind the head":   func(w http.ResponseWriter) { flushed(w, "application/json", "") },
		"in the body":       func(w http.ResponseWriter) { flushed(w, "application/json", `{"jsonrpc":"2.0",`) },
		"in an event":       func(w http.ResponseWriter) { flushed(w, "text/event-stream", `data: {"jsonrpc":"2.0",`) },
		"between events":    func(w http.ResponseWriter) { flushed(w, "text/event-stream", ": hello\n\n") },
		"in a page of HTML": func(w http.ResponseWriter) { flushed(w, "text/html", "<html>") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gone := make(chan struct{})
			s, _, err := webSession(t, &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": func(w http.ResponseWriter, r *http.Request) {
				begin(w)
				<-r.Context().Done() // the client hangs up
				close(gone)
			}}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := client.CallTool("a", nil)
			r.Limits = client.Limits{Idle: 100 * time.Millisecond}
			_, err = s.Call(t.Context(), r)
			var slow *client.TimeoutError
			if !errors.As(err, &slow) || !strings.Contains(err.Error(), "got no answer within 100ms") {
				t.Error(err)
			}
			<-gone
			s.Close()
			if calls := s.Snapshot().Calls; len(calls) > 0 && calls[0].GivenUp == "" {
				t.Errorf("open: %+v", calls)
			}
		})
	}
}
