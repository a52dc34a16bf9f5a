package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client/schema"
)

func (a *app) describeCommand() *cobra.Command {
	c := &cobra.Command{Use: "describe TOOL [FLAGS] TARGET", Aliases: []string{"form"}, Short: "show the argument form that a tool's schema makes", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect describe weather -- ./server",
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
	rows := s.Rows()
	for _, n := range s.Notes() {
		r.voice.warn("the schema of %s, at %s: %s", name, orWord(n.Pointer, "its root"), n.Text)
	}
	if r.json {
		b := []byte{'['}
		for i, row := range rows {
			if i > 0 {
				b = append(b, ',')
			}
			b = schema.AppendJSON(b, row.Describe())
		}
		r.out.rawLine(append(b, ']'))
		return nil
	}
	r.out.printf("%s\n", r.signature(&it))
	for _, row := range rows {
		r.row(row)
	}
	return nil
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
	if row.Type != "" && row.Type != string(row.Control) && row.Options == nil {
		parts = append(parts, cleanLine(row.Type))
	}
	if row.Nullable {
		parts = append(parts, "or null")
	}
	if row.Options != nil {
		parts = append(parts, "one of "+values(row.Options))
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

func values(vs []schema.Value) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = v.Text
		if v.Kind != schema.String {
			words[i] = v.JSON()
		}
	}
	return cleanLine(strings.Join(words, ", "))
}
