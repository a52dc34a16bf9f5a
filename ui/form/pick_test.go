package form

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/client/schema"
)

func TestPick(t *testing.T) {
	const raw = `{"type":"object","required":["u"],"properties":{
	 "u":{"oneOf":[{"const":"C","title":"Celsius"},{"const":"F","title":"Fahrenheit"},{"const":"K","title":"Kelvin"}]},
	 "l":{"enum":["low",1,"1",null]},
	 "b":{"type":["boolean","null"]},
	 "v":{"oneOf":[{"title":"Card","type":"object","required":["n"],"properties":{"n":{"type":"string"}}},{"title":"Cash","type":"object","properties":{"c":{"type":"integer"}}}]}}}`
	for _, c := range []struct {
		path string
		keys []string
		want string
	}{
		{"/u", []string{"down"}, `{"u":"C"}`},
		{"/u", []string{"k", "e"}, `{"u":"K"}`},
		{"/u", []string{"f", "zz"}, `{"u":"F"}`},
		{"/u", []string{"f", "backspace", "down"}, `{"u":"K"}`},
		{"/u", []string{"up"}, `{"u":"K"}`},
		{"/l", []string{"nu"}, `{"l":null}`},
		{"/l", []string{"lo", "n"}, `{"l":null}`},
		{"/l", []string{"1", "down"}, `{"l":"1"}`},
		{"/l", []string{"lo", "backspace", "backspace", "end"}, `{}`},
		{"/v", []string{"cash"}, `{"v":{}}`},
		{"/v", []string{"cash", "backspace", "backspace", "up"}, `{"v":{}}`},
	} {
		f := New([]byte(raw))
		f.goTo(c.path)
		f.Edit()
		press(f, c.keys...)
		f.Done()
		if got := sent(t, f); got != c.want {
			t.Errorf("%s %v: sends %s, want %s", c.path, c.keys, got, c.want)
		}
	}
	f := New([]byte(raw))
	f.goTo("/b")
	f.Advance(true) // from a row before it by enter, letters look up
	f.goTo("/l")
	f.Advance(false)
	press(f, "n")
	f.Done()
	if got := sent(t, f); got != `{"b":null}` {
		t.Errorf("sends %s", got)
	}
}

// TestBranchesThatAreNoObjects: a branch that is text, a number, a choice, a checkbox, a list or a map
// is filled in by the keys that chose it.
func TestBranchesThatAreNoObjects(t *testing.T) {
	const raw = `{"type":"object","required":["v"],"properties":{"v":{"oneOf":[
	 {"title":"Card","type":"object","required":["n"],"properties":{"n":{"type":"string"}}},
	 {"title":"Word","type":"string"},{"title":"Count","type":"integer"},{"title":"Flag","type":"boolean"},
	 {"title":"Way","enum":["cash","cheque"]},{"title":"Many","type":"array","items":{"type":"string"}},
	 {"title":"Table","type":"object","additionalProperties":{"type":"string"}},
	 {"title":"Any"},{"type":"null"}]},
	 "z":{"type":["string","integer"]}}}`
	for _, c := range []struct {
		path string
		keys []string // enter goes on, as on the screen
		want string
	}{
		{"/v", []string{"word", "enter", "hi", "enter"}, `{"v":"hi"}`},
		{"/v", []string{"word", "enter", "5", "enter"}, `{"v":"5"}`},
		{"/v", []string{"count", "enter", "5", "enter"}, `{"v":5}`},
		{"/v", []string{"flag", "enter", "f", "enter"}, `{"v":false}`},
		{"/v", []string{"way", "enter", "down", "down", "enter"}, `{"v":"cheque"}`},
		{"/v", []string{"many", "enter", "a", "enter"}, `{"v":["a"]}`},
		{"/v", []string{"table", "enter", "k", "enter", "w", "enter"}, `{"v":{"k":"w"}}`},
		{"/v", []string{"any", "enter", "[1.0]", "enter"}, `{"v":[1.0]}`},
		{"/v", []string{"card", "enter", "n", "enter"}, `{"v":{"n":"n"}}`},
		{"/v", []string{"nu", "enter"}, `{"v":null}`},
		{"/z", []string{"down", "down", "enter", "7", "enter"}, `{"v":{},"z":7}`},
		{"/z", []string{"down", "enter", "7", "enter"}, `{"v":{},"z":"7"}`},
		{"/z", []string{"text", "left", "enter"}, `{"v":{}}`},
	} {
		f := New([]byte(raw))
		f.goTo(c.path)
		f.Edit()
		for _, k := range c.keys {
			if k == "enter" {
				f.Advance(false)
			} else {
				press(f, k)
			}
		}
		if got := sent(t, f); got != c.want {
			t.Errorf("%s %v: sends %s, want %s", c.path, c.keys, got, c.want)
		}
	}

	f := New([]byte(raw)) // what was typed stands there, and is typed over
	f.goTo("/v")
	f.Edit()
	press(f, "word")
	f.Advance(false)
	press(f, "hi")
	f.Done()
	f.Edit()
	if got := drawn(t, f, 60, 20); !strings.Contains(got, "> Word") {
		t.Errorf("the list does not stand on what is chosen:\n%s", got)
	}
	f.Advance(false)
	press(f, "!")
	f.Done()
	if got := sent(t, f); got != `{"v":"hi!"}` {
		t.Errorf("sends %s", got)
	}
}

