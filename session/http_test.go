package session

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// webServer is a scripted server over HTTP: what it answers to a method, by the revision of the
// request. The zero one knows nothing and answers 404.
type webServer struct {
	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by method, or by verb for what is no POST
	got     []string
}

func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	name := client.GetText(body, "method")
	if name == "" {
		name = r.Method
	}
	s.mu.Lock()
	s.got = append(s.got, name)
	answer := s.answers[name]
	s.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	r.Header.Set("X-Id", string(client.Get(body, "id")))
	answer(w, r)
}

func (s *webServer) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// says answers with one JSON object; $id is the id of the request.
func says(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, strings.ReplaceAll(text, "$id", r.Header.Get("X-Id")))
	}
}

// streams answers with an event stream.
func streams(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(text, "$id", r.Header.Get("X-Id")))
	}
}

func result(text string) string { return `{"jsonrpc":"2.0","id":$id,"result":` + text + `}` }

var modernDiscover = says(200, result(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`))

// webSession connects to a server and records the session.
func webSession(t *testing.T, s *webServer, o Options) (*Session, *bytes.Buffer, error) {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	file := &bytes.Buffer{}
	target := Target{Address: client.Address{URL: web.URL + "/mcp"}}
	o.Start = time.Now()
	o.Fault = func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }
	o.Recorder = NewRecording(recordings.NewWriter(file), target, o, "test", o.Start, nil)
	if o.Limits == (client.Limits{}) {
		o.Limits = client.Limits{Idle: 20 * time.Second}
	}
	sess := New(target, o)
	err := sess.Connect(t.Context())
	t.Cleanup(func() { sess.Close() })
	return sess, file, err
}

// TestHTTPRecordedEqualsLive: what is read back gives the rows of the live session, in either era.
func TestHTTPRecordedEqualsLive(t *testing.T) {
	progress := `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1}}` + "\n\n"
	asked := make(chan struct{})
	var once sync.Once
	legacy := &webServer{answers: map[string]http.HandlerFunc{
		"initialize": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Mcp-Session-Id", "s-1")
			says(200, result(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}`))(w, r)
		},
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"GET": func(w http.ResponseWriter, r *http.Request) {
			streams("retry: 20000\n\n"+`data: {"jsonrpc":"2.0","id":"q1","method":"ping"}`+"\n\n")(w, r)
		},
		"POST":       func(w http.ResponseWriter, r *http.Request) { once.Do(func() { close(asked) }); w.WriteHeader(202) },
		"DELETE":     func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) },
		"no/such":    says(404, `{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no"}}`),
		"tools/list": says(200, result("{\n  \"tools\": [{\"name\": \"a\"}]\n}")+"\n"),
		"tools/call": streams(": hello\n\nid: 1\ndata:\n\n" + progress + progress + "data: " + `{"jsonrpc":"2.0",` + "\ndata: " + `"id":$id,"result":{"content":[]}}` + "\n\n"),
	}}
	modern := &webServer{answers: map[string]http.HandlerFunc{
		"server/discover": modernDiscover, "no/such": legacy.answers["no/such"], "tools/list": legacy.answers["tools/list"], "tools/call": legacy.answers["tools/call"],
	}}
	for name, server := range map[string]*webServer{"handshake": legacy, "stateless": modern} {
		t.Run(name, func(t *testing.T) {
			live, file, err := webSession(t, server, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := live.All(t.Context(), client.Tools); err != nil {
				t.Fatal(err)
			}
			if a, err := live.Call(t.Context(), client.CallTool("a", []byte(`{"x":1}`))); err != nil || a.IsError() {
				t.Fatal(err, a)
			}
			if a, err := live.Call(t.Context(), client.Request{Method: "no/such"}); err != nil || !a.IsError() {
				t.Fatal("404 with an answer is an answer:", err)
			}
			if name == "handshake" {
				<-asked
			}
			live.Close()
			r, err := recordings.NewReader(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			opened, err := Read(r)
			if err != nil || len(r.Notices()) > 0 {
				t.Fatal(err, r.Notices())
			}
			want, got := rows(live.Log()), rows(opened.Log())
			for i := range min(len(want), len(got)) {
				if want[i] != got[i] {
					t.Fatalf("row %d\nlive   %s\nopened %s", i, want[i], got[i])
				}
			}
			if len(want) != len(got) {
				t.Fatalf("%d rows live, %d opened", len(want), len(got))
			}
			a, b := live.Snapshot(), opened.Snapshot()
			if a.Phase != b.Phase || a.Counts != b.Counts || a.Server.Revision != b.Server.Revision || len(b.Lists["tools"].Items) != 1 {
				t.Errorf("live %+v\nopened %+v", a, b)
			}
			if opened.Target().Address.URL != live.Target().Address.URL {
				t.Errorf("opened %+v", opened.Target())
			}
		})
	}
	if got := legacy.seen(); got[len(got)-1] != "DELETE" {
		t.Errorf("the session was not ended: %v", got)
	}
}

// A server over HTTP may be anything: each gets a clear statement, soon.
func TestOddHTTPServers(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"nothing": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) }, "200 OK, but the reply ended without the answer"},
		"202":     {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) }, "202 Accepted for a request: no answer will come"},
		"a page": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html><head><title>Log\nin &amp; go</title>")
		}, "an HTML page, Log in & go"},
		"another message": {says(200, `{"jsonrpc":"2.0","id":"other","result":{}}`), "without the answer"},
		"cut in a stream": {streams("data: {\"jsonrpc\":\"2.0\",\"id\":$id,"), "the event stream ended without the answer"},
		"500":             {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "broken inside", 500) }, "500 Internal Server Error at http://"},
		"another origin": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example/mcp", http.StatusTemporaryRedirect)
		}, "it redirects to another origin, http://other.example/mcp, which is not followed"},
		"itself": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/mcp", http.StatusPermanentRedirect)
		}, "it redirects to itself"},
		"a circle": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, map[string]string{"/mcp": "/other"}[r.URL.Path]+"/mcp", http.StatusPermanentRedirect)
		}, "it redirected 6 times"},
		"a redirect of a form":  {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, "by which a POST would lose its body"},
		"a redirect to nothing": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(307) }, "it redirects to no address"},
		"hangs up":              {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "gave no reply: it closed the connection"},
		"less than promised": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"jsonrpc":"2.0",`)
		}, "unexpected EOF"},
		"another type of event": {streams("event: reply\ndata: " + result(`{"content":[]}`) + "\n\n"), `it had an event of the type "reply"`},
		"a coding": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			says(200, result(`{"content":[]}`))(gzipped{w, z}, r)
			z.Close()
		}, `its body is coded as "gzip", which was not asked for`},
		"no HTTP": {func(w http.ResponseWriter, r *http.Request) {
			c, _, _ := w.(http.Hijacker).Hijack()
			fmt.Fprint(c, "SSH-2.0-x\r\n")
			c.Close()
		}, "gave no reply: malformed HTTP response"},
		"a long page": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>"+strings.Repeat("a", 300))
		}, "an HTML page, " + strings.Repeat("a", 186) + "..."},
	} {
		t.Run(name, func(t *testing.T) {
			s := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": c.answer}}
			live, _, err := webSession(t, s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = live.Call(t.Context(), client.CallTool("a", nil))
			var broken *client.HTTPError
			if !errors.As(err, &broken) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// gzipped is a reply whose body is coded.
type gzipped struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (g gzipped) Write(p []byte) (int, error) { return g.z.Write(p) }

// A body that never ends is read as far as a message may go, whatever comes with it: the answer to a
// request, the receipt of a notification, a redirect.
func TestHTTPEndlessBody(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		want   string
	}{"answer": {200, "200 OK, but its body is longer than any message that is kept"}, "refusal": {500, "500 Internal Server Error: its body is longer"}, "redirect": {302, "it redirects to no address"}} {
		t.Run(name, func(t *testing.T) {
			closed := make(chan struct{}, 2)
			endless := func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(c.status)
				for fill := bytes.Repeat([]byte(" "), 1<<16); ; {
					if _, err := w.Write(fill); err != nil {
						closed <- struct{}{}
						return
					}
				}
			}
			s := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": endless, "notifications/x": endless}}
			live, _, err := webSession(t, s, Options{MaxLine: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			_, err = live.Call(t.Context(), client.CallTool("a", nil))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
			<-closed
			if err := live.Notify("notifications/x", nil); err != nil {
				t.Error(err)
			}
			<-closed
		})
	}
}

// A request whose exchange is over is open no more, live and as recorded.
func TestHTTPLost(t *testing.T) {
	s := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": says(502, `{}`)}}
	live, file, err := webSession(t, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = live.Call(t.Context(), client.CallTool("a", nil)); err == nil {
		t.Fatal("502 is an answer")
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
	if want, got := rows(live.Log()), rows(opened.Log()); !slices.Equal(want, got) {
		t.Errorf("live   %q\nopened %q", want, got)
	}
	for name, s := range map[string]*Session{"live": live, "opened": opened} {
		if open := s.Snapshot().Calls; len(open) > 0 {
			t.Errorf("%s: %+v is open", name, open)
		}
		if lost, ok := s.Snapshot().Lost[ToolSubject("a")]; !ok || !strings.Contains(lost.Lost, "502 Bad Gateway") {
			t.Errorf("%s: lost is %+v", name, lost)
		}
		said := false
		s.Log().Each(0, func(e Event) bool {
			if e.Open {
				t.Errorf("%s: row %d %s is open", name, e.Seq, e.Method)
			}
			said = said || e.Note != nil && e.Note.What == client.NoteLost && strings.Contains(e.Note.Text, "502 Bad Gateway")
			return true
		})
		if !said {
			t.Errorf("%s: nothing says why", name)
		}
	}
}

// What is no answer is told from a server that is not there.
func TestHTTPNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   bool
	}{
		"nothing":    {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) }, true},
		"202":        {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) }, true},
		"another id": {says(200, `{"jsonrpc":"2.0","id":"other","result":{}}`), true},
		"no event":   {streams(": c\n\n"), false}, // what was promised got lost
		"502":        {says(502, `{}`), false},
		"broken off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			fmt.Fprint(w, "{}")
		}, false},
		"hangs up":    {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, false},
		"a challenge": {says(401, `{}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": c.answer}}
			live, _, err := webSession(t, s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = live.Call(t.Context(), client.CallTool("a", nil))
			var web *client.HTTPError
			if !errors.As(err, &web) || web.NoAnswer() != c.want {
				t.Errorf("%v: no answer is %v", err, !c.want)
			}
		})
	}
}

