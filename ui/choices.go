package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/words"
)

// choice is what may be written at the cursor of a prompt.
type choice struct {
	text string // as it is written
	note string // what it is, in a few words
}

// choices are what may take the place of the word that is being typed in a prompt. tab and shift+tab
// go through them; every other key is typed.
type choices struct {
	list   []choice
	from   int    // the byte of the line where the word begins
	before string // the line before the first was taken
	at     int    // which was taken; -1 for none
	dir    folder
}

// folder is a directory whose names are proposed; they are read in a command.
type folder struct {
	path  string
	asked bool
	names []string // of directories with a separator at their end
}

// folderMsg is a directory that was read.
type folderMsg struct {
	path  string
	names []string
}

const (
	// maxChoices is how many are kept: nobody goes through more, and another letter leaves fewer.
	maxChoices = 200

	// maxFolder is how many names of a directory are looked at.
	maxFolder = 5000

	// choiceWidth is how much of a choice is drawn, in cells.
	choiceWidth = 36
)

// typedLine is the line of a prompt up to its cursor, and what is proposed for its last word.
type typedLine struct {
	before []string // the words before the last one, without the name of the command
	rest   string   // what is typed behind that name
	word   string   // the last word, as it is meant
	from   int      // the byte where it begins
	bare   bool     // choices are written as they are, else as a shell would want them
	starts []choice // that begin with the word
	others []choice // that hold it elsewhere
	files  bool     // names of files are proposed, too
	dirs   bool     // only those of directories
}

// propose adds a choice, if it suits what is typed.
func (l *typedLine) propose(s, note string) {
	low, typed := strings.ToLower(s), strings.ToLower(l.word)
	if s == "" || len(l.starts)+len(l.others) >= maxChoices || s == l.word && note == "" {
		return
	}
	if !l.bare {
		s = words.Shell([]string{"x", s})[2:] // as a word that is not the first
	}
	c := choice{s, note}
	switch {
	case slices.ContainsFunc(l.starts, func(x choice) bool { return x.text == s }), slices.ContainsFunc(l.others, func(x choice) bool { return x.text == s }):
	case strings.HasPrefix(low, typed):
		l.starts = append(l.starts, c)
	case strings.Contains(low, typed):
		l.others = append(l.others, c)
	}
}

// proposeAll adds some.
func (l *typedLine) proposeAll(list []string, note string) {
	for _, s := range list {
		l.propose(s, note)
	}
}

// first reports whether the word behind the name of the command is being typed.
func (l *typedLine) first() bool { return len(l.before) == 0 }

// cutWords takes a line apart at blanks that no quotes hold: the words before the last, and where the
// last one begins.
func cutWords(s string) (before []string, from int) {
	quote := rune(0)
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			if i > from {
				before = append(before, meant(s[from:i]))
			}
			from = i + 1
		}
	}
	return before, from
}

// meant is a word without its quotes, also while they are not closed.
func meant(word string) string {
	if w, err := words.Split(word); err == nil && len(w) == 1 {
		return w[0]
	}
	return strings.Trim(word, `'"`)
}

// chooseAnew finds what may be written at the cursor of the prompt now. It is called when something was
// typed; the command it returns reads a directory.
func (a *app) chooseAnew() tea.Cmd {
	p := &a.prompt
	p.choices = choices{at: -1, dir: p.choices.dir}
	line, cursor := p.input.Value(), p.input.Position()
	upto, rest := cutRunes(line, cursor)
	if rest != "" && rest[0] != ' ' && rest[0] != ')' {
		return nil // in the middle of a word
	}
	l := &typedLine{bare: true, rest: upto, from: len(upto)}
	switch p.kind {
	case promptFilter:
		a.proposeExpression(l)
	case promptCommand:
		a.proposeCommand(l)
	default:
		return nil
	}
	var read tea.Cmd
	if l.files {
		read = a.proposeNames(l)
	}
	p.choices.list, p.choices.from, p.choices.before = append(l.starts, l.others...), l.from, line
	return read
}

// cutRunes cuts s behind n characters.
func cutRunes(s string, n int) (string, string) {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at], s[at:]
}

