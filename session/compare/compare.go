// Package compare says what changed from one session to another: in what the server offers, and in
// what it answered to the same requests.
package compare

import (
	"errors"
	"slices"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/session"
)

// Side is one of the two that are compared.
type Side struct {
	Lists map[string][][]byte // raw entries by the name of their list; a list that was not read is absent
	Log   *session.Log        // nil for a kept list: it has no answers
}

// ErrNoList is a document that is none of list --json.
var ErrNoList = errors.New("it is neither a recording nor what list --json prints")

// Of is what a session shows.
func Of(s *session.Session) Side {
	side := Side{Lists: map[string][][]byte{}, Log: s.Log()}
	for name, l := range s.Snapshot().Lists {
		if l.Error != "" {
			continue
		}
		side.Lists[name] = l.Definitions()
	}
	return side
}

// ReadList reads a document of list --json.
func ReadList(doc []byte) (Side, error) {
	side := Side{Lists: map[string][][]byte{}}
	if !client.ValidJSON(doc) {
		return side, ErrNoList
	}
	for _, k := range client.ListKinds {
		if list := client.Get(doc, k.Name); list != nil && list[0] == '[' {
			side.Lists[k.Name] = slices.Collect(client.Elements(list))
		}
	}
	if len(side.Lists) == 0 {
		return side, ErrNoList
	}
	return side, nil
}

// Answer is one difference of two answers to the same request.
type Answer struct {
	Subject string // tools/call add
	Path    string // JSON pointer into the answer
	Was     []byte // raw; nil where there is nothing
	Now     []byte
	Rows    [2]int // of the answers in the two logs
}

// Result is all of it.
type Result struct {
	Interface []definition.Change
	Compared  int // answers to the same requests
	Same      int
	Answers   []Answer
	Missing   []string // requests that only the first has
	Unmatched []string // requests that only the second has
	Cut       bool     // two values differ in more places than are listed
}

// Different reports whether anything changed. Requests that only one side made are no change.
func (r Result) Different() bool { return len(r.Interface)+len(r.Answers) > 0 }

// Compare compares was with now. Lists that one of them has not read are left out.
func Compare(was, now Side) Result {
	var r Result
	for _, k := range client.ListKinds {
		old, a := was.Lists[k.Name]
		fresh, b := now.Lists[k.Name]
		if a && b {
			changes, complete := definition.Compare(k, old, fresh)
			r.Interface = append(r.Interface, changes...)
			r.Cut = r.Cut || !complete
		}
	}
	if was.Log != nil && now.Log != nil {
		r.answers(was.Log, now.Log)
	}
	return r
}
