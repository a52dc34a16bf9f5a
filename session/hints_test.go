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
		{client.Exit{Code: 1}, "error: this program requires a TTY", 0, "terminal"},
		{client.Exit{Code: 1}, "the input device is not a TTY", 0, "docker"},
		{client.Exit{Code: 1}, "/usr/bin/python3: No module named srv", 0, "Python does not find a module"},
		{client.Exit{Code: 1}, "SyntaxError: invalid syntax", 0, "newer Python or Node.js"},
		{client.Exit{Code: 1}, `    key = os.environ["API_KEY"]`, 0, "-e NAME=VALUE"},
		{client.Exit{Code: 101}, "called `Result::unwrap()` on an `Err` value: NotPresent", 0, "-e NAME=VALUE"},
		{client.Exit{Code: 1}, "Error: API_KEY is required", 0, "-e NAME=VALUE"},
		{client.Exit{Code: 1}, "Error: GITHUB_TOKEN environment variable is required", 0, "a variable of its environment"},
		{client.Exit{Code: 1}, "TypeError: process.stdin.setRawMode is not a function", 0, "terminal"},
		{client.Exit{Code: 1}, "Error: Unable to access jarfile srv.jar", 0, "the jar"},
		{client.Exit{Code: 101}, "error: could not find `Cargo.toml` in `/srv` or any parent directory", 0, "--cwd"},
		{client.Exit{Code: 1}, "npm error 404 Not Found - GET https://registry.npmjs.org/nosuch", 0, "npm does not find the package"},
		{client.Exit{Code: 1}, "npm error could not determine executable to run", 0, "npx -p"},
		{client.Exit{Code: 1}, "Because nosuch was not found in the package registry and you require nosuch", 0, "uv does not find the package"},
		{client.Exit{Code: 125}, "docker: Error response from daemon: pull access denied for nosuch", 0, "Docker does not find the image"},
		{client.Exit{Code: 2}, "panic: open config.json: no such file or directory", 0, "does not find a file"},
		{client.Exit{Code: 1}, "Could not execute because the specified command or file was not found.", 0, ".NET does not find the program"},
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
	for _, c := range []struct {
		code   int
		stderr []string
	}{ // what names less is not said beside what names more
		{1, []string{"Traceback (most recent call last):", "ModuleNotFoundError: No module named 'mcp'"}},
		{127, []string{"./srv: error while loading shared libraries: libx.so: cannot open shared object file"}},
		{127, []string{"/usr/bin/env: 'python3\\r': No such file or directory"}},
	} {
		b := &BlackBox{Exit: client.Exit{Code: c.code, Asked: client.AskedNo, At: time.Second}, Stderr: c.stderr}
		if got := b.Hints(); len(got) != 1 {
			t.Errorf("%q: %q", c.stderr, got)
		}
	}
	usage := &BlackBox{Exit: client.Exit{Code: 1, Asked: client.AskedNo, At: time.Second}, Out: 30, Said: []string{"Usage: srv DIR", "  -h  help"}}
	if got := usage.Hints(); len(got) != 1 || !strings.Contains(got[0], "how it is used") {
		t.Errorf("usage on stdout: %q", got)
	}
	quiet := &BlackBox{Exit: client.Exit{Asked: client.AskedStdin}}
	if got := quiet.Hints(); got != nil {
		t.Errorf("a server that was asked to end: %q", got)
	}
}
