package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
)

func (a *app) completeCommand() *cobra.Command {
	c := &cobra.Command{Use: "complete prompt NAME ARG=PREFIX [ARG=TEXT...] [FLAGS] TARGET", Short: "ask what an argument may be", Args: cobra.ArbitraryArgs,
		Long:    "Asks what the values of an argument may be that begin with PREFIX. Further arguments are what is\nknown already. For a resource template: complete template URI NAME=PREFIX.",
		Example: "  mcpinspect complete prompt trip country=N --demo\n  mcpinspect complete prompt review language=g -- ./server\n  mcpinspect complete template 'notes://{id}' id=1 -- ./server",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			if len(args) < 3 || args[0] != "prompt" && args[0] != "template" {
				return usagef("complete needs: prompt NAME ARG=PREFIX, or: template URI NAME=PREFIX")
			}
			_, _, err := a.texts(args[2:])
			return err
		}, func(ctx context.Context, r *run, args []string) error {
			return r.complete(ctx, args[0], args[1], args[2:])
		})}
	a.verbFlags(c)
	return c
}

func (r *run) complete(ctx context.Context, kind, of string, given []string) error {
	names, _, err := r.texts(given)
	if err != nil {
		return err
	}
	_, prefix, _ := strings.Cut(given[0], "=")
	ref := append([]byte(`{"ref":{"type":"ref/prompt","name":`), client.Quote(of)...)
	if kind == "template" {
		ref = append([]byte(`{"ref":{"type":"ref/resource","uri":`), client.Quote(of)...)
	}
	params := append(append(ref, `},"argument":{"name":`...), client.Quote(names[0])...)
	params = append(append(append(params, `,"value":`...), client.Quote(prefix)...), '}')
	if len(given) > 1 {
		_, known, err := r.texts(given[1:])
		if err != nil {
			return err
		}
		params = append(append(append(params, `,"context":{"arguments":`...), known...), '}')
	}
	if v := r.sess.Snapshot().Server; r.sess.Revision() >= client.Rev2025_03_26 && client.Get(v.Capabilities, "completions") == nil {
		r.voice.warn("the server does not say that it completes: it has no capability completions")
	}
	answer, err := r.sess.Call(ctx, client.Request{Method: client.MethodComplete, Params: append(params, '}')})
	if err != nil {
		return err
	}
	if err := answer.Err(); err != nil {
		return err
	}
	result := answer.ResultRaw()
	values := client.Get(result, "completion", "values")
	if r.json {
		r.out.rawLine(result)
	} else {
		n := 0
		for v := range client.Elements(values) {
			s, ok := client.Text(v)
			if n++; !ok {
				r.out.rawLine(oneLine(v))
				continue
			}
			r.out.printf("%s\n", cleanLine(s))
		}
		total, err := strconv.Atoi(string(client.Get(result, "completion", "total")))
		if err == nil && total > n {
			r.voice.inform("these are %d of %d values", n, total)
		} else if string(client.Get(result, "completion", "hasMore")) == "true" {
			r.voice.inform("these are %d values, and there are more", n)
		}
	}
	switch {
	case string(values) == "null": // what some make of a list without values: a finding says so
	case len(values) == 0 || values[0] != '[':
		if values == nil {
			values = result
		}
		if !r.json {
			r.out.rawLine(oneLine(values))
		}
		return &failure{outcome: protocol, text: "the result of completion/complete has no list of values", hint: "--json shows what it is"}
	}
	return nil
}
