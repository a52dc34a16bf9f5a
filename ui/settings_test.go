package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

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
