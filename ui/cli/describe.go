package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client/schema"
)

func (a *app) describeCommand() *cobra.Command {
	c := &cobra.Command{Use: "describe TOOL [FLAGS] TARGET", Aliases: []string{"form"}, Short: "show the argument form that a tool's schema makes", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect describe weather --demo\n  mcpinspect describe weather -- ./server",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("describe needs a tool").hinted("mcpinspect list tools %s shows them", a.where())
			}
			return atMost(1, args, "describe takes one tool")
		}, func(ctx context.Context, r *run, args []string) error {
			return r.describe(ctx, args[0])
		})}
	a.verbFlags(c)
	return c
}

func (r *run) describe(ctx context.Context, name string) error {
	it, ok, err := r.tool(ctx, name)
	if err != nil {
		return err
	}
	if !ok {
		return r.noTool(name)
	}
	s := schema.Compile(it.InputSchema())
	for _, n := range s.Notes() {
		r.voice.warn("the schema of %s, at %s: %s", name, orWord(n.Pointer, "its root"), n.Text)
	}
	if r.json {
		b := []byte{'['}
		for i, row := range s.Rows() {
			if i > 0 {
				b = append(b, ',')
			}
			b = schema.AppendJSON(b, row.Describe())
		}
		r.out.rawLine(append(b, ']'))
		return nil
	}
	r.out.printf("%s\n", r.signature(&it))
	d := description{r, s.Form(), maxOpened}
	d.rows(d.form.Rows())
	return nil
}

// maxOpened is how many lists and variants a description opens: a schema that refers to itself has no
// end.
const maxOpened = 40

// description prints a form with what an empty form does not show: the rows that an item of a list
// has, and those of every branch of a variant.
type description struct {
	*run
	form *schema.Form
	left int // lists and variants that may still be opened
}

func (d *description) rows(rows []schema.Row) {
	for i := 0; i < len(rows); i++ {
		row := rows[i]
		d.row(row)
		if d.left <= 0 || row.Recursive() {
			continue
		}
		switch {
		case row.Control == schema.ControlVariant:
			d.branches(row)
			for i+1 < len(rows) && strings.HasPrefix(rows[i+1].Path, row.Path+"/") {
				i++ // those of one branch
			}
		case row.Control == schema.ControlList && row.CanAdd && row.Items == 0:
			d.item(row)
		}
	}
}

// branches prints the rows of each branch, with the name of the branch where it has any.
func (d *description) branches(row schema.Row) {
	d.left--
	defer func() { _ = d.form.ChooseBranch(row.Path, row.Branch) }()
	for i, name := range row.Variants {
		if d.form.ChooseBranch(row.Path, i) != nil {
			return
		}
		if below := d.below(row.Path); len(below) > 0 {
			d.out.printf("  %s as %s:\n", strings.Repeat("  ", row.Depth), cleanLine(name))
			d.rows(below)
		}
	}
}

// item prints what one item of a list is, unless the list has said so itself.
func (d *description) item(row schema.Row) {
	d.left--
	path, err := d.form.Add(row.Path)
	if err != nil {
		return
	}
	defer func() { _ = d.form.Remove(path) }()
	for _, one := range d.form.Rows() {
		below := d.below(path)
		if one.Path != path || len(below) == 0 && one.Control != schema.ControlVariant && one.Control != schema.ControlList {
			continue
		}
		one.Name = "each"
		d.rows(append([]schema.Row{one}, below...))
	}
}

// below gives the rows below a path.
func (d *description) below(path string) (out []schema.Row) {
	for _, row := range d.form.Rows() {
		if strings.HasPrefix(row.Path, path+"/") {
			out = append(out, row)
		}
	}
	return out
}

// row prints one field of a form.
func (r *run) row(row schema.Row) {
	o := r.out
	mark := " "
	if row.Required {
		mark = "*"
	}
	line := strings.Repeat("  ", row.Depth) + cleanLine(row.Name) + mark
	parts := []string{string(row.Control)}
	if row.Type != "" && row.Type != string(row.Control) && row.Options == nil && row.Variants == nil {
		parts = append(parts, cleanLine(row.Type))
	}
	if row.Nullable {
		parts = append(parts, "or null")
	}
	if row.Options != nil {
		parts = append(parts, "one of "+options(row.Spec))
	}
	if row.Variants != nil {
		parts = append(parts, "one of "+cleanLine(strings.Join(row.Variants, ", ")))
	}
	if number := row.Control == schema.ControlInteger || row.Control == schema.ControlNumber; !number { // the type of a number has its bounds
		if row.Min != "" {
			parts = append(parts, "from "+cleanLine(row.Min))
		}
		if row.Max != "" {
			parts = append(parts, "up to "+cleanLine(row.Max))
		}
	}
	if row.Format != "" {
		parts = append(parts, "format "+cleanLine(row.Format))
	}
	if row.Default != nil {
		parts = append(parts, "default "+cleanLine(row.Default.JSON()))
	}
	for _, s := range []string{row.Spec.Note, firstLine(row.Description)} {
		if s != "" {
			parts = append(parts, cleanLine(s))
		}
	}
	o.printf("  %-20s %s\n", line, strings.Join(parts, "; "))
}

// options lists what a choice can be, with the titles that say more.
func options(s *schema.Spec) string {
	list := make([]string, len(s.Options))
	for i, v := range s.Options {
		list[i] = v.Text
		if v.Kind != schema.String {
			list[i] = v.JSON()
		}
		if i < len(s.Titles) && s.Titles[i] != "" && s.Titles[i] != list[i] {
			list[i] += " (" + s.Titles[i] + ")"
		}
	}
	return cleanLine(strings.Join(list, ", "))
}
