// Package verbs holds what is promised of every verb of the program in the same way.
package verbs

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/cli"
)

// A verb as the tables below type it: words are those that it needs, FILE stands for a recording.
type typed struct {
	words  string
	server bool // it speaks with one, which stands behind --
	screen bool // it draws, and wants a terminal
	steps  bool // its file is no recording
}

var everyVerb = map[string]typed{
	"discover": {server: true},
	"list":     {"tools", true, false, false},
	"describe": {"add", true, false, false},
	"call":     {"add a=2 b=3", true, false, false},
	"read":     {"demo://x", true, false, false},
	"prompt":   {"greet", true, false, false},
	"complete": {"prompt trip city=O", true, false, false},
	"listen":   {"--tools", true, false, false},
	"tasks":    {"get t1", true, false, false},
	"send":     {"tools/list", true, false, false},
	"check":    {server: true},
	"run":      {"FILE", true, false, true},
	"replay":   {"FILE", true, false, false},
	"tap":      {server: true},
	"mock":     {words: "FILE"},
	"log":      {words: "FILE"},
	"open":     {words: "FILE", screen: true},
	"export":   {words: "--as md FILE"},
	"diff":     {words: "FILE FILE"},
	"sessions": {},
	"help":     {words: "list"},

	"completion": {words: "bash"},
}

// foreignWords are those that only a programmer of ours would understand.
var foreignWords = []string{"strconv", "json:", "goroutine ", "panic:", "unexpected end of JSON", "invalid character", "%!", "<nil>", "fs.Path", "write |", "read |", "open ./", "syscall", "context deadline", "context canceled", "bufio", "parsing regexp", "runtime error"}

// ended is how a run went.
type ended struct {
	code     int
	out, err string
}

// runProgram runs a command line in dir with nothing on stdin.
func runProgram(t *testing.T, exe, dir string, args ...string) ended {
	t.Helper()
	c := exec.Command(exe, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "GITHUB_ACTIONS=")
	return ending(t, c.Run(), &out, &errs)
}

