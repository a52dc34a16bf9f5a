// Package definition compares what a server offers: the definitions of its tools, resources,
// templates and prompts, as two lists of one kind have them. It says what a change means to those
// who call: arguments that were right before are refused now, or more are taken. It knows no session.
package definition

import (
	"bytes"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
)

// Change is one difference of a definition. Was or Now is nil where there is nothing.
type Change struct {
	Rule    string // tool-added, tool-removed, input-narrowed, input-widened, input-changed, text-changed, …
	Subject string // tool add
	Path    string // JSON pointer into the definition; empty for one that came or went
	Was     []byte // raw
	Now     []byte
}

// Name is the name of the definition that changed, or its address.
func (c *Change) Name() string {
	_, name, _ := strings.Cut(c.Subject, " ")
	return name
}

// Key is what a definition is known by in its list: the address of resources and templates, else the
// name. One that has none, or that is no object, is known by all of itself.
func Key(kind client.ListKind, raw []byte) string {
	member := "name"
	switch kind {
	case client.Resources:
		member = "uri"
	case client.Templates:
		member = "uriTemplate"
	}
	if s := client.GetText(raw, member); s != "" {
		return s
	}
	return string(raw)
}

// Compare lists what differs in the order of now; what was removed comes last. Of a name that stands
// in a list twice the first counts. complete is false when one definition differs in more places
// than are listed.
func Compare(kind client.ListKind, was, now [][]byte) (changes []Change, complete bool) {
	noun := strings.TrimSuffix(kind.Name, "s")
	old, left := map[string][]byte{}, map[string]bool{}
	for _, raw := range was {
		if k := Key(kind, raw); !left[k] {
			old[k], left[k] = raw, true
		}
	}
	complete = true
	seen := make(map[string]bool, len(now))
	for _, raw := range now {
		k := Key(kind, raw)
		if seen[k] {
			continue
		}
		seen[k] = true
		before, ok := old[k]
		switch {
		case !ok:
			changes = append(changes, Change{Rule: noun + "-added", Subject: noun + " " + k, Now: raw})
		case !bytes.Equal(before, raw):
			places, all := places(before, raw)
			complete = complete && all
			for _, p := range places {
				changes = append(changes, Change{Rule: p.rule(kind), Subject: noun + " " + k, Path: p.path, Was: p.was, Now: p.now})
			}
		}
		delete(left, k)
	}
	for _, raw := range was {
		if k := Key(kind, raw); left[k] {
			changes = append(changes, Change{Rule: noun + "-removed", Subject: noun + " " + k, Was: raw})
			delete(left, k)
		}
	}
	return changes, complete
}

// place is where two definitions differ.
type place struct {
	path     string // JSON pointer
	was, now []byte // raw; nil where there is nothing
}

// places lists where two definitions differ. In the sets of a schema order means nothing: each value
// that came or went is a place at the path of its set. The types of a value are one place.
func places(was, now []byte) (out []place, complete bool) {
	list, complete := diff.Compare(was, now, diff.Ignore{})
	done := map[string]bool{} // sets that have been compared
	for _, d := range list {
		set, word := setOf(d.Path)
		if word == "" {
			out = append(out, place{d.Path, d.Was, d.Now})
			continue
		}
		old, fresh := at(was, set), at(now, set)
		if bytes.Equal(old, fresh) { // what is compared stands at another place of its array in was
			out = append(out, place{d.Path, d.Was, d.Now})
			continue
		}
		if done[set] {
			continue
		}
		done[set] = true
		switch {
		case word == "type":
			if came, went := setChange(old, fresh); len(came)+len(went) > 0 || old == nil || fresh == nil {
				out = append(out, place{set, old, fresh})
			}
		case word == "enum" && (old == nil || fresh == nil): // without one every value is taken
			out = append(out, place{set, old, fresh})
		default:
			came, went := setChange(old, fresh)
			for _, v := range went {
				out = append(out, place{set, v, nil})
			}
			for _, v := range came {
				out = append(out, place{set, nil, v})
			}
		}
	}
	return out, complete
}

// setChange is what came into a set and what went. A value that is no array is a set of one.
func setChange(was, now []byte) (came, went [][]byte) {
	old, fresh := elements(was), elements(now)
	return lacking(fresh, old), lacking(old, fresh)
}

func elements(raw []byte) (out [][]byte) {
	if len(raw) > 0 && raw[0] == '[' {
		for v := range client.Elements(raw) {
			out = append(out, v)
		}
		return out
	}
	if raw != nil {
		out = append(out, raw)
	}
	return out
}

// lacking are the values of list that are not in other.
func lacking(list, other [][]byte) (out [][]byte) {
	has := make(map[string]bool, len(other))
	for _, v := range other {
		has[diff.Canonical(v)] = true
	}
	for _, v := range list {
		if k := diff.Canonical(v); !has[k] {
			has[k] = true // a repeated value counts once
			out = append(out, v)
		}
	}
	return out
}
