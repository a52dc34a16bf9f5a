package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

const argumentHelp = `An argument is name=text, which becomes what the schema wants; name:=json for exact JSON;
name=@file or name:=@file; a path such as a.b[0].c=x; or one whole object as '{...}', @file.json
or - for standard input.`

func (a *app) callCommand() *cobra.Command {
	c := &cobra.Command{Use: "call TOOL [ARG...] [FLAGS] TARGET", Short: "call a tool", Args: cobra.ArbitraryArgs, Long: "Calls a tool and prints what it returns.\n\n" + argumentHelp,
		Example: "  mcpinspect call add a=2 b=3 --demo\n  mcpinspect call add a=2 b=3 -- ./server\n  mcpinspect call weather '{\"city\":\"Oslo\"}' --json -- ./server",
		RunE: a.verb(func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("call needs a tool").hinted("mcpinspect list tools %s shows them", a.where())
			}
			return a.line.flags.repeatable(c.Flags().Changed)
		}, func(ctx context.Context, r *run, args []string) error {
			return r.call(ctx, args[0], args[1:])
		})}
	a.verbFlags(c)
	f := &a.line.flags
	c.Flags().IntVar(&f.repeat, "repeat", 0, "call `N` times and print figures instead of results")
	c.Flags().IntVar(&f.parallel, "parallel", 1, "with --repeat: keep `K` calls open at once, on one connection")
	c.Flags().BoolVar(&f.allowDestructive, "allow-destructive", false, "with --repeat: call a tool that says it is destructive, too")
	c.Flags().BoolVar(&f.task, "task", false, "let the server make a task of it (2025-11-25, or the extension of 2026-07-28), and wait for that")
	c.Flags().BoolVar(&f.unchecked, "unchecked", false, "send although the tool is not listed or its schema objects")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "check the arguments and print what would be sent, send nothing")
	return c
}

// where is the target as it stands on the command line, for hints.
func (a *app) where() string {
	if a.line.flags.demo {
		return "--demo"
	}
	if a.line.url != "" {
		return words.Shell([]string{a.line.url})
	}
	if len(a.line.command) == 0 { // not said yet
		return "-- ./server"
	}
	return "-- " + words.Shell(a.line.command)
}

// tool finds a tool, page by page. ok is false when no page has it.
func (r *run) tool(ctx context.Context, name string) (it session.Item, ok bool, err error) {
	for {
		more, err := r.sess.More(ctx, client.Tools)
		if it, ok := r.sess.Snapshot().List(client.Tools.Name).Find(name); ok {
			return it, true, nil
		}
		if err != nil || !more {
			return session.Item{}, false, err
		}
	}
}

// noTool says what the tools are, when there is none of the name.
func (r *run) noTool(name string) error {
	names := r.sess.Snapshot().List(client.Tools.Name).Names()
	f := usagef("the server has no tool %q", name)
	if near := words.DidYouMean(name, names); near != "" {
		return f.hinted("%s", near)
	}
	const most = 12
	switch n := len(names); {
	case n == 0:
		f.hint = "it has no tools"
	case n > most:
		f.hint = fmt.Sprintf("it has %s and %d more", shortNames(names[:most]), n-most)
	default:
		f.hint = "it has " + shortNames(names)
	}
	return f
}

// longestName is how many cells of a name a sentence shows.
const longestName = 60

// shortNames are names for a sentence, very long ones cut.
func shortNames(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = text.Short(name, longestName)
	}
	return strings.Join(out, ", ")
}

// toolCall is a call that may be made: its tool, where it is listed, and its request.
type toolCall struct {
	it       session.Item
	request  client.Request
	readings []words.Reading // what argument words became
}

// toolCall finds a tool and reads and checks what it is given.
func (r *run) toolCall(ctx context.Context, name string, given []string) (c toolCall, err error) {
	unchecked := r.line.flags.unchecked
	it, ok, err := r.tool(ctx, name)
	switch {
	case err != nil && unchecked && outcomeOf(err) == protocol:
		r.voice.warn("the tools cannot be listed, the arguments are not checked: %v", err)
	case err != nil:
		return c, err
	case !ok && !unchecked:
		return c, r.noTool(name)
	}
	in := schema.Compile(it.InputSchema())
	args, readings, err := words.Read(given, in, r.file)
	if err != nil {
		return c, badWord(err, name, r.where())
	}
	if twice := args.Repeated(); twice != "" {
		r.voice.warn("the member %q is in the arguments twice, and is sent twice", twice)
	}
	if ok && !unchecked {
		r.unlisted(name, it.InputSchema(), in, args)
		if err := r.objections(name, in.Check(args)); err != nil {
			return c, err
		}
	}
	if r.hidden != nil {
		in.Secrets(args, recordings.NamesSecret, func(name, value string) { r.hidden.Add(name, value) })
	}
	request := client.CallTool(name, schema.AppendJSON(nil, args))
	request.Unchecked = unchecked
	return toolCall{it, request, readings}, nil
}

