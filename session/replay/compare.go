package replay

import (
	"encoding/json"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// look takes in what is new in the live log.
func (p *player) look() {
	log := p.live.Log()
	for end := p.live.Settled(); p.looked < end; p.looked++ {
		e, _ := log.Event(p.looked)
		switch {
		case e.Stream == client.In:
			if t := p.sent[e.ID]; t != nil && e.Kind == client.KindRequest {
				p.rows[e.Seq] = t
			}
		case e.Stream == client.Out && e.Kind.IsMessage():
			body, _, _ := log.Read(e.Seq)
			for i, m := range client.Judge(body).Messages {
				p.message(&e, body, &m, i == 0)
			}
		}
	}
}

func (p *player) message(e *session.Event, body client.Body, m *client.Message, first bool) {
	raw := func(s client.Span) []byte {
		if !s.Present() {
			return nil
		}
		return body.Slice(s.Start, s.End)
	}
	method, _ := client.Text(raw(m.Method))
	switch m.Kind {
	case client.KindRequest:
		if method == client.MethodPing {
			return
		}
		p.asks = append(p.asks, ask{seq: e.Seq, id: string(raw(m.ID)), said: script.Said{Message: *m, Method: method, Params: script.Stable(method, raw(m.Params))}})
	case client.KindNotification:
		if method == client.MethodProgress {
			p.progress(string(client.Get(raw(m.Params), client.MetaProgressToken)))
		}
	case client.KindResponse, client.KindError:
		t := p.sent[string(raw(m.ID))]
		if first && e.Pair != session.NoPair {
			if paired := p.rows[e.Pair]; paired != nil {
				t = paired
			}
		}
		switch {
		case t == nil || p.got[t]:
			p.report.Unmatched = append(p.report.Unmatched, Odd{e.Seq, e.Method, "an answer that nothing asked for, or that came before: " + string(raw(m.ID)), e.Method})
		case t.Answer == nil:
			p.got[t] = true
			p.report.Unmatched = append(p.report.Unmatched, Odd{t.Seq, t.Method, "it is answered now, and was not", t.Title()})
		default:
			p.got[t] = true
			p.compare(t, e.Seq, body.Slice(m.Span.Start, m.Span.End))
		}
	}
}

// progress counts by the token that the recording knows.
func (p *player) progress(token string) {
	if t := p.sent[token]; t != nil && t.Token == t.ID {
		token = t.Token
	}
	p.moved[token]++
}

// fleeting are the places of an answer that name things of one connection. That they are there
// counts, what they are does not.
var fleeting = [...][]string{
	{"result", "nextCursor"},
	{"result", "requestState"},
	{"result", "_meta", client.MetaPrefix + "subscriptionId"},
}

// passing are the fleeting places that two answers both have.
func passing(was, now []byte) (pointers []string) {
	for _, path := range fleeting {
		old, new := client.Get(was, path...), client.Get(now, path...)
		if old != nil && new != nil && client.IDType(string(old)) == client.IDType(string(new)) {
			pointers = append(pointers, script.Pointer(path...))
		}
	}
	return pointers
}

// compare holds an answer, which is on a row of the live log, against the recorded one, and keeps
// what later requests carry of it.
func (p *player) compare(t *script.Turn, row int, now []byte) {
	was, _ := answerOf(t)
	for _, path := range fleeting {
		old, new := client.Get(was, path...), client.Get(now, path...)
		if old != nil && new != nil && client.IDType(string(old)) == client.IDType(string(new)) {
			p.values[string(old)] = string(new)
		}
	}
	if p.report.answers == nil {
		p.report.answers, p.report.live = map[*script.Turn][]byte{}, map[*script.Turn]int{}
	}
	p.report.answers[t], p.report.live[t] = now, row
	p.report.compare(t, now, p.o)
}

// compare takes what differs into the report.
func (r *Report) compare(t *script.Turn, now []byte, o Options) {
	was, masked := answerOf(t)
	ignore := append([]string{"/id"}, o.Ignore...)
	for _, v := range o.Volatile {
		if v.Method == t.Method && v.Name == t.Name {
			ignore = append(ignore, v.Path)
		}
	}
	ignore = append(append(ignore, passing(was, now)...), script.Hidden(was, masked)...)
	r.Compared++
	places, err := diff.Ignoring(ignore...)
	if err != nil { // cannot be: those of the person were read before
		places = diff.Ignore{}
	}
	found, _ := diff.Compare(was, now, places)
	if len(found) == 0 {
		r.Same++
	}
	for _, d := range found {
		r.Different = append(r.Different, Difference{Seq: t.Seq, Method: t.Method, Path: d.Path, Was: side(d.Was), Now: side(d.Now),
			Title: t.Title(), Answer: t.Answer.Seq, Live: r.live[t]})
	}
}

// side is one side of a difference as encoding/json takes it, which nests no deeper than 10,000.
func side(raw []byte) json.RawMessage {
	if raw == nil || json.Valid(raw) {
		return raw
	}
	return client.Quote(string(raw))
}

// answerOf is the recorded answer to a turn, and what is masked in it.
func answerOf(t *script.Turn) (text []byte, masked []recordings.Span) {
	l := t.Answer
	for i := range l.Said {
		s := &l.Said[i]
		if !s.Kind.IsAnswer() || s.Of != t {
			continue
		}
		for _, sp := range l.Masked {
			from, end := max(sp.Off, s.Span.Start), min(sp.Off+sp.Len, s.Span.End)
			if from < end {
				masked = append(masked, recordings.Span{Off: from - s.Span.Start, Len: end - from, Name: sp.Name})
			}
		}
		return l.Text[s.Span.Start:s.Span.End:s.Span.End], masked
	}
	return l.Text, l.Masked
}
