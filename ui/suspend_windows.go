package ui

import (
	"errors"
	"io"
)

// suspension is not to be had: Windows has no job control.
type suspension struct{ out io.Writer }

func (*suspension) Run() error { return errors.New("there is no job control on Windows") }

func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}
