// Package stray tells what output is that is no message: a banner, a record of a logger, a stack
// trace, a notice of a package manager. Where the form of the text gives away which library or
// language wrote it, it says so, as a guess, and names the cure for it.
package stray

import (
	"bytes"
	"strings"

	"example.com/mcpinspect/client"
)

// Class is what a piece of output is.
type Class uint8

const (
	Text      Class = iota // anything else: most often a print for debugging
	Blank                  // nothing but white space
	Banner                 // what a program says when it starts
	LogLine                // a line of a logger, in text
	LogRecord              // a record of a logger, in JSON
	Trace                  // of a stack, and what led to it
	Warning                // of a runtime or library
	Notice                 // of a package manager or a loader of settings
	Progress               // a bar, a counter, a spinner
	Art                    // a picture made of characters
	Dump                   // a value, printed as its language writes it
	Scalar                 // a JSON value that is neither object nor list
	List                   // a JSON list
	Object                 // a JSON object that is no message
	Header                 // of the Language Server Protocol
	Wide                   // UTF-16
	Framed                 // what frames messages on other transports
	Usage                  // how a program is used
)

var names = [...]string{Text: "text", Blank: "a blank line", Banner: "a start-up banner", LogLine: "a log line", LogRecord: "a log record",
	Trace: "a stack trace", Warning: "a warning", Notice: "a notice of a package manager", Progress: "a progress bar", Art: "character art",
	Dump: "a printed value", Scalar: "a JSON value", List: "a JSON array", Object: "a JSON object", Header: "a header of the Language Server Protocol",
	Wide: "text in UTF-16", Usage: "how the program is used", Framed: "a framing that is not that of stdio"}

// String names the class for a sentence: "a log line".
func (c Class) String() string { return names[c] }

// Piece is what is known of a piece of output.
type Piece struct {
	Class Class
	Guess string // what wrote it, for a sentence: "Go's log package"; empty when nothing gives it away
	Fix   string // the cure for that; empty for the common one
}

// looked is how much of a piece is looked at: what it is shows in its beginning.
const looked = 4 << 10

// Of tells what a piece of output is. Any bytes will do.
func Of(b []byte) Piece {
	b = b[:min(len(b), looked)]
	_, wide := client.UTF16(b)
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return Piece{Class: Blank}
	case wide:
		return Piece{Wide, "PowerShell or a .NET program that writes UTF-16", "write UTF-8: $OutputEncoding = [Text.UTF8Encoding]::new($false) in PowerShell, Console.OutputEncoding = new UTF8Encoding(false) in .NET"}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if client.ValidJSON(b) {
		return value(bytes.TrimSpace(b))
	}
	s, coloured := plain(string(b))
	for _, read := range [...]func(string) (Piece, bool){header, framed, trace, usage, notice, warning, logLine, dump, progress, art, banner} {
		if p, ok := read(s); ok {
			return p
		}
	}
	if coloured && strings.TrimSpace(s) == "" {
		return Piece{Class: Art, Guess: "a program that controls a terminal", Fix: "switch colour and cursor off when stdout is no terminal: NO_COLOR=1, FORCE_COLOR=0, TERM=dumb"}
	}
	return Piece{Class: Text}
}

// plain takes escape sequences of terminals out of a text.
func plain(s string) (text string, coloured bool) {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s, false
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			out.WriteByte(s[i])
			continue
		}
		if i++; i < len(s) && s[i] == '[' { // up to its final byte
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
		}
	}
	return out.String(), true
}

// value is a piece that is JSON.
func value(b []byte) Piece {
	switch b[0] {
	case '{':
		return object(b)
	case '[':
		return Piece{Class: List}
	}
	return Piece{Class: Scalar}
}

// object is a JSON object: the record of a logger, by its members, or any other.
func object(b []byte) Piece {
	has := map[string][]byte{}
	for name, raw := range client.Members(b) {
		if key, _ := client.Text(name); len(has) < 64 {
			has[key] = raw
		}
	}
	number := func(key string) bool { return len(has[key]) > 0 && has[key][0] >= '0' && has[key][0] <= '9' }
	all := func(keys ...string) bool {
		for _, k := range keys {
			if has[k] == nil {
				return false
			}
		}
		return true
	}
	for _, l := range [...]struct {
		is         bool
		guess, fix string
	}{
		{number("level") && all("time", "pid", "hostname"), "pino", "give pino stderr: pino(pino.destination(2))"},
		{all("@t") && (all("@m") || all("@mt")), "Serilog", "WriteTo.Console(standardErrorFromLevel: LogEventLevel.Verbose)"},
		{all("@timestamp", "logger_name", "message"), "Logback", "<target>System.err</target> in its console appender"},
		{all("timestamp", "level", "fields", "target"), "Rust's tracing", "tracing_subscriber::fmt().with_writer(std::io::stderr)"},
		{all("level", "ts", "msg"), "zap", "OutputPaths: []string{\"stderr\"} in zap.Config"},
		{all("event", "level") && (all("timestamp") || all("logger")), "structlog", "structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))"},
		{all("time", "level", "msg") && upper(has["level"]), "Go's log/slog", "slog.NewJSONHandler(os.Stderr, nil)"},
		{all("time", "level", "msg"), "logrus", "logrus.SetOutput(os.Stderr)"},
		{all("time", "level", "message"), "zerolog", "zerolog.New(os.Stderr)"},
		{all("level", "message"), "winston", "give its Console transport stderrLevels with every level"},
	} {
		if l.is {
			return Piece{LogRecord, l.guess, l.fix}
		}
	}
	level, message := false, false
	for key := range has {
		switch strings.ToLower(key) {
		case "level", "severity", "lvl", "levelname", "loglevel":
			level = true
		case "message", "msg", "event":
			message = true
		}
	}
	if level && message {
		return Piece{Class: LogRecord, Fix: "give the logger stderr as its stream"}
	}
	return Piece{Class: Object}
}

func upper(raw []byte) bool { return bytes.Equal(raw, bytes.ToUpper(raw)) }
