package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// latest is the flag --last, which stands where a FILE stands: it notes behind how many other words
// it stood.
type latest struct {
	set *pflag.FlagSet // of its verb
	at  *[]int
}

func (l *latest) Type() string   { return "" }
func (l *latest) String() string { return "" }

func (l *latest) Set(word string) error {
	on, err := strconv.ParseBool(word)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", word)
	}
	if on {
		*l.at = append(*l.at, l.set.NArg())
	}
	return nil
}

// lastFlag adds --last to the flags of a verb that takes files.
func (a *app) lastFlag(s *pflag.FlagSet) {
	s.Var(&latest{s, &a.line.last}, "last", "stands for a FILE: the newest kept session")
	s.Lookup("last").NoOptDefVal = "true"
}

// files puts the newest kept session where --last stood among the words.
func (a *app) files(args []string) ([]string, error) {
	if len(a.line.last) == 0 {
		return args, nil
	}
	k, err := recordings.Last()
	switch {
	case errors.Is(err, recordings.ErrNoneKept):
		return nil, usagef("%v", err).hinted("the screen keeps its sessions, unless --no-keep: mcpinspect -- ./server")
	case err != nil:
		return nil, err
	}
	for i, at := range a.line.last {
		args = slices.Insert(slices.Clone(args), min(at+i, len(args)), k.Path)
	}
	return args, nil
}

// recordingFile is the one FILE that a verb takes.
func (a *app) recordingFile(verb string, args []string) (string, error) {
	args, err := a.files(args)
	if err != nil {
		return "", err
	}
	if err := atMost(1, args, verb+" takes one FILE"); err != nil {
		return "", err
	}
	if len(args) == 0 {
		return "", usagef("%s needs a recording", verb).hinted("mcpinspect %s FILE, or mcpinspect %s --last; mcpinspect sessions lists what is kept", verb, verb)
	}
	return args[0], nil
}

// openSample opens a recording that is built in.
func (a *app) openSample(name string) (*recordings.Reader, error) {
	r, err := recordings.OpenSample(name)
	if errors.Is(err, fs.ErrNotExist) {
		bad := usagef("there is no sample %q", name).hinted("mcpinspect open --samples lists them")
		if near := words.Near(name, recordings.SampleNames()); len(near) > 0 {
			bad.hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
		return nil, bad
	}
	return r, err
}

// openRecording opens a FILE; the error says what to do about one that is none.
func (a *app) openRecording(path string) (*recordings.Reader, error) {
	r, err := recordings.Open(path)
	var not *recordings.NotRecordingError
	switch {
	case err == nil:
		if kind := r.Head().Imported; kind != "" {
			a.warn("%s is no recording of mcpinspect but %s: times, stderr and the process are not in it", path, kind)
		}
		if r.Size() > largeRecording {
			debug.SetGCPercent(largeGC)
		}
		return r, nil
	case errors.As(err, &not):
		return nil, &failure{outcome: usage, text: err.Error(), err: err, hint: "a recording is what --record FILE writes; mcpinspect sessions lists what is kept"}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &failure{outcome: usage, text: err.Error(), err: err, hint: "mcpinspect sessions lists what is kept; --last is the newest of it, open --samples lists what is built in"}
	}
	return nil, err
}

const (
	// largeRecording is the size of a file from which on memory is worth more than the time that
	// looking for garbage takes: rows have no pointers, so it is little.
	largeRecording = 256 << 20
	largeGC        = 25 // percent, of what is in use
)

// notices says on stderr what is wrong with a recording that could be read all the same.
func (a *app) notices(r *recordings.Reader) {
	all := r.Notices()
	for _, n := range all[:min(len(all), fewWarnings)] {
		a.warn("the recording is damaged: %s", n)
	}
	if more := len(all) - fewWarnings; more > 0 {
		a.warn("the recording is damaged in %s more", text.Plural(more, "line"))
	}
}

// warn says something odd on stderr, where no voice does.
func (a *app) warn(format string, args ...any) {
	a.aside(painter(a.io.Err, a.line.flags.noColor).odd("warning:") + " " + cleanLine(sentence(format, args...)))
}

// aside writes a line to stderr.
func (a *app) aside(line string) {
	_, _ = a.io.Err.Write(harmless([]byte(line + "\n"))) // who cannot be told is not told that either
}
