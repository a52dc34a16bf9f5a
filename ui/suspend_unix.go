//go:build !windows

package ui

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// suspension stops the process and its group, as ctrl+z does outside of raw mode; Bubble Tea
// releases the terminal before and takes it again behind it. The server lives in a session of its
// own and runs on.
type suspension struct{ out io.Writer }

// stopTime is how long a stop may take. Where no shell could continue us the kernel does not stop
// us at all (an orphaned process group, as the first program of a terminal is in), and the screen
// must come back.
const stopTime = 200 * time.Millisecond

func (s *suspension) Run() error {
	io.WriteString(s.out, wrapOn)
	defer io.WriteString(s.out, wrapOff)
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-continued:
	case <-time.After(stopTime): // it does not run while the process is stopped
	}
	return nil
}

func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}
