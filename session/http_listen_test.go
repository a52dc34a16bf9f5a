package session

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

// TestHTTPListen: over HTTP a subscription is a stream that stays open: giving it up closes that and sends
// nothing, and a stream that breaks is named. Closing the session says nothing of it.
func TestHTTPListen(t *testing.T) {
	cut, closed := make(chan struct{}), make(chan struct{}, 3)
	server := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "subscriptions/listen": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: "+acknowledged+"\n\n", r.Header.Get("X-Id"), `{"toolsListChanged":true}`)
		w.(http.Flusher).Flush()
		select {
		case <-cut:
		case <-r.Context().Done():
		}
		closed <- struct{}{}
	}}}
	s, _, err := webSession(t, server, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := client.Interest{Tools: true}
	listen := func() {
		t.Helper()
		if err := s.Listen(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if subs := s.Snapshot().Subscriptions; len(subs) != 1 || !subs[0].Acked {
			t.Errorf("%+v", subs)
		}
	}
	listen()
	if err := s.Unlisten(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	<-closed
	for len(s.Snapshot().Subscriptions) > 0 {
		<-s.Changed()
	}
	listen()
	cut <- struct{}{}
	<-closed
	for len(s.Snapshot().Subscriptions) > 0 || len(notes(s, client.NoteInfo)) == 0 {
		<-s.Changed()
	}
	if got := notes(s, client.NoteInfo); len(got) != 1 || !strings.Contains(got[0], "the event stream ended without the answer") {
		t.Errorf("%q", got)
	}
	listen()
	s.Close()
	<-closed
	if got := notes(s, client.NoteInfo); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := strings.Join(server.seen(), " "); strings.Contains(got, client.MethodCancelled) {
		t.Errorf("sent %s", got)
	}
}
