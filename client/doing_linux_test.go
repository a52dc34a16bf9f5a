package client

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestWaitingIn(t *testing.T) {
	for call, want := range map[string]string{
		"running\n": "", "": "", "-1 0x7ffd 0x0": "", "x": "",
	} {
		if got := waitingIn(call); got != want {
			t.Errorf("%q: %q", call, got)
		}
	}
}

// What a process waits for and how it was started is read of a real one: cat waits for its stdin.
func TestDoing(t *testing.T) {
	cmd := exec.Command("cat", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	got := ""
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if got = processState(cmd.Process.Pid); strings.Contains(got, "waits for input") {
			break
		}
	}
	if !strings.Contains(got, "waits for input") {
		if _, err := os.ReadFile("/proc/self/syscall"); err == nil {
			t.Error(got)
		}
	}
	if args := argsOf(cmd.Process.Pid); len(args) != 2 || args[1] != "-" {
		t.Errorf("%q", args)
	}
	if args := argsOf(-1); args != nil {
		t.Errorf("of no process: %q", args)
	}
}
