package form

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/editor"
)

// Editing reports whether a field takes text.
func (f *Form) Editing() bool { return f.editing != editNone }

// Takes reports whether a key that would otherwise go on to the next row belongs to the field.
func (f *Form) Takes(name string) bool {
	switch f.editing {
	case editArea:
		return name == "enter"
	case editDoc:
		return name == "enter" || name == "tab"
	case editFile:
		return name == "tab"
	}
	return false
}

// Edit opens the row under the cursor: text for typing, a choice for its list, a group for its
// rows. It says why it cannot.
func (f *Form) Edit() (tea.Cmd, string) {
	switch f.shows {
	case viewJSON:
		if f.doc.text == nil {
			return nil, "there is no JSON to edit: " + f.doc.refused
		}
		f.editing = editDoc
		return nil, ""
	case viewSchema:
		return nil, "the schema is shown as it was sent; v goes on to the rows"
	}
	r := f.current()
	if r == nil {
		return nil, ""
	}
	if !exact(r) {
		switch r.Control {
		case schema.ControlCheckbox, schema.ControlFixed:
			return nil, f.Choose(1)
		case schema.ControlChoice, schema.ControlVariant:
			f.openPick(r)
			return nil, ""
		case schema.ControlGroup, schema.ControlList, schema.ControlMap:
			return nil, f.toggle(r)
		case schema.ControlNone:
			return nil, "nothing can be given here; = gives JSON all the same"
		}
	}
	return f.open(r, written(r)), ""
}

// Exact opens the row under the cursor as JSON to the letter, whatever the schema wants.
func (f *Form) Exact() (tea.Cmd, string) {
	r := f.current()
	if r == nil || f.shows != viewRows {
		return nil, "choose a field first"
	}
	text := written(r)
	if !exact(r) {
		text = schema.ExactPrefix
		if v, ok := f.valueAt(r); ok {
			text += v.JSON()
		}
	}
	cmd := f.open(r, text)
	f.was = written(r)
	return cmd, ""
}

// valueAt is what a row would send now.
func (f *Form) valueAt(r *schema.Row) (schema.Value, bool) {
	v, _ := f.form.Value()
	return v.At(r.Path)
}

// exact reports whether a row holds JSON to the letter.
func exact(r *schema.Row) bool {
	return r.State == schema.StateSet && strings.HasPrefix(r.Text, schema.ExactPrefix)
}

// written is the text of a row for editing it.
func written(r *schema.Row) string {
	if r.State != schema.StateSet || r.Text != "" || !r.Sends {
		return r.Text
	}
	if r.Value.Kind != schema.String {
		return r.Value.JSON()
	}
	return r.Value.Text
}

// longLine is from where on JSON is edited over several lines.
const longLine = 60

func (f *Form) open(r *schema.Row, text string) tea.Cmd {
	f.path, f.was = r.Path, text
	on := r.Spec
	if r.Inner != nil {
		on = r.Inner
	}
	long := len(text) > longLine && (on.Control == schema.ControlJSON || strings.HasPrefix(text, schema.ExactPrefix))
	if on.Control == schema.ControlMultiline || long || strings.ContainsRune(text, '\n') {
		return f.openArea(text, on.Control == schema.ControlJSON || long)
	}
	f.editing = editLine
	f.input.EchoMode = textinput.EchoNormal
	if r.Masked() {
		f.input.EchoMode = textinput.EchoPassword
	}
	f.input.Placeholder = on.Placeholder()
	f.input.SetValue(text)
	f.input.CursorEnd()
	return f.input.Focus()
}

func (f *Form) openArea(text string, json bool) tea.Cmd {
	f.editing = editArea
	f.input.Blur()
	f.area = editor.New(text)
	f.area.JSON = json
	f.area.Key("ctrl+end")
	return nil
}

// keep takes the text that is being typed over into its row. A row that was opened and left
// without typing stays what it was.
func (f *Form) keep() {
	var typed string
	switch f.editing {
	case editLine:
		typed = f.input.Value()
	case editArea:
		typed = f.area.Text()
	default:
		return
	}
	if typed == f.was {
		return
	}
	f.was = typed
	if err := f.form.SetText(f.path, typed); err != nil { // text of any kind is taken; Check says what is wrong with it
		f.said = err.Error()
	}
	f.change()
}

