package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/replay"
	"example.com/mcpinspect/session/script"
	"example.com/mcpinspect/ui/text"
)

// replaying is what the flags of replay say.
type replaying struct {
	run     int
	ignore  []string
	secrets []string
	update  bool
	learn   bool
	only    string
}

func (a *app) replayCommand() *cobra.Command {
	var p replaying
	c := &cobra.Command{Use: "replay FILE [FLAGS] TARGET", Short: "send the recorded messages of a client to a live server and compare the answers", Args: cobra.ArbitraryArgs,
		Long: `Opens a connection of its own in the recorded revision, then sends what the recorded client sent: each
message when every answer that had come before it has come again. Ids, progress tokens, cursors and
request states are put in as the live server gave them. Answers are compared by value; ids, times,
tokens and what --ignore names do not count. A difference is exit code 2.`,
		Example: "  mcpinspect replay elicitation -- mcpinspect mock elicitation\n  mcpinspect replay session.jsonl -- ./server\n  mcpinspect replay session.jsonl --ignore '/result/content/*/text' --json -- ./server\n  mcpinspect replay session.jsonl --dry-run\n  mcpinspect replay session.jsonl --only 'tool:add or method:prompts/*' -- ./server\n  mcpinspect replay session.jsonl --learn -- ./server",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			path, err := a.recordingFile("replay", args)
			if err != nil {
				return err
			}
			if (p.update || p.learn) && recordings.IsSample(path) {
				return usagef("%s is built in: --update and --learn write to a file", path).hinted("mcpinspect open %s, and there :save FILE, makes one", path)
			}
			return a.replay(c.Context(), path, p)
		}}
	a.verbFlags(c)
	a.lastFlag(c.Flags())
	s := c.Flags()
	s.IntVar(&p.run, "run", 0, "which run of the recording: 1 is the first; without it the last that did more than connect")
	s.StringArrayVar(&p.ignore, "ignore", nil, "do not compare what the JSON `POINTER` into an answer names; * stands for any step")
	s.StringArrayVar(&p.secrets, "secret", nil, "the value `NAME=VALUE` that was masked in the recording; -e does the same and sets it for the server")
	s.BoolVar(&a.line.flags.allowDestructive, "allow-destructive", false, "call tools that say destructiveHint: true, too")
	s.StringVar(&p.only, "only", "", "send only the messages that `EXPR` selects, as in tool:add or id:7, and what they need")
	s.BoolVar(&p.learn, "learn", false, "run twice, and write the places that differ by themselves into FILE: they are not compared from then on")
	s.BoolVar(&p.update, "update", false, "replace FILE by the recording of this run when answers differ")
	s.BoolVar(&a.line.flags.dryRun, "dry-run", false, "print what would be sent, send nothing")
	return c
}

func (a *app) replay(ctx context.Context, path string, p replaying) error {
	f := &a.line.flags
	if _, err := diff.Ignoring(p.ignore...); err != nil {
		return usagef("--ignore: %v", err).hinted("as in --ignore /result/structuredContent/time")
	}
	play, err := a.readPlay(path, p.run)
	if err != nil {
		return err
	}
	if len(play.Turns) == 0 {
		return usagef("%s: the client sent nothing in run %d", path, play.Run)
	}
	switch {
	case p.update && p.only != "":
		return usagef("--update would lose the messages that --only leaves out")
	case p.update && p.learn:
		return usagef("--update and --learn both write FILE: run one after the other")
	}
	if err := play.choose(a, p.only); err != nil {
		return err
	}
	turns := replay.Turns(play.Script)
	if !f.quiet {
		play.sayNeeds(a)
	}
	if f.dryRun {
		return a.dryReplay(play, turns)
	}
	if err := replay.Unmask(turns, p.secret(f)); err != nil {
		var masked *replay.MaskedError
		if errors.As(err, &masked) {
			return &failure{outcome: usage, text: err.Error(), err: err, hint: fmt.Sprintf("give it with -e %s=VALUE, or --secret %s=VALUE to keep it from the server's environment", masked.Name, masked.Name)}
		}
		return err
	}
	called := toolsOf(turns)
	if !f.allowDestructive {
		if bad := play.destructive(called); bad != "" {
			return refuseDestructive(bad)
		}
	}
	fresh := ""
	if p.update {
		if fresh, err = a.freshFile(path, play); err != nil {
			return err
		}
		defer os.Remove(fresh) // gone when it took the place of the old one
	}
	a.prepare = func(o *session.Options) {
		o.Asked = replay.Asked
		if o.Protocol == "" && play.Revision.Known() {
			o.Protocol = play.Revision
		}
		if offered := offeredIn(play.Script); offered != nil {
			o.Identity.Capabilities = offered
		}
	}
	var report *replay.Report
	err = a.headless(ctx, func(ctx context.Context, r *run) error {
		if r.hidden != nil {
			for _, word := range p.secrets {
				if name, value, ok := strings.Cut(word, "="); ok {
					r.hidden.Add(name, value)
				}
			}
		}
		r.announce(play, turns)
		if err := r.sess.Connect(ctx); err != nil {
			return err
		}
		if !f.allowDestructive {
			if err := r.refuseLive(ctx, play, called); err != nil {
				return err
			}
		}
		o := replay.Options{Ignore: p.ignore, Volatile: play.sess.Volatile(), Timeout: f.timeout, Secret: p.secret(f), Moved: r.voice.moved}
		r.sayVolatile(o.Volatile)
		found, err := replay.Run(ctx, r.sess, play.Script, o)
		if p.learn && err == nil {
			found, err = r.learn(ctx, path, play, o, found)
		}
		report = found
		r.report(found)
		if err == nil && !found.Clean() {
			err = &failure{outcome: findings, text: "the answers are not what was recorded: " + found.Sum()}
		}
		return err
	}, nil)
	if fresh != "" && report != nil && !report.Clean() && (err == nil || outcomeOf(err) == findings) {
		if err := play.passOn(fresh); err != nil {
			return fmt.Errorf("the recording cannot be updated: %w", err)
		}
		if rerr := os.Rename(fresh, path); rerr != nil {
			return fmt.Errorf("the recording cannot be updated: %w", rerr)
		}
		a.warn("%s was replaced by the recording of this run: %s", path, report.Sum())
		return nil
	}
	return err
}

