package ui

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// resultView is what the result pane shows.
type resultView uint8

const (
	viewResult  resultView = iota
	viewChanges            // against the tool's result before
	viewCalls              // the tool's earlier calls
	viewBuild              // what a build that failed said
)

// next is the view that v shows after this one.
func (v resultView) next(built bool) resultView {
	switch {
	case v == viewBuild, v == viewCalls && !built:
		return viewResult
	}
	return v + 1
}

// answers names the rows of an answer and the one before of the same tool: request and answer each.
type answers struct{ was, now [2]int }

// compared is what differs between two answers. It is made off the loop, since values may be huge.
type compared struct {
	of       answers
	ready    bool
	lost     bool // one of the answers is no longer known as it was sent
	list     []diff.Difference
	complete bool
}

// diffMsg brings a comparison.
type diffMsg compared

// compare starts the comparison of the latest answer with the one before, once for each.
func (a *app) compare() tea.Cmd {
	last, ok := a.snap.Last[a.subject()]
	if !ok || last.Was[1] == session.NoPair {
		a.diff = compared{}
		return nil
	}
	of := answers{was: last.Was, now: [2]int{last.Request, last.Answer}}
	if of == a.diff.of {
		return nil
	}
	a.diff = compared{of: of}
	log := a.sess.Log()
	return func() tea.Msg {
		was, known := answerBytes(log, of.was)
		now, too := answerBytes(log, of.now)
		out := compared{of: of, ready: true, lost: !known || !too}
		if !out.lost {
			ignore, _ := diff.Ignoring("/jsonrpc", "/id")
			out.list, out.complete = diff.Compare(was, now, ignore)
		}
		return diffMsg(out)
	}
}

// compareDone takes a comparison in; one that is no longer wanted is dropped.
func (a *app) compareDone(m diffMsg) {
	if m.of == a.diff.of {
		a.diff = compared(m)
	}
}

// answerBytes is the message of an answer as it was sent; known is false when nobody can tell any
// more what that was. It may read the recording.
func answerBytes(log *session.Log, rows [2]int) (raw []byte, known bool) {
	q, _ := log.Event(rows[0])
	body, masked, err := log.Read(rows[1])
	if err != nil || masked > 0 {
		return nil, false
	}
	in, ok := answerIn(body, q.ID)
	if !ok {
		return nil, true
	}
	return in.Raw(in.Span), true
}

// says is a comparison in few words for the title of the result.
func (c *compared) says() string {
	switch {
	case !c.ready, c.lost:
		return ""
	case len(c.list) == 0:
		return "the same"
	}
	return diff.Summary(c.list, c.complete)
}

// took says how long the answer took and what is different from the one before; the time of that one
// is left out where there is no room for all.
func (p *resultPane) took(last session.Latest, different string, width int) string {
	now, before := text.Duration(last.Latency), ""
	if last.Before >= 0 {
		before = text.Duration(last.Before)
		if n, unit, _ := strings.Cut(now, " "); n != "" && strings.HasSuffix(before, " "+unit) {
			before = strings.TrimSuffix(before, " "+unit)
		}
		before = " (was " + before + ")"
	}
	if different == "" {
		return now + before
	}
	const frame = 8 // the number of the pane, and what stands around title and note
	if len(p.title)+len(now)+len(before)+len(different)+frame > width {
		before = ""
	}
	return now + before + ", " + different
}

// changes shows what differs between the latest result and the one before: path, was, now.
func (p *resultPane) changes(b *lineBuilder, src resultSource) {
	d := src.diff
	p.title = "Changes"
	if src.catalogue != "" {
		b.wrap(theme.Mark, "", "tools since the last run: "+src.catalogue)
	}
	switch {
	case d.of == answers{}:
		b.wrap(theme.Faint, "", "nothing to compare: this "+src.offer.noun()+" was not answered twice yet; v goes on")
		return
	case d.lost:
		b.wrap(theme.Odd, "", "one of the two answers is no longer in memory as it was sent: they are not compared")
		return
	case !d.ready:
		b.wrap(theme.Faint, "", "comparing")
		return
	}
	p.title = fmt.Sprintf("Changes of #%d", d.of.now[0])
	p.note = d.says()
	head := fmt.Sprintf("against the result of #%d", d.of.was[0])
	was, _ := src.log.Event(d.of.was[0])
	if now, _ := src.log.Event(d.of.now[0]); was.Run != now.Run {
		head += fmt.Sprintf(" in run %d", was.Run)
	}
	if same, known := sameArguments(src.log, d.of); known && !same {
		head += ", which had other arguments"
	}
	b.wrap(theme.Faint, "", head)
	if len(d.list) == 0 {
		b.wrap(theme.Good, "", "the same result")
		return
	}
	for _, x := range d.list {
		path := x.Path
		if path == "" {
			path = "the whole answer"
		}
		from := len(b.out)
		b.wrap(theme.Name, "", path)
		was, now := x.Was, x.Now
		if x.Kind == diff.Changed {
			was, now = fromDifference(was, now)
		}
		if x.Was != nil {
			b.wrap(theme.Bad, "- ", shortValue(was))
		}
		if x.Now != nil {
			b.wrap(theme.Good, "+ ", shortValue(now))
		}
		for i := from + 1; i < len(b.out); i++ { // the whole value is copied, whatever is shown
			if b.out[i].role == theme.Bad {
				b.out[i].copy = string(x.Was)
			} else {
				b.out[i].copy = string(x.Now)
			}
		}
	}
	if !d.complete {
		b.wrap(theme.Odd, "", fmt.Sprintf("more than %d differences: the rest is not shown", diff.MaxDifferences))
	}
}

// sameArguments compares those of two calls; known is false when memory has them no longer.
func sameArguments(log *session.Log, of answers) (same, known bool) {
	arguments := func(row int) []byte {
		e, ok := log.Event(row)
		known = known && ok && e.Kept == e.Size
		return client.Get(log.Body(row).Bytes(), "params", "arguments")
	}
	known = true
	same = bytes.Equal(arguments(of.was[0]), arguments(of.now[0]))
	return same, known
}

const (
	// shownValue is how much of a value a difference shows, in bytes.
	shownValue = 400
	// shownBefore is how much of what two long values have in common is shown before they part.
	shownBefore = 40
)

// fromDifference leaves out the beginning that two long values have in common.
func fromDifference(was, now []byte) ([]byte, []byte) {
	if len(was) < shownValue/4 && len(now) < shownValue/4 {
		return was, now
	}
	n := 0
	for n < len(was) && n < len(now) && was[n] == now[n] {
		n++
	}
	n -= shownBefore
	for n > 0 && !utf8.RuneStart(was[n]) {
		n--
	}
	if n <= 0 {
		return was, now
	}
	cut := func(raw []byte) []byte { return append([]byte("… "), raw[n:min(len(raw), n+2*shownValue)]...) }
	return cut(was), cut(now)
}

// shortValue is the beginning of a value.
func shortValue(raw []byte) string {
	if len(raw) <= shownValue {
		return string(raw)
	}
	n := shownValue
	for n > 0 && !utf8.RuneStart(raw[n]) {
		n--
	}
	return fmt.Sprintf("%s … %s", raw[:n], text.Size(int64(len(raw))))
}
