package verbs

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/testdata/programs"
)

// TestDocuments: --json prints what is promised of each verb: one document, or one a line, with these
// members of these types in an order that does not change, and nothing else on stdout.
func TestDocuments(t *testing.T) {
	t.Parallel()
	exe, dir := programs.Build(t, "."), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "steps"), []byte("call add a=2 b=3\nexpect /structuredContent/sum == 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stray"), []byte("echo hello\nexec '"+exe+"' mock paging\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  string
		code  int
		lines bool // a document a line
		error bool // it is the one on stderr
		want  string
	}{
		{args: "discover --demo", want: "/name text, /version text, /revision text, /era text, /why text, /supported a list, /capabilities an object, /instructions text, /timings/answer_ms a number, /timings/ready_ms a number, /result an object"},
		{args: "list tools --demo", want: "/tools a list, /tools/0/name text, /pages/0/cursor null, /pages/0/count a number, /pages/0/ms a number, /pages/1/cursor text"},
		{args: "list --demo", want: "/tools a list, /resources a list, /templates a list, /prompts a list, /pages/0/list text"},
		{args: "describe weather --demo", want: "/0/path text, /0/control text, /0/required a boolean"},
		{args: "call add a=2 b=3 --demo", want: "/content/0/type text, /structuredContent/sum a number"},
		{args: "call add a=2 b=3 --repeat 3 --demo", want: "/tool text, /repeat a number, /count a number, /errors a number, /p50_ms a number, /max_ms a number"},
		{args: "read demo://readme --demo", want: "/contents/0/uri text"},
		{args: "prompt summarize text=a --demo", want: "/messages/0/role text"},
		{args: "complete prompt trip country=N --demo", want: "/completion/values a list"},
		{args: "send tools/list --demo", want: "/jsonrpc text, /id a number, /result/tools a list"},
		{args: "check --demo", want: "/findings a list, /summary/error a number, /summary/warning a number, /summary/info a number, /server/name text, /server/version text, /protocol/revision text, /protocol/era text, /exit/code a number, /exit/signal null, /exit/asked text"},
		{args: "check -- sh stray", code: 2, want: "/findings/0/rule text, /findings/0/severity text, /findings/0/count a number, /findings/0/subject text, /findings/0/first/seq a number, /findings/0/first/t text, /findings/0/first/stream text, /findings/0/first/offset a number, /findings/0/message text, /findings/0/fix text, /findings/0/spec text"},
		{args: "check --rules", want: "/0/rule text, /0/severity text"},
		{args: "run steps --demo", lines: true, want: "/line a number, /step text, /ok a boolean, /ms a number"},
		{args: "log crash", lines: true, want: "/seq a number, /run a number, /ms a number, /time text, /dir text, /stream text, /kind text, /marks a list"},
		{args: "replay elicitation -- EXE mock elicitation", want: "/compared a number, /same a number, /different a list, /missing a list, /unmatched a list"},
		{args: "diff paging stateless", want: "/interface a list, /compared a number, /same a number, /different a list, /missing a list, /unmatched a list"},
		{args: "call add a=x --demo", code: 6, error: true, want: "/error/kind text, /error/message text, /error/hint text, /error/data/problems/0/path text, /error/data/problems/0/keyword text, /error/data/problems/0/message text"},
		{args: "send no/such --demo", code: 7, error: true, want: "/error/kind text, /error/message text, /error/code a number"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && strings.Contains(c.args, "-- sh ") {
				t.Skip("there is no sh")
			}
			verb, rest, _ := strings.Cut(strings.ReplaceAll(c.args, "EXE", exe), " ")
			args := append([]string{verb, "--json"}, strings.Fields(rest)...)
			e := runProgram(t, exe, dir, args...)
			if e.code != c.code {
				t.Fatalf("%+v", e)
			}
			out := e.out
			if c.error {
				out = e.err
			}
			split := func(out string) []string {
				if c.lines {
					return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
				}
				return []string{out}
			}
			docs := split(out)
			for _, doc := range docs {
				v, err := schema.Parse([]byte(doc))
				if err != nil || !strings.HasSuffix(out, "\n") {
					t.Fatalf("no document, or no line: %v in %q", err, doc)
				}
				for _, member := range strings.Split(c.want, ", ") {
					pointer, kind, _ := strings.Cut(member, " ")
					if got, ok := v.At(pointer); !ok || client.JSONType([]byte(got.JSON())) != kind {
						t.Errorf("%s is %s, not %s, in %s", pointer, got.JSON(), kind, doc)
					}
				}
			}
			if again := runProgram(t, exe, dir, args...); !c.error && names(t, split(again.out)) != names(t, docs) {
				t.Errorf("once\n%s\nand then\n%s", e.out, again.out)
			}
		})
	}
}

// names are those of the members of documents, in their order: values are another matter, times among them.
func names(t *testing.T, docs []string) string {
	t.Helper()
	var all []string
	var walk func(v schema.Value)
	walk = func(v schema.Value) {
		for _, m := range v.Members {
			all = append(all, m.Name)
			walk(m.Value)
		}
		for _, item := range v.Items {
			walk(item)
		}
	}
	for _, doc := range docs {
		v, err := schema.Parse([]byte(doc))
		if err != nil {
			t.Fatalf("no document: %v in %q", err, doc)
		}
		walk(v)
	}
	return strings.Join(all, " ")
}
