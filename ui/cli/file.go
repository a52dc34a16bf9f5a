package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/ui/text"
)

// recordingFile is the one FILE that a verb takes.
func (a *app) recordingFile(verb string, args []string) (string, error) {
	if err := atMost(1, args, verb+" takes one FILE"); err != nil {
		return "", err
	}
	if len(args) == 0 {
		return "", usagef("%s needs a recording", verb).hinted("mcpinspect %s FILE; --record FILE writes one", verb)
	}
	return args[0], nil
}

// openRecording opens a FILE; the error says what to do about one that is none.
func openRecording(path string) (*recordings.Reader, error) {
	r, err := recordings.Open(path)
	var not *recordings.NotRecordingError
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &not), errors.Is(err, fs.ErrNotExist):
		return nil, &failure{outcome: usage, text: err.Error(), err: err, hint: "a recording is what --record FILE writes"}
	}
	return nil, err
}

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
	a.io.Err.WriteString(painter(a.io.Err, a.line.flags.noColor).odd("warning:") + " " + cleanLine(fmt.Sprintf(format, args...)) + "\n")
}
