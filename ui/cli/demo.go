package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client/demo"
)

// demoVerb is what --demo starts this program with, as a process of its own.
const demoVerb = "demo-server"

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{Use: demoVerb, Short: "be the built-in server, on stdin and stdout", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// A test binary that starts "itself" would run all its tests as a server.
			self := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
			if strings.HasSuffix(self, ".test") {
				return usagef("%s is a test program, not mcpinspect", self)
			}
			a.signals.takeOver() // it dies of a signal, as a server does
			return demo.Serve(c.Context(), a.io.In, a.io.Out, a.io.Err)
		}}
}
