// Package ui is the screen: one Bubble Tea model over a session that it pulls from. Panes are
// plain structs; only the root model runs commands.
package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/session/questions"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// Options say how the screen begins.
type Options struct {
	Session   *session.Session
	Theme     string // a name of theme.Names; empty for the default
	NoColor   bool
	ASCII     bool
	Tool      string // a tool whose form is opened at once
	Args      []byte // a JSON object to fill it with
	Recording string // where the session is recorded; empty for nowhere

	// Load takes the recording of the session in; nil for a session that is live from the start.
	Load func(context.Context) error

	HostLimit time.Duration // when hosts may have given up on a call; zero says nothing of it
	Secrets   *recordings.Secrets
	History   *history.Store // the arguments of earlier sessions; nil keeps none
	Watch     WatchOptions
	Replay    Replay
	Again     Again            // nil where nothing can be played
	Questions *questions.Queue // of the server; nil where nothing is answered
	In        *os.File
	Out       *os.File
}

// ErrNoTerminal is a screen without a terminal to draw on.
var ErrNoTerminal = errors.New("the inspector needs a terminal; without one use a verb, for example: mcpinspect list tools -- ./server")

// ErrTerminalGone is the end of the terminal under the screen, where no signal tells of it.
var ErrTerminalGone error = terminalGone{}

type terminalGone struct{}

func (terminalGone) Error() string { return "the terminal has gone" }

// Unwrap says that this is an interruption.
func (terminalGone) Unwrap() error { return context.Canceled }

// Run starts the server, or loads the recording, and shows it until the person leaves or ctx ends. It returns nil when the
// server was connected at some time, a *client.StartError when it could not even be started, why
// connecting failed when it never worked, a *client.Fault for a panic of the screen, or the cause
// of ctx. The session is left to the caller.
func Run(ctx context.Context, o Options) error {
	if !term.IsTerminal(o.In.Fd()) || !term.IsTerminal(o.Out.Fd()) {
		return ErrNoTerminal
	}
	pick := o.Theme
	if o.NoColor {
		pick = "none"
	}
	th, err := theme.Pick(pick)
	if err != nil {
		return err
	}
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < leastProcs {
		runtime.GOMAXPROCS(leastProcs)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	connected := make(chan error, 1)
	reading, endReading := context.WithCancel(ctx)
	defer endReading()
	if o.Load != nil {
		client.Go("load", func(f *client.Fault) { stop(f) }, func() {
			err := o.Load(reading)
			if ctx.Err() == nil && reading.Err() != nil {
				err = nil // the recording is read from its beginning instead
			}
			var f *client.Fault
			if errors.As(err, &f) { // in reading ahead
				stop(f)
			}
			connected <- err
		})
	} else {
		client.Go("connect", func(f *client.Fault) { stop(f) }, func() { connected <- o.Session.Connect(ctx) })
	}
	if err, over := started(ctx, o.Session, connected); over {
		return err
	}
	out := &guard{w: o.Out}
	l := look{Theme: th, glyphs: text.Pick(o.ASCII || wantsASCII(os.Getenv)), secrets: o.Secrets}
	if pick != "none" && l.glyphs == text.Unicode {
		l.colours = colours(o.Out)
	}
	a := newApp(ctx, stop, o, l, connected, out)
	a.player.stop = endReading
	return a.show(o.In)
}

// show runs the screen until the person leaves it or its context ends. Whatever happens, the
// terminal is restored.
func (a *app) show(in *os.File) error {
	var keys io.Reader = in
	if runtime.GOOS != "windows" { // there keys come as events, and Bubble Tea wants the file itself
		keys = &keyboard{File: in, text: &a.text, gone: func() { a.stop(ErrTerminalGone) }}
	}
	p := tea.NewProgram(a, tea.WithAltScreen(), tea.WithInput(keys), tea.WithOutput(a.out), tea.WithoutSignalHandler(), tea.WithFilter(a.filter), tea.WithFPS(framesPerSecond))
	io.WriteString(a.out, wrapOff)
	defer io.WriteString(a.out, wrapOn)
	over, ended := make(chan struct{}), make(chan struct{})
	client.Go("end of the screen", func(f *client.Fault) { a.stop(f); p.Kill() }, func() { quitWith(a.ctx, p, over) }, func() { close(ended) })
	_, err := p.Run()
	close(over)
	<-ended
	cause := context.Cause(a.ctx)
	switch {
	case errors.Is(err, tea.ErrProgramPanic): // in a command
		return &client.Fault{Where: "the screen", Cause: err}
	case cause != nil && (!errors.Is(cause, context.Canceled) || errors.Is(cause, ErrTerminalGone)):
		return cause
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return err
	}
	return a.verdict()
}

// framesPerSecond is how often what changed is written, the most that Bubble Tea does: a key waits half
// as long for its echo as with the 60 of its default, and a frame that is equal is not written.
const framesPerSecond = 120

// leastProcs is how many goroutines of the screen run at a time at least, for the kernel to choose
// from. With as many as two processors a flood leaves none: the goroutine that reads keys goes back to
// wait in the kernel with the loop that it has just woken queued behind it, and it takes the runtime
// up to 10 ms to see that nobody runs there.
const leastProcs = 4

// quitWith ends the screen with ctx, in order: a program that Bubble Tea kills closes the reader of
// keys while that still reads. Only a loop that hangs is killed.
func quitWith(ctx context.Context, p *tea.Program, over <-chan struct{}) {
	select {
	case <-ctx.Done():
		kill := time.AfterFunc(hungTime, p.Kill)
		defer kill.Stop()
		p.Quit()
	case <-over:
	}
}

// hungTime is how long the loop may take to see that it ends: longer than the slowest frame.
const hungTime = 2 * time.Second

// Without automatic wrapping a line that the terminal draws wider than it measures is cut at the
// edge instead of moving everything below it.
const (
	wrapOff = "\x1b[?7l"
	wrapOn  = "\x1b[?7h"
)

// started waits until the server was started or could not be.
func started(ctx context.Context, s *session.Session, connected chan error) (error, bool) {
	if _, recorded := s.Loading(); recorded {
		return nil, false
	}
	for {
		if s.Snapshot().Run != 0 {
			return nil, false
		}
		select {
		case err := <-connected:
			var start *client.StartError
			if errors.As(err, &start) || s.Snapshot().Run == 0 {
				return err, true
			}
			connected <- err
			return nil, false
		case <-s.Changed():
		case <-ctx.Done():
			return context.Cause(ctx), true
		}
	}
}

// guard serialises what the renderer writes with the few sequences that are written beside it.
type guard struct {
	mu sync.Mutex
	w  *os.File
}

func (g *guard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(p)
}

// Fd lets Bubble Tea treat it as the terminal it is.
func (g *guard) Fd() uintptr { return g.w.Fd() }

func (g *guard) Read(p []byte) (int, error) { return g.w.Read(p) }

func (g *guard) Close() error { return nil }

var _ io.ReadWriteCloser = (*guard)(nil)
