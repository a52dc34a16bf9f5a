package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/export"
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
	if said := exportTo(page, "html", from, s, marked, noMask(t)); !strings.HasPrefix(said, "exported to "+page) {
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

func noMask(t *testing.T, words ...string) *export.Mask {
	t.Helper()
	m, err := export.NewMask(words, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTakeMasks(t *testing.T) {
	for _, c := range []struct{ line, rest, masks string }{
		{"", "", "[]"},
		{" out.md is:error", " out.md is:error", "[]"},
		{" out.md --mask /params/arguments/user is:error", " out.md is:error", "[/params/arguments/user]"},
		{` --mask=/a --mask 're:[0-9]{4} [0-9]+' "two words" --mask "re:x"`, `   "two words" `, `[/a re:[0-9]{4} [0-9]+ re:x]`},
		{" --masked x --mask /a", " --masked x ", "[/a]"},
		{" x--mask /a", " x--mask /a", "[]"},
	} {
		rest, masks, err := takeMasks(c.line)
		if err != nil || strings.Join(strings.Fields(rest), " ") != strings.Join(strings.Fields(c.rest), " ") || fmt.Sprint(masks) != c.masks {
			t.Errorf("%s: %q %v %v", c.line, rest, masks, err)
		}
	}
	for _, line := range []string{" --mask", " --mask ", " --mask 'x", " x --mask="} {
		if _, _, err := takeMasks(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

// TestExportMasked: the command line of the screen hides what the verb does, and says what it found.
func TestExportMasked(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 160, 45)
	cmd := a.command("export md " + page + " --mask /params/name --mask /no/such @all")
	if cmd == nil {
		t.Fatal(a.notice)
	}
	said, _ := cmd().(noticeMsg)
	if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), `"method":"tools/call","params":{"name":"****"`) {
		t.Errorf("%v\n%s", err, b)
	}
	if !strings.Contains(string(said), "masked: /params/name (") || !strings.HasSuffix(string(said), "nothing of the kind is there: --mask /no/such") {
		t.Error(said)
	}
	for _, line := range []string{"export md --mask nothing", "export md --mask", "export md --mask re:("} {
		if a.notice = ""; a.command(line) != nil || !strings.Contains(a.notice, "--mask") {
			t.Errorf("%s: %q", line, a.notice)
		}
	}
}
