package session

import (
	"fmt"

	"example.com/mcpinspect/client"
)

// Subject says in one line what a row is; about is what Log.About gives. strong marks what must
// not be missed. The line holds text of the server as it came, and the id as far as the event has one.
func (e *Event) Subject(about string) (what string, strong bool) {
	method := e.Method
	if about != "" {
		method += " " + about
	}
	switch {
	case e.Note != nil:
		return e.Note.What + " " + e.Note.Text, e.Note.What == client.NoteExit && e.Note.Exit.Asked == client.AskedNo || e.Note.What == client.NoteFault
	case e.Stream == client.Err:
		return string(e.Head), false
	case e.Kind == client.KindBlank:
		return "blank line", false
	case e.Stray():
		return `STRAY "` + string(e.Head) + `"`, false
	}
	switch e.Kind {
	case client.KindRequest:
		what = method + e.id()
		if e.Cancelled && e.Pair == NoPair {
			what += " (cancelled)"
		} else if e.Open {
			what += " ... open"
		} else if e.Pair == NoPair {
			what += " (never answered)"
		}
	case client.KindNotification:
		what = e.Method
	case client.KindResponse, client.KindError:
		name, of := "result", "no request"
		if e.Kind == client.KindError {
			name, strong = "ERROR", true
		} else if e.Failed {
			name, strong = "TOOL ERROR", true
		}
		if e.Pair != NoPair {
			of = fmt.Sprintf("#%d %s", e.Pair, method)
		}
		what = fmt.Sprintf("%s of %s", name, of)
		if e.Pair == NoPair {
			what += e.id()
		}
	case client.KindBatch:
		what = fmt.Sprintf("batch of %d messages", e.Count)
	default:
		what = e.Kind.String() + " " + string(e.Head)
	}
	for _, m := range e.Marks {
		if m.Severity == Error {
			what = "FINDING " + m.Rule + ": " + what
			break
		}
	}
	return what, strong
}

func (e *Event) id() string {
	if e.ID == "" {
		return ""
	}
	return " id " + e.ID
}

// About names what a request is about, also for its answer: the tool, prompt or resource.
func (l *Log) About(e *Event) string {
	head := e.Head
	if e.Stream == client.Out && e.Pair != NoPair && !e.Stray() {
		q, ok := l.Event(e.Pair)
		if !ok {
			return ""
		}
		head = q.Head
	} else if e.Kind != client.KindRequest {
		return ""
	}
	params := client.Get(head, "params") // the head may be cut behind the name, which comes first
	if name := client.GetText(params, "name"); name != "" {
		return name
	}
	return client.GetText(params, "uri")
}
