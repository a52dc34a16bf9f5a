package ui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// sayLines is how many lines a notice, a question or what is wrong with a filter may take at most.
const sayLines = 4

// bottom is the status and the footer, a line each. What is said for a moment and does not fit
// takes some lines more, so that no width cuts it.
func (a *app) bottom() []string {
	l := a.look
	room := max(min(sayLines, a.h/3), 1)
	switch p := &a.prompt; {
	case p.kind == promptConfirm:
		return append(a.paragraph(theme.Plain, p.ask+"  y yes, any other key no", room), a.footer())
	case p.kind != promptNone:
		out := []string{l.fit(" "+p.view(a.w-2), a.w)}
		if p.kind == promptFilter && p.wrong != nil {
			out = append(out, a.paragraph(theme.Bad, p.wrong.Error(), room)...)
		}
		switch list := a.choosing(); {
		case list != "":
			return append(out, list)
		case len(out) > 1:
			return out
		case p.kind == promptFilter:
			return append(out, a.filterFooter())
		}
		return append(out, a.footer())
	}
	s, role := a.sentence()
	switch {
	case s == a.notice:
		return append(a.paragraph(role, s, room), a.footer())
	case role != theme.Faint: // what to do may stand at its end
		return append(a.lines(role, s, min(room, 2)), a.footer())
	}
	return []string{l.Paint(role, l.fit(" "+l.glyphs.Short(l.mask(s), a.w), a.w)), a.footer()}
}

// paragraph lays out untrusted text in lines of the screen, at least one.
func (a *app) paragraph(role theme.Role, s string, most int) (out []string) {
	for _, line := range a.look.glyphs.Wrap(a.look.mask(s), max(a.w-2, 1), most) {
		out = append(out, a.look.Paint(role, a.look.fit(" "+line, a.w)))
	}
	if len(out) == 0 {
		out = append(out, a.look.fit("", a.w))
	}
	return out
}

// lines lays out untrusted text in at most that many lines, the last of which is cut.
func (a *app) lines(role theme.Role, s string, most int) (out []string) {
	w := max(a.w-2, 1)
	all := a.look.glyphs.Wrap(a.look.mask(a.look.glyphs.Short(s, (most+1)*w)), w, text.WrapLimit)
	if len(all) > most {
		all = append(all[:most-1], a.look.glyphs.Short(strings.Join(all[most-1:], " "), w))
	}
	for _, line := range all {
		out = append(out, a.look.Paint(role, a.look.fit(" "+line, a.w)))
	}
	if len(out) == 0 {
		out = append(out, a.look.fit("", a.w))
	}
	return out
}

// recording says whether the session is recorded, and whether all of it is.
func (a *app) recording() string {
	switch s := a.snap; {
	case a.opts.Recording == "":
		return "rec off"
	case s.Losing:
		return "rec STOPPED, " + text.Size(s.Unrecorded) + " missing"
	case s.Unrecorded > 0:
		return "rec on, " + text.Size(s.Unrecorded) + " missing"
	}
	return "rec on"
}

