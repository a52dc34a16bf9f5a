package form

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
)

// fileLimit is the largest file that a field takes: as base64 it is as long as the longest line
// that is read back.
const fileLimit = 48 << 20

// fileMsg brings the content of a file that was asked for.
type fileMsg struct {
	form       *Form
	path, name string
	content    []byte
	err        error
}

// completedMsg brings the completion of a file name.
type completedMsg struct {
	form        *Form
	typed, full string
	names       []string // what else it could be
}

// FromFile asks for the name of a file whose content becomes the value of the row under the cursor.
func (f *Form) FromFile() string {
	r := f.current()
	if r == nil || f.shows != viewRows {
		return "choose a field first"
	}
	if r.Control == schema.ControlNone {
		return "nothing can be given here"
	}
	f.ask(editFile, r.Path, "", "name of a file, tab completes")
	return ""
}

// readFile reads the named file off the loop.
func (f *Form) readFile() tea.Cmd {
	name, path := f.input.Value(), f.path
	f.editing = editNone
	f.input.Blur()
	if name == "" {
		return nil
	}
	return func() tea.Msg {
		content, err := slurp(name)
		return fileMsg{f, path, name, content, err}
	}
}

func slurp(name string) ([]byte, error) {
	file, err := os.Open(home(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name)
	}
	content, err := io.ReadAll(io.LimitReader(file, fileLimit+1))
	if err == nil && len(content) > fileLimit {
		err = fmt.Errorf("%s is larger than %s", name, text.Size(fileLimit))
	}
	return content, err
}

// takeFile makes the content of a file the value of its row: base64 where the schema wants that.
func (f *Form) takeFile(m fileMsg) {
	if m.err != nil {
		f.said = "the field was left as it is: " + m.err.Error()
		return
	}
	v, _ := f.form.Value()
	value, err := f.schema.ReadBytes(m.path, m.content, v)
	if err == nil {
		err = f.form.LoadAt(m.path, value)
	}
	if err != nil {
		f.said = fmt.Sprintf("the field was left as it is: %s: %v", m.name, err)
		return
	}
	f.said = fmt.Sprintf("%s, %s, is the value now", m.name, text.Size(int64(len(m.content))))
	f.change()
}

// complete completes the file name that is typed, off the loop.
func (f *Form) complete() tea.Cmd {
	typed := f.input.Value()
	return func() tea.Msg {
		full, names := completion(typed)
		return completedMsg{f, typed, full, names}
	}
}

// completion is the longest text that every file beginning like the typed name begins with, and
// the names of those files when there are several. A folder ends with a separator.
func completion(typed string) (full string, names []string) {
	dir, base := filepath.Split(typed)
	entries, err := os.ReadDir(home(filepath.Clean(dir + ".")))
	if err != nil && len(entries) == 0 {
		return typed, nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(home(dir), name)); err == nil && info.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return typed, nil
	}
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			r := []rune(common)
			common = string(r[:len(r)-1])
		}
	}
	if len(names) == 1 {
		names = nil
	}
	return dir + common, names
}

// home puts the person's directory in place of a leading tilde: no shell does it here.
func home(name string) string {
	rest, ok := strings.CutPrefix(name, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return name
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return name
	}
	return dir + rest
}

// namesShown is how many file names a sentence lists.
const namesShown = 8

func (f *Form) takeCompletion(m completedMsg) {
	if f.editing != editFile || f.input.Value() != m.typed {
		return // typed on meanwhile
	}
	f.input.SetValue(m.full)
	f.input.CursorEnd()
	switch {
	case len(m.names) > 0:
		f.said = strings.Join(m.names[:min(len(m.names), namesShown)], "  ")
		if n := len(m.names) - namesShown; n > 0 {
			f.said += fmt.Sprintf("  and %d more", n)
		}
	case m.full == m.typed:
		if _, err := os.Lstat(home(m.full)); errors.Is(err, os.ErrNotExist) {
			f.said = "no file begins with " + m.typed
		}
	}
}
