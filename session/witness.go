package session

import (
	"io"
	"sync"

	"example.com/mcpinspect/client"
)

// Witness is a session whose server is a part of this program, and whose client is somebody else's:
// what passes between them is taken in as it passes, by the same door as ever, and judged.
type Witness struct {
	sess  *Session
	run   int
	mu    sync.Mutex
	heard overheard
}

// Witness begins to take in what passes. Options of requests mean nothing here.
func (s *Session) Witness() *Witness {
	s.mu.Lock()
	s.run++
	w := &Witness{sess: s, run: s.run, heard: overheard{door: s.door}}
	s.mu.Unlock()
	w.note(client.Note{What: client.NoteTap, Text: "a client of its own speaks with this server"})
	return w
}

// Client is a reader of what the client writes, all of which is taken in before anybody acts on it.
func (w *Witness) Client(from io.Reader) io.Reader { return &witnessed{w, client.In, from, nil} }

// Server is a writer of what the server writes, taken in before the client can act on it.
func (w *Witness) Server(to io.Writer) io.Writer { return &witnessed{w, client.Out, nil, to} }

// Ended takes in how the server ended, behind all that passed.
func (w *Witness) Ended(exit client.Exit) {
	w.chunk(client.In, nil, true)
	w.chunk(client.Out, nil, true)
	w.note(client.Note{What: client.NoteExit, Exit: &exit, Text: "the server ended: " + exit.String()})
}

func (w *Witness) note(n client.Note) {
	n.Run, n.At = w.run, w.sess.door.Now()
	w.sess.door.Note(n)
}

func (w *Witness) chunk(s client.Stream, b []byte, end bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sess.door.Chunk(client.Chunk{Run: w.run, Stream: s, At: w.sess.door.Now(), Bytes: b, End: end})
	w.heard.watch()
}

// witnessed is one direction.
type witnessed struct {
	*Witness
	stream client.Stream
	from   io.Reader
	to     io.Writer
}

func (w *witnessed) Read(b []byte) (int, error) {
	n, err := w.from.Read(b)
	if n > 0 {
		w.chunk(w.stream, b[:n], false)
	}
	return n, err
}

func (w *witnessed) Write(b []byte) (int, error) {
	w.chunk(w.stream, b, false)
	return w.to.Write(b)
}
