package form

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/client/schema"
)

// Add makes a new item in the list, or a named entry in the map or object, under the cursor or
// around it. An object that is left out is made to be there first.
func (f *Form) Add() string {
	r := f.current()
	if r != nil && r.Control == schema.ControlGroup && (r.State == schema.StateLeftOut || r.State == schema.StateNull) && !exact(r) {
		if err := f.form.Set(r.Path); err != nil {
			return err.Error()
		}
		_ = f.form.Fold(r.Path, false)
		f.change()
		return ""
	}
	for r != nil && !r.CanAdd {
		r = f.around(r)
	}
	path := ""
	if r != nil {
		path = r.Path
	}
	if r != nil && (r.Control == schema.ControlList || r.Inner != nil && r.Inner.Control == schema.ControlList) {
		path, err := f.form.Add(r.Path)
		if err != nil {
			return err.Error()
		}
		_ = f.form.Fold(r.Path, false)
		_ = f.form.Fold(path, false) // a scalar has nothing to open
		f.change()
		f.goTo(path)
		if i := f.list.Cursor() + 1; i < len(f.rows) && strings.HasPrefix(f.rows[i].Path, path+"/") {
			f.list.Go(i) // the first field of the new item
		}
		return ""
	}
	if !f.form.Grows(path) {
		return "nothing can be added here: the schema allows no further names"
	}
	in := "the arguments"
	if r != nil && path != "" {
		in = r.Label
	}
	f.ask(editName, path, "", "in "+in)
	return ""
}

// around is the row of the container that a row lies in; nil at the top.
func (f *Form) around(r *schema.Row) *schema.Row {
	parent := r.Path[:max(strings.LastIndexByte(r.Path, '/'), 0)]
	for _, row := range f.rows {
		if row.Path == parent && parent != r.Path {
			return row
		}
	}
	return nil
}

// ask takes one line of text that is not the value of the row.
func (f *Form) ask(what edit, path, text, placeholder string) {
	f.path, f.editing = path, what
	f.input.EchoMode = textinput.EchoNormal
	f.input.Placeholder = placeholder
	f.input.SetValue(text)
	f.input.CursorEnd()
	f.input.Focus()
}

// Rename takes a new name for the entry of a map under the cursor.
func (f *Form) Rename() string {
	r := f.current()
	if r == nil || !r.Named {
		return "only an entry that was added has a name to change"
	}
	f.ask(editKey, r.Path, r.Name, "another name")
	return ""
}

// named ends the typing of a name.
func (f *Form) named() {
	name, renames := f.input.Value(), f.editing == editKey
	f.editing = editNone
	if name == "" {
		return
	}
	path := f.path[:max(strings.LastIndexByte(f.path, '/'), 0)]
	var err error
	if renames {
		err = f.form.SetKey(f.path, name)
		path = schema.Pointer(path, name)
	} else {
		path, err = f.form.AddNamed(f.path, name)
	}
	if err != nil {
		f.said = err.Error()
		return
	}
	f.change()
	f.goTo(path)
}

// Remove removes the item or entry under the cursor.
func (f *Form) Remove() string {
	return f.on(func(r *schema.Row) error { return f.form.Remove(r.Path) })
}

// Move moves the item under the cursor up or down.
func (f *Form) Move(by int) string {
	moved := ""
	why := f.on(func(r *schema.Row) (err error) {
		moved, err = f.form.Move(r.Path, by)
		return err
	})
	if why == "" {
		f.goTo(moved)
	}
	return why
}
