//go:build !windows

package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// TestExternalEditor: the editor gets a private file and the terminal, what it leaves is taken, the
// file is gone, and a failing editor or one that changes nothing says so.
func TestExternalEditor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "ed it.sh")
	const body = `#!/bin/sh
[ "$1" = "a b" ] || exit 9
test -t 0 && test -t 1 && ls -l "$2" | cut -c1-10 >"$0.mode"
case "$(cat "$0.do")" in
fail) exit 3 ;;
gone) rm "$2" ;;
same) ;;
*) cat "$0.do" >"$2" ;;
esac
`
	if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	do := func(what string) {
		t.Helper()
		if err := os.WriteFile(script+".do", []byte(what), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	s := screentest.Start(t, 120, 36, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR=", "VISUAL=", "EDITOR='" + script + "' 'a b'", "TMPDIR=" + tmp},
		programs.Build(t, "."), "--tool", "weather", "--args", `{"location":"Rome"}`, "--demo")
	s.Wait("3 Call weather", "Rome")
	for _, step := range []struct{ do, key, want string }{
		{"Oslo\n", "e", "Oslo"},
		{"same", "e", "the editor changed nothing"},
		{"fail", "e", "failed: exit status 3"},
		{"gone", "e", "the editor left no file"},
		{"{\"location\": \"Bergen\"}", "E", "Bergen"},
		{"{\"location\": ", "E", "invalid JSON at line 1, column 14"},
	} {
		do(step.do)
		s.Keys(step.key)
		s.Wait(step.want)
	}
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if mode, err := os.ReadFile(script + ".mode"); err != nil || strings.TrimSpace(string(mode)) != "-rw-------" {
		t.Errorf("the file was %q, %v", mode, err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestArgumentsTypedAsJSON: what is written in the JSON view goes out to the letter.
func TestArgumentsTypedAsJSON(t *testing.T) {
	s := start(t, 160, 45, "--tool", "add", "--args", `{"a":1,"b":2}`, "--demo")
	s.Wait("3 Call add", "required 2 of 2")
	s.Keys("v")
	s.Wait("as it would be sent")
	s.Keys("\r")
	s.Wait("EDITING line 2, column 3")
	s.Keys("\x1b[F\x7f\x7f")
	s.Wait("ERR invalid JSON at line 3")
	s.Keys("9007199254740993,\x13")
	s.Wait(`"sum": 9007199254740995`) // exact digits go out and come back
}
