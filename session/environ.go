package session

import "example.com/mcpinspect/client"

// Environ adds variables, K=V, to the environment of every further start of the server.
func (s *Session) Environ(variables ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.environ = append(s.environ, variables...)
}

// Variables are those, K=V, that the next start of the server gets beside our own environment.
func (s *Session) Variables() []string { return s.command().Env }

// command is what the next run starts.
func (s *Session) command() client.Command {
	c := s.target.Command
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Env = append(c.Env[:len(c.Env):len(c.Env)], s.environ...)
	return c
}
