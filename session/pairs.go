package session

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// pairKey names a request. Ids are raw tokens, and the two directions of a connection number
// their requests independently.
type pairKey struct {
	run int
	id  string
}

// openRequest is a request without an answer so far. What it keeps of the params is its own.
type openRequest struct {
	key      pairKey
	stream   client.Stream
	exchange int    // of HTTP; 0 for the streams of a process
	id       string // the beginning of a very long one
	seq      int
	sent     time.Duration
	method   string
	name     string // of the tool or prompt; the URI of a resource
	cursor   []byte // of the page that is asked for, raw
	closed   bool   // answered, given up, or overtaken by another of the same id
}

// pairs joins answers with their requests, by the bytes alone: live and recorded agree. What it
// does for one message takes the same time however many requests are open.
type pairs struct{ sides map[sideKey]*side }

type sideKey struct {
	run    int
	stream client.Stream // of the requests
}

// side holds the requests of one direction of a run.
type side struct {
	open     map[string]*openRequest // by id
	bare     map[string]*openRequest // by what the id means (client.BareID): the newest
	order    []*openRequest          // as they came, among them some that are closed
	answered map[string]struct{}
	before   map[string]struct{} // those that were answered before answered was begun
}

func newPairs() *pairs { return &pairs{sides: map[sideKey]*side{}} }

const (
	// maxAnswered bounds how many settled ids are remembered, twice, for telling a second answer
	// from an unknown one.
	maxAnswered = 1 << 16

	// maxOpen bounds how many requests of each side wait for an answer: a server that asks without
	// end and does not read what it is answered must not fill the memory. Those beyond stay
	// without a pair.
	maxOpen = 1 << 16

	// maxKeptID is the longest id that is kept whole, in bytes. Longer ones are told apart by a
	// hash, and ids that people see are cut.
	maxKeptID = 256
)

// keyOf is the key of an id of any length.
func keyOf(run int, id string) pairKey {
	if len(id) > maxKeptID {
		h := fnv.New128a()
		h.Write([]byte(id))
		id = fmt.Sprintf("%s… %d %x", id[:maxKeptID], len(id), h.Sum(nil)) // longer than one that is kept whole
	}
	return pairKey{run, id}
}

// bareID is what an id means; false for none and for one that is too long to say.
func bareID(key string) (string, bool) {
	if key == "" || len(key) > maxKeptID {
		return "", false
	}
	return client.BareID(key), true
}

func other(s client.Stream) client.Stream {
	if s == client.In {
		return client.Out
	}
	return client.In
}

// side is one direction of a run.
func (p *pairs) side(run int, stream client.Stream) *side {
	key := sideKey{run, stream}
	s := p.sides[key]
	if s == nil {
		s = &side{open: map[string]*openRequest{}, bare: map[string]*openRequest{}, answered: map[string]struct{}{}}
		p.sides[key] = s
	}
	return s
}

// request notes a request. It reports false when there are too many open ones.
func (p *pairs) request(q *openRequest) bool {
	s := p.side(q.key.run, q.stream)
	old := s.open[q.key.id]
	switch {
	case old != nil:
		old.closed = true
	case len(s.open) >= maxOpen:
		return false
	}
	s.open[q.key.id] = q
	if bare, ok := bareID(q.key.id); ok {
		s.bare[bare] = q
	}
	if len(s.order) > 2*len(s.open)+64 { // most of them are closed
		s.order = slices.DeleteFunc(s.order, func(q *openRequest) bool { return q.closed })
	}
	s.order = append(s.order, q)
	return true
}

// settle takes a request from the open ones.
func (s *side) settle(q *openRequest) {
	q.closed = true
	delete(s.open, q.key.id)
	if bare, ok := bareID(q.key.id); ok && s.bare[bare] == q {
		delete(s.bare, bare)
	}
	if len(s.answered) >= maxAnswered {
		s.before, s.answered = s.answered, map[string]struct{}{}
	}
	s.answered[q.key.id] = struct{}{}
}

// meant is the request that something without an id is for: that of its exchange or, on a stream that
// is shared, the only one that is open; nil when there are more or none.
func (s *side) meant(exchange int, shared bool) *openRequest {
	var found *openRequest
	for _, q := range s.open {
		switch {
		case !shared && q.exchange != exchange:
		case found != nil: // of a batch, or of several
			return nil
		default:
			found = q
		}
	}
	return found
}

