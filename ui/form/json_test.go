package form

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// press gives keys to the field that takes text; what is no name of a key is typed.
func press(f *Form, keys ...string) {
	types := map[string]tea.KeyType{"enter": tea.KeyEnter, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "ctrl+k": tea.KeyCtrlK, "ctrl+z": tea.KeyCtrlZ}
	for _, k := range keys {
		if kind, ok := types[k]; ok {
			f.Update(tea.KeyMsg{Type: kind})
		} else {
			f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
		}
	}
}

func drawn(t testing.TB, f *Form, w, h int) string {
	t.Helper()
	th, err := theme.Pick("none")
	if err != nil {
		t.Fatal(err)
	}
	return ansi.Strip(strings.Join(f.View(th, text.Unicode, w, h, true), "\n"))
}

func load(t *testing.T, f *Form, s string) {
	t.Helper()
	if err := f.LoadText(s); err != nil {
		t.Fatal(err)
	}
}

func TestJSONIsTakenOverByTheRows(t *testing.T) {
	f := New([]byte(everything))
	load(t, f, `{"s":"a","n":1}`)
	f.NextView()
	if _, why := f.Edit(); why != "" {
		t.Fatal(why)
	}
	press(f, "end", " ", "enter", `"zz": [1.50],`) // the cursor is on the line of the row
	f.Done()
	const want = `{"s":"a","zz":[1.50],"n":1}`
	if got := sent(t, f); got != want {
		t.Errorf("the JSON sends %s, want %s: as it was written", got, want)
	}
	f.NextView()
	if why := f.NextView(); why != "" || f.AsJSON() {
		t.Fatalf("the rows are not shown: %q", why)
	}
	if got := sent(t, f); got != `{"s":"a","n":1,"zz":[1.50]}` {
		t.Errorf("the rows send %s", got)
	}
}

// TestBrokenJSONKeepsThePersonThere: neither the rows nor what was sent before stand in for it.
func TestBrokenJSONKeepsThePersonThere(t *testing.T) {
	f := New([]byte(everything))
	load(t, f, `{"s":"a","n":1}`)
	f.NextView()
	f.Edit()
	press(f, "x")
	f.Done()
	for range 2 { // from the JSON, and from the schema
		if _, _, err := f.Value(); err == nil || !strings.Contains(err.Error(), "invalid JSON at line 2, column 3") {
			t.Fatalf("the broken text is sent: %v", err)
		}
		f.NextView()
	}
	if !f.InDoc() {
		t.Error("the broken text is not shown")
	}
	if got := drawn(t, f, 60, 12); !strings.Contains(got, "ERR invalid JSON at line 2") {
		t.Errorf("the place of the fault is not shown:\n%s", got)
	}
	f.Discard()
	f.NextView()
	if why := f.NextView(); why != "" {
		t.Errorf("the rows do not come back: %s", why)
	}
	if got := sent(t, f); got != `{"s":"a","n":1}` {
		t.Errorf("sends %s", got)
	}
}

func TestPastedTextIsNeverLost(t *testing.T) {
	f := New([]byte(everything))
	const broken = "{\"s\": \"a\",\n \"n\": }"
	if err := f.LoadText(broken); err == nil || !strings.Contains(err.Error(), "line 2, column 7") {
		t.Errorf("broken JSON: %v", err)
	}
	if line, column := f.doc.text.Place(); line != 2 || column != 7 {
		t.Errorf("the cursor is at %d:%d", line, column)
	}
	if f.doc.text.Text() != broken || !f.InDoc() {
		t.Error("the pasted text is gone")
	}
	press(f, "x") // not in EDIT: letters are no text
	f.Edit()
	press(f, "2")
	f.Done()
	if got := sent(t, f); got != `{"s":"a","n":2}` {
		t.Errorf("mended it sends %s", got)
	}
	if err := f.LoadText(`[1]`); err == nil {
		t.Error("a list was taken for arguments")
	}
	if v, problems, err := f.Value(); err != nil || v.JSON() != `[1]` || len(problems) == 0 {
		t.Errorf("a list can be sent unchecked only: %s %v %v", v.JSON(), problems, err)
	}
}

// TestJSONKeepsDuplicatesAndOrder: what an inspector must be able to send on purpose.
func TestJSONKeepsDuplicatesAndOrder(t *testing.T) {
	f := New([]byte(everything))
	f.NextView()
	f.Edit()
	press(f, "ctrl+k", `{"n":1e2,"s":"x","n":2.0}`)
	f.Done()
	if got := sent(t, f); got != `{"n":1e2,"s":"x","n":2.0}` {
		t.Errorf("sends %s", got)
	}
	f.NextView()
	f.NextView()
	if got := sent(t, f); got != `{"n":1e2,"s":"x","n":2.0}` {
		t.Errorf("the rows send %s", got)
	}
}

