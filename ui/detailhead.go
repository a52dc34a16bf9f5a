package ui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/colour"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// detailTop is what is known of a row beside its bytes. It stands above them: they keep half of the
// pane, or what they need of it, until the cursor goes up into it; then both scroll as one.
type detailTop struct {
	lines  []line
	all    []line          // with those that are folded away
	closed map[string]bool // names of folds
	up     int             // how many lines above the first one of the bytes the cursor stands
	top    int             // the first that is shown while the cursor is here
	height int             // of the pane
	most   int             // how many lines of it are above the bytes
}

// set gives it other lines; what is folded stays.
func (t *detailTop) set(all []line) {
	t.all, t.lines = all, all
	if len(t.closed) == 0 {
		return
	}
	t.lines = nil
	last := ""
	for _, ln := range all {
		if !t.closed[ln.fold] || ln.fold != last {
			if t.closed[ln.fold] {
				ln.text += "  [folded]"
			}
			t.lines = append(t.lines, ln)
		}
		last = ln.fold
	}
}

// sync takes in the height of the pane and how many lines the bytes have, and says how many lines are
// above them. Without bytes the cursor is always here.
func (t *detailTop) sync(height, bytes int, alone bool) int {
	t.height, t.most = height, max(height/2, height-bytes)
	if alone {
		t.most = height
		if t.up == 0 {
			t.up = len(t.lines)
		}
	}
	t.up = min(t.up, len(t.lines))
	shown := min(len(t.lines), t.most)
	at := len(t.lines) - t.up
	t.top = max(min(t.top, at, len(t.lines)-shown), at-height+1, 0)
	return shown
}

// move takes a key when the cursor is here, or comes here from the first line of the bytes.
func (t *detailTop) move(act Action, first bool, page int, alone bool) bool {
	if t.up == 0 && !first {
		return false
	}
	least := 0
	if alone {
		least = min(1, len(t.lines))
	} else if t.up == 0 {
		t.top = len(t.lines) // as far down as sync lets it
	}
	if t.up > 0 {
		page = t.height
	}
	up := t.up
	switch act {
	case actUp:
		up++
	case actHalfUp:
		up += max(page/2, 1)
	case actPageUp:
		up += page
	case actHome:
		if t.up > 0 || len(t.lines) > t.most { // else all of it is shown
			up = len(t.lines)
		}
	case actDown:
		up--
	case actHalfDown:
		up -= max(page/2, 1)
	case actPageDown:
		up -= page
	case actEnd:
		t.up = least
		return alone
	default:
		return alone
	}
	if t.up == 0 && up < 0 {
		return false // on in the bytes
	}
	t.up = max(min(up, len(t.lines)), least)
	return true
}

// current is the line under the cursor, when it is here.
func (t *detailTop) current() (line, bool) {
	if t.up == 0 || t.up > len(t.lines) {
		return line{}, false
	}
	return t.lines[len(t.lines)-t.up], true
}

func (t *detailTop) note() string {
	if len(t.lines) <= t.most {
		return ""
	}
	ln, _ := t.current()
	return strings.TrimSpace(fmt.Sprintf("remark %d of %d %s", len(t.lines)-t.up+1, len(t.lines), text.Clean(ln.fold)))
}

// fold leaves the first of the lines that belong together.
func (t *detailTop) fold() bool {
	ln, ok := t.current()
	if !ok || ln.fold == "" || t.closed[ln.fold] {
		return false
	}
	if t.closed == nil {
		t.closed = map[string]bool{}
	}
	t.closed[ln.fold] = true
	t.set(t.all)
	t.up = len(t.lines) - slices.IndexFunc(t.lines, func(x line) bool { return x.fold == ln.fold })
	return true
}

// unfold shows all lines.
func (t *detailTop) unfold() bool {
	ln, here := t.current()
	if len(t.closed) == 0 {
		return false
	}
	t.closed = nil
	t.set(t.all)
	if here && ln.fold != "" {
		t.up = len(t.lines) - slices.IndexFunc(t.lines, func(x line) bool { return x.fold == ln.fold })
	}
	return true
}

// view draws the lines that are above the bytes; what of them has no room is told.
func (t *detailTop) view(l look, w, h int, focused, alone bool) (out []string) {
	lines, left := t.lines, 0
	switch {
	case t.up > 0:
		lines = lines[min(t.top, len(lines)):]
		lines = lines[:min(len(lines), h)]
	case !alone && len(lines) > t.most && t.most > 0:
		left = len(lines) - t.most + 1
		lines = lines[:t.most-1]
	default:
		lines = lines[:min(len(lines), h)]
	}
	for i, ln := range lines {
		s := l.fit(ln.text, w)
		switch {
		case focused && t.up > 0 && t.top+i == len(t.lines)-t.up:
			s = l.Paint(theme.Cursor, s)
		case ln.json:
			s = colour.JSONLine(s, l.JSON)
		default:
			s = l.Paint(ln.role, s)
		}
		out = append(out, s)
	}
	if left > 0 {
		out = append(out, l.Paint(theme.Mark, l.fit(fmt.Sprintf("%s %s here: g", l.glyphs.Ellipsis, text.Plural(left, "more line")), w)))
	}
	return out
}

// findLine looks for a text in lines that are counted from the first one of the bytes: the last is -1.
func findLine(lines []line, q string, from, end, step int) (int, bool) {
	for at := from; at != end && -len(lines) <= at && at < 0; at += step {
		if contains(lines[len(lines)+at].text, q) {
			return at, true
		}
	}
	return 0, false
}

// detailHead says what the bytes do not: findings with what to do about them, the note itself.
func detailHead(l look, log *session.Log, e *session.Event, width int) []line {
	b := &lineBuilder{look: l, width: width}
	if e.Noted != "" {
		b.wrap(theme.Mark, "", "note: "+l.mask(e.Noted))
	}
	if e.Note != nil {
		b.wrap(theme.Plain, "", e.Note.Text)
		if len(e.Note.Data) > 0 {
			b.json(e.Note.Data)
		}
		if x := e.Note.HTTP; x != nil {
			if x.URL != "" {
				b.pair("to", x.URL)
			}
			for _, kv := range x.Header {
				b.pair(kv[0], l.mask(kv[1]))
			}
		}
	}
	cure := ""
	for _, m := range e.Marks {
		role := theme.Odd
		if m.Severity == session.Error {
			role = theme.Bad
		}
		b.wrap(role, "", strings.ToUpper(m.Severity.String())+" "+m.Rule+": "+m.Text)
		if c := check.Cure(m); c != cure { // marks of one rule that follow each other share theirs
			if cure = c; cure != "" {
				b.wrap(theme.Good, "", "cure: "+cure)
			}
		}
	}
	if e.Stray() && cure == "" {
		b.wrap(theme.Odd, "", "stdout is for messages only: print to stderr instead. In Python print(..., file=sys.stderr), in Node console.error, in Go fmt.Fprintln(os.Stderr, ...)")
	}
	if e.Stream == client.Out || e.Stream == client.In {
		end := "ends with \\n"
		switch e.Term {
		case client.TermCRLF:
			end = "ends with \\r\\n"
		case client.TermNone:
			end = "without a line end"
		}
		what := fmt.Sprintf("%s, offset %d, %s", text.Size(int64(e.Size)), e.Offset, end)
		if e.Stream == client.Out {
			what += ", " + reads(log, e)
		}
		b.wrap(theme.Faint, "", what)
	}
	return b.out
}
