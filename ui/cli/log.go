package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// logging is what the flags of log say.
type logging struct {
	limit  int
	sort   string
	stats  bool
	story  string
	filter string
}

func (a *app) logCommand() *cobra.Command {
	var g logging
	c := &cobra.Command{Use: "log [FLAGS] FILE|--last", Short: "print the log of a recording", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect log crash --filter is:finding\n  mcpinspect log session.jsonl\n  mcpinspect log --last --sort ms --limit 10\n  mcpinspect log --last --filter 'tool:add >500ms'\n  mcpinspect log --last --stats\n  mcpinspect log session.jsonl --story 7",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := a.noTarget("log"); err != nil {
				return err
			}
			if err := g.sane(c); err != nil {
				return err
			}
			path, err := a.recordingFile("log", args)
			if err != nil {
				return err
			}
			return a.printLog(path, g)
		}}
	a.printFlags(c.Flags())
	a.lastFlag(c.Flags())
	s := c.Flags()
	s.IntVar(&g.limit, "limit", 0, "print at most `N` lines; 0 for all")
	s.StringVar(&g.sort, "sort", "", "what took longest first (ms), or what is largest (size)")
	s.BoolVar(&g.stats, "stats", false, "count by method and by tool: errors, latencies, bytes")
	filterFlag(s, &g.filter)
	s.StringVar(&g.story, "story", "", "only what belongs to the request with this `ID`, or to row #N")
	return c
}

func filterFlag(s *pflag.FlagSet, into *string) {
	s.StringVar(into, "filter", "", "only rows that `EXPR` selects, as in: tool:add >500ms, is:error, rule:stray-stdout, or @NAME of a saved one")
}

// parseFilter reads --filter, in which @NAME stands for what is saved under that name; nil for none.
func (a *app) parseFilter(expr string) (*filter.Expr, error) {
	if strings.TrimSpace(expr) == "" {
		return nil, nil
	}
	x, err := a.expression(expr)
	if err != nil {
		return nil, usagef("--filter: %v", err)
	}
	return x, nil
}

// expression reads a filter that a person wrote.
func (a *app) expression(expr string) (*filter.Expr, error) {
	if !strings.Contains(expr, "@") {
		return filter.Parse(expr)
	}
	saved, err := filter.LoadSaved()
	if err != nil {
		return nil, err
	}
	expr, unknown := filter.Expand(expr, saved)
	for _, name := range unknown {
		a.warn("no filter is saved as %q: @%s is looked for as text; in the inspector :filter save NAME keeps one", name, name)
	}
	return filter.Parse(expr)
}

// noTarget refuses a server where a verb works on files only.
func (a *app) noTarget(verb string) error {
	if a.line.dashed || a.line.url != "" || a.line.flags.demo {
		return usagef("%s reads a recording and takes no server", verb)
	}
	return nil
}

func (g *logging) sane(c *cobra.Command) error {
	switch {
	case g.limit < 0:
		return usagef("--limit %d: it is a number of lines", g.limit)
	case g.sort != "" && g.sort != "ms" && g.sort != "size":
		return usagef("--sort %s: it is ms or size", g.sort)
	case g.stats && (g.sort != "" || g.limit != 0):
		return usagef("--stats prints no rows that could be sorted or limited")
	case g.story != "" && (g.sort != "" || g.stats):
		return usagef("--story prints its rows in their order: it goes without --sort and --stats")
	}
	return nil
}

// readRecording takes a whole recording in, with its findings. What is wrong with the file is said on
// stderr; the session holds what could be read, beside an error of reading, too.
func (a *app) readRecording(path string) (*session.Session, recordings.Head, error) {
	r, err := a.openRecording(path)
	if err != nil {
		return nil, recordings.Head{}, err
	}
	a.opened = append(a.opened, r) // bodies are read back from it
	s, err := session.Read(r, check.New())
	a.notices(r)
	if n := s.Log().First(); n > 0 {
		a.warn("the recording is larger than memory holds: its first %s are counted, and not shown", text.Plural(n, "row"))
	}
	return s, r.Head(), err
}

