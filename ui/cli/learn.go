package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/replay"
	"example.com/mcpinspect/session/script"
	"example.com/mcpinspect/ui/text"
)

// choose leaves the messages that --only selects, and what they need.
func (p *play) choose(a *app, expr string) error {
	if strings.TrimSpace(expr) == "" {
		return nil
	}
	x, err := a.expression(expr)
	if err != nil {
		return usagef("--only: %v", err)
	}
	all := replay.Turns(p.Script)
	log := p.sess.Log()
	part, needs, chosen := replay.Only(p.Script, func(t *script.Turn) bool {
		e, ok := log.Event(t.Seq)
		return ok && x.Match(&e, log)
	})
	if chosen == 0 {
		return usagef("--only %s: it selects none of the %s of the client", expr, text.Plural(len(all), "message")).hinted("--dry-run without --only shows them")
	}
	p.Script, p.needs, p.left = part, needs, len(all)-len(replay.Turns(part))
	return nil
}

// sayNeeds says what is sent beside the chosen messages, and what they go without.
func (p *play) sayNeeds(a *app) {
	for _, n := range p.needs {
		a.io.Err.WriteString(cleanLine(n.String()) + "\n")
	}
}

// sayVolatile says which places are not compared because an earlier run has learned them.
func (r *run) sayVolatile(all []session.Volatile) {
	if len(all) == 0 || r.line.flags.quiet {
		return
	}
	r.io.Err.WriteString(cleanLine("not compared, as learned: "+volatileText(all)) + "\n")
}

func volatileText(all []session.Volatile) string {
	var out []string
	for _, v := range all {
		out = append(out, strings.TrimSpace(v.Method+" "+v.Name)+" "+v.Path)
	}
	return strings.Join(out, ", ")
}

// learn replays once more, on a server that is started anew, and writes the places down that differ
// from one run to the other. It returns the second report without those.
func (r *run) learn(ctx context.Context, path string, p *play, o replay.Options, first *replay.Report) (*replay.Report, error) {
	if err := r.sess.Restart(ctx); err != nil {
		return first, err
	}
	second, err := replay.Run(ctx, r.sess, p.Script, o)
	if err != nil {
		return second, err
	}
	var fresh []session.Volatile
	for _, v := range replay.Learn(p.Script, first, second) {
		if !slices.Contains(o.Volatile, v) {
			fresh = append(fresh, v)
		}
	}
	book := session.Notebook{Path: path, Secrets: r.hidden}
	kept := path
	for _, v := range fresh {
		if kept, err = book.Learn(v); err != nil {
			return second, err
		}
	}
	said := "learned: both runs gave the same answers, no place differs by itself"
	if len(fresh) > 0 {
		said = fmt.Sprintf("learned and written to %s: %s", kept, volatileText(fresh))
	}
	if !r.line.flags.quiet {
		r.io.Err.WriteString(cleanLine(said) + "\n")
	}
	o.Volatile = append(o.Volatile, fresh...)
	second.Forgive(p.Script, o)
	return second, nil
}

// passOn writes what was learned down in the recording that takes the place of this one.
func (p *play) passOn(fresh string) error {
	book := session.Notebook{Path: fresh}
	for _, v := range p.sess.Volatile() {
		if _, err := book.Learn(v); err != nil {
			return err
		}
	}
	return nil
}
