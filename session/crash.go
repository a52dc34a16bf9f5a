package session

import "strings"

// crashLines is how many lines of a crash report are kept from its beginning: what was wrong and
// the innermost frames.
const crashLines = 20

// crash watches stderr for the beginning of a crash report. What went wrong stands before the stack
// in most languages, and a long stack pushes it out of the last lines.
type crash struct {
	lines []string // of the last report, from the line that says what went wrong
	at    string   // the line before, where frames that follow make it the first of a report
	loose bool     // the report is known by its frames alone: another line ends it
}

// line takes in the next line of stderr.
func (c *crash) line(s string) {
	indented := strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t")
	frame := indented && strings.HasPrefix(strings.TrimLeft(s, " \t"), "at ") // JavaScript, Java, .NET
	switch {
	case reports(s):
		c.lines, c.loose = []string{s}, false
	case frame && len(c.lines) == 0 && c.at != "":
		c.lines, c.loose = []string{c.at, s}, true
	case c.loose && !indented && s != "" && !strings.HasPrefix(s, "}") && !strings.HasPrefix(s, "Node.js "):
		c.lines, c.loose = nil, false
	case len(c.lines) > 0 && len(c.lines) < crashLines:
		c.lines = append(c.lines, s)
	}
	if c.at = s; indented {
		c.at = ""
	}
}

// reports tells the lines that only a runtime writes that is about to end the process: those of Go
// and of Rust.
func reports(s string) bool {
	return strings.HasPrefix(s, "panic: ") || strings.HasPrefix(s, "fatal error: ") ||
		strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at ")
}

// LastWords are at most n lines of stderr that say why the server ended, and what they are: the
// beginning of its crash report where the last lines do not hold it, else the last lines.
func (b *BlackBox) LastWords(n int) (what string, lines []string) {
	last := b.Stderr[max(0, len(b.Stderr)-n):]
	if len(b.Crash) == 0 || len(b.Crash) <= n && len(last) >= len(b.Crash) && last[len(last)-len(b.Crash)] == b.Crash[0] {
		return "its last lines on stderr:", last
	}
	return "its stderr, from where it crashed:", b.Crash[:min(n, len(b.Crash))]
}

// LastWord is the line of stderr that most likely says why the server ended; "" when there is none.
// Without a crash report it is the last one.
func (b *BlackBox) LastWord() string {
	switch {
	case len(b.Crash) > 0:
		return b.Crash[0]
	case len(b.Stderr) > 0:
		return b.Stderr[len(b.Stderr)-1]
	}
	return ""
}
