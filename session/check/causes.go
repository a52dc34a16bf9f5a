package check

import (
	"slices"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// causes says of a rule which others it may come of, in the same run of the server: the ones that tell
// most first. Only what follows by itself is here, no guesses.
var causes = [...]struct {
	effect string
	of     []string
	later  bool // the cause is noticed behind its effect
	next   bool // or in the run behind that of its effect
}{
	{effect: "ended-on-probe", of: []string{"server-died"}, later: true, next: true}, // it ends whatever it is asked
	{effect: "server-ended", of: []string{"server-died"}, later: true},               // and was still needed
	{effect: "no-newline-at-end", of: []string{"server-died"}, later: true},          // it broke off within the line
	{effect: "unanswered-request", of: []string{"unknown-id", "broken-message", "line-cut", "message-not-put-together"}},
	{effect: "unanswered-request", of: []string{"no-newline-at-end"}, later: true}, // the line that was to be the answer
	{effect: "notification-answered", of: []string{"http-notification-status", "answer-without-id", "stray-stdout"}},
	{effect: "name-twice", of: []string{"cursor-loop"}, later: true}, // a page that came again
	{effect: "http-stream-buffered", of: []string{"http-buffering-header"}},
	{effect: "http-stream-short", of: []string{"server-died"}, later: true},
}

// origin is where a finding stands among others: with the one at the root of its causes.
type origin struct {
	severity   Severity
	seq, order int
}

// because finds the cause of each finding that is a consequence of another: as who found it says, or by
// the table. A root is as grave as the gravest of what comes of it.
func because(found []Finding) {
	index := map[string][]int{}
	for i := range found {
		index[found[i].Rule] = append(index[found[i].Rule], i)
	}
	cause := make([]int, len(found)) // 1 + its index; 0 for none
	comes := func(i int, rule string, later, next bool) bool {
		for _, c := range index[rule] {
			behind := found[c].First.Seq > found[i].First.Seq
			if c == i || behind && (!later || cause[i] > 0) {
				continue
			}
			if slices.ContainsFunc(found[i].Runs, func(run int) bool {
				return slices.Contains(found[c].Runs, run) || next && slices.Contains(found[c].Runs, run+1)
			}) {
				found[i].Because, cause[i] = rule, c+1 // of several the one that is nearest before it
			}
		}
		return cause[i] > 0
	}
	for i := range found {
		if rule := found[i].Because; rule != "" {
			found[i].Because = "" // the rule may be switched off
			comes(i, rule, true, false)
		}
	}
	for _, x := range causes {
		for _, i := range index[x.effect] {
			for _, rule := range x.of {
				if cause[i] > 0 || comes(i, rule, x.later, x.next) {
					break
				}
			}
		}
	}
	roots := make([]int, len(found))
	for i := range found {
		at := i
		for steps := 0; cause[at] > 0 && steps < len(found); steps++ {
			at = cause[at] - 1
		}
		roots[i] = at
		found[at].Severity = max(found[at].Severity, found[i].Severity)
	}
	for i, at := range roots {
		found[i].root = origin{found[at].Severity, found[at].First.Seq, at}
	}
}

// Sort puts findings in the order in which a person wants them: the gravest first, among those what
// happened first, and behind each what comes of it.
func Sort(found []Finding) {
	of := func(f *Finding) origin {
		if f.Because != "" {
			return f.root
		}
		return origin{f.Severity, f.First.Seq, f.root.order}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		x, y := of(&a), of(&b)
		switch {
		case x.severity != y.severity:
			return int(y.severity) - int(x.severity)
		case x.seq != y.seq:
			return x.seq - y.seq
		case x.order != y.order:
			return x.order - y.order
		case a.Because == "" && b.Because != "":
			return -1
		case a.Because != "" && b.Because == "":
			return 1
		}
		return a.First.Seq - b.First.Seq
	})
}

// causeOf is the rule that a mark, or the note that it stands at, says its finding comes of; empty for none.
func causeOf(e *session.Event, m session.Mark) string {
	if m.Because == "" && e.Note != nil && e.Note.What == session.NoteFound {
		return client.GetText(e.Note.Data, "because")
	}
	return m.Because
}

// merged joins findings of one rule and subject that turned out to have one cause. Those that have none
// by themselves, because the rule they come of is switched off, are joined with those that never had one.
func merged(found []Finding) []Finding {
	at := map[key]int{}
	out := found[:0]
	for _, f := range found {
		k := key{f.Rule, f.Subject, f.Because}
		if f.wide {
			k.because += "\x00wide"
		}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, f)
			continue
		}
		g := &out[i]
		g.Count += f.Count
		g.Severity = max(g.Severity, f.Severity)
		for _, run := range f.Runs {
			if !slices.Contains(g.Runs, run) {
				g.Runs = append(g.Runs, run)
			}
		}
	}
	return out
}
