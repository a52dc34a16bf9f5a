package cli

import (
	"bytes"
	"log"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// libraryLog takes what the standard library logs by itself, such as net/http of bytes behind the
// end of a reply, into the log of the session: on stderr it would stand in the middle of the screen.
type libraryLog struct{ sess *session.Session }

func (l libraryLog) Write(p []byte) (int, error) {
	l.sess.Note(client.NoteWarning, "%s", client.Excerpt(bytes.TrimSpace(p)))
	return len(p), nil
}

// hear puts what the libraries say into the log of a session from now on.
func hear(s *session.Session) *session.Session {
	log.SetFlags(0)
	log.SetOutput(libraryLog{s})
	return s
}
