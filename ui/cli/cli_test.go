package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

func TestOutcomes(t *testing.T) {
	rpc := &client.RPCError{Raw: []byte(`{"code":-1}`), CodeRaw: "-1"}
	exit := &client.Exit{Code: 3}
	for _, c := range []struct {
		err  error
		code int
		kind string
	}{
		{usagef("x"), 1, "usage"},
		{&recordings.ExistsError{Path: "f"}, 1, "usage"},
		{&recordings.BusyError{Path: "f"}, 1, "usage"},
		{os.ErrNotExist, 1, "usage"},
		{&failure{outcome: findings}, 2, "findings"},
		{&client.StartError{Program: "x", Err: os.ErrNotExist}, 4, "unreachable"},
		{&client.NegotiationError{Text: "x", Err: rpc}, 4, "unreachable"},
		{&client.TimeoutError{}, 4, "unreachable"},
		{&client.ClosedError{Exit: exit}, 4, "unreachable"},
		{fmt.Errorf("page 2: %w", &client.ClosedError{}), 4, "unreachable"},
		{fmt.Errorf("%w of 1s", client.ErrConnectTimeout), 4, "unreachable"},
		{errDeadline, 4, "unreachable"},
		{session.ErrNotConnected, 4, "unreachable"},
		{&failure{outcome: toolFault}, 5, "tool"},
		{violation("x", nil), 6, "schema"},
		{rpc, 7, "protocol"},
		{&client.Fault{Where: "x", Cause: "y"}, 70, "internal"},
		{errInterrupted, 130, "interrupted"},
		{context.Canceled, 130, "interrupted"},
		// The first of the precedence wins, whatever the order.
		{errors.Join(&failure{outcome: findings}, rpc), 7, "protocol"},
		{errors.Join(rpc, &client.ClosedError{}), 4, "unreachable"},
		{errors.Join(&client.ClosedError{}, errInterrupted), 130, "interrupted"},
		{errors.Join(&failure{outcome: toolFault}, violation("x", nil)), 6, "schema"},
		{errors.Join(errors.Join(usagef("x"), rpc), violation("x", nil)), 7, "protocol"},
	} {
		if r := reportOf(c.err); r.outcome.code != c.code || r.outcome.kind != c.kind {
			t.Errorf("%v: %d %s, not %d %s", c.err, r.outcome.code, r.outcome.kind, c.code, c.kind)
		}
	}
}

