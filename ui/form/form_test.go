package form

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// typing puts text into the row of a path, as a person does.
func typing(t *testing.T, f *Form, path, value string) {
	t.Helper()
	f.goTo(path)
	if f.Path() != path {
		t.Fatalf("no row %s", path)
	}
	f.Edit()
	f.input.SetValue("")
	f.area.Set("")
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(value), Paste: strings.Contains(value, "\n")})
	f.Done()
}

func sent(t *testing.T, f *Form) string {
	t.Helper()
	v, _, err := f.Value()
	if err != nil {
		return "error: " + err.Error()
	}
	return v.JSON()
}

const everything = `{"type":"object","required":["s","n"],"properties":{
 "s":{"type":"string","description":"some text"},
 "n":{"type":"integer","minimum":0,"maximum":9},
 "x":{"type":"number","default":0.5},
 "on":{"type":"boolean"},
 "level":{"enum":[1,2,"1",null]},
 "unit":{"oneOf":[{"const":"C","title":"Celsius"},{"const":"F","title":"Fahrenheit"}]},
 "list":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer","default":1}},"required":["sku"]}},
 "map":{"type":"object","additionalProperties":{"type":"string"}},
 "any":{}}}`

func TestWhatIsTypedIsSent(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	if got := sent(t, f); got != `{}` {
		t.Fatalf("an untouched form sends %s", got)
	}
	typing(t, f, "/s", "000123")
	typing(t, f, "/n", "7")
	typing(t, f, "/x", "1.10")
	for _, step := range []struct {
		path string
		do   func() string
		want string
	}{
		{"/on", func() string { return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10,"on":true}`},
		{"/on", func() string { return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10,"on":false}`},
		{"/on", func() string { return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10}`},
		{"/level", func() string { return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10,"level":1}`},
		{"/level", func() string { f.Choose(1); return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10,"level":"1"}`},
		{"/level", func() string { return f.Choose(1) }, `{"s":"000123","n":7,"x":1.10,"level":null}`},
		{"/level", func() string { return f.LeaveOut() }, `{"s":"000123","n":7,"x":1.10}`},
		{"/x", func() string { return f.SetDefault() }, `{"s":"000123","n":7,"x":0.5}`},
		{"/x", func() string { return f.SetNull() }, `{"s":"000123","n":7,"x":null}`},
		{"/x", func() string { return f.LeaveOut() }, `{"s":"000123","n":7}`},
		{"/s", func() string { return f.SetEmpty() }, `{"s":"","n":7}`},
		{"/list", func() string { return f.Add() }, `{"s":"","n":7,"list":[{}]}`},
	} {
		f.goTo(step.path)
		if why := step.do(); why != "" {
			t.Fatalf("%s: %s", step.path, why)
		}
		if got := sent(t, f); got != step.want {
			t.Fatalf("%s: sends %s, want %s", step.path, got, step.want)
		}
	}
	typing(t, f, "/list/0/sku", "a")
	typing(t, f, "/any", `{"k": 1e400}`)
	if got, want := sent(t, f), `{"s":"","n":7,"list":[{"sku":"a"}],"any":{"k":1e400}}`; got != want {
		t.Errorf("sends %s, want %s", got, want)
	}
}

func TestExactJSONInATextRow(t *testing.T) {
	f := New([]byte(everything))
	typing(t, f, "/s", ":=5")
	if got := sent(t, f); got != `{"s":5}` {
		t.Errorf("sends %s", got)
	}
}

// TestBrokenJSONIsNeverSent: not even as the value it replaced.
func TestBrokenJSONIsNeverSent(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	typing(t, f, "/any", `{"k":1}`)
	typing(t, f, "/any", `{"k":1,}`)
	if got := sent(t, f); !strings.HasPrefix(got, "error: ") {
		t.Errorf("sends %s", got)
	}
}

func TestPasteWithLineBreaks(t *testing.T) {
	f := New([]byte(everything))
	typing(t, f, "/s", "two\nlines")
	if got := sent(t, f); got != `{"s":"two\nlines"}` {
		t.Errorf("sends %s", got)
	}
}

func TestLoadKeepsUnknownMembers(t *testing.T) {
	f := New([]byte(everything))
	in := `{"s":"a","n":1,"zz":[1,2.50]}`
	v, err := schema.Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Load(v); err != nil {
		t.Fatal(err)
	}
	if got := sent(t, f); got != in {
		t.Errorf("sends %s, want %s", got, in)
	}
}

func TestProblemsStandOnTheirRows(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["location"],"additionalProperties":false,"properties":{
	 "location":{"type":"string"},"days":{"type":"integer"},"units":{"enum":["c","f"]}}}`))
	v, _ := schema.Parse([]byte(`{"days":2.5,"units":"k","x":1}`))
	f.Load(v)
	_, problems, err := f.Value()
	if err != nil || len(problems) != 4 {
		t.Fatalf("%v %v", problems, err)
	}
	f.ShowProblems(problems)
	var rows []string
	for range 5 {
		rows = append(rows, f.Path())
		f.NextProblem(false)
	}
	if got := strings.Join(rows, " "); got != "/location /days /units /x /location" {
		t.Errorf("problems are on %s", got)
	}
	f.ShowProblems(nil)
	if f.Problems() != 0 || f.NextProblem(false) {
		t.Error("the marks stay")
	}
}

