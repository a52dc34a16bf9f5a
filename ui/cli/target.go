package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/words"
)

// verb is what was typed before the server, for a hint.
func (l *line) verb() string {
	if l.typed == "" {
		return "mcpinspect"
	}
	return l.typed
}

// target is the server that the command line names.
func (a *app) target() (session.Target, error) {
	l := &a.line
	named := 0
	for _, is := range []bool{l.dashed, l.url != "", l.flags.demo} {
		if is {
			named++
		}
	}
	switch {
	case named > 1:
		return session.Target{}, usagef("more than one server is named").hinted("give one of: -- COMMAND, an address, or --demo")
	case named == 0:
		return session.Target{}, usagef("no server is named").hinted("put its command behind --, as in: %s -- ./server; or try --demo", l.verb())
	case l.url != "":
		return a.address()
	case a.webFlags():
		return session.Target{}, usagef("-H, --bearer-env, --ca-file and --insecure are about a server at an address, and this one is started").hinted("variables of a started server: -e NAME=VALUE")
	case l.dashed && (len(l.command) == 0 || l.command[0] == ""):
		return session.Target{}, usagef("no command behind --").hinted("as in: %s -- ./server --its-flag", l.verb())
	}
	env, err := environment(l.flags.env)
	if err != nil {
		return session.Target{}, err
	}
	t := session.Target{Command: client.Command{Args: l.command, Dir: l.flags.cwd, Env: env, CleanEnv: l.flags.cleanEnv}}
	if l.flags.demo {
		self, err := os.Executable()
		if err != nil {
			return t, fmt.Errorf("the built-in server is this program, which cannot be found: %w", err)
		}
		t.Command.Args, t.Label = []string{self, demoVerb}, "--demo"
		return t, nil
	}
	t.Label = words.Shell(l.command)
	return t, nil
}

// webFlags reports whether a flag that is about HTTP was given.
func (a *app) webFlags() bool {
	f := &a.line.flags
	return len(f.header) > 0 || f.bearerEnv != "" || f.caFile != "" || f.insecure
}

// address is the server of a URL, with what goes with every request to it.
func (a *app) address() (session.Target, error) {
	f := &a.line.flags
	at := client.Address{URL: a.line.url, CAFile: f.caFile, Insecure: f.insecure}
	if client.IsSocket(at.URL) {
		if _, _, err := client.ParseSocket(at.URL); err != nil {
			return session.Target{}, err
		}
		if a.webFlags() {
			return session.Target{}, usagef("-H, --bearer-env, --ca-file and --insecure are about HTTP, and %s is a socket", at.URL)
		}
	} else if _, err := client.ParseURL(at.URL); err != nil {
		return session.Target{}, err
	}
	if len(f.env) > 0 || f.cwd != "" || f.cleanEnv {
		return session.Target{}, usagef("-e, --cwd and --clean-env are about a server that is started, and %s is not", at.URL).hinted("headers of a server at an address: -H 'Name: value'")
	}
	for _, word := range f.header {
		name, value, ok := strings.Cut(word, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !client.HeaderOK(name, value) {
			return session.Target{}, usagef("-H %q is no header", word).hinted("write -H 'Name: value'")
		}
		if !client.HeaderFree(name) {
			return session.Target{}, usagef("-H %s cannot be given: it follows from the message", name)
		}
		at.Header = append(at.Header, [2]string{name, value})
	}
	if f.bearerEnv != "" {
		token, ok := os.LookupEnv(f.bearerEnv)
		if !ok || token == "" {
			return session.Target{}, usagef("--bearer-env %s: there is no such variable", f.bearerEnv).hinted("it holds the token: export %s=...", f.bearerEnv)
		}
		if !client.HeaderOK("Authorization", token) {
			return session.Target{}, usagef("--bearer-env %s: its value cannot stand in a header", f.bearerEnv)
		}
		at.Bearer, at.BearerEnv = token, f.bearerEnv
	}
	return session.Target{Address: at, Label: at.URL}, nil
}

// unexpanded names the words of a command line that a shell would have expanded, and did not: behind
// quotes, or written by a program. They reach the server as they are.
func unexpanded(command []string) (out []string) {
	for _, word := range command {
		if word == "~" || strings.HasPrefix(word, "~/") {
			out = append(out, "the shell did not expand "+word+": the server gets it as it is")
		}
	}
	return out
}

// environment reads -e words: K=V, or K for the value that we have.
func environment(given []string) (env []string, err error) {
	for _, word := range given {
		name, _, set := strings.Cut(word, "=")
		switch {
		case name == "":
			return nil, usagef("-e %q names no variable", word).hinted("write -e NAME=VALUE, or -e NAME to pass ours on")
		case strings.ContainsRune(word, 0):
			return nil, usagef("-e %s: a variable cannot hold a zero byte", name)
		case set:
			env = append(env, word)
		default:
			v, ok := os.LookupEnv(name)
			if !ok {
				return nil, usagef("-e %s: there is no such variable to pass on", name).hinted("to set one: -e %s=VALUE", name)
			}
			env = append(env, name+"="+v)
		}
	}
	return env, nil
}

// options are those of a session of the command line; what only verbs or only the screen want is
// added by them.
func (a *app) options() (session.Options, error) {
	f := &a.line.flags
	o := session.Options{Probe: f.probe, Connect: f.connect, MaxLine: int(f.maxLine), Identity: identity(), Start: time.Now()}
	rev, ok := client.ParseProtocol(f.protocol)
	if !ok {
		return o, usagef("--protocol %s is no revision", f.protocol).hinted("one of: %s", client.ProtocolNames())
	}
	o.Protocol = rev
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"connect-timeout", f.connect}, {"probe-timeout", f.probe}} {
		if d.d <= 0 {
			return o, usagef("--%s must be longer than nothing", d.name)
		}
	}
	for _, d := range []time.Duration{f.timeout, f.maxTime, f.deadline} {
		if d < 0 {
			return o, usagef("a time limit cannot be negative: %v", d)
		}
	}
	for _, word := range f.meta {
		k, err := client.ParseMeta(word)
		if err != nil {
			return o, usagef("--meta: %v", err)
		}
		o.Meta = append(o.Meta, k)
	}
	if f.logLevel != "" {
		if err := client.ParseLogLevel(f.logLevel); err != nil {
			return o, usagef("--log-level: %v", err)
		}
	}
	o.LogLevel, o.Trace = f.logLevel, f.trace
	if f.overwrite && f.record == "" {
		return o, usagef("--overwrite is about --record FILE, which is not there")
	}
	// Without a place for it nothing is remembered: it costs a probe.
	if dir, err := recordings.StateDir(); err == nil {
		o.Memory = &session.Memory{Path: filepath.Join(dir, "eras.json")}
	}
	return o, nil
}

