// Command screen is what a Bubble Tea program costs that draws one static frame, with the
// libraries of mcpinspect linked in: the measure for the time until the tools are visible.
package main

import (
	"fmt"
	"os"
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

type frame struct{ w, h int }

func (frame) Init() tea.Cmd { return nil }

func (f frame) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		f.w, f.h = m.Width, m.Height
	case tea.KeyMsg:
		return f, tea.Quit
	}
	return f, nil
}

func (f frame) View() string {
	lines := make([]string, f.h)
	for i := range lines {
		lines[i] = strings.Repeat("x", f.w)
	}
	if f.h > 0 {
		lines[0] = "greet"
	}
	return strings.Join(lines, "\n")
}

func main() {
	if _, err := tea.NewProgram(frame{}, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