// inside runs a command line in this process, which is quick: for those that come to nothing.
func inside(t *testing.T, args ...string) ended {
	t.Helper()
	var ends [3]*os.File
	for i, name := range []string{"in", "out", "err"} {
		f, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ends[i] = f
	}
	code := cli.Main(t.Context(), args, cli.IO{In: ends[0], Out: ends[1], Err: ends[2]}, nil)
	text := func(f *os.File) string {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return known(t, ended{code, text(ends[1]), text(ends[2])})
}

func ending(t *testing.T, err error, out, errs *bytes.Buffer) ended {
	t.Helper()
	e := ended{out: out.String(), err: errs.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		e.code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return known(t, e)
}

// known holds that stderr has no foreign word.
func known(t *testing.T, e ended) ended {
	t.Helper()
	for _, word := range foreignWords {
		if strings.Contains(e.err, word) {
			t.Errorf("stderr has %q:\n%s", word, e.err)
		}
	}
	return e
}

// refused holds that a run ended with a code, and said why in one message with a hint, as text or JSON.
func (e ended) refused(t *testing.T, code int, asJSON bool) {
	t.Helper()
	if e.code != code {
		t.Errorf("exit code %d, not %d\n%s", e.code, code, e.err)
	}
	lines := strings.Split(strings.TrimSuffix(e.err, "\n"), "\n")
	var own []string
	for _, l := range lines {
		if !strings.HasPrefix(l, "server: ") && !strings.HasPrefix(l, "warning: ") && !strings.HasPrefix(l, "info: ") {
			own = append(own, l)
		}
	}
	if asJSON {
		var doc struct {
			Error struct{ Kind, Message, Hint string }
		}
		if n := len(own); n == 0 || json.Unmarshal([]byte(own[n-1]), &doc) != nil || doc.Error.Kind == "" || doc.Error.Message == "" {
			t.Errorf("no line of JSON: %q", own)
		}
		return
	}
	if len(own) == 0 || !strings.HasPrefix(own[0], "mcpinspect: ") || strings.Count("\n"+e.err, "\nmcpinspect: ") != 1 {
		t.Errorf("no message, or more than one:\n%s", e.err)
	}
	if code == 1 && !strings.Contains(e.err, "\nhint: ") {
		t.Errorf("no hint:\n%s", e.err)
	}
}

// line is the command line of a verb with file for FILE, and a server that is never reached.
func (v typed) line(verb, file string, more ...string) []string {
	args := append(append([]string{verb}, strings.Fields(strings.ReplaceAll(v.words, "FILE", file))...), more...)
	if v.server {
		args = append(args, "--", "no-such-program")
	}
	return args
}

// takesJSON: what passes bytes on or draws prints no document.
func takesJSON(verb string) bool {
	return verb != "tap" && verb != "mock" && verb != "open" && verb != "export" && verb != "help" && verb != "completion"
}

// TestTableIsWhole: the verbs below are those that the program has.
func TestTableIsWhole(t *testing.T) {
	t.Parallel()
	help := runProgram(t, programs.Build(t, "."), t.TempDir(), "--help")
	_, behind, _ := strings.Cut(help.out, "Available Commands:\n")
	list, _, _ := strings.Cut(behind, "\n\n")
	has := map[string]bool{}
	for line := range strings.Lines(list) {
		verb := strings.Fields(line)[0]
		if has[verb] = true; everyVerb[verb] == (typed{}) && verb != "sessions" {
			t.Errorf("%s is not in the table", verb)
		}
	}
	for verb := range everyVerb {
		if !has[verb] {
			t.Errorf("%s is no verb", verb)
		}
	}
}

// TestVerbsRefuse: what makes no sense is told before anything happens, by every verb in the same way.
func TestVerbsRefuse(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("empty", "")
	write("bytes", "\xff\xfe\x00\x01\n\x80")
	write("text", "hello\nworld\n")
	write("torn", `{"k":"head","v":`)
	write("later", `{"k":"head","v":99}`+"\n")
	write("locked", "x")
	if err := os.Chmod(filepath.Join(dir, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	files := []string{"none", ".", "empty", "bytes", "text", "torn", "later"}
	if os.Getuid() > 0 {
		files = append(files, "locked")
	}
	for verb, v := range everyVerb {
		t.Run(verb, func(t *testing.T) {
			run := func(code int, asJSON bool, args ...string) {
				t.Helper()
				e := inside(t, args...)
				if e.refused(t, code, asJSON); e.out != "" {
					t.Errorf("%q printed %q", args, e.out)
				}
				if t.Failed() {
					t.Fatalf("of %q", args)
				}
			}
			run(1, false, v.line(verb, "crash", "--no-such-flag")...)
			if takesJSON(verb) {
				run(1, true, v.line(verb, "crash", "--no-such-flag", "--json")...)
			}
			if verb != "call" && verb != "listen" { // which take any number of words
				run(1, false, v.line(verb, "crash", "x", "y", "z")...)
			}
			if v.words != "" && verb != "list" && verb != "listen" && verb != "help" && verb != "tasks" {
				none := typed{server: v.server}
				run(1, false, none.line(verb, "")...)
			}
			if v.server {
				run(1, false, append([]string{verb}, strings.Fields(strings.ReplaceAll(v.words, "FILE", "none"))...)...)
			}
			if !strings.Contains(v.words, "FILE") {
				return
			}
			for _, file := range files {
				if v.steps && file == "locked" {
					continue
				}
				e := inside(t, v.line(verb, filepath.Join(dir, file))...)
				if e.code != 1 || e.out != "" || !strings.HasPrefix(e.err, "mcpinspect: ") || strings.Count(e.err, "\n") > 5 {
					t.Errorf("%s %s: %+v", verb, file, e)
				}
			}
		})
	}
}

// TestVerbsLoseTheServer: one that cannot be started, ends at once, or ends in the middle is exit code 4,
// with why; a signal to us is 130, and the server has gone with us.
func TestVerbsLoseTheServer(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the servers are scripts of sh")
	}
	t.Parallel()
	exe, dir := programs.Build(t, "."), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "steps"), []byte("call add a=2 b=3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const agrees = `read l; echo '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"completions":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}'; `
	for verb, v := range everyVerb {
		if !v.server || verb == "tap" { // a tap ends as its server does
			continue
		}
		file := "crash"
		if v.steps {
			file = "steps"
		}
		words := append([]string{verb}, strings.Fields(strings.ReplaceAll(v.words, "FILE", file))...)
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			with := func(flag string, server ...string) []string {
				args := words
				if flag != "" {
					args = append(args[:len(args):len(args)], flag)
				}
				return append(append(args[:len(args):len(args)], "--"), server...)
			}
			runProgram(t, exe, dir, with("", "no-such-program")...).refused(t, 4, false)
			runProgram(t, exe, dir, with("--json", "no-such-program")...).refused(t, 4, true)
			e := runProgram(t, exe, dir, with("", "sh", "-c", "read l; echo oops >&2; exit 3")...)
			e.refused(t, 4, false)
			if !strings.Contains(e.err, "exit status 3") || !strings.Contains(e.err, "oops") {
				t.Errorf("not why:\n%s", e.err)
			}
			if verb != "discover" {
				code := 4
				if verb == "check" {
					code = 2 // it was connected: the end is a finding
				}
				for _, flag := range []string{"", "--json"} {
					if e := runProgram(t, exe, dir, with(flag, "sh", "-c", agrees+"read l; exit 3")...); verb != "check" {
						e.refused(t, code, flag != "")
					} else if e.code != code {
						t.Errorf("%+v", e)
					}
				}
			}
			for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				e := interrupted(t, exe, dir, sig, with("", "sh", "-c", "echo $$ here >&2; exec cat >/dev/null")...)
				if e.code != 130 || !strings.Contains(e.err, "mcpinspect: interrupted\n") {
					t.Errorf("%v: %+v", sig, e)
				}
			}
		})
	}
}

