package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// debugFile is --debug FILE: what mcpinspect decides and does, for those who look for a fault in
// it. nil writes nothing.
type debugFile struct {
	f   *os.File
	log *slog.Logger
}

func openDebug(name string) (*debugFile, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usagef("--debug: %v", err)
	}
	return &debugFile{f, slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))}, nil
}

func (d *debugFile) begin(t session.Target, o session.Options) {
	if d == nil {
		return
	}
	d.log.Info("begin", "version", Version, "go", runtime.Version(), "os", runtime.GOOS, "server", t.Label, "args", len(t.Command.Args),
		"cwd", t.Command.Dir, "protocol", o.Protocol, "probe", o.Probe, "connect", o.Connect, "max_line", o.MaxLine)
}

func (d *debugFile) note(n *client.Note) {
	if d == nil {
		return
	}
	d.log.Debug(n.Text, "what", n.What, "run", n.Run, "at", n.At, "id", n.ID)
}

// fail writes why a run failed, with the trace of a fault of ours.
func (d *debugFile) fail(err error, r errorReport) {
	if d == nil {
		return
	}
	d.log.Error(r.message, "kind", r.outcome.kind, "code", r.outcome.code)
	var fault *client.Fault
	if errors.As(err, &fault) {
		d.log.Error("trace", "where", fault.Where, "stack", string(fault.Stack))
	}
}

// keepTrace keeps the trace of a fault when there is no --debug: in the state directory, whose file
// it returns; empty when that cannot be written.
func keepTrace(fault *client.Fault) string {
	dir, err := recordings.StateDir()
	if err != nil {
		return ""
	}
	name := filepath.Join(dir, "fault.txt")
	text := fmt.Sprintf("%s %s\n%s\n\n%s\n", time.Now().Format(time.RFC3339), tool, fault, fault.Stack)
	if os.WriteFile(name, []byte(text), 0o600) != nil {
		return ""
	}
	return name
}

func (d *debugFile) close() {
	if d != nil {
		d.f.Close()
	}
}
