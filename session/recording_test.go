package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
	"example.com/mcpinspect/recordings"
)

// rows writes every row of a log with all that a view could show of it.
func rows(l *Log) (out []string) {
	l.Each(0, func(e Event) bool {
		note := ""
		if e.Note != nil {
			note = fmt.Sprintf("%s %q %s %v %v %s", e.Note.What, e.Note.Text, e.Note.ID, e.Note.Spawn, e.Note.Exit, e.Note.Data)
			if x := e.Note.Exit; x != nil {
				note = fmt.Sprintf("exit %+v", *x)
			}
			if s := e.Note.Spawn; s != nil {
				note = fmt.Sprintf("spawn %+v", *s)
			}
		}
		if e.Event != nil {
			note += fmt.Sprintf("event %+v", *e.Event)
		}
		e.Note, e.Event = nil, nil
		out = append(out, fmt.Sprintf("%+v %s %s", e, note, l.Body(e.Seq).Bytes()))
		return true
	})
	return out
}

// TestRecordedEqualsLive: a recording that is opened gives the log of the live session, whatever
// came in whatever pieces, and the same state.
func TestRecordedEqualsLive(t *testing.T) {
	for seed := range uint64(20) {
		var file bytes.Buffer
		rec := NewRecording(recordings.NewWriter(&file), Target{Command: client.Command{Args: []string{"server"}}}, Options{}, "test", time.Now(), nil)
		f := newFeeder(&counting{t: t})
		f.recorder = rec
		talk := []struct {
			stream client.Stream
			text   string
		}{
			{client.In, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}` + "\n"},
			{client.Err, "starting\nh\xe9llo\r\n50%\r"},
			{client.Out, "banner \x1b[1m 東京\nLoading " + `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"n"}}}` + "\r\n"},
			{client.In, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"},
			{client.Out, "[\n{\n  \"jsonrpc\": \"2.0\",\n  \"id\": \"2\",\n  \"result\": {\"tools\": [{\"name\": \"a\"}]}\n}\n"},
			{client.Out, "\x97\x00\n\n{\"half"},
		}
		for run := 1; run <= 2; run++ {
			f.spawn(run)
			for _, l := range talk {
				for _, p := range clienttest.Chop([]byte(l.text), seed+1) {
					f.chunk(l.stream, string(p))
				}
			}
			f.note(client.Note{What: client.NoteEra, Text: "because", Data: []byte(`{"revision":"2025-06-18"}`)})
			f.note(client.Note{What: client.NoteTimeout, Text: "waited", ID: "2"})
			for _, s := range []client.Stream{client.Out, client.Err} {
				f.Chunk(client.Chunk{Run: run, Stream: s, At: f.Now(), End: true})
			}
			f.exit(client.Exit{Code: -1, Signal: "SIGKILL", Asked: client.AskedTerm})
		}
		r, err := recordings.NewReader(&file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Read(r, &counting{t: t})
		if err != nil {
			t.Fatal(err)
		}
		live, opened := rows(f.log), rows(s.Log())
		for i := range live {
			if i >= len(opened) || live[i] != opened[i] {
				t.Fatalf("seed %d: row %d of %d\n live %s\nopened %s", seed, i, len(live), live[i], slices.Concat(opened, make([]string, len(live)))[i])
			}
		}
		a, b := f.snapshot(), s.Snapshot()
		if len(live) != len(opened) || a.Counts != b.Counts || a.Phase != b.Phase || a.Box.Half != b.Box.Half || a.Server.Name != b.Server.Name || a.Server.Revision != b.Server.Revision || a.Stray != b.Stray {
			t.Errorf("seed %d: %d rows, %+v\n%d rows, %+v", seed, len(live), a, len(opened), b)
		}
	}
}

// TestSessionOfARecording has no server, and says so.
func TestSessionOfARecording(t *testing.T) {
	r, err := recordings.NewReader(bytes.NewReader([]byte(`{"k":"head","v":1,"start":"2026-01-02T03:04:05Z","target":{"transport":"stdio","command":["x"]}}` + "\n" + `{"k":"b","t":5,"ch":"out","d":"hi\n"}` + "\n")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(r)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if _, err := s.Call(t.Context(), client.CallTool("a", nil)); !errors.Is(err, ErrNotConnected) {
		t.Errorf("a call: %v", err)
	}
	if err := s.Connect(t.Context()); !errors.Is(err, ErrNotConnected) {
		t.Errorf("connect: %v", err)
	}
	if _, err := s.More(t.Context(), client.Tools); !errors.Is(err, ErrNotConnected) {
		t.Errorf("more: %v", err)
	}
	if _, ran := s.Close(); ran || s.Log().Len() != 1 || s.Now() != 5 || s.Done() != nil {
		t.Errorf("ran %t, %d rows, at %v", ran, s.Log().Len(), s.Now())
	}
}

// BenchmarkIngestRecorded is BenchmarkIngest with a file behind it.
func BenchmarkIngestRecorded(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"64KiB", client.ReadSize}, {"line", 0}} {
		b.Run(c.name, func(b *testing.B) { BenchIngest(b, c.size, nil) })
	}
}

// full is a disk without room while it is set.
type full struct {
	bytes.Buffer
	full bool
}

func (d *full) Write(p []byte) (int, error) {
	if d.full {
		return 0, errors.New("no space")
	}
	return d.Buffer.Write(p)
}

// TestRecordingFails: the state says that recording stopped, and what is missing when it goes on;
// the log says it once.
func TestRecordingFails(t *testing.T) {
	disk := &full{}
	rec := NewRecording(recordings.NewWriter(disk), Target{}, Options{}, "test", time.Unix(0, 0), nil)
	f := newFeeder()
	f.recorder = rec
	state := func() string {
		s := f.snapshot()
		return fmt.Sprint(s.Unrecorded, s.Losing)
	}
	f.out("kept")
	if s := state(); s != "0 false" {
		t.Errorf("before: %s", s)
	}
	disk.full = true
	f.out("lost")
	f.out("lost too")
	if s := state(); s != "14 true" {
		t.Errorf("with a full disk: %s", s)
	}
	disk.full = false
	f.clock.Move(time.Minute)
	f.out("kept")
	if s := state(); s != "14 false" {
		t.Errorf("with room again: %s", s)
	}
	var told []string
	f.log.Each(0, func(e Event) bool {
		if e.Note != nil {
			told = append(told, e.Note.Text)
		}
		return true
	})
	if want := []string{"the recording has a gap from here on, until it can be written again: no space"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	disk.full = true
	f.out("lost at the end")
	f.out("x")
	if err := rec.Close(); err == nil || err.Error() != "the recording is not complete, 18 bytes are missing at its end: no space" {
		t.Errorf("closing: %v", err)
	}
}
