package ui

import (
	"strings"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/theme"
)

// barWidth is how many cells a bar has at most: each is a few percent.
const barWidth = 40

// progress shows how far a call is: a bar where the whole is known, and what the server said last. The bar
// never goes back; a server that does is told of.
func (b *lineBuilder) progress(said string, far session.Progress) {
	if far.Measured {
		percent := " " + far.Percent()
		w := max(min(b.width-len(" 100%"), barWidth), 1)
		full := int(far.Part * float64(w))
		b.out = append(b.out, line{text: strings.Repeat(b.look.glyphs.Full, full) + strings.Repeat(b.look.glyphs.Rest, w-full) + percent, role: theme.Mark, copy: far.Percent()})
	}
	if said != "" {
		b.wrap(theme.Plain, "progress ", said)
	}
	if far.Fell {
		b.wrap(theme.Odd, "", "the server has told less than before: progress must only grow, the bar stands still")
	}
}
