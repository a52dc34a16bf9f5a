package stray

import (
	"strings"
	"testing"
)

var cases = []struct {
	text  string
	class Class
	guess string // a part of it
}{
	{"Notes server v1.4 ready on stdio", Banner, ""},
	{"Server listening on http://localhost:3000", Banner, ""},
	{"🚀 MCP server started", Banner, ""},
	{"Loading index... ", Text, ""},
	{"here", Text, ""},
	{"", Blank, ""},
	{" \t", Blank, ""},
	{`{"level":30,"time":1700000000000,"pid":1,"hostname":"h","msg":"up"}`, LogRecord, "pino"},
	{`{"time":"2026-02-03T09:15:00Z","level":"INFO","msg":"up"}`, LogRecord, "slog"},
	{`{"time":"2026-02-03T09:15:00Z","level":"info","msg":"up"}`, LogRecord, "logrus"},
	{`{"level":"info","ts":1700000000.1,"caller":"a.go:1","msg":"up"}`, LogRecord, "zap"},
	{`{"level":"info","time":1,"message":"up"}`, LogRecord, "zerolog"},
	{`{"event":"up","level":"info","timestamp":"2026"}`, LogRecord, "structlog"},
	{`{"message":"up","level":"info"}`, LogRecord, "winston"},
	{`{"@t":"2026","@mt":"up"}`, LogRecord, "Serilog"},
	{`{"@timestamp":"2026","logger_name":"a","message":"up"}`, LogRecord, "Logback"},
	{`{"timestamp":"2026","level":"INFO","fields":{"message":"up"},"target":"a"}`, LogRecord, "tracing"},
	{`{"severity":"INFO","message":"up"}`, LogRecord, ""},
	{`{"a":1}`, Object, ""},
	{`[1,2]`, List, ""},
	{`17`, Scalar, ""},
	{`"text"`, Scalar, ""},
	{"Traceback (most recent call last):", Trace, "Python"},
	{`  File "/srv/a.py", line 3, in <module>`, Trace, "Python"},
	{"    at main (/srv/a.js:3:5)", Trace, "Node"},
	{"TypeError: x is not a function", Trace, "Node"},
	{"panic: runtime error: index out of range", Trace, "Go"},
	{"goroutine 1 [running]:", Trace, "Go"},
	{"thread 'main' panicked at src/main.rs:3:5:", Trace, "Rust"},
	{"Exception in thread \"main\" java.lang.NullPointerException", Trace, "Java"},
	{"\tat com.example.App.main(App.java:3)", Trace, "Java"},
	{"Unhandled exception. System.InvalidOperationException: x", Trace, ".NET"},
	{"PHP Fatal error:  Uncaught Error", Trace, "PHP"},
	{"> notes@0.3.0 start", Notice, "npm"},
	{"> tsx src/index.ts", Notice, "npm"},
	{"npm warn deprecated foo@1.0.0", Notice, "npm"},
	{"added 170 packages in 4s", Notice, "npm"},
	{"[dotenv@17.2.1] injecting env (3) from .env", Notice, "dotenv"},
	{"yarn run v1.22.19", Notice, "yarn"},
	{"Requirement already satisfied: mcp", Notice, "pip"},
	{"Installed 23 packages in 12ms", Notice, "uv"},
	{"Debugger attached.", Notice, "debugger"},
	{"(node:71) ExperimentalWarning: The Fetch API is an experimental feature", Warning, "Node"},
	{"/srv/a.py:3: DeprecationWarning: use b", Warning, "Python"},
	{"Warning: no config", Warning, ""},
	{"2026/02/03 09:15:00 loaded 12 schemes", LogLine, "Go's log package"},
	{"2026-02-03 09:15:00 loaded 12 schemes", LogLine, ""},
	{"2026-02-03 09:15:00,123 - app - INFO - up", LogLine, "Python's logging"},
	{"INFO:root:up", LogLine, "Python's logging"},
	{"INFO:     Started server process [1]", LogLine, "uvicorn"},
	{"info: Microsoft.Hosting.Lifetime[0]", LogLine, "Microsoft"},
	{"2026-02-03T09:15:00.123456Z  INFO app: up", LogLine, "Rust"},
	{"time=2026-02-03T09:15:00Z level=INFO msg=up", LogLine, "slog"},
	{"2026-02-03 09:15:00.123  INFO 1 --- [main] c.e.App : up", LogLine, "Spring"},
	{"[INFO] up", LogLine, ""},
	{"\x1b[33mWARN\x1b[0m slow", LogLine, ""},
	{"{'a': 1, 'b': None}", Dump, "Python's print of a dict"},
	{"None", Dump, "Python"},
	{"{ a: 1, b: 'x' }", Dump, "Node"},
	{"undefined", Dump, "Node"},
	{"map[a:1]", Dump, "Go"},
	{"Some(3)", Dump, "Rust"},
	{" 45%|####      | 45/100 [00:01<00:01, 40.1it/s]", Progress, "tqdm"},
	{"10%\r20%\r30%", Progress, ""},
	{"[==== ] 40", Progress, ""},
	{"╔══════════════════╗", Art, ""},
	{"\x1b[?25l", Art, "terminal"},
	{"Content-Length: 47", Header, "LSP"},
	{"\xff\xfeh\x00i\x00", Wide, ".NET"},
	{"h\x00e\x00l\x00l\x00o\x00", Wide, ".NET"},
	{"\xef\xbb\xbf{\"a\":1}", Object, ""},
	{"\xff\x00\x1b", Text, ""},
}

func TestOf(t *testing.T) {
	for _, c := range cases {
		p := Of([]byte(c.text))
		if p.Class != c.class || !strings.Contains(p.Guess, c.guess) || c.guess == "" && p.Guess != "" {
			t.Errorf("%q is %s (%q), not %s (%q)", c.text, p.Class, p.Guess, c.class, c.guess)
		}
	}
}

// FuzzOf: any bytes are something.
func FuzzOf(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if p := Of(b); p.Class.String() == "" {
			t.Errorf("%q has no class", b)
		}
	})
}
