package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// hearing is what the flags of listen say.
type hearing struct {
	want  client.Interest
	span  time.Duration
	count int
}

func (a *app) listenCommand() *cobra.Command {
	var h hearing
	c := &cobra.Command{Use: "listen [URI...] [FLAGS] TARGET", Short: "print what the server tells by itself", Args: cobra.ArbitraryArgs,
		Long: "Asks the server to tell of what changes, lists or resources, and prints a line for everything that it\n" +
			"says by itself. A list that has changed is loaded anew, and what differs is printed. Without a URI or\n" +
			"a flag it listens to every list that the server offers to tell of. It goes on until ctrl+c, --for or --count.",
		Example: "  mcpinspect listen -- ./server\n  mcpinspect listen file:///log.txt --count 1 --json http://localhost:8080/mcp",
		RunE: a.verb(func(_ *cobra.Command, args []string) error {
			h.want.URIs = args
			a.prepare = func(o *session.Options) { o.Relist = true }
			if h.span < 0 || h.count < 0 {
				return usagef("--for and --count cannot be negative")
			}
			return nil
		}, func(ctx context.Context, r *run, _ []string) error {
			return r.listen(ctx, h)
		})}
	a.verbFlags(c)
	f := c.Flags()
	f.BoolVar(&h.want.Tools, "tools", false, "tell when the tools change")
	f.BoolVar(&h.want.Resources, "resources", false, "tell when the list of resources changes")
	f.BoolVar(&h.want.Prompts, "prompts", false, "tell when the prompts change")
	f.StringArrayVar(&h.want.Tasks, "task", nil, "tell when the status of the task `ID` changes, also several times")
	f.DurationVar(&h.span, "for", 0, "end after this time")
	f.IntVar(&h.count, "count", 0, "end after `N` notifications; it fails when --for is over before")
	return c
}

// listen prints what comes until it is to end. A list is loaded first: what changed can be told only
// against what was.
func (r *run) listen(ctx context.Context, h hearing) error {
	server := r.sess.Snapshot().Server
	if h.want.Empty() {
		h.want = server.Tells()
	}
	if h.want.Empty() {
		return &failure{outcome: protocol, text: "the server does not offer to tell of anything that changes", hint: "to ask all the same: --tools, --resources, --prompts, --task ID, or a URI"}
	}
	for _, w := range unoffered(server, h.want) {
		r.voice.warn("%s", w)
	}
	for _, k := range advertised(server) {
		if k == client.Tools && h.want.Tools || k == client.Prompts && h.want.Prompts || k.Cap == client.Resources.Cap && h.want.Resources {
			if _, err := r.walk(ctx, []client.ListKind{k}, false); err != nil {
				return err
			}
		}
	}
	next := r.sess.Log().Len()
	if err := r.sess.Listen(ctx, h.want); err != nil {
		return err
	}
	if err := r.honoured(h.want); err != nil {
		return err
	}
	return r.hear(ctx, h, next)
}

// honoured says what the server will not tell of although it was asked to. Handshake revisions do not
// say so.
func (r *run) honoured(want client.Interest) error {
	if !r.sess.Revision().Modern() {
		return nil
	}
	var got client.Interest
	for _, s := range r.sess.Snapshot().Subscriptions {
		if s.Acked {
			got = s.Honoured
		}
	}
	switch left := want.Without(got); {
	case left.Empty():
	case left.String() == want.String():
		return &failure{outcome: protocol, text: fmt.Sprintf("the server will tell of nothing of what was asked for: %s", want)}
	default:
		r.voice.warn("the server will not tell of %s", left)
	}
	return nil
}

