package client

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// facts are what is known of why an answer does not come, one sentence each. They are facts and no
// guesses; the last ones are about the process.
func (c *Conn) facts(p *pendingCall) (facts []string) {
	if size, tail := c.door.Pending(c.run, Out); size > 0 {
		facts = append(facts, waiting(size, tail))
	}
	c.mu.Lock()
	switch n := len(c.questions); {
	case n == 1:
		facts = append(facts, "the server waits for the answer to a request of its own")
	case n > 1:
		facts = append(facts, fmt.Sprintf("the server waits for the answers to %d requests of its own", n))
	}
	switch {
	case c.busy && c.exchanges():
		facts = append(facts, "the server has not replied to a notification yet, and what follows it waits")
	case c.busy:
		facts = append(facts, "the server does not read its stdin: a message to it is stuck in the pipe")
	}
	c.mu.Unlock()
	facts = append(facts, c.since(p)...)
	if t, ok := c.tr.(interface{ Doing() []string }); ok {
		facts = append(facts, t.Doing()...)
	}
	return facts
}

// waiting tells of the unfinished line on stdout: how long it is, and its last bytes. A whole message
// whose newline does not come is the commonest of them.
func waiting(size int64, tail []byte) string {
	const shown = 60
	whole := ""
	if int64(len(tail)) == size && bytes.HasPrefix(bytes.TrimLeft(tail, " \t"), []byte("{")) && ValidJSON(tail) {
		whole = ", a whole message but for its newline"
	}
	tail = tail[max(0, len(tail)-shown):]
	return fmt.Sprintf("an unfinished line of %s waits on the server's stdout%s, which ends in %s", Bytes(size), whole, Quote(strings.ToValidUTF8(string(tail), "\uFFFD")))
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

// Doing says what the process is at, where the system tells, and what its interpreter may hold back.
func (t *Stdio) Doing() (facts []string) {
	if t.cmd == nil || t.cmd.Process == nil || t.over() {
		return nil
	}
	if state := processState(t.cmd.Process.Pid); state != "" {
		facts = append(facts, state)
	}
	args := argsOf(t.cmd.Process.Pid)
	if args == nil {
		args = t.cmd.Args
	}
	if holdsBack(args, t.cmd.Env) {
		facts = append(facts, "Python holds back what it prints to a pipe, so that its output may be older than its place: start it with -e PYTHONUNBUFFERED=1, on the screen with :restart -e PYTHONUNBUFFERED=1")
	}
	return facts
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
// it sleeps, which is "0" or empty where it is not told.
func stateSentence(state byte, wchan string) string {
	switch state {
	case 'R':
		return "the server is running: it computes"
	case 'T', 't':
		return "the server is stopped: a debugger or SIGSTOP holds it; kill -CONT lets it go on"
	case 'Z':
		return "the server has ended and is a zombie"
	case 'D':
		return "the server waits for a disk or a device"
	case 'S':
		switch {
		case strings.Contains(wchan, "pipe_read"):
			return "the server sleeps in reading a pipe: it waits for input"
		case strings.Contains(wchan, "pipe_write"):
			return "the server sleeps in writing a pipe: what it writes is not read"
		case strings.Contains(wchan, "nanosleep"):
			return "the server sleeps for a set time"
		}
		return "the server sleeps: it waits for something"
	}
	return ""
}
