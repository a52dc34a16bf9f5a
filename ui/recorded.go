package ui

import (
	"fmt"
	"path/filepath"
	"time"

	"example.com/mcpinspect/ui/text"
)

// nothingStarted is what is said of an action that needs a server, on a recording without one.
const nothingStarted = "this is a recording: nothing is started; mcpinspect open FILE -- COMMAND lets R start a server into it"

// live reports whether the session has, or had, a server of its own: not a recording that is only
// looked at.
func (a *app) live() bool { return a.sess.Target().File == "" || a.sess.Done() != nil }

// startable reports whether R can start a server.
func (a *app) startable() bool {
	t := a.sess.Target()
	return t.File == "" || !t.Recorded
}

// mayAsk reports whether there is a server to ask; it says so when there is none.
func (a *app) mayAsk() bool {
	switch {
	case a.live():
		return true
	case a.startable():
		a.say("this is a recording: R starts the server, which can be asked then")
	default:
		a.say("%s", nothingStarted)
	}
	return false
}

// recorded says in the header which recording is shown and how much of it is there.
func (a *app) recorded() (parts []string) {
	file := a.sess.Target().File
	if file == "" {
		return nil
	}
	parts = append(parts, fmt.Sprintf("recording %s, %s", a.look.glyphs.Short(filepath.Base(file), 40), a.sess.Start().Local().Format(time.DateTime)))
	if p := a.played(); p != "" {
		return append(parts, p)
	}
	switch l, ok := a.sess.Loading(); {
	case !ok || l.Done:
	case l.Waiting:
		parts = append(parts, "following")
	case l.Size > 0:
		parts = append(parts, fmt.Sprintf("loading %d%%", l.Read*100/l.Size))
	default:
		parts = append(parts, "loading "+text.Size(l.Read))
	}
	return parts
}

// damage says what is wrong with a recording that was read to its end; empty for nothing.
func (a *app) damage() string {
	l, _ := a.sess.Loading()
	switch n := len(l.Notices); n {
	case 0:
		return ""
	case 1:
		return "the recording is damaged: " + l.Notices[0].String()
	default:
		return fmt.Sprintf("the recording is damaged in %s; the first: %s", text.Plural(n, "line"), l.Notices[0])
	}
}
