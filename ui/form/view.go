package form

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// stands is the value of a row as it stands there: what is sent of it is said in words.
func stands(r *schema.Row) string {
	switch r.State {
	case schema.StateLeftOut:
		switch {
		case r.Text != "" && r.Problem != "":
			return r.Text
		case r.Control == schema.ControlNone:
			return "nothing can be given here"
		case r.Default != nil && r.Control != schema.ControlFixed:
			return "default " + r.Default.JSON() + ", not sent"
		case r.Picked && r.Branch < len(r.Variants):
			return r.Variants[r.Branch] + branchText(r) + " " + leftOutWord
		}
		return leftOutWord
	case schema.StateNull:
		return nullWord
	case schema.StateEmpty:
		return r.Value.JSON() + " (empty)"
	case schema.StateDefault:
		return "default " + r.Value.JSON() + ", sent"
	}
	if r.Masked() && r.Control != schema.ControlVariant {
		return strings.Repeat("*", min(len(r.Text), secretStars))
	}
	if exact(r) {
		return r.Text
	}
	switch r.Control {
	case schema.ControlList:
		return text.Plural(r.Items, "row")
	case schema.ControlMap:
		return text.Plural(r.Items, "entry")
	case schema.ControlGroup:
		if r.Folded {
			return "enter opens it"
		}
		return ""
	case schema.ControlVariant:
		if r.Branch >= 0 && r.Branch < len(r.Variants) {
			return r.Variants[r.Branch] + branchText(r)
		}
	case schema.ControlChoice:
		for i, o := range r.Options {
			if o.Equal(r.Value) {
				return optionLabel(r.Spec, i)
			}
		}
	}
	if r.Text != "" {
		return quoted(r, r.Text)
	}
	if r.Value.Kind == schema.String {
		return quoted(r, r.Value.Text)
	}
	return r.Value.JSON()
}

// secretStars is how many stars stand for a secret at most: its length is nobody's business.
const secretStars = 8

// branchText is what was typed for a branch that has no rows of its own.
func branchText(r *schema.Row) string {
	if r.Inner == nil {
		return ""
	}
	switch r.Inner.Control {
	case schema.ControlGroup, schema.ControlMap, schema.ControlFixed, schema.ControlNone:
		return ""
	case schema.ControlList:
		return ": " + text.Plural(r.Items, "row")
	}
	switch {
	case r.Text == "":
		return ": nothing yet"
	case r.Masked():
		return ": " + strings.Repeat("*", min(len(r.Text), secretStars))
	}
	return ": " + quoted(r, r.Text)
}

// quoted shows text with its quotes where it could be taken for one of our words, or where blanks
// at its ends would not be seen.
func quoted(r *schema.Row, s string) string {
	if !r.Sends || r.Value.Kind != schema.String {
		return s
	}
	if strings.HasPrefix(s, "(") || strings.HasPrefix(s, "default ") || strings.TrimSpace(s) != s {
		return text.Cut(r.Value.JSON(), maxName)
	}
	return s
}

// hide masks secrets, before text is cut or wrapped.
func (f *Form) hide(s string) string {
	if f.Hide == nil {
		return s
	}
	return f.Hide(s)
}

// View draws the form: at most h lines of w cells. Below the rows stand the problem, the bounds
// and the description of the row under the cursor.
func (f *Form) View(t *theme.Theme, g *text.Glyphs, w, h int, focused bool) []string {
	if f.shows != viewRows {
		return f.viewText(t, g, w, h, focused)
	}
	below := f.about(t, g, w, h)
	nameW := min(f.names, max(w/3, 4))
	f.list.Row = func(i, w int, selected bool) string {
		return f.row(t, g, i, w, nameW, selected, selected && focused)
	}
	return append(f.list.View(w, max(h-len(below), 1)), below...)
}

const (
	kindWidth   = 9
	indentWidth = 2
	maxIndent   = 8   // levels that are drawn
	maxName     = 200 // cells of a name that count
)

