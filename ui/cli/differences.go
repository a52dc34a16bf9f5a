package cli

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/replay"
)

// report prints what a replay found.
func (r *run) report(f *replay.Report) {
	if r.json {
		_ = r.out.document(f) // flushed again, and told, at the end
		return
	}
	o := r.out
	for _, d := range f.Different {
		o.printf("%s\n", strings.TrimRight(fmt.Sprintf("#%d %s  %s", d.Seq, o.paint.bold(cleanLine(d.Title)), cleanLine(d.Path)), " "))
		was, now := sides(d.Was, d.Now)
		for _, l := range was {
			o.printf("%s\n", o.paint.bad("  - "+l))
		}
		for _, l := range now {
			o.printf("%s\n", o.paint.odd("  + "+l))
		}
	}
	for _, m := range f.Missing {
		o.printf("#%d %s  missing: %s\n", m.Seq, o.paint.bold(cleanLine(m.Title)), cleanLine(m.Text))
	}
	for _, m := range f.Unmatched {
		o.printf("%s  not recorded: %s\n", o.paint.bold(cleanLine(m.Title)), cleanLine(m.Text))
	}
	o.printf("%s\n", f.Sum())
}

const (
	// shownSide is how much of a long value one side of a difference shows.
	shownSide = 300
	// shownBefore is how much of what is the same stands before the place that is not.
	shownBefore = 40
	// shownLines is how many lines of a text one side shows.
	shownLines = 20
)

// sides are the lines to show of both values: of texts with several lines those that differ, of
// long values the part around the first difference.
func sides(was, now []byte) (a, b []string) {
	if was == nil {
		return []string{"(nothing)"}, []string{window(string(now), 0)}
	}
	if now == nil {
		return []string{window(string(was), 0)}, []string{"(nothing)"}
	}
	s, isText := client.Text(was)
	t, isText2 := client.Text(now)
	if isText && isText2 && strings.Contains(s+t, "\n") {
		return textSides(strings.Split(s, "\n"), strings.Split(t, "\n"))
	}
	at := common(string(was), string(now))
	return []string{window(string(was), at)}, []string{window(string(now), at)}
}

// common is the length of the common beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func window(s string, at int) string {
	from := 0
	if len(s) > shownSide && at > shownBefore {
		from = at - shownBefore
	}
	end := min(len(s), from+shownSide)
	out := strings.ToValidUTF8(s[from:end], "�")
	if from > 0 {
		out = "…" + out
	}
	if end < len(s) {
		out += "…"
	}
	return cleanLine(out)
}

// textSides leaves out the lines that are the same at the beginning and at the end.
func textSides(was, now []string) (a, b []string) {
	from := 0
	for from < len(was) && from < len(now) && was[from] == now[from] {
		from++
	}
	end := 0
	for end < len(was)-from && end < len(now)-from && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	side := func(lines, other []string) (out []string) {
		for i, l := range lines[from : len(lines)-end] {
			if i == shownLines {
				return append(out, fmt.Sprintf("(and %d lines more)", len(lines)-end-from-i))
			}
			at := 0
			if from+i < len(other) {
				at = common(l, other[from+i])
			}
			out = append(out, fmt.Sprintf("line %d: %s", from+i+1, window(l, at)))
		}
		return out
	}
	return side(was, now), side(now, was)
}
