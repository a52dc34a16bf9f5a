//go:build !windows

package ui_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// TestWatch edits the source of a server: it is built, started into the same log and called again. A
// build that fails leaves the old server running.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/watched.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	edit := func(version string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(strings.Replace(string(source), "VERSION", version, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module watched\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	edit("1")
	build := exec.Command("go", "build", "-o", "srv", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := screentest.Start(t, 160, 45, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="}, "sh", "-c",
		`cd "$0" && exec "$1" --watch='**/*.go' --build 'go build -o srv .' --tool hello --args '{"who":"x"}' -- ./srv`, dir, programs.Build(t, "."))
	s.Wait("3 Call hello", "│ watch │", "run 1")
	s.Keys("s")
	s.Wait("Result of #", "hello 1")
	edit("2")
	s.Wait("run 2 ", "Changes of #", "in run 1", `- "hello 1"`, `+ "hello 2"`, "│ watch │")
	edit("oops")
	s.Wait("BUILD FAILED", "Build failed", "undefined: oops", "run 2 ")
	s.Keys("r") // the old server still answers
	s.Wait("hello 2", ", the same", "run 2 ")
	edit("3")
	s.Wait("run 3 ", "tools since the last run: +extra", `+ "hello 3"`, "2 Tools 2", "│ watch │")
	s.Keys("W")
	s.Until("a header without watch", func(screen string) bool { return !strings.Contains(screen, "│ watch") })
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestWatchedScript: a pattern that names the very script that runs watches it, with a build that
// only looks at it, too.
func TestWatchedScript(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]string{"alone": "", "checked": "--build='sh -n srv.sh'"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			edit := func(version string) {
				t.Helper()
				script := "# " + version + "\nexec '" + programs.Build(t, "testdata/servers/minimal") + "'\n"
				if err := os.WriteFile(filepath.Join(dir, "srv.sh"), []byte(script), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			edit("1")
			s := screentest.Start(t, 160, 45, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="}, "sh", "-c",
				`cd "$0" && exec "$1" --watch='*.sh' `+build+` -- sh srv.sh`, dir, programs.Build(t, "."))
			s.Wait("│ watch │", "run 1 ", "3 Call add")
			edit("2")
			s.Wait("run 2 ", "restarted; no call was made yet")
			s.Keys("q")
			if code := s.Exit(); code != 0 {
				t.Errorf("exit %d", code)
			}
		})
	}
}

// TestHistoryOverTheEnd: what was sent in one session is there in the next.
func TestHistoryOverTheEnd(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	open := func(args ...string) *screentest.Screen {
		return screentest.Start(t, 160, 45, []string{"XDG_STATE_HOME=" + state, "NO_COLOR="}, append([]string{programs.Build(t, ".")}, args...)...)
	}
	leave := func(s *screentest.Screen) {
		t.Helper()
		s.Keys("q")
		if code := s.Exit(); code != 0 {
			t.Errorf("exit %d", code)
		}
	}
	s := open("--tool", "add", "--args", `{"a":41,"b":1}`, "--demo")
	s.Wait("3 Call add", "required 2 of 2")
	s.Keys("s")
	s.Wait(`"sum": 42`)
	leave(s)
	s = open("--tool", "add", "--demo")
	s.Wait("3 Call add", "required 0 of 2")
	s.Keys("p")
	s.Wait("required 2 of 2", "1 of 1: ", " ok ")
	s.Keys("H")
	s.Wait("Calls of add", `{"a":41,"b":1}`)
	s.Keys(":")
	s.Wait("\n :")
	for _, k := range "history clear" { // one by one: several at once are no typing
		s.Keys(string(k))
	}
	s.Wait(":history clear")
	s.Keys("\r")
	s.Wait("are deleted")
	leave(s)
	left, err := filepath.Glob(filepath.Join(state, "mcpinspect", "history", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
