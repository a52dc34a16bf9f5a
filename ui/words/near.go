package words

import (
	"strings"
	"unicode/utf8"

	"example.com/mcpinspect/client/schema"
)

// Near gives the known names that somebody may have meant, the nearest first.
func Near(name string, known []string) []string { return schema.Near(name, known) }

// fewNames is how many names a question offers: a server may have thousands that are near.
const fewNames = 3

// DidYouMean asks after the nearest of the known names: "did you mean add, sub or mul?". It is
// empty when none is near.
func DidYouMean(name string, known []string) string {
	near := Near(name, known)
	if len(near) == 0 {
		return ""
	}
	near = near[:min(len(near), fewNames)]
	for i, n := range near {
		if len(n) > maxShown {
			near[i] = cutRunes(n, maxShown) + "…"
		}
	}
	last := len(near) - 1
	if last == 0 {
		return "did you mean " + near[0] + "?"
	}
	return "did you mean " + strings.Join(near[:last], ", ") + " or " + near[last] + "?"
}

// cutRunes is at most n bytes of s, no character cut in two.
func cutRunes(s string, n int) string {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:min(n, len(s))]
}
