package form

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// shown is the value of a row as it stands there: what is sent of it is said in words.
func shown(r *schema.Row) string {
	switch r.State {
	case schema.StateLeftOut:
		switch {
		case r.Text != "" && r.Problem != "":
			return r.Text
		case r.Control == schema.ControlNone:
			return "nothing can be given here"
		case r.Default != nil && r.Control != schema.ControlFixed:
			return "default " + r.Default.JSON() + ", not sent"
		}
		return "(left out)"
	case schema.StateNull:
		return "null"
	case schema.StateEmpty:
		return r.Value.JSON() + " (empty)"
	case schema.StateDefault:
		return "default " + r.Value.JSON() + ", sent"
	}
	switch r.Control {
	case schema.ControlSecret:
		return strings.Repeat("*", min(len(r.Text), 8))
	case schema.ControlList:
		return text.Plural(r.Items, "row")
	case schema.ControlMap:
		return text.Plural(r.Items, "entry")
	case schema.ControlGroup:
		return ""
	case schema.ControlVariant:
		if r.Branch >= 0 && r.Branch < len(r.Variants) {
			return r.Variants[r.Branch]
		}
	case schema.ControlChoice:
		for i, o := range r.Options {
			if i < len(r.Titles) && r.Titles[i] != "" && o.Equal(r.Value) {
				return r.Titles[i] + " = " + o.JSON()
			}
		}
	}
	if r.Text != "" {
		return r.Text
	}
	if r.Value.Kind == schema.String {
		return r.Value.Text
	}
	return r.Value.JSON()
}

// View draws the form: at most h lines of w cells. Below the rows stand the problem, the bounds
// and the description of the row under the cursor.
func (f *Form) View(t *theme.Theme, g *text.Glyphs, w, h int, focused bool) []string {
	if f.json {
		return f.viewJSON(t, g, w, h)
	}
	below := f.about(t, g, w, h)
	nameW := f.nameWidth(w)
	f.list.Row = func(i, w int, selected bool) string {
		return f.row(t, g, i, w, nameW, selected, selected && focused)
	}
	return append(f.list.View(w, max(h-len(below), 1)), below...)
}

// areaHeight is how many lines a field of several lines shows at most.
const areaHeight = 8

// about is what is said below the rows.
func (f *Form) about(t *theme.Theme, g *text.Glyphs, w, h int) (out []string) {
	add := func(role theme.Role, s string, most int) {
		for _, l := range text.WrapMax(s, max(w-2, 4), most) {
			out = append(out, t.Paint(role, g.Fit(" "+l, w)))
		}
	}
	if f.editing == editArea {
		n := max(min(areaHeight, h/2), 1)
		f.area.SetWidth(max(w, 1))
		f.area.SetHeight(n)
		out = append(out, t.Paint(theme.Mark, g.Fit(" EDITING, enter is a line break, tab goes on", w)))
		for i, l := range strings.Split(f.area.View(), "\n") {
			if i == n {
				break
			}
			out = append(out, g.Fit(l, w))
		}
		return out[:min(len(out), max(h-1, 0))]
	}
	if h < 5 {
		return nil
	}
	if r := f.current(); r != nil {
		if r.Problem != "" {
			add(theme.Bad, "ERR "+r.Label+" "+r.Problem, 2)
		}
		if f.editing == editPick && len(r.Options)+len(r.Variants) > 0 || f.editing == editPick && r.Control == schema.ControlCheckbox {
			add(theme.Mark, "left and right choose, enter goes on", 1)
		}
		if r.Note != "" {
			add(theme.Odd, r.Note, 2)
		}
		if b := bounds(r); b != "" {
			add(theme.Faint, b, 1)
		}
		add(theme.Faint, r.Description, 4)
	}
	for _, p := range f.homeless() {
		add(theme.Bad, "ERR "+p.Sentence(), 1)
	}
	if most := max(h/3, 2); len(out) > most {
		out = out[:most]
	}
	return out
}

