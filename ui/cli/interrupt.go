package cli

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"

	"example.com/mcpinspect/client"
)

// interrupt ends a run at one of the signals of endings, at once, while there is nothing to close:
// a verb that starts a server, or draws, takes them over.
type interrupt struct {
	signals chan os.Signal
	taken   chan struct{}
	ended   chan struct{}
	once    sync.Once
	fault   atomic.Pointer[client.Fault]
}

func (a *app) interruptible() *interrupt {
	i := &interrupt{signals: make(chan os.Signal, 1), taken: make(chan struct{}), ended: make(chan struct{})}
	signal.Notify(i.signals, endings...)
	client.Go("interrupt", func(f *client.Fault) { i.fault.CompareAndSwap(nil, f) }, func() {
		select {
		case <-i.signals:
			os.Exit(a.fail(errInterrupted))
		case <-i.taken:
		}
	}, func() { close(i.ended) })
	return i
}

// takeOver leaves the signals to whoever has asked for them before. It returns a fault of ours.
func (i *interrupt) takeOver() *client.Fault {
	i.once.Do(func() {
		signal.Stop(i.signals)
		close(i.taken)
		<-i.ended
	})
	return i.fault.Load()
}
