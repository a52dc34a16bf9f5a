package form

import (
	"strings"

	"example.com/mcpinspect/client/schema"
)

// Step moves the cursor by rows, or by lines where JSON is shown.
func (f *Form) Step(by int) {
	if e := f.shown(); e != nil {
		line, _ := e.Place()
		e.Go(line+by, 1)
		return
	}
	f.list.Go(f.list.Cursor() + by)
}

// Go moves the cursor to the row of a path, if it is shown.
func (f *Form) Go(path string) { f.goTo(path) }

func (f *Form) goTo(path string) {
	for i, r := range f.rows {
		if r.Path == path {
			f.list.Go(i)
		}
	}
}

// ShowProblems puts problems on their rows and moves to the first; none takes the marks away.
func (f *Form) ShowProblems(problems []schema.Problem) {
	f.MarkProblems(problems)
	if len(problems) == 0 {
		return
	}
	if f.shows == viewJSON {
		f.point(problems[0])
		return
	}
	for i, r := range f.rows {
		if r.Problem != "" {
			f.list.Go(i)
			return
		}
	}
}

// MarkProblems is ShowProblems with the cursor where it is.
func (f *Form) MarkProblems(problems []schema.Problem) {
	f.problems = problems
	for _, p := range problems { // a problem is not hidden by a fold
		for i := strings.LastIndexByte(p.Row, '/'); i > 0; i = strings.LastIndexByte(p.Row[:i], '/') {
			_ = f.form.Fold(p.Row[:i], false)
		}
	}
	f.form.Mark(problems)
	f.arrange()
}

// Problems is how many problems are shown.
func (f *Form) Problems() int { return len(f.problems) }

// homeless are the problems that stand on no row.
func (f *Form) homeless() (out []schema.Problem) {
next:
	for _, p := range f.problems {
		for _, r := range f.rows {
			if r.Path == p.Row && p.Row != "" {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// NextProblem moves to the next row with a problem or a warning, round the end; false when there is
// none. In the JSON it moves to the places of the problems.
func (f *Form) NextProblem(back bool) bool {
	if f.shows == viewJSON {
		return f.nextPlace(back)
	}
	if f.shows == viewSchema {
		return false
	}
	return f.seek(!back, func(r *schema.Row) bool { return r.Problem != "" || f.warnings[r.Path] != "" })
}

func (f *Form) seek(forward bool, pass func(*schema.Row) bool) bool {
	i, _ := f.list.Search(forward).Next(f.list.Len(), func(i int) bool { return i < len(f.rows) && pass(f.rows[i]) })
	if i >= 0 {
		f.list.Go(i)
	}
	return i >= 0
}

// Find moves to the next row whose name, description or text passes; optional rows that are hidden
// are found too, and shown. In the JSON and the schema it moves to the next line.
func (f *Form) Find(dir int, pass func(string) bool) bool {
	if e := f.shown(); e != nil {
		return e.Find(dir, pass)
	}
	return f.find(f.Path(), dir, 1, func(r *schema.Row) bool {
		return pass(r.Label) || pass(r.Name) || pass(r.Description) || pass(stands(r))
	})
}

// FindFrom is what each letter of a search does: from the row of a path on it moves to the first
// one whose name begins with, or else holds, what was typed so far.
func (f *Form) FindFrom(path, typed string) bool {
	if f.shown() != nil || typed == "" {
		return false
	}
	typed = strings.ToLower(typed)
	return f.find(path, 1, 0, func(r *schema.Row) bool {
		return strings.HasPrefix(strings.ToLower(r.Label), typed) || strings.HasPrefix(strings.ToLower(r.Name), typed)
	}) || f.find(path, 1, 0, func(r *schema.Row) bool {
		return strings.Contains(strings.ToLower(r.Label), typed) || strings.Contains(strings.ToLower(r.Name), typed)
	})
}

// find looks through all rows, from the one of a path on, and skips so many at first.
func (f *Form) find(path string, dir, skip int, pass func(*schema.Row) bool) bool {
	from := 0
	for i := range f.all {
		if f.all[i].Path == path {
			from = i
		}
	}
	n := len(f.all)
	for k := range n {
		r := &f.all[((from+dir*(k+skip))%n+n)%n]
		if !pass(r) || r.Path == "" && r.Control == schema.ControlNone {
			continue
		}
		path := r.Path
		if f.goTo(path); f.Path() != path {
			f.optional = true
			f.lay()
			f.goTo(path)
		}
		return true
	}
	return false
}
