package form

import (
	"strings"
	"testing"
)

// TestChosenBranchStands: a branch that was chosen and has no value yet is named, is no value, and
// is where the next choice starts from.
func TestChosenBranchStands(t *testing.T) {
	f := New([]byte(`{"type":"object","properties":{"size":{"oneOf":[{"type":"integer","title":"cells"},{"type":"string","title":"percent"},{"type":"boolean","title":"auto"}]}}}`))
	f.goTo("/size")
	if got := f.Line(); got != "size (left out)" {
		t.Fatalf("%q", got)
	}
	f.Choose(1)
	for _, want := range []string{"cells: nothing yet (left out)", "percent: nothing yet (left out)"} {
		if got := f.Line(); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if got := sent(t, f); got != `{}` {
			t.Errorf("sends %s", got)
		}
		f.Choose(1)
	}
	f.Choose(-1)
	if got := f.Line(); !strings.Contains(got, "percent") {
		t.Errorf("back from the last branch: %q", got)
	}
	f.LeaveOut()
	if got := f.Line(); got != "size (left out)" {
		t.Errorf("left out on purpose: %q", got)
	}
}

// TestAddMakesALeftOutGroup: + on an object that is not there asks for no further name, and least
// of all for one in the object around it.
func TestAddMakesALeftOutGroup(t *testing.T) {
	for _, closed := range []string{`true`, `false`} {
		f := New([]byte(`{"type":"object","properties":{"at":{"type":"object","additionalProperties":` + closed + `,"properties":{"x":{"type":"integer"}}}}}`))
		f.goTo("/at")
		if said := f.Add(); said != "" || f.Editing() {
			t.Errorf("%q, editing %v", said, f.Editing())
		}
		if got := sent(t, f); got != `{"at":{}}` {
			t.Errorf("sends %s", got)
		}
	}
}

// TestTypingOnAddsRows: an empty list on the way of enter says how it gets a row, and + gives it one.
func TestTypingOnAddsRows(t *testing.T) {
	f := New([]byte(`{"type":"object","required":["a","tags","b"],"properties":{"a":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"b":{"type":"string"}}}`))
	f.Edit()
	press(f, "1")
	f.Advance(false)
	if said := f.Said(); f.Path() != "/tags" || !strings.Contains(said, "+ adds a row") {
		t.Fatalf("on %s: %q", f.Path(), said)
	}
	press(f, "+", "x")
	f.Advance(false)
	press(f, "2")
	if got := sent(t, f); got != `{"a":"1","tags":["x"],"b":"2"}` {
		t.Errorf("sends %s", got)
	}
}
