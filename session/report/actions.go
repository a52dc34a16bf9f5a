package report

import (
	"strings"

	"example.com/mcpinspect/session"
)

// Annotations are the workflow commands that make GitHub Actions show each finding beside the run:
// ::error title=RULE::what it is.
func Annotations(r *Report) []byte {
	var b strings.Builder
	line := func(command, title, text string) {
		b.WriteString("::" + command + " title=" + property(title) + "::" + data(text) + "\n")
	}
	if r.Failed != "" {
		line("error", "check", visible(r.Failed, true))
	}
	for i := range r.Findings[:min(len(r.Findings), mostRows)] {
		f := &r.Findings[i]
		command := "notice"
		switch session.Severity(f.Severity) {
		case session.Error:
			command = "error"
		case session.Warning:
			command = "warning"
		}
		text := visible(sentence(f), true)
		if f.Fix != "" && command != "notice" {
			text += "\nfix: " + visible(f.Fix, true)
		}
		line(command, f.Rule, text)
	}
	return []byte(b.String())
}

// data and property escape what ends a workflow command, or a property of one, and the beginning of a
// command of the older kind, which may stand anywhere in a line.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", `\u0023#[`).Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// Defuse makes lines that are no commands of ours harmless to GitHub Actions, which takes a line for
// a command that begins with :: behind any white space, or has ##[ anywhere. first says that b begins
// a line. Both become JSON escapes, so that a document of JSON keeps its meaning; b itself comes back
// when there is nothing to do.
func Defuse(b []byte, first bool) []byte {
	var out []byte
	kept := 0 // b up to here is in out
	begins := first
	for i := 0; i < len(b); i++ {
		escape := ""
		switch c := b[i]; {
		case c == '\n' || c == '\r':
			begins = true
			continue
		case begins && (c == ' ' || c == '\t' || c == '\v' || c == '\f'):
			continue
		case begins && c == ':' && i+1 < len(b) && b[i+1] == ':':
			escape = `\u003a`
		case c == '#' && i+2 < len(b) && b[i+1] == '#' && b[i+2] == '[':
			escape = `\u0023`
		}
		begins = false
		if escape != "" {
			out = append(append(out, b[kept:i]...), escape...)
			kept = i + 1
		}
	}
	if kept == 0 {
		return b
	}
	return append(out, b[kept:]...)
}
