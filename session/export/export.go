// Package export makes files of sessions for other people and other programs: Markdown and HTML for
// a bug report, HAR 1.2 for HTTP tools, JSON Lines of the bare messages. Nothing in them acts on who
// opens them: every text of a server is escaped, and no page has a script.
package export

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// Formats are the names of what can be made.
var Formats = []string{"md", "html", "har", "jsonl"}

// Options say what goes into a file.
type Options struct {
	Head   recordings.Head // of the recording
	Name   string          // of the recording, for the title
	Tool   string          // what makes the file
	Keep   func(*session.Event) bool
	Filter string // Keep in words; empty when everything is kept
	Mask   *Mask
}

// Write makes a file of a session. The format is one of Formats.
func Write(w io.Writer, format string, s *session.Session, o Options) error {
	if o.Keep == nil {
		o.Keep = func(*session.Event) bool { return true }
	}
	o.Mask.learn(s)
	b := bufio.NewWriterSize(w, 64<<10)
	switch format {
	case "md":
		markdown(b, s, &o)
	case "html":
		page(b, s, &o)
	case "har":
		har(b, s, &o)
	case "jsonl":
		messages(b, s, &o)
	default:
		return fmt.Errorf("there is no format %q; there are %s", format, strings.Join(Formats, ", "))
	}
	return b.Flush()
}

// messages writes each message on a line of its own, as it was sent.
func messages(w *bufio.Writer, s *session.Session, o *Options) {
	s.Log().Each(0, func(e session.Event) bool {
		if e.Note == nil && e.Kind.IsMessage() && o.Keep(&e) {
			w.Write(oneLine(o.body(s, &e)))
			w.WriteByte('\n')
		}
		return true
	})
}

// body is a row's bytes with what is to be hidden hidden.
func (o *Options) body(s *session.Session, e *session.Event) []byte {
	body := s.Log().Line(e.Seq)
	if e.Kind.IsMessage() {
		return o.Mask.message(body[:len(body):len(body)])
	}
	return o.Mask.bytes(body)
}

// oneLine makes a message that spans lines one line: a line end cannot stand within a JSON string.
func oneLine(b []byte) []byte {
	out := b
	for i, c := range b {
		if c != '\n' && c != '\r' {
			continue
		}
		if &out[0] == &b[0] {
			out = append([]byte(nil), b...)
		}
		out[i] = ' '
	}
	return out
}

// directions are the words for where bytes went.
var directions = [...]string{client.In: "-> out", client.Out: "<- in ", client.Err: "   err", client.Life: "**    "}

// row is a row of the log as a line.
func (o *Options) row(s *session.Session, e *session.Event) string {
	dir := directions[e.Stream]
	if e.Stray() {
		dir = "!!    "
	}
	took, size := "", ""
	if e.Latency >= 0 && e.Kind.IsAnswer() {
		took = e.Latency.Round(10 * time.Microsecond).String()
	}
	if e.Stream != client.Life {
		size = strconv.Itoa(e.Size) + " B"
	}
	what, _ := e.Subject(o.about(s, e))
	what = short(o.Mask.text(what)) // before it is cut: half a secret is one, too
	sign := " "
	if e.Marked {
		sign = "*"
	}
	line := fmt.Sprintf("%5d%s%9.3f %s %10s %10s  %s", e.Seq, sign, e.T.Seconds(), dir, took, size, visible(what))
	for i, m := range e.Marks {
		line += [...]string{"  [", ", "}[min(i, 1)] + m.Severity.String() + " " + m.Rule
		if i == len(e.Marks)-1 {
			line += "]"
		}
	}
	return line
}

// short cuts what a row says.
func short(what string) string {
	if r := []rune(what); len(r) > rowWidth {
		what = string(r[:rowWidth]) + "…"
	}
	return what
}

// about names what a request is about, for its answer, too, as far as that is not hidden.
func (o *Options) about(s *session.Session, e *session.Event) string {
	about := s.Log().About(e)
	if about == "" || o.Mask == nil || len(o.Mask.pointers) == 0 {
		return about
	}
	q := *e
	if e.Kind.IsAnswer() {
		q, _ = s.Log().Event(e.Pair)
	}
	o.Mask.silent = true // the message itself is counted
	params := client.Get(o.body(s, &q), "params")
	o.Mask.silent = false
	if name := client.GetText(params, "name"); name != "" {
		return name
	}
	return client.GetText(params, "uri")
}

// rowWidth is how many characters of what a row says are shown.
const rowWidth = 160

// visible makes one line of a text, in which every character that acts on a terminal, moves text or
// hides is written as an escape.
func visible(s string) string { return shown(s, false) }

// shown is visible; lines keeps line ends, and makes four blanks of a tab.
func shown(s string, lines bool) string {
	odd := func(r rune) bool {
		return r == utf8.RuneError || r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)
	}
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case lines && r == '\t':
			b.WriteString("    ")
		case lines && r == '\n', !odd(r):
			b.WriteRune(r)
		case r == utf8.RuneError && s[i] != 0xef: // a byte that is no UTF-8
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
