package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

// Socket is a server that listens on a Unix socket or a TCP port and speaks the framing of stdio there
// (basic/transports, custom transports). It has one reader goroutine, which ends with the connection.
type Socket struct {
	door    Door
	run     int
	deliver func(Incoming)
	conn    net.Conn
	heard   heard

	mu    sync.Mutex
	ours  bool // we closed it
	close sync.Once
	done  chan struct{}
}

// IsSocket reports whether an address is one of a socket: unix:/path or tcp:host:port.
func IsSocket(address string) bool {
	return strings.HasPrefix(address, "unix:") || strings.HasPrefix(address, "tcp:")
}

// ParseSocket splits the address of a socket as net.Dial wants it.
func ParseSocket(address string) (network, at string, err error) {
	network, at, _ = strings.Cut(address, ":")
	switch network {
	case "unix":
		if at == "" {
			return "", "", &AddressError{Text: fmt.Sprintf("%q names no socket", address), Hint: "as in unix:/run/server.sock"}
		}
	default:
		at = strings.TrimPrefix(at, "//")
		if _, port, serr := net.SplitHostPort(at); serr != nil || port == "" {
			return "", "", &AddressError{Text: fmt.Sprintf("%q names no host and port", address), Hint: "as in tcp:localhost:7000"}
		}
	}
	return network, at, nil
}

// Plug connects to a socket; the end of ctx ends that, and nothing later. What comes from it goes
// through the door as the server's output.
func Plug(ctx context.Context, address string, run int, door Door, deliver func(Incoming), report func(*Fault)) (*Socket, error) {
	network, at, err := ParseSocket(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, at)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%s was not reached: %w", address, context.Cause(ctx))
	}
	if err != nil {
		return nil, &StartError{Program: address, Err: fmt.Errorf("it cannot be reached: %s", reason(err)), Hint: "does the server run, and listen there?"}
	}
	t := &Socket{door: door, run: run, deliver: deliver, conn: conn, done: make(chan struct{})}
	door.Note(Note{Run: run, At: door.Now(), What: NoteSpawn, Text: SpawnText(address, 0), Spawn: &Spawned{Path: address}})
	Go("socket reader", report, t.read, func() { close(t.done) })
	return t, nil
}

func (t *Socket) read() {
	buf := make([]byte, ReadSize)
	for {
		n, err := t.conn.Read(buf)
		at := t.door.Now()
		if n > 0 {
			t.heard.at(Out, at)
		}
		got := t.door.Chunk(Chunk{Run: t.run, Stream: Out, At: at, Bytes: buf[:n], End: err != nil})
		for i := range got {
			t.deliver(got[i])
		}
		if err == nil {
			continue
		}
		t.mu.Lock()
		ours := t.ours
		t.mu.Unlock()
		text := "the server closed the connection"
		switch {
		case ours:
			text = "the connection was closed"
		case !errors.Is(err, io.EOF):
			text = "the connection broke: " + reason(err)
		}
		t.door.Note(Note{Run: t.run, At: at, What: NoteClosed, Text: text})
		return
	}
}

// Send writes one line.
func (t *Socket) Send(line []byte) error {
	n, err := t.conn.Write(line)
	if err != nil {
		return &WriteError{Written: n, Size: len(line), Err: err}
	}
	return nil
}

// Close ends the connection; the server goes on.
func (t *Socket) Close() Exit {
	t.close.Do(func() {
		t.mu.Lock()
		t.ours = true
		t.mu.Unlock()
		t.conn.Close()
	})
	<-t.done
	return Exit{}
}

// Done is closed when the connection has ended and everything that came has passed the door.
func (t *Socket) Done() <-chan struct{} { return t.done }

// Exit is the zero Exit: the process is not ours.
func (t *Socket) Exit() Exit { return Exit{} }
