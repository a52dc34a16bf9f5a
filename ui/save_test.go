package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
)

func TestFileAndFilter(t *testing.T) {
	for _, c := range [][3]string{
		{"", "", ""}, {"a.jsonl", "a.jsonl", ""}, {"a.jsonl is:error or x", "a.jsonl", "is:error or x"}, {"@marked", "", "@marked"},
		{"is:error", "", "is:error"}, {"is:error tool:add", "", "is:error tool:add"}, {">500ms", "", ">500ms"}, {"(a or b)", "", "(a or b)"},
		{`C:\logs\a.jsonl is:error`, `C:\logs\a.jsonl`, "is:error"}, {"/tmp/x @shown", "/tmp/x", "@shown"}, {"method:tools/*", "", "method:tools/*"}, {"re:/a b/", "", "re:/a b/"},
		{`"two words"`, "", `"two words"`}, {"-is:error", "", "-is:error"}, {"  b  c d ", "b", "c d"},
	} {
		if file, expr := fileAndFilter(c[0]); file != c[1] || expr != c[2] {
			t.Errorf("%q: file %q and filter %q, want %q and %q", c[0], file, expr, c[1], c[2])
		}
	}
}

// TestSaveAPart: what is saved opens, says what it is a part of, and is exported, too.
func TestSaveAPart(t *testing.T) {
	dir := t.TempDir()
	from, to := "../recordings/samples/legacy-crash.jsonl", filepath.Join(dir, "part.jsonl")
	s := sample(t, "legacy-crash.jsonl")
	if _, err := s.Mark(2, true); err != session.ErrUnkept {
		t.Fatal(err)
	}
	a := appOn(t, s, "none", 160, 45)
	a.command("filter is:error")
	x, err := a.selection("@shown or @marked")
	if err != nil {
		t.Fatal(err)
	}
	if said := savePart(to, from, s, x, nil); said != "saved 2 rows in "+to {
		t.Errorf("said %q", said)
	}
	if said := savePart(to, from, s, x, nil); !strings.Contains(said, "exists already") {
		t.Errorf("said %q", said)
	}
	r, err := recordings.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if f := r.Head().Filtered; f != "(is:error) or @marked" {
		t.Errorf("it is filtered by %q", f)
	}
	part, err := session.Read(r)
	if err != nil || part.Log().Len() != 3 || !part.Log().Marked(1) {
		t.Errorf("%d rows, marks %v, %v", part.Log().Len(), part.Log().Markings(), err)
	}
	none, _ := filter.Parse("nowhere")
	nothing := filepath.Join(dir, "nothing.jsonl")
	if said := savePart(nothing, from, s, none, nil); said != "not saved: no row passes nowhere" {
		t.Errorf("said %q", said)
	}
	if _, err := os.Stat(nothing); err == nil {
		t.Error("an empty file is left")
	}
	page := filepath.Join(dir, "page.html")
	marked, _ := filter.Parse("@marked")
	if said := exportTo(page, "html", from, s, marked, nil); !strings.HasPrefix(said, "exported to "+page) {
		t.Errorf("said %q", said)
	}
	if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), "Marks and notes") || strings.Contains(string(b), "tools/call boom id") {
		t.Errorf("%v:\n%s", err, b)
	}
	for _, line := range []string{"save", "save x is:", "export", "export pdf", "export md is:nope"} {
		if a.command(line); a.notice == "" {
			t.Errorf("%s says nothing", line)
		}
	}
}
