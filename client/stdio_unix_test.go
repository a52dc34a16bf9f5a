//go:build !windows

package client_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// playVar makes this test binary play a server instead of testing.
const playVar = "MCPINSPECT_CLIENT_TEST_PLAY"

// parentVar tells a play who started it.
const parentVar = "MCPINSPECT_CLIENT_TEST_PARENT"

func TestMain(m *testing.M) {
	if play := os.Getenv(playVar); play != "" {
		plays[play]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// answerLines answers every line with an empty result until stdin ends.
func answerLines() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", client.Get(in.Bytes(), "id"))
	}
}

const (
	floodSize = 50 << 20
	floodLine = 1 << 10
)

// hang does nothing for ever. (Without a timer to wait for, the runtime would call it a deadlock.)
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

// plays are the servers that the tests start.
var plays = map[string]func(){
	"good": answerLines,
	"flood": func() {
		lines := []byte(strings.Repeat(strings.Repeat("x", floodLine-1)+"\n", 16))
		for range floodSize / len(lines) {
			os.Stderr.Write(lines)
		}
		answerLines()
	},
	"exit3":         func() { fmt.Print("half a line"); fmt.Fprintln(os.Stderr, "bye"); os.Exit(3) },
	"killed":        func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); hang() },
	"ignores stdin": hang,
	"ignores all": func() {
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready") // the signal is ignored by now
		hang()
	},
	"says where": func() {
		dir, _ := os.Getwd()
		fmt.Println(dir, os.Getenv("A"), os.Getenv("B") != "")
		answerLines()
	},
	"grandchild": func() {
		// Its child holds stdout and stderr and ignores SIGTERM; the parent is polite.
		self, _ := os.Executable()
		child := exec.Command(self)
		child.Env = append(os.Environ(), playVar+"=ignores all")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
		answerLines()
	},
	"own session": func() { // its child has nothing of it but its parent
		fmt.Println(spawn("ignores all", nil, &syscall.SysProcAttr{Setsid: true}))
		answerLines()
	},
	"own group, dies": func() {
		fmt.Println(spawn("ignores all", nil, &syscall.SysProcAttr{Setpgid: true}))
		os.Exit(3)
	},
	"daemon": func() { // its grandchild holds stdout; the child between has gone
		spawn("daemon between", os.Stdout, &syscall.SysProcAttr{Setsid: true})
		answerLines()
	},
	"daemon between": func() { spawn("daemon itself", os.Stdout, nil) },
	"daemon itself": func() {
		for strconv.Itoa(os.Getppid()) == os.Getenv(parentVar) {
			time.Sleep(time.Millisecond) // until nothing ties it to the server
		}
		fmt.Println(os.Getpid())
		hang()
	},
	"last words": func() {
		io.Copy(io.Discard, os.Stdin)
		fmt.Print(strings.Repeat("word ", 1<<16), "\nend")
	},
}

// spawn starts this binary as a child of a server and returns its number.
func spawn(play string, out *os.File, how *syscall.SysProcAttr) int {
	self, _ := os.Executable()
	child := exec.Command(self)
	child.Env = append(os.Environ(), playVar+"="+play, parentVar+"="+strconv.Itoa(os.Getpid()))
	child.SysProcAttr = how
	if out != nil {
		child.Stdout = out
	}
	if err := child.Start(); err != nil {
		panic(err)
	}
	return child.Process.Pid
}

// start starts this binary as a server.
func start(t *testing.T, play string, change func(*client.Command)) (*client.Stdio, *clienttest.Door, chan client.Incoming) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := client.Command{Args: []string{self}, Env: []string{playVar + "=" + play}}
	if change != nil {
		change(&c)
	}
	door := &clienttest.Door{}
	in := make(chan client.Incoming, 100)
	s, err := client.Spawn(c, 1, door, func(i client.Incoming) { in <- i }, func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, door, in
}

// stray waits for a line of text on stdout.
func stray(t *testing.T, door *clienttest.Door) string {
	t.Helper()
	for range 1000 {
		if rows := door.Rows(client.Out); len(rows) > 0 {
			return rows[0].Text()
		}
		time.Sleep(10 * time.Millisecond) // polls for a process; the loop's end fails the test
	}
	t.Fatal("nothing came")
	return ""
}

