package cli

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/words"
)

// flags are what the command line said, of whatever verb.
type flags struct {
	version    bool
	demo       bool
	protocol   string
	env        []string
	cwd        string
	cleanEnv   bool
	header     []string
	bearerEnv  string
	caFile     string
	insecure   bool
	answer     string
	roots      []string
	without    string
	connect    time.Duration
	probe      time.Duration
	timeout    time.Duration
	maxTime    time.Duration
	deadline   time.Duration
	meta       []string
	logLevel   string
	trace      bool
	record     string
	overwrite  bool
	rawSecrets bool
	debug      string
	maxLine    size
	noColor    bool
	json       bool
	quiet      bool
	strict     bool
	unchecked  bool
	dryRun     bool

	// call --repeat
	repeat           int
	parallel         int
	task             bool // make a task of the call
	allowDestructive bool

	// the screen
	noKeep bool
	tool   string
	args   string
	theme  string
	ascii  bool
	watch  string
	build  string
}

// startFlags are those of everything that starts a server and may record it.
func (a *app) startFlags(c *cobra.Command) {
	f, s := &a.line.flags, c.Flags()
	s.BoolVar(&f.demo, "demo", false, "inspect the server that is built in")
	s.StringArrayVarP(&f.env, "env", "e", nil, "set `K=V` for the server; K alone passes ours on")
	s.StringVar(&f.cwd, "cwd", "", "working directory of the server")
	s.BoolVar(&f.cleanEnv, "clean-env", false, "give the server only what a login needs, and -e")
	s.StringVar(&f.record, "record", "", "record the session in `FILE`")
	s.BoolVar(&f.overwrite, "overwrite", false, "let --record replace an existing file")
	s.BoolVar(&f.rawSecrets, "raw-secrets", false, "do not mask secrets in the recording")
	s.StringVar(&f.debug, "debug", "", "write what mcpinspect decides and does to `FILE`")
	f.maxLine = client.DefaultMaxLine
	s.Var(&f.maxLine, "max-line", "longest line that is kept")
	s.BoolVar(&f.noColor, "no-color", false, "no colours; NO_COLOR says the same")
}

// connectFlags are those of everything that connects to a server.
func (a *app) connectFlags(c *cobra.Command) {
	a.startFlags(c)
	f, s := &a.line.flags, c.Flags()
	s.StringArrayVarP(&f.header, "header", "H", nil, "send `'Name: value'` with every HTTP request")
	s.StringVar(&f.bearerEnv, "bearer-env", "", "send the token that the variable `NAME` holds")
	s.StringVar(&f.caFile, "ca-file", "", "trust the certificates in `FILE`, too")
	s.BoolVar(&f.insecure, "insecure", false, "do not check the server's certificate")
	s.StringVar(&f.protocol, "protocol", "auto", "revision to speak: "+client.ProtocolNames())
	s.DurationVar(&f.connect, "connect-timeout", client.DefaultConnectTimeout, "from the start to an agreed revision")
	s.DurationVar(&f.probe, "probe-timeout", client.DefaultProbeTimeout, "how long server/discover may stay unanswered before initialize follows")
	s.StringVar(&f.logLevel, "log-level", "", "ask the server for log messages of `LEVEL` and above: "+strings.Join(client.LogLevels(), ", "))
	s.BoolVar(&f.trace, "trace", false, "send a traceparent with every request, and say whether it came back")
	s.StringArrayVar(&f.roots, "root", nil, "offer the directory `DIR` as a root")
	s.StringVar(&f.without, "without", "", "do not offer `elicitation,sampling,roots`, some of them, or parts (elicitation.form, elicitation.url, sampling.tools, roots.listChanged), to see what the server does")
	s.StringArrayVar(&f.meta, "meta", nil, "set `KEY=JSON` in _meta of every request; KEY- leaves the key out")
}

// verbFlags are those of everything that works without a screen.
func (a *app) verbFlags(c *cobra.Command) {
	a.connectFlags(c)
	f, s := &a.line.flags, c.Flags()
	s.DurationVar(&f.timeout, "timeout", client.DefaultTimeout, "of each request; progress restarts it; 0 for none")
	s.DurationVar(&f.maxTime, "max-time", client.DefaultMaxTime, "of each request, whatever progress it makes; 0 for none")
	s.DurationVar(&f.deadline, "deadline", 0, "of the whole run; 0 for none")
	s.BoolVar(&f.json, "json", false, "print one JSON document; failures are one line of JSON")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "do not pass the server's stderr through")
	s.StringVar(&f.answer, "answer", "", "say `accept|decline|cancel|@FILE` when the server asks; without it nothing is offered")
	s.BoolVar(&f.strict, "strict", false, "exit with 2 when the run has a finding of severity error")
}

// printFlags are those of everything that prints without a server.
func (a *app) printFlags(s *pflag.FlagSet) {
	f := &a.line.flags
	s.BoolVar(&f.json, "json", false, "print JSON; failures are one line of JSON")
	s.BoolVar(&f.noColor, "no-color", false, "no colours; NO_COLOR says the same")
}

// screenFlags are those of the screen.
func (a *app) screenFlags(c *cobra.Command) {
	a.connectFlags(c)
	f, s := &a.line.flags, c.Flags()
	s.DurationVar(&f.timeout, "timeout", client.DefaultTimeout, "when the screen says that hosts may have given a call up")
	s.BoolVar(&f.noKeep, "no-keep", false, "delete the recording of this session at its end")
	s.StringVar(&f.tool, "tool", "", "open the form of this tool")
	s.StringVar(&f.args, "args", "", "fill the form of --tool with this `JSON` object")
	s.StringVar(&f.theme, "theme", "", "colours: ansi, dark, light or none")
	s.StringVar(&f.watch, "watch", "", "start the server again when its program, or a file that matches `GLOB`, changes, and send the last call again (--watch='**/*.go,go.mod')")
	s.Lookup("watch").NoOptDefVal = watchProgram
	s.StringVar(&f.build, "build", "", "run `CMD` by the shell before, as in --watch='**/*.go' --build 'go build -o srv .'")
	s.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
}

// watchProgram is --watch without a pattern: the server's program is watched.
const watchProgram = "program"

// environPrefix is how the variables begin that set flags: MCPINSPECT_PROBE_TIMEOUT=1s.
const environPrefix = "MCPINSPECT_"

// fromEnviron sets the flags that the command line left alone and the environment names.
func fromEnviron(set *pflag.FlagSet) (err error) {
	set.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Changed || err != nil:
			return
		case f.Name == "help" || f.Name == "version" || f.Name == "demo" || f.Name == "last": // what to do, not how
			return
		}
		name := environPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		v, ok := os.LookupEnv(name)
		if !ok || v == "" {
			return
		}
		if e := set.Set(f.Name, v); e != nil {
			err = wrongValue("the variable "+name, f, v, errors.Unwrap(e))
		}
	})
	return err
}

// size is a number of bytes as a flag: 1048576, 64MiB, 10MB.
type size int

func (s *size) Type() string { return "SIZE" }

func (s *size) String() string { return words.Size(int(*s)) }

func (s *size) Set(word string) error {
	n, err := words.ParseSize(word)
	if err == nil {
		*s = size(n)
	}
	return err
}
