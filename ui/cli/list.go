package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

func (a *app) listCommand() *cobra.Command {
	full := false
	c := &cobra.Command{Use: "list [tools|resources|templates|prompts] [FLAGS] TARGET", Short: "list what the server offers, every page of it", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect list tools --demo\n  mcpinspect list tools -- ./server\n  mcpinspect list --json -- ./server | jq '.tools[].name'",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			_, err := kindsOf(args)
			return err
		}, func(ctx context.Context, r *run, args []string) error {
			kinds, _ := kindsOf(args)
			named := kinds != nil
			if !named {
				kinds = advertised(r.sess.Snapshot().Server)
			}
			return r.list(ctx, kinds, named, full)
		})}
	a.verbFlags(c)
	c.Flags().BoolVar(&full, "full", false, "print everything that a model would read")
	return c
}

// kindsOf reads which list is asked for; nil when none is.
func kindsOf(args []string) ([]client.ListKind, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if err := atMost(1, args, "list takes one of tools, resources, templates, prompts"); err != nil {
		return nil, err
	}
	for _, k := range client.ListKinds {
		if k.Name == args[0] {
			return []client.ListKind{k}, nil
		}
	}
	return nil, usagef("there is no list of %q", args[0]).hinted("one of: tools, resources, templates, prompts")
}

