package client

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// processState says what a process is at, by /proc (proc(5)); empty when it cannot be told.
func processState(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	i := bytes.LastIndexByte(stat, ')') // the name before it may hold anything
	if i < 0 || i+2 >= len(stat) {
		return ""
	}
	if stat[i+2] == 'S' {
		call, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		if s := waitingIn(string(call)); s != "" {
			return s
		}
	}
	wchan, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
	return stateSentence(stat[i+2], strings.TrimSpace(string(wchan)))
}

// waitingIn says what a process waits for by the system call that it is in, with its first argument:
// "0 0x0 …". Empty for those that may be about anything.
func waitingIn(call string) string {
	var n, first int64
	if _, err := fmt.Sscanf(call, "%d 0x%x", &n, &first); err != nil {
		return ""
	}
	switch {
	case n == syscall.SYS_READ && first == 0:
		return "the server waits for input on its stdin"
	case n == syscall.SYS_READ:
		return fmt.Sprintf("the server sleeps in reading its file descriptor %d", first)
	case n == syscall.SYS_WRITE && first == 1:
		return "the server sleeps in writing to its stdout: what it writes is not read"
	case n == syscall.SYS_WRITE && first == 2:
		return "the server sleeps in writing to its stderr: what it writes is not read"
	case n == syscall.SYS_NANOSLEEP, n == syscall.SYS_CLOCK_NANOSLEEP:
		return "the server sleeps for a set time"
	case n == syscall.SYS_WAIT4, n == syscall.SYS_WAITID:
		return "the server waits for a process that it has started"
	case n == syscall.SYS_FLOCK:
		return "the server waits for the lock of a file"
	case n == syscall.SYS_CONNECT, n == syscall.SYS_RECVFROM, n == syscall.SYS_RECVMSG:
		return "the server waits for the network"
	}
	return ""
}

// argsOf is the command line that a process runs: of a script its interpreter stands first. Nil when it
// cannot be told.
func argsOf(pid int) []string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if len(line) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
}
