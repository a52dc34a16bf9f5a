package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

func open(t *testing.T, command string) *Store {
	t.Helper()
	s, err := Open(command, "/here")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keep(t *testing.T, s *Store, c Call) {
	t.Helper()
	if err := s.Begin(c); err != nil {
		t.Fatal(err)
	}
	if c.Outcome == "" {
		return
	}
	if err := s.End(c); err != nil {
		t.Fatal(err)
	}
}

func TestKeptOverTheEnd(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	at := time.Date(2026, 8, 1, 10, 0, 0, 123456789, time.UTC)
	s := open(t, "./srv")
	keep(t, s, Call{Tool: "add", At: at, Args: []byte(`{"b":1.50,"a":100000000000000000001}`), Left: 1, Outcome: "ok", Latency: 3200 * time.Microsecond})
	keep(t, s, Call{Tool: "add", At: at.Add(time.Second), Args: []byte(`{"a":2}`)})
	keep(t, s, Call{Tool: "od\"d\n", At: at, Args: []byte(`{}`), Outcome: "tool error"})
	if got := s.Calls("add"); len(got) != 0 {
		t.Errorf("calls of this session are told as earlier ones: %v", got)
	}
	again := open(t, "./srv")
	got := again.Calls("add")
	if len(got) != 2 || string(got[0].Args) != `{"b":1.50,"a":100000000000000000001}` || got[0].Outcome != "ok" || got[0].Latency != 3200*time.Microsecond ||
		!got[0].At.Equal(at) || got[0].Left != 1 || got[1].Outcome != "" {
		t.Errorf("%+v", got)
	}
	if got := again.Calls("od\"d\n"); len(got) != 1 || got[0].Outcome != "tool error" {
		t.Errorf("%+v", got)
	}
	if got := open(t, "./other").Calls("add"); len(got) != 0 {
		t.Errorf("another server has them too: %v", got)
	}
	st, err := os.Stat(s.path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	if err := again.Clear(); err != nil {
		t.Fatal(err)
	}
	if len(again.Calls("add")) != 0 || len(open(t, "./srv").Calls("add")) != 0 {
		t.Error("something is left after Clear")
	}
}

// TestBrokenFile: a torn line, another program's lines and a missing file cost what they hold.
func TestBrokenFile(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := open(t, "./srv")
	keep(t, s, Call{Tool: "add", At: time.Unix(1, 0), Args: []byte(`{"a":1}`)})
	raw, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	odd := "null\n[]\n{\"tool\":7}\n{\"tool\":\"add\",\"args\":[1],\"t\":\"2026-01-01T00:00:00Z\"}\n\xff\n" + string(raw) + `{"tool":"add","t":"2026`
	if err := os.WriteFile(s.path, []byte(odd), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := open(t, "./srv").Calls("add"); len(got) != 1 || string(got[0].Args) != `{"a":1}` {
		t.Errorf("%+v", got)
	}
	os.RemoveAll(filepath.Dir(s.path))
	keep(t, s, Call{Tool: "add", At: time.Unix(2, 0), Args: []byte(`{"a":2}`)})
	if got := open(t, "./srv").Calls("add"); len(got) != 1 {
		t.Errorf("%d calls after the folder was deleted", len(got))
	}
}

func TestBounds(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := open(t, "./srv")
	large := strings.Repeat("x", 20<<10)
	for i := range 300 { // 6 MB in all
		keep(t, s, Call{Tool: fmt.Sprint("tool", i%10), At: time.Unix(int64(i), 0), Args: fmt.Appendf(nil, `{"n":%d,"x":"%s"}`, i, large), Outcome: "ok"})
	}
	if st, err := os.Stat(s.path); err != nil || st.Size() > maxFile {
		t.Errorf("the file has %d bytes", st.Size())
	}
	last := open(t, "./srv").Calls("tool9")
	if len(last) == 0 || !strings.HasPrefix(string(last[len(last)-1].Args), `{"n":299,`) || last[len(last)-1].Outcome != "ok" {
		t.Errorf("the newest call is lost: %d calls", len(last))
	}
	for i := range 2 * KeepPerTool {
		keep(t, s, Call{Tool: "many", At: time.Unix(int64(i), 0), Args: fmt.Appendf(nil, `{"n":%d}`, i)})
	}
	if got := open(t, "./srv").Calls("many"); len(got) != KeepPerTool || string(got[len(got)-1].Args) != `{"n":99}` {
		t.Errorf("%d calls", len(got))
	}
	for _, args := range []string{`{"x":"` + strings.Repeat("x", MaxArguments) + `"}`, `[1]`, "{\n}", ``} {
		if err := s.Begin(Call{Tool: "not", Args: []byte(args)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := open(t, "./srv").Calls("not"); len(got) != 0 {
		t.Errorf("%d calls that must not be kept", len(got))
	}
}

func TestServersAreBounded(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for i := range maxServers + 5 {
		keep(t, open(t, fmt.Sprint("srv", i)), Call{Tool: "t", At: time.Unix(1, 0), Args: []byte(`{}`)})
	}
	dir, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != maxServers {
		t.Errorf("%d files, %v", len(files), err)
	}
	if n, err := ClearAll(); n != maxServers || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestScrub(t *testing.T) {
	known := &recordings.Secrets{}
	known.Add("API", "s3cr3t-value")
	input := `{"type":"object","properties":{"user":{"type":"string"},"pin":{"type":"string","format":"password"},"o":{"type":"object","properties":{"w":{"type":"string","writeOnly":true}}}}}`
	for _, c := range []struct {
		args, want string
		left       int
	}{
		{`{"user":"ada","pin":"1234"}`, `{"user":"ada"}`, 1},
		{`{"user":"ada s3cr3t-value"}`, `{}`, 1},
		{`{"api_token":"x","n":1.50}`, `{"n":1.50}`, 1},
		{`{"tokens":["a","b"],"l":[1,"s3cr3t-value",2]}`, `{"tokens":["",""],"l":[1,"",2]}`, 3},
		{`{"deep":{"password":"x","user":"y"}}`, `{"deep":{"user":"y"}}`, 1},
		{`{"max_tokens":5}`, `{"max_tokens":5}`, 0},
		{"{\n\"user\": \"a\\nb\" }", `{"user":"a\nb"}`, 0},
		{`[1]`, ``, 0},
		{`{`, ``, 0},
	} {
		got, left := Scrub([]byte(input), []byte(c.args), known)
		if string(got) != c.want || left != c.left {
			t.Errorf("%s: %s, %d left; want %s, %d", c.args, got, left, c.want, c.left)
		}
	}
	if got, _ := Scrub(nil, []byte(`{"a":1}`), nil); string(got) != `{"a":1}` {
		t.Errorf("without a schema: %s", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"tool":"add","t":"2026-01-01T00:00:00Z","args":{"a":1}}` + "\n" + `{"tool":"add","t":"2026-01-01T00:00:00Z","end":"ok","ms":1.5}` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, c := range parse(raw) {
			if c.Tool == "" || !client.ValidJSON(c.Args) || c.Args[0] != '{' {
				t.Fatalf("%+v", c)
			}
			Scrub(nil, c.Args, nil)
		}
	})
}
