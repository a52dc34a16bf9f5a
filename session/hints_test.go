package session

import (
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

func TestHints(t *testing.T) {
	for _, c := range []struct {
		exit   client.Exit
		stderr string
		out    int64
		want   string // a part of the first hint; empty for none
	}{
		{client.Exit{Code: 127}, "", 9, "did not find a command"},
		{client.Exit{Code: 126}, "", 9, "chmod"},
		{client.Exit{Code: 137}, "", 9, "out of memory"},
		{client.Exit{Code: 139}, "", 9, "SIGSEGV"},
		{client.Exit{Code: 143}, "", 9, "SIGTERM"},
		{client.Exit{Code: -1, Signal: "SIGKILL"}, "", 9, "out of memory"},
		{client.Exit{Code: -1073741515}, "", 9, "a DLL was not found"}, // 0xC0000135
		{client.Exit{Code: 1}, "ModuleNotFoundError: No module named 'mcp'", 0, "Python does not find a module"},
		{client.Exit{Code: 1}, "Error: Cannot find module './dist/index.js'", 0, "npm install"},
		{client.Exit{Code: 1}, "Error: listen EADDRINUSE: address already in use :::3000", 0, "port is taken"},
		{client.Exit{Code: 101}, "thread 'main' panicked at src/main.rs:1:1:", 0, "Rust"},
		{client.Exit{Code: 2}, "panic: no database", 9, "Go"},
		{client.Exit{Code: 2}, "usage: server [-p PORT]", 0, "how it is used"},
		{client.Exit{Code: 1}, "the input device is not a TTY: not a tty", 0, "terminal"},
		{client.Exit{Code: 1}, "env: python: No such file or directory", 0, "interpreter"},
		{client.Exit{Code: 1}, "", 0, "before its first byte"},
		{client.Exit{Code: 1}, "", 9, ""},
		{client.Exit{Code: 3}, "fatal: lost connection to database", 9, ""},
	} {
		c.exit.Asked, c.exit.At = client.AskedNo, time.Second
		b := &BlackBox{Exit: c.exit, Out: c.out}
		if c.stderr != "" {
			b.Stderr = []string{c.stderr}
		}
		got := b.Hints()
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%+v %q: %q", c.exit, c.stderr, got)
		}
		if len(got) > maxHints {
			t.Errorf("%d hints", len(got))
		}
	}
	quiet := &BlackBox{Exit: client.Exit{Asked: client.AskedStdin}}
	if got := quiet.Hints(); got != nil {
		t.Errorf("a server that was asked to end: %q", got)
	}
}
