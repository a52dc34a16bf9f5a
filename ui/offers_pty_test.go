//go:build !windows

package ui_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// rowsOf counts the rows of the wire of a direction that name something.
func rowsOf(screen, direction, what string) (n int) {
	for _, l := range strings.Split(screen, "\n") {
		if _, row, found := strings.Cut(l, direction); found && strings.Contains(row, what) {
			n++
		}
	}
	return n
}

// resultLines are the lines of the result pane on a screen of three columns, without its borders.
func resultLines(screen string) (out []string) {
	in := false
	for _, l := range strings.Split(screen, "\n") {
		cells := strings.FieldsFunc(l, func(r rune) bool { return r == '│' || r == '┬' || r == '┌' || r == '┐' })
		switch {
		case strings.Contains(l, "4 Result"):
			in = true
		case in && len(cells) > 1:
			if s := strings.TrimRight(cells[1], " ─"); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// TestOpenedIsAsLive: what was read, filled in and got is shown the same once the recording is opened.
func TestOpenedIsAsLive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "offers.jsonl")
	live := start(t, 160, 45, "--record", path, "--demo")
	live.Wait("2 Tools 25 Resources Prompts")
	steps := []struct {
		keys   string
		wait   []string
		result []string
	}{
		{wait: []string{"4 Result of #", "# Demo", "sent uri demo://readme"}},
		{keys: "2jj\r", wait: []string{"PNG 32x32", "▀▀▀▀", "sent uri demo://logo.png"}},
		{keys: "2G", wait: []string{"> city", "nothing of this template was read yet"}},
	}
	for i, s := range steps {
		if i == 0 {
			live.Keys("v")
			live.Wait("2 Tools Resources 6 Prompts")
			live.Keys("g\r")
		} else {
			live.Keys(s.keys)
		}
		screen := live.Wait(s.wait...)
		steps[i].result = resultLines(screen)
	}
	live.Keys("\r")
	live.Wait("3 Template demo://city/{name}")
	live.Keys("\r")
	live.Wait("EDITING")
	live.Keys("Ky")
	live.Wait("1 value, ctrl+n", "Kyōto")
	live.Keys("\x0e\x13") // take it, send
	live.Wait("Kyōto (Japan) was the capital", "sent uri demo://city/Ky%C5%8Dto")
	live.Keys("\x1b")
	live.Wait(" ROW ")
	live.Keys("2v")
	live.Wait("2 Tools Resources Prompts 4", "trip(country*, city*)")
	live.Keys("gjj\r")
	live.Wait("3 Prompt trip")
	live.Keys("\r")
	live.Wait("EDITING")
	live.Keys("Nor")
	live.Wait("1 value, ctrl+n", "Norway")
	live.Keys("\x0e\t")
	live.Wait("2 values, ctrl+n", "Bergen", "Oslo")
	live.Keys("\x0e\x0e\x13")
	prompt := resultLines(live.Wait("Plan a day in Oslo, Norway.", "In the morning, yes.", "sent arguments 2 keys"))
	live.Keys("\x1b")
	live.Wait(" ROW ")
	live.Keys("q")
	if code := live.Exit(); code != 0 {
		t.Fatalf("exit %d", code)
	}

	opened := screentest.Start(t, 160, 45, []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR="}, programs.Build(t, "."), "open", path)
	opened.Wait("recording offers.jsonl", "ENDED", "2 Tools 25 Resources Prompts")
	opened.Keys("v")
	opened.Wait("2 Tools Resources 7 Prompts") // with what was read of the template
	compare := func(keys string, want []string) {
		t.Helper()
		opened.Keys(keys)
		opened.Until("the result as it was live:\n"+strings.Join(want, "\n"), func(screen string) bool {
			return strings.Join(resultLines(screen), "\n") == strings.Join(want, "\n")
		})
	}
	compare("g\r", steps[0].result)
	compare("2jj\r", steps[1].result)
	opened.Keys("2Gk")
	opened.Wait("> city", "Kyōto (Japan) was the capital", "sent uri demo://city/Ky%C5%8Dto")
	opened.Keys("vgjj")
	opened.Wait("3 Prompt trip")
	compare("4", prompt)
}

// TestCompletionOfASlowServer: a further letter cancels the question under way, and a server that
// fails is not asked about that argument again.
func TestCompletionOfASlowServer(t *testing.T) {
	gosdk := programs.Build(t, "testdata/servers/gosdk")
	for name, args := range map[string][]string{"stdio": {"--", gosdk}, "http": {serveHTTP(t, gosdk)}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, 160, 45, args...)
			s.Wait("2 Tools 23 Resources Prompts")
			s.Keys("vv")
			s.Wait("2 Tools Resources Prompts 2", "letter(to*, slow, odd)")
			s.Keys("G\r")
			s.Wait("3 Prompt letter")
			s.Keys("j\r")
			s.Wait("EDITING")
			s.Keys("x")
			sent := func(what string, n int) {
				s.Until("what was sent", func(screen string) bool { return rowsOf(screen, "-> out", what) >= n })
			}
			sent("completion/complete", 1)
			s.Keys("y")
			if name == "stdio" {
				sent("notifications/cancelled", 1)
			} else {
				sent("completion/complete", 2)
			}
			s.Keys("\t")
			s.Wait("values of odd are not asked for any more", "nobody knows")
			s.Keys("x\x1b[Z\x1b[Z") // back to the first
			s.Keys("a")
			s.Wait("2 of 12 values, ctrl+n", "Aalen", "Aarau")
			s.Keys("\x10\x1b") // the last
			s.Wait("Aarau", " ROW ")
			s.Keys("s")
			s.Wait("Result of #", "user:")
		})
	}
}

// serveHTTP starts the server of the SDK over HTTP and returns its address.
func serveHTTP(t *testing.T, program string) string {
	t.Helper()
	cmd := exec.Command(program, "-http", "127.0.0.1:0")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), "gosdk: ")
	return address
}
