// Command screen is what a Bubble Tea program costs that draws little more than what is typed, with the
// libraries of mcpinspect linked in: the measure for the time until the tools are visible and, beside a
// command whose output it throws away, for the time from a key to its echo under a flood.
//
//	screen [COMMAND ARG...]
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	_ "example.com/mcpinspect/ui/quiet"

	_ "net/http"

	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	_ "github.com/dlclark/regexp2/v2"
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/yosida95/uritemplate/v3"
)

type frame struct {
	w, h  int
	typed string
}

func (frame) Init() tea.Cmd { return nil }

func (f frame) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		f.w, f.h = m.Width, m.Height
	case tea.KeyMsg:
		switch m.Type {
		case tea.KeyRunes:
			f.typed += string(m.Runes)
		case tea.KeyCtrlU:
			f.typed = ""
		default:
			return f, tea.Quit
		}
	}
	return f, nil
}

func (f frame) View() string {
	lines := make([]string, f.h)
	for i := range lines {
		lines[i] = strings.Repeat("x", f.w)
	}
	if f.h > 0 {
		lines[0] = "greet /" + f.typed
	}
	return strings.Join(lines, "\n")
}

// framesPerSecond are those of mcpinspect, and so are the processors: one to spare for the loop.
const framesPerSecond, processors = 120, 4

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "screen:", err)
		os.Exit(1)
	}
}

func run(argv []string) error {
	if len(argv) > 0 {
		runtime.GOMAXPROCS(max(processors, runtime.GOMAXPROCS(0)))
		server := exec.Command(argv[0], argv[1:]...)
		server.Stdout = discard{} // and not io.Discard, which would be /dev/null
		stdin, err := server.StdinPipe()
		if err != nil {
			return err
		}
		if err := server.Start(); err != nil {
			return err
		}
		defer server.Wait()
		defer stdin.Close()
	}
	_, err := tea.NewProgram(frame{}, tea.WithAltScreen(), tea.WithFPS(framesPerSecond)).Run()
	return err
}

// discard reads a pipe and does nothing with it.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