// record starts the recording that the command line asks for; keep also records when it does not,
// in the state directory.
func (a *app) record(t session.Target, o *session.Options, secrets *recordings.Secrets, keep bool) (*session.Recording, error) {
	f := &a.line.flags
	var w *recordings.Writer
	var err error
	switch {
	case f.record != "":
		w, err = recordings.Create(f.record, f.overwrite)
	case keep:
		w, err = recordings.CreateKept(time.Now(), secrets.Replace(t.Label))
	default:
		return nil, nil
	}
	if err != nil {
		var taken *recordings.ExistsError
		var busy *recordings.BusyError
		var other *recordings.NotFileError
		if errors.As(err, &taken) || errors.As(err, &busy) {
			return nil, err
		}
		if errors.As(err, &other) {
			return nil, usagef("--record %s", err)
		}
		return nil, &failure{outcome: usage, text: err.Error(), err: err}
	}
	r := session.NewRecording(w, t, *o, tool, o.Start, secrets)
	o.Recorder = r
	return r, nil
}

// hide takes in the texts of what is sent whose names call them secret. What is no JSON has no names.
func hide(s *recordings.Secrets, raw []byte) {
	if s == nil {
		return
	}
	if v, err := schema.Parse(bytes.TrimSpace(raw)); err == nil {
		schema.NamedSecrets(v, recordings.NamesSecret, func(name, value string) { s.Add(name, value) })
	}
}

// secrets are what the recording must not show; nil with --raw-secrets.
func (a *app) secrets() *recordings.Secrets {
	if a.line.flags.rawSecrets {
		return nil
	}
	s := a.given()
	s.AddEnviron(os.Environ())
	return s
}

// given are the secrets of the command line alone: what stderr must not show, which ends in the logs of
// others. A path that some variable holds may be named there. nil with --raw-secrets.
func (a *app) given() *recordings.Secrets {
	if a.line.flags.rawSecrets {
		return nil
	}
	s := &recordings.Secrets{}
	for _, word := range a.line.flags.env {
		if name, value, ok := strings.Cut(word, "="); ok {
			s.Add(name, value)
		} else {
			s.Add(name, os.Getenv(name))
		}
	}
	for _, word := range a.line.flags.header {
		if name, value, ok := strings.Cut(word, ":"); ok {
			s.AddHeader(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	if name := a.line.flags.bearerEnv; name != "" {
		s.Add(name, os.Getenv(name))
	}
	for _, word := range a.line.flags.meta {
		if key, value, ok := strings.Cut(word, "="); ok && recordings.NamesSecret(key) {
			if text, ok := client.Text([]byte(value)); ok {
				s.Add(key, text)
			}
		} else if ok {
			hide(s, []byte(value))
		}
	}
	s.AddURL(a.line.url)
	return s
}
