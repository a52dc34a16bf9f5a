// Package screentest runs a program in a pseudo terminal and reads its screen through a terminal
// emulator, as a person would see it. Tests wait for what must appear, never for time.
package screentest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Patience is how long a test waits for something that must come, on a machine that is busy.
const Patience = 20 * time.Second

// Screen is a running program and what it has drawn.
type Screen struct {
	t    testing.TB
	pty  *os.File
	cmd  *exec.Cmd
	emu  *vt.SafeEmulator
	done chan struct{}
	end  sync.Once

	draw sync.Mutex // one at a time writes to the emulator or reads its cells

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every output
	raw     []byte
	err     error
}

// Start runs a command in a terminal of w×h cells. It is ended with the test.
func Start(t testing.TB, w, h int, env []string, argv ...string) *Screen {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), append([]string{"TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "CI="}, env...)...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		t.Fatal(err)
	}
	s := &Screen{t: t, pty: f, cmd: cmd, emu: vt.NewSafeEmulator(w, h), done: make(chan struct{}), changed: make(chan struct{})}
	go s.read()
	go s.answer()
	t.Cleanup(s.End)
	return s
}

// End ends the program if it still runs. It may be called more than once.
func (s *Screen) End() {
	s.end.Do(func() {
		_ = s.cmd.Process.Kill()
		<-s.done
		s.pty.Close()
		if in, ok := s.emu.InputPipe().(io.Closer); ok {
			in.Close() // ends answer; Close of the emulator would race with its Read
		}
	})
}

// read feeds the emulator until the program has ended.
func (s *Screen) read() {
	defer close(s.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.pty.Read(buf)
		if n > 0 {
			s.took(buf[:n]) // before it is drawn: Drawn measures the program, not the emulator
			s.draw.Lock()
			_, _ = s.emu.Write(buf[:n])
			s.draw.Unlock()
			s.took(nil)
		}
		if err != nil {
			s.err = s.cmd.Wait()
			return
		}
	}
}

// took keeps what the program wrote and wakes whoever waits for a change.
func (s *Screen) took(p []byte) {
	s.mu.Lock()
	s.raw = append(s.raw, p...)
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
}

// answer passes the emulator's replies to the program, as a terminal does.
func (s *Screen) answer() {
	buf := make([]byte, 4096)
	for {
		n, err := s.emu.Read(buf)
		if err != nil {
			return
		}
		_, _ = s.pty.Write(buf[:n])
	}
}

// Resident is how many bytes of the program are in memory now; 0 where there is no /proc.
func (s *Screen) Resident() int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid)) // proc_pid_statm(5): in pages
	fields := strings.Fields(string(raw))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}

// Keys types: what a terminal sends for them.
func (s *Screen) Keys(keys string) {
	s.t.Helper()
	if _, err := s.pty.Write([]byte(keys)); err != nil {
		s.t.Fatalf("typing %q: %v", keys, err)
	}
}

// Text is the screen as lines of text.
func (s *Screen) Text() string {
	s.draw.Lock()
	defer s.draw.Unlock()
	var out strings.Builder
	for y := range s.emu.Height() {
		var line strings.Builder
		for x := range s.emu.Width() {
			switch c := s.emu.CellAt(x, y); {
			case c == nil:
				line.WriteByte(' ')
			case c.Width > 0:
				line.WriteString(c.Content)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return out.String()
}

// LastColumn is what stands in the last cell of every row: a character of two cells stands in the
// one before.
func (s *Screen) LastColumn() (cells []string) {
	s.draw.Lock()
	defer s.draw.Unlock()
	for y := range s.emu.Height() {
		cell := ""
		if c := s.emu.CellAt(s.emu.Width()-1, y); c != nil {
			cell = c.Content
		}
		cells = append(cells, cell)
	}
	return cells
}

// Wait waits until every part is on the screen at once and returns the screen.
func (s *Screen) Wait(parts ...string) string {
	s.t.Helper()
	return s.Until(strings.Join(parts, ", "), func(text string) bool {
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return true
	})
}

// Until waits until the screen passes and returns it; what names the wish in a failure.
func (s *Screen) Until(what string, pass func(string) bool) string {
	s.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		text := s.Text()
		if pass(text) {
			return text
		}
		select {
		case <-changed:
		case <-s.done:
			if text := s.Text(); pass(text) {
				return text
			}
			s.t.Fatalf("the program ended before this was on the screen: %s\n%s", what, s.Text())
		case <-timeout.C:
			s.t.Fatalf("not on the screen: %s\n%s", what, s.Text())
		}
	}
}

// Shows waits until a part is so many times on the screen: false when the program has ended before.
func (s *Screen) Shows(part string, times int) bool {
	s.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if strings.Count(s.Text(), part) >= times {
			return true
		}
		select {
		case <-changed:
		case <-s.done:
			return false
		case <-timeout.C:
			s.t.Fatalf("not on the screen: %s\n%s", part, s.Text())
		}
	}
}

// TryKeys types where the program may have ended already.
func (s *Screen) TryKeys(keys string) { _, _ = s.pty.Write([]byte(keys)) }

// Exit waits for the end of the program and returns its exit code.
func (s *Screen) Exit() int {
	s.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	select {
	case <-s.done:
	case <-timeout.C:
		s.t.Fatalf("the program does not end\n%s", s.Text())
	}
	return s.cmd.ProcessState.ExitCode()
}

// Raw is every byte the program wrote.
func (s *Screen) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.raw)
}

// Written is how many bytes the program wrote: the length of Raw, without a copy.
func (s *Screen) Written() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.raw)
}

// Drawn waits until the program has written a text behind the first from bytes of Raw: for
// measuring, where reading the screen would take longer than what is measured.
func (s *Screen) Drawn(from int, text string) {
	s.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		changed, found := s.changed, bytes.Contains(s.raw[from:], []byte(text))
		s.mu.Unlock()
		if found {
			return
		}
		select {
		case <-changed:
		case <-s.done:
			s.t.Fatalf("the program ended before it wrote %q", text)
		case <-timeout.C:
			s.t.Fatalf("%q was not written\n%s", text, s.Text())
		}
	}
}

// Process is the program, for signals.
func (s *Screen) Process() *os.Process { return s.cmd.Process }

// Resize changes the size of the terminal.
func (s *Screen) Resize(w, h int) {
	s.draw.Lock()
	s.emu.Resize(w, h)
	s.draw.Unlock()
	if err := pty.Setsize(s.pty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		s.t.Fatal(err)
	}
}
