package replay

import (
	"fmt"
	"slices"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/script"
)

// Need is a message that a chosen one needs, or lacks.
type Need struct {
	Turn *script.Turn // that is sent, too; nil when the recording does not have it
	For  *script.Turn
	Why  string // what it is needed for: "its cursor"
}

func (n Need) String() string {
	if n.Turn == nil {
		return fmt.Sprintf("#%d %s is sent as it was: %s", n.For.Seq, n.For.Title(), n.Why)
	}
	return fmt.Sprintf("#%d %s is sent, too: %s", n.Turn.Seq, n.Turn.Title(), n.Why)
}

// Only is the part of a script that is chosen, with its opening and what the chosen messages need:
// the list before a page, the request that is cancelled, the answers to what the server asks
// meanwhile. The turns of a batch go together. chosen counts the messages that were meant.
func Only(s *script.Script, pick func(*script.Turn) bool) (part *script.Script, needs []Need, chosen int) {
	turns := Turns(s)
	in := map[*script.Turn]bool{}
	var work []*script.Turn
	add := func(t *script.Turn) {
		for _, o := range turns {
			if o.Seq == t.Seq && !in[o] {
				in[o] = true
				work = append(work, o)
			}
		}
	}
	for _, t := range turns {
		if pick(t) && !in[t] {
			add(t)
		}
	}
	chosen = len(work)
	for len(work) > 0 {
		t := work[0]
		work = work[1:]
		for _, n := range needsOf(s, turns, t) {
			if n.Turn == nil {
				needs = append(needs, n)
				continue
			}
			if !n.Turn.Opens && !in[n.Turn] {
				add(n.Turn)
				needs = append(needs, n)
			}
		}
	}
	rest := *s
	part = &rest
	part.Turns = slices.Clone(s.Turns[:len(s.Turns)-len(behindOpening(s))])
	for _, t := range turns {
		if in[t] {
			part.Turns = append(part.Turns, t)
		}
	}
	part.Unanswered = nil
	for _, said := range s.Unanswered {
		if t := asker(turns, said); t == nil || in[t] {
			part.Unanswered = append(part.Unanswered, said)
		}
	}
	if s.ExitCause != nil && !in[s.ExitCause] && !s.ExitCause.Opens {
		part.Exit, part.ExitCause = nil, nil // it came upon what is not sent
	}
	return part, needs, chosen
}

// needsOf are the messages that a message does not make sense without.
func needsOf(s *script.Script, turns []*script.Turn, t *script.Turn) (needs []Need) {
	if t.Cancels != nil {
		needs = append(needs, Need{t.Cancels, t, fmt.Sprintf("#%d cancels it", t.Seq)})
	}
	if t.Answers != nil {
		if q := asker(s.Turns, t.Answers); q != nil {
			needs = append(needs, Need{q, t, fmt.Sprintf("the server asks for %s because of it, which #%d answers", t.Answers.Method, t.Seq)})
		}
	}
	for _, l := range t.Lines {
		for i := range l.Said {
			for _, o := range turns {
				if o.Answers == &l.Said[i] {
					needs = append(needs, Need{o, t, fmt.Sprintf("the server asks for %s while it works on #%d", o.Answers.Method, t.Seq)})
				}
			}
		}
	}
	for _, given := range [...]struct{ field, member, what string }{{"cursor", "nextCursor", "cursor"}, {"requestState", "requestState", "request state"}} {
		value := t.Get("params", given.field)
		if value == nil {
			continue
		}
		if from := giver(s.Turns, t, given.member, string(value)); from != nil {
			needs = append(needs, Need{from, t, fmt.Sprintf("#%d needs the %s of its answer", t.Seq, given.what)})
		} else {
			needs = append(needs, Need{nil, t, "no recorded answer gave its " + given.what})
		}
	}
	return needs
}

// giver is the latest turn before t whose answer has the value in its result.
func giver(turns []*script.Turn, t *script.Turn, member, value string) (from *script.Turn) {
	for _, o := range turns {
		if o.Seq >= t.Seq {
			break
		}
		if o.Answer == nil {
			continue
		}
		if was, _ := answerOf(o); string(client.Get(was, "result", member)) == value {
			from = o
		}
	}
	return from
}

// asker is the turn upon which the server asked.
func asker(turns []*script.Turn, said *script.Said) *script.Turn {
	for _, t := range turns {
		for _, l := range t.Lines {
			for i := range l.Said {
				if &l.Said[i] == said {
					return t
				}
			}
		}
	}
	return nil
}
