package cli

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/report"
	"example.com/mcpinspect/ui/text"
)

// findings prints what was found as a person reads it, the gravest first and of those the first one:
// what follows may come of it.
func (r *run) findings(found []check.Finding, k *checking) {
	o := r.out
	answered := r.firstAnswer()
	for i := range found {
		f := &found[i]
		times := ""
		if f.Count > 1 {
			times = fmt.Sprintf(" x%d", f.Count)
		}
		first, more := r.sentences(f, answered)
		if f.Because != "" { // it is mended with its cause
			o.printf("     and so %s %s%s  %s\n", o.paint.grade(f.Severity), f.Rule, times, cleanLine(first))
			continue
		}
		o.printf("%s %s%s  %s\n", o.paint.grade(f.Severity), o.paint.bold(f.Rule), times, cleanLine(first))
		if more != "" {
			o.printf("     %s\n", cleanLine(more))
		}
		if k.all && len(f.Runs) < len(k.spoken) {
			o.printf("     in: %s\n", strings.Join(k.revisionsOf(f), ", "))
		}
		again := i+1 < len(found) && found[i+1].Rule == f.Rule && found[i+1].Fix == f.Fix && found[i+1].Spec == f.Spec
		if session.Severity(f.Severity) > session.Info && !again { // once, after the last that it mends
			o.printf("     fix: %s\n     see: %s\n", cleanLine(f.Fix), f.Spec)
		}
	}
	for _, v := range k.probes {
		if v.OK {
			o.printf("ok   probe %s  %s\n", v.Probe, cleanLine(v.Text))
		}
	}
	r.printSpoken(k)
	if k.kept != nil && k.kept.wrote != "" {
		o.printf("%s: %s\n", cleanLine(k.kept.path), k.kept.wrote)
	}
	sum := check.Sum(found)
	o.printf("%s, %s, %d info", text.Plural(sum.Error, "error"), text.Plural(sum.Warning, "warning"), sum.Info)
	if name, revision := r.spokenWith(k); revision != "" {
		o.printf("; %s, %s (%s)", orWord(cleanLine(name), "a server without a name"), cleanLine(revision), client.Revision(revision).Era())
	}
	if r.ended {
		o.printf("; ended with %s", r.exit)
	}
	o.printf("\nlooked at: %s\n", strings.Join(r.looked(k), "; "))
}

// grade is a severity as the word that begins a line.
func (p paint) grade(s check.Severity) string {
	switch session.Severity(s) {
	case session.Error:
		return p.bad("FAIL")
	case session.Warning:
		return p.odd("WARN")
	}
	return "INFO"
}

// sentences are what was found and where. answered is the row of the first answer. Of stray output
// the first sentence is the text itself, by which its author knows it.
func (r *run) sentences(f *check.Finding, answered int) (first, more string) {
	if f.First.Stream == "life" {
		return f.Message, ""
	}
	where := report.Where(f)
	if f.First.Stream == "stdout" && f.First.Seq < answered {
		where += ", before the first answer"
	}
	e, ok := r.sess.Log().Event(f.First.Seq)
	if !ok || !e.Stray() || f.Rule != strayRule {
		return where + ": " + f.Message, ""
	}
	const most = 160 // bytes of it
	shown := string(e.Head[:min(most, len(e.Head))])
	if e.Size > most {
		shown += "…"
	}
	shown = `"` + shown + `"`
	return where + ": " + shown, strings.Replace(f.Message, ": "+shown, "", 1)
}

// strayRule is the rule of stray output.
const strayRule = "stray-stdout"

// firstAnswer is the row of the first answer of the server, the end of the log when there was none.
func (r *run) firstAnswer() int {
	at := r.sess.Log().Len()
	r.sess.Log().Each(0, func(e session.Event) bool {
		if e.Stream == client.Out && e.Kind.IsAnswer() {
			at = e.Seq
			return false
		}
		return true
	})
	return at
}

// spokenWith is who the server says it is; empty when it never said.
func (r *run) spokenWith(k *checking) (name, revision string) {
	v := k.server
	if v == nil {
		v = r.sess.Snapshot().Server
	}
	if v != nil {
		return strings.TrimSpace(v.Name + " " + v.Version), string(v.Revision)
	}
	return "", ""
}

// looked says what was looked at: what was not there cannot be wrong.
func (r *run) looked(k *checking) (parts []string) {
	n := r.sess.Snapshot().Counts
	parts = append(parts, fmt.Sprintf("%s out, %d in", text.Plural(n.Out, "message"), n.In))
	if n.Stderr > 0 {
		parts = append(parts, text.Plural(n.Stderr, "line")+" of stderr")
	}
	var lists []string
	for _, l := range k.lists {
		if n := len(l.list.Pages); n > 0 {
			what := fmt.Sprintf("%s %d", l.kind.Name, len(l.list.Items))
			if n > 1 {
				what += fmt.Sprintf(" on %d pages", n)
			}
			lists = append(lists, what)
		}
	}
	if lists != nil {
		parts = append(parts, strings.Join(lists, ", "))
	}
	if k.called > 0 {
		parts = append(parts, text.Plural(k.called, "call"))
	}
	if len(k.probes) > 0 {
		parts = append(parts, text.Plural(len(k.probes), "probe"))
	}
	if k.kept != nil && k.kept.done && !k.kept.update {
		parts = append(parts, "compared with "+cleanLine(k.kept.path))
	}
	if k.runs > 1 {
		parts = append(parts, text.Plural(k.runs, "run"))
	}
	return parts
}
