package session

import (
	"bytes"
	"testing"

	"example.com/mcpinspect/client"
)

// bodies is an observer that looks at the body of each line.
type bodies func(client.Body)

func (b bodies) Frame(_ *Event, f *client.Frame) []Mark { b(f.Body); return nil }
func (bodies) Note(*Event, *client.Note) []Mark         { return nil }

// A line that came in many reads reaches the observers as it is kept, in one piece: each part that one of
// them looks at would be a copy otherwise.
func TestObserversGetOnePiece(t *testing.T) {
	line := append(bytes.Repeat([]byte("x"), 3*client.ReadSize), '\n')
	var got client.Body
	d := newDoor(&Playhead{}, 0, []Observer{bodies(func(b client.Body) { got = b })}, nil)
	for rest := line; len(rest) > 0; {
		n := min(len(rest), 1000)
		d.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: rest[:n]})
		rest = rest[n:]
	}
	if len(got) != 1 || !bytes.Equal(got.Bytes(), line[:len(line)-1]) {
		t.Errorf("%d pieces, %d bytes", len(got), got.Len())
	}
}

// The steps of equal lines are remembered, and lead where the table leads.
func TestMarkSetsRemember(t *testing.T) {
	s := newMarkSets()
	a, b := Mark{Rule: "a"}, Mark{Rule: "b"}
	first := s.add(0, []Mark{a})
	both := s.add(first, []Mark{b})
	for range 3 {
		if n := s.add(0, []Mark{a}); n != first {
			t.Errorf("a: %d, want %d", n, first)
		}
		if n := s.add(0, []Mark{a, b}); n != both {
			t.Errorf("a and b: %d, want %d", n, both)
		}
	}
	if len(s.sets) != 3 {
		t.Errorf("%d sets", len(s.sets))
	}
}