func (a *app) sentence() (string, theme.Role) {
	s := a.snap
	switch {
	case a.yank:
		return "copy: y line, v value, t its text, p pointer, c command, s shell pipe", theme.Mark
	case a.missing != "":
		return a.missing, theme.Bad
	case a.hunt != nil && !a.hunt.shown:
		return fmt.Sprintf("looking for %s: %s; any key stops it", a.hunt.what, a.hunt.progress()), theme.Mark
	case a.inBody != nil && !a.inBody.shown:
		return a.inBody.says(a.detail.size), theme.Mark
	case a.notice != "":
		return a.notice, theme.Mark
	case len(a.asking.open) > 0:
		return a.waits(), theme.Mark
	case s.Phase == session.Failed, s.Phase == session.Ended:
		said, key := s.Reason, "R tries again: "
		if s.Phase == session.Ended && s.Box != nil {
			said, key = s.Box.Brief(), "R starts it again: "
		}
		switch {
		case a.startable():
			said = key + said
		case s.Phase == session.Ended && s.Box != nil:
			said = "the server ended: " + said
		}
		return said, theme.Bad
	case s.Phase == session.Connecting:
		what := "waiting for the first answer, " + text.Duration(a.sess.Now()-s.Started)
		c, _ := lastCallOpen(s)
		switch {
		case len(c.Known) > 0:
			what += ": " + c.Known[0]
		case s.Counts.Stray > 0:
			what += fmt.Sprintf("; %s on stdout that %s no message", text.Plural(s.Counts.Stray, "line"), isAre(s.Counts.Stray))
		case s.Stderr != "":
			what += "; stderr: " + s.Stderr
		}
		return what, theme.Odd
	}
	if c, open := lastCallOpen(s); open {
		what := fmt.Sprintf("%s runs for %s", calledBy(c), text.Duration(a.sess.Now()-c.Sent))
		if c.Progress != "" {
			what += ", progress " + c.Progress
		}
		switch {
		case len(c.Known) > 0:
			what += ": " + c.Known[0]
		case s.Waiting > 0:
			what += ": " + waitingLine(s)
		}
		return what, theme.Odd
	}
	trouble := max(s.Worst.Seq, s.Stray)
	answered, at := a.unseen()
	if said := news(s, max(trouble, at)); said != "" {
		return said, theme.Mark
	}
	if answered != "" && at > trouble {
		return answered, theme.Mark
	}
	if w := s.Worst; w.Rule != "" && w.Seq != s.Stray && (w.Severity == session.Error && w.Seq > s.Stray || s.Stray < 0) {
		role := theme.Odd
		if w.Severity == session.Error {
			role = theme.Bad
		}
		return fmt.Sprintf("%s %s #%d: %s (! has the cure)", strings.ToUpper(w.Severity.String()), w.Rule, w.Seq, w.Text), role
	}
	if e, ok := a.sess.Log().Event(s.Stray); ok && e.Run == s.Run {
		when := "stdout is for messages only, stderr is for the rest"
		if s.Server != nil && s.Stray < s.Server.Seq {
			when = "before the first answer"
		}
		return fmt.Sprintf("STRAY #%d %s (; goes to it, ! has the cure)", s.Stray, when), theme.Odd
	}
	if said := news(s, 0); said != "" {
		return said, theme.Mark
	}
	if why, failed := a.offers.tab.trouble(s); failed {
		return why, theme.Bad
	} else if why != "" {
		return why, theme.Odd
	}
	if s.Server != nil && s.Server.Why != "" {
		if s.Server.Revision == "" {
			return s.Server.Why, theme.Faint
		}
		return fmt.Sprintf("speaks %s: %s", s.Server.Revision, s.Server.Why), theme.Faint // alone it reads like trouble
	}
	return "", theme.Faint
}

// unseen says that the latest call of the form was answered, and the row of the answer, where the form is
// seen and the result is not; empty and -1 for nothing to say.
func (a *app) unseen() (string, int) {
	last, ok := a.snap.Last[a.subject()]
	if !ok || a.help != nil || !a.onForm() || a.lay.Panes[PaneResult].W > 0 || a.mode.Focus != PaneCall {
		return "", -1
	}
	how := ": 4 shows it"
	if a.call.editing() { // a digit is text there
		how = ": after esc 4 shows it"
	}
	return fmt.Sprintf("%s of #%d was answered in %s%s", a.call.of.name, last.Request, text.Duration(last.Latency), how), last.Answer
}

// news is what changed in a list that came behind a row; empty for nothing.
func news(s *session.Snapshot, behind int) string {
	for _, kind := range client.ListKinds {
		l := s.List(kind.Name)
		if l.Changes == "" || len(l.Pages) == 0 || l.Pages[len(l.Pages)-1].Seq <= behind {
			continue
		}
		if l.Anew {
			return kind.Name + " since they were listed before: " + l.Changes
		}
		if kind == client.Tools {
			return "tools since the last run: " + l.Changes
		}
	}
	return ""
}

