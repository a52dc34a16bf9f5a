// Package form is the argument form of a tool as rows: what the person sees and types. What a row
// means is decided by client/schema; here are the cursor, the keys and the drawing.
package form

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/vlist"
)

// Form is the form of one tool. Its last row is the one that sends.
type Form struct {
	schema   *schema.Schema
	form     *schema.Form
	rows     []schema.Row // the visible ones
	hidden   int          // optional rows that are not shown
	list     vlist.List   // over rows and the row that sends
	optional bool         // optional fields that are left out are shown too
	touched  bool
	problems []schema.Problem // those shown; the ones without a row are drawn below

	editing edit
	path    string // of the row being edited, or of the map that gets a new name
	input   textinput.Model
	area    textarea.Model
	json    bool // the arguments as JSON are shown instead of the rows
}

// edit is what the keys of the person go into.
type edit uint8

const (
	editNone edit = iota
	editLine      // one line of text
	editArea      // several lines
	editName      // the name of a new entry of a map
	editPick      // a row without text, passed while editing: letters do nothing there
)

// manyRows is from how many rows on the optional ones are hidden at first.
const manyRows = 9

// New makes the form of a raw input schema, which may be missing or odd.
func New(raw []byte) *Form {
	f := &Form{input: textinput.New(), area: textarea.New()}
	f.input.Prompt, f.area.Prompt = "", ""
	f.area.ShowLineNumbers = false
	f.area.CharLimit = 0
	f.area.MaxHeight = 0
	f.schema = schema.Compile(raw)
	f.form = f.schema.Form()
	f.optional = len(f.form.Rows()) < manyRows
	f.arrange()
	return f
}

// Reschema takes over a schema that changed; what was typed is loaded into the new form.
func (f *Form) Reschema(raw []byte) {
	f.keep()
	old, typed := f.form, f.form.Rows()
	f.schema = schema.Compile(raw)
	f.form = f.schema.Form()
	if f.touched {
		v, _ := old.Value()
		f.form.Load(v)
		for _, r := range typed {
			if !r.Sends && r.Text != "" {
				_ = f.form.SetText(r.Path, r.Text) // unreadable text stays for the person to mend
			}
		}
	}
	f.editing = editNone
	f.arrange()
}

// Schema is what the form was made from.
func (f *Form) Schema() *schema.Schema { return f.schema }

// Touched reports whether the person changed anything.
func (f *Form) Touched() bool { return f.touched || f.editing != editNone }

// arrange reads the rows anew and keeps the cursor on its row.
func (f *Form) arrange() {
	at, was := "", f.list.Cursor()
	if r := f.current(); r != nil {
		at = r.Path
	}
	f.rows, f.hidden = f.rows[:0], 0
	skip := ""
	for _, r := range f.form.Rows() {
		if skip != "" && strings.HasPrefix(r.Path, skip) {
			continue
		}
		skip = ""
		if r.Path == "" && r.Control == schema.ControlNone {
			continue // no arguments: the row that sends says so
		}
		if !f.optional && !r.Required && !r.Extra && r.State == schema.StateLeftOut && r.Problem == "" && r.Control != schema.ControlNone && r.Path != "" {
			f.hidden++
			skip = r.Path + "/"
			continue
		}
		f.rows = append(f.rows, r)
	}
	f.list.SetLen(len(f.rows) + 1)
	for i := range f.rows {
		if f.rows[i].Path == at && was >= 0 && was <= len(f.rows) {
			f.list.Go(i)
			return
		}
	}
}

// Len is the number of rows, with the one that sends.
func (f *Form) Len() int { return f.list.Len() }

// current is the row under the cursor; nil on the row that sends.
func (f *Form) current() *schema.Row {
	if i := f.list.Cursor(); i >= 0 && i < len(f.rows) {
		return &f.rows[i]
	}
	return nil
}

// OnSend reports whether the cursor is on the row that sends.
func (f *Form) OnSend() bool {
	return f.current() == nil && (f.editing == editNone || f.editing == editPick)
}

