package ui

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
)

// copyTime bounds a clipboard tool that hangs, for example without a display.
const copyTime = 2 * time.Second

// osc52Limit is what common terminals take in one OSC 52 sequence.
const osc52Limit = 74_000

// copyText puts text into the clipboard: the tmux buffer (which passes it on), the system's tool,
// else the terminal by OSC 52. It says what happened; a terminal does not tell whether it obeyed.
func copyText(ctx context.Context, out *guard, what, s string) tea.Cmd {
	return func() tea.Msg {
		said := fmt.Sprintf("copied %s, %s", what, text.Size(int64(len(s))))
		for _, tool := range clipboardTools() {
			if err := feedTool(ctx, tool, s); err == nil {
				return noticeMsg(said + " by " + tool[0])
			}
		}
		if len(s) > osc52Limit {
			return noticeMsg(fmt.Sprintf("not copied: %s is too much for the terminal, and no clipboard tool is there", text.Size(int64(len(s)))))
		}
		fmt.Fprintf(out, "\x1b]52;c;%s\a", base64.StdEncoding.EncodeToString([]byte(s)))
		return noticeMsg(said + " by OSC 52, if the terminal allows it")
	}
}

// clipboardTools are the commands worth trying here, in order.
func clipboardTools() (tools [][]string) {
	if os.Getenv("TMUX") != "" {
		tools = append(tools, []string{"tmux", "load-buffer", "-w", "-"})
	}
	switch {
	case runtime.GOOS == "darwin":
		return append(tools, []string{"pbcopy"})
	case runtime.GOOS == "windows":
		return append(tools, []string{"clip.exe"})
	case os.Getenv("WAYLAND_DISPLAY") != "":
		return append(tools, []string{"wl-copy"})
	case os.Getenv("DISPLAY") != "":
		return append(tools, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "-ib"})
	}
	return tools
}

func feedTool(ctx context.Context, tool []string, s string) error {
	if _, err := exec.LookPath(tool[0]); err != nil {
		return err
	}
	ctx, stop := context.WithTimeoutCause(ctx, copyTime, errors.New("the clipboard tool hangs"))
	defer stop()
	cmd := exec.CommandContext(ctx, tool[0], tool[1:]...)
	cmd.Stdin = strings.NewReader(s)
	return cmd.Run()
}
