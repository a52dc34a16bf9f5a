package detail

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"example.com/mcpinspect/ui/text"
)

const (
	// valueLimit is how much of a key, string or number a line of Pretty shows.
	// The remark behind it tells the true size; Raw shows all of it.
	valueLimit = 4096
	// checkLimit is how much of a body is read to decide whether it is JSON.
	checkLimit = 256 << 10
	indent     = "  "
)

// looksJSON says whether a body is worth indenting: JSON as far as it was read,
// or an object, array or string that was cut off. A document that breaks later is
// indented up to there.
func looksJSON(body *Body) bool {
	head := body.head(checkLimit)
	s := scanAt(head, 0)
	s.space()
	first := s.peek()
	if s.value() {
		s.space()
		return s.peek() < 0
	}
	return s.peek() < 0 && (first == '{' || first == '[' || first == '"' || head.Len() < body.Len() && first >= 0)
}

// pretty is the View of indented JSON. Numbers, strings and the order of keys are
// as sent, and so are repeated keys.
type pretty struct {
	body *Body

	mu    sync.Mutex
	marks marks[spot]
	long  map[int64]int64
	folds map[int64]bool  // containers that are shown in one line, by their offset; never changed
	keys  map[int64]*keys // of objects, by their offset
	seen  extent
	last  spot // where the last window began, for scrolling line by line
	lastN int
}

func newPretty(body *Body) *pretty {
	return &pretty{body: body, marks: newMarks(spot{}), long: map[int64]int64{}, folds: map[int64]bool{}, keys: map[int64]*keys{}}
}

func (*pretty) Mode() Mode { return Pretty }

// walk leads from the nearest known place to line n and returns a walker there;
// false when there is no such line.
func (p *pretty) walk(n int) (walker, bool) {
	at, from := p.marks.before(n)
	if p.lastN > at && p.lastN <= n {
		at, from = p.lastN, p.last
	}
	w := p.walker(from)
	for ; at < n; at++ {
		if _, ok := p.step(&w, at); !ok {
			return w, false
		}
	}
	return w, w.phase != atEnd
}

// walker goes on from a place.
func (p *pretty) walker(s spot) walker {
	w := walkFrom(p.body, s, p.long)
	w.folds = p.folds
	return w
}

// step makes line at and notes what is learned on the way.
func (p *pretty) step(w *walker, at int) (line, bool) {
	l, ok := w.step()
	if !ok {
		p.seen.reach(at, w.pos, true)
		return l, false
	}
	p.marks.add(at+1, w.spot)
	p.seen.reach(at+1, w.pos, w.phase == atEnd)
	return l, true
}

func (p *pretty) Lines() (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen.line == 0 {
		p.walk(firstGap)
	}
	return p.seen.lines(p.body.Len())
}

func (p *pretty) Count(ctx context.Context) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.seen.end {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		p.walk(p.seen.line + p.marks.gap)
	}
	return p.seen.line, nil
}

func (p *pretty) Window(from, n int) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	from = max(from, 0)
	w, ok := p.walk(from)
	if !ok {
		return nil
	}
	p.last, p.lastN = w.spot, from
	var lines []string
	for i := range n {
		l, ok := p.step(&w, from+i)
		if !ok {
			break
		}
		lines = append(lines, p.draw(l))
	}
	return lines
}

// draw writes a line as a pane shows it.
func (p *pretty) draw(l line) string {
	switch l.phase {
	case atRemark:
		if l.end == p.body.Len() {
			return "/* ends too early, at byte " + strconv.FormatInt(l.end, 10) + "; as sent: */"
		}
		return "/* not JSON at byte " + strconv.FormatInt(l.end, 10) + "; as sent: */"
	case atText:
		return text.Clean(strings.TrimRight(string(p.body.Bytes(l.off, l.end-l.off)), "\r\n"))
	}
	var b strings.Builder
	for range l.depth {
		b.WriteString(indent)
	}
	if l.phase == atClose {
		b.Write(p.body.Bytes(l.end-1, 1))
	} else {
		if l.keyLen > 0 {
			p.show(&b, l.key, l.keyLen, false)
			b.WriteString(": ")
		}
		if l.folded {
			b.WriteString(map[byte]string{'{': "{...} /* ", '[': "[...] /* "}[p.body.Bytes(l.off, 1)[0]] + text.Size(l.end-l.off) + ", folded */")
		} else if !l.deep && !l.opens && p.body.Bytes(l.off, 1)[0] == '{' {
			b.WriteString("{}")
		} else if !l.deep && !l.opens && p.body.Bytes(l.off, 1)[0] == '[' {
			b.WriteString("[]")
		} else {
			p.show(&b, l.off, l.end-l.off, l.deep)
		}
	}
	if l.comma {
		b.WriteByte(',')
	}
	b.WriteString(p.remark(l))
	return b.String()
}