// Value assembles the arguments in the order of the schema, and what is wrong with them. An error
// names a row whose text is no JSON: then there is nothing to send, not even unchecked.
func (f *Form) Value() (schema.Value, []schema.Problem, error) {
	f.keep()
	v, problems := f.form.Check()
	var hard []schema.Problem
	for _, p := range problems {
		if p.Keyword == "json" {
			f.problems = nil
			f.arrange()
			return v, nil, errors.New(p.Sentence())
		}
		if !p.Advisory {
			hard = append(hard, p)
		}
	}
	return v, hard, nil
}

// Load fills the form from an object; members that the schema does not name get rows too.
func (f *Form) Load(v schema.Value) error {
	if v.Kind != schema.Object {
		return errors.New("the arguments must be an object")
	}
	f.editing = editNone
	f.form = f.schema.Form()
	f.form.Load(v)
	f.touched, f.problems = true, nil
	f.arrange()
	return nil
}

// ShowProblems puts problems on their rows and moves to the first; none takes the marks away.
func (f *Form) ShowProblems(problems []schema.Problem) {
	f.problems = problems
	f.form.Mark(problems)
	f.arrange()
	if len(problems) == 0 {
		return
	}
	for i := range f.rows {
		if f.rows[i].Problem != "" {
			f.list.Go(i)
			return
		}
	}
}

// Problems is how many problems are shown.
func (f *Form) Problems() int { return len(f.problems) }

// homeless are the problems that stand on no row.
func (f *Form) homeless() (out []schema.Problem) {
next:
	for _, p := range f.problems {
		for i := range f.rows {
			if f.rows[i].Path == p.Row && p.Row != "" {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// NextProblem moves to the next row with a problem, round the end; false when there is none.
func (f *Form) NextProblem(back bool) bool {
	return f.seek(!back, func(r *schema.Row) bool { return r.Problem != "" })
}

func (f *Form) seek(forward bool, pass func(*schema.Row) bool) bool {
	i, _ := f.list.Search(forward).Next(f.list.Len(), func(i int) bool { return i < len(f.rows) && pass(&f.rows[i]) })
	if i >= 0 {
		f.list.Go(i)
	}
	return i >= 0
}

// Find moves to the next row whose name, description or text passes.
func (f *Form) Find(dir int, pass func(string) bool) bool {
	return f.seek(dir > 0, func(r *schema.Row) bool { return pass(r.Label) || pass(r.Description) || pass(shown(r)) })
}

// Required is how many of the required arguments are there. A group counts when something is in it.
func (f *Form) Required() (have, need int) {
	for _, r := range f.form.Rows() {
		if !r.Required || r.Control == schema.ControlNone || strings.Count(r.Path, "/") != 1 {
			continue
		}
		need++
		switch r.Control {
		case schema.ControlFixed:
			have++
		case schema.ControlGroup:
			if len(r.Value.Members)+len(r.Value.Items) > 0 {
				have++
			}
		default:
			if r.Sends {
				have++
			}
		}
	}
	return have, need
}

// Secrets calls yield for every secret text that would be sent.
func (f *Form) Secrets(named func(string) bool, yield func(name, value string)) {
	f.form.Secrets(named, yield)
}

// Step moves the cursor.
func (f *Form) Step(by int) { f.list.Go(f.list.Cursor() + by) }

// Line is the row under the cursor as text.
func (f *Form) Line() string {
	if r := f.current(); r != nil {
		return fmt.Sprintf("%s %s", r.Label, shown(r))
	}
	return ""
}

// Path is the JSON pointer of the row under the cursor.
func (f *Form) Path() string {
	if r := f.current(); r != nil {
		return r.Path
	}
	return ""
}

// AsJSON reports whether the arguments are shown as JSON, where rows cannot be acted on.
func (f *Form) AsJSON() bool { return f.json }

// NextView changes between the rows and the arguments as JSON.
func (f *Form) NextView() { f.json = !f.json }

// ToggleOptional shows or hides the optional fields that are left out.
func (f *Form) ToggleOptional() {
	f.optional = !f.optional
	f.arrange()
}
