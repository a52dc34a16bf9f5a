package session

import (
	"encoding/json"
	"slices"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// Volatile is a place in the answers of a server that differs from one run to the next although the
// same was asked: the time of day, a process id. It stands in a recording as a ctl line, and is no row.
type Volatile struct {
	Method string `json:"method"`
	Name   string `json:"name,omitempty"` // of the tool or prompt; empty where the method has none
	Path   string `json:"path"`           // JSON pointer into the answer
}

// noteVolatile is the what of its line.
const noteVolatile = "mask"

// takeVolatile takes one in; false when the line is something else.
func (s *Session) takeVolatile(rec *recordings.Record) bool {
	if rec.What != noteVolatile {
		return false
	}
	var v Volatile
	if json.Unmarshal(rec.Fields["data"], &v) != nil || v.Path == "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.volatile) < maxMarkings && !slices.Contains(s.volatile, v) {
		s.volatile = append(s.volatile, v)
	}
	return true
}

// Volatile are the places that the recording says are volatile.
func (s *Session) Volatile() []Volatile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.volatile)
}

// Learn writes a volatile place down and returns the file that has it, see Mark.
func (b *Notebook) Learn(v Volatile) (kept string, err error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return b.write(client.Note{What: noteVolatile, Text: "differs by itself", Data: data})
}
