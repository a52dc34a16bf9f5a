package client

import (
	"fmt"
	"time"
)

// Asked is what we had done to a server when it ended.
type Asked string

const (
	AskedNo    Asked = "no"           // it ended by itself
	AskedStdin Asked = "stdin-closed" // after we closed its stdin
	AskedTerm  Asked = "term"         // after SIGTERM
	AskedKill  Asked = "kill"         // after SIGKILL, or TerminateProcess on Windows
)

// Exit is how a server ended.
type Exit struct {
	Code   int    // valid when Signal is empty
	Signal string // by name: SIGKILL
	Asked  Asked
	At     time.Duration
}

func (e Exit) String() string {
	if e.Signal != "" {
		return "signal " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}
