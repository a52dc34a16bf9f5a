package client

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// facts are what is known of why an answer does not come, one sentence each, the one that explains most
// first, with what to do about it. They are facts and no guesses.
func (c *Conn) facts(p *pendingCall) (facts []string) {
	var held bool
	var does, interpreter string
	if t, ok := c.tr.(interface {
		doing() (held bool, does, interpreter string)
	}); ok {
		held, does, interpreter = t.doing()
	}
	add := func(list ...string) {
		for _, f := range list {
			if f != "" {
				facts = append(facts, f)
			}
		}
	}
	if held { // whatever else there is comes of it
		add(does)
	}
	if size, tail := c.door.Pending(c.run, Out); size > 0 {
		add(waiting(size, tail))
	}
	c.mu.Lock()
	switch n := len(c.questions); {
	case n == 1:
		add("the server waits for the answer to a request of its own")
	case n > 1:
		add(fmt.Sprintf("the server waits for the answers to %d requests of its own", n))
	}
	switch {
	case c.busy && c.exchanges():
		add("the server has not replied to a notification yet, and what follows it waits")
	case c.busy:
		add("the server does not read its stdin: a message to it is stuck in the full pipe; it must read on while it works")
	}
	c.mu.Unlock()
	add(c.elsewhere(p))
	if !held {
		add(does)
	}
	add(c.since(p)...)
	add(interpreter)
	return facts
}

// waiting tells of the unfinished line on stdout: how long it is, and its last bytes. A whole message
// whose newline does not come is the commonest of them.
func waiting(size int64, tail []byte) string {
	const shown = 60
	whole, cure := "", "it needs a newline and a flush"
	if int64(len(tail)) == size && bytes.HasPrefix(bytes.TrimLeft(tail, " \t"), []byte("{")) && ValidJSON(tail) {
		whole, cure = ", a whole message but for its newline", `end every message with \n and flush`
	}
	tail = tail[max(0, len(tail)-shown):]
	return fmt.Sprintf("an unfinished line of %s waits on the server's stdout%s: %s; it ends in %s", Bytes(size), whole, cure, Quote(strings.ToValidUTF8(string(tail), "\uFFFD")))
}

// Bytes is a number of bytes for a sentence: "1 byte", "84 bytes".
func Bytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// Elapsed is a time for a sentence, to the unit: "1.2s", and "less than 1ms" rather than none.
func Elapsed(d, unit time.Duration) string {
	if d = d.Round(unit); d <= 0 {
		return "less than " + unit.String()
	}
	return d.String()
}

// noteTimeout records that a request had no answer in time, with the facts: who opens the recording is
// told the same.
func (c *Conn) noteTimeout(id string, err *TimeoutError) {
	n := Note{Run: c.run, At: c.door.Now(), What: NoteTimeout, ID: id, Text: err.Error()}
	if len(err.Facts) > 0 {
		n.Text += "; " + strings.Join(err.Facts, "; ")
		n.Data = factsData(err.Facts)
	}
	c.door.Note(n)
}

// doing says what the process is at, where the system tells, whether that keeps it from doing anything,
// and what its interpreter may hold back. Of a wrapper it is the one that serves: npx, uv and shells hand
// their pipes on and wait.
func (t *Stdio) doing() (held bool, does, interpreter string) {
	if t.cmd == nil || t.cmd.Process == nil || t.over() {
		return false, "", ""
	}
	pid := serving(t.cmd.Process.Pid)
	held, does = processState(pid)
	args := argsOf(pid)
	if args == nil {
		args = t.cmd.Args
	}
	if holdsBack(args, t.cmd.Env) {
		interpreter = "Python holds back what it prints to a pipe, so that its output may be older than its place: start it with -e PYTHONUNBUFFERED=1, on the screen with :restart -e PYTHONUNBUFFERED=1"
	}
	return held, does, interpreter
}

// holdsBack reports whether a command is a Python that buffers its stdout.
func holdsBack(args, env []string) bool {
	if len(args) == 0 {
		return false
	}
	name := args[0]
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\\`)+1:], ".exe")
	if !strings.HasPrefix(name, "python") && name != "uv" && name != "uvx" {
		return false
	}
	for _, a := range args[1:] {
		if a == "-u" {
			return false
		}
	}
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "PYTHONUNBUFFERED="); ok && v != "" {
			return false
		}
	}
	return true
}

// stateSentence puts the state of a process into words: the letter of proc(5), and where in the kernel
// it sleeps, which is "0" or empty where it is not told. A process that is held does nothing at all.
func stateSentence(pid int, state byte, wchan string) (held bool, sentence string) {
	switch state {
	case 'R':
		return false, fmt.Sprintf("the server is running: it computes; a profiler or debugger on pid %d shows where", pid)
	case 'T', 't':
		return true, fmt.Sprintf("the server is stopped, by SIGSTOP or a debugger: kill -CONT %d lets it go on", pid)
	case 'Z':
		return true, "the main thread of the server has ended, and others keep the process: no answer is likely; start it again"
	case 'D':
		return false, "the server waits for a disk or a device"
	case 'S':
		switch {
		case strings.Contains(wchan, "pipe_read"):
			return false, "the server sleeps in reading a pipe: it waits for input"
		case strings.Contains(wchan, "pipe_write"):
			return false, "the server sleeps in writing a pipe: what it writes is not read"
		case strings.Contains(wchan, "nanosleep"):
			return false, "the server sleeps for a set time"
		}
		return false, fmt.Sprintf("the server computes nothing: it waits for an event, a lock or the network; a debugger on pid %d shows where", pid)
	}
	return false, ""
}
