package stray

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func header(s string) (Piece, bool) {
	l := strings.ToLower(s)
	return Piece{Header, "the framing of LSP", "write one message a line and no headers"}, strings.HasPrefix(l, "content-length:") || strings.HasPrefix(l, "content-type:")
}

// framed knows how messages are told apart elsewhere.
func framed(s string) (Piece, bool) {
	const alone = "write the message alone, and a newline behind it"
	field, _, _ := strings.Cut(s, ":")
	switch {
	case field == "data" || field == "event" || field == "retry":
		return Piece{Framed, "server-sent events, which are for HTTP", alone}, true
	case strings.HasPrefix(s, "\x1e"):
		return Piece{Framed, "JSON text sequences (RFC 7464)", alone}, true
	case s != "" && strings.Trim(s, "\x00") == "":
		return Piece{Framed, "messages that end with NUL", alone}, true
	}
	return Piece{}, false
}

// trace knows how runtimes begin what they say of a failure, and their frames.
func trace(s string) (Piece, bool) {
	t := strings.TrimLeft(s, " \t")
	indented := len(t) < len(s)
	has := func(sub string) bool { return strings.Contains(s, sub) }
	starts := func(prefix string) bool { return strings.HasPrefix(t, prefix) }
	guess := ""
	switch {
	case starts("Traceback (most recent call last)"), indented && starts(`File "`) && has(`", line `):
		guess = "Python"
	case starts("panic: "), starts("goroutine ") && has(" ["), starts("fatal error: ") && has("goroutine"), indented && has(".go:") && has(" +0x"), starts("[signal SIG"):
		guess = "Go"
	case starts("thread '") && has("panicked at"), has("RUST_BACKTRACE"):
		guess = "Rust"
	case starts("Unhandled exception. "), indented && starts("at ") && has(") in ") && has(":line "):
		guess = ".NET"
	case starts("Exception in thread"), starts("Caused by: "), indented && starts("at ") && has(".java:"):
		guess = "Java"
	case indented && starts("at ") && has(":"), starts("Uncaught "), starts("TypeError: "), starts("ReferenceError: "), starts("SyntaxError: "), starts("UnhandledPromiseRejection"):
		guess = "Node.js"
	case starts("PHP Fatal error"), starts("PHP Warning"), starts("Fatal error: Uncaught"):
		guess = "PHP"
	case has(".rb:") && has(":in ") && (starts("from ") || strings.HasSuffix(s, "Error)") || strings.HasSuffix(s, "Exception)")):
		guess = "Ruby"
	case starts("Node.js v"), !indented && place(s):
		guess = "Node.js"
	default:
		return Piece{}, false
	}
	fix := map[string]string{"Python": "traceback.print_exc() and logging write to stderr by themselves: look for print(traceback.format_exc())",
		"Node.js": "console.error(err) instead of console.log(err)", "Java": "e.printStackTrace() writes to stderr: look for System.out",
		"PHP": "display_errors=stderr", ".NET": "Console.Error.WriteLine(e)", "Ruby": "warn e.full_message instead of puts",
		"Go": "a panic writes to stderr by itself: look for fmt.Print of debug.Stack()", "Rust": "a panic writes to stderr by itself: look for a panic hook that uses println!"}[guess]
	return Piece{Trace, guess, fix}, true
}

// usage knows how programs say how they are used.
func usage(s string) (Piece, bool) {
	l := strings.ToLower(strings.TrimSpace(s))
	return Piece{Class: Usage}, strings.HasPrefix(l, "usage:") || strings.HasPrefix(l, "usage of ") || strings.Contains(l, "usage: ")
}

// place is the file and line that Node.js names first: "/srv/a.js:3".
func place(s string) bool {
	file, line, ok := strings.Cut(strings.TrimSpace(s), "js:")
	return ok && strings.HasSuffix(strings.TrimRight(file, "cm"), ".") && line != "" && strings.Trim(line, "0123456789") == "" && !strings.Contains(file, " ")
}

