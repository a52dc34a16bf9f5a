package session

import (
	"context"

	"example.com/mcpinspect/client"
)

// Odd makes one exchange of HTTP that differs on purpose from what a client sends; see client.Conn.Odd.
func (s *Session) Odd(ctx context.Context, o client.Odd) (client.OddReply, error) {
	conn := s.current()
	if conn == nil {
		return client.OddReply{}, s.offline()
	}
	return conn.Odd(ctx, o)
}
