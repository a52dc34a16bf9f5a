package session

import "slices"

// markSets keeps the marks of rows, every different set once: a million stray lines have the same.
type markSets struct {
	sets [][]Mark // by number; 0 is none
	next map[markStep]uint32

	rules []string // of all marks, each once

	last   markStep // the step that was taken last: in a flood of equal lines it is the next one, too
	lastTo uint32
}

// markStep leads from a set to the one that has a mark more.
type markStep struct {
	set  uint32
	mark Mark
}

func newMarkSets() markSets { return markSets{sets: [][]Mark{nil}, next: map[markStep]uint32{}} }

// of returns a set, which must not be changed.
func (s *markSets) of(n uint32) []Mark { return s.sets[n] }

// maxSets is how many different sets are kept. A server can put faults together in more ways than
// memory holds; rows beyond keep the gravest of their marks, of which there are few.
const maxSets = 1 << 16

// add returns the number of the set with further marks.
func (s *markSets) add(n uint32, marks []Mark) uint32 {
	if len(s.sets) >= maxSets && len(marks) > 1 {
		marks = []Mark{slices.MaxFunc(marks, func(a, b Mark) int { return int(a.Severity) - int(b.Severity) })}
	}
	for _, m := range marks {
		step := markStep{n, m}
		if step == s.last && s.lastTo > 0 {
			n = s.lastTo
			continue
		}
		to, ok := s.next[step]
		if !ok {
			had := s.sets[n]
			to = uint32(len(s.sets))
			s.sets = append(s.sets, append(had[:len(had):len(had)], m))
			s.next[step] = to
			if !slices.Contains(s.rules, m.Rule) { // few: it is asked once a different set
				s.rules = append(s.rules, m.Rule)
			}
		}
		s.last, s.lastTo = step, to
		n = to
	}
	return n
}

// fullTexts is how many marks of a rule quote what they are about: from then on they have the
// same text, so that their number does not grow the session.
const fullTexts = 1000

// remarks makes the marks of the pairing.
type remarks struct{ said map[string]int }

// mark is what is said of a rule; general takes the place of text once the point is made.
func (r *remarks) mark(rule string, s Severity, text, general string) []Mark {
	if r.said == nil {
		r.said = map[string]int{}
	}
	if r.said[rule]++; r.said[rule] > fullTexts {
		text = general
	}
	return []Mark{{Rule: rule, Severity: s, Text: text}}
}
