package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestReadme: the picture and the key table of the README are made by the program.
func TestReadme(t *testing.T) {
	const path = "../README.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	readme := section(t, string(raw), "keys", keysMarkdown())
	readme = section(t, readme, "picture", "```\n"+screenPicture(t)+"```\n")
	if readme == string(raw) {
		return
	}
	if !*update {
		t.Fatal("the README is stale: go test ./ui -run TestReadme -update")
	}
	if err := os.WriteFile(path, []byte(readme), 0o644); err != nil {
		t.Fatal(err)
	}
}

func section(t *testing.T, text, name, content string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	i, j := strings.Index(text, begin), strings.Index(text, end)
	if i < 0 || j < i {
		t.Fatalf("the README has no section %s", name)
	}
	return text[:i+len(begin)] + content + text[j:]
}

func keysMarkdown() string {
	var out strings.Builder
	out.WriteString("| where | keys | what |\n|---|---|---|\n")
	last := Scope("")
	for _, b := range keyTable {
		scope := ""
		if b.Scope != last {
			scope, last = string(b.Scope), b.Scope
		}
		keys := make([]string, len(b.Keys))
		for i, k := range b.Keys {
			keys[i] = "`" + k + "`"
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", scope, strings.Join(keys, " "), b.Help)
	}
	return out.String()
}

// picture is a frame of the program on one of the recordings that come with it.
func screenPicture(t *testing.T) string {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 130, 34)
	press(a, "5", "g", "j", "j")
	var out strings.Builder
	for _, l := range strings.Split(ansi.Strip(a.View()), "\n") {
		out.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	return out.String()
}