func (f *Form) row(t *theme.Theme, g *text.Glyphs, i, w, nameW int, selected, active bool) string {
	mark := "  "
	if selected {
		mark = "> "
	}
	if i >= len(f.rows) {
		return f.sendRow(t, g, mark, w, active)
	}
	r := f.rows[i]
	star := " "
	if r.Required {
		star = "*"
	}
	indent := strings.Repeat(" ", indentWidth*min(r.Depth, maxIndent))
	head := mark + g.Fit(g.Short(indent+foldMark(r)+f.hide(r.Label), nameW*2), nameW) + star + " " + g.Fit(string(r.Control), kindWidth) + " "
	room := max(w-text.Width(head), 1)
	if selected && f.oneLine() {
		if asks := f.asks(r); asks != "" {
			head = mark + g.Fit(g.Short(indent+f.hide(asks), w), max(text.Width(head)-text.Width(mark)-1, 1)) + " "
		}
		f.input.Width = max(room-10, 1)
		return g.Fit(t.Paint(theme.Name, head)+g.Fit(text.Typed(f.input.View()), max(room-8, 1))+t.Paint(theme.Mark, " EDITING"), w)
	}
	value, role := stands(r), theme.Plain
	switch warning := f.warnings[r.Path]; {
	case r.Problem != "":
		value, role = "ERR "+r.Problem+"  "+value, theme.Bad
	case warning != "":
		value, role = value+"  WARN "+warning, theme.Odd
	case r.State == schema.StateLeftOut:
		role = theme.Faint
	case r.State == schema.StateNull, r.State == schema.StateEmpty, r.State == schema.StateDefault:
		role = theme.Odd
	}
	s := g.Fit(g.Short(strings.ReplaceAll(text.Cut(f.hide(value), room*2), "\n", " "), room*2), room)
	if active {
		return t.Paint(theme.Cursor, head+s)
	}
	return head + t.Paint(role, s)
}

// oneLine reports whether the input of one line is open.
func (f *Form) oneLine() bool {
	switch f.editing {
	case editLine, editName, editKey, editFile:
		return true
	}
	return false
}

// asks says what the line that is typed is, where it is not the value of the row.
func (f *Form) asks(r *schema.Row) string {
	switch f.editing {
	case editName:
		return "new name"
	case editKey:
		return "rename " + r.Label
	case editFile:
		return r.Label + " from file"
	}
	return ""
}

// foldMark says whether a row has rows below it that are shown.
func foldMark(r *schema.Row) string {
	c := r.Control
	if r.Inner != nil {
		return ""
	}
	switch c {
	case schema.ControlGroup, schema.ControlList, schema.ControlMap:
		if r.Folded || r.State == schema.StateLeftOut || r.State == schema.StateNull {
			return "+ "
		}
		return "- "
	}
	return ""
}

func (f *Form) sendRow(t *theme.Theme, g *text.Glyphs, mark string, w int, active bool) string {
	s := mark + "[ Send ]"
	if f.Sends != "" {
		s = mark + "[ " + f.Sends + " ]"
	}
	if f.oneLine() && f.path == "" {
		f.input.Width = max(w-20, 1)
		return g.Fit(t.Paint(theme.Name, "> ")+g.Fit(text.Typed(f.input.View()), max(w-10, 1))+t.Paint(theme.Mark, " EDITING"), w)
	}
	if f.hidden > 0 {
		s += fmt.Sprintf("   + %d optional, . shows", f.hidden)
	}
	if len(f.rows)+f.hidden == 0 && f.Sends == "" {
		s += "   no arguments"
	}
	s = g.Fit(s, w)
	if active {
		return t.Paint(theme.Cursor, s)
	}
	return s
}

// viewText shows the arguments as JSON, or the schema.
func (f *Form) viewText(t *theme.Theme, g *text.Glyphs, w, h int, focused bool) []string {
	e := f.shown()
	if e == nil {
		return f.say(t, g, theme.Bad, "no JSON: "+f.doc.refused, w, h)
	}
	if f.shows == viewSchema {
		if len(f.raw) == 0 {
			return f.say(t, g, theme.Odd, "the tool was sent without an inputSchema", w, h)
		}
		return e.View(t, g, w, h, focused)
	}
	f.doc.mask(f)
	var below []string
	_, failed := f.doc.value()
	here, column := e.Place()
	place := fmt.Sprintf("line %d, column %d of %s", here, column, text.Plural(e.Lines(), "line"))
	switch {
	case failed != nil:
		below = f.say(t, g, theme.Bad, "ERR "+failed.Error(), w, 2)
	case len(f.problems) > 0:
		for _, p := range f.problems[:min(len(f.problems), max(h/4, 1))] {
			below = append(below, f.say(t, g, theme.Bad, "ERR "+p.Sentence(), w, 1)...)
		}
	case f.editing == editDoc:
		below = f.say(t, g, theme.Mark, "EDITING "+place+", esc ends it", w, 1)
	case f.doc.changed():
		below = f.say(t, g, theme.Odd, "changed, this is what is sent; "+place, w, 1)
	default:
		below = f.say(t, g, theme.Faint, "as it would be sent; enter edits it, v goes on", w, 1)
	}
	if h < 3 {
		below = nil
	}
	return append(e.View(t, g, w, h-len(below), focused && f.editing == editDoc || focused && f.editing == editNone), below...)
}

func (f *Form) say(t *theme.Theme, g *text.Glyphs, role theme.Role, s string, w, most int) (out []string) {
	for _, l := range g.Wrap(f.hide(s), max(w-2, 4), most) {
		out = append(out, t.Paint(role, g.Fit(" "+l, w)))
	}
	return out
}
