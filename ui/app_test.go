package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// sample opens one of the recordings that come with the program.
func sample(t testing.TB, name string) *session.Session {
	t.Helper()
	f, err := recordings.Samples().Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := recordings.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func appOn(t testing.TB, s *session.Session, themeName string, w, h int) *app {
	t.Helper()
	th, err := theme.Pick(themeName)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(context.Background())
	t.Cleanup(func() { stop(nil) })
	a := newApp(ctx, stop, Options{Session: s}, look{Theme: th, glyphs: text.Unicode}, make(chan error, 1), nil)
	a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// press types keys and runs nothing that they start, except what the panes ask of each other.
func press(a *app, keys ...string) {
	for _, k := range keys {
		a.Update(keyMsg(k))
	}
}

// keyMsg makes the message that Bubble Tea makes of a key.
func keyMsg(k string) tea.KeyMsg {
	if k == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	for t, name := range map[tea.KeyType]string{tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyTab: "tab", tea.KeyShiftTab: "shift+tab", tea.KeyUp: "up", tea.KeyDown: "down",
		tea.KeyLeft: "left", tea.KeyRight: "right", tea.KeyHome: "home", tea.KeyEnd: "end", tea.KeyPgUp: "pgup", tea.KeyPgDown: "pgdown",
		tea.KeyCtrlC: "ctrl+c", tea.KeyBackspace: "backspace", tea.KeyCtrlS: "ctrl+s", tea.KeyCtrlD: "ctrl+d", tea.KeyCtrlU: "ctrl+u", tea.KeyCtrlZ: "ctrl+z", tea.KeyCtrlN: "ctrl+n", tea.KeyCtrlP: "ctrl+p"} {
		if name == k {
			return tea.KeyMsg{Type: t}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// exact fails unless a frame is h lines of w cells.
func exact(t testing.TB, a *app, w, h int) {
	t.Helper()
	lines := strings.Split(a.View(), "\n")
	if len(lines) != h {
		t.Fatalf("%d lines at %dx%d", len(lines), w, h)
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("line %d has %d cells at %dx%d: %q", i, got, w, h, ansi.Strip(l))
		}
	}
}

func TestGoldenScreens(t *testing.T) {
	for _, name := range []string{"modern-clean.jsonl", "legacy-crash.jsonl", "restart-token.jsonl"} {
		for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}, {300, 100}} {
			a := appOn(t, sample(t, name), "none", size[0], size[1])
			exact(t, a, size[0], size[1])
			var out strings.Builder
			out.WriteString(ansi.Strip(a.View()) + "\n")
			if size[0] < 300 {
				press(a, "5", "k", "enter")
				out.WriteString("\n# the detail of a row of the wire\n" + ansi.Strip(a.View()) + "\n")
				press(a, "3", "enter")
				out.WriteString("\n# the form\n" + ansi.Strip(a.View()) + "\n")
			}
			golden(t, fmt.Sprintf("screens/%s-%dx%d.txt", strings.TrimSuffix(name, ".jsonl"), size[0], size[1]), out.String())
		}
	}
}

// TestGoldenTheme keeps the colours of two themes on one screen.
func TestGoldenTheme(t *testing.T) {
	for _, name := range []string{"ansi", "dark"} {
		a := appOn(t, sample(t, "legacy-crash.jsonl"), name, 120, 36)
		golden(t, "screens/theme-"+name+".txt", strings.ReplaceAll(a.View(), "\x1b", "␛")+"\n")
	}
}

// TestEveryFrameFits presses keys at random at many sizes: no key breaks the frame or panics.
func TestEveryFrameFits(t *testing.T) {
	keys := strings.Fields("p P H w W tab shift+tab 1 2 3 4 5 6 5 o T t D m ! k j h l g G ctrl+d ctrl+u pgup pgdown enter esc / n N ; , v y z : ? x s S r u 0 b d + - < > . = f e E K F up down left right home end ctrl+c a Z 東 paste")
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"modern-clean.jsonl", "legacy-crash.jsonl"} {
		s := sample(t, name)
		for range 60 {
			w, h := 1+rnd.IntN(200), 1+rnd.IntN(60)
			a := appOn(t, s, "ansi", w, h)
			exact(t, a, w, h)
			for range 120 {
				k := keys[rnd.IntN(len(keys))]
				m := keyMsg(k)
				if k == "paste" {
					m = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(`{"a":"x"}`), Paste: true}
				}
				a.Update(m)
				exact(t, a, w, h)
			}
			w, h = 1+rnd.IntN(200), 1+rnd.IntN(60)
			a.Update(tea.WindowSizeMsg{Width: w, Height: h})
			exact(t, a, w, h)
		}
	}
}

