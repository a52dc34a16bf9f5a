package script

import (
	"cmp"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// Edit replaces a span of a line.
type Edit struct {
	client.Span
	With string
}

// Apply returns the line with the edits made, or itself when there are none. They must not overlap.
func Apply(line []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return line
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	out := make([]byte, 0, len(line)+64)
	at := 0
	for _, e := range edits {
		out = append(append(out, line[at:e.Start]...), e.With...)
		at = e.End
	}
	return append(out, line[at:]...)
}

// within is where a part of a line that was cut out of it by slicing lies in it.
func within(line, part []byte) client.Span {
	if part == nil {
		return client.Span{}
	}
	start := cap(line) - cap(part)
	return client.Span{Start: start, End: start + len(part)}
}

// Live is what a turn is called on a live connection: raw tokens.
type Live struct{ ID, Token string }

// Splice is a line of the server with the ids and progress tokens of a live connection in place of
// the recorded ones, every other byte as it was. ok is false when it belongs to something that was
// not said there, or reports progress that was not asked for.
func (l *Line) Splice(live func(*Turn) (Live, bool)) (line []byte, ok bool) {
	var edits []Edit
	put := func(part []byte, with string) {
		if span := within(l.Text, part); span.Present() {
			edits = append(edits, Edit{span, with})
		}
	}
	for i := range l.Said {
		s := &l.Said[i]
		if s.Of == nil {
			continue
		}
		now, ok := live(s.Of)
		if !ok {
			return nil, false
		}
		switch {
		case s.Kind.IsAnswer():
			if s.ID != "" && s.ID != "null" {
				edits = append(edits, Edit{s.Message.ID, likewise(s.Of.ID, s.ID, now.ID)})
			}
			result := s.Result
			if result.Present() {
				put(client.Get(l.Text[result.Start:result.End], "_meta", metaSubscription), now.ID)
			}
		case s.Method == client.MethodProgress:
			if now.Token == "" {
				return nil, false
			}
			put(client.Get(l.params(s), client.MetaProgressToken), now.Token)
		case s.Method == client.MethodCancelled:
			put(client.Get(l.params(s), "requestId"), now.ID)
		default:
			put(client.Get(l.params(s), "_meta", metaSubscription), now.ID)
		}
	}
	return Apply(l.Text, edits), true
}

func (l *Line) params(s *Said) []byte {
	if !s.Message.Params.Present() {
		return nil
	}
	return l.Text[s.Message.Params.Start:s.Message.Params.End]
}

// likewise spells a live id as the recorded answer spelled that of its request: who answered "1" to
// 1 is wrong in the same way again.
func likewise(asked, answered, now string) string {
	if asked == answered {
		return now
	}
	switch text, quoted := client.Text([]byte(now)); {
	case strings.HasPrefix(answered, `"`) && !quoted:
		return `"` + now + `"`
	case !strings.HasPrefix(answered, `"`) && quoted:
		if _, number := schema.Num(text); number {
			return text
		}
	}
	return now
}

// Split are the messages of a line as lines of their own, without the text beside them.
func (l *Line) Split() (lines []*Line) {
	for i := range l.Said {
		span := l.Said[i].Span
		text := l.Text[span.Start:span.End:span.End]
		for _, m := range client.Judge(client.Body{text}).Messages {
			one := l.Said[i]
			one.Message = m
			lines = append(lines, &Line{Seq: l.Seq, At: l.At, Stream: l.Stream, Text: text, Term: client.TermLF, Kind: m.Kind, Said: []Said{one}, Cause: l.Cause})
		}
	}
	return lines
}

// message is the whole message of a turn; it ends where the memory of its line is counted from.
func (t *Turn) message() []byte { return t.Line[t.Message.Span.Start:t.Message.Span.End] }

// Get follows member names into the message.
func (t *Turn) Get(path ...string) []byte { return client.Get(t.message(), path...) }

// Edit adds the edit that replaces the value at a path of the message, if there is one.
func (t *Turn) Edit(edits []Edit, with string, path ...string) []Edit {
	if span := within(t.Line, t.Get(path...)); span.Present() {
		edits = append(edits, Edit{span, with})
	}
	return edits
}
