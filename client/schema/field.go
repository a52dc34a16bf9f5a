package schema

import "strconv"

// State says what a row sends. Left out, null, empty and default are four
// different things.
type State uint8

const (
	StateLeftOut State = iota // nothing is sent
	StateNull
	StateEmpty   // "", [] or {}
	StateDefault // the default of the schema, sent because it was chosen
	StateSet
)

func (s State) String() string {
	switch s {
	case StateLeftOut:
		return "left out"
	case StateNull:
		return "null"
	case StateEmpty:
		return "empty"
	case StateDefault:
		return "default"
	}
	return "set"
}

// field is one place in the tree that a person fills in. Fields below a group
// are made when they are first looked at, so a schema that contains itself is
// as deep as somebody opened it.
type field struct {
	n        *node
	parent   *field
	fields   *int   // in the whole form
	name     string // property, key of a map, or index of a row
	required bool
	kind     fieldKind
	notes    []string

	auto   bool // state follows from what is below it and whether it is required
	state  State
	text   string // as typed; kept in every state
	folded *bool  // nil: as it comes

	kids   []*field
	made   bool
	branch int
	picked bool           // the branch was chosen, perhaps before anything was filled in
	bodies map[int]*field // of a variant, kept when another branch is chosen

	read   bool // value and failed belong to text
	value  Value
	failed *TextError
}

type fieldKind uint8

const (
	kindProperty fieldKind = iota
	kindExtra              // a name that the schema does not list
	kindEntry              // of a map
	kindItem               // of a list
	kindPlace              // of a tuple
	kindBody               // the chosen branch of a variant; shares its path
)

func (f *field) pointer() string {
	if f.parent == nil {
		return ""
	}
	if f.kind == kindBody {
		return f.parent.pointer()
	}
	return Pointer(f.parent.pointer(), f.name)
}

func newField(n *node, parent *field, name string, kind fieldKind, required bool) *field {
	f := &field{n: n, parent: parent, name: name, kind: kind, required: required}
	if f.fields = new(int); parent != nil {
		f.fields = parent.fields
	}
	*f.fields++
	switch n.spec.Control {
	case ControlGroup, ControlVariant, ControlFixed:
		f.auto = true
	}
	return f
}

// onDemand reports whether a group is only opened when somebody asks: the same
// node stands above, or the form is large already.
func (f *field) onDemand() bool {
	if !f.made && *f.fields > maxAutoRows {
		return true
	}
	for p := f.parent; p != nil; p = p.parent {
		if p.n.sameShape(f.n) {
			return true
		}
	}
	return false
}

// exact reports whether the text is JSON to the letter.
func (f *field) exact() bool {
	return f.state == StateSet && !f.auto && len(f.text) >= len(ExactPrefix) && f.text[:len(ExactPrefix)] == ExactPrefix
}

// children gives the fields below, making them when that is due.
func (f *field) children() []*field {
	if f.made {
		return f.kids
	}
	f.made = true
	if f.n.spec.Control != ControlGroup {
		return f.kids
	}
	if f.n.spec.Tuple {
		for i, n := range f.n.prefix {
			f.kids = append(f.kids, newField(n, f, strconv.Itoa(i), kindPlace, i < f.n.minLen))
		}
		return f.kids
	}
	f.kids = make([]*field, 0, len(f.n.props))
	for _, p := range f.n.props {
		kid := newField(f.n.propertyNode(p), f, p.name, kindProperty, p.required)
		kid.notes = p.notes
		f.kids = append(f.kids, kid)
	}
	return f.kids
}

// body gives the field of the chosen branch of a variant.
func (f *field) body() *field {
	b, ok := f.bodies[f.branch]
	if !ok {
		b = newField(f.n.branch(f.branch), f, f.name, kindBody, f.required)
		if f.bodies == nil {
			f.bodies = map[int]*field{}
		}
		f.bodies[f.branch] = b
	}
	return b
}

// touched reports whether somebody set something here or below.
func (f *field) touched() bool {
	if !f.auto && f.state != StateLeftOut {
		return true
	}
	if !f.auto && f.n.spec.Control == ControlGroup {
		return false // left out on purpose, whatever is kept below
	}
	if f.n.spec.Control == ControlVariant {
		b, ok := f.bodies[f.branch]
		return ok && b.touched()
	}
	for _, kid := range f.kids {
		if kid.touched() {
			return true
		}
	}
	return false
}

// now gives the state as it counts.
func (f *field) now() State {
	if !f.auto {
		return f.state
	}
	switch f.n.spec.Control {
	case ControlFixed:
		if f.required {
			return StateSet
		}
		return StateLeftOut
	case ControlVariant:
		if f.touched() || f.required && f.body().now() == StateSet {
			return StateSet
		}
		return StateLeftOut
	}
	if f.parent == nil || f.required && !f.onDemand() || f.touched() {
		return StateSet
	}
	return StateLeftOut
}

// wake makes everything above follow what is below it again, after a change.
func (f *field) wake() {
	for p := f.parent; p != nil; p = p.parent {
		switch p.n.spec.Control {
		case ControlGroup, ControlVariant:
			if p.state != StateSet || p.exact() {
				p.auto = true
			}
		default:
			p.auto, p.state = false, StateSet
		}
	}
}

// typed gives what the text means, read once.
func (f *field) typed() (Value, *TextError) {
	if !f.read {
		f.read = true
		if f.exact() {
			f.value, f.failed = readExact(f.text[len(ExactPrefix):])
		} else {
			f.value, f.failed = f.n.readText(f.text)
		}
	}
	return f.value, f.failed
}

// at finds the field of a path. Bodies of variants share the path of the
// variant, which is what is found.
func (f *field) at(tokens []string) *field {
	for _, t := range tokens {
		for f.n.spec.Control == ControlVariant {
			f = f.body()
		}
		var next *field
		if f.n.spec.Control == ControlList {
			if i, ok := index(t, len(f.kids)); ok && i < len(f.kids) {
				next = f.kids[i]
			}
		} else {
			for _, kid := range f.children() {
				if kid.name == t {
					next = kid
					break
				}
			}
		}
		if next == nil {
			return nil
		}
		f = next
	}
	return f
}

// inner is the field that takes text and rows: itself, or the chosen branch.
func (f *field) inner() *field {
	for f.n.spec.Control == ControlVariant {
		f = f.body()
	}
	return f
}
