//go:build !windows

package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/cli"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// trap is a context that panics where Update asks for its error, once it is armed.
type trap struct {
	context.Context
	armed atomic.Bool
}

func (c *trap) Err() error {
	if c.armed.CompareAndSwap(true, false) {
		panic("put into Update by a test")
	}
	return c.Context.Err()
}

// TestPanicInUpdate: a fault while a message is handled ends the program with its code for that, the
// terminal as it was, the fault told and the recording whole, with the end of the server in it.
func TestPanicInUpdate(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	drawn := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(master) // ends with the terminal
		drawn <- string(b)
	}()
	dir := t.TempDir()
	record := filepath.Join(dir, "made.jsonl")
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	th, err := theme.Pick("none")
	if err != nil {
		t.Fatal(err)
	}
	code := cli.Main(t.Context(), []string{"--record", record, "--", programs.Build(t, "testdata/servers/minimal")}, cli.IO{In: tty, Out: tty, Err: said},
		func(ctx context.Context, s cli.Screen) error {
			ctx, stop := context.WithCancelCause(ctx)
			defer stop(nil)
			caught := &trap{Context: ctx}
			connected := make(chan error, 1)
			a := newApp(caught, stop, Options{Session: s.Session}, look{Theme: th, glyphs: text.Unicode}, connected, &guard{w: tty})
			if err := s.Session.Connect(ctx); err != nil {
				t.Error(err)
			}
			connected <- nil
			caught.armed.Store(true)
			return a.show(tty)
		})
	after, err := term.GetState(tty.Fd())
	if err != nil || *after != *before {
		t.Errorf("the terminal is left raw: %v", err)
	}
	tty.Close()
	s := <-drawn
	if code != 70 {
		t.Errorf("exit %d", code)
	}
	if strings.LastIndex(s, "\x1b[?1049l") < strings.LastIndex(s, "\x1b[?1049h") {
		t.Errorf("the alternate screen is not left: %q", s)
	}
	if b, err := os.ReadFile(said.Name()); err != nil || !strings.Contains(string(b), "put into Update by a test") {
		t.Errorf("the fault is not told: %v, %s", err, b)
	}
	r, err := recordings.Open(record)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	exits, faults := 0, 0
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if item.K == recordings.KindExit {
			exits++
		}
		if item.K == recordings.KindCtl && item.What == client.NoteFault {
			faults++
		}
	}
	if damage := r.Notices(); len(damage) > 0 || exits != 1 || faults != 1 {
		t.Errorf("the recording: damage %v, %d ends of a server, %d faults", damage, exits, faults)
	}
}
