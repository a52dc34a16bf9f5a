package session

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/demo"
)

// TestSocket speaks to a server on a Unix socket and on a port: the framing of stdio, and a process
// that is not ours.
func TestSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for network, at := range map[string]string{"unix": filepath.Join(dir, "s"), "tcp": "127.0.0.1:0"} {
		t.Run(network, func(t *testing.T) {
			l, err := net.Listen(network, at)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			hangUp := make(chan struct{})
			served := make(chan struct{})
			go func() {
				defer close(served)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go func() { <-hangUp; conn.Close() }()
				_ = demo.Serve(t.Context(), conn, conn, os.Stderr)
			}()
			s := New(Target{Address: client.Address{URL: network + ":" + l.Addr().String()}}, Options{Limits: client.Limits{Idle: 20 * time.Second}})
			if err := s.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.All(t.Context(), client.Tools); err != nil || len(s.Snapshot().Lists["tools"].Items) < 5 {
				t.Fatal(err)
			}
			if a, err := s.Call(t.Context(), client.CallTool("add", []byte(`{"a":2,"b":3}`))); err != nil || !strings.Contains(string(a.ResultRaw()), "5") {
				t.Errorf("%v %s", err, a.ResultRaw())
			}
			close(hangUp)
			<-s.Done()
			_, err = s.Call(t.Context(), client.CallTool("add", nil))
			var gone *client.ClosedError
			if !errors.As(err, &gone) || gone.Exit != nil {
				t.Errorf("after the end: %v", err)
			}
			if snap := s.Snapshot(); snap.Phase != Ended || snap.Reason != "the server closed the connection" || snap.Box != nil {
				t.Errorf("%v %q", snap.Phase, snap.Reason)
			}
			if _, process := s.Close(); process {
				t.Error("a process ended that is not ours")
			}
			<-served
		})
	}
	s := New(Target{Address: client.Address{URL: "unix:" + filepath.Join(dir, "none")}}, Options{})
	var start *client.StartError
	if err := s.Connect(t.Context()); !errors.As(err, &start) || !strings.Contains(err.Error(), "cannot be reached: ") {
		t.Error(err)
	}
}

// TestSocketGivenUp: the connect timeout and a caller who has enough end the connecting, too.
func TestSocketGivenUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	s := New(Target{Address: client.Address{URL: "tcp:" + l.Addr().String()}}, Options{})
	if err := s.Connect(ctx); !errors.Is(err, enough) {
		t.Errorf("given up: %v", err)
	}
	s = New(Target{Address: client.Address{URL: "tcp:" + l.Addr().String()}}, Options{Connect: time.Nanosecond})
	if err := s.Connect(t.Context()); !errors.Is(err, client.ErrConnectTimeout) {
		t.Errorf("timed out: %v", err)
	}
}