func TestBrokenRowHasNoJSON(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	typing(t, f, "/any", `{"k":1,}`)
	f.NextView()
	if got := drawn(t, f, 60, 5); !strings.Contains(got, "no JSON: any: invalid JSON at line 1, column 8") {
		t.Errorf("%s", got)
	}
	if _, why := f.Edit(); why == "" {
		t.Error("there is something to edit")
	}
	f.NextView()
	f.NextView()
	f.goTo("/any")
	if r := f.current(); r == nil || r.Text != `{"k":1,}` {
		t.Error("the typed text is gone")
	}
}

func TestProblemsInTheJSON(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"integer"}}},"d":{"type":"boolean"}}}`))
	load(t, f, `{"a":"x","b":{"c":"no"},"d":3}`)
	f.NextView()
	_, problems, _ := f.Value()
	f.ShowProblems(problems)
	var places []int
	for range 3 {
		line, _ := f.doc.text.Place()
		places = append(places, line)
		f.NextProblem(false)
	}
	if len(problems) != 2 || places[0] != 4 || places[1] != 6 || places[2] != 4 {
		t.Errorf("%d problems, at lines %v", len(problems), places)
	}
}

func TestSecretsAreMaskedInTheJSON(t *testing.T) {
	f := New([]byte(`{"type":"object","properties":{"t":{"type":"string","format":"password"},"u":{"type":"string"}}}`))
	f.NextView()
	f.Edit()
	press(f, "ctrl+k", `{"t":"hunter2 \"x","u":"seen"}`)
	f.Done()
	if got := drawn(t, f, 60, 6); strings.Contains(got, "hunter2") || !strings.Contains(got, "seen") || !strings.Contains(got, `{"t":"***********","u"`) {
		t.Errorf("%s", got)
	}
	var found []string
	f.Secrets(func(string) bool { return false }, func(_, value string) { found = append(found, value) })
	if len(found) != 1 || found[0] != `hunter2 "x` {
		t.Errorf("kept out of the recording: %q", found)
	}
}

func TestDraft(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	load(t, f, `{"s":"two\nlines","n":1,"list":[{"sku":"a"}],"any":{"k":1}}`)
	for _, c := range []struct{ path, ext, text, after, want string }{
		{"/s", ".txt", "two\nlines\n", "three\nlines\n", `{"s":"three\nlines","n":1,"list":[{"sku":"a"}],"any":{"k":1}}`},
		{"/n", ".txt", "1\n", "007\n", `{"s":"three\nlines","n":"007","list":[{"sku":"a"}],"any":{"k":1}}`},
		{"/list", ".json", "[\n  {\n    \"sku\": \"a\"\n  }\n]\n", `[{"sku":"b","qty":2}]`, `{"s":"three\nlines","n":"007","list":[{"sku":"b","qty":2}],"any":{"k":1}}`},
		{"/any", ".json", "{\n  \"k\": 1\n}\n", "", `{"s":"three\nlines","n":"007","list":[{"sku":"b","qty":2}]}`},
		{"/x", ".txt", "\n", "1.50", `{"s":"three\nlines","n":"007","x":1.50,"list":[{"sku":"b","qty":2}]}`},
	} {
		f.goTo(c.path)
		d, why := f.Draft(false)
		if why != "" || d.Ext != c.ext || d.Text != c.text {
			t.Fatalf("%s: %+v %s", c.path, d, why)
		}
		if err := f.Take(d, c.after); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		if got := sent(t, f); got != c.want {
			t.Errorf("%s: sends %s, want %s", c.path, got, c.want)
		}
	}
	f.goTo("/list")
	d, _ := f.Draft(false)
	if err := f.Take(d, "[1,"); err == nil {
		t.Error("broken JSON was taken")
	}
	if r := f.current(); r == nil || r.Text != ":=[1," {
		t.Errorf("the broken text is gone: %+v", r)
	}
	if got := sent(t, f); !strings.HasPrefix(got, "error: ") {
		t.Errorf("sends %s", got)
	}
	f = New([]byte(everything))
	d, _ = f.Draft(true)
	if err := f.Take(d, "{\"s\":\"z\",\"n\":3}\n"); err != nil || sent(t, f) != `{"s":"z","n":3}` {
		t.Errorf("%v, sends %s", err, sent(t, f))
	}
	if err := f.Take(d, "{\n"); err == nil || !f.InDoc() {
		t.Errorf("broken arguments: %v", err)
	}
}

// FuzzJSON: any text in place of the arguments is either sent as it was written or not at all.
func FuzzJSON(f *testing.F) {
	f.Add(`{"s":"a","list":[{"sku":1,"sku":2}],"map":{"a":null}}`)
	f.Fuzz(func(t *testing.T, s string) {
		form := New([]byte(everything))
		form.NextView()
		form.doc.set(s)
		want, failed := schema.Parse([]byte(s))
		got, _, err := form.Value()
		if (err == nil) != (failed == nil) && form.doc.changed() {
			t.Fatalf("%q: %v, reading it: %v", s, err, failed)
		}
		if err == nil && form.doc.changed() && got.JSON() != want.JSON() {
			t.Fatalf("%q is sent as %s", s, got.JSON())
		}
		drawn(t, form, 40, 7)
		form.NextView()
		form.NextView()
		drawn(t, form, 40, 7)
	})
}
