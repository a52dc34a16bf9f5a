package client

import (
	"fmt"
	"runtime/debug"

	"example.com/mcpinspect/client/internal/fault"
)

// Fault is a panic of ours, caught where it happened.
type Fault struct {
	Where string // the name of the goroutine
	Cause any
	Stack []byte
}

func (f *Fault) Error() string { return fmt.Sprintf("internal fault in %s: %v", f.Where, f.Cause) }

// Go starts a goroutine that cannot take the terminal down with it: a panic in fn ends the
// goroutine and is given to report, on that goroutine.
//
// ends are what others wait for. They run in their order when fn is over, also after a panic, and
// behind report: who has waited knows of the fault.
func Go(name string, report func(*Fault), fn func(), ends ...func()) {
	go func() {
		caught(name, report, func() {
			fault.Here(name, false)
			fn()
			fault.Here(name, true)
		})
		for _, end := range ends {
			caught(name, report, end)
		}
	}()
}

func caught(name string, report func(*Fault), fn func()) {
	defer func() {
		if cause := recover(); cause != nil {
			report(&Fault{Where: name, Cause: cause, Stack: debug.Stack()})
		}
	}()
	fn()
}
