//go:build !windows

package cli

import (
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// signalBase is what shells add to a signal's number to make an exit status of it.
const signalBase = 128

// status is the exit status of the server. Where it died of a signal that this program can die of
// too, it does: whoever started us sees what it would have seen without us.
func (p *passedOn) status() int {
	if p.exit.Signal == "" {
		return p.exit.Code
	}
	sig := unix.SignalNum(p.exit.Signal)
	switch sig {
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM:
		signal.Reset(sig)
		if syscall.Kill(syscall.Getpid(), sig) == nil {
			time.Sleep(time.Second) // it comes before that
		}
	}
	return signalBase + int(sig)
}
