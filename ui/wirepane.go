package ui

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/vlist"
)

// wirePane is the log as rows in the order of arrival. It holds no rows: it asks the log for the
// few that are visible.
type wirePane struct {
	list vlist.List
	log  *session.Log
}

func (p *wirePane) follow(on bool) {
	p.list.Tail = true
	p.list.Follow(on)
}

func (p *wirePane) sync(log *session.Log, _ int) {
	p.log = log
	p.list.SetLen(log.Len())
}

// selected is the row under the cursor, -1 when there is none.
func (p *wirePane) selected() int { return p.list.Cursor() }

func (p *wirePane) move(act Action) { moveList(&p.list, act) }

func (p *wirePane) note() string {
	if p.list.Following() {
		return text.Plural(p.list.Len(), "row") + " FOLLOW"
	}
	return text.Plural(p.list.Len(), "row")
}

// odd reports whether a row is stray, an unasked exit, or has a finding worth a look.
func odd(e *session.Event) bool {
	if e.Stray() || e.Note != nil && e.Note.What == client.NoteExit && e.Note.Exit.Asked == client.AskedNo {
		return true
	}
	for _, m := range e.Marks {
		if m.Severity >= session.Warning {
			return true
		}
	}
	return false
}

// nextOdd moves to the next or previous odd row, round the end.
func (p *wirePane) nextOdd(log *session.Log, back bool) bool {
	dir := 1
	if back {
		dir = -1
	}
	return p.seek(log, dir, odd)
}

// seek moves to the next row that passes, round the end.
func (p *wirePane) seek(log *session.Log, dir int, pass func(*session.Event) bool) bool {
	n := log.Len()
	for i := 1; i <= n; i++ {
		seq := ((max(p.list.Cursor(), 0)+dir*i)%n + n) % n
		if e, ok := log.Event(seq); ok && pass(&e) {
			p.list.Go(seq)
			return true
		}
	}
	return false
}

// searchBytes is how much of a body a search in the wire looks at: the Detail pane searches all of it.
const searchBytes = 1 << 20

func (p *wirePane) find(log *session.Log, q string, dir int) bool {
	low := strings.ToLower(q)
	return p.seek(log, dir, func(e *session.Event) bool {
		if what, _ := subject(e, p.about(e)); contains(what, low) {
			return true
		}
		body := log.Body(e.Seq)
		return contains(string(body.Slice(0, min(e.Size, searchBytes))), low)
	})
}

// about names what a request is about, also for its answer: the tool, prompt or resource.
func (p *wirePane) about(e *session.Event) string {
	head := e.Head
	if e.Stream == client.Out && e.Pair != session.NoPair && !e.Stray() {
		q, ok := p.log.Event(e.Pair)
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

func (p *wirePane) view(l look, w, h int, focused bool) []string {
	return show(&p.list, w, h, func(i, w int, selected bool) string {
		e, ok := p.log.Event(i)
		if !ok {
			return l.fit("", w)
		}
		s, role := l.wireRow(&e, p.about(&e), w-1)
		mark := " "
		if selected {
			mark = ">"
		}
		s = l.fit(mark+s, w)
		if selected && focused {
			return l.Paint(theme.Cursor, s)
		}
		return l.Paint(role, s)
	})
}
