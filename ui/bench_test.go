//go:build !windows

package ui_test

import (
	"bufio"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// BenchmarkToolsVisible is the time from the start until the tools are on the screen, beside a
// bare program with the same libraries and the server's own time to its first answers. The sum of
// the two is the measure: go test -bench ToolsVisible ./ui.
func BenchmarkToolsVisible(b *testing.B) {
	server := programs.Build(b, "testdata/servers/gosdk")
	env := []string{"XDG_STATE_HOME=" + b.TempDir()}
	for name, argv := range map[string][]string{
		"mcpinspect": {programs.Build(b, "."), "--no-keep", "--", server},
		"bare":       {programs.Build(b, "testdata/bare/screen")},
	} {
		b.Run(name, func(b *testing.B) {
			resident := 0.0
			for b.Loop() {
				s := screentest.Start(b, 160, 45, env, argv...)
				s.Wait("greet")
				b.StopTimer()
				resident = max(resident, float64(s.Resident()))
				s.End()
				b.StartTimer()
			}
			b.ReportMetric(resident/(1<<20), "MiB-resident")
		})
	}
	b.Run("server", func(b *testing.B) { // until its first answer
		for b.Loop() {
			firstAnswer(b, server)
		}
	})
}

// firstAnswer starts a server and waits for its answer to server/discover.
func firstAnswer(b *testing.B, server string) {
	cmd := exec.Command(server)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
	if _, err := bufio.NewReader(out).ReadBytes('\n'); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
}

// BenchmarkKeyEcho is the time from a key to its effect on the terminal, with nothing else going
// on, under 100,000 messages a second and under floods that never end, which take as much of the
// machine as they get. Each key follows the echo of the one before, so it has just missed a frame of the
// renderer, which draws 120 a second: 8 ms are its own. The bare program draws what is typed and throws
// the same flood away: nothing that is made of Bubble Tea is quicker on the machine.
func BenchmarkKeyEcho(b *testing.B) {
	program := programs.Build(b, ".")
	message := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 100) + `"}}`
	bare, pace := programs.Build(b, "testdata/bare/screen"), programs.Build(b, "testdata/bare/pace")
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"idle", []string{program, "--no-keep", "--demo"}},
		{"bare", []string{bare, pace}},
		{"paced", []string{program, "--no-keep", "--", pace}},
		{"stray", []string{program, "--no-keep", "--", "yes"}},
		{"messages", []string{program, "--no-keep", "--", "yes", message}},
		{"stderr", []string{program, "--no-keep", "--", "sh", "-c", "yes a line on stderr >&2"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := screentest.Start(b, 160, 45, []string{"XDG_STATE_HOME=" + b.TempDir()}, c.argv...)
			if c.argv[0] == bare {
				s.Wait("greet /")
			} else {
				s.Wait(" ROW ", "5 Wire")
				s.Keys("5/")
				s.Wait("\n /")
			}
			const line = 20 // characters typed before the prompt is emptied
			var took []time.Duration
			typed := ""
			rows, started := wireRows(s.Text()), time.Now()
			for b.Loop() {
				if len(typed) == line {
					s.Keys("\x15") // ctrl+u
					typed = ""
				}
				typed += string(rune('a' + len(took)%26))
				before, began := s.Written(), time.Now()
				s.Keys(typed[len(typed)-1:])
				s.Drawn(before, "/"+typed)
				took = append(took, time.Since(began))
			}
			b.ReportMetric(float64(wireRows(s.Text())-rows)/time.Since(started).Seconds(), "rows/s")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
		})
	}
}

// wireRows is how many rows the log has, as the title of the wire tells; 0 where it does not.
func wireRows(screen string) int {
	words := strings.Fields(screen)
	at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "row") })
	if at < 1 {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(words[at-1], ",", ""))
	return n
}
