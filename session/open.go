package session

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// Read takes a recording in by the same door as a live server: log, state and findings are derived
// again from its bytes. The session it returns has no connection; its clock stands at the last
// event.
func Read(r *recordings.Reader, observers ...Observer) (*Session, error) {
	head := r.Head()
	clock := &Playhead{}
	s := &Session{start: head.Start, walks: map[string]*walk{}, closed: true,
		target: Target{Recorded: true, Command: client.Command{Args: head.Target.Command, Dir: head.Target.Cwd},
			Address: client.Address{URL: head.Target.URL}}}
	s.door = newDoor(clock, head.Options.MaxLine, observers, nil)
	back := newPlaces(r.Index())
	s.door.log.back = back
	run := 0
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		clock.Move(rec.T)
		s.ingest(&rec, &run, back)
	}
}

// ingest feeds one record to the door.
func (s *Session) ingest(rec *recordings.Record, run *int, back *places) {
	note := client.Note{Run: *run, At: rec.T}
	switch rec.K {
	case recordings.KindSpawn:
		*run = rec.Run
		note.Run, note.What, note.Text = rec.Run, client.NoteSpawn, client.SpawnText(rec.Path, rec.Pid)
		note.Spawn = &client.Spawned{PID: rec.Pid, Path: rec.Path}
	case recordings.KindBytes:
		stream := client.Out
		switch rec.Ch {
		case recordings.In:
			stream = client.In
		case recordings.Err:
			stream = client.Err
		}
		back.chunk(*run, stream, len(rec.Data))
		s.door.Chunk(client.Chunk{Run: *run, Stream: stream, At: rec.T, Bytes: rec.Data})
		return
	case recordings.KindCtl:
		note.What, note.Text, note.ID = rec.What, rec.Text("text"), string(rec.Fields["id"]) // ids are raw tokens
		note.Data = raw(rec.Fields["data"])
	case recordings.KindExit:
		s.end(*run, rec.T)
		exit := &client.Exit{Signal: rec.Signal, Asked: client.Asked(rec.Asked), At: rec.T}
		if rec.Code != nil {
			exit.Code = *rec.Code
		}
		note.What, note.Exit, note.Text = client.NoteExit, exit, "the server ended: "+exit.String()
	case recordings.KindRequest, recordings.KindReply, recordings.KindOver, recordings.KindBody:
		s.exchanged(rec, &note)
		return
	case recordings.KindDrop:
		note.What, note.Text = client.NoteWarning, "the recording has a gap: "+rec.Why
	default:
		return
	}
	s.door.Note(note)
}

func raw(m json.RawMessage) []byte {
	if len(m) == 0 {
		return nil
	}
	return append([]byte(nil), m...)
}

// end closes the streams of a run, as the end of the pipes did when it was live.
func (s *Session) end(run int, at time.Duration) {
	for _, stream := range []client.Stream{client.Out, client.Err} {
		s.door.Chunk(client.Chunk{Run: run, Stream: stream, At: at, End: true})
	}
}
