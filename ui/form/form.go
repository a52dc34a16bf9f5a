// Package form is the argument form of a tool as rows: what the person sees and types. What a row
// means is decided by client/schema; here are the cursor, the keys and the drawing.
package form

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/editor"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/vlist"
)

// Form is the form of one tool. Its last row is the one that sends.
type Form struct {
	// Hide masks secrets in what is drawn, and keeps the length; nil draws all as it is.
	Hide func(string) string

	// Sends is what the row that sends is called; empty for Send.
	Sends string

	schema   *schema.Schema
	raw      []byte // the schema as sent
	form     *schema.Form
	all      []schema.Row
	rows     []*schema.Row // the visible ones of all
	hidden   int           // optional rows that are not shown
	names    int           // cells of the widest name with its indent
	have     int           // of the required arguments
	need     int
	list     vlist.List // over rows and the row that sends
	optional bool       // optional fields that are left out are shown too
	touched  bool
	problems []schema.Problem  // those shown; the ones without a row are drawn below
	warnings map[string]string // by row: what warns and never stops a call

	shows  view
	doc    document
	source *editor.Editor // the schema as sent, made when it is first looked at

	editing edit
	path    string // of the row being edited, or of the map that gets a new name
	was     string // what stood in the field when it was opened
	input   textinput.Model
	area    *editor.Editor
	pick    picker
	offered Offered // for the line that is typed
	said    string
}

// edit is what the keys of the person go into.
type edit uint8

const (
	editNone  edit = iota
	editLine       // one line of text
	editArea       // several lines
	editDoc        // the arguments as JSON
	editName       // the name of a new entry of a map
	editKey        // the name of an entry that is there
	editFile       // the name of a file to take a value from
	editPick       // a row of options; letters look one up
	editRoute      // a row without text, passed while editing: letters do nothing there
)

// manyRows is from how many rows on the optional ones are hidden at first.
const manyRows = 9

// New makes the form of a raw input schema, which may be missing or odd.
func New(raw []byte) *Form {
	f := &Form{input: textinput.New(), area: editor.New(""), raw: raw}
	f.input.Prompt = ""
	f.schema = schema.Compile(raw)
	f.form = f.schema.Form()
	f.all = f.form.Rows()
	f.optional = len(f.all) < manyRows
	f.lay()
	return f
}

// Reschema takes over a schema that changed; what was typed is loaded into the new form.
func (f *Form) Reschema(raw []byte) {
	f.keep()
	old, typed := f.form, f.form.Rows()
	f.schema, f.raw, f.source = schema.Compile(raw), raw, nil
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
	f.refreshDoc()
	f.advise()
	f.arrange()
}

// Schema is what the form was made from.
func (f *Form) Schema() *schema.Schema { return f.schema }

// Touched reports whether the person changed anything.
func (f *Form) Touched() bool { return f.touched || f.editing != editNone || f.doc.changed() }

// Said is the sentence about what happened last, once.
func (f *Form) Said() string {
	s := f.said
	f.said = ""
	return s
}

// arrange reads the rows anew and keeps the cursor on its row.
func (f *Form) arrange() {
	f.all = f.form.Rows()
	f.lay()
}

// lay chooses the rows that are seen.
func (f *Form) lay() {
	at, was := "", f.list.Cursor()
	r := f.current()
	if r != nil {
		at = r.Path
	}
	onSend := r == nil && len(f.rows) > 0
	f.rows, f.hidden, f.names, f.have, f.need = f.rows[:0], 0, 1, 0, 0
	skip, unsent := "", ""
	for i := range f.all {
		r := &f.all[i]
		if r.Path == "" && r.Label == "" {
			r.Label = "arguments"
		}
		unsent = f.count(r, unsent)
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
		f.names = max(f.names, text.Width(text.Short(r.Label, maxName))+indentWidth*r.Depth+len(foldMark(r)))
	}
	f.list.SetLen(len(f.rows) + 1)
	if onSend {
		f.list.Go(len(f.rows))
		return
	}
	for i, r := range f.rows {
		if r.Path == at && was >= 0 {
			f.list.Go(i)
			return
		}
	}
}

// count adds a row to the tally of what is required: fields at any depth, where what they lie in is
// sent. A group that is there is counted by its fields.
func (f *Form) count(r *schema.Row, unsent string) (below string) {
	if unsent != "" && strings.HasPrefix(r.Path, unsent) {
		return unsent
	}
	there := r.State != schema.StateLeftOut
	group := r.Control == schema.ControlGroup || r.Control == schema.ControlVariant && r.Inner != nil && r.Inner.Control == schema.ControlGroup
	if r.Required && !r.Named && r.Path != "" && r.Control != schema.ControlNone && !(group && there) {
		f.need++
		if there && (r.Sends || r.Items > 0) {
			f.have++
		}
	}
	if r.State != schema.StateSet {
		return r.Path + "/"
	}
	return ""
}

