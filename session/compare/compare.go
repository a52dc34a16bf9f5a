// Package compare says what changed from one session to another: in what the server offers, and in
// what it answered to the same requests.
package compare

import (
	"errors"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/diff"
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
		side.Lists[name] = [][]byte{}
		for i := range l.Items {
			side.Lists[name] = append(side.Lists[name], l.Items[i].Raw)
		}
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

// Change is one difference. Was or Now is nil where there is nothing.
type Change struct {
	Rule    string // of an interface: tool-added, tool-removed, input-narrowed, input-changed, text-changed, …
	Subject string // tool add; tools/call add
	Path    string // JSON pointer into the entry, or into the answer
	Was     []byte
	Now     []byte
	Rows    [2]int // of the answers in the two logs
}

// Result is all of it.
type Result struct {
	Interface []Change
	Compared  int // answers to the same requests
	Same      int
	Answers   []Change
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
			r.entries(strings.TrimSuffix(k.Name, "s"), old, fresh)
		}
	}
	if was.Log != nil && now.Log != nil {
		r.answers(was.Log, now.Log)
	}
	return r
}

// key is what an entry is known by: templates and resources by their address.
func key(entry []byte) string {
	for _, name := range []string{"uriTemplate", "uri", "name"} {
		if s := client.GetText(entry, name); s != "" {
			return s
		}
	}
	return string(entry)
}

func (r *Result) entries(kind string, was, now [][]byte) {
	old, left := map[string][]byte{}, map[string]bool{}
	for _, e := range was {
		if k := key(e); !left[k] { // of a repeated name the first counts
			old[k], left[k] = e, true
		}
	}
	for _, e := range now {
		k := key(e)
		before, ok := old[k]
		switch {
		case !ok:
			r.Interface = append(r.Interface, Change{Rule: kind + "-added", Subject: kind + " " + k, Now: e})
		case left[k]:
			places, complete := values(before, e, diff.Ignore{})
			r.Cut = r.Cut || !complete
			for _, p := range places {
				r.Interface = append(r.Interface, Change{Rule: rule(p), Subject: kind + " " + k, Path: p.path, Was: p.was, Now: p.now})
			}
		}
		delete(left, k)
	}
	for _, e := range was {
		if k := key(e); left[k] {
			r.Interface = append(r.Interface, Change{Rule: kind + "-removed", Subject: kind + " " + k, Was: e})
			delete(left, k)
		}
	}
}

// rule names a change of an entry by what it means to those who call it.
func rule(p place) string {
	last := p.path[strings.LastIndexByte(p.path, '/')+1:]
	schema := strings.HasPrefix(p.path, "/inputSchema")
	switch {
	case last == "description" || last == "title":
		if schema && strings.HasSuffix(p.path, "/properties/"+last) {
			break // an argument of that name
		}
		return "text-changed"
	case strings.HasPrefix(p.path, "/outputSchema"):
		return "output-changed"
	case strings.HasPrefix(p.path, "/annotations"):
		return "annotations-changed"
	}
	if !schema {
		return "definition-changed"
	}
	if narrows(p, last) {
		return "input-narrowed"
	}
	return "input-changed"
}

// narrows reports whether a change of an input schema refuses calls that were right before. A set
// differs by one value a place; a whole set that is new stands there as an array.
func narrows(p place, last string) bool {
	if strings.HasSuffix(strings.TrimSuffix(p.path, "/"+last), "/properties") {
		return p.now == nil // an argument is gone
	}
	whole := len(p.now) > 0 && p.now[0] == '['
	switch last {
	case "required":
		return p.now != nil
	case "enum":
		return p.was != nil && p.now == nil || whole
	case "type":
		return p.was != nil
	case "const":
		return p.now != nil
	case "additionalProperties":
		return string(p.now) == "false"
	}
	return false
}
