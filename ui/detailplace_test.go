package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session"
)

// odds is a session with one answer in which everything is odd that the detail tells of.
func odds(t testing.TB) *session.Session {
	return made(t, `in:{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"city":"Bern \\ \"x\""}}}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"東京"}],"n":9007199254740993,"structuredContent":{"sum":5,"list":[1,2,{"deep":[true]}]},"n":1e400}}`+"\n")
}

// TestTreeAndBytesInStep: from each line of the tree each mode shows the same place, and back.
func TestTreeAndBytesInStep(t *testing.T) {
	a := appOn(t, odds(t), "none", 160, 45)
	press(a, "5", "g", "j", "j", "enter")
	for line := range 20 {
		press(a, "g")
		for range line {
			press(a, "j")
		}
		want := a.detail.place
		for _, mode := range []string{"raw", "hex", "pretty"} {
			press(a, "v")
			if got := a.detail.place; got.pointer != want.pointer || got.value != want.value || a.detail.of.Mode().String() != mode {
				t.Errorf("line %d: %q %v in %v, want %q %v", line, got.pointer, got.value, a.detail.of.Mode(), want.pointer, want.value)
			}
			exact(t, a, 160, 45)
		}
	}
	press(a, "g", "v", "v") // hex; a line down is sixteen bytes on
	seen := map[string]bool{}
	for range 12 {
		press(a, "j")
		seen[a.detail.place.pointer] = true
	}
	if !seen["/result/content/0/type"] || !seen["/result/n"] || len(seen) < 5 {
		t.Errorf("moving in the bytes goes to %v", seen)
	}
}

func TestGoldenDetail(t *testing.T) {
	var out strings.Builder
	a := appOn(t, odds(t), "none", 160, 45)
	show := func(what string) {
		exact(t, a, 160, 45)
		fmt.Fprintf(&out, "# %s\n", what)
		r := a.lay.Panes[PaneDetail]
		for _, l := range a.pane(PaneDetail, r) {
			out.WriteString(strings.TrimRight(strings.NewReplacer("\x1b[1m", "", "\x1b[7m", "⟦", "\x1b[4m", "⟨", "\x1b[0m", "⟩").Replace(l), " ") + "\n")
		}
	}
	press(a, "5", "g", "j", "j", "enter")
	for range 11 {
		press(a, "j")
	}
	show("tree")
	press(a, "v")
	show("raw")
	press(a, "v")
	show("hex")
	press(a, "v", "-")
	show("folded")
	press(a, "k", "k", "k", "k", "-")
	show("more folded")
	press(a, "+", "z")
	show("tree beside bytes")
	golden(t, "screens/detail.txt", ansi.Strip(out.String()))
}

func TestFilterByValue(t *testing.T) {
	a := appOn(t, odds(t), "none", 160, 45)
	for _, c := range []struct {
		row, line int
		want      string
	}{{1, 2, `id:"1"`}, {1, 3, `method:"tools/call"`}, {1, 5, `tool:"add"`}, {1, 7, `"Bern \\\\ \\\"x\\\""`}, {2, 12, `"5"`}} {
		press(a, "5", "esc", "esc", "esc")
		a.goToRow(c.row)
		press(a, "6", "g")
		for range c.line {
			press(a, "j")
		}
		press(a, "=")
		if got := a.wire.filtered(); got != c.want {
			t.Errorf("row %d, line %d: %s, want %s (%s)", c.row, c.line, got, c.want, a.notice)
		}
		if _, ok := a.wire.rows.index(c.row); !ok && a.wire.rows.len() == 0 {
			t.Errorf("%s lets its own row not pass", a.wire.filtered())
		}
	}
}

// TestSharedReads says in which time a line came, and with whom.
func TestSharedReads(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":"m%d"}`+"\n", i) }
	a := appOn(t, made(t, "out:"+line(1)+line(2)[:9], "out:"+line(2)[9:12], "out:"+line(2)[12:]+line(3), "out:"+line(4), "out:"+line(5)[:3], "err:x\n", "out:"+line(5)[3:]), "none", 160, 45)
	for seq, want := range map[int]string{1: "1 read, shared its read with #2", 2: "3 reads over 2.0 ms, shared its first read with #1, shared its last read with #3", 3: "1 read, shared its read with #2", 4: "1 read", 6: "2 reads over 2.0 ms"} {
		e, _ := a.sess.Log().Event(seq)
		if got := reads(a.sess.Log(), &e); got != "arrived in "+want {
			t.Errorf("#%d: %s, want %s", seq, got, want)
		}
	}
}

// TestFoldsAndPlaceOutliveTheWidth: what is folded stays so when the pane gets wider and when something is put on
// the row, and the cursor stays on its byte where another width puts other bytes on its line.
func TestFoldsAndPlaceOutliveTheWidth(t *testing.T) {
	long := strings.Repeat("word ", 300)
	a := appOn(t, made(t, `out:{"jsonrpc":"2.0","method":"notifications/x","params":{"list":[1,2,3],"text":"`+long+`","mark":"HERE"}}`+"\n"), "none", 120, 36)
	press(a, "5", "G", "6", "/")
	typed(a, "list")
	_, cmd := a.Update(keyMsg("enter"))
	run(a, cmd)
	press(a, "-")
	for _, do := range []func(){func() { press(a, "z") }, func() { a.Update(markedMsg{seq: a.detail.seq}) }, func() { press(a, "z") }} {
		if do(); !strings.Contains(a.detail.line(), "folded") {
			t.Errorf("the line is %q", a.detail.line())
		}
	}
	press(a, "v", "/")
	typed(a, "HERE")
	_, cmd = a.Update(keyMsg("enter"))
	run(a, cmd)
	for _, w := range []int{160, 80, 200, 61, 120} {
		a.Update(tea.WindowSizeMsg{Width: w, Height: 36})
		if line := a.detail.line(); !strings.Contains(line+"HERE", "HERE") || !strings.Contains(line, "mark") && !strings.Contains(line, "HE") && !strings.Contains(line, "RE") {
			t.Errorf("%d cells wide the cursor is on %q", w, line)
		}
	}
}
