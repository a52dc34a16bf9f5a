package session

import "example.com/mcpinspect/client"

// keptLine is how many bytes of a line are kept of what a server wrote.
const keptLine = 400

// lastStderr is how many lines of stderr a black box keeps.
const lastStderr = 50

// lastSaid is how many lines of stdout that are no messages a black box keeps.
const lastSaid = 10

// Said is what one run of a server wrote that may tell why it ended. It is one for the black box and
// for the rules, which then say the same.
type Said struct {
	stderr []string
	stdout []string // lines that are no messages
	crash  crash
}

// Err takes in a line of stderr, and returns what is kept of it.
func (s *Said) Err(b client.Body) string {
	line := string(b.Slice(0, min(keptLine, b.Len())))
	s.stderr = append(s.stderr, line)
	s.crash.line(line)
	if len(s.stderr) > 2*lastStderr {
		s.stderr = append([]string(nil), s.stderr[lastStderr:]...)
	}
	return line
}

// Out takes in a line of stdout that is no message.
func (s *Said) Out(b client.Body) {
	if len(s.stdout) == lastSaid { // the array is used again: a flood of them is cheap
		s.stdout = append(s.stdout[:0], s.stdout[1:]...)
	}
	s.stdout = append(s.stdout, string(b.Slice(0, min(keptLine, b.Len()))))
}

// Tell puts copies of it into a black box.
func (s *Said) Tell(b *BlackBox) {
	b.Stderr = append(b.Stderr, s.stderr[max(0, len(s.stderr)-lastStderr):]...)
	b.Said = append(b.Said, s.stdout...)
	b.Crash = append(b.Crash, s.crash.lines...)
}

// last is the latest line of stderr.
func (s *Said) last() string {
	if len(s.stderr) == 0 {
		return ""
	}
	return s.stderr[len(s.stderr)-1]
}
