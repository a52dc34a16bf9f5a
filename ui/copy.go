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
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client"
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

// copy puts a part of the focused pane into the clipboard.
func (a *app) copy(what string) tea.Cmd {
	var s, name string
	switch what {
	case "y":
		s, name = a.line(), "the line"
	case "v":
		s, name = a.valueUnder(), "the value"
	case "t":
		s, name = a.valueUnder(), "the text"
		if t, ok := client.Text([]byte(s)); ok {
			s = t
		}
	case "p":
		s, name = a.pointer(), "the pointer"
	case "c":
		return a.copyCommand()
	case "s":
		line, why := a.pipeLine()
		if why != "" {
			a.say("%s", why)
			return nil
		}
		s, name = line, "the shell pipe"
	default:
		return nil
	}
	if s == "" {
		a.say("nothing to copy here")
		return nil
	}
	return copyText(a.ctx, a.out, name, s)
}

// line is the line under the cursor, true bytes where there are some.
func (a *app) line() string {
	if a.help != nil {
		l, _ := a.help.lines.current()
		return strings.TrimSpace(ansi.Strip(l.text))
	}
	switch a.mode.Focus {
	case PaneServer:
		l, _ := a.server.lines.current()
		return l.text
	case PaneResult:
		l, _ := a.result.lines.current()
		return l.text
	case PaneTools:
		r, _ := a.offers.tab.current()
		return r.of.name
	case PaneCall, PaneQuestion:
		return a.formPane().line()
	case PaneWire:
		return string(a.detail.body.Bytes()) // of the same row
	case PaneDetail:
		return a.detail.line()
	}
	return ""
}

// valueUnder is the value behind the line under the cursor, as it was sent where it came from the wire.
func (a *app) valueUnder() string {
	switch a.mode.Focus {
	case PaneServer:
		l, _ := a.server.lines.current()
		return l.copy
	case PaneResult:
		l, _ := a.result.lines.current()
		return l.copy
	case PaneTools:
		r, _ := a.offers.tab.current()
		return string(r.item.Raw)
	case PaneCall, PaneQuestion:
		args, _, _ := a.formPane().value()
		return string(args)
	case PaneDetail:
		return a.detail.value()
	}
	return a.line()
}

func (a *app) pointer() string {
	switch a.mode.Focus {
	case PaneCall, PaneQuestion:
		return a.formPane().path()
	case PaneDetail:
		return a.detail.pointer()
	}
	return ""
}
