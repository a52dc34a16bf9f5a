package filter

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestSaved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	if list, err := LoadSaved(); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, s := range []Saved{{"slow", ">500ms"}, {"bad", `is:error "a <b>"`}, {"slow", ">1s"}} {
		if _, err := Save(s.Name, s.Filter); err != nil {
			t.Fatal(err)
		}
	}
	want := []Saved{{"bad", `is:error "a <b>"`}, {"slow", ">1s"}}
	if got, err := LoadSaved(); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for name, expr := range map[string]string{"": "x", "a b": "x", "all": "x", "x": "is:nothing", "y": "  ", strings.Repeat("n", 41): "x"} {
		if _, err := Save(name, expr); err == nil {
			t.Errorf("%q %q was saved", name, expr)
		}
	}
	path := filepath.Join(dir, "mcpinspect", "filters.jsonl")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(path, []byte("torn {\n{\"name\":\"ok\",\"filter\":\"x\"}\n{\"name\":\"a b\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := LoadSaved(); err != nil || !slices.Equal(got, []Saved{{"ok", "x"}}) {
		t.Errorf("of a broken file %v, %v", got, err)
	}
	if left, err := Forget("ok"); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "file")) // a place where nothing can be written
	if _, err := Save("x", "y"); err == nil || !strings.Contains(err.Error(), "not saved") {
		t.Errorf("where nothing can be written: %v", err)
	}
}

func TestExpand(t *testing.T) {
	list := []Saved{{"bad", "is:error or is:stray"}, {"slow", ">500ms"}}
	for _, c := range []struct{ expr, want, unknown string }{
		{"@bad", "is:error or is:stray", ""},
		{"@bad tool:x", "(is:error or is:stray) tool:x", ""},
		{"-@bad or (@slow)", "-(is:error or is:stray) or ((>500ms))", ""},
		{`"@bad" re:/@slow x/ x@bad tool:@bad`, `"@bad" re:/@slow x/ x@bad tool:@bad`, ""},
		{"@nobody @all", "@nobody @all", "nobody"},
		{"@types/node", "@types/node", ""},
		{`"open @bad`, `"open @bad`, ""},
		{"東京 @slow", "東京 (>500ms)", ""},
		{"", "", ""},
	} {
		got, unknown := Expand(c.expr, list)
		if got != c.want || strings.Join(unknown, " ") != c.unknown {
			t.Errorf("%s: %q, %q; want %q, %q", c.expr, got, unknown, c.want, c.unknown)
		}
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		expr, field, typed string
		ok                 bool
	}{
		{"", "", "", true}, {"to", "", "to", true}, {"is:", "is", "", true}, {"IS:er", "is", "er", true}, {"a -(tool:x", "tool", "x", true}, {`a "b c" m`, "", "m", true},
		{`"b c`, "", "", false}, {`tool:"b c`, "", "", false}, {"re:/a", "", "", false}, {"re:/a b/ x", "", "x", true}, {">5", "", "", false}, {"size>", "", "", false}, {"a or ", "", "", true}, {"x:y:z", "x", "y:z", true},
	} {
		got, ok := At(c.expr)
		if ok != c.ok || ok && (got.Field != c.field || got.Typed != c.typed || c.expr[got.From:] != c.typed) {
			t.Errorf("%q: %+v, %v", c.expr, got, ok)
		}
	}
}

// FuzzQuote: what is quoted is one word, which matches its text; the place of any text is in it, and
// what has nothing to expand stays as it is.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a b", `"`, `\`, "*", "@x", "-(", "re:/x/", "東 京", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, ok := At(s); ok && s[at.From:] != at.Typed {
			t.Errorf("%q: %+v", s, at)
		}
		if got, _ := Expand(s, nil); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
		if s == "" || len(s) > 1000 {
			return
		}
		if _, err := Parse("method:" + Quote(s)); err != nil {
			t.Errorf("method:%s: %v", Quote(s), err)
		}
	})
}
