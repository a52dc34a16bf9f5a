package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestGoldenRowDiff(t *testing.T) {
	var out strings.Builder
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		a := appOn(t, ended(t), "none", size[0], size[1])
		press(a, "5", "v") // the calls
		a.goToRow(3)
		pressed(a, "m")
		a.goToRow(14)
		until[rowsDiffMsg](t, a, "D")
		exact(t, a, size[0], size[1])
		fmt.Fprintf(&out, "# a marked call and the one under the cursor\n%s\n", ansi.Strip(a.View()))
		press(a, "esc", "G") // which waits for its answer
		until[rowsDiffMsg](t, a, "D")
		fmt.Fprintf(&out, "# without an answer\n%s\n", ansi.Strip(a.View()))
		press(a, "esc", "5", "esc", "esc")
		a.goToRow(3)
		pressed(a, "m") // no longer
		a.goToRow(20)
		pressed(a, "m")
		a.goToRow(27)
		pressed(a, "m")
		until[rowsDiffMsg](t, a, "D")
		exact(t, a, size[0], size[1])
		fmt.Fprintf(&out, "# two marked messages\n%s\n", ansi.Strip(a.View()))
	}
	golden(t, "screens/rowdiff.txt", out.String())
}

func TestDiffNeedsTwo(t *testing.T) {
	a := appOn(t, ended(t), "none", 120, 36)
	press(a, "5", "g", "D")
	if a.help != nil || !strings.Contains(a.notice, "m marks") {
		t.Errorf("nothing is marked: %s", a.notice)
	}
	pressed(a, "m")
	if press(a, "D"); a.help != nil || !strings.Contains(a.notice, "only this row is marked") {
		t.Errorf("one is marked: %s", a.notice)
	}
	press(a, "j")
	until[rowsDiffMsg](t, a, "D")
	if !strings.Contains(a.View(), "#0 beside #1") {
		t.Errorf("the first with this one:\n%s", a.View())
	}
	press(a, "j", "enter")
	if a.help != nil {
		t.Error("enter does not go to the row")
	}
}

// TestRowDiffIsSearched: a search looks at the text, not at its colours, and R compares anew.
func TestRowDiffIsSearched(t *testing.T) {
	a := appOn(t, ended(t), "ansi", 160, 45)
	press(a, "5", "g", "j", "j", "j")
	_, cmd := a.Update(keyMsg("m"))
	ran(a, cmd)
	press(a, "G")
	a.goToRow(14)
	until[rowsDiffMsg](t, a, "D")
	a.View()
	if !strings.Contains(a.help.title, "#3 beside #14 at ") {
		t.Fatalf("the title is %q: %s", a.help.title, a.notice)
	}
	if !a.help.lines.find("38;5", 1).none() || !a.help.lines.find("[3", 1).none() || a.help.lines.find("arguments", 1).none() {
		t.Error("the search looks at colours, or not at the text")
	}
	if strings.Contains(a.line(), "\x1b") {
		t.Errorf("a colour is copied: %q", a.line())
	}
	was := a.help
	until[rowsDiffMsg](t, a, "R")
	if a.help == was || a.help == nil {
		t.Error("R does not compare anew")
	}
}