// notice knows package managers, script runners and loaders of settings.
func notice(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	l := strings.ToLower(t)
	any := func(subs ...string) bool {
		for _, sub := range subs {
			if strings.Contains(l, sub) {
				return true
			}
		}
		return false
	}
	switch {
	case strings.Contains(l, "dotenv") && any("inject", "tip", "env"), any("injected env", "injecting env"):
		return Piece{Notice, "dotenv", "config({ quiet: true }), or DOTENV_CONFIG_QUIET=true"}, true
	case strings.HasPrefix(t, "> ") && !strings.Contains(t, "="):
		return Piece{Notice, "npm's echo of a script", "run the program itself instead of npm run, or npm run --silent"}, true
	case strings.HasPrefix(l, "npm "), any("need to install the following packages", "up to date, audited"), any("packages in ") && any("added ", "changed ", "removed "):
		return Piece{Notice, "npm", "npx -y --quiet, or npm_config_loglevel=silent; better: install first and run the program itself"}, true
	case strings.HasPrefix(l, "yarn run "), strings.HasPrefix(t, "$ ") && any("node", "ts", "bun"):
		return Piece{Notice, "yarn", "yarn --silent, or run the program itself"}, true
	case any("requirement already satisfied", "successfully installed", "collecting ") && !any(" is "):
		return Piece{Notice, "pip", "pip -q, or install before the server is started"}, true
	case any("using cpython", "resolved ", "installed ", "prepared ") && any("package", "cpython"), strings.HasPrefix(l, "creating virtual"):
		return Piece{Notice, "uv", "uv run --quiet"}, true
	case strings.HasPrefix(l, "downloading "), strings.HasPrefix(l, "compiling "), strings.HasPrefix(l, "finished `"):
		return Piece{Notice, "a build tool", "build first, and start the program that comes of it"}, true
	case any("debugger attached", "waiting for the debugger", "debugger listening"):
		return Piece{Notice, "a debugger", "attach it in another way than by the server's stdout"}, true
	}
	return Piece{}, false
}

func warning(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(t, "(node:"), strings.Contains(t, "ExperimentalWarning"):
		return Piece{Warning, "Node.js", "NODE_NO_WARNINGS=1, or process.on('warning')"}, true
	case strings.Contains(t, "DeprecationWarning:"), strings.Contains(t, "FutureWarning:"), strings.Contains(t, "UserWarning:"), strings.Contains(t, "RuntimeWarning:"):
		return Piece{Warning, "Python's warnings", "they go to stderr by themselves: look for a showwarning that prints; PYTHONWARNINGS=ignore silences them"}, true
	case strings.HasPrefix(t, "Picked up JAVA_TOOL_OPTIONS"), strings.HasPrefix(t, "OpenJDK 64-Bit Server VM warning"), strings.HasPrefix(t, "WARNING: An illegal reflective"):
		return Piece{Warning, "the Java VM", "unset JAVA_TOOL_OPTIONS, or -Xlog:disable -Xlog:all=warning:stderr"}, true
	case strings.HasPrefix(strings.ToLower(t), "warning:"):
		return Piece{Class: Warning}, true
	}
	return Piece{}, false
}

// logLine knows the common forms of loggers that write text.
func logLine(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	level, word := levelIn(t)
	switch {
	case level == 0 && dated(t, "dddd/dd/dd dd:dd:dd"):
		return Piece{LogLine, "Go's log package", "log.SetOutput(os.Stderr), which is where it writes unless told otherwise"}, true
	case strings.Contains(t, " :: Spring Boot ::"), level > 0 && strings.Contains(t, " --- ["):
		return Piece{LogLine, "Spring Boot", "spring.main.banner-mode=off, and a console appender with <target>System.err</target>"}, true
	case level > 0 && strings.HasPrefix(t, word+":") && strings.Count(t, ":") >= 2 && !strings.Contains(t[:strings.LastIndexByte(t[:min(len(t), 60)], ':')+1], " "):
		return Piece{LogLine, "Python's logging", "logging.basicConfig(stream=sys.stderr), or no stream at all"}, true
	case level > 0 && strings.HasPrefix(t, word+":     "):
		return Piece{LogLine, "uvicorn", "log_config=None, or a handler whose stream is ext://sys.stderr"}, true
	case level > 0 && dated(t, "dddd-dd-dd dd:dd:dd,ddd"):
		return Piece{LogLine, "Python's logging", "logging.StreamHandler(sys.stderr), or StreamHandler() without a stream"}, true
	case dotnet(t):
		return Piece{LogLine, "Microsoft.Extensions.Logging", "AddConsole(o => o.LogToStandardErrorThreshold = LogLevel.Trace)"}, true
	case level > 0 && dated(t, "dddd-dd-ddTdd:dd:dd") && strings.Contains(t, "Z  ") || level > 0 && strings.HasPrefix(t, "[") && dated(t[1:], "dddd-dd-ddTdd:dd:ddZ "):
		return Piece{LogLine, "Rust's tracing or env_logger", "with_writer(std::io::stderr); env_logger's Target::Stderr"}, true
	case strings.HasPrefix(t, "time=") && strings.Contains(t, " level="):
		return Piece{LogLine, "Go's log/slog or logrus", "slog.NewTextHandler(os.Stderr, nil); logrus.SetOutput(os.Stderr)"}, true
	case level > 0 && (t[0] == '[' || dated(t, "dddd-dd-dd") || dated(t, "dd:dd:dd") || strings.HasPrefix(t, word)), dated(t, "dddd-dd-dd dd:dd:dd"), dated(t, "dddd-dd-ddTdd:dd:dd"):
		return Piece{Class: LogLine, Fix: "give the logger stderr as its stream"}, true
	}
	return Piece{}, false
}

