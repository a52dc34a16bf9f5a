package clienttest

import (
	"errors"
	"sync"
	"time"

	"example.com/mcpinspect/client"
)

// Pipe is a client.Transport in memory. Its peer is a Server.
type Pipe struct {
	door    client.Door
	run     int
	deliver func(client.Incoming)

	lines  chan []byte   // no buffer: Send blocks until the server reads
	closed chan struct{} // we have closed its stdin
	killed chan struct{}
	ended  chan struct{} // its stdout is at its end
	done   chan struct{}

	closeOnce, killOnce, endOnce, exitOnce sync.Once

	mu    sync.Mutex
	asked client.Asked
	exit  client.Exit
}

// killAfter is how long a server may ignore that its stdin was closed.
const killAfter = 2 * time.Second

// Open makes both ends of a pipe.
func Open(door client.Door, run int, deliver func(client.Incoming)) (*Pipe, *Server) {
	p := &Pipe{door: door, run: run, deliver: deliver, asked: client.AskedNo,
		lines: make(chan []byte), closed: make(chan struct{}), killed: make(chan struct{}), ended: make(chan struct{}), done: make(chan struct{})}
	return p, &Server{pipe: p}
}

// Send blocks until the server reads.
func (p *Pipe) Send(line []byte) error {
	select {
	case p.lines <- line:
		return nil
	case <-p.closed:
		return errors.New("the pipe is closed")
	case <-p.done:
		return errors.New("broken pipe")
	}
}

// Close closes the server's stdin and kills it when it does not exit.
func (p *Pipe) Close() client.Exit {
	p.closeOnce.Do(func() {
		p.ask(client.AskedStdin)
		close(p.closed)
	})
	timer := time.NewTimer(killAfter)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.ask(client.AskedKill)
		p.end()
		p.leave(client.Exit{Code: -1, Signal: "SIGKILL"})
		p.killOnce.Do(func() { close(p.killed) })
	}
	return p.Exit()
}

func (p *Pipe) ask(a client.Asked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = a
}

// Ended is closed when no further message can come.
func (p *Pipe) Ended() <-chan struct{} { return p.ended }

// Done is closed when the server has exited.
func (p *Pipe) Done() <-chan struct{} { return p.done }

// Exit is how it did.
func (p *Pipe) Exit() client.Exit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// bytes is what the server wrote.
func (p *Pipe) bytes(s client.Stream, b []byte) {
	select {
	case <-p.done:
		return
	default:
	}
	for _, in := range p.door.Chunk(client.Chunk{Run: p.run, Stream: s, At: p.door.Now(), Bytes: b}) {
		p.deliver(in)
	}
}

// end ends stdout.
func (p *Pipe) end() {
	p.endOnce.Do(func() {
		for _, in := range p.door.Chunk(client.Chunk{Run: p.run, Stream: client.Out, At: p.door.Now(), End: true}) {
			p.deliver(in)
		}
		close(p.ended)
	})
}

// leave exits.
func (p *Pipe) leave(e client.Exit) {
	p.exitOnce.Do(func() {
		p.mu.Lock()
		e.Asked, e.At = p.asked, p.door.Now()
		p.exit = e
		p.mu.Unlock()
		p.door.Note(client.Note{Run: p.run, At: e.At, What: client.NoteExit, Text: "the server ended: " + e.String(), Exit: &e})
		close(p.done)
	})
}
