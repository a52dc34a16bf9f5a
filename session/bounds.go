package session

import "example.com/mcpinspect/client"

// Bounds are how many rows and how many bytes of bodies are kept at most; Bound sets them.
func (l *Log) Bounds() (rows int, bytes int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.maxRows, l.store.max
}

// MaxLine is how many bytes of a line are kept. It holds for the whole session: a recording says it once, and its
// lines are cut as they were.
func (s *Session) MaxLine() int {
	if s.opts.MaxLine > 0 {
		return s.opts.MaxLine
	}
	return client.DefaultMaxLine
}
