package form

import "example.com/mcpinspect/client/schema"

// The words of what a row sends. Text that begins like one of them is drawn with its quotes.
const (
	leftOutWord = "(left out)"
	nullWord    = "(null)"
)

// on runs an action on the row under the cursor and says why it cannot be done.
func (f *Form) on(do func(r *schema.Row) error) string {
	r := f.current()
	if r == nil {
		return "choose a field first"
	}
	if err := do(r); err != nil {
		return err.Error()
	}
	f.change()
	return ""
}

// change follows every change of the rows.
func (f *Form) change() {
	f.touched = true
	f.advise()
	f.arrange()
}

// LeaveOut makes the row send nothing.
func (f *Form) LeaveOut() string {
	return f.on(func(r *schema.Row) error { return f.form.LeaveOut(r.Path) })
}

// SetNull makes the row send null.
func (f *Form) SetNull() string {
	return f.on(func(r *schema.Row) error { return f.form.SetNull(r.Path) })
}

// SetEmpty makes the row send empty text, an empty list or an empty object.
func (f *Form) SetEmpty() string {
	return f.on(func(r *schema.Row) error { return f.form.SetEmpty(r.Path) })
}

// SetDefault makes the row send its default.
func (f *Form) SetDefault() string {
	return f.on(func(r *schema.Row) error { return f.form.SetDefault(r.Path) })
}

// Choose goes to another option or branch; on a group it opens or closes.
func (f *Form) Choose(by int) string {
	r := f.current()
	if r == nil {
		return ""
	}
	switch r.Control {
	case schema.ControlChoice, schema.ControlCheckbox, schema.ControlFixed, schema.ControlVariant:
		f.openPick(r)
		f.editing = editNone
		if f.pick.at < 0 && by < 0 {
			f.pick.at = len(f.pick.match)
		}
		if r.State == schema.StateLeftOut && r.Required && !r.Picked { // what is left out and must not be is no place to start from
			f.pick.at = min(by, 0)
			if by > 0 {
				f.pick.at = -1
			}
		}
		f.choose(f.pick.at + by)
		f.advise()
		return f.Said()
	case schema.ControlGroup, schema.ControlList, schema.ControlMap:
		if err := f.form.Fold(r.Path, by < 0); err != nil {
			return err.Error()
		}
		f.arrange()
	}
	return ""
}

// toggle opens or closes a group; an empty list gets its first row.
func (f *Form) toggle(r *schema.Row) string {
	switch {
	case r.Folded:
		_ = f.form.Fold(r.Path, false)
	case r.Control != schema.ControlGroup && r.Items == 0 && r.CanAdd:
		return f.Add()
	case r.State == schema.StateLeftOut || r.State == schema.StateNull:
		_ = f.form.Set(r.Path)
		f.change()
		return ""
	default:
		_ = f.form.Fold(r.Path, true)
	}
	f.arrange()
	return ""
}
