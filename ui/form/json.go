package form

import (
	"errors"
	"fmt"
	"strings"

	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/ui/editor"
)

// view is what of the form is shown.
type view uint8

const (
	viewRows   view = iota
	viewJSON        // the arguments as JSON, to be edited
	viewSchema      // the schema as it was sent
)

// document is the arguments as JSON text. Once it was changed it is what counts, until it is taken
// over by the rows or thrown away.
type document struct {
	text    *editor.Editor // nil: not made, or there is none
	loaded  string         // the text as the rows gave it
	refused string         // why the rows cannot be written as JSON

	read   int // version of text that parsed and failed belong to; -1: none
	parsed schema.Value
	failed error
	at     schema.SyntaxError // of failed
	was    int                // version that same belongs to
	same   bool
	masked int // version that the mask of text was made for
}

// changed reports whether the text is another one than the rows gave.
func (d *document) changed() bool {
	if d.text == nil {
		return false
	}
	if v := d.text.Version(); v != d.was {
		d.was, d.same = v, d.text.Text() == d.loaded
	}
	return !d.same
}

func (d *document) set(s string) {
	if d.text == nil {
		d.text = editor.New("")
		d.text.JSON = true
		d.loaded, d.was, d.same = "", 0, true
	}
	d.text.Set(s)
	d.read = -1
}

// value reads the text; what is no JSON is an error with its place.
func (d *document) value() (schema.Value, error) {
	if v := d.text.Version(); v != d.read {
		d.read = v
		d.at = schema.SyntaxError{}
		if d.parsed, d.failed = schema.Parse([]byte(d.text.Text())); d.failed != nil {
			var at *schema.SyntaxError
			if errors.As(d.failed, &at) {
				d.at = *at
			}
			d.failed = fmt.Errorf("invalid JSON at %w", d.failed)
		}
	}
	return d.parsed, d.failed
}

// seek puts the cursor where reading ended, if the text is no JSON.
func (d *document) seek() {
	if _, err := d.value(); err != nil && d.at.Line > 0 {
		d.text.Go(d.at.Line, d.at.Column)
	}
}

// mask draws what the schema calls secret as stars. While the text is no JSON the last mask holds.
func (d *document) mask(f *Form) {
	if _, err := d.value(); err != nil || d.masked == d.text.Version() && d.text.Mask != nil {
		return
	}
	var secrets []string
	f.Secrets(func(string) bool { return false }, func(_, value string) {
		if quoted := schema.Text(value).JSON(); value != "" {
			secrets = append(secrets, quoted[1:len(quoted)-1])
		}
	})
	d.masked = d.text.Version()
	d.text.Mask = func(line string) string {
		for _, s := range secrets {
			line = strings.ReplaceAll(line, s, strings.Repeat("*", len(s)))
		}
		return f.hide(line)
	}
}

// openDoc writes the rows as JSON, unless a text that was changed is there.
func (f *Form) openDoc() {
	if f.doc.changed() {
		return
	}
	f.doc = document{read: -1}
	v, problems := f.form.Value()
	for _, p := range problems {
		if p.Keyword == "json" {
			f.doc.refused = p.Sentence()
			return
		}
	}
	f.doc.loaded = string(schema.AppendIndent(nil, v, "  "))
	f.doc.text = editor.New(f.doc.loaded)
	f.doc.text.JSON = true
	f.doc.was, f.doc.same = f.doc.text.Version(), true
}

// refreshDoc writes the JSON anew after the rows were filled otherwise.
func (f *Form) refreshDoc() {
	f.doc = document{}
	if f.shows == viewJSON {
		f.openDoc()
	}
}

// shown is the text that stands in place of the rows; nil for the rows.
func (f *Form) shown() *editor.Editor {
	switch f.shows {
	case viewJSON:
		return f.doc.text
	case viewSchema:
		return f.source
	}
	return nil
}

// AsJSON reports whether the arguments or the schema are shown as JSON, where rows cannot be acted on.
func (f *Form) AsJSON() bool { return f.shows != viewRows }

// InDoc reports whether the JSON of the arguments is shown.
func (f *Form) InDoc() bool { return f.shows == viewJSON }

// Shows names what is shown; "" for the rows.
func (f *Form) Shows() string {
	switch f.shows {
	case viewJSON:
		if f.doc.changed() {
			return "JSON edited"
		}
		return "JSON"
	case viewSchema:
		return "schema as sent"
	}
	return ""
}

// NextView goes from the rows to the arguments as JSON, to the schema, and back to the rows, which
// take over what the JSON says. It tells why it cannot: then the JSON stays.
func (f *Form) NextView() string {
	f.Done()
	switch f.shows {
	case viewRows:
		at := f.Path()
		f.openDoc()
		f.shows = viewJSON
		f.point(schema.Problem{Row: at}) // the line of the row that the cursor is on
	case viewJSON:
		if f.source == nil {
			f.source = editor.New(pretty(f.raw))
			f.source.JSON, f.source.Mask = true, f.hide
		}
		f.shows = viewSchema
	default:
		f.shows = viewRows
		if err := f.takeDoc(); err != nil {
			f.shows = viewJSON
			f.doc.seek()
			return err.Error() + "; mend it, or u goes back to what the rows say"
		}
	}
	return ""
}

// takeDoc fills the rows from a text that was changed.
func (f *Form) takeDoc() error {
	if !f.doc.changed() {
		f.doc = document{}
		return nil
	}
	v, err := f.doc.value()
	if err != nil {
		return err
	}
	marked := f.problems
	if err := f.Load(v); err != nil {
		return err
	}
	f.problems = marked
	f.form.Mark(marked)
	f.arrange()
	return nil
}

// Discard throws the changes of the JSON away.
func (f *Form) Discard() string {
	if !f.doc.changed() {
		return "the JSON says what the rows say"
	}
	f.doc.text.Set(f.doc.loaded)
	return "the JSON says again what the rows say; ctrl+z in it takes that back"
}

// pretty is a text of JSON with its tokens as sent, over several lines; what is none stays as it is.
func pretty(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	if v, err := schema.Parse(raw); err == nil {
		return string(schema.AppendIndent(nil, v, "  "))
	}
	return string(raw)
}

// point puts the cursor of the JSON on the place of a problem.
func (f *Form) point(p schema.Problem) {
	if f.doc.text == nil {
		return
	}
	if line, column, ok := schema.Locate([]byte(f.doc.text.Text()), p.Row); ok {
		f.doc.text.Go(line, column)
	}
}

// nextPlace moves to the next line of the JSON that has a problem.
func (f *Form) nextPlace(back bool) bool {
	if f.doc.text == nil {
		return false
	}
	if _, err := f.doc.value(); err != nil {
		f.doc.seek()
		return true
	}
	here, _ := f.doc.text.Place()
	whole := []byte(f.doc.text.Text())
	best, first := 0, 0
	better := func(line, than int) bool { return than == 0 || (line < than) != back }
	for _, p := range f.problems {
		line, _, ok := schema.Locate(whole, p.Row)
		if !ok {
			continue
		}
		if better(line, first) {
			first = line
		}
		if line != here && (line < here) == back && better(line, best) {
			best = line
		}
	}
	if best == 0 {
		best = first
	}
	if best == 0 {
		return false
	}
	f.doc.text.Go(best, 1+len(indentOf(f.doc.text, best)))
	return true
}

func indentOf(e *editor.Editor, line int) string {
	e.Go(line, 1)
	s := e.Line()
	return s[:len(s)-len(strings.TrimLeft(s, " "))]
}