func (a *app) printLog(path string, g logging) error {
	keep, err := a.parseFilter(g.filter)
	if err != nil {
		return err
	}
	if g.stats && keep == nil {
		return a.printStats(path)
	}
	s, _, bad := a.readRecording(path)
	if s == nil {
		return bad
	}
	p := logPrinter{keep: keep, out: newOutput(a.io.Out, a.line.flags.noColor, a.warn), sess: s, log: s.Log(), json: a.json, left: g.limit}
	if g.limit == 0 {
		p.left = -1
	}
	switch {
	case g.stats:
		p.stats(p.log.Tallies(p.passes))
	case g.story != "":
		err = p.story(g.story)
	case g.sort != "":
		p.sorted(g.sort == "size")
	default:
		p.log.Each(0, p.row)
	}
	return cmp.Or(bad, err, p.out.flush())
}

// logPrinter prints rows of a log.
type logPrinter struct {
	out  *output
	sess *session.Session
	log  *session.Log
	json bool
	keep *filter.Expr // nil keeps every row
	left int          // rows that may still be printed; negative for any number
}

// row prints one row and reports whether another may follow.
func (p *logPrinter) row(e session.Event) bool {
	switch {
	case p.left == 0:
		return false
	case !p.passes(&e):
		return true
	}
	p.left--
	if p.json {
		p.rowJSON(&e)
	} else {
		p.rowText(&e)
	}
	return p.left != 0
}

func (p *logPrinter) passes(e *session.Event) bool { return p.keep == nil || p.keep.Match(e, p.log) }

// rowWidth is how much of what a row says is printed, in cells: --json has all of it.
const rowWidth = 160

// directions are the words of the screen for where bytes went.
var directions = [...]string{client.In: "-> out", client.Out: "<- in ", client.Err: "   err", client.Life: "**    "}

func (p *logPrinter) rowText(e *session.Event) {
	dir := directions[e.Stream]
	if e.Stray() {
		dir = "!!    "
	}
	took, size := "", ""
	if e.Latency >= 0 && e.Kind.IsAnswer() {
		took = text.Duration(e.Latency)
	}
	if e.Stream != client.Life {
		size = text.Size(int64(e.Size))
	}
	sign := " "
	if e.Marked {
		sign = "*"
	}
	what, strong := e.Subject(p.log.About(e))
	what = text.Short(cleanLine(what), rowWidth)
	if strong {
		what = p.out.paint.bad(what)
	}
	p.out.printf("%5d%s%9.3f %s %8s %9s  %s%s\n", e.Seq, sign, e.T.Seconds(), dir, took, size, what, p.marks(e))
	if e.Noted != "" {
		p.out.printf("%16s %s\n", "note:", cleanLine(e.Noted))
	}
}

// marks names what was found at a row.
func (p *logPrinter) marks(e *session.Event) string {
	if len(e.Marks) == 0 {
		return ""
	}
	names := make([]string, len(e.Marks))
	for i, m := range e.Marks {
		names[i] = m.Severity.String() + " " + m.Rule
	}
	return p.out.paint.odd("  [" + strings.Join(names, ", ") + "]")
}