// choose writes the next choice, or the one before; with one choice alone what may follow is found.
func (a *app) choose(by int) tea.Cmd {
	p := &a.prompt
	c := &p.choices
	if len(c.list) == 0 {
		return nil
	}
	switch {
	case c.at < 0 && by < 0:
		c.at = len(c.list) - 1
	default:
		c.at = (c.at + by + len(c.list)) % len(c.list)
	}
	_, rest := cutRunes(c.before, utf8.RuneCountInString(c.before)-utf8.RuneCountInString(p.input.Value())+p.input.Position())
	p.input.SetValue(c.before[:c.from] + c.list[c.at].text + rest)
	p.input.SetCursor(utf8.RuneCountInString(p.input.Value()) - utf8.RuneCountInString(rest))
	if len(c.list) == 1 {
		return a.chooseAnew()
	}
	return nil
}

// choosing is the list of choices in one line; empty where there are none.
func (a *app) choosing() string {
	c := &a.prompt.choices
	if len(c.list) == 0 {
		return ""
	}
	parts := make([]string, len(c.list))
	for i, x := range c.list {
		parts[i] = a.look.glyphs.Short(a.look.mask(x.text), choiceWidth)
		switch {
		case i == c.at:
			parts[i] = a.look.Paint(theme.Cursor, parts[i])
			if x.note != "" {
				parts[i] += " " + a.look.Paint(theme.Faint, a.look.glyphs.Short(a.look.mask(x.note), choiceWidth))
			}
		case x.note != "" && len(c.list) == 1:
			parts[i] += " " + a.look.Paint(theme.Faint, a.look.glyphs.Short(a.look.mask(x.note), a.w))
		}
	}
	head := a.look.Paint(theme.Mark, "tab")
	if n := len(c.list); n > 1 {
		head += " " + a.look.Paint(theme.Faint, fmt.Sprintf("%d of %d", max(c.at+1, 0), n))
		if c.at < 0 {
			head = a.look.Paint(theme.Mark, "tab") + " " + a.look.Paint(theme.Faint, text.Count(n))
		}
	}
	return a.row(append([]string{head}, window(parts, c.at, a.w-2-text.Width(head))...))
}

// window are the parts that fit into w cells, the one at a place among them.
func window(parts []string, at, w int) []string {
	from, used := 0, 0
	for i := 0; i <= at && i < len(parts); i++ {
		for used += text.Width(parts[i]) + 2; used > w && from < i; from++ {
			used -= text.Width(parts[from]) + 2
		}
	}
	return parts[from:]
}

// proposeNames adds the names of files that suit the word, as far as their directory was read.
func (a *app) proposeNames(l *typedLine) tea.Cmd {
	d := &a.prompt.choices.dir
	dir, base := filepath.Split(l.word)
	if path := filepath.Clean(dir + "."); !d.asked || d.path != path {
		*d = folder{path: path, asked: true}
		return func() tea.Msg { return readFolder(path) }
	}
	for _, name := range d.names {
		if isDir := strings.HasSuffix(name, string(filepath.Separator)); l.dirs && !isDir || base == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if strings.HasPrefix(name, base) {
			l.propose(dir+name, "")
		}
	}
	return nil
}

// readFolder lists a directory; nothing where it cannot be read.
func readFolder(path string) folderMsg {
	m := folderMsg{path: path}
	f, err := os.Open(path)
	if err != nil {
		return m
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxFolder) // what could be read
	for _, e := range entries {
		name := e.Name()
		isDir := e.IsDir()
		if info, err := os.Stat(filepath.Join(path, name)); err == nil {
			isDir = info.IsDir()
		}
		if isDir {
			name += string(filepath.Separator)
		}
		m.names = append(m.names, name)
	}
	slices.Sort(m.names)
	return m
}

// folderRead takes in a directory that is still asked about.
func (a *app) folderRead(m folderMsg) {
	d := &a.prompt.choices.dir
	if d.path != m.path || a.prompt.choices.at >= 0 {
		return
	}
	d.names = m.names
	a.chooseAnew()
}
