package export

import (
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

const (
	// maxRows is how many rows of the log a report shows: more than a person reads.
	maxRows = 2000

	// maxBodies is how many messages a report shows in full, and maxBody how many bytes of each: a
	// page that opens at once.
	maxBodies = 200
	maxBody   = 16 << 10
)

// report is a bug report, before it is Markdown or HTML.
type report struct {
	title    string
	sections []section
}

// section is a heading with what stands below it, in this order.
type section struct {
	heading string
	pairs   [][2]string
	items   []string
	pre     []string // blocks of lines as they are
}

// compose says what a reader of a bug report asks for.
func compose(s *session.Session, o *Options) report {
	snap, log := s.Snapshot(), s.Log()
	name := o.Name
	if v := snap.Server; v != nil && v.Name != "" {
		name = strings.TrimSpace(v.Name + " " + v.Version)
	}
	r := report{title: "MCP session: " + visible(o.Mask.text(name))}
	r.sections = append(r.sections, o.environment(s, snap))
	if b := snap.Box; b != nil {
		end := section{heading: "How the server ended"}
		for _, l := range b.Sentences() {
			end.items = append(end.items, visible(o.Mask.text(l)))
		}
		if len(b.Stderr) > 0 {
			end.items = append(end.items, "its last lines on stderr:")
			end.pre = []string{block(o.Mask.bytes([]byte(strings.Join(b.Stderr, "\n"))))}
		}
		r.sections = append(r.sections, end)
	}
	found := section{heading: "Findings"}
	for _, f := range check.Findings(log, nil) {
		line := fmt.Sprintf("%s %s ×%d, row %d (%s): %s", f.Severity, f.Rule, f.Count, f.First.Seq, f.Subject, f.Message)
		found.items = append(found.items, visible(o.Mask.text(line)))
	}
	if found.items == nil {
		found.items = []string{"none"}
	}
	r.sections = append(r.sections, found)
	if said := o.markings(s); said.items != nil {
		r.sections = append(r.sections, said)
	}
	return report{r.title, append(r.sections, o.rows(s), o.bodies(s))}
}

// markings are the rows that a person has put a mark or a note on.
func (o *Options) markings(s *session.Session) section {
	sec := section{heading: "Marks and notes"}
	for _, m := range s.Log().Markings() {
		e, ok := s.Log().Event(m.Seq)
		if !ok || !o.Keep(&e) {
			continue
		}
		what, _ := e.Subject(o.about(s, &e))
		item := fmt.Sprintf("row %d, %s", m.Seq, short(o.Mask.text(what)))
		if m.Note != "" {
			item += ": " + m.Note
		}
		sec.items = append(sec.items, visible(o.Mask.text(item)))
	}
	return sec
}

// environment says what was run, where, and what it is.
func (o *Options) environment(s *session.Session, snap *session.Snapshot) section {
	sec := section{heading: "Environment"}
	add := func(name, value string) {
		if value != "" {
			sec.pairs = append(sec.pairs, [2]string{name, visible(o.Mask.text(value))})
		}
	}
	h := o.Head
	add("recorded by", h.Tool)
	add("exported by", o.Tool)
	if !h.Start.IsZero() {
		add("started", h.Start.UTC().Format(time.RFC3339))
	}
	add("system", h.OS)
	add("transport", h.Target.Transport)
	add("command", shellWords(h.Target.Command))
	add("url", h.Target.URL)
	add("directory", h.Target.Cwd)
	add("variables set", strings.Join(h.Target.Env, " "))
	if snap.PID != 0 {
		add("process", fmt.Sprintf("run %d, %s", snap.Run, snap.Path))
	}
	if v := snap.Server; v != nil {
		add("server", strings.TrimSpace(v.Name+" "+v.Version))
		add("revision", string(v.Revision))
		add("why", v.Why)
		add("capabilities", string(v.Capabilities))
	}
	for _, k := range client.ListKinds {
		if l := snap.Lists[k.Name]; l != nil {
			add(k.Name, fmt.Sprint(len(l.Items)))
		}
	}
	c := snap.Counts
	add("messages", fmt.Sprintf("sent %d, received %d, stray lines %d, stderr lines %d", c.Out, c.In, c.Stray, c.Stderr))
	add("masked", strings.Join(h.Redacted, " "))
	add("rows shown", o.Filter)
	if len(h.Target.Command) > 0 {
		sec.items = append(sec.items, "to see it happen:")
		sec.pre = append(sec.pre, visible(o.Mask.text("mcpinspect check -- "+shellWords(h.Target.Command))))
	}
	return sec
}

// rows is the log.
func (o *Options) rows(s *session.Session) section {
	sec := section{heading: "Log"}
	var lines []string
	left := 0
	s.Log().Each(0, func(e session.Event) bool {
		switch {
		case !o.Keep(&e):
		case len(lines) < maxRows:
			lines = append(lines, o.row(s, &e))
		default:
			left++
		}
		return true
	})
	if left > 0 {
		lines = append(lines, fmt.Sprintf("… and %d rows more", left))
	}
	sec.pre = []string{strings.Join(lines, "\n")}
	return sec
}

// bodies are the messages in full: those of a filter, else those that something is wrong with, and
// the other side of each.
func (o *Options) bodies(s *session.Session) section {
	sec := section{heading: "Messages"}
	wanted := map[int]bool{}
	s.Log().Each(0, func(e session.Event) bool {
		if e.Note != nil || !o.Keep(&e) {
			return true
		}
		odd := e.Marked || e.Noted != "" || e.Failed || e.Kind == client.KindError || e.Stray()
		for _, m := range e.Marks {
			odd = odd || m.Severity >= session.Warning
		}
		if odd || o.Filter != "" {
			wanted[e.Seq] = true
			if e.Pair != session.NoPair && o.Filter == "" {
				wanted[e.Pair] = true
			}
		}
		return true
	})
	left := 0
	s.Log().Each(0, func(e session.Event) bool {
		switch {
		case !wanted[e.Seq]:
		case len(sec.pre) < maxBodies:
			sec.pre = append(sec.pre, o.row(s, &e)+"\n\n"+block(o.body(s, &e)))
		default:
			left++
		}
		return true
	})
	switch {
	case left > 0:
		sec.items = []string{fmt.Sprintf("the first %d of %d", maxBodies, maxBodies+left)}
	case len(sec.pre) == 0:
		sec.items = []string{"nothing odd"}
	case o.Filter == "":
		sec.items = []string{"what is marked, what something is wrong with, and the other side of it"}
	}
	return sec
}

// block is a body as lines that can be shown.
func block(b []byte) string {
	more := ""
	if len(b) > maxBody {
		more = fmt.Sprintf("… and %d bytes more", len(b)-maxBody)
		b = b[:maxBody]
	}
	return shown(string(b), true) + more
}

// shellWords quotes a command for a POSIX shell.
func shellWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		plain := w != "" && strings.IndexFunc(w, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./=:,@%+", r))
		}) < 0
		if out[i] = w; !plain {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
