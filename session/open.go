package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// ErrRecorded is a call on a recording: nothing was started that could answer it.
var ErrRecorded = fmt.Errorf("this is a recording: %w", ErrNotConnected)

// errLoading is a start while the recording is still taken in: its rows come first.
var errLoading = errors.New("the recording is still being read: a server is started when it has been read to its end")

// Loading is how far a recording has been taken in.
type Loading struct {
	Read, Size int64 // bytes of the file; Size is 0 when it is not known
	Follows    bool  // another process may add to the file
	Waiting    bool  // for what it adds: all that has arrived was read
	Done       bool
	Notices    []recordings.Notice // what is wrong with the file; valid once it is done
}

// loadStep is after how many bytes it is told again how far Load is: asking for the size of the file
// costs a call of the system.
const loadStep = 64 << 10

// loading is Loading while it changes.
type loading struct {
	read, size atomic.Int64
	reader     atomic.Pointer[recordings.Reader]
	done       atomic.Pointer[[]recordings.Notice]
	playhead   Playhead
	pace       pace
	recorder   Recorder // of what a server says that is started later
}

// Recorded makes a session of a recording that Load takes in by the same door as a live server:
// log, state and findings are derived again from its bytes. With a command in the target Restart
// starts it into the same log, behind what was recorded, and the recorder gets only what comes then;
// without one the session has no connection. Its clock stands at the last event. The options that
// opening needs are taken from the head.
func Recorded(head recordings.Head, t Target, o Options) *Session {
	o.Start, o.MaxLine = head.Start, head.Options.MaxLine
	load := &loading{pace: pace{next: -1}, recorder: o.Recorder}
	o.Recorder = nil
	if t.Recorded = len(t.Command.Args) == 0 && !t.Remote(); t.Recorded {
		t.Command = client.Command{Args: head.Target.Command, Dir: head.Target.Cwd, Env: head.Target.Env}
		t.Address = client.Address{URL: head.Target.URL}
		if rev, ok := client.ParseProtocol(head.Options.Protocol); ok {
			o.Protocol = rev
		}
	}
	s := New(t, o)
	s.start, s.loading = head.Start, load
	s.door = newDoor(&load.playhead, o.MaxLine, o.Observers, nil)
	s.door.partial = head.Imported != "" || head.Filtered != ""
	return s
}

// Read takes in a whole recording; see Recorded.
func Read(r *recordings.Reader, observers ...Observer) (*Session, error) {
	s := Recorded(r.Head(), Target{}, Options{Observers: observers})
	return s, s.Load(context.Background(), r)
}

// Load takes in the lines of the recording that the session was made for, until its end or that of
// ctx. It is called once.
func (s *Session) Load(ctx context.Context, r *recordings.Reader) (err error) {
	l := s.loading
	l.reader.Store(r)
	next, end := s.lines(ctx, r)
	defer func() {
		if fault := end(); fault != nil {
			err = fault
		}
		s.door.settleMarkings()
		l.read.Store(r.Offset())
		notices := r.Notices()
		l.done.Store(&notices)
		s.door.touch()
	}()
	back := newPlaces(r.Index())
	s.door.log.readBack(back)
	s.door.log.thin(r.Index().Readable())
	run, stat := 0, int64(0)
	for ctx.Err() == nil {
		rec, at, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if l.pace.wait(ctx, rec.T, s.door.touch); ctx.Err() != nil {
			break
		}
		l.playhead.Move(rec.T)
		s.ingest(rec, &run, back)
		s.door.log.placeDue()
		l.read.Store(at)
		if at >= stat {
			l.size.Store(r.Size())
			stat = at + loadStep
		}
	}
	return context.Cause(ctx)
}

// lines gives the records of a recording, each borrowed until the next, with the place in the file
// behind it; end is called before the reader is used otherwise. A file that another process writes
// is read only when its lines are wanted: reading it waits for that process.
func (s *Session) lines(ctx context.Context, r *recordings.Reader) (next func() (*recordings.Record, int64, error), end func() error) {
	if r.Follows() {
		r.OnWait(func() {
			s.loading.pace.caughtUp()
			s.door.touch()
		})
		return func() (*recordings.Record, int64, error) {
			rec, err := r.Next()
			return &rec, r.Offset(), err
		}, func() error { return nil }
	}
	a := readAhead(ctx, r)
	return func() (*recordings.Record, int64, error) { return a.Next(ctx) }, a.close
}

// Loading is how far Load is; ok is false for a session that is no recording.
func (s *Session) Loading() (l Loading, ok bool) {
	if s.loading == nil {
		return Loading{}, false
	}
	l.Read, l.Size = s.loading.read.Load(), s.loading.size.Load()
	if r := s.loading.reader.Load(); r != nil {
		l.Follows, l.Waiting = r.Follows(), r.Waiting()
	}
	if notices := s.loading.done.Load(); notices != nil {
		l.Done, l.Notices = true, *notices
	}
	return l, true
}

// goLive lets the session go on where its recording ends; it may be called again. The caller holds
// life.
func (s *Session) goLive() error {
	l := s.loading
	switch {
	case l == nil || s.current() != nil:
		return nil
	case s.target.Recorded:
		return ErrRecorded
	case l.done.Load() == nil:
		return errLoading
	}
	last, run := int64(0), 0
	s.door.log.Each(0, func(e Event) bool {
		run = max(run, e.Run)
		if e.Stream == client.In && e.Kind == client.KindRequest {
			if n, err := strconv.ParseInt(e.ID, 10, 64); err == nil {
				last = max(last, n)
			}
		}
		return true
	})
	s.ids.Past(last)
	s.mu.Lock()
	s.run = max(s.run, run)
	s.liveFrom = run + 1
	s.mu.Unlock()
	l.playhead.Run()
	s.door.log.thin(false) // whoever calls waits for whole answers
	s.door.goOn(l.recorder, run+1)
	return nil
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
		stream := streamOf(rec.Ch)
		back.chunk(*run, stream, len(rec.Data))
		s.door.Chunk(client.Chunk{Run: *run, Stream: stream, At: rec.T, Bytes: rec.Data})
		return
	case recordings.KindEnd:
		s.door.Chunk(client.Chunk{Run: *run, Stream: streamOf(rec.Ch), At: rec.T, End: true})
		return
	case recordings.KindCtl:
		if s.takeVolatile(rec) {
			return
		}
		note.What, note.Text, note.ID = rec.What, rec.Text("text"), string(rec.Fields["id"]) // ids are raw tokens
		note.Data = raw(rec.Fields["data"])
		if isMarking(&note) {
			s.door.put(note)
			return
		}
	case recordings.KindExit:
		text := rec.Text("text")
		if text == "" { // of a recording that has no ends of streams either
			s.end(*run, rec.T)
		}
		exit := &client.Exit{Signal: rec.Signal, Asked: client.Asked(rec.Asked), At: rec.T}
		if rec.Code != nil {
			exit.Code = *rec.Code
		}
		if text == "" {
			text = "the server ended: " + exit.String()
		}
		note.What, note.Exit, note.Text = client.NoteExit, exit, text
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

func streamOf(ch recordings.Channel) client.Stream {
	switch ch {
	case recordings.In:
		return client.In
	case recordings.Err:
		return client.Err
	}
	return client.Out
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