func TestReschemaKeepsWhatWasTyped(t *testing.T) {
	f := New([]byte(everything))
	typing(t, f, "/s", "kept")
	f.Reschema([]byte(`{"type":"object","properties":{"s":{"type":"string"},"new":{"type":"integer"}},"required":["new"]}`))
	if got := sent(t, f); got != `{"s":"kept"}` {
		t.Errorf("sends %s", got)
	}
}

// TestGoldenForms draws the schemas that real servers publish; every line has exactly the width.
func TestGoldenForms(t *testing.T) {
	none, err := theme.Pick("none")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../client/schema/testdata/*/*.schema.json")
	if more, _ := filepath.Glob("../../client/schema/testdata/*.schema.json"); len(files) == 0 {
		files = more
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	var out strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := New(raw)
		f.optional = true
		f.arrange()
		out.WriteString("# " + filepath.Base(file) + "\n")
		for _, w := range []int{30, 64} {
			lines := f.View(none, text.Unicode, w, 18, true)
			if len(lines) > 18 {
				t.Errorf("%s: %d lines", file, len(lines))
			}
			for _, l := range lines {
				if got := ansi.StringWidth(l); got != w {
					t.Errorf("%s: a line of %d cells, want %d: %q", file, got, w, l)
				}
				if w == 64 {
					out.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
				}
			}
		}
	}
	path := "testdata/forms.txt"
	if *update {
		_ = os.MkdirAll("testdata", 0o755)
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("%s differs:\n%s", path, out.String())
	}
}

// TestTypingOnIsNeverACommand: enter from a text row onto one without text stays in edit mode, where
// letters do nothing, and goes on from there.
func TestTypingOnIsNeverACommand(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["a","on","b"],"properties":{"a":{"type":"string"},"on":{"type":"boolean"},"b":{"type":"string"}}}`))
	f.Edit()
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	f.Advance(false)
	if f.Path() != "/on" || !f.Editing() {
		t.Fatalf("on %s, editing %v", f.Path(), f.Editing())
	}
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	f.Update(tea.KeyMsg{Type: tea.KeyRight})
	f.Advance(false)
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y")})
	f.Advance(false)
	if !f.OnSend() || !f.Editing() {
		t.Errorf("on %q, editing %v", f.Path(), f.Editing())
	}
	if got := sent(t, f); got != `{"a":"x","on":true,"b":"y"}` {
		t.Errorf("sends %s", got)
	}
}

// TestTheSendRowKeepsTheCursor: whatever rows come and go, also a row of the arguments as a whole.
func TestTheSendRowKeepsTheCursor(t *testing.T) {
	for _, raw := range []string{
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`,
		`{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}]}`,
	} {
		f := New([]byte(raw))
		f.Step(len(f.rows))
		for what, do := range map[string]func(){
			"problems":     func() { f.MarkProblems([]schema.Problem{{Path: "/a", Row: "/a", Message: "is required"}}) },
			"no problems":  func() { f.MarkProblems(nil) },
			"all rows":     func() { f.optional = true; f.arrange() },
			"needed rows":  func() { f.optional = false; f.arrange() },
			"done editing": f.Done,
		} {
			if do(); !f.OnSend() {
				t.Fatalf("%s: the cursor is on %q", what, f.Path())
			}
		}
	}
}
