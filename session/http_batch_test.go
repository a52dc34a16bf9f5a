package session

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// TestHTTPSeveralValues: messages that stand one behind the other in one body are recovered as those on
// one line of stdout are, and each reaches whom it is for; a recording of them reads the same.
func TestHTTPSeveralValues(t *testing.T) {
	progress := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1}}`
	for name, reply := range map[string]http.HandlerFunc{
		"a JSON body":   says(200, progress+"\n"+result(`{"content":[]}`)+"\n"),
		"glued to text": says(200, "ok "+result(`{"content":[]}`)),
		"one event":     streams("data: " + progress + result(`{"content":[]}`) + "\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			s, file, err := webSession(t, &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": reply}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := s.Call(t.Context(), client.CallTool("x", nil))
			if err != nil || a.ResultRaw() == nil {
				t.Fatal(err)
			}
			if n := len(s.Snapshot().Calls); n != 0 {
				t.Errorf("%d calls are open", n)
			}
			s.Close()
			r, err := recordings.NewReader(file)
			if err != nil {
				t.Fatal(err)
			}
			opened, err := Read(r)
			if err != nil {
				t.Fatal(err)
			}
			if want, got := rows(s.Log()), rows(opened.Log()); !slices.Equal(want, got) {
				t.Errorf("live\n%s\nopened\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

// TestHTTPBatch: in 2025-03-26 a body may hold several messages, in either direction.
func TestHTTPBatch(t *testing.T) {
	server := &webServer{answers: map[string]http.HandlerFunc{
		"initialize":                says(200, result(`{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"n","version":"1"}}`)),
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"GET":                       func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(405) },
		"tools/list":                says(200, `[`+result(`{"tools":[]}`)+`]`),
		"POST":                      says(200, `[{"jsonrpc":"2.0","id":"a","result":{}},{"jsonrpc":"2.0","id":"b","error":{"code":-32601,"message":"no"}}]`),
	}}
	s, _, err := webSession(t, server, Options{Protocol: client.Rev2025_03_26})
	if err != nil {
		t.Fatal(err)
	}
	if stop, err := s.All(t.Context(), client.Tools); err != nil || stop != client.StopNone {
		t.Errorf("a batch with one answer: %v %v", stop, err)
	}
	if err := s.SendRaw([]byte(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"no/such"}]` + "\n")); err != nil {
		t.Fatal(err)
	}
	answered := func() (n int) {
		s.Log().Each(0, func(e Event) bool {
			if e.Kind == client.KindBatch && e.Stream == client.Out {
				n++
			}
			return true
		})
		return n
	}
	for answered() < 2 {
		<-s.Changed()
	}
	if calls := s.Snapshot().Calls; len(calls) > 0 {
		t.Errorf("open: %v", calls)
	}
	s.Close()
	s.Log().Each(0, func(e Event) bool {
		if e.Note != nil && e.Note.What == client.NoteWarning {
			t.Errorf("a warning: %s", e.Note.Text)
		}
		return true
	})
}
