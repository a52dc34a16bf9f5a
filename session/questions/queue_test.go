package questions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/mcpinspect/client"
)

// asks puts questions to a queue as one server's; they are in it when it returns.
func asks(ctx context.Context, q *Queue, all ...client.Question) <-chan []client.Reply {
	want := len(q.Waiting()) + len(all)
	done := make(chan []client.Reply, 1)
	go func() { done <- q.Answer(ctx, all) }()
	for len(q.Waiting()) < want {
		<-q.Changed()
	}
	return done
}

func elicit(message string) client.Question {
	return client.Question{Method: client.MethodElicit, Params: []byte(`{"message":"` + message + `"}`)}
}

func TestAnswersInAnyOrder(t *testing.T) {
	q := New(Offer{})
	first := asks(t.Context(), q, elicit("a"), elicit("b"))
	second := asks(t.Context(), q, elicit("c"))
	w := q.Waiting()
	if len(w) != 3 || w[0].Number != 1 || w[2].Number != 3 || string(w[1].Params) != `{"message":"b"}` {
		t.Fatalf("%+v", w)
	}
	for _, i := range []int{1, 2, 0} {
		if !q.Reply(w[i], client.Reply{Result: fmt.Appendf(nil, "%d", i)}) {
			t.Errorf("%d was not taken", i)
		}
	}
	if q.Reply(w[0], client.Reply{}) {
		t.Error("it was answered twice")
	}
	if got := <-first; string(got[0].Result) != "0" || string(got[1].Result) != "1" {
		t.Errorf("%+v", got)
	}
	if got := <-second; string(got[0].Result) != "2" {
		t.Errorf("%+v", got)
	}
	if len(q.Waiting()) > 0 || q.Went() != nil {
		t.Errorf("left: %v %v", q.Waiting(), q.Went())
	}
}

// TestOrderOfArrival: requests stand in the order in which they came, whichever goroutine was faster.
func TestOrderOfArrival(t *testing.T) {
	q := New(Offer{})
	for _, order := range []int{2, 4, 1, 3} {
		x := elicit(fmt.Sprint(order))
		x.Order = order
		asks(t.Context(), q, x)
	}
	for i, w := range q.Waiting() {
		if w.Order != i+1 {
			t.Errorf("%d stands in place %d", w.Order, i+1)
		}
	}
}

// TestRefusalEndsTheOthers: a request is not repeated when one of its answers is refused.
func TestRefusalEndsTheOthers(t *testing.T) {
	q := New(Offer{})
	done := asks(t.Context(), q, elicit("a"), client.Question{Method: client.MethodSample})
	other := asks(t.Context(), q, elicit("b"))
	q.Reply(q.Waiting()[1], client.Reply{Code: client.CodeRejected, Reason: "no"})
	if got := <-done; got[1].Reason != "no" || got[0].Result != nil {
		t.Errorf("%+v", got)
	}
	if went := q.Went(); len(went) != 1 || !strings.Contains(went[0], "question 1 (elicitation/create) went away: another one") {
		t.Error(went)
	}
	w := q.Waiting()
	if len(w) != 1 || w[0].Number != 3 {
		t.Fatalf("%+v", w)
	}
	q.Reply(w[0], client.Reply{Result: []byte("{}")})
	<-other
}

func TestGoesAwayWithItsCall(t *testing.T) {
	for why, want := range map[error]string{nil: "its call was cancelled", client.ErrServerGone: "the server has gone", client.ErrWithdrawn: "the server withdrew it"} {
		q := New(Offer{})
		ctx, cancel := context.WithCancelCause(t.Context())
		done := asks(ctx, q, elicit("a"))
		w := q.Waiting()[0]
		cancel(why)
		if got := <-done; got[0].Result != nil || got[0].Reason != want {
			t.Errorf("%+v", got)
		}
		if went := q.Went(); len(went) != 1 || !strings.HasSuffix(went[0], want) {
			t.Error(went)
		}
		if q.Reply(w, client.Reply{}) || len(q.Waiting()) > 0 {
			t.Error("it is still there")
		}
	}
}

// TestWithoutAPerson: roots are answered from the offer.
func TestWithoutAPerson(t *testing.T) {
	root, err := NewRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	q := New(Offer{Roots: []Root{root}})
	got := q.Answer(t.Context(), []client.Question{{Method: client.MethodRoots}})
	if uri := client.GetText(got[0].Result, "roots"); uri != "" || !strings.Contains(string(got[0].Result), `{"roots":[{"uri":"file:///`) {
		t.Errorf("%s", got[0].Result)
	}
}

