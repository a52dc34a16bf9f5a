//go:build !windows

package client

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepare puts the server into a session of its own: in our session it could open /dev/tty and
// draw over the screen, whatever its pipes are.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// processGroup is the server and what it started, unless that made a session of its own.
type processGroup struct{ pid int }

func newGroup(cmd *exec.Cmd) processGroup { return processGroup{cmd.Process.Pid} }

func (g processGroup) canTerminate() bool { return true }

func (g processGroup) terminate() { _ = syscall.Kill(-g.pid, syscall.SIGTERM) }

func (g processGroup) kill() { _ = syscall.Kill(-g.pid, syscall.SIGKILL) }

func (g processGroup) alive() bool { return syscall.Kill(-g.pid, 0) == nil }

func (g processGroup) release() {}

// exitOf reads how the process ended.
func exitOf(cmd *exec.Cmd, _ error) Exit {
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Exit{Code: -1, Signal: unix.SignalName(ws.Signal())}
	}
	return Exit{Code: cmd.ProcessState.ExitCode()}
}
