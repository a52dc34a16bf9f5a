package client

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// processState says what a process is at, by /proc (proc(5)); empty when it cannot be told. One thread
// that computes is enough: the first one of many runtimes does nothing but wait.
func processState(pid int) (held bool, sentence string) {
	state := threadState(pid, pid)
	if state == 0 {
		return false, ""
	}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for i, t := range threads {
		if i == maxThreads || state != 'S' {
			break
		}
		if id, err := strconv.Atoi(t.Name()); err == nil && threadState(pid, id) == 'R' {
			state = 'R'
		}
	}
	if state == 'S' {
		call, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		if s := waitingIn(string(call)); s != "" {
			return false, s
		}
	}
	wchan, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
	return stateSentence(pid, state, strings.TrimSpace(string(wchan)))
}

// maxThreads is how many threads are looked at: one that computes is most often among the first.
const maxThreads = 256

// threadState is the letter of proc(5) for a thread; 0 when it cannot be told.
func threadState(pid, thread int) byte {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", pid, thread))
	i := bytes.LastIndexByte(stat, ')') // the name before it may hold anything
	if err != nil || i < 0 || i+2 >= len(stat) {
		return 0
	}
	return stat[i+2]
}

// serving is the process that has the pipes of the one that we started: itself, or the one that it
// handed both on to, if that is one alone.
func serving(pid int) int {
	const deepest = 8 // npx starts a shell, which starts node
	for range deepest {
		next := 0
		raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		for _, word := range strings.Fields(string(raw)) {
			child, err := strconv.Atoi(word)
			if err != nil || !sameStdio(pid, child) {
				continue
			}
			if next != 0 {
				return pid
			}
			next = child
		}
		if next == 0 {
			return pid
		}
		pid = next
	}
	return pid
}

// sameStdio reports whether two processes have the same stdin and the same stdout.
func sameStdio(a, b int) bool {
	for fd := range 2 {
		of, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", a, fd))
		if other, err2 := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", b, fd)); err != nil || err2 != nil || of != other {
			return false
		}
	}
	return true
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
		return "the server waits for input on its stdin: it has read the request; is an answer written, and flushed?"
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
