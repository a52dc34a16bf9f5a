package schema

// Control names the way in which a value is entered. The names are part of
// what `describe --json` promises.
type Control string

const (
	ControlText      Control = "text"
	ControlMultiline Control = "multiline" // text of several lines
	ControlSecret    Control = "secret"    // text that is not shown
	ControlInteger   Control = "integer"
	ControlNumber    Control = "number"
	ControlCheckbox  Control = "checkbox"
	ControlChoice    Control = "choice" // one of Options
	ControlDate      Control = "date"
	ControlDatetime  Control = "datetime"
	ControlList      Control = "list"    // rows of one kind, added and removed
	ControlGroup     Control = "group"   // an object with known properties, or a tuple
	ControlMap       Control = "map"     // an object with free names
	ControlVariant   Control = "variant" // one of Variants, each with its own rows
	ControlFixed     Control = "fixed"   // only Default is allowed
	ControlJSON      Control = "json"    // what no row can say
	ControlNone      Control = "none"    // nothing can be given here
)

// Spec is what a schema says about one value, the same for every row that
// shows it. It is shared: do not change it.
type Spec struct {
	Control     Control
	Title       string // as published; "" when there is none
	Description string // as published: line breaks and control bytes included
	Type        string // in a few words: "text", "whole number", "list of text"
	Nullable    bool
	Default     *Value // nil: none; null is a default too
	Examples    []Value
	Options     []Value  // of a choice
	Titles      []string // of the options; nil when no option has one
	Variants    []string // names of the branches
	// Min and Max are numbers as published: bounds of a number, rows of a
	// list, entries of a map, characters of a text; "" when there is none.
	Min, Max           string
	OpenMin, OpenMax   bool // the bound itself is excluded
	MultipleOf         string
	Pattern, Format    string
	Base64             bool // binary data: a file fits, sent as base64
	Secret             bool // to be masked: the schema says so
	ReadOnly, Tuple    bool // a tuple is an array with a row for each place
	Deprecated, Closed bool // closed: no further names are allowed
	Note               string
}

// Placeholder is an example as text, "" when there is none.
func (s *Spec) Placeholder() string {
	if len(s.Examples) == 0 {
		return ""
	}
	if e := s.Examples[0]; e.Kind != String {
		return e.JSON()
	}
	return s.Examples[0].Text
}

// takesText reports whether what is typed is the value itself, so that any
// text means a string.
func (c Control) takesText() bool {
	switch c {
	case ControlText, ControlMultiline, ControlSecret, ControlDate, ControlDatetime:
		return true
	}
	return false
}
