package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// lastCall is the latest tools/call of the screen, whatever sent it.
type lastCall struct {
	tool string
	req  client.Request
}

// repeat sends the last call again from the call and result panes, or the request of the row under
// the cursor of the wire.
func (a *app) repeat() tea.Cmd {
	if a.mode.Focus == PaneWire {
		return a.repeatRow(a.wire.selected())
	}
	return a.again()
}

// repeatRow sends the request of a row once more, or the one that the row answers: with a new id, a
// new progress token and the _meta of now.
func (a *app) repeatRow(row int) tea.Cmd {
	log := a.sess.Log()
	e, ok := log.Event(row)
	if ok && e.Stream == client.Out && e.Pair != session.NoPair {
		e, ok = log.Event(e.Pair)
	}
	if !ok || e.Stream != client.In {
		a.say("this row has no request of ours to send again")
		return nil
	}
	if e.Kept < e.Size { // and in the recording secrets are stars
		a.say("row %d is no longer in memory as it was sent: it cannot be sent again", e.Seq)
		return nil
	}
	body := log.Body(e.Seq)
	messages := client.Judge(body).Messages
	for _, m := range messages {
		in := client.Incoming{Message: m, Body: body}
		if m.Kind == client.KindNotification {
			if err := a.sess.Notify(in.MethodName(), in.Raw(in.Params)); err != nil {
				a.say("%v", err)
				return nil
			}
			a.say("sent %s again", in.MethodName())
			return nil
		}
		if r, ok := client.Resend(in); ok {
			return a.repeatRequest(r, e.Seq)
		}
	}
	a.say("this row is no request; :raw sends bytes as they are")
	return nil
}

// repeatRequest sends a request again. A tool that says it is destructive asks first, and the panes
// turn to the tool, so that its answer is seen.
func (a *app) repeatRequest(r client.Request, row int) tea.Cmd {
	what := fmt.Sprintf("#%d again: %s", row, r.Method)
	of := offerIn(r)
	tool := ""
	if of.isTool() {
		tool = of.name
	}
	what = strings.TrimSpace(what + " " + of.name)
	send := func() tea.Cmd {
		if it, ok := of.find(a.snap); ok || of.done() == "read" && of.name != "" {
			a.turnTo(of, it)
			args := client.Get(r.Params, "arguments")
			if args == nil {
				args = []byte("{}")
			}
			a.call.began(of, args, false)
		}
		a.result.view = viewResult
		a.say("%s", what)
		return a.request(of.name, r)
	}
	if it, ok := a.snap.List(client.Tools.Name).Find(tool); ok && it.Hints().Said && !a.call.asked[tool] {
		a.prompt.confirm(fmt.Sprintf("%s says that it is destructive: send it again?", tool), send)
		return nil
	}
	return send()
}

// noTool says that there is no tool of a name, and which may have been meant.
func noTool(name string, list *session.List) string {
	return noOffer(toolOffer(name), list)
}
