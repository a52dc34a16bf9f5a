package form

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client/schema"
)

// picker is the list of what a row can be: the options of a choice, the branches of a variant, the
// states of a checkbox. What stands under its cursor is chosen at once.
type picker struct {
	of     *schema.Spec // what is listed: the row, or the branch of a variant that is chosen there
	all    []pickable
	match  []int // of all, those that suit what was typed
	at     int   // in match; -1: nothing is chosen yet
	filter string
}

type pickable struct {
	label string
	words []string // what a typed beginning is held against
	take  func() error
}

// openPick lists what the row can be, with the cursor on what it is.
func (f *Form) openPick(r *schema.Row) { f.openPickOf(r, r.Spec) }

// openPickOf lists what spec, which is that of the row or of its chosen branch, lets the row be.
func (f *Form) openPickOf(r *schema.Row, spec *schema.Spec) {
	f.path, f.editing = r.Path, editPick
	f.pick = picker{of: spec, all: f.pickables(r, spec), at: -1}
	f.pick.filterBy("")
	now := f.chosen(r, spec)
	for i := range f.pick.all {
		if f.pick.all[i].label == now {
			f.pick.at = i
		}
	}
}

func (f *Form) pickables(r *schema.Row, spec *schema.Spec) (list []pickable) {
	path := r.Path
	add := func(label string, take func() error, words ...string) {
		list = append(list, pickable{label, append(words, label), take})
	}
	switch spec.Control {
	case schema.ControlChoice:
		for i := range spec.Options {
			title := ""
			if i < len(spec.Titles) {
				title = spec.Titles[i]
			}
			add(optionLabel(spec, i), func() error { return f.form.Choose(path, i) }, title, spec.Options[i].Text)
		}
	case schema.ControlVariant:
		for i, name := range spec.Variants {
			_, value, _ := strings.Cut(name, " = ")
			add(name, func() error { return f.form.ChooseBranch(path, i) }, value)
		}
	case schema.ControlCheckbox:
		for _, s := range []string{"true", "false"} {
			add(s, func() error { return f.form.SetText(path, s) })
		}
	case schema.ControlFixed:
		add(spec.Options[0].JSON(), func() error { return f.form.Set(path) }, spec.Options[0].Text)
	}
	if spec != r.Spec { // null and left out stand among the branches
		return list
	}
	if r.Nullable && r.Control != schema.ControlChoice && r.Control != schema.ControlFixed {
		add(nullWord, func() error { return f.form.SetNull(path) }, "null")
	}
	if !r.Required && r.Path != "" {
		add(leftOutWord, func() error { return f.form.LeaveOut(path) }, "left out")
	}
	return list
}

// chosen is the label of what the row is now.
func (f *Form) chosen(r *schema.Row, spec *schema.Spec) string {
	switch {
	case r.State == schema.StateLeftOut && !(r.Picked && spec.Control == schema.ControlVariant):
		return leftOutWord
	case r.State == schema.StateNull && spec.Control != schema.ControlChoice:
		return nullWord
	case spec.Control == schema.ControlVariant:
		if r.Branch >= 0 && r.Branch < len(r.Variants) {
			return r.Variants[r.Branch]
		}
	case spec.Control == schema.ControlChoice:
		for i, o := range spec.Options {
			if o.Equal(r.Value) {
				return optionLabel(spec, i)
			}
		}
	}
	return r.Value.JSON()
}

// goInto opens what a branch that was just chosen in the list wants to be told: its text, its own
// options, its first row. It reports whether there is such a thing; a group has its rows below.
func (f *Form) goInto() (cmd tea.Cmd, opened bool) {
	r, p := f.current(), &f.pick
	if r == nil || r.Inner == nil || p.of != r.Spec || p.at < 0 {
		return nil, false
	}
	if label := p.all[p.match[p.at]].label; r.Branch >= len(r.Variants) || label != r.Variants[r.Branch] {
		return nil, false // null, or left out
	}
	switch r.Inner.Control {
	case schema.ControlGroup, schema.ControlFixed, schema.ControlNone:
		return nil, false
	case schema.ControlChoice, schema.ControlCheckbox:
		f.openPickOf(r, r.Inner)
		return nil, true
	case schema.ControlList, schema.ControlMap:
		if r.Items > 0 || !r.CanAdd {
			return nil, false
		}
		f.said = f.Add()
		if f.Editing() { // the name of an entry is asked for
			return nil, true
		}
		return f.openHere(), true
	}
	return f.open(r, written(r)), true
}

// optionLabel is an option with its title, told from an option that looks alike.
func optionLabel(s *schema.Spec, i int) string {
	o := s.Options[i].JSON()
	if i < len(s.Titles) && s.Titles[i] != "" {
		return s.Titles[i] + " = " + o
	}
	return o
}

// filterBy keeps what begins with the typed text, then what holds it; false when nothing would.
func (p *picker) filterBy(typed string) bool {
	var begins, holds []int
	low := strings.ToLower(typed)
	for i := range p.all {
		how := 0
		for _, w := range p.all[i].words {
			switch w := strings.ToLower(w); {
			case strings.HasPrefix(w, low):
				how = 2
			case strings.Contains(w, low):
				how = max(how, 1)
			}
		}
		switch how {
		case 2:
			begins = append(begins, i)
		case 1:
			holds = append(holds, i)
		}
	}
	if len(begins)+len(holds) == 0 {
		return false
	}
	p.filter, p.match = typed, append(begins, holds...)
	return true
}

// lookUp adds typed text to what is looked for, or begins anew where nothing holds both, and takes
// the first that suits.
func (f *Form) lookUp(typed string) {
	if f.pick.filterBy(f.pick.filter+typed) || f.pick.filterBy(typed) {
		f.choose(0)
	}
}

// pickKey is a key that is no text, in a list of options.
func (f *Form) pickKey(name string) {
	p := &f.pick
	switch name {
	case "up", "left":
		if p.at < 0 {
			p.at = len(p.match)
		}
		f.choose(p.at - 1)
	case "down", "right":
		f.choose(p.at + 1)
	case "home":
		f.choose(0)
	case "end":
		f.choose(len(p.match) - 1)
	case "backspace":
		if n := len(p.filter); n > 0 {
			runes := []rune(p.filter)
			at := -1
			if p.at >= 0 {
				at = p.match[p.at]
			}
			p.filterBy(string(runes[:len(runes)-1]))
			for i, m := range p.match {
				if m == at {
					p.at = i
				}
			}
		}
	}
}

// choose takes one of the options that match, round the ends.
func (f *Form) choose(i int) {
	n := len(f.pick.match)
	if n == 0 {
		return
	}
	f.pick.at = (i + n) % n
	if err := f.pick.all[f.pick.match[f.pick.at]].take(); err != nil {
		f.said = err.Error()
		return
	}
	f.touched = true
	f.arrange()
}