func TestReportJSON(t *testing.T) {
	raw := []byte("{\"code\":-32602,\"message\":\"bad\\u0007\",\"data\":{\n \"b\": 1.0, \"a\": 2}}")
	for _, c := range []struct {
		err  error
		want string
	}{
		{client.NewRPCError(raw), `{"error":{"kind":"protocol","message":"the server answered with error -32602: bad\u0007","code":-32602,"data":{  "b": 1.0, "a": 2}}}`},
		{client.NewRPCError([]byte(`{"code":"E42"}`)), `{"error":{"kind":"protocol","message":"the server answered with error \"E42\": no message given","code":"E42"}}`},
		{usagef("say \xff").hinted("do\nthis"), `{"error":{"kind":"usage","message":"say ` + "\uFFFD" + `","hint":"do\nthis"}}`},
		{&client.TimeoutError{Method: "tools/call", ID: "4", Limits: client.Limits{Idle: 1e9}, Facts: []string{"a fact"}},
			`{"error":{"kind":"unreachable","message":"tools/call (id 4) got no answer within 1s; a fact","hint":"to wait longer: --timeout 2m"}}`},
		{violation("no", []schema.Problem{{Path: "/a", Keyword: "type", Message: "must be text"}}),
			`{"error":{"kind":"schema","message":"no; a: must be text","data":{"problems":[{"path":"/a","keyword":"type","message":"must be text"}]}}}`},
	} {
		if got := strings.TrimSuffix(string(reportOf(c.err).json()), "\n"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestTold: what a detail announces stands behind its colon.
func TestTold(t *testing.T) {
	err := &failure{outcome: unreachable, text: "it ended", details: []string{"not answered", "its last lines on stderr:", "  a", "  b"}, hint: "try"}
	if got, want := told(err), "it ended; not answered; its last lines on stderr: a; b; try"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSize(t *testing.T) {
	for word, want := range map[string]size{"1": 1, "64MiB": 64 << 20, "64m": 64 << 20, "10MB": 10e6, "2k": 2048, "1GiB": 1 << 30, "5 MB": 5e6, "7B": 7} {
		var s size
		if err := s.Set(word); err != nil || s != want {
			t.Errorf("%q: %d %v", word, s, err)
		}
	}
	for _, word := range []string{"", "0", "-1", "1.5MiB", "MiB", "9999999GiB", "3 parsecs", "0x10"} {
		var s size
		if err := s.Set(word); err == nil {
			t.Errorf("%q was taken as %d", word, s)
		}
	}
	if s := size(client.DefaultMaxLine); s.String() != "64MiB" {
		t.Errorf("%s", &s)
	}
}

func TestVerbFirst(t *testing.T) {
	a := &app{}
	root := a.root(a.verbs())
	for _, c := range []struct{ args, want string }{
		{"list tools --json", "list tools --json"},
		{"--json list tools", "list --json tools"},
		{"--timeout 3s list", "list --timeout 3s"},
		{"--timeout=3s -q list", "list --timeout=3s -q"},
		{"-e K=V --cwd list info", "info -e K=V --cwd list"},
		{"--cwd list", "--cwd list"},
		{"./srv list", "./srv list"},
		{"form x", "form x"},
		{"--nope list", "list --nope"},
		{"", ""},
	} {
		if got := strings.Join(verbFirst(root, strings.Fields(c.args)), " "); got != c.want {
			t.Errorf("%q: %q, not %q", c.args, got, c.want)
		}
	}
}

// A command line makes no verb that it cannot be about.
func TestNeeded(t *testing.T) {
	all := len((&app{}).verbs())
	for _, c := range []struct {
		args   string
		dashed bool
		want   int
	}{
		{"list tools", true, 1}, {"list", false, 1}, {"", true, 0}, {"", false, all}, {"--json list", true, all}, {"info", true, all}, {"--help", false, all}, {"help list", false, all}, {"lst", true, all},
	} {
		a := &app{line: line{dashed: c.dashed}}
		if got := len(a.needed(strings.Fields(c.args))); got != c.want {
			t.Errorf("%q: %d verbs, not %d", c.args, got, c.want)
		}
	}
	a := &app{}
	for _, v := range a.verbs() {
		if c := v.make(); c.Name() != v.name {
			t.Errorf("%s makes %s", v.name, c.Name())
		}
	}
}

// TestFlagsWork keeps the promise that a flag means the same for each verb, and that every verb has
// an example.
func TestFlagsWork(t *testing.T) {
	a := &app{}
	for _, c := range a.root(a.verbs()).Commands() {
		if c.Hidden {
			continue
		}
		if c.Example == "" {
			t.Errorf("%s has no example", c.Name())
		}
		if c.Name() == "completion" { // what it prints is a program
			continue
		}
		if c.Name() == "tap" || c.Name() == "mock" { // they make no requests of their own
			continue
		}
		if c.Flags().Lookup("probe-timeout") == nil || c.Name() == "open" { // it works on files
			if c.Flags().Lookup("no-color") == nil || c.Flags().Lookup("json") == nil && c.Name() != "open" {
				t.Errorf("%s lacks --no-color or --json", c.Name())
			}
			continue
		}
		for _, name := range []string{"json", "quiet", "protocol", "env", "cwd", "clean-env", "timeout", "max-time", "connect-timeout", "probe-timeout", "deadline",
			"meta", "record", "overwrite", "debug", "max-line", "no-color", "strict", "raw-secrets", "demo"} {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("%s has no --%s", c.Name(), name)
			}
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("OURS", "our=value")
	got, err := environment([]string{"A=1", "OURS", "EMPTY=", "B=x=y"})
	if err != nil || !slices.Equal(got, []string{"A=1", "OURS=our=value", "EMPTY=", "B=x=y"}) {
		t.Errorf("%q %v", got, err)
	}
	for _, word := range []string{"", "=x", "NOT_A_VARIABLE_OF_OURS", "A=\x00"} {
		if _, err := environment([]string{word}); outcomeOf(err) != usage {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		line line
		err  string
	}{
		{line{dashed: true, command: []string{"srv", "a b"}}, ""},
		{line{}, "no server is named"},
		{line{dashed: true}, "no command behind --"},
		{line{dashed: true, command: []string{""}}, "no command behind --"},
		{line{url: "unix:"}, "names no socket"},
		{line{url: "tcp:host"}, "names no host and port"},
		{line{url: "unix:/x", flags: flags{insecure: true}}, "about HTTP"},
		{line{url: "http://"}, "names no host"},
		{line{url: "http://u:p@host/"}, "a name and password"},
		{line{url: "http://x", flags: flags{env: []string{"A=b"}}}, "-e, --cwd"},
		{line{url: "http://x", flags: flags{header: []string{"a b: c"}}}, "no header"},
		{line{url: "http://x", flags: flags{bearerEnv: "MCPINSPECT_TEST_NONE"}}, "no such variable"},
		{line{dashed: true, command: []string{"srv"}, flags: flags{insecure: true}}, "at an address"},
		{line{url: "tcp:host:1", flags: flags{demo: true}}, "more than one server"},
		{line{dashed: true, command: []string{"srv"}, flags: flags{demo: true}}, "more than one server"},
	} {
		a := &app{line: c.line}
		got, err := a.target()
		switch {
		case c.err == "" && (err != nil || got.Label != "srv 'a b'"):
			t.Errorf("%+v: %v %v", c.line, got, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || outcomeOf(err) != usage):
			t.Errorf("%+v: %v", c.line, err)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"plain ü 東京 👨‍👩‍👧"}`:    `{"a":"plain ü 東京 👨‍👩‍👧"}`,
		"\"\u202eabc\u2069\"":         `"\u202eabc\u2069"`,
		"\"\u009b31m\"":               `"\u009b31m"`,
		"\"\x7f\u2028\ufeff\u200b\"":  `"\u007f\u2028\ufeff\u200b"`,
		"\"\U000e0041\"":              `"\udb40\udc41"`,
		"\"\xff\"":                    "\"\uFFFD\"",
		"\"already \\u202e escaped\"": `"already \u202e escaped"`,
	} {
		if got := string(visible([]byte(in))); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

// FuzzVisible: JSON stays the same JSON, and nothing in it acts on a terminal.
func FuzzVisible(f *testing.F) {
	f.Add([]byte(`{"a":[1.0,"\u202e` + "\u202e\u009b\xff" + `"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if !client.ValidJSON(b) {
			return
		}
		got := visible(b)
		if !client.ValidJSON(got) || !utf8.Valid(got) {
			t.Fatalf("%q became %q", b, got)
		}
		for _, r := range string(got) {
			if r >= 0x7F && r < 0xA0 || r != '\u200D' && unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q has %U", got, r)
			}
		}
		want, err1 := schema.Parse(validText(b))
		have, err2 := schema.Parse(got)
		if err1 == nil && (err2 != nil || !have.Equal(want)) {
			t.Fatalf("%q became %q: %v", b, got, err2)
		}
	})
}

func TestRawMessages(t *testing.T) {
	for _, c := range []struct {
		text     string
		requests int
		others   bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a"}`, 1, false},
		{`{"jsonrpc":"2.0","id":1,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"a"}` + "\n", 2, false},
		{`{"jsonrpc":"2.0","method":"a"}` + "\n\n", 0, true},
		{"garbage\n", 0, false},
		{"garbage\n" + `{"jsonrpc":"2.0","method":"a"}`, 0, false},
		{"", 0, false},
	} {
		if n, others := rawMessages([]byte(c.text), 0); n != c.requests || others != c.others {
			t.Errorf("%q: %d %v", c.text, n, others)
		}
	}
}

// TestFaults: a panic of ours is told in one line, its trace is kept, and the exit code says so.
func TestFaults(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	errs, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	a := &app{io: IO{Err: errs}}
	if code := a.fail(&client.Fault{Where: "reader", Cause: "boom", Stack: []byte("stack")}); code != 70 {
		t.Errorf("exit code %d", code)
	}
	said, err := os.ReadFile(errs.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, name, ok := strings.Cut(strings.TrimSpace(string(said)), "its trace is in ")
	if !ok {
		t.Fatalf("%s", said)
	}
	if trace, err := os.ReadFile(name); err != nil || !strings.Contains(string(trace), "stack") {
		t.Errorf("%s %v", trace, err)
	}
}
