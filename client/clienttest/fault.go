package clienttest

import "example.com/mcpinspect/client/internal/fault"

// Arm makes every goroutine that client.Go starts call f with its name, when it begins and again
// when its work is over: a panic in f is a fault of that goroutine. nil ends that.
func Arm(f func(name string, over bool)) { fault.Arm(f) }
