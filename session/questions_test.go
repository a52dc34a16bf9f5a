package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// askBack plays a server of 2026-07-28 whose tools ask for input by their results. In the end "both"
// repeats what it got.
func askBack(method string, params []byte, result func(string)) {
	text := client.GetText(params, "arguments", "text")
	question := func(message string) string {
		return `{"method":"elicitation/create","params":{"message":"` + message + `","requestedSchema":{"type":"object"}}}`
	}
	tool := client.GetText(params, "name")
	switch {
	case method == client.MethodDiscover:
		result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)
	case method != client.MethodToolsCall:
	case tool == "both" && client.Get(params, "inputResponses") != nil:
		got := append(append([]byte(nil), client.Get(params, "inputResponses")...), client.Get(params, "requestState")...)
		result(`{"resultType":"complete","content":[],"got":` + string(client.Quote(string(got))) + `}`)
	case tool == "both":
		result(`{"resultType":"input_required","inputRequests":{"b":` + question("b of "+text) + `,"a":` + question("a of "+text) + `},"requestState":"of \u00e9` + text + `"}`)
	case tool == "odd":
		result(`{"resultType":"input_required","inputRequests":{"b":` + question("b") + `,"x":{"method":"no/such","params":{"y":1}}}}`)
	case tool == "dies":
		result(`{"resultType":"input_required","inputRequests":{"b":` + question("b") + `}}`)
		os.Exit(9)
	case tool == "endless":
		result(`{"resultType":"input_required","requestState":"s"}`)
	}
}

// asked is a session on a server that asks back, and what answers it.
func asked(t *testing.T, answer client.Answerer) *Session {
	t.Parallel()
	s := open(t, "asks", Options{Probe: time.Minute}) // it answers, however busy the machine is
	s.opts.Identity.Capabilities = []byte(`{"elicitation":{"form":{}}}`)
	s.opts.Identity.Answer = answer
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRoundsKeepApart: what a result asks for comes at once, and the answers go back with the state of
// the same call, as it was written, also when calls overlap.
func TestRoundsKeepApart(t *testing.T) {
	const calls = 4
	var all sync.WaitGroup // the answers are given when every call has asked
	all.Add(calls)
	s := asked(t, func(_ context.Context, asked []client.Question) []client.Reply {
		all.Done()
		all.Wait()
		replies := make([]client.Reply, len(asked))
		for i, q := range asked {
			replies[i].Result = fmt.Appendf(nil, `{"action":"accept","content":{"to":%s}}`, client.Get(q.Params, "message"))
		}
		return replies
	})
	var done sync.WaitGroup
	for i := range calls {
		done.Go(func() {
			a, err := s.Call(t.Context(), client.CallTool("both", fmt.Appendf(nil, `{"text":"%d"}`, i)))
			want := fmt.Sprintf(`{"b":{"action":"accept","content":{"to":"b of %d"}},"a":{"action":"accept","content":{"to":"a of %d"}}}"of \u00e9%d"`, i, i, i)
			if err != nil || client.GetText(a.ResultRaw(), "got") != want {
				t.Errorf("%v\n%s\nwant %s", err, client.GetText(a.ResultRaw(), "got"), want)
			}
		})
	}
	done.Wait()
}

// TestRoundsEndUnanswered: a refusal sends nothing, a kind that nobody knows is refused with a word, and
// a question ends with its call and with its server.
func TestRoundsEndUnanswered(t *testing.T) {
	notes := func(s *Session) (said string) {
		for seq := range s.Log().Len() {
			if e, ok := s.Log().Event(seq); ok && e.Note != nil {
				said += e.Note.Text + "\n"
			}
		}
		return said
	}
	waits := func(ctx context.Context, asked []client.Question) []client.Reply {
		<-ctx.Done()
		return make([]client.Reply, len(asked))
	}
	t.Run("refused", func(t *testing.T) {
		s := asked(t, func(_ context.Context, asked []client.Question) []client.Reply {
			return []client.Reply{{Result: []byte("{}")}, {Reason: "no, thank you"}}
		})
		a, err := s.Call(t.Context(), client.CallTool("both", []byte(`{"text":"x"}`)))
		if err != nil || client.GetText(a.ResultRaw(), "resultType") != "input_required" || !strings.Contains(notes(s), `"a" was refused: no, thank you`) {
			t.Errorf("%v %s\n%s", err, a.ResultRaw(), notes(s))
		}
	})
	t.Run("unknown", func(t *testing.T) {
		s := asked(t, func(context.Context, []client.Question) []client.Reply {
			t.Error("it was asked")
			return make([]client.Reply, 2)
		})
		a, err := s.Call(t.Context(), client.CallTool("odd", nil))
		if err != nil || client.GetText(a.ResultRaw(), "resultType") != "input_required" || !strings.Contains(notes(s), `"x" wants no/such, which was not offered`) {
			t.Errorf("%v %s\n%s", err, a.ResultRaw(), notes(s))
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := asked(t, func(ctx context.Context, asked []client.Question) []client.Reply {
			cancel()
			return waits(ctx, asked)
		})
		if _, err := s.Call(ctx, client.CallTool("both", []byte(`{"text":"x"}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	t.Run("gone", func(t *testing.T) {
		s := asked(t, waits)
		_, err := s.Call(t.Context(), client.CallTool("dies", nil))
		var closed *client.ClosedError
		if !errors.As(err, &closed) || !errors.Is(closed.Err, client.ErrServerGone) {
			t.Errorf("%v", err)
		}
	})
	t.Run("endless", func(t *testing.T) {
		s := asked(t, waits)
		var rounds []int
		s.conn.Close()
		s.opts.Identity.GoOn = func(_ context.Context, request client.Question, n int) bool {
			if request.Method != client.MethodToolsCall || request.ID == "" {
				t.Errorf("%+v", request)
			}
			rounds = append(rounds, n)
			return len(rounds) == 1
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a, err := s.Call(t.Context(), client.CallTool("endless", nil)); err != nil || client.GetText(a.ResultRaw(), "resultType") != "input_required" {
			t.Errorf("%v %s", err, a.ResultRaw())
		}
		if fmt.Sprint(rounds) != fmt.Sprint([]int{maxStateRounds, 2*maxStateRounds + 1}) {
			t.Errorf("asked after %v rounds", rounds)
		}
	})
}

// TestOfferHoldsFromTheNextStart: what is offered changes when the server is started again.
func TestOfferHoldsFromTheNextStart(t *testing.T) {
	s := asked(t, nil)
	s.Offer([]byte(`{"handshake":{}}`), []byte(`{"stateless":{}}`))
	if got := string(s.current().Identity().Capabilities); got != `{"elicitation":{"form":{}}}` {
		t.Errorf("now: %s", got)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := string(s.Snapshot().Server.Offered); got != `{"stateless":{}}` {
		t.Errorf("after the start: %s", got)
	}
}
