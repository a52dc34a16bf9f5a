package cli

import (
	"cmp"
	"context"
	"fmt"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// printStats counts a whole recording without keeping its rows.
func (a *app) printStats(path string) error {
	r, err := a.openRecording(path)
	if err != nil {
		return err
	}
	defer r.Close()
	methods, tools, bad := session.Count(context.Background(), r)
	a.notices(r)
	p := logPrinter{out: newOutput(a.io.Out, a.line.flags.noColor, a.warn), json: a.json}
	p.stats(methods, tools)
	return cmp.Or(bad, p.out.flush())
}

// stats prints the counts by method and by tool.
func (p *logPrinter) stats(methods, tools []*session.Tally) {
	if p.json {
		b := append([]byte(`{"methods":`), talliesJSON(methods)...)
		b = append(append(b, `,"tools":`...), talliesJSON(tools)...)
		p.out.raw(append(b, "}\n"...))
		return
	}
	p.tallies("method", methods)
	if len(tools) > 0 {
		p.out.printf("\n")
		p.tallies("tool", tools)
	}
}

func talliesJSON(all []*session.Tally) []byte {
	b := []byte{'['}
	for i, t := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"name":`...), quoteText(t.Name)...)
		b = fmt.Appendf(b, `,"count":%d,"errors":%d,"unanswered":%d,"p50_ms":%s,"p95_ms":%s,"max_ms":%s,"bytes":%d}`, t.Count, t.Errors, t.Unanswered, ms(t.P50), ms(t.P95), ms(t.Max), t.Bytes)
	}
	return append(b, ']')
}

func (p *logPrinter) tallies(what string, all []*session.Tally) {
	width := len(what)
	for _, t := range all {
		width = max(width, min(text.Width(cleanLine(t.Name)), rowWidth/4))
	}
	p.out.printf("%s\n", p.out.paint.bold(fmt.Sprintf("%s %7s %7s %7s %9s %9s %9s %9s", text.Pad(what, width), "count", "errors", "open", "p50", "p95", "max", "bytes")))
	for _, t := range all {
		took := [3]string{"-", "-", "-"}
		if t.Max > 0 || t.P50 > 0 {
			took = [3]string{text.Duration(t.P50), text.Duration(t.P95), text.Duration(t.Max)}
		}
		p.out.printf("%s %7d %7d %7d %9s %9s %9s %9s\n", text.Fit(cleanLine(t.Name), width), t.Count, t.Errors, t.Unanswered, took[0], took[1], took[2], text.Size(t.Bytes))
	}
}
