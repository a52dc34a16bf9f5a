package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/export"
	"example.com/mcpinspect/session/filter"
)

// export is :export md|html|har|jsonl [FILE] [FILTER] [--mask POINTER|re:EXPR]...: a file for others,
// masked by the words of the verb.
func (a *app) export(line string) tea.Cmd {
	words := strings.Fields(line)
	as := ""
	if len(words) > 1 {
		as = words[1]
	}
	known := false
	for _, f := range export.Formats {
		known = known || f == as
	}
	if !known {
		a.say("export needs a format: export %s [FILE] [FILTER] [--mask POINTER|re:EXPR], as in :export html @marked", strings.Join(export.Formats, "|"))
		return nil
	}
	_, rest, _ := strings.Cut(line, as)
	rest, hide, err := takeMasks(rest)
	if err != nil {
		a.say("%v", err)
		return nil
	}
	mask, err := export.NewMask(hide, a.look.secrets)
	if err != nil {
		a.say("--mask: %v", err)
		return nil
	}
	to, expr := fileAndFilter(rest)
	if to == "" {
		to = a.madeName("." + as)
	}
	x, err := a.selection(expr)
	if err != nil {
		a.say("%v", err)
		return nil
	}
	sess, from := a.sess, a.source()
	a.say("exporting to %s", to)
	return func() tea.Msg { return noticeMsg(exportTo(to, as, from, sess, x, mask)) }
}

// maskFlag is the word before each thing to hide.
const maskFlag = "--mask"

// takeMasks takes what follows each --mask out of a line, of which the rest stays as it was typed: a
// filter has quotes of its own. A word with spaces stands in quotes.
func takeMasks(line string) (rest string, hide []string, err error) {
	for at := 0; ; {
		i := strings.Index(line[at:], maskFlag)
		if i < 0 {
			return rest + line[at:], hide, nil
		}
		i += at
		end := i + len(maskFlag)
		if i > 0 && line[i-1] != ' ' || end < len(line) && line[end] != ' ' && line[end] != '=' {
			rest, at = rest+line[at:end], end
			continue
		}
		rest += line[at:i]
		word := strings.TrimLeft(strings.TrimPrefix(line[end:], "="), " ")
		closing := " "
		if word != "" && strings.ContainsRune(`'"`, rune(word[0])) {
			closing, word = word[:1], word[1:]
		}
		word, after, closed := strings.Cut(word, closing)
		if word == "" || !closed && closing != " " {
			return "", nil, errors.New("--mask takes a JSON pointer or re:EXPR, in quotes where it has spaces: --mask /params/arguments/user")
		}
		hide = append(hide, word)
		line, at = after, 0
	}
}

// exportTo makes a file for others and says how that went, and what is hidden in it.
func exportTo(to, as, from string, s *session.Session, x *filter.Expr, mask *export.Mask) string {
	o := export.Options{Head: recordings.Head{Start: s.Start()}, Name: filepath.Base(to), Tool: "mcpinspect", Mask: mask}
	if g, err := recordings.Look(from); from != "" && err == nil {
		o.Head, o.Name = g.Head, filepath.Base(from)
	}
	if log := s.Log(); !x.Empty() {
		o.Filter, o.Keep = x.String(), func(e *session.Event) bool { return x.Match(e, log) }
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // the person's alone until they share it
	if err != nil {
		if os.IsExist(err) {
			return to + " exists already: choose another name"
		}
		return "not exported: " + err.Error()
	}
	err = export.Write(f, as, s, o)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(to) // half of it would look like a whole one
		return "not exported: " + err.Error()
	}
	hidden := append(o.Head.Redacted, mask.Hidden()...)
	if len(hidden) == 0 {
		hidden = []string{"nothing"}
	}
	said := fmt.Sprintf("exported to %s; masked: %s; everything else is as it was", to, strings.Join(hidden, ", "))
	if idle := mask.Idle(); len(idle) > 0 {
		said += "; nothing of the kind is there: --mask " + strings.Join(idle, ", --mask ")
	}
	return said
}
