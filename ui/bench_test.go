//go:build !windows

package ui_test

import (
	"os"
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
				s.Wait("2 Tools 2")
				b.StopTimer()
				s.End()
				b.StartTimer()
			}
		})
	}
	plain := programs.Build(b, "testdata/bare/plain")
	b.Run("server", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(plain, server)
			cmd.Stderr = os.Stderr
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
