package client

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Ends are the streams of a client that speaks with a server through us.
type Ends struct {
	In  io.ReadCloser  // what the client writes
	Out io.WriteCloser // the server's stdout for it
	Err io.WriteCloser
}

// Relayed is a server that somebody else speaks with: what either side writes is given to the door
// and handed on as it is. An end of one stream is passed on as an end, in both directions, and
// nothing is ended by us.
type Relayed struct {
	*Stdio
	ends Ends
}

// Relay starts a server for the client at the given ends and closes them as the streams end. The
// door must be quick, and must not fail: its time is added to that of every message. It gets a
// chunk before the other side does, so that no answer can come before its request.
//
// The goroutine that reads ends.In lasts until that has an end, which may be after the server.
func Relay(c Command, run int, door Door, ends Ends, report func(*Fault)) (*Relayed, error) {
	t := newStdio(run, door, func(Incoming) {})
	t.onward = [3]io.WriteCloser{Out: ends.Out, Err: ends.Err}
	if _, err := t.start(c, report); err != nil {
		return nil, err
	}
	r := &Relayed{t, ends}
	door.Note(Note{Run: run, At: door.Now(), What: NoteTap, Text: "a client of its own speaks with this server: what passes between them is passed on"})
	Go("client reader", report, r.readClient, r.hangUp)
	return r, nil
}

// readClient hands on what the client writes until its end.
func (r *Relayed) readClient() {
	buf := make([]byte, ReadSize)
	for {
		n, err := r.ends.In.Read(buf)
		if n > 0 {
			r.door.Chunk(Chunk{Run: r.run, Stream: In, At: r.door.Now(), Bytes: buf[:n]})
			if werr := r.Send(buf[:n]); werr != nil {
				if !r.over() {
					r.door.Note(Note{Run: r.run, At: r.door.Now(), What: NoteWrite, Text: "the server does not read its stdin any more: " + werr.Error()})
				}
				r.ends.In.Close() // the client is told by its next write
				return
			}
		}
		if err != nil {
			if !r.over() {
				r.rung(AskedStdin, "the client closed its end: closed the server's stdin")
			}
			return
		}
	}
}

// hangUp ends the server's stdin, behind what the client wrote to it.
func (r *Relayed) hangUp() { r.stdin.Close() }

// Signal passes a signal on to the process that was started, and to no other.
func (r *Relayed) Signal(sig os.Signal) {
	if r.over() {
		return
	}
	r.rung(AskedTerm, fmt.Sprintf("we were sent the signal %q: passed on", sig))
	if err := r.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		_ = r.cmd.Process.Kill() // this system has no such signal
	}
}

// Wait returns how the server ended, once all that it wrote was handed on.
func (r *Relayed) Wait() Exit {
	<-r.done
	r.stdout.Close() // a descendant may hold their other ends
	r.stderr.Close()
	<-r.drained
	r.group.release()
	return r.Exit()
}

// pass hands on what was read of a relayed stream. A client that has closed its end is felt by the
// server as without us: its next write fails.
func (t *Stdio) pass(f *os.File, s Stream, b []byte) {
	w := t.onward[s]
	if w == nil {
		return
	}
	_, err := w.Write(b)
	if err != nil {
		t.door.Note(Note{Run: t.run, At: t.door.Now(), What: NoteWrite, Text: fmt.Sprintf("%s cannot be passed on any more: %s", streamName(s), Reason(err))})
		f.Close()
	}
}

func (t *Stdio) passEnd(s Stream) {
	if w := t.onward[s]; w != nil {
		w.Close()
	}
}

// rest waits, after the process has ended, until what it wrote has been read: until the end of its
// pipes, or until nothing came for drainGrace where a descendant holds them. One that writes for ever is
// told by more than pipes can hold. Relayed output waits for the client, too, however slow it reads: only
// what has come to rest is given up.
func (t *Stdio) rest() {
	for began := t.moved.Load(); ; {
		before := t.moved.Load()
		if t.drainedWithin(drainGrace) {
			return
		}
		now := t.moved.Load()
		if now == before && t.passing.Load() == 0 || now-began > inPipes && t.onward[Out] == nil {
			return
		}
	}
}
