package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
)

// BlackBox is what was known when a server ended.
type BlackBox struct {
	Exit    client.Exit
	Run     int
	Started time.Duration // when it had been started
	Stderr  []string      // its last lines, oldest first
	Said    []string      // the last lines on stdout that are no messages, oldest first
	Crash   []string      // the beginning of its crash report; nil when it made none
	Open    []Call        // unanswered calls
	Half    int64         // bytes of an unfinished line on stdout
	HalfEnd string        // its last bytes
	Out     int64         // bytes that came on stdout in this run
}

// halfTail is how much of an unfinished line a black box shows.
const halfTail = 200

// Sentences says what a black box holds, most important first; the time is that of the exit.
func (b *BlackBox) Sentences() []string {
	out := []string{fmt.Sprintf("the server ended with %s, %s, %s after its start", b.Exit, b.who(), client.Elapsed(b.Exit.At-b.Started, time.Millisecond))}
	for _, c := range b.Open {
		what := c.Method
		if c.Name != "" {
			what += " " + c.Name
		}
		out = append(out, fmt.Sprintf("%s (id %s) was not answered, sent %s before the end", what, c.ID, client.Elapsed(b.Exit.At-c.Sent, time.Millisecond)))
	}
	if b.Half > 0 {
		out = append(out, fmt.Sprintf("%s of an unfinished line were left on stdout: %q", client.Bytes(b.Half), clip(b.HalfEnd, 120)))
	}
	if b.Out == 0 {
		out = append(out, "nothing came on its stdout")
	}
	for _, hint := range b.Hints() {
		out = append(out, Guessed(hint))
	}
	return out
}

// who tells whether anyone here had asked for the end.
// Lost reports whether a call was open when the server ended; b may be nil.
func (b *BlackBox) Lost(c Call) bool {
	return b != nil && slices.ContainsFunc(b.Open, func(o Call) bool { return o.Seq == c.Seq })
}

func (b *BlackBox) who() string {
	switch b.Exit.Asked {
	case client.AskedStdin:
		return "after its stdin was closed"
	case client.AskedTerm:
		return "after we sent SIGTERM"
	case client.AskedKill:
		return "after we killed it"
	}
	return "unasked"
}

// Brief says in one line how the server ended, the line that it wrote which most likely says why, and
// what that usually means: what there is room for in a status line.
func (b *BlackBox) Brief() string {
	said := fmt.Sprintf("%s, %s", b.Exit, b.who())
	switch where, line := b.Telling(); {
	case line == "":
	case where == "":
		said += ": " + line
	default:
		said += "; " + where + ": " + line
	}
	if hints := b.Hints(); len(hints) > 0 {
		said += "; " + Guessed(hints[0])
	}
	return said
}

// Telling is the line that most likely says why the server ended, and where it stood: that of its crash
// report, for which where is empty, or one that its end is guessed from. The last line of one that failed
// may be about anything, and is told as the last. All is empty where nothing tells.
func (b *BlackBox) Telling() (where, line string) {
	if len(b.Crash) > 0 {
		return "", strings.TrimSpace(b.LastWord())
	}
	for _, words := range [...][]wording{lastWords[:], crashWords[:]} {
		for _, w := range words {
			if line := lineWith(b.Stderr, w.text); line != "" {
				return "its stderr", line
			}
			if line := lineWith(b.Said, w.text); line != "" {
				return "its stdout", line
			}
		}
	}
	if b.Exit.Asked != client.AskedNo || b.Exit.Signal == "" && b.Exit.Code == 0 {
		return "", ""
	}
	if line := lineWith(b.Stderr, ""); line != "" {
		return "its last line on stderr", line
	}
	if b.Half > 0 {
		return "its stdout ends within a line", clip(b.HalfEnd, keptLine)
	}
	if line := lineWith(b.Said, ""); line != "" {
		return "its last line on stdout", line
	}
	return "", ""
}

// lineWith is the last line that holds a part, and is not blank.
func lineWith(lines []string, part string) string {
	for _, l := range slices.Backward(lines) {
		if strings.Contains(l, part) && strings.TrimSpace(l) != "" {
			return strings.TrimSpace(l)
		}
	}
	return ""
}
