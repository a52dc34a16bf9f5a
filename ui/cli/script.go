package cli

import (
	"errors"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/replay"
	"example.com/mcpinspect/session/script"
)

// play is a recorded run that is to be played.
type play struct {
	*script.Script
	sess *session.Session // what was recorded

	needs []replay.Need // of the messages that were chosen
	left  int           // messages that were not
}

// readPlay reads a run of a recording; 0 picks one. What is wrong with the file is said.
func (a *app) readPlay(path string, run int) (*play, error) {
	r, err := a.openRecording(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s, err := session.Read(r)
	if err != nil {
		return nil, err
	}
	a.notices(r)
	again, err := a.openRecording(path)
	if err != nil {
		return nil, err
	}
	defer again.Close()
	masks, err := script.ReadMasks(again)
	if err != nil {
		return nil, err
	}
	p, err := script.Of(s, masks, run)
	var none *script.NoRunError
	var long *script.LongError
	if errors.As(err, &none) || errors.As(err, &long) {
		return nil, &failure{outcome: usage, text: path + ": " + err.Error(), err: err}
	}
	return &play{Script: p, sess: s}, err
}
