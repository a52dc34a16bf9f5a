package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/compare"
	"example.com/mcpinspect/ui/text"
)

// again repeats the check with a server that is started anew each time, and puts into the log what is
// not the same as the first time.
func (r *run) again(ctx context.Context, k *checking, first offer) error {
	for n := 2; n <= k.repeat; n++ {
		if err := r.sess.Restart(ctx); err != nil {
			return fmt.Errorf("in run %d of %d: %w", n, k.repeat, err)
		}
		now, err := r.checkRun(ctx, k)
		if err != nil {
			return fmt.Errorf("in run %d of %d: %w", n, k.repeat, err)
		}
		r.foundChanges(fmt.Sprintf("in run %d, not as in run 1: ", n), compare.Vary(first.side, now.side, first.said, now.said))
	}
	return nil
}

// spokenRevision is one round of --protocol all.
type spokenRevision struct {
	revision client.Revision
	run      int
	refused  string // why it is not spoken; empty when it is
	claimed  bool
	changes  []definition.Change // against the first
}

// claims are the revisions that a server says it speaks, without the one that is spoken already. A
// server of the handshake does not say: the others are tried.
func claims(o offer) (list []client.Revision, claimed bool) {
	var said []string
	for raw := range client.Elements(client.Get(o.said.Server, "supportedVersions")) {
		if t, ok := client.Text(raw); ok {
			said = append(said, t)
		}
	}
	for _, rev := range client.Revisions {
		switch {
		case rev == o.revision:
		case said != nil && slices.Contains(said, string(rev)), said == nil && !rev.Modern():
			list = append(list, rev)
		}
	}
	return list, said != nil
}

// everyRevision repeats the check on every revision that the server speaks.
func (r *run) everyRevision(ctx context.Context, k *checking, first offer) error {
	list, claimed := claims(first)
	k.spoken = append(k.spoken, spokenRevision{revision: first.revision, run: first.run, claimed: true})
	for _, rev := range list {
		s := spokenRevision{revision: rev, claimed: claimed}
		r.sess.Pin(rev)
		if err := r.sess.Restart(ctx); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			s.run, s.refused = r.sess.Snapshot().Run, told(err)
			if claimed {
				r.sess.Found("revision-not-served", string(rev), "server/discover names %s, and it cannot be spoken: %s", rev, told(err))
			}
			k.spoken = append(k.spoken, s)
			continue
		}
		now, err := r.checkRun(ctx, k)
		if err != nil {
			return fmt.Errorf("in revision %s: %w", rev, err)
		}
		s.run, s.changes = now.run, compare.Compare(first.side, now.side).Interface
		var differs []definition.Change
		for _, c := range s.changes {
			if c.Path == "" || strings.HasPrefix(c.Rule, "input-") { // a title or an outputSchema has to differ
				c.Rule = "revision-differs"
				differs = append(differs, c)
			}
		}
		r.foundChanges(fmt.Sprintf("in %s, not as in %s: ", rev, first.revision), differs)
		k.spoken = append(k.spoken, s)
	}
	return nil
}

// revisionsOf are the revisions in which something was found.
func (k *checking) revisionsOf(f *check.Finding) (out []string) {
	for _, s := range k.spoken {
		if slices.Contains(f.Runs, s.run) {
			out = append(out, string(s.revision))
		}
	}
	return out
}

// printSpoken prints what came of --protocol all: each revision, and what it offers differently.
func (r *run) printSpoken(k *checking) {
	const most = 20 // differences of one revision: what lies beyond is of the same kind
	for i, s := range k.spoken {
		o := r.out
		switch {
		case s.refused != "":
			o.printf("revision %s  not spoken: %s\n", s.revision, cleanLine(s.refused))
			continue
		case i == 0:
			o.printf("revision %s  spoken first\n", s.revision)
			continue
		case len(s.changes) == 0:
			o.printf("revision %s  offers the same as %s\n", s.revision, k.spoken[0].revision)
			continue
		}
		o.printf("revision %s  %s to %s\n", s.revision, text.Plural(len(s.changes), "difference"), k.spoken[0].revision)
		younger, rest := compare.Younger(s.changes, s.revision)
		for _, member := range slices.Sorted(maps.Keys(younger)) {
			o.printf("  %s without %s, which %s does not have\n", text.Plural(younger[member], "entry"), member, s.revision)
		}
		for n := range rest {
			if n == most {
				o.printf("  and %d more\n", len(rest)-most)
				break
			}
			o.printf("  %s\n", changeLine(rest[n]))
		}
	}
}

// revisionDoc is one revision of --protocol all, as JSON.
type revisionDoc struct {
	Revision    string          `json:"revision"`
	Spoken      bool            `json:"spoken"`
	Claimed     bool            `json:"claimed"`
	Why         string          `json:"why,omitempty"` // it is not spoken
	Rules       []string        `json:"rules"`         // that found something in it
	Differences []differenceDoc `json:"differences"`   // to the first
}

type differenceDoc struct {
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (k *checking) revisionDocs(found []check.Finding) (docs []revisionDoc) {
	for _, s := range k.spoken {
		d := revisionDoc{Revision: string(s.revision), Spoken: s.refused == "", Claimed: s.claimed, Why: s.refused, Rules: []string{}, Differences: []differenceDoc{}}
		for i := range found {
			if slices.Contains(found[i].Runs, s.run) && !slices.Contains(d.Rules, found[i].Rule) {
				d.Rules = append(d.Rules, found[i].Rule)
			}
		}
		for n := range s.changes {
			c := &s.changes[n]
			d.Differences = append(d.Differences, differenceDoc{c.Rule, c.Subject, c.Path, c.Sentence()})
		}
		docs = append(docs, d)
	}
	return docs
}