// TestOddSizes: no size that a terminal may claim breaks the frame.
func TestOddSizes(t *testing.T) {
	s := sample(t, "legacy-crash.jsonl")
	a := appOn(t, s, "ansi", 160, 45)
	for _, size := range [][2]int{{0, 0}, {0, 9}, {9, 0}, {1, 1}, {2, 2}, {1, 500}, {500, 1}, {30, 8}, {29, 8}, {30, 7}, {72, 20}, {71, 20}, {1000, 1000}, {0, 0}, {160, 45}} {
		w, h := size[0], size[1]
		a.Update(tea.WindowSizeMsg{Width: w, Height: h})
		for _, k := range strings.Fields("1 G 2 G 3 enter esc 4 G 5 G pgup enter G pgdown z z ? G / a esc esc") {
			press(a, k)
			if w > 0 && h > 0 {
				exact(t, a, w, h)
			} else if a.View() != "" {
				t.Fatalf("something is drawn at %dx%d", w, h)
			}
		}
	}
}

// TestViewIsCached: Bubble Tea asks for the frame after every message; it is drawn once a change.
func TestViewIsCached(t *testing.T) {
	a := appOn(t, sample(t, "modern-clean.jsonl"), "ansi", 160, 45)
	a.View()
	a.frame = "the cached frame"
	if got := a.View(); got != "the cached frame" {
		t.Error("the frame was drawn again without a message")
	}
	a.Update(keyMsg("j"))
	if got := a.View(); got == "the cached frame" {
		t.Error("a key did not change the frame")
	}
}

// TestLateDetailIsDropped: a window of another row, formatted before the cursor moved, is not shown.
func TestLateDetailIsDropped(t *testing.T) {
	a := appOn(t, sample(t, "modern-clean.jsonl"), "none", 160, 45)
	a.Update(detailMsg{key: detailKey{seq: a.detail.seq - 1, width: a.detail.width, n: 10}, lines: []string{"STALE LINE"}, total: 1, exact: true})
	if strings.Contains(a.View(), "STALE LINE") {
		t.Error("the stale answer is shown")
	}
}

// TestKeysOfOneRead: characters that come in one message are keys one by one, and text where text is typed.
func TestKeysOfOneRead(t *testing.T) {
	burst := func(a *app, s string) {
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)})
	}
	for _, c := range []struct {
		name  string
		keys  []string // "+" before several characters of one read
		check func(a *app) string
	}{
		{"held", []string{"5", "g", "+jjj"}, func(a *app) string { return fmt.Sprint(a.wire.list.Cursor()) + " 3" }},
		{"different", []string{"+5gjjk"}, func(a *app) string { return fmt.Sprint(a.wire.list.Cursor()) + " 1" }},
		{"quit", []string{"+jqz"}, func(a *app) string { return fmt.Sprint(a.leaving, a.mode.Zoom) + " true false" }},
		{"a word", []string{"+zquit"}, func(a *app) string { return fmt.Sprint(a.leaving, a.mode.Zoom) + " false true" }},
		{"keys and digits", []string{"+5G6q"}, func(a *app) string { return fmt.Sprint(a.leaving, a.mode.Focus == PaneDetail) + " true true" }},
		{"a longer address", []string{"+https://q"}, func(a *app) string { return fmt.Sprint(a.leaving, a.calls) + " false 0" }},
		{"a name", []string{"+x_q1"}, func(a *app) string { return fmt.Sprint(a.leaving) + " false" }},
		{"held", []string{"+qq"}, func(a *app) string { return fmt.Sprint(a.leaving) + " false" }},
		{"yank", []string{"+yy"}, func(a *app) string { return fmt.Sprint(a.yank) + " false" }},
		{"nothing after quit", []string{"q", "z"}, func(a *app) string { return fmt.Sprint(a.mode.Zoom) + " false" }},
		{"command", []string{"+:zoom", "enter"}, func(a *app) string { return fmt.Sprint(a.mode.Zoom) + " true" }},
		{"command that quits", []string{"+:q", "enter"}, func(a *app) string { return fmt.Sprint(a.leaving) + " true" }},
		{"search", []string{"+5g/exit", "enter"}, func(a *app) string { return a.prompt.search + " exit" }},
		{"copy", []string{"+yjj"}, func(a *app) string { return fmt.Sprint(a.yank) + " false" }},
		{"what to copy", []string{"y", "+jj"}, func(a *app) string { return fmt.Sprint(a.yank) + " false" }},
		{"help", []string{"+?jj"}, func(a *app) string { return fmt.Sprint(a.help != nil && a.help.lines.list.Cursor() == 2) + " true" }},
		{"control", []string{"+a: 1\rq\r"}, func(a *app) string { return fmt.Sprint(a.leaving, a.prompt.kind != promptNone) + " false false" }},
	} {
		a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 160, 45)
		for _, k := range c.keys {
			if s, ok := strings.CutPrefix(k, "+"); ok {
				burst(a, s)
			} else {
				press(a, k)
			}
		}
		words := strings.Fields(c.check(a))
		if got, want := words[:len(words)/2], words[len(words)/2:]; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