// lastCallOpen is the latest call that waits for its answer: not one for what may be typed in a field,
// which comes and goes with every letter.
func lastCallOpen(s *session.Snapshot) (session.Call, bool) {
	for _, c := range slices.Backward(s.Calls) {
		if c.Method != client.MethodComplete && c.GivenUp == "" {
			return c, true
		}
	}
	return session.Call{}, false
}

// footer names the mode and the keys that are most wanted here.
func (a *app) footer() string {
	switch {
	case a.prompt.kind == promptConfirm:
		return a.hints("ASKED", "y yes", "esc no")
	case a.prompt.kind == promptSearch:
		return a.hints("SEARCH", "enter finds it", "esc leaves it")
	case a.prompt.kind == promptCommand:
		return a.hints("COMMAND", "enter does it", "tab proposes", "up the one before", "esc leaves it")
	case a.yank:
		return a.hints("COPY", "esc leaves it")
	case a.help != nil:
		return a.hints("ROW", append(append([]string{"esc closes"}, a.help.keys...), "/ searches", "? help")...)
	}
	mode, scopes := "ROW", scopesOf(a.mode.Focus)
	fields := a.onForm() && a.formPane().form != nil
	if a.onForm() && a.formPane().editing() {
		mode, scopes = "EDIT", []Scope{OnEdit}
	}
	out := []string{a.look.Paint(theme.Mark, mode)}
	if mode == "ROW" { // what a newcomer looks for stands where no width cuts it
		out = append(out, a.hint("?", "help"), a.hint("q", "quit"))
		if len(a.running) > 0 {
			out = append(out, a.hint("x", "cancel the running call"))
		}
		if a.mode.Zoom && !a.lay.Tabs {
			out = append(out, a.hint("z", "all panes"))
		}
		if fields && !a.formPane().onSend() { // letters do not type here before it
			out = append(out, a.hint("enter", "edit"))
		}
	}
	for _, s := range scopes {
		for _, b := range keyTable {
			if b.Scope != s || !b.Footer || b.Action == actHelp || b.Action == actQuit || b.Action == actOpen && fields {
				continue
			}
			key, help := b.Keys[0], b.Help
			help, _, _ = strings.Cut(help, ";") // the help has the rest
			if b.Action == actOpen {
				if help = a.opens(); help == "" {
					continue
				}
			}
			if b.Action == actEditNext && a.formPane().takes(key) {
				if key = b.Keys[1]; a.formPane().takes(key) {
					continue // both are text there
				}
			}
			if b.Action == actEditNext && a.formPane().onSend() {
				help = "send"
			}
			out = append(out, a.hint(key, help))
		}
	}
	return a.row(out)
}

// opens says what enter does in the focused pane, which is no form; empty for nothing worth a word.
func (a *app) opens() string {
	switch {
	case a.mode.Focus == PaneDetail && (a.mode.Zoom || a.lay.Tabs):
		return ""
	case a.mode.Focus == PaneDetail:
		return "zoom"
	}
	return "open"
}

// hints is a footer of a mode and of keys, each with what it does behind a space.
func (a *app) hints(mode string, keys ...string) string {
	out := []string{a.look.Paint(theme.Mark, mode)}
	for _, k := range keys {
		key, what, _ := strings.Cut(k, " ")
		out = append(out, a.hint(key, what))
	}
	return a.row(out)
}

func (a *app) hint(key, what string) string { return a.look.Paint(theme.Mark, key) + " " + what }

// row puts parts beside each other as far as they fit whole.
func (a *app) row(parts []string) string {
	out := " " + parts[0]
	for _, p := range parts[1:] {
		if text.Width(out)+2+text.Width(p) > a.w {
			break
		}
		out += "  " + p
	}
	return a.look.fit(out, a.w)
}

// tabs is the bar of a screen that has room for one pane.
func (a *app) tabs() string {
	out := " "
	for p := PaneServer; p < paneEnd; p++ {
		if p == PaneQuestion && a.asking.current() == nil {
			continue
		}
		name := fmt.Sprintf("%d%s", p, paneNames[p])
		role := theme.Faint
		if p == a.mode.Focus {
			name, role = "["+name+"]", theme.Focus
		}
		out += a.look.Paint(role, name) + " "
	}
	return a.look.fit(out, a.w)
}
