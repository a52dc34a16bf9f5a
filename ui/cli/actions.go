package cli

import (
	"bytes"
	"io"
	"os"

	"example.com/mcpinspect/session/report"
)

// onActions reports whether this is a job of GitHub Actions, which reads commands from what is printed:
// there no text of a server may begin a line with :: or have ##[ anywhere.
func onActions() bool { return os.Getenv("GITHUB_ACTIONS") != "" }

// jobLog reports whether what is written to a file ends in the log of a job. A regular file does not:
// it gets what was asked for, as it is.
func jobLog(f *os.File) bool {
	if !onActions() {
		return false
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular()
}

// harmless is text of ours with text of a server in it, as it may be printed; it begins a line.
func harmless(b []byte) []byte {
	if !onActions() {
		return b
	}
	return report.Defuse(b, true)
}

// defused makes what passes it harmless, however it is cut into pieces. What could become a command
// with the next piece is held back, two bytes at most; flush lets go of it.
type defused struct {
	w    io.Writer
	mid  bool // the line has begun with something that is no white space
	held []byte
}

func (d *defused) Write(p []byte) (int, error) {
	b := append(d.held, p...)
	keep := len(b)
	switch {
	case bytes.HasSuffix(b, []byte("##")):
		keep -= 2
	case bytes.HasSuffix(b, []byte("#")), bytes.HasSuffix(b, []byte(":")) && !bytes.HasSuffix(b, []byte("::")):
		keep--
	}
	d.held = bytes.Clone(b[keep:])
	return len(p), d.pass(b[:keep])
}

func (d *defused) flush() error {
	b := d.held
	d.held = nil
	return d.pass(b)
}

func (d *defused) pass(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	out := report.Defuse(b, !d.mid)
	last := bytes.LastIndexAny(b, "\n\r")
	if last >= 0 {
		d.mid = false
	}
	d.mid = d.mid || len(bytes.TrimLeft(b[last+1:], " \t\v\f")) > 0
	_, err := d.w.Write(out)
	return err
}
