package client

// dispatch gets every message that came through the door, on the reading goroutine.
func (c *Conn) dispatch(in Incoming) {
	switch in.Kind {
	case KindNotJSON:
		if in.Lost != nil {
			c.lost(in.Lost, in.From)
		}
	case KindResponse, KindError:
		c.answered(in)
	case KindNotification:
		switch in.MethodName() {
		case MethodProgress:
			c.progressed(in.Raw(in.Params))
		case MethodElicited:
			if c.identity.Complete != nil {
				c.identity.Complete(GetText(in.Raw(in.Params), "elicitationId"))
			}
		case MethodCancelled:
			if id := Get(in.Raw(in.Params), "requestId"); id != nil {
				c.withdrawn(string(id), ErrWithdrawn)
				c.tornDown(string(id))
			}
		}
		if c.Told != nil {
			c.Told(in)
		}
	case KindRequest:
		if !c.echoed(in) {
			c.asked(in)
		}
	}
}

// listenOver is what becomes of a subscription that we end: its answer is its last word and not late.
const listenOver = "been ended by us"

func (c *Conn) progressed(params []byte) {
	token := Get(params, MetaProgressToken)
	c.mu.Lock()
	p := c.pending[string(token)]
	c.mu.Unlock()
	if p == nil {
		return
	}
	c.progress(p, params)
	select {
	case p.progressed <- struct{}{}:
	default:
	}
	if p.progress != nil {
		p.progress(params)
	}
}

// answered gives an answer to its call. Where the id does not fit but only one call can be meant,
// that call gets it and a note says so: a hang would hide the fault.
func (c *Conn) answered(in Incoming) {
	id := in.RawID()
	p, match, why := c.take(id, in.Kind == KindError && in.Flaws.Has(FlawIDNull), in.From)
	switch {
	case p == nil && why == listenOver:
		return
	case p == nil && why != "":
		c.note(NoteLate, id, "a late answer to id %s, which had %s", id, why)
		return
	case p == nil && in.From.Closed && in.Flaws.Has(FlawIDNull):
		return // a refusal of something that waits for no answer
	case p == nil:
		c.stray(id, in)
		return
	case match == MatchType:
		c.note(NoteMatch, p.id, "the answer has id %s (%s), the request has id %s (%s): it was matched all the same", id, IDType(id), p.id, IDType(p.id))
	case match == MatchAttributed && in.From.Closed:
		c.note(NoteMatch, p.id, "an error without id came in the reply to %s (id %s): it was taken as its answer", p.method, p.id)
	case match == MatchAttributed:
		c.note(NoteMatch, p.id, "an error without id came while %s (id %s) was the only open request: it was taken as its answer", p.method, p.id)
	}
	p.answer <- Answer{Incoming: in, RequestID: p.id, Latency: in.At - p.sent, Match: match}
}

// take finds the call that an answer with this id is for, and takes it from the open ones. Where the id
// says nothing, its stream does: the call that it is the reply to, or the only one that is open. why is
// what had become of a call that is no longer open.
func (c *Conn) take(id string, silent bool, from Origin) (p *pendingCall, match Match, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p = c.pending[id]
	if p == nil {
		for _, q := range c.pending {
			if SameIDOtherType(q.id, id) {
				p, match = q, MatchType
			}
		}
	}
	if p == nil && silent {
		for _, q := range c.pending {
			if q.id == from.ID || !from.Closed && len(c.pending) == 1 {
				p, match = q, MatchAttributed
			}
		}
	}
	if p != nil {
		delete(c.pending, p.id)
		for _, a := range c.questions {
			if a.calls[p.id] { // whatever it asks now is not for the sake of its answer alone
				a.calls = nil
			}
		}
	}
	return p, match, c.given[id]
}

// lost ends the call whose answer cannot be read: it would wait for its whole timeout otherwise.
func (c *Conn) lost(l *Lost, from Origin) {
	p, _, _ := c.take(l.ID, l.ID == "", from)
	if p == nil {
		return
	}
	c.mu.Lock()
	c.given[p.id] = "been answered with something that cannot be read"
	c.mu.Unlock()
	p.failed <- &AnswerError{Method: p.method, ID: p.id, Lost: *l}
}

// echoed reports whether a request is one of ours that came back. An answer to it would be an
// answer to ourselves.
func (c *Conn) echoed(in Incoming) bool {
	method := in.MethodName()
	if !FromClient(method) {
		return false
	}
	c.mu.Lock()
	p := c.pending[in.RawID()]
	c.mu.Unlock()
	if p == nil || p.method != method {
		return false
	}
	select {
	case p.echoed <- struct{}{}:
	default:
	}
	return true
}

// tornDown ends a subscription that the server cancels: the one request of ours that it may
// (basic/patterns/cancellation). Others end with the result of the request instead, or with both.
func (c *Conn) tornDown(id string) {
	c.mu.Lock()
	p := c.pending[id]
	if p != nil && p.method == MethodListen {
		delete(c.pending, id)
		c.given[id] = "been ended by the server"
	} else {
		p = nil
	}
	c.mu.Unlock()
	if p != nil {
		p.failed <- ErrListenEnded
	}
}
