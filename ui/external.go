package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/form"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// external is one visit to the person's editor. Run writes the text into a private file, waits for
// the editor and reads the file back. Bubble Tea runs it with the terminal released and its loop
// standing still; the server is captured on.
type external struct {
	argv    []string
	pattern string // of the file's name, as os.CreateTemp takes it
	before  string
	after   string
	in, out *os.File
}

// externalMsg ends a visit to the editor.
type externalMsg struct {
	form  *form.Form
	draft form.Draft
	visit *external
	err   error
}

// errNoEditor says what to do when none is named: guessing one leaves people in vi.
var errNoEditor = errors.New("no editor is named: set $VISUAL or $EDITOR, for example EDITOR=nano, and start again")

// editorCommand takes $VISUAL, else $EDITOR, apart as a shell would, without one: quotes and
// backslashes count, nothing is expanded. On Windows a backslash is a backslash.
func editorCommand(getenv func(string) string) ([]string, error) {
	name := "$VISUAL"
	line := strings.TrimSpace(getenv("VISUAL"))
	if line == "" {
		name, line = "$EDITOR", strings.TrimSpace(getenv("EDITOR"))
	}
	if line == "" {
		return nil, errNoEditor
	}
	if path, err := exec.LookPath(line); err == nil {
		return []string{path}, nil // a path with blanks that nobody quoted
	}
	if runtime.GOOS == "windows" {
		line = strings.ReplaceAll(line, `\`, `\\`)
	}
	argv, err := words.Split(line)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if len(argv) == 0 {
		return nil, errNoEditor
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return nil, fmt.Errorf("%s names %q, which is no program here", name, argv[0])
	}
	return argv, nil
}

// external opens the field under the cursor, or all arguments, in the person's editor.
func (p *callPane) external(in, out *os.File, all bool) (tea.Cmd, string) {
	if p.form == nil {
		return nil, "choose a tool first"
	}
	argv, err := editorCommand(os.Getenv)
	if err != nil {
		return nil, err.Error()
	}
	draft, why := p.form.Draft(all)
	if why != "" {
		return nil, why
	}
	visit := &external{argv: argv, pattern: "mcpinspect-*" + draft.Ext, before: draft.Text, in: in, out: out}
	f := p.form
	return tea.Exec(visit, func(err error) tea.Msg { return externalMsg{f, draft, visit, err} }), ""
}

// edited takes over what the editor left.
func (a *app) edited(m externalMsg) tea.Cmd {
	io.WriteString(a.out, wrapOff) // the editor may have switched it on
	switch {
	case m.err != nil:
		a.say("%v; the form is as it was", m.err)
	case m.visit.after == m.visit.before:
		a.say("the editor changed nothing")
	default:
		if err := m.form.Take(m.draft, m.visit.after); err != nil {
			a.say("%v", err)
		} else {
			a.say("taken from the editor")
		}
		a.call.recheck()
		a.formPane().recheck()
	}
	return tea.ClearScreen
}

// The terminal is the editor's, whatever the screen is drawn through.
func (*external) SetStdin(io.Reader)  {}
func (*external) SetStdout(io.Writer) {}
func (*external) SetStderr(io.Writer) {}

// Run does it all: the file is private, and gone afterwards whatever happened.
func (e *external) Run() error {
	f, err := os.CreateTemp("", e.pattern) // mode 0600
	if err != nil {
		return fmt.Errorf("no file for the editor: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(e.before)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("no file for the editor: %w", err)
	}
	cmd := exec.Command(e.argv[0], append(e.argv[1:len(e.argv):len(e.argv)], f.Name())...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.in, e.out, e.out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %w", e.argv[0], err)
	}
	info, err := os.Stat(f.Name())
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("the editor left no file")
	case err == nil && info.Size() > editedLimit:
		return fmt.Errorf("the editor left %s, the limit is %s", text.Size(info.Size()), text.Size(editedLimit))
	}
	after, err := os.ReadFile(f.Name())
	if err != nil {
		return fmt.Errorf("what the editor left cannot be read: %w", err)
	}
	e.after = string(after)
	return nil
}

// editedLimit is the largest text that is taken from an editor: as long as the longest line that is
// read from a server by default.
const editedLimit = 64 << 20
