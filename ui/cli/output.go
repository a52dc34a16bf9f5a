package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// output is stdout. JSON goes out token for token as it was sent; text is cleaned. Nothing that a
// server wrote reaches a terminal as an escape sequence.
type output struct {
	w        *bufio.Writer
	file     *os.File
	actions  *defused // between the two in a job of GitHub Actions; nil elsewhere
	terminal bool
	paint    paint
	warn     func(format string, args ...any)
	warned   bool
}

func newOutput(f *os.File, noColor bool, warn func(string, ...any)) *output {
	o := &output{file: f, terminal: isTerminal(f), paint: painter(f, noColor), warn: warn}
	var w io.Writer = f
	if jobLog(f) {
		o.actions = &defused{w: f}
		w = o.actions
	}
	o.w = bufio.NewWriterSize(w, 64<<10)
	return o
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// raw writes JSON of a server inside of a document of ours, or as one.
func (o *output) raw(b []byte) {
	if !utf8.Valid(b) && !o.warned {
		o.warned = true
		o.warn("bytes that are no UTF-8 were written as U+FFFD")
	}
	if o.terminal {
		o.w.Write(visible(b))
		return
	}
	o.w.Write(validText(b))
}

// rawLine writes JSON of a server as a document.
func (o *output) rawLine(b []byte) {
	o.raw(b)
	o.w.WriteByte('\n')
}

// printf writes text of ours.
func (o *output) printf(format string, args ...any) { fmt.Fprintf(o.w, format, args...) }

// lines writes text of a server, each of its lines cleaned and indented.
func (o *output) lines(indent, s string) {
	for _, l := range text.CleanLines(s) {
		o.w.WriteString(indent + l + "\n")
	}
}

// document writes a value as one line of JSON.
func (o *output) document(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	o.raw(b.Bytes())
	return o.flush()
}

// flush writes what is left. An error is the first one of all that was written.
func (o *output) flush() error {
	err := o.w.Flush()
	if err == nil && o.actions != nil {
		err = o.actions.flush()
	}
	return cannotWrite(err)
}

// commands writes lines of ours that GitHub Actions shall read.
func (o *output) commands(lines []byte) error {
	if err := o.flush(); err != nil {
		return err
	}
	_, err := o.file.Write(lines)
	return cannotWrite(err)
}

// cannotWrite is a failure to write to stdout, as an error of the run.
func cannotWrite(err error) error {
	if err == nil {
		return nil
	}
	return &failure{outcome: unwritten, text: "the result cannot be written: " + err.Error(), err: err}
}

// checked is a writer for what others print: it remembers the first error, which they ignore.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// validText replaces each byte that is no UTF-8 by U+FFFD, as JSON decoders do.
func validText(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out
}

// visible is JSON as a terminal may get it: characters that would act on it or reorder the line
// are written as escapes, which mean the same in JSON.
func visible(b []byte) []byte {
	odd := func(r rune) bool {
		return r >= 0x7F && r <= 0x9F || r == '\u2028' || r == '\u2029' || r != '\u200D' && r > 0x9F && unicode.Is(unicode.Cf, r)
	}
	b = validText(b)
	if bytes.IndexFunc(b, odd) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case !odd(r):
			out = append(out, b[:n]...)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}

// quoteText is a JSON string of text that may hold anything.
func quoteText(s string) []byte { return client.Quote(string(validText([]byte(s)))) }

// oneLine makes JSON that may be indented one line; a newline cannot stand inside of a string.
func oneLine(b []byte) []byte {
	if bytes.IndexByte(b, '\n') < 0 {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, b)
}

// cleanLine is untrusted text as one line that may be drawn.
func cleanLine(s string) string { return text.Clean(s) }

// firstLine is the first line of a text that has something on it.
func firstLine(s string) string {
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			return cleanLine(l)
		}
	}
	return ""
}

// paint colours words for a terminal. The words say the same without it.
type paint bool

// painter says whether colour may be used on a file.
func painter(f *os.File, noColor bool) paint {
	return paint(!noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(f))
}

func (p paint) with(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bad(s string) string  { return p.with("31", s) }
func (p paint) odd(s string) string  { return p.with("33", s) }
func (p paint) bold(s string) string { return p.with("1", s) }
func (p paint) dim(s string) string  { return p.with("2", s) }