// Required is how many of the required arguments are there.
func (f *Form) Required() (have, need int) { return f.have, f.need }

// Len is the number of rows, with the one that sends, or of lines where JSON is shown.
func (f *Form) Len() int {
	if e := f.shown(); e != nil {
		return e.Lines()
	}
	return f.list.Len()
}

// current is the row under the cursor; nil on the row that sends.
func (f *Form) current() *schema.Row {
	if i := f.list.Cursor(); i >= 0 && i < len(f.rows) {
		return f.rows[i]
	}
	return nil
}

// OnSend reports whether the cursor is on the row that sends.
func (f *Form) OnSend() bool {
	return f.shows == viewRows && f.current() == nil && (f.editing == editNone || f.editing == editRoute)
}

// Value is the arguments, in the order of the schema, or as they were written where the JSON was
// typed, and what is wrong with them. An error names a text that is no JSON: then there is nothing
// to send, not even unchecked, and never what was there before.
func (f *Form) Value() (schema.Value, []schema.Problem, error) {
	f.keep()
	if f.doc.changed() {
		v, err := f.doc.value()
		if err != nil {
			return schema.Value{}, nil, err
		}
		return v, f.judge(f.schema.Check(v)), nil
	}
	v, typed := f.form.Value()
	for _, p := range typed {
		if p.Keyword == "json" {
			f.problems = nil
			f.arrange()
			return v, nil, errors.New(p.Sentence())
		}
	}
	return v, f.judge(f.schema.Merge(v, typed, f.schema.Check(v))), nil
}

// judge keeps what warns for the rows and returns what stops a call.
func (f *Form) judge(problems []schema.Problem) (hard []schema.Problem) {
	f.warnings = nil
	for _, p := range problems {
		if p.Advisory {
			f.warn(p)
		} else {
			hard = append(hard, p)
		}
	}
	return hard
}

func (f *Form) warn(p schema.Problem) {
	if f.warnings == nil {
		f.warnings = map[string]string{}
	}
	if _, ok := f.warnings[p.Row]; !ok {
		f.warnings[p.Row] = p.Message
	}
}

// advise renews the warnings without a check.
func (f *Form) advise() {
	f.warnings = nil
	v, _ := f.form.Value()
	for _, p := range f.schema.Advise(v) {
		f.warn(p)
	}
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
	f.refreshDoc()
	f.advise()
	f.arrange()
	return nil
}

// LoadText is Load from text. What is no object is not lost: it stands in the JSON view to be
// mended, with the cursor where reading ended, and the error says what is wrong.
func (f *Form) LoadText(s string) error {
	v, err := schema.Parse([]byte(s))
	if err == nil && f.Load(v) == nil {
		return nil
	}
	f.editing = editNone
	f.openDoc()
	f.shows = viewJSON
	f.doc.set(s)
	_, why := f.doc.value()
	if why == nil {
		why = errors.New("the arguments must be an object")
	}
	f.doc.seek()
	return why
}

// Secrets calls yield for every secret text that would be sent.
func (f *Form) Secrets(named func(string) bool, yield func(name, value string)) {
	if f.doc.changed() {
		if v, err := f.doc.value(); err == nil {
			f.schema.Secrets(v, named, yield)
			return
		}
	}
	f.form.Secrets(named, yield)
}

// Line is the row under the cursor as text.
func (f *Form) Line() string {
	if e := f.shown(); e != nil {
		return e.Line()
	}
	if r := f.current(); r != nil {
		return fmt.Sprintf("%s %s", r.Label, stands(r))
	}
	return ""
}

// Row is the row under the cursor, or the line where JSON is shown, counted from 0.
func (f *Form) Row() int {
	if e := f.shown(); e != nil {
		line, _ := e.Place()
		return line - 1
	}
	return f.list.Cursor()
}

// Path is the JSON pointer of the row under the cursor.
func (f *Form) Path() string {
	if r := f.current(); r != nil && f.shows == viewRows {
		return r.Path
	}
	return ""
}

// ToggleOptional shows or hides the optional fields that are left out.
func (f *Form) ToggleOptional() {
	f.optional = !f.optional
	f.lay()
}
