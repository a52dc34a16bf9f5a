package client

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What cannot be started says what is wrong with it, and what to try.
func TestStartupErrors(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the reasons are those of Unix")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		command   Command
		err, hint string
	}{
		{Command{Args: []string{"npx"}}, `no program named "npx"`, "Node.js"},
		{Command{Args: []string{"srv.cmd"}}, `no program named "srv.cmd"`, ".cmd files are for Windows"},
		{Command{Args: []string{"./dist/srv"}}, `no program named "./dist/srv"`, "a relative path is looked for in "},
		{Command{Args: []string{"./dist/srv"}, Dir: dir}, `no program named "./dist/srv"`, "and in --cwd " + dir},
		{Command{Args: []string{file("interpreter", "#!/no/such/python3\n")}}, `the interpreter "/no/such/python3"`, "#!/usr/bin/env python3"},
		{Command{Args: []string{file("crlf", "#!/bin/sh\r\necho\r\n")}}, "ends with CR LF", "dos2unix"},
		{Command{Args: []string{file("empty", "#!\n")}}, "cannot start", ""},
		{Command{Args: []string{file("pe", "MZ\x90\x00 and so on")}}, "it is built for Windows, and this is " + runtime.GOOS, "build it"},
	} {
		t.Setenv("PATH", dir)
		tr, err := Spawn(c.command, 1, nil, nil, nil)
		if err == nil {
			tr.Close()
			t.Errorf("%q was started", c.command.Args)
			continue
		}
		e, ok := err.(*StartError)
		if !ok || !strings.Contains(e.Error(), c.err) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%q: %v; hint %q", c.command.Args, err, e.Hint)
		}
	}
}

func TestBuiltFor(t *testing.T) {
	head := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x02\x00"
	for text, want := range map[string]string{
		head + "\xb7\x00": "linux/arm64", head + "\x3e\x00": "linux/amd64", head + "\x08\x00": "another machine", head: "",
		"\xcf\xfa\xed\xfe": "macOS", "MZ": "Windows", "#!/bin/sh": "", "": "",
	} {
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := builtFor(path); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := builtFor("/no/such/file"); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
