package check

import (
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Note judges a decision of ours, or how the server lives and ends.
func (o *Observer) Note(e *session.Event, n *client.Note) []session.Mark {
	r := o.run(n.Run)
	v := verdicts{o: o}
	switch n.What {
	case client.NoteEra:
		r.revision = client.Revision(client.GetText(n.Data, "revision"))
	case client.NoteTimeout:
		r.giveUp(n.ID)
		if r.revision == "" {
			v.add(probeSilent, "%s", n.Text)
			break
		}
		v.add(unansweredRequest, "%s", n.Text)
	case client.NoteCancel:
		r.giveUp(n.ID)
	case client.NoteLate:
		v.add(lateAnswer, "%s", n.Text)
	case client.NotePages:
		if client.Get(n.Data, "cursor") != nil {
			v.add(cursorNoText, "%s", n.Text)
		}
		switch client.Stop(client.GetText(n.Data, "stop")) {
		case client.StopLoop:
			v.add(cursorLoop, "%s", n.Text)
		case client.StopCeiling:
			v.add(endlessPages, "%s", n.Text)
		case client.StopError:
			v.pageFailed(n)
		}
	case client.NoteShutdown:
		switch client.Asked(client.GetText(n.Data, "asked")) {
		case client.AskedStdin:
		case client.AskedTerm, client.AskedKill:
			r.told = true
		default:
			v.add(leftProcess, "%s", n.Text)
		}
	case session.NoteFound:
		v.found(n)
	case session.NoteProbe:
		r.probing = client.Get(n.Data, "sends") != nil
	case client.NoteExit:
		if n.Exit != nil {
			v.exit(r, *n.Exit)
		}
	}
	return v.marks
}

// pageFailed judges a list that the server refused. Without an error of its own the server has gone,
// which is another finding. The capability for resources does not promise templates.
func (v *verdicts) pageFailed(n *client.Note) {
	refusal := client.Get(n.Data, "error")
	switch {
	case refusal == nil:
	case client.GetText(n.Data, "list") == client.Templates.Name && string(client.Get(refusal, "code")) == strconv.Itoa(client.CodeMethodNotFound):
		v.graded(pageFailed, int(session.Info), "%s", n.Text)
	default:
		v.add(pageFailed, "%s", n.Text)
	}
}

func (r *run) giveUp(id string) { r.drop(func(q request) bool { return q.id == id }) }

// exit judges how a run ended.
func (v *verdicts) exit(r *run, x client.Exit) {
	owed := r.owed()
	switch x.Asked {
	case client.AskedNo:
		switch {
		case owed != "" && r.revision == "" && onlyProbes(r.open):
			v.add(endedOnProbe, "the server ended with %s when it was asked server/discover first", x)
		case owed != "":
			v.add(serverDied, "the server ended with %s before it had answered %s", x, owed)
		case x.Code != 0 || x.Signal != "":
			v.add(serverDied, "the server ended by itself with %s", x)
		default:
			v.add(serverEnded, "the server ended by itself with %s", x)
		}
		return
	case client.AskedTerm:
		v.add(slowShutdown, "the server ran on after its stdin was closed and needed SIGTERM to end")
	case client.AskedKill:
		v.add(slowShutdown, "the server ran on after its stdin was closed, and after SIGTERM: it was killed")
	case client.AskedStdin:
		if x.Code != 0 || x.Signal != "" {
			v.add(exitStatus, "the server ended with %s after its stdin was closed", x)
		}
	}
	if owed != "" {
		v.add(unansweredRequest, "the session ended before the server had answered %s", owed)
	}
}

func onlyProbes(open []request) bool {
	for _, q := range open {
		if q.method != client.MethodDiscover {
			return false
		}
	}
	return true
}

// subject is what a finding is about: the method of a message where it has one, else its stream. The
// method of stray output is that of a request that happened to be open.
func subject(e *session.Event) string {
	switch {
	case e.Note != nil && e.Note.What == client.NotePages:
		return client.GetText(e.Note.Data, "list")
	case e.Note != nil && e.Note.What == session.NoteFound:
		return client.GetText(e.Note.Data, "subject")
	case e.Stream == client.Life:
		return "server"
	case e.Method != "" && !e.Stray() && !strings.ContainsAny(e.Method, "\r\n"):
		return e.Method
	}
	return streamOf(e)
}

// streamOf names where a row came from as a person would: an exchange of HTTP has no stdout.
func streamOf(e *session.Event) string {
	switch {
	case e.Stream == client.Life:
		return "life"
	case e.Exchange == 0:
		return "std" + e.Stream.String()
	case e.Stream == client.In:
		return "request"
	}
	return "reply"
}
