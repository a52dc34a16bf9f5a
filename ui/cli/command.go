package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/mcpinspect/ui/words"
)

const forms = `mcpinspect [FLAGS] -- COMMAND [ARG...]     open the inspector on a server it starts
    mcpinspect -- npx -y @modelcontextprotocol/server-everything
mcpinspect [FLAGS] URL                     open the inspector on a server over HTTP, or on a socket
    mcpinspect http://localhost:8080/mcp
mcpinspect [FLAGS] --demo                  open the inspector on the server that is built in
    mcpinspect --demo
mcpinspect VERB [...] [FLAGS] TARGET       do one thing without a screen and exit; TARGET is -- COMMAND, a URL, or --demo
    mcpinspect call add a=2 b=3 -- ./server
`

const about = `mcpinspect shows what an MCP server says, byte by byte, and lets you call its tools by hand.

` + forms + `
Everything behind -- reaches the server as it was typed. Results go to stdout, everything else to
stderr. Exit codes: 0 it worked, 1 usage, 2 findings, 3 the server wants another authorization,
4 it could not be reached or died, 5 the tool reported an error, 6 a schema was violated, 7 the
server answered with an error, 70 a fault of mcpinspect, 130 interrupted. Each flag can be set as MCPINSPECT_NAME, too.`

// line is a command line.
type line struct {
	flags   flags
	last    []int // where --last stood: behind how many other words
	dashed  bool  // there was a --
	command []string
	url     string
	typed   string // the verb with its words, as they are typed again in a hint; empty for none
}

// execute runs a command line. What stands behind the first -- is the server's and is seen by
// nobody here; only what stands before it is parsed.
func (a *app) execute(ctx context.Context, args []string) error {
	for i, word := range args {
		if word == "--" {
			a.line.dashed, a.line.command = true, args[i+1:]
			args = args[:i]
			break
		}
	}
	for _, word := range args { // before parsing, since parsing can fail
		if word == "--json" || word == "--json=true" {
			a.json = true
		}
	}
	root := a.root(a.needed(args))
	if asksWords(args) {
		if a.line.dashed {
			_, err := io.WriteString(a.io.Out, defaultWords)
			return cannotWrite(err)
		}
		propose(root)
	}
	root.SetArgs(verbFirst(root, args))
	root.SetIn(a.io.In)
	out := &checked{w: a.io.Out}
	root.SetOut(out)
	root.SetErr(a.io.Err)
	c, err := root.ExecuteContextC(ctx)
	if err != nil && !errors.Is(err, out.err) {
		var own *failure
		if errors.As(err, &own) && own.outcome == usage && own.hint == "" && own.err == nil {
			own.hint = "see " + c.CommandPath() + " --help"
		}
		return err
	}
	return cannotWrite(out.err)
}

// verbs make the commands, in the order of the help, each by its name.
func (a *app) verbs() []namedVerb {
	return []namedVerb{{"discover", a.discoverCommand}, {"list", a.listCommand}, {"describe", a.describeCommand}, {"call", a.callCommand},
		{"read", a.readCommand}, {"prompt", a.promptCommand}, {"complete", a.completeCommand}, {"listen", a.listenCommand}, {"tasks", a.tasksCommand}, {"send", a.sendCommand},
		{"check", a.checkCommand}, {"tap", a.tapCommand}, {"mock", a.mockCommand}, {"replay", a.replayCommand}, {"run", a.runCommand},
		{"sessions", a.sessionsCommand}, {"log", a.logCommand}, {"open", a.openCommand}, {"export", a.exportCommand}, {"diff", a.diffCommand}, {"completion", a.completionCommand}, {demoVerb, a.demoCommand}}
}

// namedVerb makes a command.
type namedVerb struct {
	name string
	make func() *cobra.Command
}

// needed are the verbs that a command line can be about: one that begins with its verb is about no other,
// and one that has nothing before its -- about none. Making them all with their flags takes as long as
// many a server takes to start.
func (a *app) needed(args []string) []namedVerb {
	if len(args) == 0 && a.line.dashed {
		return nil
	}
	all := a.verbs()
	for i, v := range all {
		if len(args) > 0 && v.name == args[0] {
			return all[i : i+1]
		}
	}
	return all
}

// root is the command of the program, with the verbs given.
func (a *app) root(verbs []namedVerb) *cobra.Command {
	root := &cobra.Command{
		Use: "mcpinspect", Short: "an inspector for MCP servers", Long: about,
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true, DisableAutoGenTag: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if a.line.flags.version {
				_, err := io.WriteString(c.OutOrStdout(), versionText())
				return err
			}
			return a.screen(c, args)
		},
	}
	// Not by cobra's template: with one, the linker must keep each method that a template could name.
	root.Flags().BoolVarP(&a.line.flags.version, "version", "v", false, "version for mcpinspect")
	root.SetFlagErrorFunc(flagError)
	a.screenFlags(root)
	defer func() {
		for _, c := range root.Commands() {
			c.DisableFlagsInUseLine = true // it stands where it belongs already
		}
	}()
	root.SetHelpCommand(a.helpCommand(root))
	for _, v := range verbs {
		root.AddCommand(v.make())
	}
	return root
}

