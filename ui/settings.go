package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/words"
)

// setting is something that a person changes while the screen runs, by :set NAME VALUE.
type setting struct {
	name, help string
	values     []string // that it may have; nil for others than few
	value      func(a *app) string
	set        func(a *app, value string) (tea.Cmd, error)
}

// off is the value of what can be switched off.
const off = "off"

var onOff = []string{"on", off}

func said(on bool) string {
	if on {
		return "on"
	}
	return off
}

// settings are all of them, in the order in which they are listed.
func settings() []setting {
	numbered := func(n int, name func(int) string) (names []string) {
		for i := range n {
			names = append(names, name(i))
		}
		return names
	}
	// of makes the setter of one of some values.
	of := func(values []string, do func(a *app, i int)) func(*app, string) (tea.Cmd, error) {
		return func(a *app, value string) (tea.Cmd, error) {
			i := slices.Index(values, value)
			if i < 0 {
				return nil, fmt.Errorf("it is one of %s", strings.Join(values, ", "))
			}
			do(a, i)
			return nil, nil
		}
	}
	views := numbered(int(session.Messages)+1, func(i int) string { return session.View(i).String() })
	times := numbered(int(timeColumns), func(i int) string { return timeColumn(i).String() })
	orders := numbered(int(session.ByName)+1, func(i int) string { return session.Order(i).String() })
	modes := numbered(int(detail.Hex)+1, func(i int) string { return detail.Mode(i).String() })
	themes, levels := strings.Split(theme.Names, ", "), session.LogLevels[:]
	list := []setting{
		{"ascii", "draw with ASCII alone", onOff, func(a *app) string { return said(a.look.glyphs == text.Plain) }, of(onOff, func(a *app, i int) {
			a.look.glyphs = text.Pick(i == 0)
			a.redraw()
		})},
		{"detail", "how the detail shows a row", modes, func(a *app) string { return a.detail.mode.String() }, of(modes, func(a *app, i int) {
			for a.detail.mode != detail.Mode(i) {
				a.detail.next()
			}
		})},
		{"filter", "of the wire; :filter writes it, too", nil, func(a *app) string { return orOff(strings.TrimSpace(a.wire.filtered())) }, func(a *app, value string) (tea.Cmd, error) {
			if value == off {
				value = ""
			}
			return nil, a.sift(value, a.wire.place())
		}},
		{"follow", "the cursor of the wire stays on the newest row", onOff, func(a *app) string { return said(a.wire.list.Following()) }, of(onOff, func(a *app, i int) { a.wire.follow(i == 0) })},
		{"level", "the least level in the view of messages", levels, func(a *app) string { return session.LogLevels[a.wire.least] }, of(levels, func(a *app, i int) {
			a.wire.least = i
			a.wire.sift(a.wire.place())
		})},
		{"log-level", "of the messages that the server is asked for", append(client.LogLevels(), off), func(a *app) string { return orOff(a.sess.LogLevel()) }, func(a *app, value string) (tea.Cmd, error) {
			if value == off {
				return a.logLevelCommand(nil), nil
			}
			return a.logLevelCommand([]string{value}), nil
		}},
		{"order", "of the calls", orders, func(a *app) string { return a.wire.order().String() }, of(orders, func(a *app, i int) {
			a.wire.show(session.Calls)
			a.wire.home = a.wire.place()
			a.wire.rank(session.Order(i))
		})},
		{"task", "the server may make tasks of calls", onOff, func(a *app) string { return said(a.tasks) }, of(onOff, func(a *app, i int) { a.tasks = i == 0 })},
		{"theme", "colours", themes, func(a *app) string { return a.look.Name }, func(a *app, value string) (tea.Cmd, error) {
			th, err := theme.Pick(value)
			if err != nil || value == "" {
				return nil, fmt.Errorf("it is one of %s", theme.Names)
			}
			a.look.Theme = th
			a.redraw()
			return nil, nil
		}},
		{"time", "what the column of time shows, from the start or the row above, or of day", times, func(a *app) string { return a.wire.times.String() }, of(times, func(a *app, i int) { a.wire.times = timeColumn(i) })},
		{"timeout", "when it is said that a host may have given up on a call", nil, func(a *app) string {
			if a.opts.HostLimit == 0 {
				return off
			}
			return a.opts.HostLimit.String()
		}, func(a *app, value string) (tea.Cmd, error) {
			d, err := time.ParseDuration(value)
			if value == off {
				d, err = 0, nil
			}
			if err != nil || d < 0 {
				return nil, fmt.Errorf("it is a duration, as in 30s or 2m, or off")
			}
			a.opts.HostLimit = d
			return nil, nil
		}},
		{"view", "of the wire", views, func(a *app) string { return a.wire.view.String() }, of(views, func(a *app, i int) { a.wire.show(session.View(i)) })},
		{"zoom", "the focused pane fills the screen", onOff, func(a *app) string { return said(a.mode.Zoom) }, of(onOff, func(a *app, i int) { a.mode.Zoom = i == 0 })},
		{"wrap", "long lines of JSON in the detail go on in the next row; off cuts them, and h and l move them", onOff, func(a *app) string { return said(a.detail.wrap) }, of(onOff, func(a *app, i int) { a.detail.wrap = i == 0 })},
	}
	list = append(list, limitSettings()...)
	slices.SortFunc(list, func(x, y setting) int { return strings.Compare(x.name, y.name) })
	return list
}