func TestFlood(t *testing.T) {
	q := New(Offer{})
	all := make([]client.Question, MaxWaiting)
	asks(t.Context(), q, all...)
	if got := q.Answer(t.Context(), []client.Question{elicit("one more")}); got[0].Result != nil || !strings.Contains(got[0].Reason, "100 questions wait") {
		t.Errorf("%+v", got)
	}
}

func TestGoOn(t *testing.T) {
	q := New(Offer{})
	for _, yes := range []bool{true, false} {
		said := make(chan bool)
		go func() { said <- q.GoOn(t.Context(), client.Question{Method: client.MethodToolsCall}, 10) }()
		for len(q.Waiting()) == 0 {
			<-q.Changed()
		}
		w := q.Waiting()[0]
		r := client.Reply{Reason: "no"}
		if yes {
			r = client.Reply{Result: []byte("{}")}
		}
		if w.Rounds != 10 || !q.Reply(w, r) || <-said != yes {
			t.Errorf("%+v: %v", w, yes)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if q.GoOn(ctx, client.Question{Method: client.MethodToolsCall}, 10) || len(q.Waiting()) > 0 {
		t.Error("it went on although its call was over")
	}
}

func TestComplete(t *testing.T) {
	q := New(Offer{})
	asks(t.Context(), q, client.Question{Method: client.MethodElicit, Params: []byte(`{"mode":"url","url":"https://a.test/","elicitationId":"7"}`)})
	asks(t.Context(), q, client.Question{Method: client.MethodElicit, Params: []byte(`{"mode":"url","url":"https://b.test/","elicitationId":"9"}`), Refused: true})
	q.Complete("7")
	q.Complete("8")
	q.Complete("9")
	if went := q.Went(); len(went) != 3 || !strings.HasSuffix(went[0], "https://a.test/") || !strings.Contains(went[1], `"8", which was not asked for`) || !strings.HasSuffix(went[2], "https://b.test/; r sends the call again") {
		t.Error(went)
	}
}

// TestRace: askers, a person and withdrawals at once; every asker gets its answer.
func TestRace(t *testing.T) {
	q := New(Offer{})
	const askers, each = 8, 40
	var wg sync.WaitGroup
	for i := range askers {
		wg.Go(func() {
			for n := range each {
				ctx, cancel := context.WithCancelCause(t.Context())
				if n%3 == 0 {
					go cancel(errors.New("withdrawn"))
				}
				got := q.Answer(ctx, []client.Question{elicit(fmt.Sprint(i)), elicit("b")})
				cancel(nil)
				if len(got) != 2 || got[0].Result == nil && got[0].Reason == "" {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	over := make(chan struct{})
	go func() { wg.Wait(); close(over) }()
	for {
		select {
		case <-q.Changed():
			for _, w := range q.Waiting() {
				q.Reply(w, client.Reply{Result: []byte("{}")})
			}
			q.Went()
		case <-over:
			if n := len(q.Waiting()); n > 0 {
				t.Errorf("%d are left", n)
			}
			return
		}
	}
}

func TestOffer(t *testing.T) {
	root := Root{Dir: "/w", URI: "file:///w"}
	for _, c := range []struct {
		offer                Offer
		handshake, stateless string
	}{
		{Offer{}, `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`, `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`},
		{Offer{Roots: []Root{root}, Without: []Capability{Sampling}}, `{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}`, `{"elicitation":{"form":{},"url":{}},"roots":{}}`},
		{Offer{Roots: []Root{root}, Without: []Capability{Roots, Elicitation, Sampling}}, `{}`, `{}`},
	} {
		if h, s := c.offer.Encode(); string(h) != c.handshake || string(s) != c.stateless {
			t.Errorf("%+v: %s %s", c.offer, h, s)
		}
	}
	if list, err := ParseCapabilities("roots, sampling"); err != nil || len(list) != 2 || list[1] != Sampling {
		t.Error(list, err)
	}
	if _, err := ParseCapabilities("root"); err == nil || !strings.Contains(err.Error(), "elicitation.form, elicitation.url, sampling") {
		t.Error(err)
	}
	for _, dir := range []string{"", "/no/such/folder"} {
		if _, err := NewRoot(dir); err == nil {
			t.Errorf("%q is taken", dir)
		}
	}
}