// TestNobodyAnswersAQuestionBeforeItIsAsked: the y behind the key that asks does not count, and a y in a word
// answers nothing.
func TestNobodyAnswersAQuestionBeforeItIsAsked(t *testing.T) {
	a := appOn(t, made(t, `in:{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), "none", 160, 45)
	hasty := func(s string) { a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}) }
	if hasty("Restart"); a.prompt.kind != promptNone || !strings.Contains(a.notice, `'R' and what follows it were ignored`) {
		t.Fatalf("R in a word: %q", a.notice)
	}
	if hasty("Ry"); a.prompt.kind != promptConfirm {
		t.Fatalf("with a call open R must ask, and the y that came with it is no answer: %q", a.notice)
	}
	if hasty("yes!"); a.prompt.kind != promptConfirm || a.notice == restarting {
		t.Errorf("a y in a word was taken: %q", a.notice)
	}
	press(a, "y")
	if a.prompt.kind != promptNone || a.notice != restarting {
		t.Errorf("a y that came after the question was not taken: %q", a.notice)
	}
	if a.Update(connectedMsg{}); a.notice != "" {
		t.Errorf("the server is there again, and the screen says %q", a.notice)
	}
}

func TestEscapePiecesAreSwallowed(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		keys []string
		last bool // whether the last key counts
	}{
		{[]string{"alt+[", "2", "4", ";", "8", "0", "R"}, false},
		{[]string{"alt+O", "R"}, false},
		{[]string{"R"}, true},
	} {
		var f escapeFilter
		got := false
		for _, k := range c.keys {
			m := keyMsg(k)
			if rest, ok := strings.CutPrefix(k, "alt+"); ok {
				m = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: true}
			}
			got = f.pass(m, now)
		}
		if got != c.last {
			t.Errorf("%v: the last key passed: %v", c.keys, got)
		}
	}
}

// TestASCIIScreen: a terminal that draws nothing but ASCII gets nothing else, whatever the server
// calls its things.
func TestASCIIScreen(t *testing.T) {
	foreign := "東京ツール é"
	s := made(t,
		`in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"`+foreign+`","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"`+foreign+`","version":"1"}}}}`+"\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n",
		`out:{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"`+foreign+`","title":"t `+foreign+`","description":"`+foreign+`","inputSchema":{"type":"object","properties":{"`+foreign+`":{"type":"string","description":"`+foreign+`","default":"`+foreign+`"}}}}]}}`+"\n",
		`in:{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"`+foreign+`","arguments":{}}}`+"\n",
		`out:{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"`+foreign+`"}],"structuredContent":{"`+foreign+`":1}}}`+"\n",
		"err:"+foreign+"\n")
	a := appOn(t, s, "ansi", 160, 45)
	a.look.glyphs = text.Plain
	for _, keys := range []string{"1", "2", "3", "3 enter 東 esc", "v", "v", "4", "5 G", "6 v", "v", "/ é enter", "5 f 東", "esc : x é enter", "?"} {
		press(a, strings.Fields(keys)...)
		a.dirty = true
		exact(t, a, 160, 45)
		for _, c := range a.View() {
			if c >= 0x7f {
				t.Fatalf("after %s %q is drawn:\n%s", keys, c, a.View())
			}
		}
	}
	press(a, "esc", "esc", "2")
	screen := ansi.Strip(a.View())
	for _, want := range []string{` \u6771\u4eac`, `> \u6771\u4eac`, "3 Call \\u6771"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
}

// TestViewsWithoutRows: a view of which the log has nothing shows nothing, and says so.
func TestViewsWithoutRows(t *testing.T) {
	a := appOn(t, made(t, "err:hello\n"), "none", 120, 36)
	for view, want := range map[session.View]string{session.Calls: "no call yet", session.Messages: "the server has logged nothing"} {
		a.wire.show(view)
		a.Update(tickMsg{})
		if got := ansi.Strip(a.View()); !strings.Contains(got, want) || a.wire.rows.len() != 0 {
			t.Errorf("view %d has %d rows:\n%s", view, a.wire.rows.len(), got)
		}
	}
}