// verbFirst moves the verb before the flags, so that each flag is parsed by the verb it is meant
// for. A word that is no verb and no flag's value ends the search: it is reported as what it is.
func verbFirst(root *cobra.Command, args []string) []string {
	takes := map[string]bool{} // whether a flag takes the next word as its value
	learn := func(f *pflag.Flag) {
		takes["--"+f.Name] = f.NoOptDefVal == ""
		if f.Shorthand != "" {
			takes["-"+f.Shorthand] = f.NoOptDefVal == ""
		}
	}
	root.Flags().VisitAll(learn)
	for _, c := range root.Commands() {
		c.Flags().VisitAll(learn)
	}
	for i := 0; i < len(args); i++ {
		word := args[i]
		if len(word) > 1 && word[0] == '-' {
			if takes[word] {
				i++
			}
			continue
		}
		if word == "help" || verb(root, word) {
			return append(append([]string{word}, args[:i]...), args[i+1:]...)
		}
		break
	}
	return args
}

func verb(root *cobra.Command, word string) bool {
	for _, c := range root.Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return true
		}
	}
	return false
}

// begin settles what every command needs before it works: the flags that the environment sets, and
// the target. It returns the arguments without the target.
func (a *app) begin(c *cobra.Command, args []string) ([]string, error) {
	if err := fromEnviron(c.Flags()); err != nil {
		return nil, err
	}
	a.json = a.line.flags.json
	if c.HasParent() {
		a.line.typed = strings.TrimSpace(c.CommandPath() + " " + words.Shell(args))
	}
	named := a.line.dashed || a.line.flags.demo
	subject := named && len(args) == 1 && slices.Contains([]string{"read", "call", "prompt"}, c.Name()) // https:// names a resource, too
	if n := len(args); n > 0 && isURL(args[n-1]) && !subject {
		a.line.url = args[n-1]
		args = args[:n-1]
	}
	if a.line.url == "" && !named {
		return args, misplaced(c, args)
	}
	return args, nil
}

// misplaced finds what was meant as the address of the server, where none is named: a URL that other
// words follow, or a host and port without a scheme.
func misplaced(c *cobra.Command, args []string) error {
	for i, word := range args {
		if isURL(word) && (i > 0 || c.Name() != "read") {
			moved := append(slices.Concat(args[:i], args[i+1:]), word)
			return usagef("the address %s has to be the last word", word).hinted("as in: %s %s", c.CommandPath(), words.Shell(moved))
		}
	}
	if len(args) == 0 {
		return nil
	}
	last := args[len(args)-1]
	authority, _, _ := strings.Cut(last, "/")
	host, port, err := net.SplitHostPort(authority)
	if err != nil || host == "" || strings.Contains(host, "=") {
		return nil
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil
	}
	return usagef("%q is no address: http:// or tcp: is missing", last).hinted("as in: %s %s", c.CommandPath(), words.Shell(append(args[:len(args)-1:len(args)-1], "http://"+last)))
}

func isURL(word string) bool {
	for _, scheme := range []string{"http://", "https://", "unix:/", "tcp:"} {
		if strings.HasPrefix(word, scheme) {
			return true
		}
	}
	return false
}

// noVerb is what is said of a word where a verb belongs.
func (a *app) noVerb(root *cobra.Command, word string) error {
	if a.line.flags.watch == watchProgram && strings.ContainsAny(word, "*?[./") {
		return usagef("no verb %q; the pattern of --watch stands behind a =", word).hinted("as in --watch=%s", words.Shell([]string{word}))
	}
	f := usagef("no verb %q; to start it: mcpinspect -- %s", word, words.Shell([]string{word}))
	if near := words.DidYouMean(word, verbNames(root)); near != "" && !fileExists(word) {
		f.text = fmt.Sprintf("no verb %q; %s To start it: mcpinspect -- %s", word, near, words.Shell([]string{word}))
	}
	return f
}

// helpCommand is help [VERB].
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{Use: "help [VERB]", Short: "say what a verb does and takes", Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := atMost(1, args, "help takes one verb"); err != nil {
				return err
			}
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] || c.HasAlias(args[0]) {
					c.InitDefaultHelpFlag() // it is shown, too
					return c.Help()
				}
			}
			f := usagef("no verb %q", args[0]).hinted("mcpinspect --help lists them")
			if near := words.DidYouMean(args[0], verbNames(root)); near != "" {
				f.hint = near
			}
			return f
		}}
}

func verbNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// atMost refuses further arguments.
func atMost(n int, args []string, what string) error {
	if len(args) > n {
		return usagef("%q is one word too many: %s", args[n], what)
	}
	return nil
}
