package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// taskWord begins a word that names a task; no URI begins like that.
const taskWord = "task="

// listenCommand is :listen [tools] [prompts] [resources] [task=ID...] [URI...] and :unlisten with the same words.
// Without words, listen asks for every list that the server offers to tell of, and unlisten ends all.
func (a *app) listenCommand(verb string, rest []string) tea.Cmd {
	if !a.mayAsk() {
		return nil
	}
	var what client.Interest
	for _, word := range rest {
		switch word {
		case client.Tools.Name:
			what.Tools = true
		case client.Prompts.Name:
			what.Prompts = true
		case client.Resources.Name:
			what.Resources = true
		default:
			if id, ok := strings.CutPrefix(word, taskWord); ok && id != "" {
				what.Tasks = append(what.Tasks, id)
				continue
			}
			what.URIs = append(what.URIs, word)
		}
	}
	do, done := a.sess.Unlisten, "given up; the server is not asked for it any more"
	if verb == "listen" {
		do, done = a.sess.Listen, "the server was asked to tell; what it says is in the wire"
		if what.Empty() && a.snap.Server != nil {
			what = a.snap.Server.Tells()
		}
		if what.Empty() {
			a.say("the server does not offer to tell when a list changes; for a resource: listen URI, for a task: listen task=ID")
			return nil
		}
	}
	ctx, stop := context.WithTimeout(a.ctx, client.DefaultTimeout)
	return func() tea.Msg {
		defer stop()
		if err := do(ctx, what); err != nil {
			return noticeMsg(fmt.Sprintf("%s: %v", verb, err))
		}
		return noticeMsg(done)
	}
}

// heard is one subscription in words.
func heard(sub session.Subscription) string {
	said := sub.Asked.String()
	switch left := sub.Asked.Without(sub.Honoured); {
	case !sub.Acked:
		return said + ", not acknowledged so far"
	case left.String() == said:
		said += ", nothing of which the server tells"
	case !left.Empty():
		said += ", of which the server does not tell " + left.String()
	}
	return said + ", " + text.Plural(sub.Told, "notification")
}

// logLevelCommand is :log-level LEVEL, and :log-level alone to ask for no log messages any more.
func (a *app) logLevelCommand(rest []string) tea.Cmd {
	level, said := "", "no log messages are asked for any more"
	if len(rest) > 0 {
		level, said = rest[0], "log messages of "+rest[0]+" and above are asked for; they are in the wire"
	}
	if err := client.ParseLogLevel(level); len(rest) > 1 || level != "" && err != nil {
		a.say("log-level takes one of %s", strings.Join(client.LogLevels(), ", "))
		return nil
	}
	if !a.mayAsk() {
		return nil
	}
	sess := a.sess
	ctx, stop := context.WithTimeout(a.ctx, client.DefaultTimeout)
	return func() tea.Msg {
		defer stop()
		if err := sess.SetLogLevel(ctx, level); err != nil {
			return noticeMsg(err.Error())
		}
		return noticeMsg(said)
	}
}
