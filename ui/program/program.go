// Package program is all of mcpinspect: the verbs with the screen that they open.
package program

import (
	"context"
	"os"

	"example.com/mcpinspect/ui"
	"example.com/mcpinspect/ui/cli"
	_ "example.com/mcpinspect/ui/quiet" // keeps the terminal from being asked at start-up; see its documentation
)

// Run runs the command line of this process and returns its exit code.
func Run() int {
	return cli.Main(context.Background(), os.Args[1:], cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, screen)
}

// screen opens the inspector on what the command line asked for.
func screen(ctx context.Context, s cli.Screen) error {
	return ui.Run(ctx, ui.Options{Session: s.Session, Theme: s.Theme, NoColor: s.NoColor, ASCII: s.ASCII, Tool: s.Tool, Args: s.Args,
		Recording: s.Recording, Load: s.Load, HostLimit: s.HostLimit, Secrets: s.Secrets,
		History: s.History, Watch: ui.WatchOptions(s.Watch), Questions: s.Questions, Replay: ui.Replay(s.Replay), Again: s.Again, In: s.In, Out: s.Out})
}
