package check

import (
	"strings"
	"testing"
	"unicode/utf16"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// wide is a text in UTF-16.
func wide(s string, big bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

// pieces are what servers write to stdout besides messages, one of each class. A piece without a newline at
// its end stands on the line of the message behind it.
var pieces = []struct {
	name, text string
	lead       string // the rule that is told first; stray-stdout where it is empty
	what       string // what the sentence says of it
	guess      string // empty for none
	fix        string
}{
	{name: "banner", text: "Notes server v1.4 ready on stdio\n", what: "a start-up banner"},
	{name: "log line", text: "2026-02-03 09:15:00,123 - app - INFO - up\n", what: "a log line", guess: "Python's logging", fix: "StreamHandler"},
	{name: "log record", text: `{"level":30,"time":1700000000000,"pid":1,"hostname":"h","msg":"up"}` + "\n", what: "a log record", guess: "pino", fix: "pino.destination(2)"},
	{name: "trace of Python", text: "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in <module>\n    main()\nValueError: x\n", what: "a stack trace", guess: "Python", fix: "traceback"},
	{name: "trace of Node.js", text: "/srv/a.js:3\n    throw new Error('x')\n    ^\n\nError: x\n    at main (/srv/a.js:3:5)\n\nNode.js v20.1.0\n", what: "a stack trace", guess: "Node.js", fix: "console.error"},
	{name: "trace of Go", text: "panic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:7 +0x1d\n", what: "a stack trace", guess: "Go", fix: "panic"},
	{name: "trace of Rust", text: "thread 'main' panicked at src/main.rs:3:5:\nno stock\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n", what: "a stack trace", guess: "Rust", fix: "panic"},
	{name: "trace of Java", text: "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat com.example.App.main(App.java:3)\n", what: "a stack trace", guess: "Java", fix: "System.out"},
	{name: "trace of .NET", text: "Unhandled exception. System.InvalidOperationException: x\n   at App.Main() in /srv/App.cs:line 3\n", what: "a stack trace", guess: ".NET", fix: "Console.Error"},
	{name: "trace of Ruby", text: "/srv/a.rb:3:in `main': x (RuntimeError)\n\tfrom /srv/a.rb:5:in `<main>'\n", what: "a stack trace", guess: "Ruby", fix: "warn"},
	{name: "trace of PHP", text: "PHP Fatal error:  Uncaught Error: x in /srv/a.php:3\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 3\n", what: "a stack trace", guess: "PHP", fix: "display_errors"},
	{name: "warning", text: "/srv/a.py:3: DeprecationWarning: use b\n", what: "a warning", guess: "Python's warnings", fix: "PYTHONWARNINGS"},
	{name: "npm", text: "\n> notes@0.3.0 start\n> tsx src/index.ts\n\n", what: "a notice", guess: "npm", fix: "npm run --silent"},
	{name: "dotenv", text: "[dotenv@17.2.1] injecting env (3) from .env\n", what: "a notice", guess: "dotenv", fix: "quiet"},
	{name: "pip", text: "Requirement already satisfied: mcp\n", what: "a notice", guess: "pip", fix: "pip -q"},
	{name: "progress bar", text: " 45%|####      | 45/100 [00:01<00:01, 40.1it/s]\n", what: "a progress bar", guess: "tqdm", fix: "tqdm"},
	{name: "progress without newline", text: "Loading 10%\rLoading 20%\rLoading 100%", lead: "message-glued-to-text", what: "a progress bar", fix: "progress to stderr"},
	{name: "coloured box", text: "\x1b[36m+------------------+\n|  \x1b[1mNOTES\x1b[0m           |\n+------------------+\x1b[0m\n", what: "character art", fix: "no terminal"},
	{name: "art", text: "╔══════════════════╗\n║  NOTES           ║\n╚══════════════════╝\n", what: "character art", fix: "no terminal"},
	{name: "JSON scalar", text: "17\n", what: "a JSON value that is no message"},
	{name: "JSON list", text: "[1,2]\n", what: "a JSON array that is no message"},
	{name: "JSON object", text: `{"a":1}` + "\n", what: "a JSON object that is no message"},
	{name: "JSON object over lines", text: "{\n  \"a\": {\n    \"b\": 2\n  }\n}\n", what: "a JSON object that is no message on stdout over 5 lines"},
	{name: "value of Python", text: "{'a': 1, 'b': None}\n", what: "a printed value", guess: "Python's print", fix: "sys.stderr"},
	{name: "header of LSP", text: "Content-Length: 1700\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n", lead: "content-length-framing", what: "Language Server Protocol", fix: "newline-delimited"},
	{name: "UTF-16 with a mark", text: "\xff\xfe" + wide("Server ready\r\n", false), what: "text in UTF-16", guess: "PowerShell", fix: "write UTF-8"},
	{name: "UTF-16", text: wide("Server ready\r\n", false), what: "text in UTF-16", guess: "PowerShell", fix: "write UTF-8"},
	{name: "UTF-16, big end first, with a mark", text: "\xfe\xff" + wide("Server ready\n", true), what: "text in UTF-16", guess: "PowerShell", fix: "write UTF-8"},
	{name: "UTF-16, big end first", text: wide("Server ready\n", true), what: "text in UTF-16", guess: "PowerShell", fix: "write UTF-8"},
	{name: "latin-1", text: "Gr\xf6\xdfe \xe4ndern\n", what: "text on stdout"},
	{name: "CRLF", text: "Server ready\r\n", what: "a start-up banner"},
	{name: "blank line", text: "\n", lead: "blank-line", what: "nothing but white space"},
	{name: "byte order mark", text: "\xef\xbb\xbf", lead: "byte-order-mark", what: "a UTF-8 byte order mark", fix: "without a mark"},
	{name: "text before a message", text: "Loading... ", lead: "message-glued-to-text", what: `"Loading... " shares a line`},
	{name: "server-sent event", text: "data: ", lead: "message-glued-to-text", what: "server-sent events", fix: "write the message alone"},
}

// TestPieces: a piece of stray output is one finding, wherever it comes, with what came of it behind it. It
// says what the piece is, which call was open or got its answer, what stderr said around it and who may have
// written it, as a guess, and has a cure in one line.
func TestPieces(t *testing.T) {
	const (
		discover = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`
		unknown  = `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`
		hello    = `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`
		welcome  = `{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"x","version":"1"}}}`
		ready    = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		call     = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`
		called   = `{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`
		more     = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	)
	for _, p := range pieces {
		piece := []act{errs("just before"), chunk(recordings.Out, p.text), errs("just after")}
		glued := !strings.HasSuffix(p.text, "\n") && !strings.HasSuffix(p.text, "\n\x00")
		shaken := []act{in(discover), out(unknown), in(hello), out(welcome), era(client.Rev2025_06_18), in(ready)}
		for _, c := range []struct {
			when   string
			acts   [][]act
			during string // the request that was open
			answer bool   // it was, and its answer stands behind the piece
		}{
			{"before the handshake", [][]act{{in(discover)}, piece, {out(unknown), in(hello), out(welcome), era(client.Rev2025_06_18), in(ready), exit(0, "", client.AskedStdin)}}, "server/discover of #1", true},
			{"and breaks it", [][]act{{in(discover)}, {out(unknown), in(hello)}, piece, {exit(0, "", client.AskedStdin)}}, "initialize of #3", false},
			{"in place of every message", [][]act{{in(hello)}, piece, {exit(0, "", client.AskedStdin)}}, "initialize of #1", false},
			{"between answers", [][]act{shaken, {in(call), out(called)}, piece, {out(more), exit(0, "", client.AskedStdin)}}, "", false},
			{"while a call is open", [][]act{shaken, {in(call)}, piece, {out(called), exit(0, "", client.AskedStdin)}}, "tools/call of #7", true},
		} {
			alone := glued && !c.answer && c.during != "" // no message stands behind it
			if alone && p.lead == byteOrderMark.Name {
				continue // it stands before nothing
			}
			t.Run(p.name+" "+c.when, func(t *testing.T) {
				var acts []act
				for _, a := range c.acts {
					acts = append(acts, a...)
				}
				found := Findings(play(t, acts...).Log(), func(rule string) bool { return rule == stderrOutput.Name })
				Sort(found)
				want := p.lead
				if want == "" || alone {
					want = strayStdout.Name
				}
				lead := []Finding{}
				for _, f := range found {
					if f.Because == "" && (f.Rule != unansweredRequest.Name || p.lead != blankLine.Name) {
						lead = append(lead, f)
					}
				}
				if len(lead) != 1 || lead[0].Rule != want {
					t.Fatalf("not one %s: %s", want, ordered(found))
				}
				f := lead[0]
				said := f.Message
				for _, x := range found { // what is told of a header is told of the stray line, too
					if x.Rule == strayStdout.Name {
						said += " " + x.Message
					}
				}
				has := func(part string) {
					if !strings.Contains(said, part) {
						t.Errorf("no %q: %s", part, said)
					}
				}
				if !alone || p.guess != "" || p.fix != "" {
					has(p.what)
				}
				if p.guess != "" && (!strings.Contains(said, "it looks like ") && !strings.Contains(said, "which looks like ") || !strings.Contains(said, p.guess)) {
					t.Errorf("no guess %q: %s", p.guess, said)
				}
				if p.guess == "" && strings.Contains(said, "looks like") && p.lead == "" {
					t.Errorf("a guess: %s", said)
				}
				switch {
				case glued && c.answer && f.Rule != byteOrderMark.Name:
					has(" to " + c.during)
				case c.during != "" && (p.lead == "" || f.Rule == contentLength.Name):
					has("while " + c.during + " was open")
				}
				if p.lead == "" || f.Rule == contentLength.Name {
					has("stderr said just before: \"just before\"")
					has("stderr said just after: just after")
				}
				if f.Fix == "" || strings.ContainsAny(f.Fix, "\n") || !strings.Contains(f.Fix, p.fix) {
					t.Errorf("cure: %s", f.Fix)
				}
			})
		}
	}
}
