// Package fault is where tests put a panic into a goroutine of ours, through clienttest. Nothing
// else arms it: the program has no switch for it.
package fault

import "sync/atomic"

var armed atomic.Pointer[func(name string, over bool)]

// Arm makes every goroutine call f with its name, when it begins and again when its work is over;
// nil ends that.
func Arm(f func(name string, over bool)) {
	if f == nil {
		armed.Store(nil)
		return
	}
	armed.Store(&f)
}

// Here is called at those two places.
func Here(name string, over bool) {
	if f := armed.Load(); f != nil {
		(*f)(name, over)
	}
}
