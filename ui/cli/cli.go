// Package cli is mcpinspect on a command line: the verbs that do one thing without a screen, and
// what the command line says of the screen. It speaks with sessions through their exported methods
// only, and prints results on stdout and everything else on stderr.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/demo"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/session/questions"
)

// Version is that of the program.
const Version = "0.1.0"

// tool is how the program names itself in recordings.
const tool = "mcpinspect " + Version

// IO is what a run reads from and writes to.
type IO struct{ In, Out, Err *os.File }

// Screen is what the inspector's screen is opened with.
type Screen struct {
	Session   *session.Session            // not yet connected
	Tool      string                      // a tool whose form is opened at once
	Args      []byte                      // a JSON object to fill it with
	Recording string                      // the file that is written; empty for none
	Load      func(context.Context) error // takes the recording of the session in; nil for a live one
	HostLimit time.Duration               // when hosts would give a call up: the screen says so, and goes on
	Theme     string
	NoColor   bool
	ASCII     bool
	History   *history.Store // the arguments of earlier sessions; nil keeps none
	Watch     Watch
	Replay    Replay
	Again     func() (*session.Session, func(context.Context) error, error) // the recording from its beginning, and what loads it; nil for none
	Secrets   *recordings.Secrets                                           // masked in what is drawn; nil for none
	Questions *questions.Queue                                              // what the server asks; nil where nothing is offered
	In, Out   *os.File
}

// Replay is what the screen needs to send what it shows of a recording to a server; the zero value
// where there is none.
type Replay struct {
	Reopen func() (*recordings.Reader, error)
	Secret func(name string) (value string, known bool) // what was masked in it
}

// Watch says which files make the screen start the server again, and how it is built before.
type Watch struct {
	On    bool
	Glob  string // empty for the server's program
	Build string // a command line for the shell; empty for none
}

// Show opens the screen and returns when the person has left it. The session is closed by its
// caller. An error is why the server could never be used.
type Show func(context.Context, Screen) error

// memoryGoal is from where on garbage is collected early. It leaves room beside the most that a log
// keeps, and without it the process would grow to twice that.
const memoryGoal = 1 << 30

// Main runs one command line, without the program's name, and returns the exit code.
func Main(ctx context.Context, args []string, io IO, show Show) (code int) {
	// Dying of a closed pipe would leave the server behind: writing fails instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
	a := &app{io: io, show: show}
	defer func() {
		if cause := recover(); cause != nil {
			code = a.fail(&client.Fault{Where: "main", Cause: cause, Stack: debug.Stack()})
		}
	}()
	defer func() {
		for _, c := range a.opened {
			c.Close()
		}
		a.log.close()
	}()
	a.signals = a.interruptible()
	err := a.execute(ctx, args)
	if fault := a.signals.takeOver(); fault != nil {
		return a.fail(fault)
	}
	var end *demo.Exit
	var theirs *passedOn
	switch {
	case err == nil:
		return 0
	case errors.As(err, &end):
		return end.Status
	case errors.As(err, &theirs):
		a.log.close()
		return theirs.status()
	}
	return a.fail(err)
}

// app is one run of the program.
type app struct {
	io     IO
	show   Show
	line   line       // the command line
	json   bool       // --json: failures are JSON, too
	judged bool       // findings are the result, not warnings
	log    *debugFile // --debug; nil for none

	signals *interrupt // end the run, until they are taken over

	opened []io.Closer // at the end of the run

	prepare func(*session.Options) // what a verb wants of its session; nil for nothing
}

// identity is what the program says of itself to servers. The verbs and the screen serve nothing
// that a server could ask for.
func identity() client.Identity { return client.Identity{Name: "mcpinspect", Version: Version} }

func versionText() string {
	text := tool + " (" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) > 12 {
				text += ", " + s.Value[:12]
			}
		}
	}
	return text + ")\n"
}
