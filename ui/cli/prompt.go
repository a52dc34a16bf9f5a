package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/words"
)

func (a *app) promptCommand() *cobra.Command {
	c := &cobra.Command{Use: "prompt NAME [ARG=TEXT...] [FLAGS] TARGET", Short: "get a prompt", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect prompt summarize text='much ado' --demo\n  mcpinspect prompt review language=go -- ./server",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("prompt needs a name").hinted("mcpinspect list prompts %s shows them", a.where())
			}
			_, _, err := a.texts(args[1:])
			return err
		}, func(ctx context.Context, r *run, args []string) error {
			return r.prompt(ctx, args[0], args[1:])
		})}
	a.verbFlags(c)
	c.Flags().BoolVar(&a.line.flags.unchecked, "unchecked", false, "ask although the prompt is not listed or lacks an argument")
	return c
}

// texts reads ARG=TEXT words as an object of texts, the only arguments that prompts have; name=@file
// is the text of a file.
func (a *app) texts(given []string) (names []string, object []byte, err error) {
	object = []byte{'{'}
	seen := map[string]bool{}
	for _, word := range given {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case !ok || name == "":
			return nil, nil, usagef("%q is no ARG=TEXT", word)
		case seen[name]:
			return nil, nil, usagef("%s is given twice", name)
		}
		if file, ok := strings.CutPrefix(value, "@"); ok && !strings.HasPrefix(file, "@") {
			b, err := a.file(file)
			if err != nil {
				return nil, nil, usagef("%s: %v", word, err)
			}
			value = string(b)
		} else if ok {
			value = file
		}
		if len(names) > 0 {
			object = append(object, ',')
		}
		seen[name] = true
		names = append(names, name)
		object = append(append(client.AppendQuote(object, name), ':'), client.Quote(value)...)
	}
	return names, append(object, '}'), nil
}

func (r *run) prompt(ctx context.Context, name string, given []string) error {
	names, object, err := r.texts(given)
	if err != nil {
		return err
	}
	if !r.line.flags.unchecked {
		if err := r.promptFits(ctx, name, names); err != nil {
			return err
		}
	}
	params := append([]byte(`{"name":`), client.Quote(name)...)
	if len(names) > 0 {
		params = append(append(params, `,"arguments":`...), object...)
	}
	answer, err := r.sess.Call(ctx, client.Request{Method: client.MethodPromptsGet, Params: append(params, '}')})
	if err != nil {
		return err
	}
	if err := answer.Err(); err != nil {
		return err
	}
	result := answer.ResultRaw()
	messages := client.Get(result, "messages")
	if r.json {
		r.out.rawLine(result)
	} else {
		r.messages(result, messages)
	}
	if len(messages) == 0 || messages[0] != '[' {
		return &failure{outcome: protocol, text: "the result of prompts/get has no list of messages", hint: "--json shows what it is"}
	}
	return nil
}

// promptFits looks a prompt up and judges the names of its arguments.
func (r *run) promptFits(ctx context.Context, name string, given []string) error {
	list := func() []string {
		var names []string
		for _, it := range r.sess.Snapshot().List(client.Prompts.Name).Items {
			names = append(names, it.Name)
		}
		return names
	}
	for {
		more, err := r.sess.More(ctx, client.Prompts)
		if it, ok := r.sess.Snapshot().List(client.Prompts.Name).Find(name); ok {
			var known, missing []string
			for arg := range client.Elements(client.Get(it.Raw, "arguments")) {
				n := client.GetText(arg, "name")
				known = append(known, n)
				if string(client.Get(arg, "required")) == "true" && !slices.Contains(given, n) {
					missing = append(missing, n)
				}
			}
			for _, n := range given {
				if !slices.Contains(known, n) {
					return &failure{outcome: schemaFault, text: "the prompt " + name + " has no argument " + n + "; nothing was sent", hint: "it has " + orWord(strings.Join(known, ", "), "none") + "; to send it all the same: --unchecked"}
				}
			}
			if len(missing) > 0 {
				return &failure{outcome: schemaFault, text: "the prompt " + name + " needs " + strings.Join(missing, ", ") + "; nothing was sent", hint: "to ask all the same: --unchecked"}
			}
			return nil
		}
		if err != nil {
			return err
		}
		if !more {
			f := usagef("the server has no prompt %q", name)
			if near := words.Near(name, list()); len(near) > 0 {
				return f.hinted("did you mean %s?", strings.Join(near, " or "))
			}
			return f.hinted("mcpinspect list prompts %s shows what there is", r.where())
		}
	}
}

// messages prints what a prompt says, by role.
func (r *run) messages(result, messages []byte) {
	if d := client.GetText(result, "description"); d != "" {
		r.out.lines("", d)
	}
	for m := range client.Elements(messages) {
		if client.Get(m, "content") == nil {
			r.out.rawLine(oneLine(m))
			continue
		}
		r.said(m)
	}
}
