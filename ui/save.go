package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/export"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/session/script"
	"example.com/mcpinspect/ui/text"
)

// shownSelector stands for the rows that the wire shows, where a filter is asked for.
const shownSelector = "@shown"

// save is :save [FILE] [FILTER]: the recording so far under a name of the person's, masked as it is,
// or the rows of it that the filter selects.
func (a *app) save(line string) tea.Cmd {
	_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	to, expr := fileAndFilter(rest)
	from := a.source()
	if from == "" {
		a.say("nothing to save: this session is not recorded")
		return nil
	}
	if to == "" {
		to = a.madeName(".jsonl")
	}
	if expr == "" {
		return func() tea.Msg { return noticeMsg(copyTo(to, from)) }
	}
	x, err := a.selection(expr)
	if err != nil {
		a.say("%v", err)
		return nil
	}
	sess, secrets := a.sess, a.look.secrets
	a.say("saving the rows of %s", x)
	return func() tea.Msg { return noticeMsg(savePart(to, from, sess, x, secrets)) }
}

// source is the file that the session is recorded in, or read from; empty for none.
func (a *app) source() string {
	if a.opts.Recording != "" && a.live() {
		return a.opts.Recording
	}
	return a.sess.Target().File
}

// fileAndFilter tells the name of a file from a filter that follows it. Without a file the filter
// comes first: what has a colon, a comparison or a parenthesis, or begins with @ or a quote, is one.
func fileAndFilter(rest string) (file, expr string) {
	rest = strings.TrimSpace(rest)
	first, more, _ := strings.Cut(rest, " ")
	isPath := strings.ContainsAny(first, `/\`) && !strings.HasPrefix(first, "re:") && !strings.HasPrefix(first, "method:")
	if first != "" && !isPath && (strings.ContainsAny(first, ":<>()") || strings.ContainsAny(first[:1], `@"-`)) {
		return "", rest
	}
	return first, strings.TrimSpace(more)
}

// selection is a filter, in which @shown stands for that of the wire.
func (a *app) selection(expr string) (*filter.Expr, error) {
	if strings.Contains(expr, shownSelector) {
		shown := "@all"
		if f := strings.TrimSpace(a.wire.filtered()); f != "" {
			shown = "(" + f + ")"
		}
		expr = strings.ReplaceAll(expr, shownSelector, shown)
	}
	return a.expression(expr)
}

// copyTo copies a recording with the notes beside it and says how that went.
func copyTo(to, from string) string {
	n, err := recordings.Copy(to, from)
	switch {
	case errors.As(err, new(*recordings.ExistsError)):
		return to + " exists already: choose another name"
	case err != nil:
		return "not saved: " + err.Error()
	}
	said := fmt.Sprintf("saved %s in %s", text.Size(n), to)
	if _, err := recordings.Copy(to+recordings.NotesExt, from+recordings.NotesExt); err == nil {
		said += ", the notes in " + filepath.Base(to) + recordings.NotesExt
	}
	return said
}

// savePart saves the rows of a session that pass and says how that went.
func savePart(to, from string, s *session.Session, x *filter.Expr, secrets *recordings.Secrets) string {
	r, err := recordings.Open(from)
	if err != nil {
		return "not saved: " + err.Error()
	}
	defer r.Close()
	head := r.Head()
	masks, err := script.ReadMasks(r)
	if err != nil {
		return "not saved: " + err.Error()
	}
	w, err := recordings.Create(to, false)
	switch {
	case errors.As(err, new(*recordings.ExistsError)):
		return to + " exists already: choose another name"
	case err != nil:
		return "not saved: " + err.Error()
	}
	log := s.Log()
	n, err := export.Part(w, s, export.Options{Head: head, Filter: x.String(), Keep: func(e *session.Event) bool { return x.Match(e, log) }}, masks, secrets)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	switch {
	case err != nil:
		return "not saved: " + err.Error()
	case n == 0:
		os.Remove(to) // nobody asked for an empty one
		return "not saved: no row passes " + x.String()
	}
	return fmt.Sprintf("saved %s in %s", text.Plural(n, "row"), to)
}

// madeName is a name for a file in the working directory that sorts by time.
func (a *app) madeName(ext string) string {
	name := "session"
	if v := a.snap.Server; v != nil && v.Name != "" {
		name = v.Name
	}
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, filepath.Base(name)), "-")
	return fmt.Sprintf("%s-%s%s", name, time.Now().Format("20060102-150405"), ext)
}
