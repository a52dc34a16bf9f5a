package form

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client/schema"
)

// Draft is a text that is edited outside of the form: the value of a row, or all arguments.
type Draft struct {
	Text string
	Ext  string // of a file that holds it
	path string // of the row
	all  bool
	json bool // the row takes JSON, not text
	cut  bool // the text got a line break at its end, as editors want one
}

// Draft takes the row under the cursor out for editing, or all arguments, as the JSON view shows
// them. It says why that cannot be done.
func (f *Form) Draft(all bool) (Draft, string) {
	f.Done()
	if all || f.shows != viewRows {
		f.openDoc()
		if f.doc.text == nil {
			return Draft{}, "there is no JSON to edit: " + f.doc.refused
		}
		return Draft{Text: f.doc.text.Text() + "\n", Ext: ".json", all: true}, ""
	}
	r := f.current()
	if r == nil {
		return Draft{}, "choose a field first, or E for all arguments"
	}
	d := Draft{Ext: ".txt", path: r.Path, Text: written(r)}
	switch r.Control {
	case schema.ControlGroup, schema.ControlList, schema.ControlMap, schema.ControlVariant, schema.ControlNone:
		d.json = true
	case schema.ControlJSON:
		d.json = r.Sends || r.Text == ""
	}
	if d.json {
		d.Ext, d.Text = ".json", ""
		if v, ok := f.valueAt(r); ok {
			d.Text = string(schema.AppendIndent(nil, v, "  "))
		}
	}
	if d.cut = !strings.HasSuffix(d.Text, "\n"); d.cut {
		d.Text += "\n"
	}
	return d, ""
}

// Take takes over what became of a draft. JSON that cannot be read is not lost: of all arguments it
// stands in the JSON view, of a row in the row.
func (f *Form) Take(d Draft, s string) error {
	if d.all {
		return f.LoadText(strings.TrimRight(s, "\r\n"))
	}
	if d.cut {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	}
	f.editing = editNone
	defer f.change()
	if !d.json {
		return f.form.SetText(d.path, s)
	}
	if strings.TrimSpace(s) == "" {
		return f.form.LeaveOut(d.path)
	}
	v, err := schema.Parse([]byte(s))
	if err == nil {
		return f.form.LoadAt(d.path, v)
	}
	if kept := f.form.SetText(d.path, schema.ExactPrefix+s); kept != nil {
		return kept
	}
	return fmt.Errorf("invalid JSON at %w: it stands in the row to be mended", err)
}