func TestFourStatesInWords(t *testing.T) {
	f := New([]byte(`{"type":"object","properties":{"s":{"type":["string","null"],"default":"d"}}}`))
	for _, c := range []struct {
		do         func() string
		word, sent string
	}{
		{func() string { return "" }, `default "d", not sent`, `{}`},
		{f.SetNull, "(null)", `{"s":null}`},
		{f.SetEmpty, `"" (empty)`, `{"s":""}`},
		{f.SetDefault, `default "d", sent`, `{"s":"d"}`},
		{f.LeaveOut, `default "d", not sent`, `{}`},
		{func() string { typing(t, f, "/s", "null"); return "" }, "null", `{"s":"null"}`},
		{func() string { typing(t, f, "/s", "(null)"); return "" }, `"(null)"`, `{"s":"(null)"}`},
		{func() string { typing(t, f, "/s", " x "); return "" }, `" x "`, `{"s":" x "}`},
		{func() string { typing(t, f, "/s", `:={"a":1.0}`); return "" }, `:={"a":1.0}`, `{"s":{"a":1.0}}`},
	} {
		f.goTo("/s")
		if why := c.do(); why != "" {
			t.Fatal(why)
		}
		if line := f.Line(); !strings.HasSuffix(line, c.word) || sent(t, f) != c.sent {
			t.Errorf("shown %q, sent %s; want %q and %s", line, sent(t, f), c.word, c.sent)
		}
	}
}

func TestAdviceWarnsAndDoesNotStop(t *testing.T) {
	f := New([]byte(`{"type":"object","properties":{"due":{"type":"string","format":"date"}}}`))
	typing(t, f, "/due", "tomorrow")
	_, problems, err := f.Value()
	if err != nil || len(problems) != 0 {
		t.Errorf("%v %v", problems, err)
	}
	if got := drawn(t, f, 80, 8); !strings.Contains(got, "tomorrow  WARN must be") {
		t.Errorf("no warning:\n%s", got)
	}
	if !f.NextProblem(false) {
		t.Error("the warning is not found")
	}
	typing(t, f, "/due", "2026-07-28")
	if got := drawn(t, f, 80, 8); strings.Contains(got, "WARN") {
		t.Errorf("the warning stays:\n%s", got)
	}
}

func TestEntriesOfAMap(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	f.goTo("/map")
	for _, name := range []string{"a", "b"} {
		if why := f.Add(); why != "" {
			t.Fatal(why)
		}
		press(f, name)
		f.Advance(false)
		press(f, "1"+name)
		f.Done()
		f.goTo("/map")
	}
	f.goTo("/map/a")
	if why := f.Rename(); why != "" {
		t.Fatal(why)
	}
	press(f, "z/")
	f.Done()
	if got := sent(t, f); got != `{"map":{"az/":"1a","b":"1b"}}` {
		t.Errorf("sends %s", got)
	}
	if f.Path() != "/map/az~1" {
		t.Errorf("the cursor is on %s", f.Path())
	}
	f.Rename()
	f.input.SetValue("b")
	f.Done()
	if why := f.Said(); !strings.Contains(why, "already") {
		t.Errorf("a name twice: %q", why)
	}
	f.goTo("/map/b")
	f.Remove()
	if got := sent(t, f); got != `{"map":{"az/":"1a"}}` {
		t.Errorf("sends %s", got)
	}
	f.goTo("/s")
	if why := f.Rename(); why == "" {
		t.Error("a property was renamed")
	}
}

