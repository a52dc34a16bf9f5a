package form

import (
	"fmt"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// Offered is a short list of what may be typed in the field that is being edited, from wherever it
// came. The zero value is none.
type Offered struct {
	Values []string // untrusted
	At     int      // of Values: what stands in the field; -1 for what was typed
	Note   string   // said above the list; empty for no list
}

// Offer shows a list under the rows while a line of text is typed.
func (f *Form) Offer(o Offered) { f.offered = o }

// Typing is the row of the text that is being typed, by its JSON pointer, and the text.
func (f *Form) Typing() (path, typed string, ok bool) {
	if f.editing != editLine {
		return "", "", false
	}
	return f.path, f.input.Value(), true
}

// Type puts text in place of what is being typed.
func (f *Form) Type(s string) {
	if f.editing == editLine {
		f.input.SetValue(s)
		f.input.CursorEnd()
	}
}

// Given is the arguments as the rows say now, without what is being typed and without a check.
func (f *Form) Given() schema.Value {
	v, _ := f.form.Value()
	return v
}

// offeredHeight is how many values are shown at most.
const offeredHeight = 8

func (f *Form) viewOffered(t *theme.Theme, g *text.Glyphs, w, h int) []string {
	o := &f.offered
	out := f.say(t, g, theme.Mark, o.Note, w, 1)
	n := min(offeredHeight, max(h/2-1, 1), len(o.Values))
	from := min(max(o.At-n/2, 0), len(o.Values)-n)
	for i := from; i < from+n; i++ {
		mark, role := "   ", theme.Plain
		if i == o.At {
			mark, role = " > ", theme.Cursor
		}
		more := ""
		if left := len(o.Values) - 1 - i; i == from+n-1 && left > 0 {
			more = fmt.Sprintf("  and %d more", left)
		}
		out = append(out, t.Paint(role, g.Fit(mark+g.Short(f.hide(text.Cut(o.Values[i], w*2)), max(w-len(mark)-len(more), 1))+more, w)))
	}
	return out[:min(len(out), max(h-1, 0))]
}
