package client

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Command is a server to start: no shell, the arguments as they are.
type Command struct {
	Args     []string
	Dir      string   // working directory; empty for ours
	Env      []string // K=V, added to ours and winning over it
	CleanEnv bool     // pass only what a login needs, beside Env
}

// cleanNames is what CleanEnv passes on: what the TypeScript SDK gives to a server.
var cleanNames = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "SystemRoot", "TEMP", "TMP", "USERPROFILE"}

// Environ is the environment the server gets.
func (c Command) Environ() []string {
	env := os.Environ()
	if c.CleanEnv {
		env = nil
		for _, name := range cleanNames {
			if v, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+v)
			}
		}
	}
	return append(env, c.Env...)
}

// StartError is a command that could not be started.
type StartError struct {
	Program string
	Err     error
	Hint    string
}

func (e *StartError) Error() string {
	var reason string
	switch {
	case e.Program == "":
		return "no program to start was given"
	case errors.Is(e.Err, exec.ErrNotFound), errors.Is(e.Err, fs.ErrNotExist):
		return fmt.Sprintf("no program named %q", e.Program)
	case errors.Is(e.Err, fs.ErrPermission):
		reason = "it is not executable"
	default:
		reason = e.Err.Error()
	}
	return fmt.Sprintf("cannot start %q: %s", e.Program, reason)
}

func (e *StartError) Unwrap() error { return e.Err }

// startError explains why a program could not be started.
func startError(c Command, err error) *StartError {
	e := &StartError{Program: c.Args[0], Err: err}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		e.Err = pe.Err
	}
	switch {
	case c.Dir != "" && !isDir(c.Dir):
		e.Err = fmt.Errorf("the working directory %q is no directory", c.Dir)
	case strings.ContainsAny(c.Args[0], " \t") && len(c.Args) == 1:
		e.Hint = "it contains a space: did you mean separate words?"
	case errors.Is(err, exec.ErrDot), errors.Is(err, exec.ErrNotFound) && isFile(c.Args[0]):
		e.Err = exec.ErrNotFound
		e.Hint = fmt.Sprintf("a file of that name is in this directory; to start it: ./%s", c.Args[0])
	case errors.Is(err, fs.ErrPermission) && isDir(c.Args[0]):
		e.Err, e.Hint = errors.New("it is a directory"), "name the program in it"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = fmt.Sprintf("chmod +x %s, or name its interpreter first", c.Args[0])
	case errors.Is(err, fs.ErrNotExist) && isFile(c.Args[0]):
		e.Hint, e.Err = interpreterError(c.Args[0])
	case errors.Is(err, syscall.ETXTBSY):
		e.Hint = fmt.Sprintf("something still writes to it after %v: a build that has not ended?", busyWait)
	case errors.Is(err, syscall.ENOEXEC) && builtFor(c.Args[0]) != "":
		e.Err = fmt.Errorf("it is built for %s, and this is %s/%s", builtFor(c.Args[0]), runtime.GOOS, runtime.GOARCH)
		e.Hint = "build it for this machine"
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = "a script needs a first line like #!/bin/sh, or its interpreter named first; a program must be built for this machine"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		e.Hint = "no file descriptor is free: ulimit -n shows how many there may be"
	case errors.Is(err, syscall.E2BIG):
		e.Hint = "the arguments and the environment are too large; --clean-env leaves most of the environment out"
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		e.Hint = "the system has no room for another process: ulimit -u shows how many there may be"
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.Hint = missingHint(c.Args[0], c.Dir)
	}
	return e
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// Stdio is a server that we started, with its three pipes. Its goroutines are one reader for
// stdout, one for stderr and one that waits for the exit; they end when the process and its
// pipes have ended, at the latest in Close.
type Stdio struct {
	door    Door
	run     int
	deliver func(Incoming)
	onward  [3]io.WriteCloser // where a relayed stream goes; nil for our own servers
	cmd     *exec.Cmd
	began   time.Time // not later than the process
	group   processGroup

	stdin, stdout, stderr *os.File

	mu          sync.Mutex
	asked       Asked
	exit        Exit
	descendants bool      // the process group outlived the server
	started     []process // what is known of those that the server started

	heard   heard
	passing atomic.Int32 // readers that have read something and are not done with it
	moved   atomic.Int64 // bytes that they have read
	readers sync.WaitGroup
	drained chan struct{} // both readers have seen the end
	ended   chan struct{} // no further message can come
	endOnce sync.Once
	done    chan struct{} // the exit is known and noted
	reaped  bool          // the waiter has got that far
	close   sync.Once
	closed  chan struct{}
}

