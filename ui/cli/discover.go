package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

func (a *app) discoverCommand() *cobra.Command {
	c := &cobra.Command{Use: "discover [FLAGS] TARGET", Aliases: []string{"info"}, Short: "say who the server is", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect discover --demo\n  mcpinspect discover -- ./server",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			return atMost(0, args, "discover takes a server only")
		}, func(_ context.Context, r *run, _ []string) error {
			r.discover()
			return nil
		})}
	a.verbFlags(c)
	return c
}

// discover prints who the server is.
func (r *run) discover() {
	snap := r.sess.Snapshot()
	v := snap.Server
	ready := time.Duration(0)
	r.sess.Log().Each(0, func(e session.Event) bool {
		if e.Note != nil && e.Note.What == client.NoteEra {
			ready = e.T
		}
		return true
	})
	if r.json {
		r.discoverJSON(v, snap.Run, ready)
		return
	}
	o := r.out
	name := strings.TrimSpace(v.Name + " " + v.Version)
	if name == "" {
		name = "(the server does not say its name)"
	}
	if v.Title != "" && v.Title != v.Name {
		name += " - " + v.Title
	}
	row := func(label, value string) {
		if value != "" {
			o.printf("%-14s%s\n", label, cleanLine(value))
		}
	}
	o.printf("%s\n", o.paint.bold(cleanLine(name)))
	row("revision", string(v.Revision)+", "+v.Revision.Era())
	row("why", v.Why)
	row("supported", strings.Join(v.Supported, ", "))
	row("capabilities", cmp.Or(words.Capabilities(v.Capabilities, ", "), "none"))
	row("kept for", v.TTL)
	row("scope", v.Scope)
	row("timing", v.Method+" answered in "+text.Duration(v.Latency)+", ready after "+text.Duration(ready))
	if snap.Run > 1 {
		row("runs", "started "+text.Plural(snap.Run, "time"))
	}
	if v.Instructions != "" {
		o.printf("instructions\n")
		o.lines("  ", v.Instructions)
	}
}

func (r *run) discoverJSON(v *session.Server, runs int, ready time.Duration) {
	o := r.out
	member := func(name string, raw []byte) {
		if raw == nil {
			raw = []byte("null")
		}
		o.printf(",%q:", name)
		o.raw(raw)
	}
	quoted := func(name, s string) { member(name, quoteText(s)) }
	o.printf(`{"name":`)
	o.raw(quoteText(v.Name))
	quoted("version", v.Version)
	quoted("title", v.Title)
	quoted("revision", string(v.Revision))
	quoted("era", v.Revision.Era())
	quoted("why", v.Why)
	supported := []byte{'['}
	for i, s := range v.Supported {
		if i > 0 {
			supported = append(supported, ',')
		}
		supported = append(supported, quoteText(s)...)
	}
	member("supported", append(supported, ']'))
	member("capabilities", v.Capabilities)
	quoted("instructions", v.Instructions)
	o.printf(`,"timings":{"answer_ms":%s,"ready_ms":%s},"runs":%d`, ms(v.Latency), ms(ready), runs)
	quoted("method", v.Method)
	member("result", v.Result)
	o.printf("}\n")
}
