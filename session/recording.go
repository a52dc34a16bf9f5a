package session

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// Recording is a Recorder that writes a file: the adapter between the door and package recordings,
// which knows nothing of sessions.
type Recording struct {
	w *recordings.Writer
	*places
}

// NewRecording writes the head of a recording and returns what records the rest. start must be the
// Start of the session's options; secrets are masked, nil masks nothing.
func NewRecording(w *recordings.Writer, t Target, o Options, tool string, start time.Time, secrets *recordings.Secrets) *Recording {
	w.Mask(secrets)
	protocol := string(o.Protocol)
	if protocol == "" {
		protocol = "auto"
	}
	w.Head(recordings.Head{Tool: tool, Start: start, OS: runtime.GOOS + "/" + runtime.GOARCH, Redacted: secrets.Names(),
		Target:  t.recorded(),
		Options: recordings.Options{MaxLine: o.MaxLine, Protocol: protocol}})
	return &Recording{w, newPlaces(w.Index())}
}

// Into is a Recording into a writer whose head is written by others.
func Into(w *recordings.Writer) *Recording { return &Recording{w, newPlaces(w.Index())} }

// recorded is the target as the head of a recording names it.
func (t *Target) recorded() recordings.Target {
	if t.Remote() {
		transport := "http"
		if !t.HTTP() {
			transport, _, _ = strings.Cut(t.Address.URL, ":")
		}
		return recordings.Target{Transport: transport, URL: t.Address.URL}
	}
	return recordings.Target{Transport: "stdio", Command: t.Command.Args, Cwd: t.Command.Dir, Env: variables(t.Command.Env)}
}

// variables are the names in K=V words, without their values.
func variables(env []string) (out []string) {
	for _, kv := range env {
		for i, c := range kv {
			if c == '=' {
				out = append(out, kv[:i])
				break
			}
		}
	}
	return out
}

// Path is the file that is written.
func (r *Recording) Path() string { return r.w.Path() }

// Chunk records one read or write.
func (r *Recording) Chunk(c client.Chunk) {
	ch := channelOf(c.Stream.String())
	if c.Exchange > 0 {
		r.w.Body(c.At, c.Exchange, ch, c.Bytes, c.End)
		return
	}
	r.places.chunk(c.Run, c.Stream, len(c.Bytes))
	r.w.Bytes(c.At, ch, c.Bytes)
	if c.End {
		r.w.End(c.At, ch)
	}
}

// channelOf is where bytes of a stream stand in a recording; both have the same names.
func channelOf(stream string) recordings.Channel {
	for _, ch := range []recordings.Channel{recordings.In, recordings.Out, recordings.Err} {
		if ch.String() == stream {
			return ch
		}
	}
	return recordings.None
}

// Note records a start, an exit or a decision.
func (r *Recording) Note(n client.Note) {
	switch {
	case n.What == client.NoteSpawn && n.Spawn != nil:
		r.w.Spawn(n.At, n.Run, n.Spawn.PID, n.Spawn.Path)
	case n.What == client.NoteExit && n.Exit != nil:
		var code *int
		if n.Exit.Signal == "" {
			code = &n.Exit.Code
		}
		r.w.Exit(n.At, code, n.Exit.Signal, string(n.Exit.Asked), n.Text)
	case n.HTTP != nil:
		x := recordings.Exchange{Number: n.HTTP.Number, Line: n.HTTP.Line, URL: n.HTTP.URL, Text: n.Text, Status: n.HTTP.Status, Header: n.HTTP.Header}
		switch n.What {
		case client.NoteRequest:
			r.w.Request(n.At, x)
		case client.NoteReply:
			r.w.Reply(n.At, x)
		case client.NoteDone:
			r.w.Over(n.At, n.HTTP.Number, n.HTTP.Failed)
		}
	case n.What == client.NoteDrop:
		lost, _ := strconv.ParseInt(string(client.Get(n.Data, "n")), 10, 64)
		r.w.Drop(n.At, channelOf(client.GetText(n.Data, "ch")), lost, n.Text)
	default:
		r.w.Ctl(n.At, n.What, noteFields(&n)...)
	}
}

// noteFields is a note as a ctl line has it.
func noteFields(n *client.Note) []recordings.Field {
	fields := []recordings.Field{recordings.Text("text", n.Text)}
	if n.ID != "" {
		fields = append(fields, recordings.JSON("id", []byte(n.ID)))
	}
	if n.Data != nil {
		fields = append(fields, recordings.JSON("data", n.Data))
	}
	return fields
}

// Err is a failure to record that was not told yet.
func (r *Recording) Err() error { return r.w.Err() }

// Lost is how many bytes could not be recorded, and whether that goes on.
func (r *Recording) Lost() (n int64, failing bool) { return r.w.Lost() }

// Close ends the recording; the error says what is missing in the file.
func (r *Recording) Close() error { return r.w.Close() }
