package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/testdata/scripts"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcpinspect": main})
}

// TestScripts plays testdata/cli: the command line as people and scripts see it.
func TestScripts(t *testing.T) {
	servers := map[string]string{"PLAYER": "testdata/player", "MINIMAL": "testdata/servers/minimal", "NOTES": "testdata/servers/notes",
		"DEVSERVER": "testdata/servers/devserver", "STRICT": "testdata/servers/strict", "GOSDK": "testdata/servers/gosdk"}
	scenarios := filepath.Dir(programs.Scenario(t, "crlf-lines"))
	for name, path := range servers {
		servers[name] = programs.Build(t, path)
	}
	samples, err := filepath.Abs("recordings/samples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/cli",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for name, exe := range servers {
				e.Setenv(name, exe)
			}
			e.Setenv("SCENARIOS", scenarios)
			e.Setenv("SAMPLES", samples)
			e.Setenv("XDG_STATE_HOME", e.WorkDir+"/state")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"json": scripts.JSON, "lines": scripts.Lines, "code": scriptCode},
	})
}

// scriptCode is the command "code N PROGRAM ARG...": the program ends with exactly this status. What it
// printed can be looked at as after exec.
func scriptCode(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: code N PROGRAM ARG...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit status %d, not %s", code, args[0])
	}
}

// layers says which of our own packages each package may import, directly or not (design: who may
// import whom). A package is judged by the longest prefix that names it.
var layers = map[string][]string{
	"client":        {"client"},
	"client/schema": {"client/schema"},
	"client/demo":   {"client"},
	"recordings":    {"recordings"},
	"session":       {"session", "client", "recordings"},
	"ui/text":       {"ui/text"},
	"ui/words":      {"ui/words", "client"},
	"ui/colour":     {"ui/colour"},
	"ui/quiet":      {},
	"ui/cli":        {"ui/cli", "ui/text", "ui/words", "session", "client", "recordings"},
	"ui":            {"ui", "session", "client", "recordings"},
}

// screenModules draw on a terminal; only the screen may use them.
var screenModules = []string{"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/lipgloss", "github.com/charmbracelet/bubbles", "github.com/alecthomas/chroma"}

// drawless are the packages that must not link a screenModule.
var drawless = []string{"client", "session", "recordings", "ui/cli", "ui/text", "ui/words"}

// TestImports holds the layers: it reads the whole import graph.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "example.com/mcpinspect"
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"github.com/alecthomas/chroma/v2/lexers", "github.com/alecthomas/chroma/v2/styles"} {
			if p.ImportPath == never {
				t.Errorf("%s is linked: its init costs 10 ms", never)
			}
		}
		name, ours := strings.CutPrefix(p.ImportPath, module+"/")
		if !ours {
			continue
		}
		seen++
		may, known := allowed(name)
		if !known {
			continue
		}
		for _, dep := range p.Deps {
			if own, is := strings.CutPrefix(dep, module+"/"); is && !slices.ContainsFunc(may, func(m string) bool { return under(own, m) }) {
				t.Errorf("%s imports %s", name, own)
			}
			if slices.ContainsFunc(drawless, func(d string) bool { return under(name, d) }) &&
				slices.ContainsFunc(screenModules, func(m string) bool { return under(dep, m) }) {
				t.Errorf("%s imports %s", name, dep)
			}
		}
		if name == "session" && slices.ContainsFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, module+"/session/") }) {
			t.Errorf("session imports a part of its own")
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

func allowed(name string) (may []string, known bool) {
	for prefix := name; ; {
		if may, known = layers[prefix]; known {
			return may, true
		}
		i := strings.LastIndexByte(prefix, '/')
		if i < 0 {
			return nil, false
		}
		prefix = prefix[:i]
	}
}

func under(name, prefix string) bool { return name == prefix || strings.HasPrefix(name, prefix+"/") }
