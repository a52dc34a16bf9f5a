//go:build !windows

package ui_test

import (
	"bufio"
	"io"
	"os/exec"
	"slices"
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
// on and under floods that never end. The renderer draws 60 frames a second, so 8 ms of the
// median are its own.
func BenchmarkKeyEcho(b *testing.B) {
	program := programs.Build(b, ".")
	message := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 100) + `"}}`
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"idle", []string{"--demo"}},
		{"stray", []string{"--", "yes"}},
		{"messages", []string{"--", "yes", message}},
		{"stderr", []string{"--", "sh", "-c", "yes a line on stderr >&2"}},
		{"paced", []string{"--", "sh", "-c", `while yes '` + message + `' | head -n 2000; do sleep 0.01; done`}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := screentest.Start(b, 160, 45, []string{"XDG_STATE_HOME=" + b.TempDir()}, append([]string{program, "--no-keep"}, c.argv...)...)
			s.Wait(" ROW ", "5 Wire")
			s.Keys("5/")
			s.Wait("\n /")
			const line = 20 // characters typed before the prompt is emptied
			var took []time.Duration
			typed := ""
			for b.Loop() {
				if len(typed) == line {
					s.Keys("\x15") // ctrl+u
					typed = ""
				}
				typed += string(rune('a' + len(took)%26))
				before, began := len(s.Raw()), time.Now()
				s.Keys(typed[len(typed)-1:])
				s.Drawn(before, "/"+typed)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
		})
	}
}
