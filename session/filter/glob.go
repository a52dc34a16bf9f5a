package filter

import "strings"

// glob is a pattern for a whole value, in which * stands for any text.
type glob struct {
	parts []string // between the stars, in lower case
}

// newGlob makes a pattern; in an exact one a star is a star.
func newGlob(s string, exact bool) glob {
	s = lowerASCII(s)
	if exact {
		return glob{[]string{s}}
	}
	return glob{strings.Split(s, "*")}
}

func (g *glob) match(s string) bool      { return matchGlob(g.parts, s) }
func (g *glob) matchBytes(b []byte) bool { return matchGlob(g.parts, b) }

// matchGlob finds the first part at the start, the last at the end, and the others in between as
// early as possible.
func matchGlob[S string | []byte](parts []string, s S) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return len(s) == len(first) && equalFold(s, first)
	}
	if len(s) < len(first)+len(last) || !equalFold(s[:len(first)], first) || !equalFold(s[len(s)-len(last):], last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := 0
		for at+len(part) <= len(s) && !equalFold(s[at:at+len(part)], part) {
			at++
		}
		if at+len(part) > len(s) {
			return false
		}
		s = s[at+len(part):]
	}
	return true
}
