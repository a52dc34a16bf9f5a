package session

import (
	"context"
	"errors"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
)

// relist is the loading anew of one list because the server says that it has changed. There is at most
// one under way, and one more behind it however often the server says so.
type relist struct {
	running, again bool
	quick          int           // how often without a rest
	ended          time.Duration // when the latest was over
}

const (
	// quickRelists is how often a list is loaded anew at once. Some servers send list_changed after
	// every tools/list: listing and being told then feed each other without end.
	quickRelists = 2

	// relistPause is how long a list rests then, and how long a server must be quiet to be trusted again.
	relistPause = 5 * time.Second
)

// changed is called on the reading goroutine when the server says that a list has changed. A list that
// nobody has loaded is left alone.
func (s *Session) changed(conn *client.Conn, kind client.ListKind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != conn || s.closed || s.walks[kind.Name] == nil {
		return
	}
	r := s.relists[kind.Name]
	if r == nil {
		r = &relist{}
		s.relists[kind.Name] = r
	}
	if r.running {
		r.again = true
		return
	}
	if s.Now()-r.ended > relistPause {
		r.quick = 0
	}
	r.running = true
	s.work.Add(1)
	client.Go("listing anew", s.opts.Fault, func() { s.relist(conn, kind, r) }, s.work.Done)
}

// relist loads a list until the server has said nothing more of it meanwhile.
func (s *Session) relist(conn *client.Conn, kind client.ListKind, r *relist) {
	for {
		s.mu.Lock()
		rest := r.quick >= quickRelists
		if r.quick++; r.quick == quickRelists+1 {
			s.mu.Unlock()
			s.Note(client.NoteWarning, "the server says again and again that its %s have changed, after every list of them: they are listed anew every %v at most", kind.Name, relistPause)
			s.mu.Lock()
		}
		s.mu.Unlock()
		if rest {
			timer := time.NewTimer(relistPause)
			select {
			case <-timer.C:
			case <-conn.Gone():
			}
			timer.Stop()
		}
		s.mu.Lock()
		r.again = false // what is said from here on is about a later list
		s.mu.Unlock()
		err := s.listAnew(conn, kind)
		s.mu.Lock()
		r.ended = s.Now()
		if !r.again || err != nil || s.conn != conn || s.closed {
			r.running = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// listAnew loads as much of a list as was loaded and notes what has changed.
func (s *Session) listAnew(conn *client.Conn, kind client.ListKind) error {
	before := s.Snapshot().List(kind.Name)
	s.Reload(kind)
	for page := 1; ; page++ {
		more, err := s.More(context.Background(), kind) // it ends with the connection
		if err != nil {
			var gone *client.ClosedError
			if !errors.As(err, &gone) {
				s.noteChanged(conn, kind, "and cannot be listed: "+err.Error(), nil)
			}
			return err
		}
		if !more || !before.Complete && page >= len(before.Pages) {
			break
		}
	}
	now := s.Snapshot().List(kind.Name)
	if s.current() != conn {
		return nil
	}
	if !before.Complete || !now.Complete {
		s.noteChanged(conn, kind, "not compared, since not every page was loaded", nil)
		return nil
	}
	changes, _ := definition.Compare(kind, before.Definitions(), now.Definitions())
	text := definition.Brief(changes)
	if text == "" {
		text = "nothing differs in what is listed"
	}
	s.noteChanged(conn, kind, text, definition.JSON(changes))
	return nil
}

// noteChanged notes what was found; changes is nil when nothing was compared.
func (s *Session) noteChanged(conn *client.Conn, kind client.ListKind, text string, changes []byte) {
	data := append([]byte(`{"list":`), client.Quote(kind.Name)...)
	if changes != nil {
		data = append(append(data, `,"changes":`...), changes...)
	}
	s.door.Note(client.Note{Run: conn.Run(), At: s.door.Now(), What: client.NoteChanged, Text: "the " + kind.Name + " have changed: " + text, Data: append(data, '}')})
}
