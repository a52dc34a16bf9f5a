//go:build !windows

package ui_test

import (
	"bufio"
	"io"
	"os/exec"
	"testing"

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
			for b.Loop() {
				s := screentest.Start(b, 160, 45, env, argv...)
				s.Wait("greet")
				b.StopTimer()
				s.End()
				b.StartTimer()
			}
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
