package form

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/client/schema"
)

// Editing reports whether a field takes text.
func (f *Form) Editing() bool { return f.editing != editNone }

// Multiline reports whether enter belongs to the field.
func (f *Form) Multiline() bool { return f.editing == editArea }

// Edit opens the row under the cursor: text for typing, a choice for its next option, a group for
// its rows.
func (f *Form) Edit() tea.Cmd {
	r := f.current()
	if r == nil || f.json {
		return nil
	}
	switch r.Control {
	case schema.ControlChoice, schema.ControlCheckbox, schema.ControlFixed, schema.ControlVariant:
		f.Choose(1)
		return nil
	case schema.ControlGroup, schema.ControlList, schema.ControlMap:
		f.toggle(r)
		return nil
	case schema.ControlNone:
		return nil
	}
	f.path = r.Path
	text := r.Text
	if r.State == schema.StateSet && text == "" && r.Sends {
		text = r.Value.Text
		if r.Value.Kind != schema.String {
			text = r.Value.JSON()
		}
	}
	if r.Control == schema.ControlMultiline || r.Control == schema.ControlJSON && len(text) > longLine || strings.ContainsRune(text, '\n') {
		return f.openArea(text)
	}
	f.editing = editLine
	f.input.EchoMode = textinput.EchoNormal
	if r.Control == schema.ControlSecret || r.Secret {
		f.input.EchoMode = textinput.EchoPassword
	}
	f.input.Placeholder = r.Placeholder()
	f.input.SetValue(text)
	f.input.CursorEnd()
	return f.input.Focus()
}

// longLine is from where on JSON is edited over several lines.
const longLine = 60

func (f *Form) openArea(text string) tea.Cmd {
	f.editing = editArea
	f.area.SetValue(text)
	return f.area.Focus()
}

// toggle opens or closes a group; an empty list gets its first row.
func (f *Form) toggle(r *schema.Row) {
	switch {
	case r.Folded:
		_ = f.form.Fold(r.Path, false)
	case r.Control != schema.ControlGroup && r.Items == 0 && r.CanAdd:
		f.Add()
		return
	case r.State == schema.StateLeftOut:
		_ = f.form.Set(r.Path)
		f.touched = true
	default:
		_ = f.form.Fold(r.Path, true)
	}
	f.arrange()
}

// keep takes the text that is being typed over into its row. A row that was opened and left
// without typing stays what it was.
func (f *Form) keep() {
	var typed string
	switch f.editing {
	case editLine:
		typed = f.input.Value()
	case editArea:
		typed = f.area.Value()
	default:
		return
	}
	for _, r := range f.form.Rows() {
		if r.Path != f.path {
			continue
		}
		if typed == r.Text || typed == "" && r.State == schema.StateEmpty {
			return
		}
		f.touched = true
		_ = f.form.SetText(f.path, typed) // text of any kind is taken; Check says what is wrong with it
		return
	}
}

// Done ends typing.
func (f *Form) Done() {
	if f.editing == editName {
		f.name()
	}
	f.keep()
	f.editing = editNone
	f.input.Blur()
	f.area.Blur()
	f.arrange()
}

// name makes the entry whose name was typed and opens its value.
func (f *Form) name() {
	name := f.input.Value()
	f.editing = editNone
	if name == "" {
		return
	}
	path, err := f.form.AddNamed(f.path, name)
	if err != nil {
		return
	}
	f.touched = true
	f.arrange()
	f.goTo(path)
}

// Go moves the cursor to the row of a path, if it is shown.
func (f *Form) Go(path string) { f.goTo(path) }

func (f *Form) goTo(path string) {
	for i := range f.rows {
		if f.rows[i].Path == path {
			f.list.Go(i)
		}
	}
}

// Advance ends typing and opens the next or the previous row for typing, if it takes text.
func (f *Form) Advance(back bool) tea.Cmd {
	naming := f.editing == editName
	f.Done()
	switch {
	case naming: // the value of the new entry comes next
	case back:
		f.list.Up()
	default:
		f.list.Down()
	}
	if r := f.current(); r != nil {
		switch r.Control {
		case schema.ControlText, schema.ControlMultiline, schema.ControlSecret, schema.ControlInteger, schema.ControlNumber,
			schema.ControlDate, schema.ControlDatetime, schema.ControlJSON:
			return f.Edit()
		}
	}
	f.editing = editPick // what is typed on must not become commands
	return nil
}

// pick handles a key on a row without text while editing.
func (f *Form) pick(key tea.KeyMsg) {
	switch key.String() {
	case "left":
		f.Choose(-1)
	case "right", " ":
		f.Choose(1)
	case "up":
		f.list.Up()
	case "down":
		f.list.Down()
	}
}

