package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

func TestStory(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"ask","_meta":{"progressToken":"p"}}`) // 1
	f.ask("2", client.MethodToolsCall, `{"name":"other","_meta":{"progressToken":"o"}}`)
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`) // 3
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"o","progress":1}}`)
	f.chunk(client.Err, "a line\n")                                               // 5
	f.out("stray")                                                                // 6
	f.out(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`) // 7
	f.in(`{"jsonrpc":"2.0","id":"q","result":{}}`)                                // 8
	f.answer("2", "{}")
	f.answer("1", `{"resultType":"input_required","requestState":"s\"1"}`) // 10
	f.chunk(client.Err, "between\n")
	f.ask("3", client.MethodToolsCall, `{"name":"ask","requestState":"another"}`)
	f.ask("4", client.MethodToolsCall, `{"name":"ask","inputResponses":{},"requestState":"s\"1","_meta":{"progressToken":7}}`) // 13
	f.out(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}`)                                            // 14
	f.in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)                                      // 15
	f.answer("4", "{}")                                                                                                        // 16
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2}}`)                     // 17, late
	f.answer("4", "{}")                                                                                                        // 18, again
	f.in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)                                      // 19
	f.exit(client.Exit{})                                                                                                      // 20
	f.ask("4", "ping", "{}")
	for _, c := range []struct {
		row  int
		want string
	}{
		{1, "1 3 5 6 7 8 10 13 14 15 16 17 18"},
		{7, "7 8"}, // that of the server
		{12, "12 14 19 20"},
		{20, ""}, {3, ""}, {99, ""},
		{21, "21"},
	} {
		var got []string
		f.log.Story(c.row, func(e Event) bool {
			got = append(got, fmt.Sprint(e.Seq))
			return true
		})
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("the story of %d is %s, want %s", c.row, s, c.want)
		}
	}
	for row, want := range map[int]int{1: 1, 10: 1, 6: 2, 8: 7, 5: -1, 3: -1, 20: -1, 99: -1} {
		if got := f.log.RequestFor(row); got != want {
			t.Errorf("row %d belongs to %d, want %d", row, got, want)
		}
	}
}

// TestStoryGoesOn: read piece by piece while rows come, a story has the rows of one that is read at once.
func TestStoryGoesOn(t *testing.T) {
	for seed := range uint64(8) {
		tr := &traffic{feeder: newFeeder(), rnd: rand.New(rand.NewPCG(seed, 3))}
		tr.spawn(1)
		for len(tr.log.Rows(Calls)) < 3 {
			tr.step()
		}
		seq := int(tr.log.Rows(Calls)[2])
		s := tr.log.Follow(seq)
		var got []int
		for range 300 {
			tr.step()
			if tr.rnd.IntN(3) > 0 && s.More() {
				var more []int
				anew := s.Read(context.Background(), func(e Event) bool { more = append(more, e.Seq); return true })
				if anew {
					got = nil
				}
				got = append(got, more...)
			}
		}
		s.Read(context.Background(), func(e Event) bool { got = append(got, e.Seq); return true })
		var want []int
		tr.log.Story(seq, func(e Event) bool { want = append(want, e.Seq); return true })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// TestStoryEndsWhereTheLogEnded when it was asked for, though the log grows while it is read.
func TestStoryEndsWhereTheLogEnded(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"ask"}`)
	f.out("stray")
	story, n := f.log.Follow(1), 0
	for _, want := range []int{2, 4} {
		story.Read(t.Context(), func(Event) bool {
			n++
			f.out("stray")
			return n < 100
		})
		if n != want {
			t.Fatalf("%d rows, not %d", n, want)
		}
	}
	if !story.More() {
		t.Error("there is no more to read")
	}
}
