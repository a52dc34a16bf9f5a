// Package cases proves what is expected of every scripted server.
package cases

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/testdata/scripts"
	"example.com/mcpinspect/ui/cli"
	"example.com/mcpinspect/ui/screentest"
	"example.com/mcpinspect/ui/words"
)

// TestCases plays testdata/cases: for every scripted server in testdata/scenarios a script of the same
// name, with each statement of the scenario's expect list as a comment and its proof below. In every
// run the player must have nothing against us, and nothing may hang.
//
// The commands, besides those of testscript and TestScripts; CODE is the exit status that must come:
//
//	play CODE WORD... [-- ARG...]  mcpinspect with the scenario's server as its target; ARGs go to the server
//	drive CODE [FLAG...]           the scenario's drive, as the steps of the verb run with --json --unchecked
//	cli CODE WORD...               mcpinspect with no target of ours
//	sent METHOD...                 exactly these came to the server; * at the end for whatever else
//	got METHOD [N]                 the N-th message of the method (from 1) is now the file got, its headers are headers
//	reported KIND [N]              waits for the N-th line of the kind that the player reports; it is now the file got
//	fill FILE N [BEFORE AFTER]     FILE has N times x, between texts with the escapes of a Go string
//	line N                         line N of stdout is now the file line
//	rules [RULE...]                stdout is a report of check with exactly these rules above info
//	finding RULE                   its finding is now the file finding
//	within DURATION                the last run took no longer
//	screen WxH [FLAG...]           the inspector on the scenario's server, in a terminal
//	keys TEXT...                   types each, with the escapes of a Go string
//	see TEXT...                    waits until all are on the screen at once; ! see: none is there
//	resize WxH                     of the terminal
//	bordered                       the panes end with a border in the last column of each of their rows
//	drawn TEXT                     was written to the terminal, with the escapes of a Go string
//	quit CODE                      types q and waits for the end
//	held TEST                      a test of that name proves it
//
// SCALE multiplies the waits of the scenario, PATH_AT is where an HTTP server is asked.
//
// What a command names as a file lies in the folder of the script: $WORK/r.jsonl for mcpinspect, r.jsonl for the rest.
func TestCases(t *testing.T) {
	os.Setenv("XDG_STATE_HOME", t.TempDir()) // for runs in parallel, so not t.Setenv
	os.Unsetenv("GITHUB_ACTIONS")            // the summary of a job that runs this is about this
	files, err := filepath.Glob("../../../testdata/cases/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := filepath.Glob("../../../testdata/scenarios/*.jsonl")
	if err != nil || len(scenarios) < 110 {
		t.Fatal(err, len(scenarios))
	}
	for _, path := range scenarios {
		proved(t, readScenario(t, path))
	}
	known := testNames(t)
	player := programs.Build(t, "testdata/player")
	inspector := programs.Build(t, ".")
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			name := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")
			t := e.T().(testing.TB)
			c := &aCase{t: t, path: programs.Scenario(t, name), player: player, tests: known}
			c.scenario = readScenario(t, c.path)
			e.Values[theCase] = c
			e.Setenv("SCALE", c.scale())
			e.Setenv("PATH_AT", "/mcp")
			e.Setenv("SCENARIOS", filepath.Dir(c.path))
			e.Setenv("PLAYER", player)
			e.Setenv("MCPINSPECT", inspector)
			e.Defer(c.stopServing)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"play": scriptPlay, "drive": scriptDrive, "cli": scriptMain,
			"sent": scriptSent, "got": scriptGot, "reported": scriptReported, "line": scriptLine, "rules": scriptRules, "finding": scriptFinding, "within": scriptWithin,
			"screen": scriptScreen, "keys": scriptKeys, "see": scriptSee, "resize": scriptResize, "drawn": scriptDrawn, "bordered": scriptBordered, "quit": scriptQuit,
			"held": scriptHeld, "fill": scriptFill, "json": scripts.JSON, "lines": scripts.Lines,
		},
	})
}

// scenario is the head of a scripted server.
type scenario struct {
	Case, Kind, Transport string
	Drive, Expect         []string
}

func readScenario(t testing.TB, path string) (s scenario) {
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

// proved fails for a statement that no command of the scenario's script stands below.
func proved(t *testing.T, s scenario) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "cases", s.Case+".txtar"))
	if err != nil {
		t.Errorf("a scenario that nothing is proved of: %v", err)
		return
	}
	script, _, _ := strings.Cut(string(b), "\n-- ")
	for _, said := range s.Expect {
		_, below, found := strings.Cut("\n"+script, "\n# "+said+"\n")
		if command := strings.TrimLeft(below, "\n"); !found || command == "" || command[0] == '#' {
			t.Errorf("%s: no proof of: %s", s.Case, said)
		}
	}
}

// testNames are the names of all tests and benchmarks of the module.
func testNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir("../../..", func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(b, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// aCase is one script at work.
type aCase struct {
	scenario
	t      testing.TB
	path   string
	player string
	tests  map[string]bool
	runs   int
	report string // what the player says of the last run
	took   time.Duration
	served *exec.Cmd // the HTTP server of the last run
	screen *screentest.Screen
}

// scale shortens the waits of a scenario that has any. It shortens the player's patience too, which a
// busy machine needs: a scenario without waits keeps it.
func (c *aCase) scale() string {
	b, err := os.ReadFile(c.path)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, wait := range []string{`"sleep_ms"`, `"gap_ms"`, `"hold_ms"`, `"pause_read_ms"`} {
		if bytes.Contains(b, []byte(wait)) {
			return "0.1"
		}
	}
	return "1"
}

// theCase is where a script keeps its aCase.
const theCase = "case"

func caseOf(ts *testscript.TestScript, neg bool) *aCase {
	if neg {
		ts.Fatalf("this command cannot be negated")
	}
	return ts.Value(theCase).(*aCase)
}

// target is the words behind the flags: a server with a report of its own.
func (c *aCase) target(ts *testscript.TestScript, args []string) []string {
	c.stopServing()
	c.runs++
	c.report = ts.MkAbs(fmt.Sprintf("report%d.jsonl", c.runs))
	words := []string{"-scale", ts.Getenv("SCALE"), "-report", c.report}
	if c.Transport != "http" {
		return append(append(append([]string{"--", c.player}, words...), c.path), args...)
	}
	c.served = exec.Command(c.player, append(words, "-http", "127.0.0.1:0", c.path)...)
	said, err := c.served.StderrPipe()
	ts.Check(err)
	ts.Check(c.served.Start())
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if a := address.FindString(lines.Text()); a != "" {
			go io.Copy(io.Discard, said) // until stopServing
			return []string{"http://" + a + ts.Getenv("PATH_AT")}
		}
	}
	ts.Fatalf("the player names no address")
	return nil
}

func (c *aCase) stopServing() {
	if c.served != nil {
		_ = c.served.Process.Kill()
		_ = c.served.Wait()
		c.served = nil
	}
}

// scriptPlay is the command play.
func scriptPlay(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	if len(args) < 2 {
		ts.Fatalf("usage: play CODE WORD... [-- ARG...]")
	}
	given := args[1:]
	var more []string
	if i := slices.Index(given, "--"); i >= 0 {
		given, more = given[:i], given[i+1:]
	}
	given = slices.Clone(given)
	for flag, value := range map[string]string{"--probe-timeout": "20s", "--timeout": "20s"} { // a busy machine is no silent server
		if !slices.Contains(given, flag) {
			given = append(given, flag, value)
		}
	}
	c.run(ts, args[0], append(given, c.target(ts, more)...))
	c.judge(ts)
}

// scriptDrive is the command drive.
func scriptDrive(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	if len(args) < 1 {
		ts.Fatalf("usage: drive CODE [FLAG...]")
	}
	scale, err := strconv.ParseFloat(ts.Getenv("SCALE"), 64)
	ts.Check(err)
	var steps, flags, more []string
	for _, line := range c.Drive {
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "connect", "close", "record", "replay":
		case "tools/list":
			steps = append(steps, "list tools")
		case "request":
			steps = append(steps, "send "+rest)
		case "restart":
			steps = append(steps, line)
		case "wait":
			d, err := time.ParseDuration(rest)
			ts.Check(err)
			steps = append(steps, "wait "+time.Duration(float64(d)*scale).String())
		case "env":
			flags = append(flags, "-e", rest)
		case "cwd":
			flags = append(flags, "--cwd", rest)
		case "header":
			flags = append(flags, "-H", rest)
		case "args":
			more = strings.Split(rest, "|")
		case "call":
			step, said := callStep(ts, rest, scale)
			steps, flags = append(steps, step), append(flags, said...)
		default:
			ts.Fatalf("the verb run has no step for %s", line)
		}
	}
	file := ts.MkAbs("drive.txt")
	ts.Check(os.WriteFile(file, []byte(strings.Join(steps, "\n")), 0o600))
	given := slices.Concat([]string{args[0], "run", file, "--json", "--unchecked"}, flags, args[1:])
	if more != nil {
		given = append(append(given, "--"), more...)
	}
	scriptPlay(ts, false, given)
}

// callStep turns "NAME JSON [timeout=3s] [max=4s] [meta=JSON] [answer KEY=JSON]" into a step and flags.
func callStep(ts *testscript.TestScript, said string, scale float64) (step string, flags []string) {
	name, rest, _ := strings.Cut(said, " ")
	dec := json.NewDecoder(strings.NewReader(rest))
	var object json.RawMessage
	ts.Check(dec.Decode(&object))
	step = "call " + words.Shell([]string{name, string(object)})
	rest = strings.TrimSpace(rest[dec.InputOffset():])
	switch key, value, _ := strings.Cut(rest, "="); key {
	case "":
	case "meta":
		meta, err := schema.Parse([]byte(value))
		ts.Check(err)
		for _, m := range meta.Members {
			flags = append(flags, "--meta", m.Name+"="+m.Value.JSON())
		}
	case "timeout", "max":
		for _, word := range strings.Fields(rest) {
			key, value, _ := strings.Cut(word, "=")
			d, err := time.ParseDuration(value)
			ts.Check(err)
			flags = append(flags, map[string]string{"timeout": "--timeout", "max": "--max-time"}[key], time.Duration(float64(d)*scale).String())
		}
	default:
		key, ok := strings.CutPrefix(key, "answer ")
		if !ok {
			ts.Fatalf("not understood: %s", rest)
		}
		file := ts.MkAbs("answers.json")
		ts.Check(os.WriteFile(file, fmt.Appendf(nil, "{%q:%s}", key, value), 0o600))
		flags = append(flags, "--answer", "@"+file)
	}
	return step, flags
}

// scriptMain is the command cli.
func scriptMain(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	if len(args) < 2 {
		ts.Fatalf("usage: cli CODE WORD...")
	}
	c.run(ts, args[0], args[1:])
}

// run runs a command line within this process: most of what a process of its own costs is its start.
func (c *aCase) run(ts *testscript.TestScript, code string, args []string) {
	const hang = time.Minute
	dir := ts.MkAbs(".tmp")
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
		ts.Check(err)
		return f
	}
	in, out, errs := open(os.DevNull), open(filepath.Join(dir, "out")), open(filepath.Join(dir, "err"))
	defer in.Close()
	defer out.Close()
	defer errs.Close()
	start := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(ctx, args, cli.IO{In: in, Out: out, Err: errs}, nil) }()
	var got int
	select {
	case got = <-ended:
	case <-time.After(hang):
		b, _ := os.ReadFile(errs.Name())
		ts.Fatalf("it hangs; stderr: %s", b)
	}
	c.took = time.Since(start)
	printed, err := os.ReadFile(out.Name())
	ts.Check(err)
	said, err := os.ReadFile(errs.Name())
	ts.Check(err)
	ts.Stdout().Write(printed)
	ts.Stderr().Write(said)
	if fmt.Sprint(got) != code {
		ts.Fatalf("exit status %d, not %s: %.2000s", got, code, said)
	}
	if slices.Contains(args, "--json") && args[0] != "run" && args[0] != "log" && len(printed) > 0 && !client.ValidJSON(bytes.TrimSpace(printed)) {
		ts.Fatalf("stdout is not one JSON document: %.200s", printed)
	}
}

// scriptWithin is the command within.
func scriptWithin(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	d, err := time.ParseDuration(strings.Join(args, " "))
	ts.Check(err)
	if c.took > d {
		ts.Fatalf("it took %v", c.took)
	}
}

// scriptHeld is the command held.
func scriptHeld(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	for _, name := range args {
		if !c.tests[name] {
			ts.Fatalf("there is no test %s", name)
		}
	}
	if len(args) == 0 {
		ts.Fatalf("usage: held TEST...")
	}
}

// scriptFill is the command fill.
func scriptFill(ts *testscript.TestScript, neg bool, args []string) {
	caseOf(ts, neg)
	if len(args) != 2 && len(args) != 4 {
		ts.Fatalf("usage: fill FILE N [BEFORE AFTER]")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.Repeat("x", n)
	if len(args) == 4 {
		text = unquoted(ts, args[2]) + text + unquoted(ts, args[3])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// scriptLine is the command line.
func scriptLine(ts *testscript.TestScript, neg bool, args []string) {
	caseOf(ts, neg)
	n, err := strconv.Atoi(strings.Join(args, " "))
	ts.Check(err)
	lines := strings.Split(ts.ReadFile("stdout"), "\n")
	if n < 1 || n >= len(lines) {
		ts.Fatalf("stdout has %d lines", len(lines)-1)
	}
	ts.Check(os.WriteFile(ts.MkAbs("line"), []byte(lines[n-1]), 0o600))
}

// findings are those of a report of check.
func findings(ts *testscript.TestScript) map[string]string {
	doc, err := schema.Parse([]byte(ts.ReadFile("stdout")))
	ts.Check(err)
	list, ok := doc.At("/findings")
	if !ok {
		ts.Fatalf("stdout is no report of check")
	}
	found := map[string]string{}
	for _, f := range list.Items {
		rule, _ := f.At("/rule")
		found[rule.Text] = f.JSON()
	}
	return found
}

// scriptRules is the command rules.
func scriptRules(ts *testscript.TestScript, neg bool, args []string) {
	caseOf(ts, neg)
	var got []string
	for rule, f := range findings(ts) {
		if !strings.Contains(f, `"severity":"info"`) {
			got = append(got, rule)
		}
	}
	slices.Sort(got)
	slices.Sort(args)
	if !slices.Equal(got, args) {
		ts.Fatalf("the rules are %v, not %v", got, args)
	}
}

// scriptFinding is the command finding.
func scriptFinding(ts *testscript.TestScript, neg bool, args []string) {
	f, ok := findings(ts)[strings.Join(args, " ")]
	if ok == neg {
		ts.Fatalf("finding %v: %v", args, ok)
	}
	if ok {
		ts.Check(os.WriteFile(ts.MkAbs("finding"), []byte(f), 0o600))
	}
}

// onUnix is whether terminals can be had here.
const onUnix = runtime.GOOS != "windows"
