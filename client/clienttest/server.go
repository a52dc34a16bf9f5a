package clienttest

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"

	"example.com/mcpinspect/client"
)

// Message is one line that a Server was sent. ID is the raw token, empty for a notification;
// Method is empty for an answer.
type Message struct {
	Raw        string
	ID, Method string
	Params     []byte
}

// Server is the scripted end of a Pipe. Its methods are called from the goroutine of its script.
type Server struct {
	T    testing.TB // of Expect
	Seed uint64     // chops what is printed, unless 0

	pipe *Pipe
}

// Next waits for a line; false when there will be none.
func (s *Server) Next() (Message, bool) {
	select {
	case line := <-s.pipe.lines:
		m := Message{Raw: string(bytes.TrimSuffix(line, []byte("\n")))}
		m.ID, m.Method, m.Params = string(client.Get(line, "id")), client.GetText(line, "method"), client.Get(line, "params")
		return m, true
	case <-s.pipe.closed:
	case <-s.pipe.done:
	}
	return Message{}, false
}

// Expect waits for a message with that method, "" for an answer. Another one fails the test and
// ends the script.
func (s *Server) Expect(method string) Message {
	s.T.Helper()
	m, ok := s.Next()
	switch {
	case !ok:
		s.T.Errorf("stdin was closed, want %q", method)
	case m.Method != method:
		s.T.Errorf("the client sent %s, want %q", m.Raw, method)
	default:
		return m
	}
	runtime.Goexit()
	return m
}

// Print writes to stdout as it is: the caller gives the line ends.
func (s *Server) Print(text string) {
	if s.Seed == 0 {
		s.pipe.bytes(client.Out, []byte(text))
		return
	}
	for _, p := range Chop([]byte(text), s.Seed) {
		s.pipe.bytes(client.Out, p)
	}
	s.Seed++
}

// Printf is Print with a format and a line end.
func (s *Server) Printf(format string, args ...any) { s.Print(fmt.Sprintf(format, args...) + "\n") }

// Stderr writes to stderr.
func (s *Server) Stderr(text string) { s.pipe.bytes(client.Err, []byte(text)) }

// Result answers with a raw result.
func (s *Server) Result(id, result string) {
	s.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// Fail answers with an error; data is raw, empty for none.
func (s *Server) Fail(id string, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	s.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s%s}}`, id, code, client.Quote(message), data)
}

// CloseStdout ends stdout while the server lives on.
func (s *Server) CloseStdout() { s.pipe.end() }

// Exit ends the server.
func (s *Server) Exit(code int) {
	s.pipe.end()
	s.pipe.leave(client.Exit{Code: code})
}

// Hang ignores everything until it is killed.
func (s *Server) Hang() { <-s.pipe.killed }

// Discover expects server/discover and offers the versions, given as JSON texts in a row.
func (s *Server) Discover(versions string) {
	s.T.Helper()
	s.Result(s.Expect(client.MethodDiscover).ID, `{"resultType":"complete","supportedVersions":[`+versions+`],"capabilities":{}}`)
}

// Handshake expects initialize, chooses a revision, and expects notifications/initialized.
func (s *Server) Handshake(rev client.Revision) {
	s.T.Helper()
	s.Result(s.Expect(client.MethodInitialize).ID, `{"protocolVersion":"`+string(rev)+`","capabilities":{},"serverInfo":{"name":"scripted","version":"1"}}`)
	s.Expect(client.MethodInitialized)
}

// Spawner starts scripted servers, one script a run, for client.Dial and for a single Conn.
type Spawner struct {
	T        testing.TB
	Door     *Door
	Identity client.Identity
	Seed     uint64
	Scripts  []func(*Server)

	ids client.IDs
	run int
}

// Spawn starts the next script. A server whose script has returned reads on until its stdin is
// closed, and exits with 0.
func (x *Spawner) Spawn(context.Context) (*client.Conn, error) {
	if x.run == len(x.Scripts) {
		return nil, fmt.Errorf("a server was started %d times, the script knows %d", x.run+1, len(x.Scripts))
	}
	script := x.Scripts[x.run]
	x.run++
	report := func(f *client.Fault) { x.T.Errorf("%v\n%s", f, f.Stack) }
	conn := client.NewConn(x.Door, x.run, &x.ids, x.Identity, report)
	err := conn.Open(func(deliver func(client.Incoming)) (client.Transport, error) {
		p, s := Open(x.Door, x.run, deliver)
		s.T, s.Seed = x.T, x.Seed
		client.Go("script", report, func() {
			defer s.Exit(0)
			script(s)
			for {
				if _, ok := s.Next(); !ok {
					return
				}
			}
		})
		return p, nil
	})
	return conn, err
}

// Runs is how many servers were started.
func (x *Spawner) Runs() int { return x.run }
