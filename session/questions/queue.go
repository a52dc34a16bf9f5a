// Package questions holds what a server asks until a person answers: a queue between the goroutines
// that wait for answers and the screen that shows one question after the other. Nothing is answered
// by itself, save for the roots that were offered.
package questions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/mcpinspect/client"
)

// MaxWaiting is how many questions wait at most: what comes beyond is refused, with a word. Nobody
// answers more, and a server that goes wild costs no memory.
const MaxWaiting = 100

// maxVisits bounds how many addresses are remembered until their completion is told.
const maxVisits = 1000

// Queue is the questions of one session. Its methods may be called from any goroutine and never wait,
// except for Answer and GoOn.
type Queue struct {
	changed chan struct{} // capacity 1

	mu      sync.Mutex
	offer   Offer
	waiting []*Waiting
	count   int              // of all that were asked
	went    []string         // what has become of questions that nobody answered
	visits  map[string]visit // the addresses that the person was sent to, by elicitationId
}

// visit is an address that the person was sent to.
type visit struct {
	url   string
	again bool // its call was refused, and may be sent again
}

// Waiting is a question that waits for a person.
type Waiting struct {
	client.Question
	Number int // counts from 1 in a session
	Since  time.Time
	Rounds int // not zero: we ask ourselves whether Method is to be answered on after so many rounds

	from *asked
	at   int // its place in from
}

// asked is what a server asked at once.
type asked struct {
	replies chan reply // room for every one of them
}

type reply struct {
	at int
	client.Reply
}

// New makes a queue.
func New(o Offer) *Queue { return &Queue{offer: o, changed: make(chan struct{}, 1)} }

// Changed has a value whenever something changed since it was last received from.
func (q *Queue) Changed() <-chan struct{} { return q.changed }

// Offer is what is offered now.
func (q *Queue) Offer() Offer {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.offer
	o.Without, o.Roots = slices.Clone(o.Without), slices.Clone(o.Roots)
	return o
}

// SetOffer changes what is offered, and which roots are answered from now on.
func (q *Queue) SetOffer(o Offer) {
	q.mu.Lock()
	q.offer = o
	q.mu.Unlock()
}

// Waiting are the questions that wait, the oldest first.
func (q *Queue) Waiting() []*Waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.waiting)
}

// Went is what became of the questions that went away without an answer, since it was last asked.
func (q *Queue) Went() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	went := q.went
	q.went = nil
	return went
}

// Answer is a client.Answerer: it waits for the person, or until no answer is wanted any more. Where
// one of several is refused, the others need no answer: the request is not repeated.
func (q *Queue) Answer(ctx context.Context, all []client.Question) []client.Reply {
	replies := make([]client.Reply, len(all))
	from := &asked{replies: make(chan reply, len(all))}
	open := 0
	for i, x := range all {
		r, waits := q.take(x, from, i)
		if replies[i] = r; waits {
			open++
		} else if r.Result == nil {
			q.drop(from, "another one of the same call was refused")
			return replies
		}
	}
	for ; open > 0; open-- {
		select {
		case r := <-from.replies:
			if replies[r.at] = r.Reply; r.Result == nil {
				q.drop(from, "another one of the same call was refused")
				return replies
			}
		case <-ctx.Done():
			why := context.Cause(ctx)
			if errors.Is(why, context.Canceled) {
				why = errGivenUp
			}
			q.drop(from, why.Error())
			for i := range replies {
				if replies[i].Result == nil {
					replies[i] = client.Reply{Code: client.CodeRejected, Reason: why.Error()}
				}
			}
			return replies
		}
	}
	return replies
}

var errGivenUp = errors.New("its call was cancelled")

// take answers a question that needs no person, or queues it.
func (q *Queue) take(x client.Question, from *asked, at int) (r client.Reply, waits bool) {
	defer q.wake()
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case x.Method == client.MethodRoots:
		return client.Reply{Result: ListRoots(q.offer.Roots)}, false
	case len(q.waiting) >= MaxWaiting:
		why := fmt.Sprintf("%d questions wait for the person already", len(q.waiting))
		q.tell("a question was refused: " + why)
		return client.Reply{Code: client.CodeRejected, Reason: why}, false
	}
	if id := client.GetText(x.Params, "elicitationId"); id != "" && len(q.visits) < maxVisits {
		if q.visits == nil {
			q.visits = map[string]visit{}
		}
		q.visits[id] = visit{client.GetText(x.Params, "url"), x.Refused}
	}
	q.count++
	place := len(q.waiting)
	for x.Order > 0 && place > 0 && q.waiting[place-1].Order > x.Order { // its goroutine was slower
		place--
	}
	q.waiting = slices.Insert(q.waiting, place, &Waiting{Question: x, Number: q.count, Since: time.Now(), from: from, at: at})
	return client.Reply{}, true
}

// GoOn is the GoOn of a client.Identity: the person decides.
func (q *Queue) GoOn(ctx context.Context, request client.Question, rounds int) bool {
	from := &asked{replies: make(chan reply, 1)}
	q.mu.Lock()
	q.count++
	q.waiting = append(q.waiting, &Waiting{Question: request, Rounds: rounds, Number: q.count, Since: time.Now(), from: from})
	q.mu.Unlock()
	q.wake()
	select {
	case r := <-from.replies:
		return r.Result != nil
	case <-ctx.Done():
		q.drop(from, "its call is over")
		return false
	}
}

// Complete is the Complete of a client.Identity: where the person was sent to is named, if it is known.
func (q *Queue) Complete(id string) {
	q.mu.Lock()
	v := q.visits[id]
	what := v.url
	switch {
	case what == "":
		what = fmt.Sprintf("id %q, which was not asked for", id)
	case v.again:
		what += "; r sends the call again"
	}
	q.tell("the server says that it is complete: " + what)
	q.mu.Unlock()
	q.wake()
}

// Reply answers a question; false when it had gone away already.
func (q *Queue) Reply(w *Waiting, r client.Reply) bool {
	q.mu.Lock()
	i := slices.Index(q.waiting, w)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		w.from.replies <- reply{w.at, r} // there is room for one of each
	}
	q.mu.Unlock()
	q.wake()
	return i >= 0
}

// drop lets the questions go that were asked at once and still wait.
func (q *Queue) drop(from *asked, why string) {
	q.mu.Lock()
	q.waiting = slices.DeleteFunc(q.waiting, func(w *Waiting) bool {
		if w.from != from {
			return false
		}
		q.tell(fmt.Sprintf("question %d (%s) went away: %s", w.Number, w.Method, why))
		return true
	})
	q.mu.Unlock()
	q.wake()
}

// keepWent is how many sentences wait for the screen at most: it says one at a time.
const keepWent = 8

// tell keeps what became of a question; the lock is held.
func (q *Queue) tell(what string) {
	q.went = append(q.went, what)
	q.went = q.went[max(0, len(q.went)-keepWent):]
}

func (q *Queue) wake() {
	select {
	case q.changed <- struct{}{}:
	default:
	}
}
