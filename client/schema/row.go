package schema

import "strings"

// Row is one line of a form. It is a copy: it does not change when the form
// does.
type Row struct {
	*Spec
	Path     string // JSON pointer of the value
	Name     string // property, key, or number of the row from 1
	Label    string // the title, or else the name
	Depth    int    // from 0
	Required bool
	Tristate bool // a checkbox that can also be left out or null
	State    State
	Text     string // as typed
	Value    Value  // what would be sent, when Sends
	Sends    bool
	Branch   int   // of a variant: the chosen one
	Picked   bool  // of a variant: the branch was chosen, also where nothing is filled in yet
	Inner    *Spec // of a variant: what the chosen branch is; else nil
	Items    int   // rows of a list, entries of a map
	Note     string
	Problem  string // of the text, or of the last check
	Extra    bool   // a name that the schema does not list
	Named    bool   // the name can be changed: SetKey
	CanAdd   bool
	CanMove  bool
	Folded   bool // there is more below
}

// Rows gives the rows that are to be seen, in the order of the schema. The
// arguments as a whole have a row only where there is something to choose or
// nothing to fill in.
func (f *Form) Rows() []Row {
	f.schema.mu.Lock()
	defer f.schema.mu.Unlock()
	l := lister{form: f, rows: make([]Row, 0, f.shown+f.shown/8+len(f.root.n.props))}
	defer func() { f.shown = len(l.rows) }()
	root := f.root
	switch c := root.n.spec.Control; {
	case root.exact():
		l.row(root, "", 0)
	case c == ControlGroup:
		l.below(root, "", 0)
	default:
		l.field(root, "", 0)
	}
	if len(l.rows) == 0 {
		l.rows = append(l.rows, Row{Spec: noArguments, Label: "no arguments", State: StateSet, Sends: true, Value: Obj(), CanAdd: root.n.growable()})
	}
	return l.rows
}

var noArguments = &Spec{Control: ControlNone, Type: "nothing"}

// onDemandNote is said of a row whose rows would repeat what is above it, or would be too many.
const onDemandNote = "rows are built on demand"

type lister struct {
	form *Form
	rows []Row
}

func (l *lister) field(f *field, path string, depth int) {
	l.row(f, path, depth)
	at := len(l.rows) - 1
	if f.exact() {
		return
	}
	in := f.inner()
	if in != f && in.exact() {
		return
	}
	switch in.n.spec.Control {
	case ControlGroup, ControlList, ControlMap:
	default:
		return
	}
	if l.folds(f, in, depth) {
		l.rows[at].Folded = in.n.spec.Control == ControlGroup || len(in.kids) > 0
		if in.n.spec.Control == ControlGroup && f.folded == nil {
			l.rows[at].addNote(onDemandNote)
		}
		return
	}
	l.below(in, path, depth+1)
}

// folds decides whether what is below stays hidden.
func (l *lister) folds(f, in *field, depth int) bool {
	if f.folded != nil {
		return *f.folded
	}
	if in.n.spec.Control != ControlGroup || in.touched() {
		return false
	}
	return in.onDemand() || !f.required && depth >= maxAutoDepth || depth >= maxNesting
}

func (l *lister) below(f *field, path string, depth int) {
	for _, kid := range f.children() {
		l.field(kid, Pointer(path, kid.name), depth)
	}
}

