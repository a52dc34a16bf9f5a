package export

import (
	"bufio"
	"strings"

	"example.com/mcpinspect/session"
)

// markdown writes a report as CommonMark that says the same in every viewer: what a server sent
// stands in fenced blocks and with its special characters escaped, so that it is no link, image or
// heading.
func markdown(w *bufio.Writer, s *session.Session, o *Options) {
	r := compose(s, o)
	w.WriteString("# " + inline(r.title) + "\n")
	for _, sec := range r.sections {
		w.WriteString("\n## " + sec.heading + "\n")
		if len(sec.pairs)+len(sec.items) > 0 {
			w.WriteByte('\n')
		}
		for _, p := range sec.pairs {
			w.WriteString("- " + p[0] + ": " + inline(p[1]) + "\n")
		}
		for _, item := range sec.items {
			w.WriteString("- " + inline(item) + "\n")
		}
		for _, block := range sec.pre {
			fence := strings.Repeat("`", max(3, longest(block, '`')+1))
			w.WriteString("\n" + fence + "text\n" + block + "\n" + fence + "\n")
		}
	}
}

// inline escapes what means something within a paragraph (CommonMark 0.31, 2.4): every punctuation
// character may stand behind a backslash. Bare addresses and mentions are broken up, too.
func inline(s string) string {
	var b strings.Builder
	for i, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>#!|~&$@", r) || r == '/' && strings.HasPrefix(s[i:], "//") {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// longest is the length of the longest run of a character.
func longest(s string, c byte) (most int) {
	n := 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}
