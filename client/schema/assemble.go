package schema

import "fmt"

// Value assembles the arguments: what is untouched and optional is not sent,
// what was typed goes out with its digits, names stand in the order of the
// schema. A problem with the keyword "json" means that a text could not be
// read and is missing from the value: it must not be sent, not even unchecked.
func (f *Form) Value() (Value, []Problem) {
	f.schema.mu.Lock()
	defer f.schema.mu.Unlock()
	var a assembler
	v, ok := a.value(f.root, "")
	if !ok {
		v = Obj()
	}
	return v, a.problems
}

type assembler struct{ problems []Problem }

func (a *assembler) problem(path, keyword, message string) {
	a.problems = append(a.problems, Problem{Path: path, Row: path, Keyword: keyword, Message: message})
}

func (a *assembler) value(f *field, path string) (v Value, ok bool) {
	if f.exact() {
		return a.typed(f, path)
	}
	state := f.now()
	if state == StateSet && f.n.spec.Control == ControlVariant {
		return a.value(f.body(), path)
	}
	if state != StateSet {
		return f.shortValue(state)
	}
	switch f.n.spec.Control {
	case ControlGroup:
		if f.n.spec.Tuple {
			return a.tuple(f, path)
		}
		return a.object(f, path), true
	case ControlMap:
		return a.object(f, path), true
	case ControlList:
		return a.list(f, path), true
	case ControlFixed:
		if f.text == "" {
			return f.n.spec.Options[0], true
		}
	}
	return a.typed(f, path)
}

func (a *assembler) typed(f *field, path string) (Value, bool) {
	v, failed := f.typed()
	if failed != nil {
		a.problem(path, failed.Keyword, failed.Problem)
		return v, failed.Keyword != "json"
	}
	return v, true
}

func (a *assembler) object(f *field, path string) Value {
	v := Value{Kind: Object}
	for _, kid := range f.children() {
		below := Pointer(path, kid.name)
		if member, ok := a.value(kid, below); ok {
			v.Members = append(v.Members, Member{kid.name, member})
		} else if kid.kind == kindEntry && !a.has(below) {
			a.problem(below, "required", "needs a value")
		}
	}
	return v
}

func (a *assembler) list(f *field, path string) Value {
	v := Value{Kind: Array}
	for _, kid := range f.kids {
		below := Pointer(path, kid.name)
		item, ok := a.value(kid, below)
		if !ok && !a.has(below) {
			a.problem(below, "required", "needs a value")
		}
		v.Items = append(v.Items, item)
	}
	return v
}

// tuple fills the places up to the last one that has a value.
func (a *assembler) tuple(f *field, path string) (Value, bool) {
	v := Value{Kind: Array}
	var gaps []string
	for i, kid := range f.children() {
		below := Pointer(path, kid.name)
		item, ok := a.value(kid, below)
		if !ok {
			gaps = append(gaps, below)
			continue
		}
		for len(v.Items) < i {
			v.Items = append(v.Items, Value{})
		}
		for _, gap := range gaps {
			if !a.has(gap) {
				a.problem(gap, "required", fmt.Sprintf("needs a value, the %s place has one", ordinal(i)))
			}
		}
		gaps = nil
		v.Items = append(v.Items, item)
	}
	return v, true
}

func (a *assembler) has(path string) bool {
	for _, p := range a.problems {
		if p.Path == path {
			return true
		}
	}
	return false
}

// Check assembles the arguments and checks them, and marks the rows. Problems
// stand in the order of Schema.Check.
func (f *Form) Check() (Value, []Problem) {
	v, own := f.Value()
	own = f.schema.Merge(v, own, f.schema.Check(v))
	f.Mark(own)
	return v, own
}

// Mark shows problems on their rows.
func (f *Form) Mark(problems []Problem) {
	f.problems = map[string]string{}
	for _, p := range problems {
		if _, ok := f.problems[p.Row]; !ok {
			f.problems[p.Row] = p.Message
		}
	}
}