func (l *lister) row(f *field, path string, depth int) {
	in := f.inner()
	r := Row{
		Spec: &f.n.spec, Path: path, Name: f.name, Label: f.n.spec.Title, Depth: depth,
		Required: f.required, State: f.now(), Text: in.text, Note: f.n.spec.Note,
		Extra: f.kind == kindExtra, Named: f.kind == kindExtra || f.kind == kindEntry, CanMove: f.kind == kindItem,
	}
	if f.exact() {
		r.Text = f.text
	} else if in != f {
		r.Inner, r.Branch, r.Picked = &in.n.spec, f.branch, f.picked
		r.addNote(in.n.spec.Note)
	}
	switch f.kind {
	case kindItem, kindPlace:
		r.Name = rowNumber(f.name)
	case kindProperty:
		if f.name == "" && f.parent != nil {
			r.addNote("the empty key")
		}
	}
	if r.Label == "" {
		r.Label = r.Name
	}
	for _, note := range f.notes {
		r.addNote(note)
	}
	if f.kind == kindExtra {
		r.addNote("not in the schema")
	}
	c := in.n.spec.Control
	if (c == ControlList) && f.recursiveItems() {
		r.addNote(onDemandNote)
	}
	r.Tristate = c == ControlCheckbox && (!f.required && f.n.spec.Default == nil || f.n.spec.Nullable)
	r.CanAdd = c == ControlMap || in.n.growable() || c == ControlList && (in.n.item != nil || len(in.kids) < len(in.n.prefix))
	if c == ControlList || c == ControlMap {
		r.Items = len(in.kids)
	}
	if r.State == StateSet && (in.exact() || f.exact() || !hasRows(c)) {
		on := in
		if f.exact() {
			on = f
		}
		if !on.auto {
			v, failed := on.typed()
			r.Value, r.Sends = v, failed == nil || failed.Keyword != "json"
			if failed != nil {
				r.Problem = failed.Problem
			}
		}
	}
	if !r.Sends {
		r.Value, r.Sends = f.shortValue(r.State)
	}
	if p, ok := l.form.problems[path]; ok && r.Problem == "" {
		r.Problem = p
	}
	l.rows = append(l.rows, r)
}

func hasRows(c Control) bool {
	return c == ControlGroup || c == ControlList || c == ControlMap
}

// shortValue gives the value of a row where that takes no look below it.
func (f *field) shortValue(state State) (Value, bool) {
	in := f.inner()
	switch state {
	case StateNull:
		return Value{}, true
	case StateDefault:
		return *f.n.spec.Default, true
	case StateEmpty:
		v, ok := in.n.empty()
		return v, ok
	case StateSet:
		if in.n.spec.Control == ControlFixed {
			return in.n.spec.Options[0], true
		}
	}
	return Value{}, false
}

func rowNumber(index string) string {
	n := 0
	for _, c := range index {
		n = n*10 + int(c-'0')
	}
	return Int(int64(n) + 1).Text
}

// Recursive reports whether what is below the row is like what it is in, and was not made for that.
func (r *Row) Recursive() bool { return strings.Contains(r.Note, onDemandNote) }

// recursiveItems reports whether the rows of a list hold what the list is in.
func (f *field) recursiveItems() bool {
	item := f.inner().n.item
	for p := f; p != nil && item != nil; p = p.parent {
		if p.n.sameShape(item) {
			return true
		}
	}
	return false
}

func (r *Row) addNote(text string) {
	if text == "" || strings.Contains(r.Note, text) {
		return
	}
	if r.Note != "" {
		r.Note += "; "
	}
	r.Note += text
}

// Describe gives the row as `describe --json` prints it: the keys that say
// something, in a fixed order.
func (r Row) Describe() Value {
	v := Obj()
	add := func(name string, value Value) { v.Members = append(v.Members, Member{name, value}) }
	text := func(name, s string) {
		if s != "" {
			add(name, Text(s))
		}
	}
	number := func(name, token string) {
		if token != "" {
			add(name, Value{Kind: Number, Text: token})
		}
	}
	yes := func(name string, b bool) {
		if b {
			add(name, Boolean(true))
		}
	}
	texts := func(name string, list []string) {
		if list == nil {
			return
		}
		items := make([]Value, len(list))
		for i, s := range list {
			items[i] = Text(s)
		}
		add(name, List(items...))
	}
	add("path", Text(r.Path))
	add("control", Text(string(r.Control)))
	add("required", Boolean(r.Required))
	yes("nullable", r.Nullable)
	if r.Default != nil {
		add("default", *r.Default)
	}
	if r.Options != nil {
		add("options", List(r.Options...))
	}
	texts("titles", r.Titles)
	texts("variants", r.Variants)
	yes("tristate", r.Tristate)
	low, high := "min", "max"
	if r.OpenMin {
		low = "above"
	}
	if r.OpenMax {
		high = "below"
	}
	number(low, r.Min)
	number(high, r.Max)
	number("multipleOf", r.MultipleOf)
	text("pattern", r.Pattern)
	text("format", r.Format)
	if r.Label != r.Name {
		text("label", r.Label)
	}
	text("placeholder", r.Placeholder())
	text("type", r.Type)
	text("description", r.Description)
	text("note", r.Note)
	return v
}