// hear prints what the server says by itself, from row next on.
func (r *run) hear(ctx context.Context, h hearing, next int) error {
	var over <-chan time.Time
	if h.span > 0 {
		timer := time.NewTimer(h.span)
		defer timer.Stop()
		over = timer.C
	}
	heard, owed := 0, 0 // owed are lists of which it will be said what changed
	for {
		gone := r.over()
		for end := r.sess.Settled(); next < end; next++ {
			e, _ := r.sess.Log().Event(next)
			switch {
			case e.Note != nil && e.Note.What == client.NoteChanged:
				r.changed(&e)
				owed = 0
			case e.Stream == client.Out && e.Kind == client.KindNotification && e.Method != client.MethodAcknowledged && (h.count == 0 || heard < h.count):
				heard++
				owed = r.heard(&e)
			}
			if err := r.out.flush(); err != nil {
				return err
			}
		}
		ended := r.sess.Revision().Modern() && len(r.sess.Snapshot().Subscriptions) == 0
		few := fmt.Sprintf("%d of %d notifications came", heard, h.count)
		switch {
		case h.count > 0 && heard == h.count && owed == 0:
			return nil
		case gone:
			return &client.ClosedError{Err: errors.New("the server ended")}
		case ended && heard < h.count:
			return &failure{outcome: unreachable, text: "the server ended the subscription: " + few}
		case ended:
			return nil // why is said already
		}
		select {
		case <-r.voice.moved:
		case <-r.sess.Done():
		case <-over:
			if heard < h.count {
				return &failure{outcome: unreachable, text: fmt.Sprintf("%s within %v", few, h.span)}
			}
			if heard == 0 {
				r.voice.inform("the server told nothing of %s within %v", h.want, h.span)
			}
			return nil
		case <-ctx.Done():
			r.stopped = h.span == 0 && h.count == 0 // that is how it ends
			if r.stopped {
				return nil
			}
			return context.Cause(ctx)
		}
	}
}

// heard prints one notification and returns how many lists are loaded anew because of it.
func (r *run) heard(e *session.Event) (lists int) {
	body, _, err := r.sess.Log().Read(e.Seq)
	if err != nil {
		r.voice.warn("%v", err)
	}
	params := client.Get(body.Bytes(), "params")
	if r.json {
		r.out.printf(`{"ms":%s,"method":`, ms(e.T))
		r.out.raw(client.Quote(e.Method))
		if params != nil {
			r.out.printf(`,"params":`)
			r.out.raw(oneLine(params))
		}
		r.out.printf("}\n")
	} else {
		about := client.GetText(params, "uri")
		if t, ok := client.ReadTask(params); ok && about == "" {
			about = t.String()
		}
		if about == "" && e.Method != client.MethodCancelled && client.Changed(e.Method) == nil {
			about = string(oneLine(params))
		}
		r.out.printf("%s  %s  %s\n", r.out.paint.dim(text.Duration(e.T)), cleanLine(e.Method), cleanLine(about))
	}
	if r.sess.Revision().Modern() && client.Get(params, "_meta", client.MetaSubscription) == nil {
		return 0 // not asked for: nothing follows
	}
	for _, k := range client.Changed(e.Method) {
		if len(r.sess.Snapshot().List(k.Name).Pages) > 0 {
			lists++
		}
	}
	return lists
}

// changed prints what is different in a list that was loaded anew.
func (r *run) changed(e *session.Event) {
	if r.json {
		r.out.printf(`{"ms":%s,`, ms(e.T))
		r.out.rawLine(e.Note.Data[1:])
		return
	}
	r.out.printf("%s  %s\n", r.out.paint.dim(text.Duration(e.T)), cleanLine(e.Note.Text))
}

// unoffered says what is asked for although the server does not offer to tell of it.
func unoffered(v *session.Server, want client.Interest) (warnings []string) {
	offered := v.Tells()
	if string(client.Get(v.Capabilities, "resources", "subscribe")) == "true" {
		offered.URIs = want.URIs
	}
	if client.Get(v.Capabilities, "extensions", client.ExtensionTasks) != nil || client.Get(v.Capabilities, "tasks") != nil {
		offered.Tasks = want.Tasks
	}
	if left := want.Without(offered); !left.Empty() {
		warnings = append(warnings, fmt.Sprintf("the server does not offer to tell of %s: it is asked all the same", left))
	}
	return warnings
}
