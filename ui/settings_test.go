package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/theme"
)

func TestSettings(t *testing.T) {
	a := appOn(t, ended(t), "none", 160, 45)
	press(a, "5", "g", "j", "j", "j")
	for _, c := range []struct {
		line string
		said string
		ok   func() bool
	}{
		{"set timeout 30s", "timeout is 30s", func() bool { return a.opts.HostLimit == 30*time.Second }},
		{"set timeout off", "timeout is off", func() bool { return a.opts.HostLimit == 0 }},
		{"set timeout -1s", "duration", func() bool { return a.opts.HostLimit == 0 }},
		{"set time clock", "time is clock", func() bool { return a.wire.times == wallClock }},
		{"set view calls", "view is calls", func() bool { return a.wire.view == session.Calls }},
		{"set order size", "order is size", func() bool { return a.wire.order() == session.BySize }},
		{"set view messages", "view is messages", func() bool { return a.wire.view == session.Messages }},
		{"set level error", "level is error", func() bool { judge(a); return a.wire.rows.len() == 4 }},
		{"set view frames", "view is frames", func() bool { return a.wire.view == session.Frames }},
		{"set follow on", "follow is on", func() bool { return a.wire.list.Following() }},
		{"set follow off", "follow is off", func() bool { return !a.wire.list.Following() }},
		{"set detail hex", "detail is hex", func() bool { return a.detail.mode == detail.Hex }},
		{"set filter tool:add is:request", "filter is tool:add is:request", func() bool { judge(a); return a.wire.rows.len() == 2 }},
		{"set filter off", "filter is off", func() bool { return a.wire.expr == nil }},
		{"set theme dark", "theme is dark", func() bool { return strings.Contains(a.View(), "\x1b[38;5;") }},
		{"set theme pink", "one of " + theme.Names, func() bool { return a.look.Name == "dark" }},
		{"set ascii on", "ascii is on", func() bool { return !strings.Contains(a.View(), "│") }},
		{"set ascii off", "ascii is off", func() bool { return strings.Contains(a.View(), "│") }},
		{"set zoom on", "zoom is on", func() bool { return a.mode.Zoom }},
		{"set task on", "task is on", func() bool { return a.tasks }},
		{"set view", "view is frames: of the wire; one of frames, calls, messages", func() bool { return true }},
		{"set follow maybe", "one of on, off", func() bool { return true }},
		{"set wrap on", "wrap is on", func() bool { return a.detail.wrap }},
		{"set wrap yes", "one of on, off", func() bool { return a.detail.wrap }},
		{"set max-line 1MiB", "start with --max-line 1MiB", func() bool { return a.sess.MaxLine() == client.DefaultMaxLine }},
		{"set max-line", "max-line is 64MiB: how much of a line is kept; --max-line", func() bool { return true }},
		{"set memory 1", "it is a size from 1MiB to 2048MiB", func() bool { return true }},
		{"set memory lots", "it is a size from 1MiB to 2048MiB", func() bool { return true }},
		{"set rows 5", "it is a number from 10,000 to 50,000,000", func() bool { return true }},
		{"set rows", "rows is 4194304: how many rows are kept", func() bool { return true }},
		{"set memry 1MiB", `no setting "memry": did you mean memory`, func() bool { return true }},
		{"set nothing 1", `no setting "nothing"; there are ascii, detail`, func() bool { return true }},
	} {
		a.notice = ""
		press(a, ":")
		typed(a, c.line)
		press(a, "enter")
		exact(t, a, 160, 45)
		if !strings.Contains(a.notice, c.said) || !c.ok() {
			t.Errorf("%s: %s", c.line, a.notice)
		}
	}
	for _, c := range [][2]string{{"memory 2MiB", "at most 4,194,304 rows, and 2MiB of messages"}, {"rows 10,000", "at most 10,000 rows, and 2MiB of messages"}} {
		cmd := a.command("set " + c[0])
		if cmd == nil {
			t.Fatalf("set %s does nothing: %s", c[0], a.notice)
		}
		if said, ok := cmd().(noticeMsg); !ok || !strings.Contains(string(said), c[1]) {
			t.Errorf("set %s: %q", c[0], said)
		}
	}
	if rows, bytes := a.sess.Log().Bounds(); rows != 10_000 || bytes != 2<<20 {
		t.Errorf("kept are %d rows and %d bytes", rows, bytes)
	}
	press(a, ":")
	typed(a, "set")
	press(a, "enter")
	screen := ansi.Strip(a.View())
	for _, s := range settings() {
		if !strings.Contains(screen, s.name+" ") || !strings.Contains(screen, s.value(a)) {
			t.Errorf("%s is not listed:\n%s", s.name, screen)
		}
		for _, v := range s.values { // what it may have is what it takes, and shows again
			if s.name == "log-level" {
				continue // asks the server
			}
			if _, err := s.set(a, v); err != nil || s.value(a) != v {
				t.Errorf("set %s %s: %v, and it is %s", s.name, v, err, s.value(a))
			}
		}
	}
	press(a, "esc")
	if got := proposed(a, ":", "set th"); len(got) != 1 || got[0] != "theme" {
		t.Errorf("proposed are %q", got)
	}
	if got := proposed(a, ":", "set view c"); len(got) != 1 || got[0] != "calls" {
		t.Errorf("proposed are %q", got)
	}
}

// TestWrappedDetail: long lines of JSON are whole when they are wrapped, the line of the cursor is seen wherever it
// goes, and no row is wider than the pane.
func TestWrappedDetail(t *testing.T) {
	long := strings.Repeat("word ", 60) + "END"
	a := appOn(t, made(t, `out:{"jsonrpc":"2.0","method":"notifications/x","params":{"one":"`+long+`","list":["`+strings.Repeat(`東京","`, 40)+`x"],"two":"`+strings.Repeat("x", 900)+`","three":"`+long+`"}}`+"\n"), "none", 80, 24)
	press(a, "5", "G", "6")
	pane := func() string {
		exact(t, a, 80, 24)
		a.dirty = true
		return ansi.Strip(a.View())
	}
	if strings.Contains(pane(), "END") {
		t.Fatal("the line is not long enough")
	}
	a.command("set wrap on")
	a.Update(tickMsg{})
	if !strings.Contains(pane(), "END") {
		t.Errorf("the line is cut all the same:\n%s", pane())
	}
	seen := ""
	for _, keys := range []string{"j", "k"} {
		for range 60 {
			press(a, keys)
			if at := strings.TrimSpace(a.detail.line()); !strings.Contains(pane(), at[:min(len(at), 5)]) {
				t.Fatalf("the line of the cursor is not shown: %q\n%s", at, pane())
			}
			seen += pane()
		}
	}
	if strings.Count(seen, "END") < 10 || !strings.Contains(seen, `"three"`) {
		t.Error("not all of it was seen")
	}
	for _, w := range []int{30, 41, 72, 200} {
		a.Update(tea.WindowSizeMsg{Width: w, Height: 24})
		press(a, "G", "k", "k")
		exact(t, a, w, 24)
	}
}
