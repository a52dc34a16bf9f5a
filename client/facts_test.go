package client

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestHoldsBack(t *testing.T) {
	for _, c := range []struct {
		args, env []string
		want      bool
	}{
		{[]string{"python3", "server.py"}, nil, true},
		{[]string{"/usr/bin/python3.12", "-m", "server"}, []string{"A=b"}, true},
		{[]string{"python", "-u", "server.py"}, nil, false},
		{[]string{"python", "server.py"}, []string{"PYTHONUNBUFFERED=1"}, false},
		{[]string{"node", "server.js"}, nil, false},
		{nil, nil, false},
	} {
		if got := holdsBack(c.args, c.env); got != c.want {
			t.Errorf("%q %q: %v", c.args, c.env, got)
		}
	}
}

func TestStateSentence(t *testing.T) {
	for _, c := range []struct {
		state byte
		wchan string
		held  bool
		want  string
	}{
		{'R', "0", false, "the server is running: it computes; a profiler or debugger on pid 7 shows where"},
		{'T', "", true, "the server is stopped, by SIGSTOP or a debugger: kill -CONT 7 lets it go on"},
		{'Z', "", true, "the main thread of the server has ended, and others keep the process: no answer is likely; start it again"},
		{'S', "anon_pipe_read", false, "the server sleeps in reading a pipe: it waits for input"},
		{'S', "pipe_write", false, "the server sleeps in writing a pipe: what it writes is not read"},
		{'S', "0", false, "the server computes nothing: it waits for an event, a lock or the network; a debugger on pid 7 shows where"},
		{'?', "", false, ""},
	} {
		if held, got := stateSentence(7, c.state, c.wchan); got != c.want || held != c.held {
			t.Errorf("%c %s: %v %q", c.state, c.wchan, held, got)
		}
	}
	if _, got := processState(os.Getpid()); runtime.GOOS == "linux" && got == "" {
		t.Error("nothing is known of this process")
	}
}

// heardPipe is a transport that only knows when bytes came.
type heardPipe struct {
	Transport
	heard heard
}

func (t *heardPipe) lastByte(s Stream) (time.Duration, bool) { return t.heard.last(s) }

func TestSince(t *testing.T) {
	for _, c := range []struct {
		out, err time.Duration // negative for never; the request is sent at 5 s
		want     string
	}{
		{-1, -1, "no byte has ever come on stdout"},
		{time.Second, 2 * time.Second, "nothing has come on stdout since the request; the last byte came 4s before it"},
		{0, -1, "nothing has come on stdout since the request; the last byte came 5s before it"},
		{5250 * time.Millisecond, 6 * time.Second, "the last byte on stdout came 250ms after the request; the last byte on stderr came 1s after the request"},
	} {
		tr := &heardPipe{}
		if c.out >= 0 {
			tr.heard.at(Out, c.out)
		}
		if c.err >= 0 {
			tr.heard.at(Err, c.err)
		}
		conn := &Conn{tr: tr}
		if got := strings.Join(conn.since(&pendingCall{id: "7", sent: 5 * time.Second}), "; "); got != c.want {
			t.Errorf("%v %v: %s", c.out, c.err, got)
		}
	}
}
