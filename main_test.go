package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/cli"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"json": scriptJSON, "lines": scriptLines, "code": scriptCode},
	})
}

// scriptJSON is the command "json FILE POINTER [VALUE]": FILE (or stdout, stderr) is exactly one JSON
// document, which has a value at the pointer, equal to VALUE when it is given.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json FILE POINTER [VALUE]")
	}
	doc, err := schema.Parse([]byte(ts.ReadFile(args[0])))
	if err != nil {
		ts.Fatalf("%s is not one JSON document: %v", args[0], err)
	}
	got, ok := doc.At(args[1])
	same := ok
	if len(args) == 3 {
		want, err := schema.Parse([]byte(args[2]))
		ts.Check(err)
		same = ok && got.JSON() == want.JSON()
	}
	if same == neg {
		ts.Fatalf("%s has %s at %q (present: %v)", args[0], got.JSON(), args[1], ok)
	}
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

// scriptLines is the command "lines FILE N PATTERN": N lines of FILE contain the text PATTERN.
func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 || neg {
		ts.Fatalf("usage: lines FILE N TEXT")
	}
	n := 0
	for l := range strings.Lines(ts.ReadFile(args[0])) {
		if strings.Contains(l, args[2]) {
			n++
		}
	}
	if fmt.Sprint(n) != args[1] {
		ts.Fatalf("%d lines of %s contain %q, not %s", n, args[0], args[2], args[1])
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
	"ui/words":      {"ui/words", "client/schema"},
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

// scale shortens the waits of the scenarios; limits that a scenario asks for are scaled with it.
const scale = 0.25

// kinds are the kinds of scenarios that are about the wire and the life of a server.
var kinds = []string{"framing", "era", "id", "launch", "process", "stdout", "stderr", "pagination", "progress", "size"}

// codes are the exit codes of list, check and each call of a scenario that are not all 0. What check
// finds is the subject of session/check and testdata/cli.
var codes = map[string][]int{
	"cursor-null-ends":              {0, 2},
	"exit-before-any-output":        {4, 4},
	"exit-during-call":              {0, 0, 4},
	"exit-zero-early":               {4, 2},
	"page-two-fails":                {7, 2},
	"progress-forever":              {0, 0, 4},
	"response-pretty-printed":       {0, 2},
	"stdout-ansi-coloured-logs":     {0, 2},
	"stdout-bracketed-notice":       {0, 2},
	"stdout-emoji-status":           {0, 2},
	"stdout-noise-glued-to-message": {0, 2},
	"stdout-npm-run-prelude":        {0, 2},
	"stdout-result-object-extra":    {0, 2},
	"stdout-startup-banner":         {0, 2},
	"stdout-structured-log-object":  {0, 2},
	"stdout-timestamp-line":         {0, 2},
	"utf8-bom-first-line":           {0, 2},
}

// TestScenarios plays the scripted servers with list, check and each call that a scenario is driven
// by. The player must have nothing against us, nothing may hang, and the exit codes must be those
// that the contract asks for.
func TestScenarios(t *testing.T) {
	player := programs.Build(t, "testdata/player")
	big := filepath.Join(t.TempDir(), "big.txt")
	if err := os.WriteFile(big, bytes.Repeat([]byte("x"), 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/scenarios/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	os.Setenv("XDG_STATE_HOME", t.TempDir()) // for runs in parallel, so not t.Setenv
	os.Unsetenv("GITHUB_ACTIONS")            // the summary of a job that runs this is about this
	played := 0
	for _, path := range files {
		s := readScenario(t, path)
		if !slices.Contains(kinds, s.Kind) || s.Transport == "http" {
			continue
		}
		played++
		verbs := [][]string{{"list", "--json"}, {"check", "--json"}}
		for _, step := range s.Drive {
			if strings.HasPrefix(step, "call ") {
				verbs = append(verbs, callWords(t, step, big))
			}
		}
		for i, verb := range verbs {
			want := 0
			if c := codes[s.Case]; i < len(c) {
				want = c[i]
			}
			t.Run(fmt.Sprintf("%s/%d-%s", s.Case, i, verb[0]), func(t *testing.T) {
				t.Parallel()
				s.play(t, player, path, verb, want)
			})
		}
	}
	if played < 45 {
		t.Errorf("only %d scenarios were played", played)
	}
}

type scenario struct {
	Case, Kind, Transport string
	Drive                 []string
}

func readScenario(t *testing.T, path string) (s scenario) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(b, []byte("\n"))
	if err := json.Unmarshal(head, &s); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

// callWords turns a "call NAME JSON [timeout=3s] [max=4s]" of a drive into words.
func callWords(t *testing.T, step, big string) []string {
	name, rest, _ := strings.Cut(strings.TrimPrefix(step, "call "), " ")
	dec := json.NewDecoder(strings.NewReader(rest))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		t.Fatalf("%s: %v", step, err)
	}
	words := []string{"call", name, string(raw), "--json", "--unchecked"}
	if strings.Contains(string(raw), "2 MiB") {
		words[2] = "text=@" + big
	}
	for _, word := range strings.Fields(rest[dec.InputOffset():]) {
		key, value, _ := strings.Cut(word, "=")
		d, err := time.ParseDuration(value)
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		flag := map[string]string{"timeout": "--timeout", "max": "--max-time"}[key]
		words = append(words, flag, time.Duration(float64(d)*scale).String())
	}
	return words
}

// play runs one verb on a scenario.
func (s scenario) play(t *testing.T, player, path string, verb []string, want int) {
	report := filepath.Join(t.TempDir(), "report.jsonl")
	args := append(slices.Clone(verb), "--probe-timeout", "1s")
	var more []string
	for _, step := range s.Drive {
		key, value, _ := strings.Cut(step, " ")
		switch key {
		case "env":
			args = append(args, "-e", value)
		case "cwd":
			args = append(args, "--cwd", value)
		case "args":
			more = strings.Split(value, "|")
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	server := append([]string{player, "-scale", fmt.Sprint(scale), "-report", report, path}, more...)
	code, out, errs := runMain(t, append(append(args, "--"), server...))
	if code != want {
		t.Errorf("exit status %d, not %d; stderr: %.600s", code, want, errs)
	}
	if len(out) > 0 && !client.ValidJSON(bytes.TrimSpace(out)) {
		t.Errorf("stdout is not one JSON document: %.200s", out)
	}
	judgePlayer(t, report)
}

// runMain runs a command line within this process: most of what a process of its own costs is its
// start.
func runMain(t *testing.T, args []string) (code int, out, errs []byte) {
	const hang = 20 * time.Second
	dir := t.TempDir()
	var io cli.IO
	for name, f := range map[string]**os.File{os.DevNull: &io.In, filepath.Join(dir, "out"): &io.Out, filepath.Join(dir, "err"): &io.Err} {
		var err error
		if *f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			t.Fatal(err)
		}
		defer (*f).Close()
	}
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(t.Context(), args, io, nil) }()
	select {
	case code = <-ended:
	case <-time.After(hang):
		errs, _ = os.ReadFile(io.Err.Name())
		t.Fatalf("it hangs; stderr: %s", errs)
	}
	out, err := os.ReadFile(io.Out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if errs, err = os.ReadFile(io.Err.Name()); err != nil {
		t.Fatal(err)
	}
	return code, out, errs
}

// judgePlayer fails on what the player holds against its client. One verb a process leaves the later
// steps of a scenario unplayed: that is no fault.
func judgePlayer(t *testing.T, report string) {
	b, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(b) {
		var r struct {
			Kind, What, Problem string
			OK                  bool
		}
		if err := json.Unmarshal(l, &r); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		unplayed := strings.HasPrefix(r.Problem, "stdin closed before")
		if r.Kind == "lint" || r.Kind == "check" && !r.OK && !unplayed {
			t.Errorf("the player says: %s", l)
		}
	}
}
