package session

import "example.com/mcpinspect/client"

// Why puts into the log what is known of why each open call has no answer yet (client.NoteHang), and
// says how many calls are open. Without a connection the log has what was known.
func (s *Session) Why() (open int, err error) {
	conn := s.current()
	if conn == nil {
		return 0, s.offline()
	}
	return conn.Why(), nil
}

// hangs takes in what is known of a call that has no answer yet. It holds until progress comes.
func (s *state) hangs(n *client.Note) {
	known := n.Facts()
	for i := range s.calls {
		if s.calls[i].ID == n.ID && len(known) > 0 {
			s.calls[i].Known = known
		}
	}
}
