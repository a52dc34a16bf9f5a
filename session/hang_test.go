package session

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

// What is known of a call without an answer stays with it until progress comes, and goes into the
// black box with it.
func TestKnownOfAHang(t *testing.T) {
	known := func(f *feeder) string { return strings.Join(f.snapshot().Calls[0].Known, "; ") }
	f := newFeeder()
	f.ask("7", client.MethodToolsCall, `{"name":"slow"}`)
	if got := known(f); got != "" {
		t.Errorf("before: %q", got)
	}
	f.note(client.Note{What: client.NoteHang, ID: "7", Data: []byte(`{"facts":["a","b"]}`)})
	f.note(client.Note{What: client.NoteHang, ID: "8", Data: []byte(`{"facts":["of another"]}`)})
	f.note(client.Note{What: client.NoteHang, ID: "7", Data: []byte(`{"facts":[7]}`)})
	if got := known(f); got != "a; b" {
		t.Errorf("known: %q", got)
	}
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}`)
	if got := known(f); got != "" {
		t.Errorf("after progress: %q", got)
	}
	f.note(client.Note{What: client.NoteTimeout, ID: "7", Data: []byte(`{"facts":["c"]}`)})
	f.note(client.Note{What: client.NoteExit})
	if box := f.snapshot().Box; len(box.Open) != 1 || !slices.Equal(box.Open[0].Known, []string{"c"}) {
		t.Errorf("%+v", box)
	}
}

func TestEnviron(t *testing.T) {
	s := New(Target{Command: client.Command{Args: []string{"srv"}, Env: []string{"A=1"}}}, Options{})
	s.Environ("B=2", "A=3")
	if got := s.command().Env; !slices.Equal(got, []string{"A=1", "B=2", "A=3"}) {
		t.Errorf("%q", got)
	}
	if got := s.Target().Command.Env; !slices.Equal(got, []string{"A=1"}) {
		t.Errorf("the target changed: %q", got)
	}
	if _, err := s.Why(); !errors.Is(err, ErrNotConnected) {
		t.Errorf("why of nothing: %v", err)
	}
}
