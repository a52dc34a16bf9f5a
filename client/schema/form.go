package schema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Form is a schema being filled in. Rows and operations go by JSON pointers. A
// Form belongs to one goroutine at a time.
type Form struct {
	schema   *Schema
	root     *field
	problems map[string]string // by row, of the last check
	shown    int               // rows there were last time
}

// Form makes an empty form.
func (s *Schema) Form() *Form {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	return &Form{schema: s, root: newField(s.root, nil, "", kindProperty, true)}
}

// Rows gives the rows of an empty form: what `describe` prints.
func (s *Schema) Rows() []Row { return s.Form().Rows() }

// edit finds the field of a path and lets do change it.
func (f *Form) edit(path string, do func(*field) error) error {
	f.schema.mu.Lock()
	defer f.schema.mu.Unlock()
	tokens, err := Tokens(path)
	if err != nil {
		return err
	}
	x := f.root.at(tokens)
	if x == nil {
		return fmt.Errorf("the form has no row %s", path)
	}
	if err := do(x); err != nil {
		return err
	}
	delete(f.problems, path)
	return nil
}

// SetText takes what was typed into a row. Text that starts with ":=" is exact
// JSON; empty text leaves the row out (SetEmpty sends ""), and gives a group or
// list that was exact JSON its rows back.
func (f *Form) SetText(path, text string) error {
	return f.edit(path, func(x *field) error {
		exact := strings.HasPrefix(text, ExactPrefix)
		in := x
		if !exact {
			in = x.inner()
			switch in.n.spec.Control {
			case ControlGroup, ControlList, ControlMap:
				if text == "" {
					in.text, in.read, in.state, in.auto = "", false, StateLeftOut, in.n.spec.Control == ControlGroup
					x.auto = x.auto || in != x
					return nil
				}
				return fmt.Errorf("%s has rows of its own; as JSON it starts with %s", rowName(path), ExactPrefix)
			}
		}
		in.text, in.read, in.auto, in.state = text, false, false, StateSet
		if text == "" {
			in.state = StateLeftOut
		}
		if in != x {
			x.auto = true
		}
		in.wake()
		return nil
	})
}

func rowName(path string) string {
	if path == "" {
		return "the form"
	}
	return Place(path)
}

// LeaveOut sends nothing for a row, not even what is filled in below it. That
// is kept, and comes back with the next change there.
func (f *Form) LeaveOut(path string) error { return f.set(path, StateLeftOut) }

// SetNull sends null, also where the schema has other wishes: the check says so.
func (f *Form) SetNull(path string) error { return f.set(path, StateNull) }

// SetDefault sends the default of the schema.
func (f *Form) SetDefault(path string) error { return f.set(path, StateDefault) }

// SetEmpty sends empty text, an empty list or an empty object.
func (f *Form) SetEmpty(path string) error { return f.set(path, StateEmpty) }

func (f *Form) set(path string, to State) error {
	return f.edit(path, func(x *field) error {
		switch {
		case x.parent == nil && to != StateEmpty:
			return fmt.Errorf("the arguments as a whole cannot be %s", to)
		case to == StateDefault && x.n.spec.Default == nil:
			return fmt.Errorf("%s has no default", rowName(path))
		case to == StateEmpty:
			if _, ok := x.inner().n.empty(); !ok {
				return fmt.Errorf("%s cannot be empty", rowName(path))
			}
			if in := x.inner(); in != x {
				in.auto, in.state = false, to
				x.auto = true
				in.wake()
				return nil
			}
		}
		x.auto, x.state, x.picked = false, to, false
		if to != StateLeftOut {
			x.wake()
		}
		return nil
	})
}

// empty is the empty value of the node's kind.
func (n *node) empty() (Value, bool) {
	switch c := n.spec.Control; {
	case c.takesText():
		return Text(""), true
	case c == ControlList, c == ControlGroup && n.spec.Tuple:
		return List(), true
	case c == ControlGroup, c == ControlMap:
		return Obj(), true
	case c == ControlJSON:
		switch t := n.accepts; {
		case t&typeObject != 0:
			return Obj(), true
		case t&typeArray != 0:
			return List(), true
		}
	}
	return Value{}, false
}

// Set makes a row that was left out there: a checkbox true, a choice its first
// option, a fixed value itself, a group or variant open, else what was typed
// before. It is the counterpart of LeaveOut.
func (f *Form) Set(path string) error {
	return f.edit(path, func(x *field) error {
		in := x.inner()
		switch in.n.spec.Control {
		case ControlCheckbox:
			if in.text == "" {
				in.text, in.read = "true", false
			}
		case ControlChoice, ControlFixed:
			if in.text == "" {
				in.text, in.read = in.n.optionText(in.n.spec.Options[0]), false
			}
		}
		in.auto, in.state = false, StateSet
		if in != x {
			x.auto, x.state = false, StateSet
		}
		in.wake()
		return nil
	})
}

// Choose takes an option of a choice by its number.
func (f *Form) Choose(path string, option int) error {
	return f.edit(path, func(x *field) error {
		in := x.inner()
		if option < 0 || option >= len(in.n.spec.Options) {
			return fmt.Errorf("%s has %s", rowName(path), plural(len(in.n.spec.Options), "option"))
		}
		in.text, in.read, in.auto, in.state = in.n.optionText(in.n.spec.Options[option]), false, false, StateSet
		in.wake()
		return nil
	})
}

