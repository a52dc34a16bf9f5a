package client

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Close walks the shutdown ladder (basic/lifecycle, basic/transports/stdio): close stdin, wait,
// SIGTERM to the group, wait, SIGKILL. What is proved to be started by the server and outlives it
// is ended too; what merely holds one of its pipes is named and left alone.
func (t *Stdio) Close() Exit {
	t.close.Do(func() {
		defer close(t.closed)
		if !t.over() {
			t.meet()
		}
		t.ladder()
		t.sweep()
		t.chase()
		if !t.drainedWithin(drainGrace) {
			t.tellHolders()
		}
		t.stdout.Close()
		t.stderr.Close()
		t.drainedWithin(drainGrace)
		t.group.release()
	})
	<-t.closed
	return t.Exit()
}

func (t *Stdio) rung(asked Asked, text string) {
	t.mu.Lock()
	t.asked = asked
	t.mu.Unlock()
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteShutdown, Text: text, Data: append(append([]byte(`{"asked":`), Quote(string(asked))...), '}')})
}

func (t *Stdio) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// doneWithin waits for the exit for at most d.
func (t *Stdio) doneWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-timer.C:
		return false
	}
}

// drainedWithin waits for at most d until all output has passed the door.
func (t *Stdio) drainedWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.drained:
		return true
	case <-timer.C:
		return false
	}
}

func (t *Stdio) ladder() {
	if t.over() {
		t.stdin.Close()
		return
	}
	t.rung(AskedStdin, "closed the server's stdin")
	t.stdin.Close()
	if t.doneWithin(closeGrace) {
		return
	}
	if t.group.canTerminate() {
		t.rung(AskedTerm, fmt.Sprintf("the server still ran %v after its stdin was closed: sent SIGTERM", closeGrace))
		t.group.terminate()
		if t.doneWithin(termGrace) {
			return
		}
	}
	t.rung(AskedKill, "the server still ran: killed it")
	t.group.kill()
	<-t.done
}

// sweep ends what the server left running in its process group.
func (t *Stdio) sweep() {
	t.mu.Lock()
	left := t.descendants
	t.mu.Unlock()
	if !left || !t.group.alive() {
		return
	}
	t.group.terminate()
	const step = 10 * time.Millisecond // a group has no exit to wait for: it is asked again
	for range int(drainGrace / step) {
		if !t.group.alive() {
			break
		}
		time.Sleep(step)
	}
	t.group.kill()
	t.left("a process that the server had started was still running and was ended")
}

// meet takes note of what the server has started. Before it ends its descendants can be told, and
// right after its end what is left of its session; later its number may be somebody else's.
func (t *Stdio) meet() {
	found := family(t.cmd.Process.Pid, time.Since(t.began))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = append(t.started, found...)
}

// chase ends what the server had started outside its process group.
func (t *Stdio) chase() {
	t.mu.Lock()
	started := t.started
	t.mu.Unlock()
	group := t.cmd.Process.Pid
	left := slices.DeleteFunc(survivors(started), func(p process) bool { return p.group == group })
	if len(left) == 0 {
		return
	}
	for _, p := range left {
		p.end(false)
	}
	const step = 10 * time.Millisecond
	for range int(drainGrace / step) {
		if !slices.ContainsFunc(left, process.lives) {
			break
		}
		time.Sleep(step)
	}
	for _, p := range survivors(left) {
		p.end(true)
	}
	t.left("the server had started %s outside its process group, which still ran and was ended", list(left))
}

// tellHolders names who keeps a pipe of the server open although it has ended. A pipe can be handed
// on, so that holding it proves nothing.
func (t *Stdio) tellHolders() {
	by := "a process that made a session of its own"
	if found := holders(t.stdout, t.stderr); len(found) > 0 {
		by = list(found)
	}
	t.left("the server has ended, but its output is still held open by %s: it was left running", by)
}

func (t *Stdio) left(format string, args ...any) {
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteShutdown, Text: fmt.Sprintf(format, args...)})
}

// list names processes, the first few of many.
func list(all []process) string {
	const few = 8
	var names []string
	for _, p := range all[:min(len(all), few)] {
		names = append(names, p.String())
	}
	text := "process " + strings.Join(names, ", ")
	if more := len(all) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
