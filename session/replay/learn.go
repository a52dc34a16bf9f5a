package replay

import (
	"slices"

	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// Learn holds the answers of two replays of a script against each other: where they differ although
// the same was sent, they do so by themselves.
func Learn(s *script.Script, one, other *Report) (found []session.Volatile) {
	for _, t := range s.Turns {
		a, b := one.answers[t], other.answers[t]
		if a == nil || b == nil {
			continue
		}
		ignore, _ := diff.Ignoring(append([]string{"/id"}, passing(a, b)...)...) // pointers of ours are ones
		list, _ := diff.Compare(a, b, ignore)
		for _, d := range list {
			v := session.Volatile{Method: t.Method, Name: t.Name, Path: d.Path}
			if !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	return found
}

// Forgive compares the answers of a report anew, with what the options ignore by now.
func (r *Report) Forgive(s *script.Script, o Options) {
	old := r.Different
	r.Compared -= len(r.answers)
	r.Same, r.Different = 0, []Difference{}
	for _, t := range s.Turns {
		if now := r.answers[t]; now != nil {
			r.compare(t, now, o)
		}
	}
	ends := r.Compared - len(r.answers) // the end of the server, where that is compared
	for _, d := range old {
		if d.Method == exitMethod {
			r.Different = append(r.Different, d)
			ends--
		}
	}
	r.Same += ends
}