// Spawn starts a server. What it writes goes through the door; messages on its stdout are then
// given to deliver, on the goroutine that reads them. Faults of the readers go to report.
func Spawn(c Command, run int, door Door, deliver func(Incoming), report func(*Fault)) (*Stdio, error) {
	return newStdio(run, door, deliver).start(c, report)
}

func newStdio(run int, door Door, deliver func(Incoming)) *Stdio {
	return &Stdio{door: door, run: run, deliver: deliver, asked: AskedNo,
		drained: make(chan struct{}), ended: make(chan struct{}), done: make(chan struct{}), closed: make(chan struct{})}
}

// start starts the process and the goroutines.
func (t *Stdio) start(c Command, report func(*Fault)) (*Stdio, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return nil, &StartError{Err: errors.New("no program"), Hint: "write it behind --, with its arguments"}
	}
	path := c.Args[0]
	if strings.ContainsRune(path, filepath.Separator) && c.Dir != "" && !filepath.IsAbs(path) {
		// A relative path is meant from where the person is; exec would look from Dir.
		if abs, err := filepath.Abs(path); err == nil && isFile(abs) {
			path = abs
		}
	}
	ends, err := t.pipes()
	if err != nil {
		return nil, startError(c, err)
	}
	t.began = time.Now()
	cmd, err := startProgram(c, path, ends)
	for _, f := range ends {
		f.Close()
	}
	if err != nil {
		t.stdin.Close()
		t.stdout.Close()
		t.stderr.Close()
		return nil, startError(c, err)
	}
	t.cmd = cmd
	t.group = newGroup(cmd)
	t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteSpawn, Text: SpawnText(cmd.Path, cmd.Process.Pid), Spawn: &Spawned{PID: cmd.Process.Pid, Path: cmd.Path}})
	t.readers.Add(2)
	Go("stdout reader", report, func() { t.read(t.stdout, Out) }, t.end, func() { t.letGo(t.stdout, Out) }, t.readers.Done)
	Go("stderr reader", report, func() { t.read(t.stderr, Err) }, func() { t.letGo(t.stderr, Err) }, t.readers.Done)
	Go("drain", report, t.readers.Wait, func() { close(t.drained) })
	Go("waiter", report, t.wait, t.settle)
	return t, nil
}

// SpawnText is the sentence of a NoteSpawn; without a process id it is about an address.
func SpawnText(path string, pid int) string {
	if pid == 0 {
		return "talking to " + path
	}
	return fmt.Sprintf("started %s, pid %d", path, pid)
}

// startProgram starts a process. A program that something still has open for writing, a compiler
// or a copy, is waited for, at most busyWait.
func startProgram(c Command, path string, ends [3]*os.File) (*exec.Cmd, error) {
	const first, longest = 2 * time.Millisecond, 100 * time.Millisecond
	begin, pause := time.Now(), first
	for {
		cmd := exec.Command(path, c.Args[1:]...)
		cmd.Args[0] = c.Args[0]
		cmd.Dir, cmd.Env = c.Dir, c.Environ()
		cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[1], ends[2]
		prepare(cmd)
		err := cmd.Start()
		if !errors.Is(err, syscall.ETXTBSY) || time.Since(begin) > busyWait {
			return cmd, err
		}
		time.Sleep(pause)
		pause = min(2*pause, longest)
	}
}

// pipes makes the three pipes and returns the child's ends, to be closed here after the start.
func (t *Stdio) pipes() (theirs [3]*os.File, err error) {
	for i, ours := range []**os.File{&t.stdin, &t.stdout, &t.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			for j, f := range []*os.File{t.stdin, t.stdout, t.stderr}[:i] {
				f.Close()
				theirs[j].Close()
			}
			return theirs, fmt.Errorf("no pipe for the server's %s: %w", streamName(Stream(i)), err)
		}
		if *ours, theirs[i] = r, w; i == 0 {
			*ours, theirs[i] = w, r
		} else {
			roomy(r)
		}
	}
	return theirs, nil
}

