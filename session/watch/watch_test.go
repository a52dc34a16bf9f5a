package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// patience is how long a test waits for what must come, on a machine that is busy.
const patience = 20 * time.Second

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func await(t *testing.T, w *Watcher, path string) Change {
	t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case c, ok := <-w.Changes():
			if !ok {
				t.Fatalf("the watch ended: %v", w.Err())
			}
			if c.Path == path {
				return c
			}
			if !c.More {
				t.Fatalf("%+v, want %s", c, path)
			}
		case <-timeout:
			t.Fatalf("no change of %s", path)
		}
	}
}

// real is a temporary folder without symbolic links in its path.
func real(t *testing.T) string { return target(t.TempDir()) }

func TestFiles(t *testing.T) {
	dir := real(t)
	path, other, next := filepath.Join(dir, "srv"), filepath.Join(dir, "other"), filepath.Join(dir, "srv.new")
	write(t, path, "1")
	w, err := Files(t.Context(), []string{path}, func(f *client.Fault) { t.Error(f) })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	write(t, other, "x") // not ours: the next change has no other beside it
	write(t, path, "2")
	if c := await(t, w, path); c.More {
		t.Errorf("%+v", c)
	}
	write(t, next, "3")
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	await(t, w, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	await(t, w, path)
	write(t, path, "4")
	await(t, w, path)
}

func TestLinkedProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir := real(t)
	path, link := filepath.Join(dir, "real", "srv"), filepath.Join(dir, "srv")
	write(t, path, "1")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	w, err := Files(t.Context(), []string{link}, func(f *client.Fault) { t.Error(f) })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	write(t, path, "2")
	await(t, w, path)
}

func TestGlob(t *testing.T) {
	dir := real(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"main.go", "a/b/x.go", ".git/x.go", "node_modules/m/x.go", "srv.go"} {
		write(t, at(name), "1")
	}
	w, err := Glob(t.Context(), dir, "**/*.go,go.mod", []string{at("srv.go")}, func(f *client.Fault) { t.Error(f) })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range []string{".git/x.go", "node_modules/m/x.go", "srv.go", "a/b/x.txt"} {
		write(t, at(name), "2") // none of these is told: the change after them stands alone
	}
	write(t, at("a/b/x.go"), "2")
	if c := await(t, w, at("a/b/x.go")); c.More {
		t.Errorf("%+v", c)
	}
	write(t, at("new/deep/y.go"), "1")
	await(t, w, at("new/deep/y.go"))
	write(t, at("go.mod"), "module x")
	await(t, w, at("go.mod"))
}

func TestCloseEndsIt(t *testing.T) {
	w, err := Files(t.Context(), []string{filepath.Join(t.TempDir(), "srv")}, func(f *client.Fault) { t.Error(f) })
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	w.Close()
	if _, ok := <-w.Changes(); ok || w.Err() != nil {
		t.Errorf("%v, %v", ok, w.Err())
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		match, below  bool // the path as a file, and as a folder to look into
	}{
		{"*.go", "main.go", true, false},
		{"*.go", "a/main.go", false, false},
		{"**/*.go", "main.go", true, true},
		{"**/*.go", "a/b/main.go", true, true},
		{"**/*.go", "a/b/main.c", false, true},
		{"cmd/*/*.go", "cmd/x/main.go", true, false},
		{"cmd/*/*.go", "cmd/x", false, true},
		{"cmd/*/*.go", "doc", false, false},
		{"./src/**", "src/a/b", true, true},
		{"src/**", "src", false, true},
		{"**", "a", true, true},
		{"**/**/x", "x", true, true},
		{"a/**/b/**/c", "a/1/b/2/3/c", true, true},
		{"*.go, go.mod", "go.mod", true, false},
		{"x?[ab]", "x1b", true, false},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if p.Match(c.path) != c.match || p.below(c.path) != c.below {
			t.Errorf("%s of %s: %v, below %v", c.pattern, c.path, p.Match(c.path), p.below(c.path))
		}
	}
	for _, bad := range []string{"", "a,,b", "/abs/*.go", "../x", "a/./b", "[", "a//b"} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("**/*.go", "a/b.go")
	f.Add("a/**/[x-z]?,*", "a/y1")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		const sizes = 60 // ** may be tried at every place
		if len(pattern) > sizes || len(path) > sizes {
			return
		}
		p, err := ParsePattern(pattern)
		if err != nil {
			return
		}
		if p.Match(path) && strings.Contains(path, "/") && !p.below(path[:strings.LastIndexByte(path, '/')]) {
			t.Errorf("%q matches %q in a folder that is not looked into", pattern, path)
		}
	})
}

func TestProgram(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "srv.py"), "")
	write(t, filepath.Join(dir, "data.db"), "")
	script := filepath.Join(dir, "srv.py")
	for _, c := range []struct {
		cmd  client.Command
		want []string
	}{
		{client.Command{}, nil},
		{client.Command{Args: []string{"/no/such", script, "x"}}, []string{"/no/such", script}},
		{client.Command{Args: []string{"/no/such", filepath.Join(dir, "data.db"), "missing.py"}}, []string{"/no/such"}},
		{client.Command{Args: []string{"./srv", "srv.py"}, Dir: dir}, []string{filepath.Join(dir, "srv"), script}},
	} {
		if got := Program(c.cmd); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.cmd.Args, got, c.want)
		}
	}
}

// TestMade: what a build may write is no script that a person edits.
func TestMade(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"srv.py", "srv.js", "srv.ts", "srv.jar"} {
		write(t, filepath.Join(dir, name), "")
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"/no/such", "srv.py"}, []string{"/no/such"}},
		{[]string{"/no/such", "srv.ts"}, []string{"/no/such"}},
		{[]string{"/no/such", "srv.js"}, []string{"/no/such", filepath.Join(dir, "srv.js")}},
		{[]string{"/no/such", "-jar", "srv.jar"}, []string{"/no/such", filepath.Join(dir, "srv.jar")}},
		{[]string{"./srv.py"}, nil},
	} {
		if got := Made(client.Command{Args: c.args, Dir: dir}); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.args, got, c.want)
		}
	}
}

func TestBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command lines are those of sh")
	}
	b := Build(t.Context(), "echo 'to stdout'; echo to stderr >&2; exit 3")
	if b.Err == nil || !strings.Contains(b.Err.Error(), "exit status 3") || !strings.Contains(string(b.Output), "to stdout\n") || !strings.Contains(string(b.Output), "to stderr\n") {
		t.Errorf("%+v %s", b, b.Output)
	}
	if b = Build(t.Context(), "true"); b.Err != nil || len(b.Output) != 0 {
		t.Errorf("%+v", b)
	}
	b = Build(t.Context(), fmt.Sprintf("head -c %d /dev/zero; echo end", 3*maxOutput))
	if b.Err != nil || !b.Cut || len(b.Output) != maxOutput || !strings.HasSuffix(string(b.Output), "end\n") {
		t.Errorf("%v, cut %v, %d bytes", b.Err, b.Cut, len(b.Output))
	}
	cause := errors.New("not wanted any more")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	if b = Build(ctx, "sleep 60 & sleep 60"); !errors.Is(b.Err, cause) {
		t.Errorf("%v", b.Err)
	}
}
