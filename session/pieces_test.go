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

// A body that is moved is the body, and its pieces are let go in between.
func TestMove(t *testing.T) {
	const pieces, size = 5, moveStep / 2
	var b client.Body
	for i := range pieces {
		b = append(b, bytes.Repeat([]byte{byte('a' + i)}, size))
	}
	g := &segment{data: make([]byte, 0, b.Len())}
	move(g, b)
	if len(g.data) != pieces*size {
		t.Fatalf("%d bytes", len(g.data))
	}
	for i := range pieces {
		if part := g.data[i*size : (i+1)*size]; part[0] != byte('a'+i) || part[size-1] != byte('a'+i) {
			t.Errorf("piece %d is another", i)
		}
	}
	if b[0] != nil || b[3] != nil || b[pieces-1] == nil {
		t.Error("the pieces are still there")
	}
}