// Update gives a message to the field that takes text. A paste goes in as it is: one with line
// breaks turns the field into one of several lines.
func (f *Form) Update(m tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	if key, ok := m.(tea.KeyMsg); ok && key.Paste && f.editing == editLine && strings.ContainsAny(string(key.Runes), "\r\n") {
		return f.openArea(f.input.Value() + strings.ReplaceAll(string(key.Runes), "\r", "\n"))
	}
	switch f.editing {
	case editPick:
		if key, ok := m.(tea.KeyMsg); ok {
			f.pick(key)
		}
	case editLine, editName:
		f.input, cmd = f.input.Update(m)
	case editArea:
		f.area, cmd = f.area.Update(m)
	}
	return cmd
}

// Choose goes to another option or branch; on a group it opens or closes.
func (f *Form) Choose(by int) string {
	r := f.current()
	if r == nil {
		return ""
	}
	var err error
	switch r.Control {
	case schema.ControlChoice:
		err = f.option(r, by)
	case schema.ControlCheckbox:
		err = f.check(r, by)
	case schema.ControlFixed:
		if r.State == schema.StateLeftOut {
			err = f.form.Set(r.Path)
		} else if !r.Required {
			err = f.form.LeaveOut(r.Path)
		}
	case schema.ControlVariant:
		if n := len(r.Variants); n > 0 {
			next := r.Branch + by
			if r.State == schema.StateLeftOut {
				next = max(r.Branch, 0)
			}
			err = f.form.ChooseBranch(r.Path, (next+n)%n)
		}
	case schema.ControlGroup, schema.ControlList, schema.ControlMap:
		err = f.form.Fold(r.Path, by < 0)
	default:
		return ""
	}
	if err != nil {
		return err.Error()
	}
	f.touched = true
	f.arrange()
	return ""
}

// option steps through the options; before the first and behind the last an optional row is left out.
func (f *Form) option(r *schema.Row, by int) error {
	at := -1
	if r.State != schema.StateLeftOut {
		for i, o := range r.Options {
			if o.Equal(r.Value) {
				at = i
			}
		}
	}
	n := len(r.Options)
	next := at + by
	switch {
	case at < 0 && by < 0:
		next = n - 1
	case next >= n || next < 0:
		if !r.Required {
			return f.form.LeaveOut(r.Path)
		}
		next = (next + n) % n
	}
	return f.form.Choose(r.Path, next)
}

func (f *Form) check(r *schema.Row, by int) error {
	states := []string{"true", "false"}
	if !r.Required {
		states = append(states, "")
	}
	at := len(states) - 1
	if r.State != schema.StateLeftOut {
		for i, s := range states {
			if r.Value.Text == s {
				at = i
			}
		}
	} else if r.Required && by > 0 {
		at = len(states) - 1
	}
	next := states[(at+by+len(states))%len(states)]
	if next == "" {
		return f.form.LeaveOut(r.Path)
	}
	return f.form.SetText(r.Path, next)
}

// on runs an action on the row under the cursor and says why it cannot be done.
func (f *Form) on(do func(r *schema.Row) error) string {
	r := f.current()
	if r == nil {
		return "choose a field first"
	}
	if err := do(r); err != nil {
		return err.Error()
	}
	f.touched = true
	f.arrange()
	return ""
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

// Add makes a new item in the list, or a named entry in the map, under the cursor or around it.
func (f *Form) Add() string {
	r := f.current()
	for r != nil && !r.CanAdd {
		r = f.around(r)
	}
	if r == nil {
		return "nothing can be added here"
	}
	if r.Control == schema.ControlList || r.Control == schema.ControlVariant && r.Inner != nil && r.Inner.Control == schema.ControlList {
		path, err := f.form.Add(r.Path)
		if err != nil {
			return err.Error()
		}
		_ = f.form.Fold(path, false) // a scalar has nothing to open
		f.touched = true
		f.arrange()
		f.goTo(path)
		return ""
	}
	f.path, f.editing = r.Path, editName
	f.input.EchoMode = textinput.EchoNormal
	f.input.Placeholder = "name of the new entry"
	f.input.SetValue("")
	f.input.Focus()
	return ""
}

// around is the row of the container that a row lies in; nil at the top.
func (f *Form) around(r *schema.Row) *schema.Row {
	parent := r.Path[:max(strings.LastIndexByte(r.Path, '/'), 0)]
	for i := range f.rows {
		if f.rows[i].Path == parent && parent != r.Path {
			return &f.rows[i]
		}
	}
	return nil
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
