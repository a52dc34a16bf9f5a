package check

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Note judges a decision of ours, or how the server lives and ends.
func (o *Observer) Note(e *session.Event, n *client.Note) []session.Mark {
	r := o.run(n.Run)
	v := o.begin(r, e)
	switch n.What {
	case client.NoteTap:
		r.foreign = true
	case client.NoteEra:
		v.era(client.Revision(client.GetText(n.Data, "revision")))
	case client.NoteTimeout:
		v.timeout(n)
	case client.NoteCancel:
		r.giveUp(n.ID, e)
	case client.NoteLost:
		if q := r.ours.find([]byte(n.ID)); q != nil {
			r.ours.drop(q)
		}
	case client.NoteLate:
		rule := lateAnswer
		if q := r.ours.find([]byte(n.ID)); q != nil && q.method == client.MethodDiscover || strings.HasPrefix(n.Text, "the probe") {
			rule = lateProbe
		}
		because := ""
		if r.strays.flaw != nil {
			because = r.strays.flaw.Name
		}
		v.consequence(because, rule, "%s", n.Text)
	case client.NotePages:
		v.pages(n)
	case client.NoteShutdown:
		switch client.Asked(client.GetText(n.Data, "asked")) {
		case client.AskedStdin:
		case client.AskedTerm, client.AskedKill:
			r.told = true
		default:
			v.add(leftProcess, "%s", n.Text)
		}
	case client.NoteUnsent:
		if r.left { // well, and yet too early
			r.left = false
			v.add(serverDied, "%s", n.Text)
		}
	case session.NoteFound:
		v.found(n)
	case session.NoteProbe:
		r.probing = client.Get(n.Data, "sends") != nil
	case client.NoteExit:
		if n.Exit != nil {
			v.exit(*n.Exit)
		}
		v.listenEnds()
		v.endOfLife()
	case client.NoteRequest:
		v.webRequest(n.HTTP)
	case client.NoteReply:
		v.webReply(n.HTTP)
	case client.NoteDone:
		v.webDone(n.HTTP)
	}
	return v.marks
}

// era takes in which revision was agreed on.
func (v *verdicts) era(rev client.Revision) {
	r := v.r
	r.revision, v.rev = rev, rev
	r.modern = r.modern || rev.Modern()
}

func (v *verdicts) timeout(n *client.Note) {
	r := v.r
	q := r.ours.find([]byte(n.ID))
	r.giveUp(n.ID, v.e)
	rule := unansweredRequest
	switch {
	case r.revision == "":
		rule = probeSilent
	case q != nil && q.method == client.MethodPing:
		rule = pingSilent
	}
	v.consequence(r.spoilt(q), rule, "%s", n.Text)
}

func (v *verdicts) pages(n *client.Note) {
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
}

// pageFailed judges a list that the server refused. Without an error of its own the server has gone,
// which is another finding. The capability for resources does not promise templates, and one that
// is declared and not served has a rule of its own.
func (v *verdicts) pageFailed(n *client.Note) {
	refusal := client.Get(n.Data, "error")
	missing := string(client.Get(refusal, "code")) == strconv.Itoa(client.CodeMethodNotFound)
	list := client.GetText(n.Data, "list")
	switch {
	case refusal == nil:
	case list == client.Templates.Name && missing:
		v.graded(pageFailed, session.Info, "%s", n.Text)
	default:
		v.add(pageFailed, "%s", n.Text)
	}
}

// giveUp notes that nobody waits for a request any more.
func (r *run) giveUp(id string, e *session.Event) {
	if q := r.ours.find([]byte(id)); q != nil && q.givenUp < 0 {
		q.givenUp = e.T
	}
}

// waiting are the requests that somebody still waits for.
func (r *run) waiting() (out []*request) {
	for _, q := range r.ours.open {
		if q.givenUp < 0 && q.listen == nil {
			out = append(out, q)
		}
	}
	return out
}

// exit judges how a run ended.
func (v *verdicts) exit(x client.Exit) {
	r := v.r
	waiting := r.waiting()
	names := owed(waiting)
	switch x.Asked {
	case client.AskedNo:
		switch {
		case names != "" && r.revision == "" && onlyProbes(waiting):
			v.add(endedOnProbe, "the server ended with %s when it was asked server/discover first", x)
		case names == "" && r.revision == "" && !r.strays.spoke && !r.foreign:
			v.died(x, fmt.Sprintf("the server ended with %s before its first answer", x))
		case names != "":
			v.died(x, fmt.Sprintf("the server ended with %s before it had answered %s", x, names))
		case x.Code != 0 || x.Signal != "":
			v.died(x, fmt.Sprintf("the server ended by itself with %s", x))
		default:
			r.left = true
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
	switch {
	case names == "":
	case len(waiting) == 1 && waiting[0].method == client.MethodPing:
		v.add(pingSilent, "the session ended before the server had answered %s", names)
	default:
		v.consequence(r.spoilt(waiting[0]), unansweredRequest, "the session ended before the server had answered %s", names)
	}
}

// died tells of an end that was a failure, with what the black box says of it: the line that most
// likely names the reason, and what to try.
func (v *verdicts) died(x client.Exit, how string) {
	box := session.BlackBox{Exit: x, Out: 1}
	v.r.said.Tell(&box)
	word := box.LastWord()
	if strings.TrimSpace(word) == "" {
		word = v.r.lastErr
	}
	where := "its stderr says"
	if n := len(box.Stderr); n > 0 && word == box.Stderr[n-1] || word == v.r.lastErr {
		where = "its last line on stderr"
	}
	if n := len(box.Said); n > 0 && strings.TrimSpace(word) == "" {
		word, where = box.Said[n-1], "its last line on stdout"
		for _, line := range box.Said {
			if namesFailure([]byte(line)) {
				word, where = line, "its stdout says"
				break
			}
		}
	}
	if word = strings.TrimSpace(strings.ToValidUTF8(word, "\uFFFD")); word != "" {
		word = "; " + where + ": " + client.Excerpt([]byte(word))
	}
	v.add(serverDied, "%s%s", how, word)
	if len(v.marks) == 0 {
		return
	}
	fix := &v.marks[len(v.marks)-1].Fix
	switch hints := box.Hints(); {
	case len(hints) > 0:
		*fix = session.Guessed(hints[0])
	case len(box.Stderr) > 0:
	case len(box.Said) > 0:
		*fix = "look at its last lines on stdout; they belong on stderr"
	default:
		*fix = "it said nothing on stderr: run the same command in a terminal to see what it does there"
	}
}

func onlyProbes(open []*request) bool {
	for _, q := range open {
		if q.method != client.MethodDiscover {
			return false
		}
	}
	return true
}

// subject is what a finding is about: the method of a message where it has one, else its stream. The
// method of stray output is that of a request that happened to be open, and the framing of a stream is
// one fault, whatever it carries.
func subject(e *session.Event, m *session.Mark, ofStream bool) string {
	switch {
	case m.Subject != "":
		return m.Subject
	case ofStream && e.Stream != client.Life:
		return streamOf(e)
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
