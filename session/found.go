package session

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

const (
	// NoteFound is what a check found by comparing, probing or repeating, where no single message
	// shows it. Its data has "rule", "subject", and "because" for what comes of another. The observers judge it as they judge everything
	// else, so that a recording says the same.
	NoteFound = "found"

	// NoteProbe stands before a message that was sent to see how the server takes it, and behind it
	// when all was well. Its data has "probe", a name.
	NoteProbe = "probe"
)

// Found puts something that was found into the log, under a rule of package check.
func (s *Session) Found(rule, subject, format string, args ...any) {
	s.FoundBecause("", rule, subject, format, args...)
}

// FoundBecause is Found for what comes of something that another rule finds, in the same run; an empty
// cause is none.
func (s *Session) FoundBecause(cause, rule, subject, format string, args ...any) {
	const longSubject, longText = 256, 2000 // names in them may have any length
	data := fmt.Appendf(nil, `{"rule":%s,"subject":%s}`, client.Quote(rule), client.Quote(strings.ToValidUTF8(clip(subject, longSubject), "\uFFFD")))
	if cause != "" {
		data = append(append(append(data[:len(data)-1], `,"because":`...), client.Quote(cause)...), '}')
	}
	s.noted(NoteFound, data, clip(fmt.Sprintf(format, args...), longText))
}

// Probing announces a probe, which the next request of ours is.
func (s *Session) Probing(probe, format string, args ...any) {
	s.noted(NoteProbe, fmt.Appendf(nil, `{"probe":%s,"sends":true}`, client.Quote(probe)), "probe "+probe+": "+fmt.Sprintf(format, args...))
}

// Probed says that a probe was taken as it should be.
func (s *Session) Probed(probe, format string, args ...any) {
	s.noted(NoteProbe, fmt.Appendf(nil, `{"probe":%s}`, client.Quote(probe)), "probe "+probe+" is well: "+fmt.Sprintf(format, args...))
}

func (s *Session) noted(what string, data []byte, text string) {
	s.mu.Lock()
	run := s.run
	s.mu.Unlock()
	s.door.Note(client.Note{Run: run, At: s.door.Now(), What: what, Text: text, Data: data})
}
