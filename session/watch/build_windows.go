package watch

import (
	"context"
	"os/exec"
	"syscall"
)

// shell is a command line as cmd reads it, quotes and all.
func shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + line + `"`}
	return cmd
}