func orOff(s string) string {
	if s == "" {
		return off
	}
	return s
}

// redraw makes anew what was made for another look.
func (a *app) redraw() {
	a.detail.refresh()
	a.result.changed()
	if a.help != nil {
		a.help.width = 0
	}
}

// setCommand is :set NAME VALUE, :set NAME to ask for its value, and :set alone to list all.
func (a *app) setCommand(c typedCommand) tea.Cmd {
	name, value, _ := strings.Cut(c.rest, " ")
	value = strings.TrimSpace(value)
	if name == "" {
		a.help = a.settingsSheet()
		return nil
	}
	var names []string
	for _, s := range settings() {
		names = append(names, s.name)
		switch {
		case s.name != name:
		case value == "":
			a.say("%s is %s: %s%s", name, s.value(a), s.help, among(s.values))
			return nil
		default:
			cmd, err := s.set(a, value)
			if err != nil {
				a.say("%s %s: %v", name, value, err)
			} else if cmd == nil && a.notice == "" {
				a.say("%s is %s", name, s.value(a))
			}
			return cmd
		}
	}
	near := words.DidYouMean(name, names)
	if near != "" {
		near = ": " + near
	}
	a.say("no setting %q%s; there are %s", name, near, strings.Join(names, ", "))
	return nil
}

func among(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return "; one of " + strings.Join(values, ", ")
}

// settingsSheet lists what can be set, with what it is.
func (a *app) settingsSheet() *sheet {
	return &sheet{title: "Settings", keys: []string{":set NAME VALUE changes one"}, make: func(l look, width int) (out []line, _ []int) {
		const name, value = 12, 16
		for _, s := range settings() {
			about := s.help
			if len(s.values) > 0 {
				about += ": " + strings.Join(s.values, ", ")
			}
			head := text.Pad(s.name, name) + l.glyphs.Fit(l.glyphs.Clean(l.mask(s.value(a))), value) + " "
			for _, part := range l.glyphs.Wrap(about, max(width-name-value-1, 10), text.WrapLimit) {
				out = append(out, line{text: head + part})
				head = strings.Repeat(" ", name+value+1)
			}
		}
		return out, nil
	}}
}

// proposeSetting proposes a setting, then its values.
func (a *app) proposeSetting(l *typedLine) {
	for _, s := range settings() {
		switch {
		case l.first():
			l.propose(s.name, "is "+s.value(a)+": "+s.help)
		case l.before[0] != s.name:
		case s.name == "filter":
			_, expr, _ := strings.Cut(l.rest, " ")
			a.proposeRest(l, expr)
			return
		case len(l.before) == 1:
			l.proposeAll(s.values, "")
		}
	}
}