// levelIn finds the name of a level in the first words of a line, as loggers write it.
func levelIn(t string) (n int, word string) {
	head := t[:min(len(t), 80)]
	for i, l := range [...]string{"DEBUG", "INFO", "WARNING", "WARN", "ERROR", "CRITICAL", "FATAL", "TRACE", "NOTICE"} {
		if at := strings.Index(head, l); at >= 0 && (at == 0 || !isWord(head[at-1])) && (at+len(l) == len(head) || !isWord(head[at+len(l)])) {
			return i + 1, l
		}
	}
	return 0, ""
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// dated reports whether a text begins like a pattern, in which d is a digit.
func dated(t, pattern string) bool {
	if len(t) < len(pattern) {
		return false
	}
	for i := 0; i < len(pattern); i++ {
		if c := t[i]; pattern[i] == 'd' && (c < '0' || c > '9') || pattern[i] != 'd' && c != pattern[i] {
			return false
		}
	}
	return true
}

func dotnet(t string) bool {
	for _, l := range [...]string{"trce: ", "dbug: ", "info: ", "warn: ", "fail: ", "crit: "} {
		if strings.HasPrefix(t, l) && strings.Contains(t, "[") {
			return true
		}
	}
	return false
}

// dump knows how languages print their values.
func dump(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	python := Piece{Dump, "Python's print of a value", "print(..., file=sys.stderr)"}
	node := Piece{Dump, "Node's console.log of an object", "console.error instead of console.log"}
	golang := Piece{Dump, "Go's fmt.Println of a value", "fmt.Fprintln(os.Stderr, ...)"}
	switch {
	case strings.HasPrefix(t, "{'"):
		python.Guess = "Python's print of a dict"
		return python, true
	case strings.HasPrefix(t, "['"), strings.HasPrefix(t, "('"), strings.HasPrefix(t, "b'"), t == "None", t == "True", t == "False", strings.HasPrefix(t, "<") && strings.Contains(t, " object at 0x"):
		return python, true
	case t == "undefined", t == "[object Object]", strings.HasPrefix(t, "Promise {"), strings.HasPrefix(t, "Map("), strings.HasPrefix(t, "Set("), strings.HasPrefix(t, "{ ") && strings.Contains(t, ": "):
		return node, true
	case strings.HasPrefix(t, "map["), strings.HasPrefix(t, "&{"), t == "<nil>":
		return golang, true
	case strings.HasPrefix(t, "Some("), strings.HasPrefix(t, "Ok("), strings.HasPrefix(t, "Err("):
		return Piece{Dump, "Rust's println! of a value", "eprintln! or dbg!"}, true
	}
	return Piece{}, false
}

// progress knows what is drawn over itself.
func progress(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	bar := strings.Contains(t, "it/s]") || strings.Contains(t, "[####") || strings.Contains(t, "[====") || strings.Contains(t, "██") && strings.Contains(t, "%")
	guess, fix := "", "write progress to stderr, or send notifications/progress"
	if strings.Contains(t, "it/s]") || strings.Contains(t, "%|") {
		guess, fix, bar = "tqdm", "tqdm(..., file=sys.stderr), which is where it writes unless told otherwise", true
	}
	redrawn := strings.Contains(strings.TrimRight(s, "\r\n"), "\r")
	percent := strings.HasSuffix(t, "%") && len(t) < 80
	return Piece{Progress, guess, fix}, bar || redrawn || percent
}

// art is mostly other than letters, digits and the punctuation of sentences.
func art(s string) (Piece, bool) {
	t := strings.TrimSpace(s)
	drawn := boxed(t)
	letters, marks := 0, 0
	for _, r := range t {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			letters++
		case unicode.IsSpace(r), strings.ContainsRune(".,:;!?'\"()-", r):
		default:
			marks++
		}
	}
	return Piece{Class: Art, Fix: "leave pictures and boxes out when stdout is no terminal"}, utf8.ValidString(s) && (drawn || marks >= 8 && marks > letters)
}

// boxed reports whether a line is the edge of a box, or what stands in one.
func boxed(t string) bool {
	const narrow = 6
	if len(t) < narrow {
		return false
	}
	edge := strings.Trim(t, "-=+*#_") == ""
	return edge || t[0] == '|' && t[len(t)-1] == '|' && strings.Contains(t, "  ")
}

// banner knows what servers say when they start.
func banner(s string) (Piece, bool) {
	l := strings.ToLower(s)
	starts, what := false, false
	for _, w := range [...]string{"listening", "running", "started", "starting", "ready", "welcome", "initializ", "connected", "loaded", "version", "serving"} {
		starts = starts || strings.Contains(l, w)
	}
	for _, w := range [...]string{"server", "mcp", "stdio", "port ", "http://", " v0.", " v1.", " v2.", " v3."} {
		what = what || strings.Contains(l, w)
	}
	return Piece{Class: Banner}, starts && what
}
