//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"example.com/mcpinspect/testdata/programs"
)

// hang is far beyond what any of these runs takes.
const hang = 20 * time.Second

func write(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const slowServer = `{"case":"slow","era":"2025-06-18"}
{"defaults":{"tools":[{"name":"wait","inputSchema":{"type":"object"}}]}}
{"on":"tools/call","steps":[{"stderr":"called\n"}]}
`

// secondSlow answers one call and leaves the second open.
const secondSlow = `{"case":"slow","era":"2025-06-18"}
{"defaults":{"tools":[{"name":"wait","inputSchema":{"type":"object"}}],"manual":["tools/call"]}}
{"expect":"tools/call"}
{"reply":{"content":[]}}
{"expect":"tools/call"}
{"stderr":"called\n"}
`

// TestInterrupt: the signals that end a run cancel the call, end the server politely, and are told
// by the exit code.
func TestInterrupt(t *testing.T) {
	exe, player := programs.Build(t, "."), programs.Build(t, "testdata/player")
	for _, c := range []struct {
		name   string
		sig    os.Signal
		script string
		verb   string
		out    string
	}{
		{"Ctrl-C", os.Interrupt, slowServer, "call wait", ""},
		{"SIGTERM", syscall.SIGTERM, slowServer, "call wait", ""},
		{"SIGHUP", syscall.SIGHUP, slowServer, "call wait", ""},
		{"SIGQUIT", syscall.SIGQUIT, slowServer, "call wait", ""},
		{"figures so far", os.Interrupt, secondSlow, "call wait --repeat 5", `"repeat":5,"parallel":1,"count":1,"errors":0,`},
		{"findings so far", os.Interrupt, slowServer, "check --call wait", `"summary":{"error":0,"warning":0,`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), "report.jsonl")
			args := append(strings.Fields(c.verb), "--json")
			cmd := exec.Command(exe, append(args, "--", player, "-report", report, write(t, "slow.jsonl", c.script))...)
			var out bytes.Buffer
			cmd.Stdout = &out
			cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
			errs, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(hang, func() { cmd.Process.Kill() }).Stop()
			lines := bufio.NewReader(errs)
			for line := ""; line != "server: called\n"; {
				if line, err = lines.ReadString('\n'); err != nil {
					t.Fatalf("stderr ended with %q: %v", line, err)
				}
			}
			if err := cmd.Process.Signal(c.sig); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(lines)
			if err != nil {
				t.Fatal(err)
			}
			if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
				t.Errorf("it ended with %v", cmd.ProcessState)
			}
			if !strings.Contains(out.String(), c.out) {
				t.Errorf("stdout: %s", out.String())
			}
			if want := `{"error":{"kind":"interrupted","message":"interrupted"}}`; !strings.Contains(string(rest), want) {
				t.Errorf("stderr: %s", rest)
			}
			told, err := os.ReadFile(report)
			if err != nil || !bytes.Contains(told, []byte("notifications/cancelled")) || !bytes.Contains(told, []byte(`"kind":"eof"`)) {
				t.Errorf("the server was not told: %v\n%s", err, told)
			}
		})
	}
}

// onTerminal runs mcpinspect with all its streams on a terminal that never answers a question.
func onTerminal(t *testing.T, args ...string) string {
	cmd := exec.Command(programs.Build(t, "."), args...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "TERM=xterm-256color", "NO_COLOR=")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer time.AfterFunc(hang, func() { cmd.Process.Kill() }).Stop()
	var out bytes.Buffer
	_, _ = io.Copy(&out, f) // it ends with an error when the other side is closed
	cmd.Wait()
	return out.String()
}

// TestSilentTerminal: a verb asks the terminal nothing, and so cannot wait for its answer.
func TestSilentTerminal(t *testing.T) {
	got := onTerminal(t, "list", "tools", "--no-color", "--", programs.Build(t, "testdata/servers/minimal"))
	if strings.Contains(got, "\x1b") || !strings.Contains(got, "add(a*, b*)") {
		t.Errorf("%q", got)
	}
}

// TestTerminal: on a terminal there is colour and progress, and nothing of a server acts on it.
func TestTerminal(t *testing.T) {
	got := onTerminal(t, "call", "slow", "steps=2", "delay_ms=1", "--demo")
	for _, want := range []string{"progress: 1/2 step 1 of 2", "progress: 2/2", "done in 2 steps"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	player := programs.Build(t, "testdata/player")
	got = onTerminal(t, "list", "--", player, programs.Scenario(t, "stdout-startup-banner"))
	if !strings.Contains(got, "\x1b[33mwarning:\x1b[0m") {
		t.Errorf("no colour in %q", got)
	}
	odd := write(t, "odd.jsonl", "{\"case\":\"odd\",\"era\":\"2026-07-28\"}\n"+
		"{\"defaults\":{\"tools\":[{\"name\":\"odd\",\"description\":\"a\u202eb\u009b31mc\",\"inputSchema\":{\"type\":\"object\"}}]}}\n")
	got = onTerminal(t, "list", "--json", "--no-color", "--", player, odd)
	if strings.ContainsAny(got, "\x1b\u202e\u009b") || !strings.Contains(got, `a\u202eb\u009b31mc`) {
		t.Errorf("%q", got)
	}
}

// TestTapSignal: a signal that reaches the tap reaches the server, whose own exit status is ours.
func TestTapSignal(t *testing.T) {
	exe := programs.Build(t, ".")
	for sig, script := range map[syscall.Signal]string{
		syscall.SIGTERM: `trap 'echo told; exit 9' TERM`,
		syscall.SIGINT:  `trap 'echo told; exit 9' INT`,
		syscall.SIGHUP:  `trap 'echo told; exit 9' HUP`,
		syscall.SIGQUIT: `trap 'echo told; exit 9' QUIT`,
	} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(exe, "tap", "--", "sh", "-c", script+`; echo up; cat >/dev/null & while :; do wait; sleep 0.02; done`)
			if _, err := cmd.StdinPipe(); err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(hang, func() { cmd.Process.Kill() }).Stop()
			lines := bufio.NewReader(out)
			if line, err := lines.ReadString('\n'); line != "up\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(lines)
			if cmd.Wait(); string(rest) != "told\n" || cmd.ProcessState.ExitCode() != 9 {
				t.Errorf("%q, %v, %v", rest, err, cmd.ProcessState)
			}
		})
	}
}

// TestInterruptWithoutAServer: a run that has nothing to close ends at once, and says so as any other.
func TestInterruptWithoutAServer(t *testing.T) {
	exe := programs.Build(t, ".")
	sample, err := filepath.Abs("../../recordings/samples/handshake.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(exe, "mock", sample)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(hang, func() { cmd.Process.Kill() }).Stop()
			io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`+"\n")
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatalf("%q, %v", line, err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 || !strings.Contains(errs.String(), "mcpinspect: interrupted") {
				t.Errorf("it ended with %v: %s", cmd.ProcessState, errs.String())
			}
		})
	}
}

// TestClosedPipe: who closes the pipe that a verb prints to, as head does, is not told of it.
func TestClosedPipe(t *testing.T) {
	sample, err := filepath.Abs("../../recordings/samples/flood.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"log " + sample, "list --demo"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(programs.Build(t, "."), strings.Fields(args)...)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errs
		if cmd.Run(); cmd.ProcessState.ExitCode() != 1 || errs.Len() > 0 {
			t.Errorf("%s: it ended with %v: %s", args, cmd.ProcessState, errs.String())
		}
		w.Close()
	}
}
