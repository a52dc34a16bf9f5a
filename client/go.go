package client

import (
	"fmt"
	"runtime/debug"
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
func Go(name string, report func(*Fault), fn func()) {
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				report(&Fault{Where: name, Cause: cause, Stack: debug.Stack()})
			}
		}()
		fn()
	}()
}