// Done ends typing.
func (f *Form) Done() {
	if f.editing == editName || f.editing == editKey {
		f.named()
	}
	f.keep()
	picked := f.editing == editPick
	f.editing = editNone
	f.input.Blur()
	if picked {
		f.advise()
	}
	f.arrange()
}

// Advance ends typing and opens the next or the previous row for typing, if it takes text. A file
// that was named is read first.
func (f *Form) Advance(back bool) tea.Cmd {
	was := f.editing
	if was == editFile {
		return f.readFile()
	}
	f.Done()
	if was == editPick && !back {
		if cmd, opened := f.goInto(); opened {
			return cmd
		}
	}
	switch {
	case was == editName || was == editKey: // the value of the entry comes next
	case back:
		f.list.Up()
	default:
		f.list.Down()
	}
	return f.openHere()
}

// openHere opens the row under the cursor if it takes text or has a list; else the form stays in
// edit mode and does nothing with letters: what is typed on must not become commands.
func (f *Form) openHere() tea.Cmd {
	if r := f.current(); r != nil {
		switch r.Control {
		case schema.ControlChoice, schema.ControlVariant, schema.ControlCheckbox:
			if !exact(r) {
				f.openPick(r)
				return nil
			}
			return f.open(r, written(r))
		case schema.ControlText, schema.ControlMultiline, schema.ControlSecret, schema.ControlInteger, schema.ControlNumber,
			schema.ControlDate, schema.ControlDatetime, schema.ControlJSON:
			return f.open(r, written(r))
		}
	}
	if r := f.current(); r != nil && r.Items == 0 && r.CanAdd && (r.Control == schema.ControlList || r.Control == schema.ControlMap) {
		f.said = "+ adds a row, enter goes on"
	}
	f.editing = editRoute
	return nil
}

// typedText is the text that a key or a paste brings.
func typedText(m tea.KeyMsg) (s string, ok bool) {
	if m.Type == tea.KeyRunes || m.Type == tea.KeySpace {
		return string(m.Runes), !m.Alt
	}
	return "", false
}

// Update gives a message to the field that takes text. A paste goes in as it is: one with line
// breaks turns the field into one of several lines.
func (f *Form) Update(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case fileMsg:
		m.form.takeFile(m)
		return nil
	case completedMsg:
		m.form.takeCompletion(m)
		return nil
	case tea.KeyMsg:
		return f.key(m)
	}
	var cmd tea.Cmd
	f.input, cmd = f.input.Update(m)
	return cmd
}

func (f *Form) key(m tea.KeyMsg) (cmd tea.Cmd) {
	typed, isText := typedText(m)
	switch f.editing {
	case editPick:
		if isText {
			f.lookUp(typed)
		} else {
			f.pickKey(m.String())
		}
	case editRoute:
		switch m.String() {
		case "up":
			f.list.Up()
		case "down":
			f.list.Down()
		case "+":
			f.editing = editNone
			if f.said = f.Add(); !f.Editing() {
				return f.openHere()
			}
		default:
			if isText {
				f.said = "nothing is typed on this row: enter goes on, esc makes letters commands"
				if f.OnSend() {
					f.said = "nothing is typed on this row: enter sends, esc makes letters commands"
				}
			}
		}
	case editArea:
		into(f.area, typed, isText, m)
	case editDoc:
		into(f.doc.text, typed, isText, m)
		f.touched = true
	case editLine, editName, editKey, editFile:
		if f.editing == editFile && m.String() == "tab" {
			return f.complete()
		}
		if f.editing == editLine && m.Paste && strings.ContainsAny(typed, "\r\n") {
			s := []rune(f.input.Value())
			at := min(f.input.Position(), len(s))
			f.openArea(string(s[:at]), false)
			f.area.Insert(typed)
			line, column := f.area.Place()
			f.area.Insert(string(s[at:]))
			f.area.Go(line, column)
			return nil
		}
		f.input, cmd = f.input.Update(m)
	}
	return cmd
}

// into gives a key to an editor.
func into(e *editor.Editor, typed string, isText bool, m tea.KeyMsg) {
	if isText {
		e.Insert(typed)
		return
	}
	e.Key(m.String())
}
