package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// statisticsMsg is what was counted.
type statisticsMsg struct {
	of             *sheet
	methods, tools []*session.Tally
}

// openStatistics counts, by method and by tool, in front of the panes.
func (a *app) openStatistics() tea.Cmd {
	p := a.picture("Statistics", a.openStatistics)
	p.make = func(l look, width int) ([]line, []int) {
		return []line{{text: "counting", role: theme.Faint}}, nil
	}
	a.help = p
	log, x := a.sess.Log(), a.wire.expr
	if x != nil {
		p.title += " of what passes " + a.look.glyphs.Short(x.String(), 40)
	}
	return func() tea.Msg {
		var keep func(*session.Event) bool
		if x != nil {
			keep = func(e *session.Event) bool { return x.MatchCall(e, log) }
		}
		methods, tools := log.Tallies(keep)
		return statisticsMsg{p, methods, tools}
	}
}

// counted shows what was counted.
func (a *app) counted(m statisticsMsg) {
	m.of.make = func(l look, width int) (out []line, _ []int) {
		for _, part := range []struct {
			name string
			list []*session.Tally
		}{{"by method", m.methods}, {"by tool", m.tools}} {
			if len(part.list) == 0 {
				continue
			}
			name := max(width-tallyWidth, 12)
			out = append(out, line{text: text.Pad(part.name, name) + fmt.Sprintf("%8s%8s%9s%10s%10s%10s%10s", "count", "errors", "no reply", "p50", "p95", "max", "bytes"), role: theme.Title})
			for _, t := range part.list {
				p50, p95, most := "", "", ""
				if t.Count > t.Unanswered && t.Max > 0 {
					p50, p95, most = text.Duration(t.P50), text.Duration(t.P95), text.Duration(t.Max)
				}
				role := theme.Plain
				if t.Errors > 0 {
					role = theme.Odd
				}
				out = append(out, line{text: text.Fit(l.glyphs.Clean(l.mask(t.Name)), name) +
					fmt.Sprintf("%8s%8s%9s%10s%10s%10s%10s", text.Count(t.Count), text.Count(t.Errors), text.Count(t.Unanswered), p50, p95, most, text.Size(t.Bytes)), role: role})
			}
		}
		if out == nil {
			out = []line{{text: "no message yet", role: theme.Faint}}
		}
		return out, nil
	}
	m.of.width = 0
}

// tallyWidth is what stands beside the name in a row of the statistics.
const tallyWidth = 2*8 + 9 + 4*10
