package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

func (a *app) sessionsCommand() *cobra.Command {
	wipe := false
	c := &cobra.Command{Use: "sessions [--clear]", Short: "list the kept recordings, newest first", Args: cobra.ArbitraryArgs,
		Example: "  mcpinspect sessions\n  mcpinspect open --last\n  mcpinspect sessions --clear",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := a.begin(c, args)
			if err != nil {
				return err
			}
			if err := atMost(0, args, "sessions takes no words"); err != nil {
				return err
			}
			if a.line.dashed {
				return usagef("sessions takes no server")
			}
			out := newOutput(a.io.Out, a.line.flags.noColor, a.warn)
			if wipe {
				return a.clearSessions(out)
			}
			return a.listSessions(out)
		}}
	a.printFlags(c.Flags())
	c.Flags().BoolVar(&wipe, "clear", false, "delete them, except those that are being recorded, and the arguments that are kept of every server")
	return c
}

// keptJSON is a kept recording in JSON.
type keptJSON struct {
	Path    string    `json:"path"`
	Start   time.Time `json:"start"`
	Command []string  `json:"command"`
	Size    int64     `json:"size"`
	Live    bool      `json:"live"` // it is being recorded
	Exit    *exitJSON `json:"exit"` // null when the end of the server is not in it
}

type exitJSON struct {
	Code   *int    `json:"code"`
	Signal *string `json:"signal"`
	Asked  string  `json:"asked"`
}

func (a *app) listSessions(out *output) error {
	all, err := recordings.List()
	if err != nil {
		return err
	}
	list := make([]keptJSON, 0, len(all))
	for _, k := range all {
		if k.Size == 0 {
			continue // begun a moment ago
		}
		j := keptJSON{Path: k.Path, Start: k.Start, Size: k.Size, Live: k.Live(), Command: []string{}}
		g, err := recordings.Look(k.Path)
		if err != nil {
			a.warn("%v", err)
		}
		if g.Head.Target.Command != nil {
			j.Command = g.Head.Target.Command
		}
		if x := g.Exit; x != nil {
			j.Exit = &exitJSON{Code: x.Code, Asked: x.Asked}
			if x.Signal != "" {
				j.Exit.Signal = &x.Signal
			}
		}
		list = append(list, j)
	}
	if a.json {
		return out.document(map[string]any{"sessions": list})
	}
	if len(list) == 0 {
		a.io.Err.WriteString("no session is kept yet: the screen keeps its sessions, verbs record with --record FILE\n")
	}
	for _, j := range list {
		out.printf("%s  %9s  %-14s  %s  %s\n", j.Start.Local().Format(time.DateTime), text.Size(j.Size), j.end(), cleanLine(j.Path), cleanLine(words.Shell(j.Command)))
	}
	return out.flush()
}

// end says in a word or two how a session ended.
func (j *keptJSON) end() string {
	switch {
	case j.Live:
		return "being recorded"
	case j.Exit == nil:
		return "end unknown"
	case j.Exit.Signal != nil:
		return cleanLine(*j.Exit.Signal)
	case j.Exit.Code != nil:
		return "exit " + strconv.Itoa(*j.Exit.Code)
	}
	return "ended"
}

func (a *app) clearSessions(out *output) error {
	gone, err := recordings.Prune(0, 0)
	if err != nil {
		return fmt.Errorf("not every session could be deleted: %w", err)
	}
	forgot, err := history.ClearAll()
	if err != nil {
		return err
	}
	left, err := recordings.List()
	if err != nil {
		return err
	}
	if a.json {
		return out.document(map[string]int{"deleted": gone, "left": len(left), "histories": forgot})
	}
	out.printf("%s deleted\n", text.Plural(gone, "session"))
	if forgot > 0 {
		out.printf("the arguments kept of %s are forgotten\n", text.Plural(forgot, "server"))
	}
	if n := len(left); n > 0 {
		out.printf("%s left: being recorded\n", text.Plural(n, "session"))
	}
	return out.flush()
}