// Giving up closes the exchange in the stateless era, and sends a notification before it.
func TestHTTPCancel(t *testing.T) {
	closed := make(chan struct{})
	s := &webServer{answers: map[string]http.HandlerFunc{"server/discover": modernDiscover, "tools/call": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": open\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(closed)
	}}}
	live, _, err := webSession(t, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := client.CallTool("a", nil)
	r.Sent = func(string) { time.AfterFunc(50*time.Millisecond, cancel) } // the exchange is open by then, or not yet: either way it closes
	if _, err := live.Call(ctx, r); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-closed
	if got := s.seen(); slices.Contains(got, client.MethodCancelled) {
		t.Errorf("%v", got)
	}
}

// HTTP+SSE of 2024-11-05: the answers come on the stream that named the endpoint.
func TestHTTPPair(t *testing.T) {
	out := make(chan string, 10)
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/messages" {
				w.WriteHeader(405)
				return
			}
			w.WriteHeader(202)
			if text != "" {
				out <- "event: message\ndata: " + strings.ReplaceAll(text, "$id", r.Header.Get("X-Id")) + "\n\n"
			}
		}
	}
	s := &webServer{answers: map[string]http.HandlerFunc{
		"initialize":                answer(result(`{"protocolVersion":"2024-11-05","capabilities":{}}`)),
		"notifications/initialized": answer(""),
		"tools/call":                answer(result(`{"content":[]}`)),
		"GET": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: endpoint\ndata: /messages?session=1\n\n")
			w.(http.Flusher).Flush()
			for {
				select {
				case text := <-out:
					fmt.Fprint(w, text)
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				}
			}
		},
	}}
	live, _, err := webSession(t, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if rev := live.Revision(); rev != client.Rev2024_11_05 {
		t.Errorf("revision %s", rev)
	}
	if _, err := live.Call(t.Context(), client.CallTool("a", nil)); err != nil {
		t.Error(err)
	}
	live.Log().Each(0, func(e Event) bool {
		if e.Note != nil && (e.Note.What == client.NoteWrite || e.Note.What == client.NoteWarning) {
			t.Errorf("a server that does nothing odd: %s", e.Note.Text)
		}
		return true
	})
}

