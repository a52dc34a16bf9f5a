package check

import (
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// traffic is what passes a session of the stateless era most: calls with progress, and their results.
var traffic = []struct {
	stream client.Stream
	line   string
}{
	{client.In, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":1}}}`},
	{client.Out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"total":10,"message":"working"}}`},
	{client.Out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2,"total":10,"message":"working"}}`},
	{client.Out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":3,"total":10,"message":"working"}}`},
	{client.Out, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"` + strings.Repeat("x", 100) + `"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`},
}

type seenFrame struct {
	e session.Event
	f client.Frame
}

// frames are those of the traffic, with what the door adds.
func frames(t testing.TB) (out []*seenFrame) {
	for _, l := range traffic {
		w := client.NewWire(l.stream, 0)
		w.Feed([]byte(l.line+"\n"), 0, func(f *client.Frame) {
			s := &seenFrame{f: *f}
			s.f.Messages = append([]client.Message(nil), f.Messages...)
			s.f.Body = client.Body{append([]byte(nil), f.Body.Bytes()...)}
			s.e = session.Event{Run: 1, Stream: l.stream, Kind: f.Kind, Size: len(l.line), Term: client.TermLF, Pair: session.NoPair}
			out = append(out, s)
		})
	}
	if len(out) != len(traffic) {
		t.Fatal("not every line is a frame")
	}
	return out
}

func clean(t testing.TB, foreign bool) (*Observer, []*seenFrame) {
	o := New()
	if foreign {
		o.Note(&session.Event{Run: 1}, &client.Note{Run: 1, What: client.NoteTap})
	}
	o.Note(&session.Event{Run: 1}, &client.Note{Run: 1, What: client.NoteEra, Data: []byte(`{"revision":"2026-07-28"}`)})
	return o, frames(t)
}

// BenchmarkRules is what all rules cost on the way of ordinary messages, on average.
func BenchmarkRules(b *testing.B) {
	o, frames := clean(b, false)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		s := frames[n%len(frames)]
		s.e.T = time.Duration(n) * time.Millisecond
		o.Frame(&s.e, &s.f)
		n++
	}
}

// TestCleanMessagesAllocateNothing: what is as it should be costs no memory.
func TestCleanMessagesAllocateNothing(t *testing.T) {
	o, frames := clean(t, false)
	round := func() {
		for _, s := range frames {
			if marks := o.Frame(&s.e, &s.f); marks != nil {
				t.Fatalf("%s: %+v", s.f.Body.Bytes(), marks)
			}
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n > 0 {
		t.Errorf("%v allocations for %d messages", n, len(frames))
	}
}