func (t *Stdio) end() { t.endOnce.Do(func() { close(t.ended) }) }

// read drains one pipe until its end, whatever becomes of the messages in it.
func (t *Stdio) read(f *os.File, s Stream) {
	buf := make([]byte, ReadSize)
	for {
		n, err := f.Read(buf)
		at := t.door.Now()
		if n > 0 {
			t.heard.at(s, at)
			t.moved.Add(int64(n))
			t.passing.Add(1)
			t.dispatch(t.door.Chunk(Chunk{Run: t.run, Stream: s, At: at, Bytes: buf[:n]}))
			t.pass(f, s, buf[:n])
			t.passing.Add(-1)
		}
		if err != nil {
			t.passEnd(s)
			t.dispatch(t.door.Chunk(Chunk{Run: t.run, Stream: s, At: at, End: true}))
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				t.door.Note(Note{Run: t.run, At: at, What: NoteWarning, Text: fmt.Sprintf("reading the server's %s failed: %s", streamName(s), Reason(err))})
			}
			return
		}
	}
}

// letGo ends a stream at both sides: whoever still writes to it is told, where a fault of ours
// ended the reading.
func (t *Stdio) letGo(f *os.File, s Stream) {
	t.passEnd(s)
	f.Close()
}

func streamName(s Stream) string { return "std" + s.String() }

func (t *Stdio) dispatch(in []Incoming) {
	for i := range in {
		t.deliver(in[i])
	}
}

// wait notes the exit after the output that the process left in its pipes.
func (t *Stdio) wait() {
	t.reap(t.cmd.Wait())
}

// settle makes known that the process has ended. After a fault in wait nobody would end it in
// order, so it is ended here.
func (t *Stdio) settle() {
	defer close(t.done)
	defer t.end()
	if !t.reaped {
		t.group.kill()
		t.reap(t.cmd.Wait())
	}
}

// reap notes how the process ended; err is of waiting for it.
func (t *Stdio) reap(err error) {
	t.mu.Lock()
	asked := t.asked
	t.mu.Unlock()
	descendants := t.group.alive()
	t.meet()
	t.rest() // a descendant may hold a pipe
	t.mu.Lock()
	t.descendants = descendants
	t.exit = exitOf(t.cmd, err)
	t.exit.Asked, t.exit.At = asked, t.door.Now()
	exit := t.exit
	t.mu.Unlock()
	t.reaped = true
	text := "the server ended: " + exit.String()
	if exit.Asked == AskedNo {
		text += ", unasked"
	}
	if descendants {
		text += "; a process that it started still runs"
	}
	t.door.Note(Note{Run: t.run, At: exit.At, What: NoteExit, Text: text, Exit: &exit})
}

// Send writes one line to the server's stdin.
func (t *Stdio) Send(line []byte) error {
	n, err := t.stdin.Write(line)
	if err != nil {
		return &WriteError{Written: n, Size: len(line), Err: err}
	}
	return nil
}

// WriteError is a line that could not be handed over whole.
type WriteError struct {
	Written, Size int
	Err           error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("only %d of %d bytes could be written: %s", e.Written, e.Size, Reason(e.Err))
}

func (e *WriteError) Unwrap() error { return e.Err }

// Reason is why reading or writing failed, without the call and the name of a pipe.
func Reason(err error) string {
	var why syscall.Errno
	switch {
	case errors.Is(err, syscall.EPIPE):
		return "its reader has closed it"
	case errors.As(err, &why):
		return why.Error()
	}
	return err.Error()
}

// Ended is closed when no further message can come: stdout is at its end, or the process has gone.
func (t *Stdio) Ended() <-chan struct{} { return t.ended }

// Done is closed when the process has ended and the exit is noted.
func (t *Stdio) Done() <-chan struct{} { return t.done }

// Exit is how the process ended; valid once Done is closed.
func (t *Stdio) Exit() Exit {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exit
}
