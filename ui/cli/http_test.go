package cli

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

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

// odd serves tools/list well and leaves tools/call to answer, which writes the whole reply.
func odd(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, id string)) string {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := string(client.Get(body, "id"))
		reply := func(result string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
		}
		switch client.GetText(body, "method") {
		case client.MethodDiscover:
			reply(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case client.Tools.Method:
			reply(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		default:
			answer(w, r, id)
		}
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestOddReplies: what a server sends instead of an answer has its exit code, and no more of it is
// said than a person reads.
func TestOddReplies(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("ODD_TEST_TOKEN", "token-for-odd-tests")
	const longest = 20 << 10 // of what is said
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"q%d":{"method":"elicitation/create","params":{"message":"m\u001b","requestedSchema":{"type":"object"}}}`, i)
		}
		return b.String()[1:]
	}
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, id string)
		words  []string
		query  string
		code   int
		says   []string
		never  string
	}{
		"nothing": {answer: func(http.ResponseWriter, *http.Request, string) {}, code: 7, says: []string{"200 OK, but the reply ended without the answer"}},
		"a long challenge": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.Header().Set("Www-Authenticate", "Bearer "+strings.Repeat("a", 1<<19))
			w.WriteHeader(401)
		}, code: 3, says: []string{"the server asks for: Bearer aaa"}},
		"questions by the thousand": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":{%s}}}`, id, many(1000))
		}, words: []string{"--answer", "accept"}, code: 7, says: []string{"q7, and 992 more", `q0 "m\u001b": accept`, "more remarks of the kind question"}},
		"secrets": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.Header().Set("Www-Authenticate", "Bearer error="+r.Header.Get("Authorization"))
			w.WriteHeader(401)
			fmt.Fprint(w, "you sent ", r.Header.Get("Cookie"), r.Header.Get("X-Mine"), r.URL)
		}, words: []string{"--bearer-env", "ODD_TEST_TOKEN", "-H", "X-Mine: for-odd-tests-too", "-H", "Cookie: a=for-odd-tests-again; b=c"}, query: "?api_key=for-odd%2Dtests",
			code: 3, says: []string{"401 Unauthorized", "you sent"}, never: "odd-tests"},
		"secrets as JSON": {answer: func(w http.ResponseWriter, r *http.Request, id string) {
			w.WriteHeader(500)
			fmt.Fprint(w, r.Header.Get("Authorization"))
		}, words: []string{"--json", "--bearer-env", "ODD_TEST_TOKEN"}, code: 4, says: []string{`"message":`, "it says: Bearer ****"}, never: "odd-tests"},
	} {
		t.Run(name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "r.jsonl")
			address := odd(t, c.answer) + "/mcp" + c.query
			code, _, errs := runMain(t, append(append([]string{"call", "t", "--record", record}, c.words...), address))
			if code != c.code {
				t.Errorf("exit status %d, not %d: %s", code, c.code, errs)
			}
			if len(errs) > longest {
				t.Errorf("%d bytes are said", len(errs))
			}
			for _, s := range c.says {
				if !strings.Contains(string(errs), s) {
					t.Errorf("%q is not said in\n%s", s, errs)
				}
			}
			if c.never == "" {
				return
			}
			kept, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(errs)+string(kept), c.never) {
				t.Errorf("a secret is said in\n%s\nor in\n%s", errs, kept)
			}
		})
	}
}

// TestLibraryLog: nothing of what the libraries log reaches stderr by itself, where a screen may be.
func TestLibraryLog(t *testing.T) {
	s := hear(session.New(session.Target{Label: "x"}, session.Options{}))
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q", "x")
	if e, ok := s.Log().Event(0); !ok || e.Note == nil || e.Note.What != client.NoteWarning || !strings.HasPrefix(e.Note.Text, "Unsolicited response") {
		t.Errorf("%+v", e.Note)
	}
}

// TestHeaderWords: a header that cannot be sent as it is said is refused, and Host is sent.
func TestHeaderWords(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	hosts := make(chan string, 1)
	address := odd(t, func(w http.ResponseWriter, r *http.Request, id string) {
		hosts <- r.Host
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, id)
	})
	if code, _, errs := runMain(t, []string{"call", "t", "-H", "host: other.example", address}); code != 0 || <-hosts != "other.example" {
		t.Errorf("exit status %d: %s", code, errs)
	}
	for _, name := range []string{"content-length", "Transfer-Encoding", "trailer"} {
		if code, _, errs := runMain(t, []string{"call", "t", "-H", name + ": 5", address}); code != 1 || !strings.Contains(string(errs), "follows from the message") {
			t.Errorf("%s: exit status %d: %s", name, code, errs)
		}
	}
}
