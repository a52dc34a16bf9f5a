package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// findings is what was found so far, worst first, each with what to do about it. It is gathered in
// commands, since every row is looked at.
type findings struct {
	list   []check.Finding
	least  session.Severity // the least one that is shown
	ready  bool
	work   bool
	when   time.Time      // it was gathered last
	waits  bool           // it will be gathered again, when some time has passed
	counts session.Counts // when it was gathered
	at     []int          // the finding of each line, among list; -1 for none
}

// findingsMsg is what was gathered.
type findingsMsg struct {
	of   *findings
	list []check.Finding
}

// gatherMsg ends the pause after which findings are gathered again.
type gatherMsg struct{ of *findings }

// gatherPause is how long a list of findings stands at least: it can be read, and a flood leaves the
// machine to the server.
const gatherPause = 400 * time.Millisecond

// openFindings lists the findings in front of the panes.
func (a *app) openFindings() tea.Cmd {
	f := &findings{}
	a.findings = f
	a.help = &sheet{title: "Findings", keys: []string{"enter its first row", "o severity", "f filter"}, make: f.lines}
	a.help.key = func(name string) (tea.Cmd, bool) {
		switch lookup(name, OnWire) {
		case actOrder:
			f.least = (f.least + 1) % (session.Error + 1)
			a.help.title = "Findings" + [...]string{session.Warning: ": errors, warnings", session.Error: ": errors"}[f.least]
			a.help.width = 0
			return nil, true
		case actFilter:
			if x, ok := f.under(a.help.lines.list.Cursor()); ok {
				a.help = nil
				a.filterBy("rule:" + x.Rule)
			}
			return nil, true
		}
		return nil, false
	}
	return a.gather()
}

// gather looks at all rows again when there are findings that are not listed yet.
func (a *app) gather() tea.Cmd {
	f := a.findings
	if f == nil || a.help == nil || f.work || f.ready && f.counts.Errors == a.snap.Counts.Errors && f.counts.Warnings == a.snap.Counts.Warnings {
		return nil
	}
	if soon := gatherPause - time.Since(f.when); f.ready && soon > 0 { // a flood of findings is not gathered with each
		if f.waits {
			return nil
		}
		f.waits = true
		return tea.Tick(soon, func(time.Time) tea.Msg { return gatherMsg{f} })
	}
	f.work, f.counts = true, a.snap.Counts
	log := a.sess.Log()
	return func() tea.Msg {
		list := check.Findings(log, nil)
		check.Sort(list)
		return findingsMsg{f, list}
	}
}

// gathered takes in what was gathered.
func (a *app) gathered(m findingsMsg) {
	f := m.of
	f.list, f.ready, f.work, f.when = m.list, true, false, time.Now()
	if a.help != nil && a.findings == f {
		a.help.width = 0
	}
}

// under is the finding that a line is about.
func (f *findings) under(line int) (check.Finding, bool) {
	if line < 0 || line >= len(f.at) || f.at[line] < 0 {
		return check.Finding{}, false
	}
	return f.list[f.at[line]], true
}

// lines is the list: a heading a severity, of each finding what it is, the first occurrence, the cure.
func (f *findings) lines(l look, width int) (out []line, rows []int) {
	b := &lineBuilder{look: l, width: width}
	f.at = f.at[:0]
	add := func(finding, row int, draw func()) {
		draw()
		for len(rows) < len(b.out) {
			rows, f.at = append(rows, row), append(f.at, finding)
		}
	}
	sum := check.Sum(f.list)
	counts := [...]int{session.Info: sum.Info, session.Warning: sum.Warning, session.Error: sum.Error}
	var seen [len(counts)]int // the header counts each time
	for _, x := range f.list {
		seen[x.Severity] += x.Count
	}
	roles := [...]theme.Role{session.Info: theme.Mark, session.Warning: theme.Odd, session.Error: theme.Bad}
	if !f.ready {
		add(-1, noRow, func() { b.wrap(theme.Faint, "", "looking at all rows") })
	} else if len(f.list) == 0 {
		add(-1, noRow, func() { b.wrap(theme.Good, "", "nothing was found") })
	}
	severity := session.Error + 1
	for i, x := range f.list {
		s := session.Severity(x.Severity)
		if s < f.least {
			continue // what comes of another stands behind it, and may be of less weight
		}
		if s != severity && x.Because == "" {
			severity = s
			head := text.Plural(counts[s], s.String())
			if seen[s] > counts[s] {
				head += ", seen " + times(seen[s])
			}
			add(i, x.First.Seq, func() { b.head(head) }) // keys there are about the first below it
		}
		add(i, x.First.Seq, func() {
			where := ""
			if x.Subject != "" {
				where = " of " + x.Subject
			}
			b.wrap(roles[s], "", fmt.Sprintf("%s%s, %s, first at #%d", x.Rule, where, times(x.Count), x.First.Seq))
			b.wrap(theme.Plain, "  ", x.Message)
			if x.Because != "" { // it is mended with its cause
				b.wrap(theme.Faint, "  ", "because of "+x.Because)
				return
			}
			if x.Fix != "" {
				b.wrap(theme.Good, "  ", "cure: "+x.Fix)
			}
			if x.Spec != "" {
				b.wrap(theme.Faint, "  ", x.Spec)
			}
		})
	}
	if hidden := hiddenBelow(counts[:], f.least); hidden > 0 {
		add(-1, noRow, func() { b.wrap(theme.Faint, "", text.Plural(hidden, "finding")+" of less weight: o shows them") })
	}
	return b.out, rows
}

func hiddenBelow(counts []int, least session.Severity) (n int) {
	for _, c := range counts[:least] {
		n += c
	}
	return n
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return text.Count(n) + " times"
}
