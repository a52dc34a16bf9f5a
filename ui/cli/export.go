package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/export"
	"example.com/mcpinspect/ui/words"
)

// exporting is what the flags of export say.
type exporting struct {
	as     string
	out    string
	mask   []string
	filter string
}

func (a *app) exportCommand() *cobra.Command {
	var x exporting
	c := &cobra.Command{Use: "export --as md|html|har|jsonl [FLAGS] FILE|--last", Short: "make a file of a recording for others, masked", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect export crash --as md\n  mcpinspect export --last --as md -o report.md\n  mcpinspect export session.jsonl --as html --mask /params/arguments/user --mask 're:[0-9]{16}' -o report.html\n  mcpinspect export session.jsonl --as jsonl | jq .method",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := a.noTarget("export"); err != nil {
				return err
			}
			path, err := a.recordingFile("export", args)
			if err != nil {
				return err
			}
			return a.export(path, x)
		}}
	a.printFlags(c.Flags())
	a.lastFlag(c.Flags())
	s := c.Flags()
	s.StringVar(&x.as, "as", "", "what to make: "+strings.Join(export.Formats, ", "))
	s.StringVarP(&x.out, "output", "o", "", "write `OUT` instead of stdout")
	filterFlag(s, &x.filter)
	s.StringArrayVar(&x.mask, "mask", nil, "hide what a JSON `POINTER|re:EXPR` finds; * in a pointer stands for any member")
	s.BoolVar(&a.line.flags.overwrite, "overwrite", false, "let -o replace an existing file")
	s.BoolVar(&a.line.flags.rawSecrets, "raw-secrets", false, "do not hide what our environment tells to be secret")
	return c
}

// export makes the file. What is hidden and what is not is said first: once it is shared, it is.
func (a *app) export(path string, x exporting) error {
	if !slices.Contains(export.Formats, x.as) {
		f := usagef("--as %s is no format", words.Shell([]string{x.as}))
		if x.as == "" {
			f = usagef("export needs a format")
		}
		return f.hinted("one of: --as %s", strings.Join(export.Formats, ", "))
	}
	mask, err := export.NewMask(x.mask, a.secrets())
	if err != nil {
		return usagef("--mask: %v", err)
	}
	keep, err := a.parseFilter(x.filter)
	if err != nil {
		return err
	}
	s, head, bad := a.readRecording(path)
	if s == nil {
		return bad
	}
	o := export.Options{Head: head, Name: filepath.Base(path), Tool: tool, Mask: mask}
	if keep != nil {
		o.Filter, o.Keep = x.filter, func(e *session.Event) bool { return keep.Match(e, s.Log()) }
	}
	if err := export.Write(io.Discard, x.as, s, o); err != nil { // to know what is hidden in it
		return err
	}
	a.sayMasked(head, mask)
	if err := a.writeExport(x, s, o); err != nil {
		return err
	}
	return bad
}

// sayMasked says what is hidden in an export and what is not.
func (a *app) sayMasked(head recordings.Head, mask *export.Mask) {
	say := func(line string) { a.aside(cleanLine(line)) }
	switch names := strings.Join(head.Redacted, " "); {
	case names != "":
		say("masked when it was recorded: " + names)
	default:
		say("nothing was masked when it was recorded")
	}
	for _, h := range mask.Hidden() {
		say("masked now: " + h)
	}
	for _, idle := range mask.Idle() {
		a.warn("--mask %s: nothing of the kind is there", idle)
	}
	say("not masked: everything else, such as the command, paths, names, arguments, results and stderr; --mask POINTER and --mask re:EXPR hide more")
}

// writeExport writes to OUT or stdout. A file is the person's alone until they share it.
func (a *app) writeExport(x exporting, s *session.Session, o export.Options) (err error) {
	if x.out == "" || x.out == "-" {
		if !isTerminal(a.io.Out) {
			return cannotWrite(export.Write(a.io.Out, x.as, s, o))
		}
		var b bytes.Buffer // what would act on a terminal is escaped, in whole characters
		if err := export.Write(&b, x.as, s, o); err != nil {
			return err
		}
		out := newOutput(a.io.Out, true, a.warn)
		out.raw(b.Bytes())
		return out.flush()
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !a.line.flags.overwrite {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(x.out, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s exists already", x.out).hinted("to replace it: --overwrite")
	}
	if err != nil {
		return &failure{outcome: usage, text: "the export cannot be written: " + err.Error(), err: err}
	}
	err = export.Write(f, x.as, s, o)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