// bounds says in one line what the schema allows.
func bounds(r *schema.Row) string {
	var parts []string
	if n := len(r.Options); n > 0 && r.Control == schema.ControlChoice {
		var names []string
		for _, o := range r.Options[:min(n, 12)] {
			names = append(names, o.JSON())
		}
		if n > 12 {
			names = append(names, fmt.Sprintf("and %d more", n-12))
		}
		parts = append(parts, "one of "+strings.Join(names, ", "))
	}
	if n := len(r.Variants); n > 1 {
		parts = append(parts, "one of "+strings.Join(r.Variants[:min(n, 12)], ", "))
	}
	switch {
	case r.Min != "" && r.Max != "":
		parts = append(parts, r.Min+" to "+r.Max)
	case r.Min != "":
		parts = append(parts, "at least "+r.Min)
	case r.Max != "":
		parts = append(parts, "at most "+r.Max)
	}
	if r.Pattern != "" {
		parts = append(parts, "pattern "+r.Pattern)
	}
	if r.Format != "" {
		parts = append(parts, "format "+r.Format)
	}
	if r.Nullable {
		parts = append(parts, "or null")
	}
	return strings.Join(parts, ", ")
}

// nameWidth is the column of the names: as wide as needed, at most a third.
func (f *Form) nameWidth(w int) int {
	most := 1
	for i := range f.rows {
		most = max(most, text.Width(text.Short(f.rows[i].Label, w))+2*f.rows[i].Depth+len(foldMark(&f.rows[i])))
	}
	return min(most, max(w/3, 4))
}

const kindWidth = 9

func (f *Form) row(t *theme.Theme, g *text.Glyphs, i, w, nameW int, selected, active bool) string {
	mark := "  "
	if selected {
		mark = "> "
	}
	if i >= len(f.rows) {
		return f.sendRow(t, g, mark, w, active)
	}
	r := &f.rows[i]
	star := " "
	if r.Required {
		star = "*"
	}
	indent := strings.Repeat("  ", min(r.Depth, 8))
	head := mark + g.Fit(text.Short(indent+foldMark(r)+r.Label, nameW*2), nameW) + star + " " + g.Fit(string(r.Control), kindWidth) + " "
	room := max(w-text.Width(head), 1)
	if selected && (f.editing == editLine || f.editing == editName) {
		f.input.Width = max(room-10, 1)
		return g.Fit(t.Paint(theme.Name, head)+g.Fit(f.input.View(), max(room-8, 1))+t.Paint(theme.Mark, " EDITING"), w)
	}
	value, role := shown(r), theme.Plain
	switch {
	case r.Problem != "":
		value, role = "ERR "+r.Problem+"  "+value, theme.Bad
	case r.State == schema.StateLeftOut:
		role = theme.Faint
	case r.State == schema.StateNull, r.State == schema.StateEmpty, r.State == schema.StateDefault:
		role = theme.Odd
	}
	s := g.Fit(text.Short(strings.ReplaceAll(value, "\n", " "), room*2), room)
	if active {
		return t.Paint(theme.Cursor, head+s)
	}
	return head + t.Paint(role, s)
}

// foldMark says whether a row has rows below it that are shown.
func foldMark(r *schema.Row) string {
	switch r.Control {
	case schema.ControlGroup, schema.ControlList, schema.ControlMap:
		if r.Folded || r.State == schema.StateLeftOut {
			return "+ "
		}
		return "- "
	}
	return ""
}

func (f *Form) sendRow(t *theme.Theme, g *text.Glyphs, mark string, w int, active bool) string {
	s := mark + "[ Send ]"
	if f.hidden > 0 {
		s += fmt.Sprintf("   + %d optional, . shows", f.hidden)
	}
	if len(f.rows)+f.hidden == 0 {
		s += "   no arguments"
	}
	s = g.Fit(s, w)
	if active {
		return t.Paint(theme.Cursor, s)
	}
	return s
}

// viewJSON shows the arguments as they would be sent.
func (f *Form) viewJSON(t *theme.Theme, g *text.Glyphs, w, h int) []string {
	v, _, err := f.Value()
	if err != nil {
		var out []string
		for _, l := range text.WrapMax(err.Error(), w, h) {
			out = append(out, t.Paint(theme.Bad, g.Fit(l, w)))
		}
		return out
	}
	out := []string{t.Paint(theme.Faint, g.Fit("as it would be sent; v goes back to the rows", w))}
	for _, l := range strings.Split(string(schema.AppendIndent(nil, v, "  ")), "\n") {
		if len(out) >= h {
			break
		}
		out = append(out, g.Fit(text.Short(l, 2*w), w))
	}
	return out[:min(len(out), h)]
}
