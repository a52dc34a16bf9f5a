package client

import (
	"os"
	"runtime"
	"testing"
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
		want  string
	}{
		{'R', "0", "the server is running: it computes"},
		{'S', "anon_pipe_read", "the server sleeps in reading a pipe: it waits for input"},
		{'S', "pipe_write", "the server sleeps in writing a pipe: what it writes is not read"},
		{'S', "0", "the server sleeps: it waits for something"},
		{'?', "", ""},
	} {
		if got := stateSentence(c.state, c.wchan); got != c.want {
			t.Errorf("%c %s: %q", c.state, c.wchan, got)
		}
	}
	if got := processState(os.Getpid()); runtime.GOOS == "linux" && got == "" {
		t.Error("nothing is known of this process")
	}
}
