package client

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
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
		if _, got = processState(cmd.Process.Pid); strings.Contains(got, "waits for input") {
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

// Of a shell that waits for the server it started, it is the server that is told of: one that is stopped
// explains every other fact.
func TestDoingOfWrapped(t *testing.T) {
	if _, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(os.Getpid()) + "/children"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("sh", "-c", "cat; exit 3")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	await := func(what string, there func() bool) {
		t.Helper()
		for end := time.Now().Add(5 * time.Second); !there(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	shell := cmd.Process.Pid
	await("the shell has started nothing", func() bool { return serving(shell) != shell })
	cat := serving(shell)
	if err := syscall.Kill(cat, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(cat, syscall.SIGCONT) }()
	await("it does not stop", func() bool { held, _ := processState(cat); return held })
	if _, got := processState(cat); !strings.Contains(got, "kill -CONT "+strconv.Itoa(cat)) {
		t.Error(got)
	}
}
