//go:build !windows

package ui_test

import (
	"runtime"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// beside is what stands right of the lists on a screen of 80 cells, as one line: the call, the result.
func beside(screen string) string {
	var out strings.Builder
	for _, line := range strings.Split(screen, "\n") {
		if strings.HasPrefix(line, "┌5 Wire") {
			break
		}
		cells := []rune(line)
		if len(cells) > 26 && strings.HasPrefix(line, "│") {
			out.WriteString(strings.Trim(string(cells[26:]), " │") + " ")
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// The first screen of a server that does not come up says what is wrong, why and what to do, before a
// key is pressed and on a small terminal.
func TestFirstScreenOfAFailure(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"usage on stdout": {`echo "Usage: notes DIR"; exit 2`, []string{"exit status 2", "out Usage: notes DIR", "an argument is missing or wrong", "R starts it again"}},
		"a module is missing": {`printf 'Traceback (most recent call last):\n  File "s.py", line 1, in <module>\nModuleNotFoundError: No module named %s\n' "'x'" >&2; exit 1`,
			[]string{"exit status 1", "err ModuleNotFoundError: No module named 'x'", "install it for this interpreter"}},
		"silent":      {`exit 0`, []string{"exit status 0", "it ended before its first byte: run the same command"}},
		"killed":      {`kill -9 $$`, []string{"signal SIGKILL", "out of memory"}},
		"a banner":    {`echo "ready on port 3000"; exec sleep 30`, []string{"waiting for the first answer", "1 line on stdout that is no message", "print the rest to stderr"}},
		"interpreter": {`exec env nosuchinterpreter`, []string{"exit status 127", "nosuchinterpreter", "is not in PATH"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, 80, 24, "--", "sh", "-c", c.script)
			s.Until(strings.Join(c.want, ", "), func(screen string) bool {
				said := beside(screen)
				for _, w := range c.want {
					if !strings.Contains(said, w) {
						return false
					}
				}
				return true
			})
		})
	}
}

// On a screen that shows one pane the list that stays empty says why it does.
func TestFirstScreenOfAFailureInOnePane(t *testing.T) {
	s := start(t, 60, 20, "--", "sh", "-c", "echo 'Usage: notes DIR' >&2; exit 2")
	s.Wait("[2Tools]", "err Usage: notes DIR", "R starts it again in the same log")
}

// hangs is a server that answers everything but a call, which it meets with a command of the shell.
func hangs(command string) []string {
	return []string{"sh", "-c", `while read -r l; do case "$l" in
*server/discover*) echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}';;
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}}';;
*tools/list*) echo '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"go","inputSchema":{"type":"object"}}]}}';;
*tools/call*) ` + command + `;;
esac; done`}
}

// Of a call that hangs the status and the pane of the call say why in the first place, and what to do;
// so does the recording that was kept of it.
func TestHangOnScreen(t *testing.T) {
	for name, c := range map[string]struct {
		command, want string
		linux         bool // the system tells it there alone
	}{
		"stopped":     {`kill -STOP $$`, "go runs for [time]: the server is stopped, by SIGSTOP or a debugger: kill -CONT", true},
		"no newline":  {`printf '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'`, "whole message but for its newline: end every message with", false},
		"another id":  {`echo '{"jsonrpc":"2.0","id":99,"result":{"content":[]}}'`, "an answer came for no open request, with the id 99 (number)", false},
		"of a helper": {`sleep 30`, "the server sleeps for a set time", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.linux && runtime.GOOS != "linux" {
				t.Skip("the system does not tell")
			}
			program, env := programs.Build(t, "."), []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="}
			want := c.want[strings.LastIndex(c.want, "]")+1:]
			says := func(screen string) bool {
				_, status, _ := strings.Cut(screen, "5 Wire")
				return strings.Contains(strings.Join(strings.Fields(status[strings.LastIndex(status, "│")+len("│"):]), " "), want)
			}
			s := screentest.Start(t, 120, 36, env, append([]string{program, "--"}, hangs(c.command)...)...)
			s.Wait("2 Tools 1")
			command(s, "call go")
			s.Until(want, says)
			s.Keys("q")
			if code := s.Exit(); code != 0 {
				t.Errorf("exit %d", code)
			}
			if name == "no newline" { // its end was its last answer
				return
			}
			o := screentest.Start(t, 120, 36, env, program, "open", "--last")
			o.Wait("what was known while it was open:")
		})
	}
}
