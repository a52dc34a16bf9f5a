package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func finding(rule string, severity session.Severity, subject, message string) check.Finding {
	return check.Finding{Rule: rule, Severity: check.Severity(severity), Count: 2, Subject: subject, Message: message,
		First: check.Place{Seq: 3, T: "12.3ms", Stream: "stdout", Offset: 7}, Fix: "print to stderr", Spec: "2026-07-28/basic/transports/stdio"}
}

func sample() *Report {
	return &Report{Tool: "mcpinspect", Version: "0.1.0", Target: "./server --flag", Server: "Notes 1.4", Revision: "2025-06-18", Looked: []string{"12 messages", "3 tools"}, End: "exit status 0",
		Took: 1234 * time.Millisecond, Source: "go.mod", Limit: session.Error, Findings: []check.Finding{
			finding("stray-stdout", session.Error, "stdout", `text on stdout: "Notes ready"`), finding("blank-line", session.Warning, "stdout", "a blank line"), finding("crlf-lines", session.Info, "stdout", "CRLF")}}
}

// hostile are texts that a server may send.
var hostile = []string{
	"::error::x", "\n::stop-commands::y", "##[group]z", "100%\r\n", "]]>&<b a=\"'\">", "\x00\x1b[31m\x07\x7f", "\xff\xfe", "\u202e\u2066\u200b\ufffe\uffff\u0085\u2028",
	"| a | b |\n|---|\n# h\n- [x](javascript:y) ![](z) <img src=x> `code` @me #12 http://a.b www.a.b", "\U000e0041", "// ", "a:b/../c?d#e", strings.Repeat("é", 3*longestText), "",
}

func hostileReport(s string) *Report {
	f := finding("stray-stdout", session.Error, s, s)
	f.Fix = s
	g := f
	g.Severity, g.First.Stream = check.Severity(session.Info), "reply"
	return &Report{Tool: "mcpinspect", Version: "1", Target: s, Server: s, Revision: s, Looked: []string{s, s}, End: s, Failed: s, Source: s, Findings: []check.Finding{f, g}}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
	}{{"junit.xml", JUnit(sample())}, {"sarif.json", SARIF(sample())}, {"page.md", Markdown(sample())}, {"actions.txt", Annotations(sample())}} {
		path := filepath.Join("testdata", c.name)
		if *update {
			if err := os.WriteFile(path, c.got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(c.got, want) {
			t.Errorf("%s is\n%s", c.name, c.got)
		}
	}
}

// sarifSchema is the schema of the standard (OASIS SARIF 2.1.0, errata schema of schemastore).
func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judgeSARIF holds a log to the schema, and to what code scanning needs beside it.
func judgeSARIF(t *testing.T, schema *jsonschema.Schema, r *Report) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(SARIF(r)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Fatalf("%v\n%s", err, SARIF(r))
	}
	var log sarifLog
	if err := json.Unmarshal(SARIF(r), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != len(r.Findings) {
		t.Fatalf("%d results of %d findings", len(run.Results), len(r.Findings))
	}
	for _, x := range run.Results {
		if x.Index >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[x.Index].ID != x.Rule {
			t.Fatalf("rule %d is not %s", x.Index, x.Rule)
		}
		if len(x.Locations) != 1 || x.Locations[0].Physical.Artifact.URI == "" || x.Fingerprint["ruleAndSubject/v1"] == "" {
			t.Fatalf("a result without a place: %+v", x)
		}
	}
}

// judgeJUnit holds a file to what the readers of JUnit XML agree on: it is well formed, the counts are
// right, and every test has its attributes and one outcome at most.
func judgeJUnit(t *testing.T, r *Report) {
	t.Helper()
	b := JUnit(r)
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
	}
	var all junitSuites
	if err := xml.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	s := all.Suite
	failures, failed := 0, 0
	for _, c := range s.Cases {
		if c.Name == "" || c.Class == "" || c.Time == "" {
			t.Fatalf("a test without its attributes: %+v", c)
		}
		if c.Failure != nil {
			failures++
		}
		if c.Error != nil {
			failed++
		}
	}
	if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != failed || len(s.Cases) != 1+len(r.Findings) || all.Tests != s.Tests || all.Failures != s.Failures {
		t.Fatalf("the counts are wrong:\n%s", b)
	}
	judgeText(t, b)
}

// judgeText holds a file to plain text: no control but line ends, nothing that turns the line round.
func judgeText(t *testing.T, b []byte) {
	t.Helper()
	if !utf8.Valid(b) {
		t.Fatalf("no UTF-8: %q", b)
	}
	for _, c := range string(b) {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == 0xFFFE || c == 0xFFFF) {
			t.Fatalf("%U is in\n%q", c, b)
		}
	}
}

