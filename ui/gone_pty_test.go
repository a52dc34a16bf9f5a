//go:build !windows

package ui_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// TestTerminalGone: the screen ends with its terminal, also where no signal tells of that, and the
// recording has the end of the server.
func TestTerminalGone(t *testing.T) {
	exe := programs.Build(t, ".")
	for name, controlling := range map[string]bool{"with SIGHUP": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			if err := pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
				t.Fatal(err)
			}
			record := filepath.Join(t.TempDir(), "made.jsonl")
			cmd := exec.Command(exe, "--record", record, "--demo")
			cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_STATE_HOME="+t.TempDir())
			cmd.Stdin, cmd.Stdout = tty, tty
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: controlling}
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tty.Close()
			defer time.AfterFunc(screentest.Patience, func() { cmd.Process.Kill() }).Stop()
			buf := make([]byte, 64<<10)
			for drawn := ""; !strings.Contains(drawn, "add(a*, b*)"); {
				n, err := master.Read(buf)
				if err != nil {
					t.Fatalf("%v: %q", err, drawn)
				}
				drawn += string(buf[:n])
			}
			master.Close()
			if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
				t.Errorf("it ended with %v: %s", cmd.ProcessState, said.String())
			}
			made, err := os.ReadFile(record)
			if err != nil || !strings.Contains(string(made), `{"k":"exit"`) || !strings.HasSuffix(string(made), "}\n") {
				t.Errorf("the recording is not whole (%v): ...%q", err, made[max(0, len(made)-200):])
			}
		})
	}
}