// secret finds masked values: those of --secret, of -e, and of our environment.
func (p replaying) secret(f *flags) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, word := range slices.Concat(p.secrets, f.env) {
			if n, value, ok := strings.Cut(word, "="); n == name {
				if !ok {
					value = os.Getenv(n)
				}
				return value, true
			}
		}
		return os.LookupEnv(name)
	}
}

// freshFile is where the recording of --update is made: beside the one that it may replace.
func (a *app) freshFile(path string, play *play) (string, error) {
	f := &a.line.flags
	switch {
	case f.record != "":
		return "", usagef("--update records this run itself: --record %s has no place beside it", f.record)
	case play.Runs > 1:
		return "", usagef("--update would lose the other runs: %s holds %d", path, play.Runs)
	case len(play.sess.Log().Markings()) > 0:
		return "", usagef("--update would lose the marks and notes of %s", path).hinted("replay %s --record NEW makes a new file, without them", path)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", fmt.Errorf("the recording cannot be updated: %w", err)
	}
	tmp.Close()
	f.record, f.overwrite = tmp.Name(), true
	return tmp.Name(), nil
}

// offeredIn are the capabilities that the recorded client offered, raw: a server asks only for what
// was offered to it.
func offeredIn(s *script.Script) []byte {
	for _, t := range s.Turns {
		if t.Method == client.MethodInitialize {
			return t.Get("params", "capabilities")
		}
	}
	return s.Turns[0].Get("params", "_meta", client.MetaClientCapabilities)
}

// toolsOf are the tools that are called.
func toolsOf(turns []*script.Turn) (names []string) {
	for _, t := range turns {
		if t.Method == client.MethodToolsCall && !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// destructive is the first of the tools that says so in the recording.
func (p *play) destructive(names []string) string {
	list := p.sess.Snapshot().List(client.Tools.Name)
	for _, name := range names {
		if it, ok := list.Find(name); ok && it.Hints().Said {
			return name
		}
	}
	return ""
}

func refuseDestructive(name string) error {
	return usagef("the tool %s says that it is destructive; nothing was sent", name).hinted("to call it all the same: --allow-destructive")
}

// refuseLive asks the live server about tools that the recording does not list.
func (r *run) refuseLive(ctx context.Context, p *play, names []string) error {
	for _, name := range names {
		if _, listed := p.sess.Snapshot().List(client.Tools.Name).Find(name); listed {
			continue
		}
		it, ok, err := r.tool(ctx, name)
		var rpc *client.RPCError
		switch {
		case err != nil && !errors.As(err, &rpc):
			return err
		case ok && it.Hints().Said:
			return refuseDestructive(name)
		}
	}
	return nil
}

// announce says what will be sent, before anything is: "12 messages, 2 × tools/call wipe".
func (r *run) announce(p *play, turns []*script.Turn) {
	line := planOf(p, turns)
	switch {
	case !r.json:
		r.out.printf("%s\n", cleanLine(line))
		_ = r.out.flush() // what is wrong with stdout is told at the end
	case !r.line.flags.quiet:
		r.aside(cleanLine(line))
	}
}

func planOf(p *play, turns []*script.Turn) string {
	line := replay.Plan(turns)
	if p.left > 0 {
		_, titles, _ := strings.Cut(line, ",") // behind how many there are
		line = strings.TrimSuffix(fmt.Sprintf("%d of %s,%s", len(turns), text.Plural(len(turns)+p.left, "message"), titles), ",")
	}
	if p.Runs > 1 {
		line = fmt.Sprintf("run %d of %d: %s", p.Run, p.Runs, line)
	}
	return line
}

// dryReplay prints what would be sent.
func (a *app) dryReplay(p *play, turns []*script.Turn) error {
	o := newOutput(a.io.Out, a.line.flags.noColor, a.warn)
	if !a.json {
		o.printf("%s\n", cleanLine(planOf(p, turns)))
	} else {
		o.printf("[")
	}
	last := -1
	for _, t := range turns {
		if t.Seq == last {
			continue // of a batch
		}
		switch {
		case !a.json:
			o.raw(t.Line)
			o.printf("\n")
		case t.Message.Kind.IsMessage():
			if last >= 0 {
				o.printf(",")
			}
			o.raw(t.Line)
		default:
			if last >= 0 {
				o.printf(",")
			}
			o.raw(quoteText(string(t.Line)))
		}
		last = t.Seq
	}
	if a.json {
		o.printf("]\n")
	}
	return o.flush()
}
