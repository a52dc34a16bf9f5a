package session

import "strings"

// crashLines is how many lines of a crash report are kept from its beginning: what was wrong and
// the innermost frames.
const crashLines = 20

// crash watches stderr for the beginning of a crash report. What went wrong stands before the stack
// in most languages, and a long stack pushes it out of the last lines.
type crash struct {
	lines []string // of the last report, from the line that says what went wrong
	at    []string // what may be the first lines of a report, when frames follow: the line before, or an error and what it tells
	over  bool     // the traceback has come to its exception
	loose bool     // the report is known by its frames alone: another line ends it
}

// line takes in the next line of stderr.
func (c *crash) line(s string) {
	indented := strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t")
	frame := indented && strings.HasPrefix(strings.TrimLeft(s, " \t"), "at ") // JavaScript, Java, .NET
	traced := len(c.lines) > 0 && isTraceback(c.lines[0])
	switch {
	case reports(s), isTraceback(s):
		c.lines, c.loose, c.over = []string{s}, false, false
	case traced && c.over:
		if s != "" { // the program went on behind it
			c.lines = nil
		}
	case traced:
		c.over = !indented && s != "" // the exception
		if len(c.lines) >= crashLines {
			c.lines[crashLines/2] = "  ..."
			c.lines = append(c.lines[:crashLines/2+1], c.lines[crashLines/2+2:]...)
		}
		c.lines = append(c.lines, s)
	case frame && len(c.lines) == 0 && len(c.at) > 0:
		c.lines, c.loose = append(c.at, s), true
	case c.loose && !indented && s != "" && !strings.HasPrefix(s, "}") && !strings.HasPrefix(s, "Node.js ") && !strings.HasPrefix(s, "Emitted '"):
		c.lines, c.loose = nil, false
	case len(c.lines) > 0 && len(c.lines) < crashLines:
		c.lines = append(c.lines, s)
	}
	switch {
	case indented, s == "":
		c.at = nil
	case len(c.at) > 0 && len(c.at) < crashLines/2 && namesError(c.at[0]): // "Require stack:" and more
		c.at = append(c.at, s)
	default:
		c.at = []string{s}
	}
}

// namesError tells a line that begins with the name of an error or exception: "TypeError: x is not a
// function", "Error [ERR_MODULE_NOT_FOUND]: ", "java.io.IOException: ".
func namesError(s string) bool {
	name, _, ok := strings.Cut(s, ": ")
	if !ok {
		name = strings.TrimSuffix(s, ":")
	}
	name, _, _ = strings.Cut(name, " [")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && !strings.Contains(name, " ")
}

// reports tells the lines that only a runtime writes that is about to end the process: those of Go, of
// Rust and of Python itself.
func reports(s string) bool {
	return strings.HasPrefix(s, "Fatal Python error: ") || strings.HasPrefix(s, "panic: ") || strings.HasPrefix(s, "fatal error: ") ||
		strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at ")
}

// isTraceback tells the first line of a traceback of Python, whose last line says what went wrong.
func isTraceback(s string) bool { return strings.HasPrefix(s, "Traceback (most recent call last)") }

// LastWords are at most n lines of stderr that say why the server ended, and what they are: the
// beginning of its crash report where the last lines do not hold it, else the last lines. One that was
// silent there may have said it on stdout.
func (b *BlackBox) LastWords(n int) (what string, lines []string) {
	if len(b.Stderr) == 0 && len(b.Said) > 0 {
		return "its last lines on stdout that are no messages:", b.Said[max(0, len(b.Said)-n):]
	}
	last := b.Stderr[max(0, len(b.Stderr)-n):]
	if len(b.Crash) == 0 || len(b.Crash) <= n && len(last) >= len(b.Crash) && last[len(last)-len(b.Crash)] == b.Crash[0] {
		return "its last lines on stderr:", last
	}
	return "its stderr, from where it crashed:", b.crash(n)
}

// LastWord is the line of stderr that most likely says why the server ended; "" when there is none.
// Without a crash report it is the last one.
func (b *BlackBox) LastWord() string {
	switch {
	case len(b.Crash) > 0 && isTraceback(b.Crash[0]):
		return b.Crash[len(b.Crash)-1]
	case len(b.Crash) > 0:
		return b.Crash[0]
	case len(b.Stderr) > 0:
		return b.Stderr[len(b.Stderr)-1]
	}
	return ""
}

// crash is the crash report in at most n lines: its beginning, and of a traceback its end, too.
func (b *BlackBox) crash(n int) []string {
	const end = 3 // the innermost frame in two lines, and the exception
	if len(b.Crash) <= n || !isTraceback(b.Crash[0]) || n <= end+1 {
		return b.Crash[:min(n, len(b.Crash))]
	}
	short := append([]string(nil), b.Crash[:n-end-1]...)
	return append(append(short, "  ..."), b.Crash[len(b.Crash)-end:]...)
}