// again reports whether the id was answered already.
func (s *side) again(id string) bool {
	_, lately := s.answered[id]
	_, before := s.before[id]
	return lately || before
}

// How an answer fits.
type fit uint8

const (
	fitExact fit = iota
	fitType
	fitAttributed
	fitAgain // the id was answered before
	fitNone
)

// answer finds the request that a message answers; shared says whether its stream is for all of them.
func (p *pairs) answer(at wireKey, m *client.Message, id string, shared bool) (*openRequest, fit) {
	s := p.side(at.run, other(at.stream))
	key := keyOf(at.run, id).id
	q, how := s.open[key], fitExact
	if bare, ok := bareID(key); q == nil && ok {
		q, how = s.bare[bare], fitType
	}
	if q == nil && m.Kind == client.KindError && m.Flaws.Has(client.FlawIDNull) {
		q, how = s.meant(at.exchange, shared), fitAttributed
	}
	if q != nil {
		s.settle(q)
		return q, how
	}
	if at.stream == client.Out && s.again(key) {
		return nil, fitAgain
	}
	return nil, fitNone
}

// lost finds the request whose answer cannot be read.
func (p *pairs) lost(at wireKey, l *client.Lost, shared bool) *openRequest {
	s := p.side(at.run, other(at.stream))
	key := keyOf(at.run, l.ID).id
	q := s.open[key]
	switch {
	case l.ID == "":
		q = s.meant(at.exchange, shared)
	case q == nil:
		if bare, ok := bareID(key); ok {
			q = s.bare[bare]
		}
	}
	if q != nil {
		s.settle(q)
	}
	return q
}

// latest is the newest request of ours in a run that is not answered; nil when there is none.
func (p *pairs) latest(run int) *openRequest {
	s := p.side(run, client.In)
	for n := len(s.order) - 1; n >= 0; n-- {
		if q := s.order[n]; !q.closed {
			return q
		}
		s.order = s.order[:n] // the next stray line need not look at it again
	}
	return nil
}

// end gives up the open requests of a run and returns them, oldest first.
func (p *pairs) end(run int) (left []*openRequest) {
	for _, stream := range []client.Stream{client.In, client.Out} {
		s := p.side(run, stream)
		for _, q := range s.order {
			if !q.closed {
				q.closed = true
				left = append(left, q)
			}
		}
		clear(s.open)
		clear(s.bare)
		s.order = nil
	}
	return left
}

// unmatched and oddMatch say what is wrong with how an answer fits its request: only the pairing knows.
func (d *door) unmatched(stream client.Stream, kind client.Kind, id string, how fit) []Mark {
	if stream != client.Out {
		return nil
	}
	id = clip(id, maxKeptID)
	switch {
	case how == fitAgain:
		return d.remarks.mark("answered-twice", Error, "id "+id+" was answered before: a request gets one answer", "a request was answered before: it gets one answer")
	case (id == "" || id == "null") && kind == client.KindResponse:
		return d.remarks.mark("answer-without-id", Error, "a result without an id: nothing tells which request it answers", "a result without an id: nothing tells which request it answers")
	case (id == "" || id == "null") && d.exchanges[d.key].refused:
		return nil
	case id == "" || id == "null":
		return d.remarks.mark("answer-without-id", Warning, "an answer without an id, and no request it could belong to", "an answer without an id, and no request it could belong to")
	}
	return d.remarks.mark("unknown-id", Error, "id "+id+" ("+client.IDType(id)+") answers no request that was sent", "the id answers no request that was sent")
}

func (d *door) oddMatch(how fit, id string, q *openRequest) []Mark {
	id = clip(id, maxKeptID)
	switch how {
	case fitType:
		return d.remarks.mark("id-type", Error, "id "+id+" ("+client.IDType(id)+") does not equal "+q.id+" ("+client.IDType(q.id)+"), the id of the request", "the id has another type than that of the request")
	case fitAttributed:
		if d.exchanges[d.key].refused {
			return nil
		}
		if !d.exchanges.shared(d.key) {
			return d.remarks.mark("error-without-id", Warning, "an error without id in the reply to "+q.method+" (id "+q.id+"), which it was taken to answer", "an error without id was taken to answer the request of its exchange")
		}
		return d.remarks.mark("error-without-id", Warning, "an error without id; "+q.method+" (id "+q.id+") was the only open request and was taken as meant", "an error without id; the only open request was taken as meant")
	}
	return nil
}
