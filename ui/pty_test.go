//go:build !windows

package ui_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// start opens the inspector in a terminal, with a state directory of its own.
func start(t *testing.T, w, h int, args ...string) *screentest.Screen {
	t.Helper()
	t.Parallel()
	return screentest.Start(t, w, h, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="}, append([]string{programs.Build(t, ".")}, args...)...)
}

func TestDemoOnScreen(t *testing.T) {
	s := start(t, 160, 45, "--demo")
	s.Wait("1 Server", "2 Tools 25", "3 Call add", "5 Wire", "6 Detail", "2026-07-28 stateless")
	s.Keys("\r") // the form of add
	s.Keys("\r") // its first field
	s.Wait("EDITING")
	s.Keys("2\t3\x13") // 2, next field, 3, send
	s.Wait("Result of #", `"sum": 5`, "in 5")
	s.Keys("\x1b")
	s.Wait(" ROW ")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestProblemsAreShownAndNothingIsSent(t *testing.T) {
	s := start(t, 160, 45, "--tool", "weather", "--args", `{"days":2.5,"units":"k","x":1}`, "--demo")
	s.Wait("3 Call weather", "out 4 ")
	s.Keys("s")
	screen := s.Wait("4 problems", "not sent")
	order := []string{"location", "days", "units", "x"}
	at := strings.Index(screen, "not sent")
	for _, name := range order {
		i := strings.Index(screen[at:], name)
		if i < 0 {
			t.Fatalf("%s is not named in order %v:\n%s", name, order, screen)
		}
		at += i
	}
	s.Keys("S")
	s.Wait("UNCHECKED", "TOOL ERROR")
}

func TestStrayIsShownWhereItCame(t *testing.T) {
	s := start(t, 160, 45, "--tool", "stray", "--args", `{}`, "--demo")
	s.Wait("3 Call stray")
	s.Keys("s")
	s.Wait("STRAY 1", `STRAY "Loading model... done"`)
	s.Keys(";")
	s.Wait("stdout is for messages only")
}

func TestCrashShowsTheBlackBoxAndRestartKeepsTheLog(t *testing.T) {
	s := start(t, 120, 36, "--tool", "crash", "--args", `{}`, "--demo")
	s.Wait("3 Call crash", "> crash(")
	s.Keys("s")
	s.Wait("ENDED exit status 3", "R starts it again", "NEVER ANSWERED")
	s.Keys("R")
	// crash is on the third page: the cursor waits for it, and so does the form.
	s.Wait("run 2", "2026-07-28 stateless", "3 Call crash", "> crash(", "NEVER ANSWERED")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestPagesToComeAreSearchedToo: the third page is not loaded on a small screen.
func TestPagesToComeAreSearchedToo(t *testing.T) {
	s := start(t, 120, 36, "--demo")
	s.Wait("2 Tools 18+")
	typed := ""
	for _, k := range "/wip" { // one by one: several at once are no typing
		s.Keys(string(k))
		typed += string(k)
		s.Until("the prompt "+typed, func(screen string) bool { return strings.Contains(screen, "\n "+typed) })
	}
	s.Keys("\r")
	s.Wait("> wipe(", "3 Call wipe")
}

func TestDestructiveAsksOnce(t *testing.T) {
	s := start(t, 120, 36, "--tool", "wipe", "--args", `{"target":"cache"}`, "--demo")
	s.Wait("3 Call wipe")
	s.Keys("s")
	s.Wait("destructive: send it?")
	s.Keys("n")
	s.Wait("not done")
	s.Keys("s")
	s.Wait("destructive: send it?")
	s.Keys("y")
	s.Wait("Result of #")
	s.Keys("s")
	s.Wait(", the same")
}

func TestNeverStarted(t *testing.T) {
	s := start(t, 80, 24, "--", "./no-such-server")
	if code := s.Exit(); code != 4 {
		t.Errorf("exit %d", code)
	}
	if !strings.Contains(s.Raw(), "no program named") || strings.Contains(s.Raw(), "\x1b[?1049h") {
		t.Errorf("it should say why, without a screen: %q", s.Raw())
	}
}

func TestEndsBeforeItsFirstByte(t *testing.T) {
	s := start(t, 120, 36, "--", programs.Build(t, "testdata/player"), programs.Scenario(t, "exit-before-any-output"))
	s.Wait("ENDED exit status 2", "run 2") // a server that ends on the probe is started once more
	s.Keys("q")
	if code := s.Exit(); code != 4 {
		t.Errorf("exit %d", code)
	}
	if after := s.Raw()[strings.LastIndex(s.Raw(), "\x1b[?1049l"):]; !strings.Contains(after, "exit status 2") {
		t.Errorf("the black box is not printed on leaving: %q", after)
	}
}

// TestTerminalIsRestored: whatever ends the screen, the alternate screen is left and the cursor shown.
func TestTerminalIsRestored(t *testing.T) {
	for name, end := range map[string]func(*screentest.Screen){
		"quit":    func(s *screentest.Screen) { s.Keys("q") },
		"sigterm": func(s *screentest.Screen) { _ = s.Process().Signal(syscall.SIGTERM) },
		"sigquit": func(s *screentest.Screen) { _ = s.Process().Signal(syscall.SIGQUIT) },
		"sigint":  func(s *screentest.Screen) { _ = s.Process().Signal(os.Interrupt) },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, 100, 30, "--demo")
			s.Wait("add(a*, b*)")
			end(s)
			code := s.Exit()
			if want := map[string]int{"quit": 0}[name]; name != "quit" && code != 130 || name == "quit" && code != want {
				t.Errorf("exit %d", code)
			}
			raw := s.Raw()
			if strings.LastIndex(raw, "\x1b[?1049l") < strings.LastIndex(raw, "\x1b[?1049h") || strings.LastIndex(raw, "\x1b[?25h") < strings.LastIndex(raw, "\x1b[?25l") {
				t.Errorf("the terminal is not restored: %q", raw[max(0, len(raw)-200):])
			}
		})
	}
}

