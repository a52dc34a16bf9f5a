package watch

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"time"
)

const (
	// maxOutput is how much of a build's output is kept: its end, where the error most often is.
	maxOutput = 64 << 10

	// buildGrace is how long the output of a build that has ended may stay open, by a process that
	// it left behind.
	buildGrace = time.Second
)

// Built is how a build went.
type Built struct {
	Err    error // nil when it worked
	Output []byte
	Cut    bool // the beginning of the output is missing
	Took   time.Duration
}

// Build runs a command line as the system's shell does (sh -c, cmd /C on Windows), in our directory
// and with our environment. It ends with ctx, and so does what it has started.
func Build(ctx context.Context, line string) Built {
	cmd := shell(ctx, line)
	out := &tail{}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = buildGrace
	begin := time.Now()
	err := run(cmd)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	return Built{Err: err, Output: bytes.Clone(out.kept), Cut: out.cut, Took: time.Since(begin)}
}

// run is cmd.Run, for which a process that was left behind with the output open is no failure.
func run(cmd *exec.Cmd) error {
	err := cmd.Run()
	if err == exec.ErrWaitDelay { // never wrapped
		return nil
	}
	return err
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxOutput; over > 0 {
		if len(t.kept) > 2*maxOutput {
			t.kept = bytes.Clone(t.kept[over:])
		} else {
			t.kept = append(t.kept[:0], t.kept[over:]...)
		}
		t.cut = true
	}
	return len(p), nil
}