// ChooseBranch takes a variant by its number. What was filled in for another
// one is kept and not sent.
func (f *Form) ChooseBranch(path string, branch int) error {
	return f.edit(path, func(x *field) error {
		if branch < 0 || branch >= len(x.n.spec.Variants) {
			return fmt.Errorf("%s has %s", rowName(path), plural(len(x.n.spec.Variants), "variant"))
		}
		x.branch, x.picked, x.auto = branch, true, true
		switch b := x.body(); b.n.spec.Control {
		case ControlGroup, ControlFixed:
			if x.parent != nil {
				b.auto, b.state = false, StateSet
				if b.n.spec.Control == ControlFixed {
					b.text, b.read = b.n.optionText(b.n.spec.Options[0]), false
				}
			}
		}
		x.wake()
		return nil
	})
}

// Branch finds a variant by name: in full, or by the value that tells it apart.
func (f *Form) Branch(path, name string) (int, error) {
	found := -1
	err := f.edit(path, func(x *field) error {
		for i, v := range x.n.spec.Variants {
			_, value, _ := strings.Cut(v, " = ")
			if v == name || slices.Contains(strings.Split(value, ", "), name) {
				found = i
				return nil
			}
		}
		return fmt.Errorf("%s has no variant %s; there are %s", rowName(path), quote(name), listWords(x.n.spec.Variants, "and"))
	})
	return found, err
}

// Add makes a new row at the end of a list, or a new name in a map or in a
// group that allows more, and gives its path.
func (f *Form) Add(path string) (string, error) {
	return f.AddNamed(path, "")
}

// AddNamed is Add with the name of the new entry; "" takes a free one.
func (f *Form) AddNamed(path, name string) (added string, err error) {
	err = f.edit(path, func(x *field) error {
		in := x.inner()
		var kid *field
		switch c := in.n.spec.Control; {
		case c == ControlList:
			i := len(in.kids)
			if i >= len(in.n.prefix) && in.n.item == nil {
				return fmt.Errorf("%s takes no more rows", rowName(path))
			}
			kid = newField(in.n.row(i), in, strconv.Itoa(i), kindItem, true)
		case c == ControlMap, in.n.growable():
			kind := kindEntry
			if c == ControlGroup {
				kind = kindExtra
			}
			if name == "" {
				name = in.freeName()
			} else if in.at([]string{name}) != nil {
				return fmt.Errorf("%s has an entry %s already", rowName(path), quote(name))
			}
			kid = newField(in.n.extra(name), in, name, kind, true)
		default:
			return fmt.Errorf("%s takes no more rows", rowName(path))
		}
		in.kids = append(in.children(), kid)
		kid.wake()
		added = kid.pointer()
		return nil
	})
	return added, err
}

// Grows reports whether AddNamed can give a row below it one more name.
func (f *Form) Grows(path string) bool {
	return f.edit(path, func(x *field) error {
		if in := x.inner(); in.n.spec.Control == ControlMap || in.n.growable() {
			return nil
		}
		return errors.New("closed")
	}) == nil
}

func (n *node) growable() bool {
	return n.spec.Control == ControlGroup && !n.spec.Tuple && !n.spec.Closed
}

func (f *field) freeName() string {
	for i := 1; ; i++ {
		name := "key"
		if i > 1 {
			name += strconv.Itoa(i)
		}
		if f.at([]string{name}) == nil {
			return name
		}
	}
}

// SetKey renames an entry of a map or a name that was added to a group.
func (f *Form) SetKey(path, name string) error {
	return f.edit(path, func(x *field) error {
		if x.kind != kindEntry && x.kind != kindExtra {
			return fmt.Errorf("%s has a name that is given", rowName(path))
		}
		if other := x.parent.at([]string{name}); other != nil && other != x {
			return fmt.Errorf("there is an entry %s already", quote(name))
		}
		x.name = name
		if n := x.parent.n.extra(name); n != x.n && !x.touched() {
			kept := *x
			*x = *newField(n, kept.parent, name, kept.kind, true)
		}
		return nil
	})
}

// Remove takes a row out of a list, an entry out of a map.
func (f *Form) Remove(path string) error {
	return f.edit(path, func(x *field) error {
		p := x.parent
		if p == nil || x.kind == kindProperty || x.kind == kindPlace {
			return fmt.Errorf("%s belongs to the form; leave it out instead", rowName(path))
		}
		p.kids = slices.DeleteFunc(p.kids, func(k *field) bool { return k == x })
		p.renumber()
		if len(p.kids) == 0 && p.n.spec.Control != ControlGroup {
			p.auto, p.state = false, StateEmpty
		}
		f.problems = nil
		return nil
	})
}

// Move takes a row of a list up (-1) or down (1), by as many places as asked,
// and gives its new path.
func (f *Form) Move(path string, by int) (moved string, err error) {
	err = f.edit(path, func(x *field) error {
		p := x.parent
		if x.kind != kindItem {
			return fmt.Errorf("only the rows of a list can be moved")
		}
		from := slices.Index(p.kids, x)
		to := min(max(from+by, 0), len(p.kids)-1)
		p.kids = slices.Insert(slices.Delete(p.kids, from, from+1), to, x)
		p.renumber()
		f.problems = nil
		moved = x.pointer()
		return nil
	})
	return moved, err
}

func (f *field) renumber() {
	if f.n.spec.Control == ControlList {
		for i, kid := range f.kids {
			kid.name = strconv.Itoa(i)
		}
	}
}

// Fold hides or shows what is below a row. Groups that open on demand are
// opened by Fold(path, false).
func (f *Form) Fold(path string, folded bool) error {
	return f.edit(path, func(x *field) error {
		x.folded = &folded
		return nil
	})
}
