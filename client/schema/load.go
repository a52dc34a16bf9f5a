package schema

import (
	"fmt"
	"strconv"
)

// Load fills the form from arguments. What the schema does not know gets rows
// of its own; what a row cannot say stands there as exact JSON: Value gives
// back what was loaded, in the order of the schema.
func (f *Form) Load(v Value) error {
	if v.Kind != Object {
		return fmt.Errorf("arguments must be an object, this is %s", describe(v))
	}
	f.schema.mu.Lock()
	defer f.schema.mu.Unlock()
	f.problems = nil
	f.root = newField(f.schema.root, nil, "", kindProperty, true)
	f.root.load(v)
	return nil
}

// LoadAt fills one row, and what is below it, from a value. What stood there is gone; the other
// rows keep what was typed, unreadable text too.
func (f *Form) LoadAt(path string, v Value) error {
	if path == "" {
		return f.Load(v)
	}
	return f.edit(path, func(x *field) error {
		fresh := newField(x.n, x.parent, x.name, x.kind, x.required)
		fresh.notes, fresh.folded = x.notes, x.folded
		*x = *fresh
		x.load(v)
		x.wake()
		return nil
	})
}

func (f *field) load(v Value) {
	f.auto, f.state = false, StateSet
	if v.Kind == Null {
		f.state = StateNull
		return
	}
	if e, ok := f.n.empty(); ok && f.n.spec.Control != ControlGroup && e.Kind == v.Kind && e.JSON() == v.JSON() {
		f.state = StateEmpty
		return
	}
	loaded := false
	switch f.n.spec.Control {
	case ControlVariant:
		loaded = f.loadVariant(v)
	case ControlGroup:
		if f.n.spec.Tuple {
			loaded = f.loadTuple(v)
		} else {
			loaded = f.loadObject(v, kindExtra)
		}
	case ControlMap:
		loaded = f.loadObject(v, kindEntry)
	case ControlList:
		loaded = f.loadList(v)
	default:
		f.text, loaded = f.n.textOf(v)
		f.read = false
	}
	if !loaded {
		f.auto, f.state = false, StateSet
		f.text, f.read = ExactPrefix+v.JSON(), false
	}
}

func (f *field) loadVariant(v Value) bool {
	best, bestFit := -1, 0
	for i := range f.n.forms {
		if fit := f.n.branch(i).fit(v, 0); fit > bestFit {
			best, bestFit = i, fit
		}
	}
	if best < 0 {
		return false
	}
	f.branch = best
	f.auto = false
	f.body().load(v)
	return true
}

func (f *field) loadObject(v Value, extra fieldKind) bool {
	if v.Kind != Object || len(lastMembers(v.Members)) != len(v.Members) {
		return false // only exact JSON can repeat a name
	}
	byName := map[string]*field{}
	for _, kid := range f.children() {
		byName[kid.name] = kid
	}
	for _, m := range v.Members {
		kid, ok := byName[m.Name]
		if !ok {
			kid = newField(f.n.extra(m.Name), f, m.Name, extra, true)
			f.kids = append(f.kids, kid)
		}
		kid.load(m.Value)
	}
	// A fixed value that is required is sent by itself: where it was missing
	// it has to stay missing.
	for _, kid := range f.kids {
		if _, ok := v.Get(kid.name); !ok && kid.auto {
			kid.auto, kid.state = false, StateLeftOut
		}
	}
	return true
}

func (f *field) loadTuple(v Value) bool {
	kids := f.children()
	if v.Kind != Array || len(v.Items) > len(kids) {
		return false
	}
	for i, item := range v.Items {
		kids[i].load(item)
	}
	for _, kid := range kids[len(v.Items):] {
		if kid.auto {
			kid.auto, kid.state = false, StateLeftOut
		}
	}
	return true
}

func (f *field) loadList(v Value) bool {
	if v.Kind != Array || f.n.item == nil && len(v.Items) > len(f.n.prefix) {
		return false
	}
	for i, item := range v.Items {
		kid := newField(f.n.row(i), f, strconv.Itoa(i), kindItem, true)
		f.kids = append(f.kids, kid)
		kid.load(item)
	}
	return true
}

// fit tells how well a value suits the node: 0 not at all, more is better. It
// looks far enough to tell branches apart; Check is what judges.
func (n *node) fit(v Value, depth int) int {
	if !n.accepts.accepts(typeOf(v)) {
		return 0
	}
	if n.spec.Options != nil {
		for _, o := range n.spec.Options {
			if o.Equal(v) {
				return 3
			}
		}
		return 0
	}
	if v.Kind != Object || n.byName == nil || depth > 2 {
		return 2
	}
	fit := 1
	for _, p := range n.props {
		member, ok := v.Get(p.name)
		if !ok {
			if p.required {
				fit -= 2
			}
			continue
		}
		switch n.propertyNode(p).fit(member, depth+1) {
		case 0:
			if n.propertyNode(p).spec.Options != nil {
				return 0
			}
			fit -= 2
		case 3:
			fit += 4
		default:
			fit += 2
		}
	}
	for _, m := range v.Members {
		if _, ok := n.byName[m.Name]; !ok && n.spec.Closed {
			fit -= 2
		}
	}
	return max(fit, 1)
}