// TestServerTextCannotDriveTheTerminal: no escape sequence of the server reaches the terminal.
func TestServerTextCannotDriveTheTerminal(t *testing.T) {
	s := start(t, 120, 36, "--", programs.Build(t, "testdata/player"), programs.Scenario(t, "escape-in-tool-text"))
	s.Wait("2 Tools 2")
	for _, evil := range []string{"\x1b]0;", "\x1b]52;", "\x1b[2J\x1b[H\x1b[31m"} {
		if strings.Contains(s.Raw(), evil) {
			t.Errorf("%q reached the terminal", evil)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}, {300, 100}} {
		t.Run("", func(t *testing.T) {
			s := start(t, size[0], size[1], "--demo")
			s.Wait("mcpinspect-demo", "ROW")
			s.Resize(size[0]+7, size[1]+3)
			s.Wait("mcpinspect-demo", "ROW")
			s.Keys("?")
			s.Wait("Help")
		})
	}
}

// TestKeysOfOneWrite: what a script types at once is typed, what is pasted without brackets is not.
func TestKeysOfOneWrite(t *testing.T) {
	s := start(t, 160, 45, "--demo")
	s.Wait("2 Tools 25", "3 Call add")
	s.Keys("5gjj")
	s.Wait("6 Detail of #2")
	s.Keys(":call add a=2 b=3\r")
	s.Wait("Result of #", `"sum": 5`)
	s.Keys("3")
	before := s.Wait(" send unchecked")
	s.Keys("s: 1\rs\rq\r")
	s.Wait("pasted text was ignored")
	sent := func(screen string) string {
		_, after, _ := strings.Cut(screen, " out ")
		return strings.Fields(after)[0]
	}
	if after := s.Text(); sent(after) != sent(before) {
		t.Errorf("the pasted text sent something:\n%s", after)
	}
	s.Keys(":q\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestSuspend: ctrl+z gives the shell a usable terminal, and fg draws the screen anew in its size.
func TestSuspend(t *testing.T) {
	t.Parallel()
	s := screentest.Start(t, 100, 30, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="},
		"sh", "-c", `set -m; "$1" --demo; echo; echo "the shell again"; read line; fg >/dev/null; echo "it left with $?"`, "sh", programs.Build(t, "."))
	s.Wait("add(a*, b*)", " ROW ")
	s.Keys("\x1a")
	s.Wait("the shell again")
	raw := s.Raw()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?7l": "\x1b[?7h", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l"} {
		if strings.LastIndex(raw, off) < strings.LastIndex(raw, on) {
			t.Errorf("%q is still in force in the shell", on)
		}
	}
	s.Resize(120, 36)
	s.Keys("\r")
	s.Wait("add(a*, b*)", "6 Detail", "the server was running")
	s.Keys("q")
	s.Wait("it left with 0")
}

// TestSuspendWithoutAShell: nothing could continue it, so nothing is stopped.
func TestSuspendWithoutAShell(t *testing.T) {
	s := start(t, 100, 30, "--demo")
	s.Wait("add(a*, b*)", " ROW ")
	s.Keys("\x1a")
	s.Wait("the server was running")
	s.Keys("q")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestResizeStorm: whatever sizes the terminal had in between, the last one is drawn whole.
func TestResizeStorm(t *testing.T) {
	s := start(t, 160, 45, "--demo")
	s.Wait("add(a*, b*)", " ROW ")
	for i := range 60 {
		s.Resize(2+(i*37)%199, 2+(i*13)%59)
		if i%10 == 0 {
			s.Resize(2, 2)
		}
	}
	s.Resize(0, 0)
	s.Resize(120, 36)
	screen := s.Until("every pane at 120x36", func(screen string) bool {
		lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
		return len(lines) == 36 && strings.HasPrefix(lines[0], " mcpinspect-demo") && strings.HasPrefix(lines[35], " ROW ") && strings.Contains(screen, "6 Detail")
	})
	for _, l := range strings.Split(strings.TrimSuffix(screen, "\n"), "\n")[1:34] {
		if !strings.HasPrefix(l, "│") && !strings.HasPrefix(l, "┌") || !strings.HasSuffix(l, "│") && !strings.HasSuffix(l, "┐") {
			t.Fatalf("a line is not drawn whole: %q\n%s", l, screen)
		}
	}
	s.Keys(":q\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestFilterOnScreen: typed by a script at once, kept when the server is started again.
func TestFilterOnScreen(t *testing.T) {
	s := start(t, 160, 45, "--demo")
	s.Wait("2 Tools 25 Resources Prompts")
	s.Keys("5fmethod:tools/* dir:in\r")
	s.Wait("5 Wire filter method:tools/* dir:in", "3 of 10 rows", " ROW ")
	s.Keys("R")
	s.Wait("run 2", "5 Wire filter method:tools/* dir:in", "6 of ")
	s.Keys("f foo:x\r")
	s.Wait("no field", "at character")
	s.Keys("\x1b")
	s.Wait("6 of ", " ROW ")
	s.Keys("\x1b")
	s.Wait("all rows again")
}