func TestStdio(t *testing.T) {
	t.Parallel()
	s, door, in := start(t, "good", nil)
	if err := s.Send([]byte(`{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if got := <-in; got.RawID() != "5" || got.At <= 0 {
		t.Errorf("%+v", got)
	}
	if e := s.Close(); e.Code != 0 || e.Signal != "" || e.Asked != client.AskedStdin || e != s.Exit() {
		t.Errorf("%+v", e)
	}
	if n := door.Notes(client.NoteSpawn); len(n) != 1 || n[0].Spawn.PID <= 0 || n[0].Spawn.Path == "" {
		t.Errorf("%+v", n)
	}
	if n := door.Notes(client.NoteShutdown); len(n) != 1 || n[0].Text != "closed the server's stdin" {
		t.Errorf("%+v", n)
	}
	if n := door.Notes(client.NoteExit); len(n) != 1 || n[0].Text != "the server ended: exit status 0" || *n[0].Exit != s.Exit() {
		t.Errorf("%+v", n)
	}
	var w *client.WriteError
	if err := s.Send([]byte("x\n")); !errors.As(err, &w) || w.Written != 0 || w.Size != 2 {
		t.Errorf("a write after the end: %v", err)
	}
}

// TestStderrFlood: a server that logs 50 MB before its first answer must not be blocked.
func TestStderrFlood(t *testing.T) {
	t.Parallel()
	s, door, in := start(t, "flood", nil)
	if err := s.Send([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-in:
	case <-time.After(30 * time.Second):
		t.Fatal("no answer")
	}
	s.Close()
	if n := len(door.Rows(client.Err)); n != floodSize/floodLine {
		t.Errorf("%d lines on stderr", n)
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	s, door, _ := start(t, "exit3", nil)
	<-s.Done()
	if e := s.Exit(); e.Code != 3 || e.Asked != client.AskedNo || e.String() != "exit status 3" {
		t.Errorf("%+v", e)
	}
	if n := door.Notes(client.NoteExit); len(n) != 1 || n[0].Text != "the server ended: exit status 3, unasked" {
		t.Errorf("%+v", n)
	}
	rows := door.Rows(client.Out)
	if len(rows) != 1 || rows[0].Text() != "half a line" || !rows[0].Flaws.Has(client.FlawTorn) {
		t.Errorf("stdout: %+v", rows)
	}
	if rows := door.Rows(client.Err); len(rows) != 1 || rows[0].Text() != "bye" {
		t.Errorf("stderr: %+v", rows)
	}
	if e := s.Close(); e.Asked != client.AskedNo {
		t.Errorf("%+v", e)
	}
	if n := door.Notes(client.NoteShutdown); len(n) != 0 {
		t.Errorf("a ladder for a server that had gone: %+v", n)
	}
	s, _, _ = start(t, "killed", nil)
	<-s.Done()
	if e := s.Exit(); e.Signal != "SIGKILL" || e.Asked != client.AskedNo || e.String() != "signal SIGKILL" {
		t.Errorf("%+v", e)
	}
}

// TestLadder: every rung is noted, and no server can hold us.
func TestLadder(t *testing.T) {
	for play, want := range map[string]struct {
		asked  client.Asked
		signal string
		rungs  int
	}{"ignores stdin": {client.AskedTerm, "SIGTERM", 2}, "ignores all": {client.AskedKill, "SIGKILL", 3}} {
		t.Run(play, func(t *testing.T) {
			t.Parallel()
			s, door, _ := start(t, play, nil)
			if want.asked == client.AskedKill {
				stray(t, door)
			}
			begin := time.Now()
			e := s.Close()
			if e.Asked != want.asked || e.Signal != want.signal {
				t.Errorf("%+v", e)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if n := door.Notes(client.NoteShutdown); len(n) != want.rungs {
				t.Errorf("%+v", n)
			}
		})
	}
}

func TestGrandchild(t *testing.T) {
	t.Parallel()
	s, door, _ := start(t, "grandchild", nil)
	pid, err := strconv.Atoi(stray(t, door))
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	e := s.Close()
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if e.Code != 0 || e.Asked != client.AskedStdin {
		t.Errorf("%+v", e)
	}
	if n := door.Notes(client.NoteExit); len(n) != 1 || !strings.Contains(n[0].Text, "a process that it started still runs") {
		t.Errorf("%+v", n)
	}
	if n := door.Notes(client.NoteShutdown); len(n) != 2 || !strings.Contains(n[1].Text, "was ended") {
		t.Errorf("%+v", n)
	}
	gone(t, pid)
}

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if !living(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond) // polls for a process; the loop's end fails the test
	}
	t.Errorf("process %d survives", pid)
}

// TestDescendants: what is proved to come from the server is ended with it, wherever it went, and
// what only holds its stdout is named and left alone.
func TestDescendants(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	for play, want := range map[string]struct {
		text string
		ends bool
	}{
		"own session":     {"the server had started process %d (%s) outside its process group, which still ran and was ended", true},
		"own group, dies": {"the server had started process %d (%s) outside its process group, which still ran and was ended", true},
		"daemon":          {"the server has ended, but its output is still held open by process %d (%s): it was left running", false},
	} {
		t.Run(play, func(t *testing.T) {
			t.Parallel()
			s, door, _ := start(t, play, nil)
			pid, err := strconv.Atoi(stray(t, door))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(play, "dies") {
				<-s.Done()
			}
			s.Close()
			self, _ := os.Executable()
			name := filepath.Base(self)
			text := fmt.Sprintf(want.text, pid, name[:min(len(name), 15)]) // as much as the kernel keeps
			notes := door.Notes(client.NoteShutdown)
			if n := len(notes); n == 0 || notes[n-1].Text != text || client.Get(notes[n-1].Data, "asked") != nil {
				t.Errorf("%+v, want %q", notes, text)
			}
			if want.ends {
				gone(t, pid)
				return
			}
			if !living(pid) {
				t.Error("it was ended although nothing proves whose it is")
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		})
	}
}

// living reports whether a process runs; one that only waits to be collected does not.
func living(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}

// TestLastWords: what a server writes on its way out is in the log when Close returns.
func TestLastWords(t *testing.T) {
	t.Parallel()
	s, door, _ := start(t, "last words", nil)
	s.Close()
	rows := door.Rows(client.Out)
	if len(rows) != 2 || rows[0].Body.Len() != 5<<16 || rows[1].Text() != "end" {
		t.Errorf("%d rows", len(rows))
	}
}

// slowDoor takes longer for what a server has left in its pipe than a pipe is given that nothing comes from.
type slowDoor struct{ *clienttest.Door }

func (d slowDoor) Chunk(c client.Chunk) []client.Incoming {
	time.Sleep(100 * time.Millisecond) // work, not waiting
	return d.Door.Chunk(c)
}

// TestSlowlyRead: as long as something comes, nobody is said to hold the pipe of a server that has ended.
func TestSlowlyRead(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	door := &clienttest.Door{}
	s, err := client.Spawn(client.Command{Args: []string{self}, Env: []string{playVar + "=last words"}}, 1, slowDoor{door}, func(client.Incoming) {}, func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) })
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if rows := door.Rows(client.Out); len(rows) != 2 || rows[1].Text() != "end" {
		t.Errorf("%d rows", len(rows))
	}
	for _, n := range door.Notes(client.NoteShutdown) {
		if strings.Contains(n.Text, "held open") {
			t.Error(n.Text)
		}
	}
}

func TestCommand(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("A", "ours")
	t.Setenv("B", "ours")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(here, self)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*client.Command)
		want   string
	}{
		"environment": {func(c *client.Command) { c.Dir = dir; c.Env = append(c.Env, "A=theirs") }, dir + " theirs true"},
		"clean":       {func(c *client.Command) { c.Dir = dir; c.CleanEnv = true }, dir + "  false"},
		// A relative program is meant from here, whatever its directory.
		"relative": {func(c *client.Command) { c.Args[0] = "./" + relative; c.Dir = dir }, dir + " ours true"},
	} {
		_, door, _ := start(t, "says where", c.change)
		if got := stray(t, door); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", "x", 0o644)
	write("no-interpreter", "#!/nowhere/sh\n", 0o755)
	write("no-first-line", "echo hi\n", 0o755)
	for _, c := range []struct {
		command client.Command
		text    string
		hint    string
	}{
		{client.Command{}, "no program to start was given", ""},
		{client.Command{Args: []string{""}}, "no program to start was given", ""},
		{client.Command{Args: []string{"no-such-program"}}, `no program named "no-such-program"`, "is it on PATH?"},
		{client.Command{Args: []string{"./none"}}, `no program named "./none"`, ""},
		{client.Command{Args: []string{"plain"}}, `no program named "plain"`, "to start it: ./plain"},
		{client.Command{Args: []string{"node server.js"}}, `no program named "node server.js"`, "separate words"},
		{client.Command{Args: []string{"./plain"}}, `cannot start "./plain": it is not executable`, "chmod +x ./plain"},
		{client.Command{Args: []string{dir}}, "it is a directory", "name the program"},
		{client.Command{Args: []string{"./no-interpreter"}}, `the interpreter "/nowhere/sh", which its first line names, does not exist`, "finds it on PATH"},
		{client.Command{Args: []string{"./no-first-line"}}, "exec format error", "needs a first line"},
		{client.Command{Args: []string{"cat", strings.Repeat("x", 8<<20)}}, `cannot start "cat": argument list too long`, "--clean-env"},
		{client.Command{Args: []string{"./plain"}, Dir: "none"}, `the working directory "none" is no directory`, ""},
		{client.Command{Args: []string{"./plain"}, Dir: "plain"}, `the working directory "plain" is no directory`, ""},
	} {
		door := &clienttest.Door{}
		s, err := client.Spawn(c.command, 1, door, func(client.Incoming) {}, func(f *client.Fault) { t.Error(f) })
		var e *client.StartError
		if s != nil || !errors.As(err, &e) || !strings.Contains(e.Error(), c.text) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%.80q: %v, hint of %+v; want %q, %q", c.command.Args, err, e, c.text, c.hint)
		}
		if n := door.Notes(""); len(n) != 0 {
			t.Errorf("%q: %+v", c.command.Args, n)
		}
	}
}

// TestBusyProgram: a program that is still being written is started once it is whole.
func TestBusyProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux refuses to start it")
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "srv")
	if err := os.WriteFile(path, self, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	const writing = 100 * time.Millisecond // the start comes at once, so within this time
	begin := time.Now()
	time.AfterFunc(writing, func() { f.Close() })
	s, err := client.Spawn(client.Command{Args: []string{path}, Env: []string{playVar + "=good"}}, 1, &clienttest.Door{}, func(client.Incoming) {}, func(f *client.Fault) { t.Error(f) })
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < writing {
		t.Errorf("it was started after %v, while it was open for writing", took)
	}
	s.Close()
}