// judgeActions: every line is a command of ours, and no text of a server begins one.
func judgeActions(t *testing.T, r *Report) {
	t.Helper()
	b := Annotations(r)
	judgeText(t, b)
	want := len(r.Findings)
	if r.Failed != "" {
		want++
	}
	lines := 0
	for l := range strings.Lines(string(b)) {
		lines++
		head, _, _ := strings.Cut(strings.TrimPrefix(l, "::"), " title=")
		if strings.Contains(l, "##[") {
			t.Fatalf("a command within one: %q", l)
		}
		if !slices.Contains([]string{"error", "warning", "notice"}, head) || strings.Count(l, "\n") != 1 {
			t.Fatalf("no command: %q", l)
		}
	}
	if lines != want {
		t.Fatalf("%d lines for %d findings", lines, want)
	}
}

// judgeMarkdown: a table keeps its columns, and no line is longer than the texts that were put in.
func judgeMarkdown(t *testing.T, r *Report) {
	t.Helper()
	b := Markdown(r)
	judgeText(t, b)
	for l := range strings.Lines(string(b)) {
		if !strings.HasPrefix(l, "| ") {
			continue
		}
		bars := 0
		for i := range len(l) {
			if l[i] == '|' && !escapedAt(l, i) {
				bars++
			}
		}
		if bars != 5 {
			t.Fatalf("%d bars in %q", bars, l)
		}
	}
	for _, never := range []string{" <img", " [x]", " ![]", " http://", "www.a", " @me", " #12"} {
		if strings.Contains(string(b), never) {
			t.Fatalf("%q stands in\n%s", never, b)
		}
	}
}

func escapedAt(s string, i int) bool {
	n := 0
	for i--; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func TestHostile(t *testing.T) {
	schema := sarifSchema(t)
	judgeSARIF(t, schema, sample())
	judgeSARIF(t, schema, &Report{Tool: "x", Version: "1"})
	judgeJUnit(t, sample())
	judgeActions(t, sample())
	judgeMarkdown(t, sample())
	for _, s := range hostile {
		r := hostileReport(s)
		judgeSARIF(t, schema, r)
		judgeJUnit(t, r)
		judgeActions(t, r)
		judgeMarkdown(t, r)
	}
}

// FuzzReports: whatever a server says, every file is what it claims to be.
func FuzzReports(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	schema := sarifSchema(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := hostileReport(s)
		judgeSARIF(t, schema, r)
		judgeJUnit(t, r)
		judgeActions(t, r)
		judgeText(t, Markdown(r))
	})
}

func TestDefuse(t *testing.T) {
	for _, c := range []struct {
		in    string
		first bool
		want  string
	}{
		{"::error::x\n", true, `\u003a:error::x` + "\n"},
		{"::error::x", false, "::error::x"},
		{"a\n \t::set-env name=x::y", false, "a\n \t" + `\u003a:set-env name=x::y`},
		{"a\r::x", true, "a\r" + `\u003a:x`},
		{"std::string, ##[error]", true, `std::string, \u0023#[error]`},
		{"###[x", true, `#\u0023#[x`},
		{"# #[", true, "# #["},
		{":", true, ":"},
		{"", true, ""},
	} {
		if got := string(Defuse([]byte(c.in), c.first)); got != c.want {
			t.Errorf("%q: %q, not %q", c.in, got, c.want)
		}
	}
}

// FuzzDefuse: no line is a command, and what JSON means stays.
func FuzzDefuse(f *testing.F) {
	f.Add([]byte(`{"a":"##[x"}`), true)
	f.Add([]byte("::\n ::##["), false)
	f.Fuzz(func(t *testing.T, b []byte, first bool) {
		out := Defuse(b, first)
		if bytes.Contains(out, []byte("##[")) {
			t.Fatalf("%q", out)
		}
		for i, l := range bytes.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' }) {
			begins := i > 0 || first || len(out) > 0 && (out[0] == '\n' || out[0] == '\r')
			if begins && bytes.HasPrefix(bytes.TrimLeft(l, " \t\v\f"), []byte("::")) {
				t.Fatalf("%q", out)
			}
		}
		var was, now any
		if json.Unmarshal(b, &was) == nil && !bytes.ContainsAny(b, "\n\r") {
			if err := json.Unmarshal(out, &now); err != nil {
				t.Fatalf("%s became %s: %v", b, out, err)
			}
			a, _ := json.Marshal(was)
			z, _ := json.Marshal(now)
			if !bytes.Equal(a, z) {
				t.Fatalf("%s became %s", b, out)
			}
		}
	})
}

func TestSource(t *testing.T) {
	top := t.TempDir()
	put := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("repo/.git/HEAD")
	put("repo/go.mod")
	put("repo/web [1]/package.json")
	put("repo/web [1]/src/a.js")
	put("repo/other/b.py")
	put("loose/Cargo.toml")
	for _, c := range [][2]string{{"repo", "go.mod"}, {"repo/web [1]/src", "web [1]/package.json"}, {"repo/other", "go.mod"}, {"loose", "Cargo.toml"}} {
		if got := Source(filepath.Join(top, c[0])); got != c[1] {
			t.Errorf("%s: %q, not %q", c[0], got, c[1])
		}
	}
	if got := Relative(filepath.Join(top, "repo/other/b.py"), top); got != "other/b.py" {
		t.Error(got)
	}
	if got := Relative(filepath.Join(top, "loose/x.py"), top); got != "loose/x.py" {
		t.Error(got)
	}
}