// What a stream names as its endpoint decides where messages go: the first one counts, and only one
// of the same origin is used. The stream is given up where there is none.
func TestHTTPEndpoint(t *testing.T) {
	for name, c := range map[string]struct{ events, want string }{
		"two":            {"event: endpoint\ndata: /first\n\nevent: endpoint\ndata: /second\n\n", ""},
		"empty":          {"event: endpoint\ndata:\n\n", "names no endpoint that can be used"},
		"too long":       {"event: endpoint\ndata: /" + strings.Repeat("a", 1<<16) + "\n\n", "names no endpoint that can be used"},
		"another origin": {"event: endpoint\ndata: http://other.example/\n\n", "no address of the same origin"},
	} {
		t.Run(name, func(t *testing.T) {
			closed := make(chan struct{})
			s := &webServer{answers: map[string]http.HandlerFunc{
				"initialize": func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/first" {
						w.WriteHeader(405)
						return
					}
					says(200, result(`{"protocolVersion":"2024-11-05","capabilities":{}}`))(w, r)
				},
				"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
				"GET": func(w http.ResponseWriter, r *http.Request) {
					streams(c.events)(w, r)
					w.(http.Flusher).Flush()
					<-r.Context().Done()
					close(closed)
				},
			}}
			live, _, err := webSession(t, s, Options{})
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil {
				t.Error("connected")
			}
			<-closed
			if got := strings.Join(rows(live.Log()), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// A session that has expired is begun anew for a list as for a call.
func TestHTTPListExpired(t *testing.T) {
	var lists atomic.Int32
	s := &webServer{answers: map[string]http.HandlerFunc{
		"initialize": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Mcp-Session-Id", "s")
			says(200, result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`))(w, r)
		},
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"GET":                       func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(405) },
		"tools/list": func(w http.ResponseWriter, r *http.Request) {
			if lists.Add(1) == 1 {
				w.WriteHeader(404)
				return
			}
			says(200, result(`{"tools":[]}`))(w, r)
		},
	}}
	live, _, err := webSession(t, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := live.All(t.Context(), client.Tools); err != nil {
		t.Error(err)
	}
	if l := live.Snapshot().Lists["tools"]; l == nil || !l.Complete || l.Error != "" {
		t.Errorf("%+v", l)
	}
}

// A stream that breaks before the answer is resumed from its last event, in handshake revisions.
func TestHTTPResume(t *testing.T) {
	var resumed atomic.Value
	s := &webServer{answers: map[string]http.HandlerFunc{
		"initialize":                says(200, result(`{"protocolVersion":"2025-11-25","capabilities":{}}`)),
		"notifications/initialized": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202) },
		"tools/call":                streams("id: e1\nretry: 10\ndata:\n\n"),
		"GET": func(w http.ResponseWriter, r *http.Request) {
			last := r.Header.Get("Last-Event-Id")
			if last == "" {
				w.WriteHeader(405)
				return
			}
			resumed.Store(last)
			streams(`data: {"jsonrpc":"2.0","id":3,"result":{"content":[]}}`+"\n\n")(w, r)
		},
	}}
	live, _, err := webSession(t, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := live.Call(t.Context(), client.CallTool("a", nil)); err != nil {
		t.Error(err)
	}
	if resumed.Load() != "e1" {
		t.Errorf("resumed after %v", resumed.Load())
	}
}
