package cli

import (
	"context"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/words"
)

// opening is what the flags of open say.
type opening struct {
	follow  bool
	samples bool
}

func (a *app) openCommand() *cobra.Command {
	var o opening
	c := &cobra.Command{Use: "open [FLAGS] FILE|--last [-- COMMAND...]", Short: "open the inspector on a recording; nothing is started until asked", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect open --samples\n  mcpinspect open session.jsonl\n  mcpinspect open --last --follow\n  mcpinspect open crash\n  mcpinspect open session.jsonl -- ./server",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if o.samples && len(args) == 0 {
				return a.listSamples()
			}
			return a.open(c.Context(), args, o)
		}}
	a.screenFlags(c)
	a.lastFlag(c.Flags())
	c.Flags().BoolVar(&o.follow, "follow", false, "go on while another process writes the file")
	c.Flags().BoolVar(&o.samples, "samples", false, "list the recordings that are built in, or open the one named")
	return c
}

// opened is a recording that the screen is shown on.
type opened struct {
	file   string // as the person named it
	sample bool   // it is built in
	follow bool   // another process writes it
	reader *recordings.Reader
}

// notebook takes what the person puts on its rows; a sample has none, since there is no file.
func (o *opened) notebook(secrets *recordings.Secrets) *session.Notebook {
	if o.sample {
		return nil
	}
	return &session.Notebook{Path: o.file, Secrets: secrets}
}

// reopen reads it from its beginning once more, as it is now.
func (o *opened) reopen() (*recordings.Reader, error) {
	if o.sample {
		return recordings.OpenSample(o.file)
	}
	return recordings.Open(o.file)
}

// again makes the session anew, for a clock that goes back.
func (o *opened) again(t session.Target, so session.Options) func() (*session.Session, func(context.Context) error, error) {
	return func() (*session.Session, func(context.Context) error, error) {
		ctx, stop := context.WithCancel(context.Background())
		read := o.reopen
		if o.follow {
			read = func() (*recordings.Reader, error) { return recordings.Follow(ctx, o.file, recordings.FollowInterval) }
		}
		r, err := read()
		if err != nil {
			stop()
			return nil, nil, err
		}
		so.Observers = []session.Observer{check.New()}
		s := session.Recorded(r.Head(), t, so)
		return s, func(load context.Context) error {
			defer stop()
			defer context.AfterFunc(load, stop)()
			defer r.Close()
			return s.Load(load, r)
		}, nil
	}
}

// open shows a recording. With a server on the command line R starts it into the same log.
func (a *app) open(ctx context.Context, args []string, o opening) error {
	l := &a.line
	serving := l.dashed || l.url != "" || l.flags.demo
	if serving && o.follow {
		return usagef("a server cannot be started into a recording that another process writes").hinted("leave --follow out")
	}
	t := session.Target{}
	given, err := a.screenArgs()
	if err != nil {
		return err
	}
	show := Screen{Args: given}
	if serving {
		if t, err = a.target(); err != nil {
			return err
		}
		if show.Watch, err = a.watched(); err != nil {
			return err
		}
	}
	path, err := a.recordingFile("open", args)
	if err != nil {
		return err
	}
	o.samples = o.samples || recordings.IsSample(path)
	dark := a.needTerminal("mcpinspect log " + words.Shell([]string{path}))
	if dark != nil && o.follow { // whose first line may take for ever
		return dark
	}
	r, err := a.openNamed(ctx, path, o)
	if err != nil {
		return err
	}
	defer r.Close()
	if dark != nil {
		return dark
	}
	t.File = path
	if t.Label == "" {
		t.Label = words.Shell(r.Head().Target.Command)
	}
	return a.inspect(ctx, t, show, &opened{path, o.samples, o.follow, r})
}

// openNamed opens what a word names: a file, or a sample.
func (a *app) openNamed(ctx context.Context, name string, o opening) (*recordings.Reader, error) {
	switch {
	case o.samples:
		return a.openSample(name)
	case o.follow:
		return recordings.Follow(ctx, name, recordings.FollowInterval)
	}
	return a.openRecording(name)
}

// listSamples prints the recordings that are built in, with what they show.
func (a *app) listSamples() error {
	out := newOutput(a.io.Out, a.line.flags.noColor, a.warn)
	for _, name := range recordings.SampleNames() {
		out.printf("%-14s %s\n", name, recordings.SampleTitle(name))
	}
	return out.flush()
}
