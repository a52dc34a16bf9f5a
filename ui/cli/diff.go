package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session/compare"
	"example.com/mcpinspect/ui/text"
)

func (a *app) diffCommand() *cobra.Command {
	c := &cobra.Command{Use: "diff [FLAGS] A B", Short: "what changed from one recording or kept list to another", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect diff paging stateless\n  mcpinspect diff before.jsonl after.jsonl\n  mcpinspect diff before.jsonl --last\n  mcpinspect list --json -- ./server > tools.json; mcpinspect diff tools.json --last",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := a.noTarget("diff"); err != nil {
				return err
			}
			if args, err = a.files(args); err != nil {
				return err
			}
			if err := atMost(2, args, "diff takes two files"); err != nil {
				return err
			}
			if len(args) < 2 {
				return usagef("diff needs two files").hinted("mcpinspect diff BEFORE AFTER; each a recording, --last, or what list --json printed")
			}
			return a.diff(args[0], args[1])
		}}
	a.printFlags(c.Flags())
	a.lastFlag(c.Flags())
	return c
}

// maxList is the largest kept list that is read: far more than any server offers.
const maxList = 256 << 20

// side reads one of the two files: a recording, else a kept list.
func (a *app) side(path string) (compare.Side, error) {
	var not *recordings.NotRecordingError
	s, _, err := a.readRecording(path)
	switch {
	case errors.As(err, &not):
	case s != nil && err == nil:
		return compare.Of(s), nil
	default:
		return compare.Side{}, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxList {
		return compare.Side{}, usagef("%s: %v", path, compare.ErrNoList)
	}
	doc, err := os.ReadFile(path)
	if err != nil {
		return compare.Side{}, usagef("cannot read %v", err)
	}
	side, err := compare.ReadList(doc)
	if err != nil {
		return side, usagef("%s: %v", path, err).hinted("a recording is what --record FILE writes; mcpinspect sessions lists what is kept")
	}
	return side, nil
}

func (a *app) diff(was, now string) error {
	before, err := a.side(was)
	if err != nil {
		return err
	}
	after, err := a.side(now)
	if err != nil {
		return err
	}
	if before.Log != nil && after.Log != nil && len(before.Lists)*len(after.Lists) == 0 {
		a.warn("one of the recordings has no list: what the server offers is not compared")
	}
	r := compare.Compare(before, after)
	out := newOutput(a.io.Out, a.line.flags.noColor, a.warn)
	if a.json {
		out.raw(resultJSON(&r))
	} else {
		printResult(out, &r)
	}
	if err := out.flush(); err != nil {
		return err
	}
	if n := len(r.Interface) + len(r.Answers); n > 0 {
		return &failure{outcome: findings, text: text.Plural(n, "difference")}
	}
	return nil
}

func resultJSON(r *compare.Result) []byte {
	b := append([]byte(`{"interface":`), changesJSON(r.Interface)...)
	b = fmt.Appendf(b, `,"compared":%d,"same":%d,"different":`, r.Compared, r.Same)
	b = append(b, answersJSON(r.Answers)...)
	if r.Cut {
		b = append(b, `,"complete":false`...)
	}
	b = append(append(b, `,"missing":`...), stringsJSON(r.Missing)...)
	b = append(append(b, `,"unmatched":`...), stringsJSON(r.Unmatched)...)
	return append(b, "}\n"...)
}

func stringsJSON(list []string) []byte {
	b := []byte{'['}
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, quoteText(s)...)
	}
	return append(b, ']')
}

func changesJSON(list []definition.Change) []byte {
	b := []byte{'['}
	for i := range list {
		c := &list[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"rule":`...), quoteText(c.Rule)...)
		b = append(append(b, `,"subject":`...), quoteText(c.Subject)...)
		b = append(append(b, `,"path":`...), quoteText(c.Path)...)
		b = append(appendSides(b, c.Was, c.Now), '}')
	}
	return append(b, ']')
}

func answersJSON(list []compare.Answer) []byte {
	b := []byte{'['}
	for i := range list {
		c := &list[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"rule":"answer-changed","subject":`...), quoteText(c.Subject)...)
		b = fmt.Appendf(b, `,"seq":%d,"seq_now":%d,"path":%s`, c.Rows[0], c.Rows[1], quoteText(c.Path))
		b = append(appendSides(b, c.Was, c.Now), '}')
	}
	return append(b, ']')
}

// appendSides adds what was and what is now, where there is something.
func appendSides(b, was, now []byte) []byte {
	if was != nil {
		b = append(append(b, `,"was":`...), oneLine(was)...)
	}
	if now != nil {
		b = append(append(b, `,"now":`...), oneLine(now)...)
	}
	return b
}

// printResult prints one change a line: - for what was, + for what is now.
func printResult(out *output, r *compare.Result) {
	for _, c := range r.Interface {
		out.printf("%s\n", changeLine(c))
	}
	for _, c := range r.Answers {
		out.printf("~ answer #%d, now #%d, to %s: %s: %s\n", c.Rows[0], c.Rows[1], cleanLine(c.Subject), cleanLine(c.Path), fromTo(c.Was, c.Now))
	}
	if r.Compared > 0 {
		out.printf("%s to the same requests compared, %d the same\n", text.Plural(r.Compared, "answer"), r.Same)
	}
	if n := len(r.Missing); n > 0 {
		out.printf("only in the first: %s\n", few(r.Missing))
	}
	if n := len(r.Unmatched); n > 0 {
		out.printf("only in the second: %s\n", few(r.Unmatched))
	}
	if r.Cut {
		out.printf("there are more: only the first differences of a value are listed\n")
	}
	if !r.Different() {
		out.printf("no difference\n")
	}
}

// changeLine is a change of an interface: + for what came, - for what went, ~ for what differs.
func changeLine(c definition.Change) string {
	switch {
	case c.Path == "" && c.Was == nil:
		return "+ " + cleanLine(c.Subject)
	case c.Path == "" && c.Now == nil:
		return "- " + cleanLine(c.Subject)
	}
	return fmt.Sprintf("~ %s: %s %s: %s", cleanLine(c.Subject), c.Rule, cleanLine(c.Path), fromTo(c.Was, c.Now))
}

// valueWidth is how much of a value a line shows, in cells.
const valueWidth = 60

func fromTo(was, now []byte) string {
	side := func(raw []byte) string {
		if raw == nil {
			return "nothing"
		}
		return text.Short(cleanLine(string(raw)), valueWidth)
	}
	return side(was) + " -> " + side(now)
}

// few names the first of many.
func few(list []string) string {
	more := ""
	if n := len(list) - fewIDs; n > 0 {
		list, more = list[:fewIDs], fmt.Sprintf(" and %d more", n)
	}
	return cleanLine(strings.Join(list, ", ")) + more
}