func (r *run) call(ctx context.Context, name string, given []string) error {
	f := &r.line.flags
	c, err := r.toolCall(ctx, name, given)
	if err != nil {
		return err
	}
	if f.dryRun {
		for _, word := range c.readings {
			r.aside(cleanLine(word.String()))
		}
		r.out.raw(r.sess.Encode(r.sess.Revision(), c.request))
		return nil
	}
	if f.repeat > 0 {
		return r.repeat(ctx, name, c.it, c.request)
	}
	answer, err := r.sess.CallTool(ctx, c.request, f.task)
	if err != nil {
		return err
	}
	result := answer.ResultRaw()
	switch {
	case result == nil: // an error without one
	case r.json:
		r.out.rawLine(result)
	default:
		r.result(result)
	}
	if err := answer.Err(); err != nil {
		return err
	}
	return r.judge(name, c.it, result, r.voice.warn)
}

// badWord is an argument that cannot be read.
func badWord(err error, tool, where string) error {
	var w *words.Error
	if !errors.As(err, &w) {
		return err
	}
	f := usagef("%s", (&words.Error{Word: w.Word, Problem: w.Problem}).Error())
	if f.hint = w.Hint; f.hint == "" {
		f.hint = fmt.Sprintf("mcpinspect describe %s %s shows what it takes", words.Shell([]string{tool}), where)
	}
	return f
}

// unlisted warns of arguments that the schema does not list though it lists others, and neither
// allows nor forbids: most servers pass over them in silence, so a slip of the pen looks like an
// answer.
func (r *run) unlisted(tool string, raw []byte, in *schema.Schema, args schema.Value) {
	required, optional := in.Names("", args)
	known := append(required, optional...)
	if root, err := schema.Parse(raw); err != nil || len(known) == 0 {
		return
	} else {
		for _, more := range []string{"additionalProperties", "patternProperties", "unevaluatedProperties"} {
			if _, said := root.Get(more); said {
				return
			}
		}
	}
	for _, m := range args.Members {
		if in.HasProperty(m.Name) {
			continue
		}
		said := fmt.Sprintf("the schema of %s lists no argument %q: it is sent all the same", text.Short(tool, longestName), text.Short(m.Name, longestName))
		if near := words.DidYouMean(m.Name, known); near != "" && m.Name != "" {
			said += "; " + near
		}
		r.voice.warn("%s", said)
	}
}

// objections are the problems of arguments as an error; advisory ones are warnings.
func (r *run) objections(name string, problems []schema.Problem) error {
	var bad []schema.Problem
	for _, p := range problems {
		if p.Advisory {
			r.voice.warn("%s", p.Sentence())
		} else {
			bad = append(bad, p)
		}
	}
	if bad == nil {
		return nil
	}
	f := violation(fmt.Sprintf("the arguments violate the schema of %s; nothing was sent", name), bad)
	f.hint = "to send them all the same: --unchecked"
	return f
}

// violation is a value that violates a schema.
func violation(text string, problems []schema.Problem) *failure {
	f := &failure{outcome: schemaFault, text: text}
	for _, p := range problems {
		f.details = append(f.details, p.Sentence())
	}
	data, err := json.Marshal(map[string]any{"problems": problems})
	if err == nil {
		f.data = data
	}
	return f
}

// judge says in what way a result is a failure. What is odd about its shape the log says already;
// warn is told what is odd beside it.
func (r *run) judge(name string, it session.Item, result []byte, warn func(format string, args ...any)) error {
	if len(result) == 0 || result[0] != '{' {
		return &failure{outcome: protocol, text: fmt.Sprintf("the result of %s is no object, which every result must be", name)}
	}
	if client.GetText(result, "resultType") == client.ResultInputRequired {
		return r.interim(name, result)
	}
	for _, f := range client.JudgeToolResult(r.sess.Revision(), result) {
		if f.Void {
			return &failure{outcome: protocol, text: fmt.Sprintf("the result of %s is no valid answer: %s", name, f.Text)}
		}
	}
	if string(client.Get(result, "isError")) == "true" {
		first := ""
		for block := range client.Elements(client.Get(result, "content")) {
			if first = firstLine(client.GetText(block, "text")); first != "" {
				break
			}
		}
		f := &failure{outcome: toolFault, text: "the tool " + name + " reported an error"}
		if first != "" {
			f.text += ": " + first
		}
		return f
	}
	raw := it.OutputSchema()
	if raw == nil {
		return nil
	}
	structured := client.Get(result, "structuredContent")
	if structured == nil {
		return violation(fmt.Sprintf("the result of %s violates its schema: outputSchema is declared, structuredContent is missing", name),
			[]schema.Problem{{Path: "", Keyword: "required", Message: "structuredContent is required"}})
	}
	v, err := schema.Parse(structured)
	if err != nil {
		warn("the structured content was not checked: %v", err)
		return nil
	}
	var bad []schema.Problem
	for _, p := range schema.CheckOutput(raw, v) {
		if p.Advisory {
			warn("structured content: %s", p.Sentence())
		} else {
			bad = append(bad, p)
		}
	}
	if bad == nil {
		return nil
	}
	return violation(fmt.Sprintf("the structured result of %s violates its output schema: %s", name, text.Plural(len(bad), "problem")), bad)
}
