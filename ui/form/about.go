package form

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// about is what is said below the rows: the field of several lines, the list of options, or what
// there is to know about the row under the cursor.
func (f *Form) about(t *theme.Theme, g *text.Glyphs, w, h int) (out []string) {
	switch {
	case f.editing == editArea:
		return f.viewArea(t, g, w, h)
	case h < 4:
		return nil
	case f.editing == editLine && f.offered.Note != "":
		return f.viewOffered(t, g, w, h)
	case f.editing == editPick:
		return f.viewPick(t, g, w, h)
	case h < 5:
		return nil
	}
	add := func(role theme.Role, s string, most int) {
		if s != "" {
			out = append(out, f.say(t, g, role, s, w, most)...)
		}
	}
	if r := f.current(); r != nil {
		if r.Problem != "" {
			add(theme.Bad, "ERR "+named(r, r.Problem), 2)
		} else if s := f.warnings[r.Path]; s != "" {
			add(theme.Odd, "WARN "+named(r, s)+"; it is sent all the same", 2)
		}
		if !r.Base64 { // the bounds name the key
			add(theme.Odd, r.Note, 2)
		}
		add(theme.Faint, bounds(r), 1)
		add(theme.Faint, r.Description, 4)
	}
	for _, p := range f.homeless() {
		add(theme.Bad, "ERR "+p.Sentence(), 1)
	}
	if s := f.warnings[""]; s != "" {
		add(theme.Odd, "WARN "+s, 1)
	}
	return out[:min(len(out), max(h/3, 2))]
}

// named puts the name of a row before what is said of it, unless it stands there already.
func named(r *schema.Row, message string) string {
	if strings.HasPrefix(message, r.Label+" ") {
		return message
	}
	return r.Label + " " + message
}

// areaHeight is how many lines a field of several lines shows at most.
const areaHeight = 12

func (f *Form) viewArea(t *theme.Theme, g *text.Glyphs, w, h int) []string {
	n := max(min(areaHeight, h/2), 1)
	out := []string{t.Paint(theme.Mark, g.Fit(" EDITING, enter is a line break, tab goes on", w))}
	out = append(out, f.area.View(t, g, w, n, true)...)
	return out[:min(len(out), max(h-1, 0))]
}

// pickHeight is how many options are shown at most.
const pickHeight = 12

func (f *Form) viewPick(t *theme.Theme, g *text.Glyphs, w, h int) []string {
	p := &f.pick
	head := "EDITING, arrows choose, letters find, enter goes on"
	if p.filter != "" {
		head = "EDITING, finds " + p.filter + ": " + text.Plural(len(p.match), "option") + ", enter goes on"
	}
	out := f.say(t, g, theme.Mark, head, w, 1)
	n := min(max(min(pickHeight, h/2), 1), len(p.match))
	from := min(max(p.at-n/2, 0), len(p.match)-n)
	for i := from; i < from+n; i++ {
		mark, role := "   ", theme.Plain
		if i == p.at {
			mark, role = " > ", theme.Cursor
		}
		more := ""
		if i == from+n-1 && i < len(p.match)-1 {
			more = fmt.Sprintf("  and %d more", len(p.match)-1-i)
		}
		out = append(out, t.Paint(role, g.Fit(mark+g.Short(f.hide(p.all[p.match[i]].label), w)+more, w)))
	}
	return out[:min(len(out), max(h-1, 0))]
}

// listed is how many options or branches a sentence names.
const listed = 12

// bounds says in one line what the schema allows.
func bounds(r *schema.Row) string {
	var parts []string
	switch r.Control {
	case schema.ControlJSON, schema.ControlList, schema.ControlMap:
		parts = append(parts, r.Type)
	}
	if n := len(r.Options); n > 0 && r.Control == schema.ControlChoice {
		var names []string
		for _, o := range r.Options[:min(n, listed)] {
			names = append(names, o.JSON())
		}
		if n > listed {
			names = append(names, fmt.Sprintf("and %d more", n-listed))
		}
		parts = append(parts, "one of "+strings.Join(names, ", "))
	}
	if n := len(r.Variants); n > 1 {
		parts = append(parts, "one of "+strings.Join(r.Variants[:min(n, listed)], ", "))
	}
	low, high := "at least ", "at most "
	if r.OpenMin {
		low = "above "
	}
	if r.OpenMax {
		high = "below "
	}
	switch {
	case r.Min != "" && r.Max != "" && !r.OpenMin && !r.OpenMax:
		parts = append(parts, r.Min+" to "+counted(r, r.Max))
	default:
		if r.Min != "" {
			parts = append(parts, low+counted(r, r.Min))
		}
		if r.Max != "" {
			parts = append(parts, high+counted(r, r.Max))
		}
	}
	if r.MultipleOf != "" {
		parts = append(parts, "a multiple of "+r.MultipleOf)
	}
	if r.Pattern != "" {
		parts = append(parts, "pattern "+r.Pattern)
	}
	if r.Format != "" {
		parts = append(parts, "format "+r.Format)
	}
	if r.Base64 {
		parts = append(parts, "base64, f takes it from a file")
	}
	if r.Nullable && r.Control != schema.ControlJSON && r.Control != schema.ControlChoice {
		parts = append(parts, "or null")
	}
	return strings.Join(parts, ", ")
}

// counted is a bound with what it counts.
func counted(r *schema.Row, bound string) string {
	noun := ""
	switch r.Control {
	case schema.ControlText, schema.ControlMultiline, schema.ControlSecret:
		noun = "character"
	case schema.ControlList:
		noun = "row"
	case schema.ControlMap:
		noun = "entry"
	default:
		return bound
	}
	n, err := strconv.Atoi(bound)
	if err != nil {
		return bound
	}
	return text.Plural(n, noun)
}
