// Package report writes what a check found for other programs: JUnit XML, SARIF 2.1.0, Markdown,
// and the commands that GitHub Actions reads from a job's output. Its functions are pure: the same
// report gives the same bytes. Texts of a server may hold anything; each format gets them as plain
// text, with control and direction characters made visible.
package report

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// Report is one check of one server.
type Report struct {
	Tool     string // the program that checked, and its version
	Version  string
	Target   string        // the server as a person names it: a command line or an address
	Server   string        // what the server calls itself; empty when it never said
	Revision string        // that was agreed on; empty for none
	Looked   []string      // what was looked at, a clause each
	End      string        // how the server ended; empty when that is not known
	Took     time.Duration // the whole check
	Failed   string        // why the check could not be finished; empty when it was
	Source   string        // the file that results point at, relative, with slashes; see Source
	Limit    session.Severity
	Findings []check.Finding // in the order in which they are shown
}

// formats are the files that can be written, by the name that asks for each.
var formats = []struct {
	name  string
	write func(r *Report) []byte
}{{"junit", JUnit}, {"sarif", SARIF}, {"md", Markdown}}

// Formats are the names of the formats.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes a report in a format of Formats.
func Write(w io.Writer, format string, r *Report) error {
	for _, f := range formats {
		if f.name == format {
			_, err := w.Write(f.write(r))
			return err
		}
	}
	return fmt.Errorf("there is no format %q; they are %s", format, strings.Join(Formats(), ", "))
}

// fails reports whether a finding makes the check fail.
func (r *Report) fails(f *check.Finding) bool { return session.Severity(f.Severity) >= r.Limit }

// sentence is what was found, with what it comes of.
func sentence(f *check.Finding) string {
	if f.Because != "" {
		return f.Message + " (because of " + f.Because + ")"
	}
	return f.Message
}

// verdict is the check in one line.
func (r *Report) verdict() string {
	s := check.Sum(r.Findings)
	return fmt.Sprintf("%s, %s, %d info", plural(s.Error, "error"), plural(s.Warning, "warning"), s.Info)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// name is the server as far as it is known.
func (r *Report) name() string {
	if r.Server != "" {
		return r.Server
	}
	return r.Target
}

// Where says in words where something was found first. A server at an address has no stdout: what it
// sends comes in replies.
func Where(f *check.Finding) string {
	switch {
	case f.First.Seq < 0:
		return ""
	case f.First.Stream == "life":
		return fmt.Sprintf("row %d", f.First.Seq)
	case f.First.Stream == "reply" || f.First.Stream == "request":
		return fmt.Sprintf("row %d, %s byte %d", f.First.Seq, f.First.Stream, f.First.Offset)
	}
	return fmt.Sprintf("%s byte %d", f.First.Stream, f.First.Offset)
}

// pageURL is the page of the specification that a finding names.
func pageURL(spec string) string {
	if spec == "" {
		return ""
	}
	return "https://modelcontextprotocol.io/specification/" + spec
}

// longestText is the most of one text that a file shows, in bytes: viewers cut what is longer, or
// refuse the file.
const longestText = 4000

// visible is a text of whoever as plain text: no byte in it is a control, a direction mark, or no
// character at all. With lines, line breaks and tabs stay.
func visible(s string, lines bool) string {
	if len(s) > longestText {
		cut := longestText
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case lines && c == '\n':
			b.WriteByte('\n')
		case lines && c == '\t': // of an indented trace
			b.WriteString("    ")
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case hidden(c) && c <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, c)
		case hidden(c):
			fmt.Fprintf(&b, `\u{%x}`, c)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// hidden reports whether a character draws nothing of its own, or cannot stand in XML 1.0.
func hidden(c rune) bool {
	return !unicode.IsGraphic(c) || c == 0xFFFE || c == 0xFFFF
}

func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// times is how often something was found, where that is more than once.
func times(f *check.Finding) string {
	if f.Count > 1 {
		return fmt.Sprintf(" ×%d", f.Count)
	}
	return ""
}

// revision is what was agreed on, in words.
func (r *Report) revision() string {
	if r.Revision == "" {
		return "no revision agreed on"
	}
	return r.Revision + " (" + client.Revision(r.Revision).Era() + ")"
}
