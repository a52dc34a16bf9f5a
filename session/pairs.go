package session

import (
	"time"

	"example.com/mcpinspect/client"
)

// pairKey finds the request of an answer. Ids are raw tokens, and the two directions of a
// connection number their requests independently.
type pairKey struct {
	run    int
	stream client.Stream // of the request
	id     string
}

// openRequest is a request without an answer so far.
type openRequest struct {
	key    pairKey
	seq    int
	sent   time.Duration
	method string
	params []byte // stable
}

// pairs joins answers with their requests, by the bytes alone: live and recorded agree.
type pairs struct {
	open     map[pairKey]*openRequest
	answered map[pairKey]int // how often
}

func newPairs() *pairs {
	return &pairs{open: map[pairKey]*openRequest{}, answered: map[pairKey]int{}}
}

// maxAnswered bounds how many settled ids are remembered for telling a second answer from an
// unknown one.
const maxAnswered = 1 << 16

func other(s client.Stream) client.Stream {
	if s == client.In {
		return client.Out
	}
	return client.In
}

// request notes a request.
func (p *pairs) request(q *openRequest) { p.open[q.key] = q }

// How an answer fits.
type fit uint8

const (
	fitExact fit = iota
	fitType
	fitAttributed
	fitAgain // the id was answered before
	fitNone
)

// answer finds the request that a message answers.
func (p *pairs) answer(run int, stream client.Stream, m *client.Message, id string) (*openRequest, fit) {
	key := pairKey{run, other(stream), id}
	how := fitExact
	q := p.open[key]
	if q == nil {
		var only *openRequest
		n := 0
		for _, o := range p.open {
			if o.key.run != run || o.key.stream != key.stream {
				continue
			}
			only, n = o, n+1
			if client.SameIDOtherType(o.key.id, id) {
				q, how = o, fitType
			}
		}
		if q == nil && n == 1 && m.Kind == client.KindError && m.Flaws.Has(client.FlawIDNull) {
			q, how = only, fitAttributed
		}
	}
	if q == nil {
		if p.answered[key] > 0 {
			p.answered[key]++
			return nil, fitAgain
		}
		return nil, fitNone
	}
	delete(p.open, q.key)
	if len(p.answered) >= maxAnswered {
		clear(p.answered)
	}
	p.answered[q.key]++
	return q, how
}

// latest is the newest request of ours in a run that is not answered; nil when there is none.
func (p *pairs) latest(run int) (q *openRequest) {
	for _, o := range p.open {
		if o.key.run == run && o.key.stream == client.In && (q == nil || o.seq > q.seq) {
			q = o
		}
	}
	return q
}

// end gives up the open requests of a run and returns them.
func (p *pairs) end(run int) (left []*openRequest) {
	for key, q := range p.open {
		if key.run == run {
			left = append(left, q)
			delete(p.open, key)
		}
	}
	return left
}
