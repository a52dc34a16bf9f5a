package export

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

var update = flag.Bool("update", false, "write the golden files anew")

func open(t testing.TB, r io.Reader) (*session.Session, recordings.Head) {
	t.Helper()
	in, err := recordings.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(in, check.New())
	if err != nil {
		t.Fatal(err)
	}
	return s, in.Head()
}

func sample(t testing.TB, name string) (*session.Session, recordings.Head) {
	t.Helper()
	f, err := recordings.Samples().Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return open(t, f)
}

// said is a session in which a server says one thing wherever it can.
func said(t testing.TB, text string) (*session.Session, recordings.Head) {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	q := string(quoted)
	var file bytes.Buffer
	w := recordings.NewWriter(&file)
	w.Head(recordings.Head{Tool: text, Start: time.Unix(0, 0), Target: recordings.Target{Command: []string{text}, Cwd: text}})
	w.Spawn(0, 1, 2, text)
	w.Bytes(1, recordings.In, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"name":`+q+`}}`+"\n"))
	w.Bytes(2, recordings.Out, []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":`+q+`,"serverInfo":{"name":`+q+`,"version":`+q+`}}}`+"\n"+text+"\n"))
	w.Bytes(3, recordings.In, []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":`+q+`,"arguments":{"s":`+q+`}}}`+"\n"))
	w.Bytes(4, recordings.Out, []byte(`{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":`+q+`}]}}`+"\n"))
	w.Bytes(5, recordings.Err, []byte(text+"\n"))
	w.Ctl(6, "warning", recordings.Text("text", text))
	code := 1
	w.Exit(7, &code, "", "no", "")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, &file)
}

func write(t testing.TB, format string, s *session.Session, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, s, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, format := range Formats {
		s, head := sample(t, "legacy-crash.jsonl")
		got := write(t, format, s, Options{Head: head, Name: "legacy-crash.jsonl", Tool: "mcpinspect test"})
		path := filepath.Join("testdata", "legacy-crash."+format)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is not as it was; run with -update and look at it", path)
		}
	}
}

// TestHostile: nothing that a server says becomes markup, wherever it is shown.
func TestHostile(t *testing.T) {
	const evil = "</pre><script>alert(1)</script><img src=x onerror=y> ````\n![x](https://e.example/p) [a](b) \u202e \x1b[31m & \"'"
	s, head := said(t, evil)
	o := Options{Head: head, Name: evil, Tool: "t"}
	page := write(t, "html", s, o)
	for _, bad := range []string{"<script", "<img", "\x1b", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if strings.Count(page, "</pre>") != strings.Count(page, "<pre>") || !strings.Contains(page, "default-src 'none'") {
		t.Error("a block was closed by what is in it, or there is no policy")
	}
	fence := ""
	for l := range strings.Lines(write(t, "md", s, o)) {
		l = strings.TrimSuffix(l, "\n")
		ticks := len(l) - len(strings.TrimLeft(l, "`"))
		switch {
		case fence == "" && ticks >= 3:
			fence = l[:ticks]
		case fence != "" && l == fence:
			fence = ""
		case fence != "" && strings.HasPrefix(l, fence):
			t.Errorf("a fence ends by what is within: %q", l)
		case fence == "" && (strings.Contains(l, "<script") || strings.Contains(l, "![") || strings.Contains(strings.ReplaceAll(l, `\[`, ""), "[")):
			if !strings.Contains(l, `\<script`) {
				t.Errorf("markup outside of a block: %q", l)
			}
		}
		if strings.ContainsAny(l, "\x1b\u202e") {
			t.Errorf("a character that acts: %q", l)
		}
	}
	if fence != "" {
		t.Error("a fence has no end")
	}
}

func TestHAR(t *testing.T) {
	s, head := sample(t, "modern-clean.jsonl")
	var har struct {
		Log struct {
			Version string
			Entries []struct {
				StartedDateTime time.Time
				Time            float64
				Request         struct{ PostData struct{ Text string } }
				Response        struct {
					Status  int
					Content struct{ Text string }
				}
			}
			Other []struct{ Stream string } `json:"_other"`
		}
	}
	if err := json.Unmarshal([]byte(write(t, "har", s, Options{Head: head})), &har); err != nil {
		t.Fatal(err)
	}
	l := har.Log
	if l.Version != "1.2" || len(l.Entries) != 7 || len(l.Other) != 5 {
		t.Fatalf("%d entries, %d others", len(l.Entries), len(l.Other))
	}
	if e := l.Entries[3]; e.Response.Status != 200 || e.Time != 3 || !strings.Contains(e.Request.PostData.Text, `"a":2`) || !strings.Contains(e.Response.Content.Text, `"sum":5`) {
		t.Errorf("%+v", e)
	}
}

// TestMask: what is to be hidden is in no format, neither where it was pointed at nor elsewhere.
func TestMask(t *testing.T) {
	secrets := &recordings.Secrets{}
	secrets.Add("TOKEN", "tok-1234567")
	for _, c := range []struct {
		text  string
		words []string
	}{
		{"ada.lovelace-77", []string{"/params/arguments/s", "/params/name", "/result/*/*/text", "/result/serverInfo/*", "/result/protocolVersion"}},
		{"card 4111111111111111", []string{"re:[0-9]{16}"}},
		{"tok-1234567", nil},
	} {
		hidden := strings.TrimPrefix(c.text, "card ")
		for _, format := range Formats {
			s, head := said(t, c.text)
			m, err := NewMask(c.words, secrets)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Head: head, Name: "x", Tool: "t", Mask: m}
			got := write(t, format, s, o)
			if strings.Contains(got, hidden) {
				t.Errorf("%s with %q still has %s:\n%s", format, c.words, hidden, got)
			}
			if len(m.Hidden()) == 0 || len(m.Idle()) > 0 {
				t.Errorf("%s: hidden %q, idle %q", format, m.Hidden(), m.Idle())
			}
			if format == "jsonl" {
				for l := range strings.Lines(got) {
					if !json.Valid([]byte(l)) {
						t.Errorf("no JSON any more: %s", l)
					}
				}
			}
		}
	}
	for _, bad := range []string{"", "params", "re:(", "re:a*"} {
		if _, err := NewMask([]string{bad}, nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	m, _ := NewMask([]string{"/nothing", "re:zzz"}, nil)
	s, head := sample(t, "modern-clean.jsonl")
	write(t, "md", s, Options{Head: head, Mask: m})
	if len(m.Idle()) != 2 {
		t.Errorf("idle: %q", m.Idle())
	}
}

// FuzzHide: whatever is hidden, JSON stays JSON.
func FuzzHide(f *testing.F) {
	f.Add(`{"a":[1,{"b":"x"}],"a":null}`, "/a/*")
	f.Add(`[{"a":"\u0000"}]`, "/a")
	f.Add(`{"a":{"a":1}}`, "/*")
	f.Fuzz(func(t *testing.T, text, ptr string) {
		m, err := NewMask([]string{"/" + ptr}, nil)
		if err != nil || !json.Valid([]byte(text)) {
			return
		}
		if got := m.message([]byte(text)); !json.Valid(got) {
			t.Errorf("%q hidden in %q gives %q", ptr, text, got)
		}
	})
}
