// Command soak lets the screen run for a long time on mixed traffic, in a terminal of its own:
// calls, floods, stray lines, crashes, restarts, questions. It samples what the product holds and
// judges whether that is flat: the median of the last quarter of the samples beside that of the
// second. It ends with 1 when it is not.
//
//	soak [-for 30m] [-pause 400ms]
//
// It is one program in three parts: the driver, the product with a sampler in it (-product), and the
// server that is inspected (-server).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"

	"example.com/mcpinspect/ui"
	"example.com/mcpinspect/ui/cli"
	_ "example.com/mcpinspect/ui/quiet"
)

func main() {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "-server":
		serve(os.Stdin, os.Stdout, os.Stderr)
		return
	case len(os.Args) > 2 && os.Args[1] == "-product":
		go sample(os.Args[2])
		os.Exit(cli.Main(context.Background(), os.Args[3:], cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, screen))
	}
	length := flag.Duration("for", 30*time.Minute, "how long")
	pause := flag.Duration("pause", 400*time.Millisecond, "between two actions")
	flag.Parse()
	flat, err := soak(*length, *pause)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || !flat {
		os.Exit(1)
	}
}

// screen is what main.go has.
func screen(ctx context.Context, s cli.Screen) error {
	return ui.Run(ctx, ui.Options{Session: s.Session, Theme: s.Theme, NoColor: s.NoColor, ASCII: s.ASCII, Recording: s.Recording, HostLimit: s.HostLimit,
		Secrets: s.Secrets, History: s.History, Questions: s.Questions, In: s.In, Out: s.Out})
}

// actions are what is typed, with how often of each hundred.
var actions = []struct {
	keys  string
	often int
}{
	{":call add a=2 b=3\r", 30},
	{":call stray\r", 8},
	{":call flood\r", 3},
	{":call big\r", 3},
	{":call ask\r|:decline\r", 8},
	{":call slow\r|\x03", 4},
	{":call crash\r|:restart\r|y\x1b", 3},
	{":restart\r|y\x1b", 2},
	{":stats\r|\x1b", 3},
	{"5v|5v|5v", 5},
	{"5|G|t|\x1b", 5},
	{"5f|tool:add\r|\x1b", 5},
	{"6|v|j|v|j|v", 5},
	{"?|\x1b", 3},
	{"!|j|\x1b", 3},
	{"2|j|j|k|k", 5},
	{"/a\r|n|\x1b", 5},
}

// soak drives the product and prints the table.
func soak(length, pause time.Duration) (flat bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	samples := filepath.Join(dir, "samples")
	cmd := exec.Command(self, "-product", samples, "--record", filepath.Join(dir, "soak.jsonl"), "--", self, "-server")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "XDG_STATE_HOME="+dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 45, Cols: 160})
	if err != nil {
		return false, err
	}
	defer tty.Close()
	drawn := make(chan int64, 1)
	var last tail
	go func() {
		n, _ := io.Copy(&last, tty) // ends with the program
		drawn <- n
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	typed := 0
	for end := time.Now().Add(length); time.Now().Before(end); {
		for _, keys := range strings.Split(pick(), "|") {
			if _, err := tty.WriteString(keys); err != nil {
				return false, fmt.Errorf("typing: %w", err)
			}
			select {
			case err := <-ended:
				return false, fmt.Errorf("it ended behind %d actions: %v\n%s", typed, err, last.text())
			case <-time.After(pause):
			}
			if rand.IntN(40) == 0 {
				_ = pty.Setsize(tty, &pty.Winsize{Rows: uint16(24 + rand.IntN(30)), Cols: uint16(80 + rand.IntN(100))})
			}
		}
		typed++
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err = <-ended:
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		return false, errors.New("it does not end")
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		return false, fmt.Errorf("it ended with %v\n%s", err, last.text())
	}
	fmt.Printf("%d actions in %v; %d bytes were drawn\n", typed, length, <-drawn)
	return judge(samples)
}

func pick() string {
	n := rand.IntN(100)
	for _, a := range actions {
		if n -= a.often; n < 0 {
			return a.keys
		}
	}
	return actions[0].keys
}

// tail keeps the end of what is written to it.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.b = append(t.b, p...)
	t.b = t.b[max(0, len(t.b)-most):]
	return len(p), nil
}

func (t *tail) text() string { return string(t.b) }
