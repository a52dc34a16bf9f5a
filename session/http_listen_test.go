package session

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
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

// TestHTTPOwnStreamFirst: a handshake server that asks on its own stream finds it open when the first
// request comes.
func TestHTTPOwnStreamFirst(t *testing.T) {
	open := make(chan struct{})
	server := &webServer{answers: map[string]http.HandlerFunc{
		"initialize":                says(200, result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"n","version":"1"}}`)),
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"GET": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			close(open)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"tools/call": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-open:
				says(200, result(`{"content":[]}`))(w, r)
			default:
				says(200, `{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"nobody listens"}}`)(w, r)
			}
		},
	}}
	s, _, err := webSession(t, server, Options{Protocol: client.Rev2025_11_25})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := s.Call(t.Context(), client.CallTool("a", nil)); err != nil || a.IsError() {
		t.Errorf("%v %v", err, a.Err())
	}
}

// refusals tells of every error that was taken in.
type refusals chan struct{}

func (r refusals) Frame(e *Event, f *client.Frame) []Mark {
	if e.Kind == client.KindError {
		r <- struct{}{}
	}
	return nil
}

func (refusals) Note(*Event, *client.Note) []Mark { return nil }

// TestHTTPErrorsWithoutID: an error without an id answers the request of its own exchange, whatever else is
// open, and what refuses a stream or a notification answers nothing. A recording says the same.
func TestHTTPErrorsWithoutID(t *testing.T) {
	const refusal = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}`
	called, release, refused := make(chan struct{}), make(chan struct{}), make(refusals, 10)
	server := &webServer{answers: map[string]http.HandlerFunc{
		"initialize":                says(200, result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"n","version":"1"}}`)),
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"notifications/other":       says(400, refusal),
		"GET":                       func(w http.ResponseWriter, r *http.Request) { <-called; says(405, refusal)(w, r) },
		"tools/call": func(w http.ResponseWriter, r *http.Request) {
			close(called)
			<-release
			says(200, result(`{"content":[]}`))(w, r)
		},
		"no/such":   says(400, refusal),
		"no/status": says(200, refusal),
	}}
	live, file, err := webSession(t, server, Options{Protocol: client.Rev2025_11_25, Observers: []Observer{refused}})
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan client.Answer, 1)
	go func() {
		a, err := live.Call(t.Context(), client.CallTool("a", nil))
		if err != nil {
			t.Error(err)
		}
		slow <- a
	}()
	<-refused
	if err := live.Notify("notifications/other", nil); err != nil {
		t.Fatal(err)
	}
	<-refused
	for _, method := range []string{"no/such", "no/status"} {
		if a, err := live.Call(t.Context(), client.Request{Method: method}); err != nil || !a.IsError() {
			t.Errorf("%s: %v %v", method, err, a.Err())
		}
	}
	close(release)
	if a := <-slow; a.IsError() {
		t.Errorf("the slow call was answered with %v", a.Err())
	}
	live.Close()
	r, err := recordings.NewReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Read(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*Session{"live": live, "opened": opened} {
		var got []string
		s.Log().Each(0, func(e Event) bool {
			if e.Kind == client.KindError || e.Kind == client.KindResponse && e.Method == "tools/call" {
				line := "none"
				if q, ok := s.Log().Event(e.Pair); e.Pair != NoPair && ok {
					line = q.Method
				}
				for _, m := range e.Marks {
					line += " " + m.Rule
				}
				got = append(got, line)
			}
			return true
		})
		if want := "none, none, no/such, no/status error-without-id, tools/call"; strings.Join(got, ", ") != want {
			t.Errorf("%s: %s\nwant %s", name, strings.Join(got, ", "), want)
		}
	}
}