// TestRecursionOnDemand: a tree opens as deep as somebody opens it.
func TestRecursionOnDemand(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["root"],"properties":{"root":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}`))
	f.optional = true
	f.arrange()
	path := "/root"
	for range 12 {
		typing(t, f, path+"/name", "x")
		f.goTo(path + "/children")
		if why := f.Add(); why != "" {
			t.Fatal(why)
		}
		path += "/children/0"
	}
	typing(t, f, path+"/name", "leaf")
	got := sent(t, f)
	if strings.Count(got, "children") != 12 || !strings.Contains(got, "leaf") {
		t.Errorf("sends %s", got)
	}
}

func TestProblemsUnfold(t *testing.T) {
	f := New([]byte(everything))
	load(t, f, `{"s":"a","n":1,"list":[{"qty":1}]}`)
	f.goTo("/list")
	f.Edit() // folds
	_, problems, _ := f.Value()
	f.ShowProblems(problems)
	if f.Path() != "/list/0/sku" {
		t.Errorf("the cursor is on %q", f.Path())
	}
}

func TestRequiredIsCountedWhereItIsSent(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["a","g"],"properties":{"a":{"type":"string"},"g":{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}},"o":{"type":"object","required":["y"],"properties":{"y":{"type":"string"},"z":{"type":"string"}}}}}`))
	check := func(have, need int) {
		t.Helper()
		if h, n := f.Required(); h != have || n != need {
			t.Errorf("%d of %d, want %d of %d", h, n, have, need)
		}
	}
	check(0, 2)
	typing(t, f, "/g/x", "1")
	check(1, 2)
	typing(t, f, "/o/z", "1")
	check(1, 3)
	f.goTo("/o")
	f.LeaveOut()
	check(1, 2)
}

func TestFindShowsWhatIsHidden(t *testing.T) {
	f := New([]byte(everything))
	f.optional = false
	f.arrange()
	if !f.FindFrom("", "uni") || f.Path() != "/unit" {
		t.Errorf("the cursor is on %q", f.Path())
	}
	if f.FindFrom("", "nothing like it") || f.Path() != "/unit" {
		t.Error("what is not there moved the cursor")
	}
	if !f.Find(1, func(s string) bool { return strings.Contains(s, "some text") }) || f.Path() != "/s" {
		t.Errorf("the cursor is on %q", f.Path())
	}
}

func TestValueFromAFile(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"one.bin": "\xff\x00", "one.txt": "text\n", "two words": "7"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := New([]byte(`{"type":"object","properties":{"b":{"type":"string","contentEncoding":"base64"},"s":{"type":"string"},"n":{"type":"integer"},"g":{"type":"object","properties":{"x":{"type":"string"}}}}}`))
	take := func(path, name string) string {
		f.goTo(path)
		if why := f.FromFile(); why != "" {
			return why
		}
		f.input.SetValue(filepath.Join(dir, name))
		f.Update(f.Advance(false)())
		return f.Said()
	}
	for path, name := range map[string]string{"/b": "one.bin", "/s": "one.txt", "/n": "two words"} {
		if said := take(path, name); !strings.Contains(said, "is the value now") {
			t.Errorf("%s: %s", path, said)
		}
	}
	const want = `{"b":"/wA=","s":"text\n","n":7}`
	for path, name := range map[string]string{"/s": "one.bin", "/b": "gone", "/n": "", "/g": "one.txt"} {
		said := take(path, name)
		if !strings.Contains(said, "left as it is") {
			t.Errorf("%s from %s: %q", path, name, said)
		}
	}
	if got := sent(t, f); got != want {
		t.Errorf("sends %s, want %s", got, want)
	}
	sep := string(filepath.Separator)
	for typed, want := range map[string]string{"o": "one.", "two": "two words", "x": "x", "one.t": "one.txt"} {
		if full, _ := completion(dir + sep + typed); full != dir+sep+want {
			t.Errorf("%s becomes %s, want %s", typed, full, want)
		}
	}
	if full, names := completion(filepath.Dir(dir) + sep + filepath.Base(dir)); full != dir+sep || names != nil {
		t.Errorf("a folder becomes %s %v", full, names)
	}
}

func TestExactJSONOfAGroup(t *testing.T) {
	f := New([]byte(everything))
	f.optional = true
	f.arrange()
	f.goTo("/list")
	if _, why := f.Exact(); why != "" {
		t.Fatal(why)
	}
	press(f, `"no list"`)
	f.Done()
	if got := sent(t, f); got != `{"list":"no list"}` {
		t.Errorf("sends %s", got)
	}
	f.goTo("/list")
	f.Edit()
	f.input.SetValue("")
	f.Done()
	if got := sent(t, f); got != `{}` {
		t.Errorf("sends %s", got)
	}
	if r := f.current(); r.Control != schema.ControlList || exact(r) {
		t.Errorf("the rows do not come back: %+v", r)
	}
}
