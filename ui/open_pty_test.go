//go:build !windows

package ui_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

const samples = "../recordings/samples/"

func TestOpenARecording(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "c.jsonl")
	s := start(t, 160, 45, "open", samples+"legacy-crash.jsonl")
	s.Wait("recording legacy-crash.jsonl, 2026-09-01", "ENDED signal SIGSEGV", "18 rows", "2 Tools 2")
	s.Keys("R")
	s.Wait("this is a recording: nothing is started")
	command(s, "save "+copied)
	s.Wait("saved 3.0 KB in")
	command(s, "save "+copied)
	s.Wait("exists already")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	want, err := os.ReadFile(samples + "legacy-crash.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes saved, %v", len(got), err)
	}
}

func TestOpenATornRecording(t *testing.T) {
	whole, err := os.ReadFile(samples + "modern-clean.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "torn.jsonl")
	if err := os.WriteFile(path, whole[:len(whole)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, 120, 36, "open", path)
	s.Wait("the recording is damaged: line 18 was cut off", "tools/call weather")
}

// TestOpenWithAServer: R starts it into the same log, behind what was recorded.
func TestOpenWithAServer(t *testing.T) {
	s := start(t, 160, 45, "open", samples+"legacy-crash.jsonl", "--", programs.Build(t, "testdata/servers/minimal"))
	s.Wait("18 rows", "R starts it again")
	s.Keys("R")
	s.Wait("run 2", "minimal 1.0.0", "-> out    6 server/discover", "2 Tools 3", "rec on")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	s.Wait("the session is kept in")
}

// TestOpenFollows: what another process adds to the file comes on the screen.
func TestOpenFollows(t *testing.T) {
	whole, err := os.ReadFile(samples + "modern-clean.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	half := bytes.Index(whole, []byte(`\"weather\"`)) // within a line
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write := func(p []byte) {
		if _, err := f.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	write(whole[:half])
	s := start(t, 160, 45, "open", path, "--follow")
	s.Wait("recording grows.jsonl", "2 Tools 1+", "8 rows")
	write(whole[half:])
	s.Wait("ENDED exit status 0", "17 rows", "following")
}

// command gives one line to the command prompt.
func command(s *screentest.Screen, line string) {
	s.Keys(":")
	s.Until("the prompt", func(screen string) bool { return strings.Contains(screen, "\n :") })
	s.Keys(line)
	s.Keys("\r")
}

// TestReplayOnTheScreen: what the recorded client sent goes to the server that was started, once the
// person has seen what that is, and the rows that differ say how.
func TestReplayOnTheScreen(t *testing.T) {
	s := start(t, 160, 45, "open", samples+"legacy-crash.jsonl", "--", programs.Build(t, "testdata/servers/minimal"))
	s.Wait("18 rows", "R starts it again")
	command(s, "replay")
	s.Wait("R starts the server, which can be asked then")
	s.Keys("R")
	s.Wait("run 2", "2 Tools 3")
	command(s, "replay tool:nothing")
	s.Wait("not replayed: tool:nothing selects no message")
	command(s, "replay tool:echo")
	s.Wait("replay 1 message, tools/call echo", "recorded in 2025-06-18, the server speaks 2026-07-28 now?  y yes")
	s.Keys("y")
	s.Wait("DIFFERS from #3 in the recording", "- (nothing)", " 25~ ")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestPlayARecording: the screen shows what was known at the time of the clock, which goes both ways.
func TestPlayARecording(t *testing.T) {
	whole, err := os.ReadFile(samples + "modern-clean.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl") // the mark goes into it
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, 160, 45, "open", path)
	s.Wait("17 rows", "ENDED exit status 0")
	command(s, "at 2.005s")
	s.Wait("at 2.0 s of 6.2 s, stands, next in", "9 rows", "2 Tools 2")
	command(s, "step")
	s.Wait("10 rows", "open 1")
	command(s, "at 1ms")
	s.Wait("at 1.0 ms of 6.2 s, stands", "1 row ", "connecting")
	s.Keys("5m") // a mark stays whatever the clock says
	s.Wait("0*")
	command(s, "play 1000")
	s.Wait("at 6.2 s of 6.2 s, all of it", "17 rows", "0*")
	command(s, "at x")
	s.Wait("at takes a time since the start")
	command(s, "play nothing")
	s.Wait("play takes how many times faster")
	s.Keys(" ")
	s.Wait("playing x1")
	s.Keys(" ")
	s.Wait("stands")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestPlayWhatIsFollowed: the clock goes over what has arrived, and what comes then is shown as it comes;
// while it stands nothing comes.
func TestPlayWhatIsFollowed(t *testing.T) {
	whole, err := os.ReadFile(samples + "modern-clean.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	lines := bytes.SplitAfter(whole, []byte("\n"))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write := func(lines [][]byte) {
		if _, err := f.Write(bytes.Join(lines, nil)); err != nil {
			t.Fatal(err)
		}
	}
	write(lines[:9])
	s := start(t, 160, 45, "open", path, "--follow")
	s.Wait("│ following", "8 rows")
	command(s, "at 0s")
	s.Wait("so far, stands", "0 rows")
	command(s, "step")
	s.Wait("1 row")
	command(s, "play 10000")
	s.Wait("│ following", "8 rows")
	command(s, "pause")
	s.Wait("all that has arrived, stands")
	write(lines[9:11])
	s.Wait(", stands, next in")
	command(s, "at end")
	s.Wait("│ following", "10 rows")
	write(lines[11:])
	s.Wait("│ following", "17 rows")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}