// rowJSON prints a row as one line of JSON: the message as it was sent, anything else as text.
func (p *logPrinter) rowJSON(e *session.Event) {
	b := fmt.Appendf(nil, `{"seq":%d,"run":%d,"ms":%s,"time":%q,"dir":%q,"stream":%q,"kind":%q`, e.Seq, e.Run, ms(e.T), p.sess.Start().Add(e.T).UTC().Format(time.RFC3339Nano),
		dirName(e.Stream), streamName(e.Stream), kindName(e))
	if client.ValidJSON([]byte(e.ID)) {
		b = append(append(b, `,"id":`...), e.ID...)
	}
	for _, f := range [...]struct{ key, value string }{{"method", e.Method}, {"about", p.log.About(e)}} {
		if f.value != "" {
			b = append(append(append(b, `,"`...), f.key...), `":`...)
			b = append(b, quoteText(f.value)...)
		}
	}
	if e.Pair != session.NoPair {
		b = fmt.Appendf(b, `,"pair":%d`, e.Pair)
	}
	if e.Latency >= 0 {
		b = fmt.Appendf(b, `,"latency_ms":%s`, ms(e.Latency))
	}
	if e.Open {
		b = append(b, `,"open":true`...)
	}
	if e.Kind.IsAnswer() {
		b = fmt.Appendf(b, `,"failed":%t`, e.Kind == client.KindError || e.Failed)
	}
	if e.Stream != client.Life {
		b = fmt.Appendf(b, `,"size":%d,"offset":%d,"reads":%d`, e.Size, e.Offset, e.Reads)
		if e.Reads > 1 {
			b = fmt.Appendf(b, `,"over_ms":%s`, ms(e.T-e.First))
		}
	}
	if e.Marked {
		b = append(b, `,"marked":true`...)
	}
	if e.Noted != "" {
		b = append(append(b, `,"note":`...), quoteText(e.Noted)...)
	}
	b = append(b, `,"marks":[`...)
	for i, m := range e.Marks {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"rule":%q,"severity":%q,"message":%s}`, m.Rule, m.Severity, quoteText(m.Text))
	}
	b = append(b, ']')
	p.out.raw(b)
	switch body := p.log.Line(e.Seq); {
	case e.Note != nil:
		p.out.raw(append([]byte(`,"text":`), quoteText(e.Note.Text)...))
	case e.Kind.IsMessage() && client.ValidJSON(validText(body)):
		p.out.raw([]byte(`,"message":`))
		p.out.raw(oneLine(body))
	default:
		p.out.raw(append([]byte(`,"text":`), quoteText(string(body))...))
	}
	p.out.raw([]byte("}\n"))
}

// dirName is the direction as the filter language has it: out is what we sent.
func dirName(s client.Stream) string {
	switch s {
	case client.In:
		return "out"
	case client.Life:
		return "none"
	}
	return "in"
}

func streamName(s client.Stream) string {
	if s == client.Life {
		return "life"
	}
	return "std" + s.String()
}

// kindName is what a row is, as one word.
func kindName(e *session.Event) string {
	switch {
	case e.Note != nil:
		return e.Note.What
	case e.Stray():
		return "stray"
	case e.Kind == client.KindError:
		return "error"
	}
	return e.Kind.String()
}

// sorted prints the rows by latency or size, the largest first.
func (p *logPrinter) sorted(bySize bool) {
	type place struct {
		seq int
		n   int64
	}
	var all []place
	p.log.Each(0, func(e session.Event) bool {
		switch {
		case bySize && e.Stream != client.Life:
			all = append(all, place{e.Seq, int64(e.Size)})
		case !bySize && e.Kind.IsAnswer() && e.Latency >= 0:
			all = append(all, place{e.Seq, int64(e.Latency)})
		}
		return true
	})
	slices.SortStableFunc(all, func(x, y place) int { return cmp.Compare(y.n, x.n) })
	for _, at := range all {
		if e, ok := p.log.Event(at.seq); ok && !p.row(e) {
			return
		}
	}
}

// story prints what belongs to one request, or to each that has this id.
func (p *logPrinter) story(id string) error {
	seqs := p.log.Requests(id)
	if len(seqs) == 0 {
		return p.noRequest(id)
	}
	for i, seq := range seqs {
		if i > 0 && !p.json {
			p.out.printf("\n")
		}
		p.log.Story(seq, p.row)
	}
	return nil
}

// fewIDs is how many ids an error message names.
const fewIDs = 10

func (p *logPrinter) noRequest(id string) error {
	var ids []string
	p.log.Each(0, func(e session.Event) bool {
		if e.Kind == client.KindRequest && e.Note == nil {
			ids = append(ids, e.ID)
		}
		return len(ids) <= fewIDs
	})
	f := usagef("no request of this recording has the id %s", words.Shell([]string{id}))
	if len(ids) == 0 {
		return f.hinted("it has no requests at all")
	}
	if len(ids) > fewIDs {
		ids[fewIDs] = "…"
	}
	return f.hinted("there are %s; #N names a row", strings.Join(ids, ", "))
}
