package replay

import (
	"context"
	"fmt"
	"strconv"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/script"
)

// MaskedError is a message that cannot be sent as it was: a value in it was masked.
type MaskedError struct {
	Seq   int // row of the recording
	Title string
	Name  string // of the secret
}

func (e *MaskedError) Error() string {
	return fmt.Sprintf("#%d %s holds the value %s, which was masked in the recording", e.Seq, e.Title, e.Name)
}

// Unmask checks that every masked value of what is to be sent is known; the error is the first
// *MaskedError.
func Unmask(turns []*script.Turn, secret func(string) (string, bool)) error {
	for _, t := range turns {
		for _, sp := range t.Masked {
			if _, ok := secret(sp.Name); !ok {
				return &MaskedError{t.Seq, t.Title(), sp.Name}
			}
		}
	}
	return nil
}

// send sends the turns of one line with the ids, tokens, cursors and states of this connection.
func (p *player) send(ctx context.Context, turns []*script.Turn) error {
	var edits []script.Edit
	for _, t := range turns {
		ok := true
		var err error
		switch t.Message.Kind {
		case client.KindRequest:
			p.last++
			id := strconv.FormatInt(p.last, 10)
			p.ids[t], p.sent[id] = id, t
			edits = append(edits, script.Edit{Span: t.Message.ID, With: id})
			edits = p.splice(edits, t, id)
		case client.KindNotification:
			if t.Cancels != nil {
				id, sent := p.ids[t.Cancels]
				if !sent {
					return nil
				}
				edits = t.Edit(edits, id, "params", "requestId")
			}
		case client.KindResponse, client.KindError:
			edits, ok, err = p.answer(ctx, edits, t)
		}
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
	}
	t := turns[0]
	for _, sp := range t.Masked {
		value, _ := p.o.Secret(sp.Name)
		quoted := client.Quote(value)
		edits = append(edits, script.Edit{Span: client.Span{Start: sp.Off, End: sp.Off + sp.Len}, With: string(quoted[1 : len(quoted)-1])})
	}
	line := script.Apply(t.Line, edits)
	return p.live.SendRaw(append(append([]byte(nil), line...), t.Term.String()...))
}

// splice puts in what a request carries of earlier answers, and its progress token where that was
// its id.
func (p *player) splice(edits []script.Edit, t *script.Turn, id string) []script.Edit {
	if t.Token != "" && t.Token == t.ID {
		edits = t.Edit(edits, id, "params", "_meta", client.MetaProgressToken)
	}
	for _, name := range []string{"cursor", "requestState"} {
		if now, ok := p.values[string(t.Get("params", name))]; ok {
			edits = t.Edit(edits, now, "params", name)
		}
	}
	return edits
}

// answer makes a recorded answer one to what the live server asks. ok is false when it did not ask.
func (p *player) answer(ctx context.Context, edits []script.Edit, t *script.Turn) (_ []script.Edit, ok bool, err error) {
	if t.Answers == nil {
		return edits, true, nil // to nothing: it was odd then, too
	}
	var found *ask
	came, err := p.await(ctx, "", func() bool { found = p.take(t.Answers); return found != nil })
	if err != nil {
		return nil, false, err
	}
	if !came {
		p.report.Missing = append(p.report.Missing, Odd{t.Seq, t.Answers.Method, "the server did not ask for " + t.Answers.Method + " within " + p.o.Timeout.String(), t.Answers.Method})
		return nil, false, nil
	}
	return append(edits, script.Edit{Span: t.Message.ID, With: found.id}), true, nil
}

// take removes the live request that a recorded one stands for: the first with the same parameters,
// else the first of its method.
func (p *player) take(was *script.Said) *ask {
	at := -1
	for i := range p.asks {
		if p.asks[i].said.Method != was.Method {
			continue
		}
		if p.asks[i].said.Params.Equal(was.Params) {
			at = i
			break
		}
		if at < 0 {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	a := p.asks[at]
	p.asks = append(p.asks[:at:at], p.asks[at+1:]...)
	return &a
}
