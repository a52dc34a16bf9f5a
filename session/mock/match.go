package mock

import (
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session/script"
)

// keyOf puts what could match together.
func keyOf(t *script.Turn) string {
	if t.Method == "" {
		return "\x00" + string(t.Line)
	}
	return fmt.Sprintf("%d\x00%s\x00%s", t.Message.Kind, t.Method, t.Name)
}

// frame takes in one line of the client.
func (s *server) frame(f *client.Frame) {
	line := append([]byte(nil), f.Body.Bytes()...)
	if len(f.Messages) == 0 {
		if f.Kind != client.KindBlank {
			s.heard(&script.Turn{Line: line, Message: client.Message{Kind: f.Kind}})
		}
		return
	}
	for _, m := range f.Messages {
		t := &script.Turn{Line: line[:len(line):len(line)], Message: m}
		t.Read()
		s.heard(t)
	}
}

// heard does what the recorded server did upon one message, before the next one is looked at.
func (s *server) heard(now *script.Turn) {
	if s.ended || s.gone {
		return
	}
	defer func() { s.play(time.Now()) }()
	switch now.Message.Kind {
	case client.KindRequest:
		s.request(now)
		return
	case client.KindResponse, client.KindError:
		if said := s.wants[now.ID]; said != nil {
			delete(s.wants, now.ID)
			if t := s.answers[said]; t != nil {
				s.begin(t, now)
			}
		}
		return
	}
	if now.Method == client.MethodCancelled {
		s.cancelled(now)
		return
	}
	t, _ := s.find(now)
	switch {
	case t != nil:
		s.begin(t, now)
	case now.Method == "":
		s.say("miss: the client wrote a line that is no message: %s", clip(string(now.Line)))
	}
}

// cancelled stops what is still to come for a request, unless the recording knows better.
func (s *server) cancelled(now *script.Turn) {
	c := s.ids[string(client.Get(now.Raw(now.Message.Params), "requestId"))]
	if c == nil {
		return
	}
	if gave := s.gives[c.turn]; gave != nil {
		s.begin(gave, now)
		return
	}
	c.lines, c.ends = nil, false
}

func (s *server) request(now *script.Turn) {
	t, miss := s.find(now)
	if t != nil {
		s.begin(t, now)
		return
	}
	if now.Method == client.MethodPing && !s.script.Revision.Modern() {
		s.send([]byte(`{"jsonrpc":"2.0","id":`+now.ID+`,"result":{}}`), "\n")
		return
	}
	if miss.near != nil && (s.o.Nearest || now.Opens) {
		s.say("miss: %s; answered as that was", miss)
		s.begin(miss.near, now)
		return
	}
	s.say("miss: %s", miss)
	code := client.CodeMethodNotFound
	for _, t := range s.script.Turns {
		if t.Method == now.Method {
			code = client.CodeInvalidParams
		}
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":`, now.ID, code)
	s.send(append(client.AppendQuote(line, "not recorded: "+miss.String()), '}', '}'), "\n")
}

// miss is a request that was not recorded.
type miss struct {
	what    string
	near    *script.Turn
	differs *diff.Difference // nil when it does not: it was used up, or came out of order
	why     string
}

func (m *miss) String() string {
	switch {
	case m.near == nil:
		return m.what + " has no place in the recording" + m.why
	case m.differs == nil:
		return fmt.Sprintf("%s is #%d of the recording, but %s", m.what, m.near.Seq, m.why)
	}
	side := func(v []byte) string {
		if v == nil {
			return "nothing"
		}
		return clip(string(v))
	}
	return fmt.Sprintf("%s: the nearest is #%d %s, which differs at /params%s: %s recorded, %s asked",
		m.what, m.near.Seq, m.near.Title(), m.differs.Path, side(m.differs.Was), side(m.differs.Now))
}

// mostShown is how much of a value a miss quotes.
const mostShown = 80

func clip(s string) string {
	if len(s) > mostShown {
		return strings.ToValidUTF8(s[:mostShown], "") + "…"
	}
	return s
}

// find is the turn that was said now: the first that was not used and equals it, or the last that
// was used. miss says why there is none.
func (s *server) find(now *script.Turn) (*script.Turn, *miss) {
	m := &miss{what: now.Title()}
	if s.o.Recorded && now.Message.Kind == client.KindRequest {
		next := s.next()
		switch {
		case next == nil:
			m.why = ": every request of it was made"
		case keyOf(next) != keyOf(now):
			m.why = fmt.Sprintf(": what comes next is #%d %s", next.Seq, next.Title())
		case next.Params.Equal(now.Params):
			return next, nil
		default:
			s.nearest(m, now, []*script.Turn{next})
		}
		return nil, m
	}
	same := s.asked[keyOf(now)]
	var last *script.Turn
	for _, t := range same {
		if !t.Params.Equal(now.Params) {
			continue
		}
		if s.came[t] == 0 {
			return t, nil
		}
		last = t
	}
	if last != nil {
		if !s.o.Once || now.Message.Kind != client.KindRequest {
			return last, nil
		}
		m.near, m.why = last, "every recorded answer was given"
		return nil, m
	}
	if len(same) == 0 {
		for _, t := range s.script.Turns {
			if t.Message.Kind == now.Message.Kind && t.Method == now.Method {
				same = append(same, t)
			}
		}
	}
	s.nearest(m, now, same)
	return nil, m
}

// next is the first request that was not made.
func (s *server) next() *script.Turn {
	for _, t := range s.script.Turns[s.missing:] {
		if t.Message.Kind == client.KindRequest && s.came[t] == 0 {
			return t
		}
	}
	return nil
}

// nearest picks the turn that differs least.
func (s *server) nearest(m *miss, now *script.Turn, among []*script.Turn) {
	best := 0
	params := jsonOf(now.Params)
	for _, t := range among {
		d, _ := diff.Compare(jsonOf(t.Params), params, diff.Ignore{})
		if len(d) > 0 && (m.near == nil || len(d) < best) {
			m.near, m.differs, best = t, &d[0], len(d)
		}
	}
}

// jsonOf writes params; none are an empty object, so that a difference is one of a member.
func jsonOf(params schema.Value) []byte {
	if params.Kind == schema.Null {
		return []byte("{}")
	}
	return schema.AppendJSON(nil, params)
}

// begin plays what followed on a turn.
func (s *server) begin(t, now *script.Turn) {
	at := time.Now()
	s.came[t]++
	s.at[t] = at
	c := &scene{turn: t, began: at, lines: t.Lines, since: map[*script.Turn]int{}, ends: s.exits(t), last: at}
	if now.Message.Kind == client.KindRequest {
		c.live = script.Live{ID: now.ID, Token: now.Token}
		s.live[t], s.ids[now.ID] = c.live, c
	}
	for _, l := range t.Lines {
		for _, a := range l.After {
			c.since[a] = s.came[a]
		}
	}
	s.scenes = append(s.scenes, c)
}