// advertised are the lists that the server's capabilities offer.
func advertised(v *session.Server) (kinds []client.ListKind) {
	for _, k := range client.ListKinds {
		if c := client.Get(v.Capabilities, k.Cap); c != nil && string(c) != "null" && string(c) != "false" {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// walked is how one list went.
type walked struct {
	kind client.ListKind
	list *session.List
	stop client.Stop
	err  error // why it could not be read to its end
}

// ending says in what way a list is not whole; empty for one that is.
func (l *walked) ending() string {
	switch entries := text.Plural(len(l.list.Items), "entry"); {
	case l.err != nil && len(l.list.Pages) == 0:
		return "no list: " + plain(l.err)
	case l.err != nil:
		return "incomplete: the list failed after " + entries
	case l.stop != client.StopNone:
		return "incomplete: the list was stopped after " + entries
	}
	return ""
}

// walk reads every page of the lists. A list that fails keeps what came of it and does not hide
// the others, unless the connection is gone. named says that a person asked for this list.
func (r *run) walk(ctx context.Context, kinds []client.ListKind, named bool) (lists []walked, err error) {
	for _, k := range kinds {
		stop, e := r.sess.All(ctx, k)
		var rpc *client.RPCError
		var none *client.ListError
		refused := errors.As(e, &rpc) || errors.As(e, new(*client.AnswerError))
		if rpc != nil && !named && k == client.Templates && rpc.CodeRaw == strconv.Itoa(client.CodeMethodNotFound) {
			stop, e = client.StopNone, nil // resources without templates: the capability is one for both
		}
		lists = append(lists, walked{k, r.sess.Snapshot().List(k.Name), stop, e})
		if e == nil {
			continue
		}
		err = errors.Join(err, e)
		if !refused && !errors.As(e, &none) {
			return lists, err
		}
	}
	return lists, err
}

func (r *run) list(ctx context.Context, kinds []client.ListKind, named, full bool) error {
	if offered := advertised(r.sess.Snapshot().Server); named && !slices.Contains(offered, kinds[0]) {
		r.voice.warn("the server does not say that it has %s: it has no capability %s", kinds[0].Name, kinds[0].Cap)
	}
	lists, err := r.walk(ctx, kinds, named)
	if r.json {
		r.listJSON(lists, named)
		return err
	}
	for i, l := range lists {
		if len(kinds) > 1 {
			if i > 0 {
				r.out.printf("\n")
			}
			r.out.printf("%s\n", r.out.paint.bold(fmt.Sprintf("%s (%d)", l.kind.Name, len(l.list.Items))))
		}
		for n := range l.list.Items {
			r.item(l.kind, &l.list.Items[n], full)
		}
		if how := l.ending(); how != "" {
			r.out.printf("(%s)\n", cleanLine(how))
		}
	}
	return err
}

// listJSON prints the lists with their items as sent.
func (r *run) listJSON(lists []walked, named bool) {
	o := r.out
	o.printf("{")
	stop := client.StopNone
	for _, l := range lists {
		o.printf(`"%s":[`, l.kind.Name)
		for i := range l.list.Items {
			if i > 0 {
				o.printf(",")
			}
			o.raw(l.list.Items[i].Raw)
		}
		o.printf(`],`)
		if rank(l.stop) > rank(stop) {
			stop = l.stop
		}
	}
	o.printf(`"pages":[`)
	first := true
	for _, l := range lists {
		for _, p := range l.list.Pages {
			if !first {
				o.printf(",")
			}
			first = false
			cursor := p.Cursor
			if cursor == nil {
				cursor = []byte("null")
			}
			o.printf("{")
			if !named {
				o.printf(`"list":"%s",`, l.kind.Name)
			}
			o.printf(`"cursor":`)
			o.raw(cursor)
			o.printf(`,"count":%d,"ms":%s}`, p.Count, ms(p.Latency))
		}
	}
	o.printf("]")
	if stop != client.StopNone {
		o.printf(`,"complete":false,"stopped":"%s"`, stop)
	}
	o.printf("}\n")
}

// rank orders the reasons for stopping, the gravest last.
func rank(s client.Stop) int {
	switch s {
	case client.StopCeiling:
		return 1
	case client.StopLoop:
		return 2
	case client.StopError:
		return 3
	}
	return 0
}

// item prints one entry of a list.
func (r *run) item(kind client.ListKind, it *session.Item, full bool) {
	o := r.out
	line := o.paint.bold(cleanLine(it.Name))
	var marks []string
	switch kind.Name {
	case client.Tools.Name:
		line = r.signature(it)
		marks = hints(it)
	case client.Prompts.Name:
		line += promptArguments(it)
	default:
		if it.URI != "" && it.URI != it.Name {
			line += "  " + cleanLine(it.URI)
		}
		if mime := client.GetText(it.Raw, "mimeType"); mime != "" {
			marks = append(marks, cleanLine(mime))
		}
	}
	if it.Problem != "" {
		marks = append(marks, "malformed: "+it.Problem)
	}
	if len(marks) > 0 {
		line += "  [" + strings.Join(marks, ", ") + "]"
	}
	about := it.Description
	if about == "" {
		about = it.Title
	}
	if !full {
		if d := firstLine(about); d != "" {
			line += "  " + o.paint.dim(d)
		}
		o.printf("%s\n", line)
		return
	}
	o.printf("%s\n", line)
	if it.Title != "" && it.Title != it.Name {
		o.lines("  ", it.Title)
	}
	if it.Description != "" {
		o.lines("  ", it.Description)
	}
	for _, name := range []string{"inputSchema", "outputSchema", "arguments", "annotations"} {
		if raw := client.Get(it.Raw, name); raw != nil && string(raw) != "null" {
			o.printf("  %s ", name)
			o.rawLine(oneLine(raw))
		}
	}
}

// hints are the annotations of a tool that say something.
func hints(it *session.Item) (out []string) {
	h := it.Hints()
	if h.ReadOnly {
		out = append(out, "read-only")
	}
	if h.Said {
		out = append(out, "destructive")
	}
	if h.Idempotent {
		out = append(out, "idempotent")
	}
	return out
}

// promptArguments are the arguments of a prompt as a signature: "(city*, style)".
func promptArguments(it *session.Item) string {
	var names []string
	for raw := range client.Elements(client.Get(it.Raw, "arguments")) {
		name := cleanLine(client.GetText(raw, "name"))
		if string(client.Get(raw, "required")) == "true" {
			name += "*"
		}
		names = append(names, name)
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// signature is how a tool is called.
func (r *run) signature(it *session.Item) string {
	return r.out.paint.bold(cleanLine(schema.Signature(it.Name, it.InputSchema())))
}