// show writes a key, a scalar, a bracket or a container too deep to be opened.
func (p *pretty) show(b *strings.Builder, off, n int64, deep bool) {
	if n <= valueLimit && !deep {
		b.WriteString(text.Clean(string(p.body.Bytes(off, n))))
		return
	}
	v := p.body.Bytes(off, min(n, valueLimit))
	if int64(len(v)) < n {
		v = whole(v)
	}
	b.WriteString(text.Clean(string(v)))
	if int64(len(v)) < n {
		b.WriteString("...") // also on terminals without an ellipsis
		if v[0] == '"' {
			b.WriteByte('"')
		}
	}
	b.WriteString(" /* " + text.Size(n))
	if deep {
		b.WriteString(", deeper than " + strconv.Itoa(maxDepth) + " levels")
	}
	b.WriteString(" */")
}

// whole cuts half a character or half an escape from the end of v.
func whole(v []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i < len(v); i++ {
		if utf8.RuneStart(v[len(v)-i]) {
			if !utf8.FullRune(v[len(v)-i:]) {
				v = v[:len(v)-i]
			}
			break
		}
	}
	const longest = len(`\u001b`)
	tail := max(len(v)-longest, 0)
	if i := bytes.LastIndexByte(v[tail:], '\\'); i >= 0 {
		at := tail + i
		slashes := 0
		for at-slashes >= 0 && v[at-slashes] == '\\' {
			slashes++
		}
		complete := len(v)-at >= 2 && v[at+1] != 'u' || len(v)-at >= longest
		if slashes%2 == 1 && !complete {
			v = v[:at]
		}
	}
	return v
}

func (p *pretty) Find(ctx context.Context, query string, from int, forward bool) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	start := p.body.Len()
	if w, ok := p.walk(max(from, 0)); ok {
		start = w.spot.off
	}
	hit := find(ctx, p.body, query, start, forward)
	if hit < 0 {
		return 0, false
	}
	at, s := p.marks.at(hit)
	w := p.walker(s)
	for ctx.Err() == nil {
		if _, ok := p.step(&w, at); !ok {
			return max(at-1, 0), at > 0
		}
		if w.spot.off > hit {
			return at, true
		}
		at++
	}
	return 0, false
}

// value returns a line that shows a value.
func (p *pretty) value(n int) (line, bool) {
	if n < 0 {
		return line{}, false
	}
	w, ok := p.walk(n)
	if !ok {
		return line{}, false
	}
	l, ok := p.step(&w, n)
	return l, ok && (l.phase == atValue || l.phase == atClose)
}

func (p *pretty) Value(n int) (off, length int64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, ok := p.value(n)
	if ok && l.opens {
		// The end may never come; then the value is what there is of it.
		w := walkFrom(p.body, spot{off: l.off}, p.long)
		if w.over(w.scanner.value) {
			l.end = w.pos
		} else {
			l.end = p.body.Len()
		}
	}
	return l.off, l.end - l.off, ok
}

func (p *pretty) Pointer(n int) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, ok := p.value(n)
	if !ok {
		return "", false
	}
	var tokens []string
	for m, in := l.member, l.in; in != nil; m, in = in.member, in.parent {
		tokens = append(tokens, p.token(m, in))
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String(), true
}

// token is the part of a pointer that leads to a member. A key longer than a line
// shows is left as sent: it is a pointer to look at, not one to follow.
func (p *pretty) token(m member, in *container) string {
	if in.array {
		return strconv.Itoa(m.index)
	}
	raw := p.body.Bytes(m.key, min(m.keyLen, valueLimit))
	var key string
	if json.Unmarshal(raw, &key) != nil {
		key = string(raw)
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
