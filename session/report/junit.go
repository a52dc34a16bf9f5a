package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"example.com/mcpinspect/session/check"
)

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Error   *junitProblem `xml:"error"`
	Failure *junitProblem `xml:"failure"`
	Out     *junitText    `xml:"system-out"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitText struct {
	Text string `xml:",chardata"`
}

// JUnit writes a test suite (the format that Jenkins and its readers agree on): one test that the
// check came to its end, and one for each finding. What does not make the check fail is a test that
// passed, with the finding as its output.
func JUnit(r *Report) []byte {
	took := fmt.Sprintf("%.3f", r.Took.Seconds())
	s := junitSuite{Name: "mcpinspect check", Time: took}
	for _, p := range [...][2]string{{"tool", r.Tool + " " + r.Version}, {"target", r.Target}, {"server", r.Server}, {"revision", r.Revision}, {"looked-at", strings.Join(r.Looked, "; ")}, {"end", r.End}} {
		if p[1] != "" {
			s.Properties = append(s.Properties, junitProperty{p[0], visible(p[1], false)})
		}
	}
	class := "mcpinspect." + strings.ReplaceAll(visible(r.name(), false), ".", "_")
	whole := junitCase{Name: "check comes to its end", Class: class, Time: took}
	if r.Failed != "" {
		whole.Error = &junitProblem{Message: firstLine(visible(r.Failed, true)), Type: "check", Text: visible(r.Failed, true)}
		s.Errors++
	}
	s.Cases = append(s.Cases, whole)
	for i := range r.Findings {
		f := &r.Findings[i]
		c := junitCase{Name: f.Rule + ": " + visible(f.Subject, false), Class: class, Time: "0.000"}
		if text := junitFinding(f); r.fails(f) {
			c.Failure = &junitProblem{Message: visible(sentence(f), false), Type: f.Severity.String(), Text: text}
			s.Failures++
		} else {
			c.Out = &junitText{text}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	all := junitSuites{Name: s.Name, Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Time: took, Suite: s}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		panic("report: " + err.Error()) // a bytes.Buffer takes everything, and the types can be encoded
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func junitFinding(f *check.Finding) string {
	lines := []string{f.Severity.String() + ": " + visible(sentence(f), true)}
	if where := Where(f); where != "" {
		lines = append(lines, "first at: "+where+", "+f.First.T+times(f))
	}
	lines = append(lines, "fix: "+visible(f.Fix, true), "see: "+pageURL(f.Spec))
	return strings.Join(lines, "\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
