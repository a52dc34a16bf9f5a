package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

func frames(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// TestLastWords: what went wrong is said, however long the stack is that follows it.
func TestLastWords(t *testing.T) {
	goStack := "\ngoroutine 13 [running]:\n" + frames("main.f%d()\n\t/src/main.go:1 +0x1", 3*lastStderr)
	nodeStack := frames("    at f%d (/src/main.js:1:1)", 30)
	for _, c := range []struct {
		name, stderr string
		word         string
		first, last  string // of the lines
	}{
		{"nothing", "", "", "", ""},
		{"few lines", "a\nb\n", "b", "a", "b"},
		{"many lines", frames("log %d", 300), "log 299", "log 295", "log 299"},
		{"go", "ready\npanic: out of stock\n" + goStack + "exit status 2\n", "panic: out of stock", "panic: out of stock", "\t/src/main.go:1 +0x1"},
		{"go, again while it panics", "panic: a\n\tpanic: b\n" + goStack, "panic: a", "panic: a", "main.f0()"},
		{"go, all goroutines", "fatal error: concurrent map writes\n" + goStack, "fatal error: concurrent map writes", "fatal error: concurrent map writes", "\t/src/main.go:1 +0x1"},
		{"rust", "thread 'main' panicked at src/main.rs:2:5:\nno stock\nnote: run with `RUST_BACKTRACE=1`\n", "thread 'main' panicked at src/main.rs:2:5:", "thread 'main' panicked at src/main.rs:2:5:", "note: run with `RUST_BACKTRACE=1`"},
		{"node", "/src/main.js:3\n    throw new Error('x')\n    ^\n\nError: x\n" + nodeStack + "\nNode.js v22.1.0\n", "Error: x", "Error: x", "    at f3 (/src/main.js:1:1)"},
		{"node, with properties", "Error: x\n    at f (/src/main.js:1:1) {\n  code: 'E'\n}\n\nNode.js v22.1.0\n", "Error: x", "Error: x", ""},
		{"node, with lines before the frames", "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module 'x'\nRequire stack:\n- /src/main.js\n" + nodeStack + "\nNode.js v22.1.0\n", "Error: Cannot find module 'x'", "Error: Cannot find module 'x'", "    at f1 (/src/main.js:1:1)"},
		{"node, an event that nobody took", "node:events:496\n      throw er; // Unhandled 'error' event\n      ^\n\nError: listen EADDRINUSE: address already in use :::3000\n    at f (node:net:1)\nEmitted 'error' event on Server instance at:\n    at g (node:net:2) {\n  code: 'EADDRINUSE'\n}\n\nNode.js v20\n", "Error: listen EADDRINUSE: address already in use :::3000", "Error: listen EADDRINUSE: address already in use :::3000", "  code: 'EADDRINUSE'"},
		{"an error of one line, and frames of another", "TypeError: y\ngoing on\nbye\n\nError: x\n" + nodeStack, "Error: x", "Error: x", "    at f3 (/src/main.js:1:1)"},
		{"an error that was only logged", "Error: x\n" + nodeStack + "going on\nbye\n", "bye", "    at f27 (/src/main.js:1:1)", "bye"},
		{"java", "Exception in thread \"main\" E: a\n" + frames("\tat p.C.f%d(C.java:1)", 30) + "Caused by: E: b\n" + frames("\tat p.C.f%d(C.java:1)", 30) + "\t... 3 more\n", "Caused by: E: b", "Caused by: E: b", "\tat p.C.f3(C.java:1)"},
		{"python", "Traceback (most recent call last):\n" + frames("  File \"main.py\", line %d", 30) + "ValueError: x\n", "ValueError: x", "Traceback (most recent call last):", "ValueError: x"},
		{"python, a short one", "starting\nTraceback (most recent call last):\n  File \"main.py\", line 3\nValueError: x\n", "ValueError: x", "starting", "ValueError: x"},
		{"python, one exception after another", "Traceback (most recent call last):\n" + frames("  File \"a.py\", line %d", 30) + "KeyError: a\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n" + frames("  File \"main.py\", line %d", 30) + "ValueError: x\n", "ValueError: x", "Traceback (most recent call last):", "ValueError: x"},
		{"python, one that was only logged", "Traceback (most recent call last):\n" + frames("  File \"main.py\", line %d", 30) + "ValueError: x\ngoing on\nbye\n", "bye", "  File \"main.py\", line 28", "bye"},
		{"frames of nothing", nodeStack, "    at f29 (/src/main.js:1:1)", "    at f25 (/src/main.js:1:1)", "    at f29 (/src/main.js:1:1)"},
	} {
		f := newFeeder()
		f.spawn(1)
		f.chunk(client.Err, c.stderr)
		f.exit(client.Exit{Code: 2, Asked: client.AskedNo})
		b := f.snapshot().Box
		if got := b.LastWord(); got != c.word {
			t.Errorf("%s: last word %q, want %q", c.name, got, c.word)
		}
		_, lines := b.LastWords(5)
		if got := append([]string{""}, lines...); len(lines) > 5 || got[min(1, len(lines))] != c.first || got[len(got)-1] != c.last {
			t.Errorf("%s: lines %q, want from %q to %q", c.name, lines, c.first, c.last)
		}
	}

	f := newFeeder() // what it says on stdout alone
	f.spawn(1)
	f.chunk(client.Out, frames("line %d", 3*lastSaid)+"Usage: srv DIR\n")
	f.exit(client.Exit{Code: 1, Asked: client.AskedNo})
	if what, lines := f.snapshot().Box.LastWords(5); !strings.Contains(what, "stdout") || len(lines) != 5 || lines[4] != "Usage: srv DIR" {
		t.Errorf("%s %q", what, lines)
	}

	f = newFeeder() // the crash of a run is none of the next
	f.spawn(1)
	f.chunk(client.Err, "panic: x\n"+goStack)
	f.exit(client.Exit{Code: 2, Asked: client.AskedNo})
	f.spawn(2)
	f.chunk(client.Err, "bye\n")
	f.exit(client.Exit{Code: 1, Asked: client.AskedNo})
	if what, lines := f.snapshot().Box.LastWords(5); what != "its last lines on stderr:" || !slices.Equal(lines, []string{"bye"}) {
		t.Errorf("%s %q", what, lines)
	}
}
