//go:build !windows

package ui

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/testdata/programs"
)

// TestCopiedLinesRun: the command and the shell pipe that are copied do again what the screen shows,
// with a server of each era, in a directory of its own.
func TestCopiedLinesRun(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("GREETING", "hello there")
	for _, c := range []struct{ server, tool, args, want string }{
		{"minimal", "add", `{"a":2,"b":3.50}`, `5.5`},
		{"notes", "add_note", `{"title":"it's a \"note\" ","body":"100 % \\n 東京 $HOME"}`, `東京`},
	} {
		t.Run(c.server, func(t *testing.T) {
			dir := t.TempDir()
			s := session.New(session.Target{Command: client.Command{Args: []string{programs.Build(t, "testdata/servers/"+c.server)}, Dir: dir, Env: []string{"GREETING=hello there"}}},
				session.Options{Probe: time.Second, Connect: 20 * time.Second, Identity: client.Identity{Name: "test", Version: "1"}, Observers: []session.Observer{check.New()}})
			t.Cleanup(func() { s.Close() })
			if err := s.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			answer, err := s.Call(t.Context(), client.CallTool(c.tool, []byte(c.args)))
			if err != nil {
				t.Fatal(err)
			}
			result := string(answer.ResultRaw())
			if answer.IsError() {
				t.Fatalf("%s", s.Log().Body(int(answer.Seq)).Bytes())
			}
			a := appOn(t, s, "none", 120, 36)
			press(a, "5", "G") // the answer
			pipe, why := a.pipeLine()
			if why != "" {
				t.Fatal(why)
			}
			out := shell(t, pipe)
			if !strings.Contains(out, result) || strings.Contains(pipe, "initialize") == s.Revision().Modern() {
				t.Errorf("%s\ngives %s\n  not %s", pipe, out, result)
			}
			command, _, _ := a.commandLine()
			out = shell(t, "mcpinspect() { "+programs.Build(t, ".")+` --json "$@"; }; `+command)
			if strings.TrimSpace(out) != result {
				t.Errorf("%s\ngives %s\n  not %s", command, out, result)
			}
			press(a, "g")
			if _, why := a.pipeLine(); why == "" {
				t.Error("the start of the server is no request")
			}
		})
	}
}

func shell(t *testing.T, line string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", line).Output()
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return string(out)
}

func TestRequestWords(t *testing.T) {
	for _, c := range []struct{ method, params, want string }{
		{"ping", ``, "send ping"},
		{"ping", `{"_meta":{"a":1}}`, "send ping"},
		{"tools/list", `{"cursor":"a b","_meta":{}}`, `send tools/list {"cursor":"a b"}`},
		{"tools/call", `{"name":"x"}`, `send tools/call {"name":"x"}`},
		{"tools/call", `{"arguments":{"n":1.0},"name":"x","_meta":{}}`, `call --unchecked x {"n":1.0}`},
		{"tools/call", `{"name":5}`, `send tools/call {"name":5}`},
	} {
		if got := strings.Join(requestWords(c.method, []byte(c.params)), " "); got != c.want {
			t.Errorf("%s %s: %s", c.method, c.params, got)
		}
	}
}
