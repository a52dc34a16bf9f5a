package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
)

// save is :save [FILE]: the recording so far under a name of the person's, masked as it is.
func (a *app) save(rest []string) tea.Cmd {
	from := a.opts.Recording
	if from == "" || !a.live() {
		from = a.sess.Target().File
	}
	switch {
	case len(rest) > 1:
		a.say("save takes one FILE")
		return nil
	case from == "":
		a.say("nothing to save: this session is not recorded")
		return nil
	}
	to := a.saveName()
	if len(rest) == 1 {
		to = rest[0]
	}
	return func() tea.Msg {
		n, err := recordings.Copy(to, from)
		var taken *recordings.ExistsError
		switch {
		case errors.As(err, &taken):
			return noticeMsg(to + " exists already: choose another name")
		case err != nil:
			return noticeMsg("not saved: " + err.Error())
		}
		return noticeMsg(fmt.Sprintf("saved %s in %s", text.Size(n), to))
	}
}

// saveName is a name for a recording in the working directory that sorts by time.
func (a *app) saveName() string {
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
	return fmt.Sprintf("%s-%s.jsonl", name, time.Now().Format("20060102-150405"))
}