// interrupted sends the program a signal as soon as its server has said that it is there.
func interrupted(t *testing.T, exe, dir string, sig syscall.Signal, args ...string) ended {
	t.Helper()
	c := exec.Command(exe, args...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out, errs bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, w
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	defer time.AfterFunc(time.Minute, func() { c.Process.Kill() }).Stop()
	buf := make([]byte, 4<<10)
	for sent := false; ; {
		n, err := r.Read(buf)
		errs.Write(buf[:n])
		if !sent && strings.Contains(errs.String(), " here\n") {
			sent = true
			if err := c.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	return ending(t, c.Wait(), &out, &errs)
}

// TestVerbsIntoHead: who reads the first line and goes away is no reason to complain.
func TestVerbsIntoHead(t *testing.T) {
	t.Parallel()
	exe, dir := programs.Build(t, "."), t.TempDir()
	for verb, v := range everyVerb {
		if v.screen || verb == "tap" || verb == "mock" || verb == "listen" || verb == "tasks" || verb == "run" || verb == "replay" || verb == "sessions" {
			continue // they print nothing here, or what somebody asks for
		}
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			args := append([]string{verb}, strings.Fields(strings.ReplaceAll(v.words, "FILE", "crash"))...)
			switch verb {
			case "read":
				args[1] = "demo://readme"
			case "prompt":
				args = []string{verb, "summarize", "text=a"}
			case "diff":
				args[2] = "paging"
			}
			if v.server {
				args = append(args, "--demo")
			}
			if e := runProgram(t, exe, dir, args...); e.out == "" {
				t.Fatalf("it prints nothing: %+v", e)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			defer w.Close()
			c := exec.Command(exe, args...)
			var errs bytes.Buffer
			c.Dir, c.Stdout, c.Stderr = dir, w, &errs
			c.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
			e := ending(t, c.Run(), &bytes.Buffer{}, &errs)
			if e.code != 1 || strings.Contains(e.err, "mcpinspect: ") {
				t.Errorf("%+v", e)
			}
		})
	}
}

// TestExamples: the first example of every verb's help runs as it stands, and says something.
func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	t.Parallel()
	exe, state := programs.Build(t, "."), t.TempDir()
	for verb := range everyVerb {
		if verb == "help" || verb == "completion" || verb == "tasks" || verb == "listen" { // they need a server that does such things
			continue
		}
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			help := runProgram(t, exe, state, verb, "--help")
			_, behind, ok := strings.Cut(help.out, "Examples:\n")
			line, _, _ := strings.Cut(behind, "\n")
			if !ok || help.code != 0 {
				t.Fatalf("no example: %+v", help)
			}
			c := exec.Command("sh", "-c", line)
			var out, errs bytes.Buffer
			c.Dir, c.Stdout, c.Stderr = t.TempDir(), &out, &errs
			c.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "PATH="+filepath.Dir(exe)+string(os.PathListSeparator)+os.Getenv("PATH"))
			e := ending(t, c.Run(), &out, &errs)
			if e.code != 0 || e.out+e.err == "" || strings.Contains(e.err, "warning: ") {
				t.Errorf("%s: %+v", line, e)
			}
		})
	}
}
