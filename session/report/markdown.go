package report

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// mostRows is how many findings a page and the commands of a job show: a summary may have 1 MiB.
const mostRows = 200

// Markdown writes a page for a pull request, an issue or the summary of a job. What a server sent is
// escaped: it is no link, image, mention or heading there.
func Markdown(r *Report) []byte {
	var b strings.Builder
	mark := "✅"
	switch {
	case r.Failed != "":
		mark = "❌"
	default:
		for i := range r.Findings {
			if r.fails(&r.Findings[i]) {
				mark = "❌"
			}
		}
	}
	fmt.Fprintf(&b, "## %s MCP check: %s\n\n%s; %s", mark, paragraph(r.name()), r.verdict(), paragraph(r.revision()))
	if r.End != "" {
		b.WriteString("; " + paragraph(r.End))
	}
	b.WriteString("\n")
	if r.Failed != "" {
		b.WriteString("\n**The check could not be finished:** " + paragraph(r.Failed) + "\n")
	}
	if len(r.Findings) > 0 {
		b.WriteString("\n| | rule | what | where |\n|---|---|---|---|\n")
	}
	for i := range r.Findings {
		if i == mostRows {
			fmt.Fprintf(&b, "| | | and %d more | |\n", len(r.Findings)-mostRows)
			break
		}
		f := &r.Findings[i]
		fmt.Fprintf(&b, "| %s | `%s`%s | %s | %s |\n", word(f), f.Rule, times(f), paragraph(sentence(f)), paragraph(place(f)))
	}
	told := map[string]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if told[f.Rule] || session.Severity(f.Severity) == session.Info {
			continue
		}
		if len(told) == 0 {
			b.WriteString("\n### What to do\n\n")
		}
		told[f.Rule] = true
		fmt.Fprintf(&b, "- `%s`: %s ([%s](%s))\n", f.Rule, paragraph(f.Fix), paragraph(f.Spec), pageURL(f.Spec))
	}
	if len(r.Looked) > 0 {
		b.WriteString("\nLooked at: " + paragraph(strings.Join(r.Looked, "; ")) + "\n")
	}
	fmt.Fprintf(&b, "\n<sub>%s %s on %s</sub>\n", paragraph(r.Tool), paragraph(r.Version), paragraph(r.Target))
	return []byte(b.String())
}

// place is where a finding was made, and what it is about where that says more.
func place(f *check.Finding) string {
	where := Where(f)
	switch {
	case where == "":
		return f.Subject
	case f.Subject == f.First.Stream || f.Subject == "server":
		return where
	}
	return where + ", " + f.Subject
}

// word is a severity for the eye.
func word(f *check.Finding) string {
	switch session.Severity(f.Severity) {
	case session.Error:
		return "**error**"
	case session.Warning:
		return "warning"
	}
	return "info"
}

// paragraph is a text of whoever within a paragraph or the cell of a table (CommonMark 0.31, 2.4:
// every ASCII punctuation character may stand behind a backslash). Addresses, mentions and the
// numbers of issues are broken up, too.
func paragraph(s string) string {
	s = visible(s, false)
	var b strings.Builder
	for i, c := range s {
		if strings.ContainsRune("\\`*_{}[]<>#!|~&$@", c) || c == '/' && strings.HasPrefix(s[i:], "//") || c == '.' && strings.HasSuffix(s[:i], "www") {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
