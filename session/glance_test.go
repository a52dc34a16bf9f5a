package session

import (
	"testing"

	"example.com/mcpinspect/client"
)

// glancer looks at the state in the middle of a chunk, where the door is held.
type glancer struct {
	d     *door
	stray []int
	fresh []bool
}

func (g *glancer) Frame(*Event, *client.Frame) []Mark {
	s, fresh := g.d.glance()
	g.stray, g.fresh = append(g.stray, s.Counts.Stray), append(g.fresh, fresh)
	return nil
}

func (g *glancer) Note(*Event, *client.Note) []Mark { return nil }

// TestGlanceDoesNotWait: in the middle of a chunk the state before it is seen, and behind it the
// new one, also by who holds on to what was published.
func TestGlanceDoesNotWait(t *testing.T) {
	g := &glancer{}
	g.d = newDoor(&Playhead{}, client.DefaultMaxLine, []Observer{g}, nil)
	if s, fresh := g.d.glance(); !fresh || s.Counts.Stray != 0 {
		t.Fatalf("before anything came: %d, fresh %v", s.Counts.Stray, fresh)
	}
	g.d.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: []byte("a\nb\n")})
	if s := g.d.latest.Load(); s.Counts.Stray != 2 {
		t.Errorf("the end of the chunk published %d stray lines", s.Counts.Stray)
	}
	g.d.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: []byte("c\n")})
	want := []int{0, 0, 2}
	for i, n := range g.stray {
		if n != want[i] || g.fresh[i] {
			t.Errorf("look %d saw %d stray lines, fresh %v", i, n, g.fresh[i])
		}
	}
	if s, fresh := g.d.glance(); !fresh || s.Counts.Stray != 3 {
		t.Errorf("behind all: %d, fresh %v", s.Counts.Stray, fresh)
	}
}
