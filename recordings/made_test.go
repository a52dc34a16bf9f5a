package recordings

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/testdata/programs"
)

// made is a sample that the program itself records: it runs steps against the server built into it.
type made struct {
	name    string
	flags   []string
	answers string // a file for --answer
	steps   string
	exit    int
}

// madeSamples are written anew by go test ./recordings -run Made -update.
func madeSamples() []made {
	const everything = "list tools\ncall add a=2 b=3\ncall weather location=Zürich days=2\ncall slow steps=3 delay_ms=250\n" +
		"list resources\nread demo://readme\nlist prompts\nprompt summarize text='A long day.' tone=dry\n"
	return []made{
		{name: "stateless", steps: everything},
		{name: "handshake", flags: []string{"--protocol", "2025-06-18"}, steps: everything},
		{name: "paging", steps: "list tools\nlist resources\nlist templates\nlist prompts\n"},
		{name: "stray-stdout", steps: "call add a=2 b=3\ncall stray\ncall stray line='42% |####    |'\ncall add a=40 b=2\n"},
		{name: "crash", steps: "call add a=2 b=3\ncall crash status=3 half_line=true\n", exit: 4},
		{name: "flood", steps: "call log lines=1200\ncall slow steps=1000 delay_ms=0\ncall add a=2 b=3\n"},
		{name: "elicitation", flags: []string{"--answer", "@answers.json"},
			answers: `{"order":{"drink":"tea","cups":2,"name":"Ada","sugar":true}}`, steps: "call ask\n"},
	}
}

// TestMadeSamples runs the steps of every sample again: what passed on each stream is what the sample
// holds. When and in how many reads it came is as it was when the sample was made.
func TestMadeSamples(t *testing.T) {
	exe := programs.Build(t, ".")
	for _, m := range madeSamples() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			file := m.record(t, exe)
			path := filepath.Join("samples", m.name+SampleExt)
			if *update {
				if err := os.WriteFile(path, file, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			kept, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			recorded, _ := load(t, bytes.NewReader(kept))
			again, r := load(t, bytes.NewReader(file))
			if len(r.Notices()) > 0 {
				t.Errorf("notices %v", r.Notices())
			}
			for _, ch := range []Channel{In, Out, Err} {
				was, now := joined(recorded, ch), joined(again, ch)
				if bytes.Equal(was, now) {
					continue
				}
				at := 0
				for at < min(len(was), len(now)) && was[at] == now[at] {
					at++
				}
				t.Errorf("%s has at %d %.200q, and the sample %.200q; go test ./recordings -run Made -update makes it anew", ch, at, now[at:], was[at:])
			}
		})
	}
}

// record runs the steps and returns what was recorded, with nothing in it of the machine that did.
func (m made) record(t *testing.T, exe string) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"steps.txt": m.steps, "answers.json": m.answers} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(exe, append([]string{"run", "steps.txt", "-q", "--record", "s.jsonl", "--demo"}, m.flags...)...)
	cmd.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MCPINSPECT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if code := 0; err != nil && !errors.As(err, &exit) || exit != nil && exit.ExitCode() != m.exit || exit == nil && m.exit != code {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.ReadFile(filepath.Join(dir, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	file = anywhere(file)
	for _, here := range []string{dir, filepath.Dir(exe)} {
		if bytes.Contains(file, []byte(here)) {
			t.Errorf("it names %s", here)
		}
	}
	return file
}

// anywhere takes out of a recording where and when it was made: paths, process ids, the system, and
// the clock, which keeps only waits that were meant.
func anywhere(file []byte) []byte {
	const meant, step = 100 * time.Millisecond, time.Millisecond
	head := regexp.MustCompile(`"start":"[^"]*","os":"[^"]*"`)
	self := regexp.MustCompile(`"command":\["[^"]*","demo-server"\]`)
	spawn := regexp.MustCompile(`"pid":\d+,"path":"[^"]*"`)
	clock := regexp.MustCompile(`^\{"k":"[a-z]+","t":(\d+),`)
	var b bytes.Buffer
	var was, now time.Duration
	for line := range bytes.Lines(file) {
		switch {
		case bytes.HasPrefix(line, []byte(`{"k":"head"`)):
			line = head.ReplaceAll(line, []byte(`"start":"2026-09-01T09:30:00Z","os":"linux/amd64"`))
			line = self.ReplaceAll(line, []byte(`"command":["mcpinspect","demo-server"]`))
		case bytes.HasPrefix(line, []byte(`{"k":"spawn"`)):
			line = spawn.ReplaceAll(line, []byte(`"pid":4711,"path":"/usr/local/bin/mcpinspect"`))
		}
		if at := clock.FindSubmatchIndex(line); at != nil {
			n, _ := strconv.ParseInt(string(line[at[2]:at[3]]), 10, 64) // digits
			t := time.Duration(n)
			now, was = now+step+(t-was).Truncate(meant), t
			b.Write(line[:at[2]])
			b.WriteString(strconv.FormatInt(int64(now), 10))
			line = line[at[3]:]
		}
		b.Write(line)
	}
	return b.Bytes()
}
