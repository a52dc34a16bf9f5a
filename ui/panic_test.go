//go:build !windows

package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// TestPanicLeavesAUsableTerminal: a fault of the screen restores the terminal and is told as one of ours.
func TestPanicLeavesAUsableTerminal(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	drawn := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(master) // ends with the terminal
		drawn <- string(b)
	}()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	// Without a theme the first frame cannot be drawn.
	ctx, stop := context.WithCancelCause(t.Context())
	a := newApp(ctx, stop, Options{Session: sample(t, "modern-clean.jsonl")}, look{glyphs: text.Unicode}, make(chan error, 1), &guard{w: tty})
	err = a.show(tty)
	var fault *client.Fault
	if !errors.As(err, &fault) {
		t.Errorf("the panic came back as %v", err)
	}
	after, err := term.GetState(tty.Fd())
	if err != nil || *after != *before {
		t.Errorf("the terminal is left raw: %v", err)
	}
	tty.Close()
	s := <-drawn
	if strings.Contains(s, "goroutine") {
		t.Errorf("the trace is drawn on the screen: %q", s)
	}
	if strings.LastIndex(s, "\x1b[?1049l") < strings.LastIndex(s, "\x1b[?1049h") {
		t.Errorf("the alternate screen is not left: %q", s)
	}
}
