package detail

const (
	// maxDepth is how far containers are opened; a deeper one is one cut line.
	// Nobody reads an indentation of 512 blanks, and marks keep the way to them.
	maxDepth = 256
	// longValue is the size from which the end of a value is remembered instead
	// of looked for again with every window.
	longValue = 64 << 10
)

// container is one that is open around a line. It never changes, so that marks
// can share it.
type container struct {
	parent *container
	array  bool
	depth  int
	start  int64 // offset of its opening bracket
	member       // what it is in its parent
}

// member is the place of a value in its container: a key, quotes included, or an
// index; neither at the top.
type member struct {
	key, keyLen int64
	index       int
}

// phase is what a line of Pretty begins with.
type phase uint8

const (
	atValue phase = iota
	atClose
	atRemark // what follows is not JSON, and we say so
	atText   // and is shown as it is
	atEnd
)

// spot is where a line begins. It is all that is needed to go on from there.
type spot struct {
	off   int64
	in    *container
	next  int // index of the next member
	phase phase
	fault int64 // offset of what is not JSON, from atRemark on
}

func (s spot) offset() int64 { return s.off }

// line is one line of Pretty, not yet drawn. Offsets are of the body.
type line struct {
	phase    phase
	in       *container // around it; for a closing bracket, around what it closes
	member              // of in
	off, end int64      // the value; of an opening bracket only that
	opens    bool
	deep     bool // a container too deep to be opened
	folded   bool // a container that is not opened since a person wants it so
	comma    bool
	depth    int
}

// walker makes one line after the other.
type walker struct {
	scanner
	spot
	folds map[int64]bool  // containers that are not opened
	long  map[int64]int64 // end of long values by their offset, shared by all walkers of a view
}

func walkFrom(b *Body, s spot, long map[int64]int64) walker {
	return walker{scanner: scanAt(b, s.off), spot: s, long: long}
}

// step returns the line that begins here and moves to the next one; false at the
// end. A line that turns out not to be JSON is not returned: from its start on
// the body is text.
func (w *walker) step() (line, bool) {
	for {
		here := w.spot
		var l line
		ok := true
		switch here.phase {
		case atEnd:
			return line{}, false
		case atRemark:
			w.phase = atText
			return line{phase: atRemark, off: here.off, end: here.fault}, true
		case atText:
			l = w.text()
		case atValue:
			l, ok = w.element()
		case atClose:
			l, ok = w.close()
		}
		if ok {
			w.spot.off = w.pos
			return l, true
		}
		here.fault, here.phase = w.pos, atRemark
		w.spot, w.scanner = here, scanAt(w.body, here.off)
	}
}

// element reads a member of the container, or the value at the top.
func (w *walker) element() (line, bool) {
	l := line{phase: atValue, in: w.in, member: member{index: w.next}}
	if w.in != nil {
		l.depth = w.in.depth + 1
		if !w.in.array {
			var ok bool
			if l.key, l.keyLen, ok = w.key(); !ok {
				return l, false
			}
		}
	}
	w.space()
	l.off = w.pos
	c := w.peek()
	if c != '{' && c != '[' {
		if !w.over(w.scanner.scalar) {
			return l, false
		}
		l.end = w.pos
		return l, w.after(&l)
	}
	w.advance(1)
	w.space()
	switch {
	case w.take(closing(c == '[')):
	case l.depth == maxDepth, w.folds[l.off]:
		l.folded = w.folds[l.off]
		l.deep = !l.folded
		w.scanner = scanAt(w.body, l.off)
		if !w.over(w.scanner.value) {
			return l, false
		}
	default:
		l.opens, l.end = true, l.off+1
		w.in = &container{parent: l.in, array: c == '[', depth: l.depth, start: l.off, member: l.member}
		w.next, w.phase = 0, atValue
		return l, true
	}
	l.end = w.pos
	return l, w.after(&l)
}

func (w *walker) close() (line, bool) {
	c := w.in
	w.space()
	if !w.take(closing(c.array)) {
		return line{}, false
	}
	l := line{phase: atClose, in: c.parent, member: c.member, depth: c.depth, off: c.start, end: w.pos}
	w.in = c.parent
	w.next = c.index
	return l, w.after(&l)
}

// after reads what follows a value and says where the next line begins.
func (w *walker) after(l *line) bool {
	w.space()
	switch {
	case w.in == nil:
		w.phase = atEnd
		return w.peek() < 0
	case w.take(','):
		l.comma = true
		w.next++
		w.phase = atValue
		return true
	}
	w.phase = atClose
	return w.peek() == int(closing(w.in.array))
}

// over steps over a value with scan, or at once if its end is known.
func (w *walker) over(scan func() bool) bool {
	off := w.pos
	if end := w.long[off]; end > 0 {
		w.scanner = scanAt(w.body, end)
		return true
	}
	if !scan() {
		return false
	}
	if w.pos-off >= longValue {
		w.long[off] = w.pos
	}
	return true
}

// text reads a line of what is not JSON, or a piece of one.
func (w *walker) text() line {
	l := line{phase: atText, off: w.pos}
	for w.pos-l.off < valueLimit {
		c := w.peek()
		if c < 0 {
			break
		}
		w.advance(1)
		if c == '\n' {
			break
		}
	}
	l.end = w.pos
	if w.peek() < 0 {
		w.phase = atEnd
	}
	return l
}
