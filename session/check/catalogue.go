package check

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
)

// catalogue is what the server has listed.
type catalogue struct {
	lists map[string]*list // by the name of the kind
	tools map[string]*tool
	calls int // tools that were called
}

func newCatalogue() catalogue {
	return catalogue{lists: map[string]*list{}, tools: map[string]*tool{}}
}

// tool is what calls of a tool are judged by.
type tool struct {
	output   *schema.Schema // nil when it has no usable one
	object   bool           // its output is an object
	required []string
	props    map[string]bool // nil when further ones are allowed
	checked  int             // results that were held against output
}

const (
	maxTools     = 4096     // more than any model reads
	maxEntries   = 1 << 14  // of a list, whose names and definitions are remembered
	maxSchema    = 64 << 10 // of a schema that is compiled while messages come in
	maxValidated = 64 << 10 // of a structured result that is validated then
	maxChecked   = 200      // results of one tool that are validated
)

// list is the walk over the pages of a list, and the one before.
type list struct {
	walk, last walk
	done       bool            // last is a whole one
	changed    bool            // list_changed came since it
	calls      int             // of tools, when it was done
	given      seen            // cursors that were handed out
	names      map[string]bool // of the pages of this walk
}

type walk struct {
	pages, empty int
	entries      int
	order, set   uint64
	defs         map[string]uint64
	scope        []byte
	cursor       []byte // raw: where it goes on; nil at its end
	cursors      seen   // that this walk went by
	until        time.Duration
}

// page judges one page of a list: its shape, each entry, and how it fits the others.
func (v *verdicts) page(q *request, kind client.ListKind, result []byte) {
	items := v.o.result.get(kind.Member)
	if !isList(items) {
		v.add(listInvalid, "%s", (&client.ListError{Kind: kind, Raw: result}).Error())
	}
	c := &v.r.catalogue
	l := c.lists[kind.Name]
	if l == nil {
		l = &list{}
		c.lists[kind.Name] = l
	}
	if q.first || l.names == nil {
		l.names = map[string]bool{}
		l.walk = walk{defs: map[string]uint64{}}
	}
	w := &l.walk
	w.pages++
	e := entries{v: v, kind: kind, names: l.names}
	n := 0
	for raw := range client.Elements(items) {
		n++
		e.judge(n, raw)
		if w.entries++; w.entries <= maxEntries {
			id := hash(client.Get(raw, e.key()))
			w.order = w.order*1099511628211 + id
			w.set += id * 31
			if name, ok := client.Text(client.Get(raw, e.key())); ok && len(w.defs) < maxEntries {
				w.defs[strings.Clone(name)] = hash(raw)
			}
		}
	}
	e.flush()
	v.cursor(q, kind, l, n)
	v.scopes(q, w)
	if ttl, ok := number(v.o.result.get("ttlMs")); ok && ttl > 0 && ttl < dayMs && w.pages == 1 {
		w.until = v.e.T + time.Duration(ttl)*time.Millisecond
	}
	if next := v.o.result.get("nextCursor"); !isText(next) {
		v.walked(kind, l)
	}
}

// cursor judges where a page says that the list goes on.
func (v *verdicts) cursor(q *request, kind client.ListKind, l *list, n int) {
	w := &l.walk
	if !q.first && len(q.cursor) > 0 {
		if l.given.whole() && !l.given.has(hash(q.cursor)) {
			v.add(cursorMadeUp, "%s was answered for the cursor %s, which no page had named", q.method, client.Excerpt(q.cursor))
		}
		w.cursors.add(hash(q.cursor))
	}
	next := v.o.result.get("nextCursor")
	w.cursor = nil
	if next == nil {
		return
	}
	if !isText(next) {
		v.add(cursorType, "nextCursor is %s: a cursor is text, and the last page has none", client.Excerpt(next))
		return
	}
	w.cursor = bytes.Clone(next)
	l.given.add(hash(next))
	if w.cursors.has(hash(next)) && v.r.foreign { // our own walk says so itself
		v.add(cursorLoop, "the cursor %s came back, so that the list of %s never ends", client.Excerpt(next), kind.Name)
	}
	if n > 0 {
		w.empty = 0
	} else if w.empty++; w.empty == 2 {
		v.add(emptyPages, "two pages of %s in a row are empty and name a next one", kind.Name)
	}
}

// scopes judges that the pages of a walk are for the same readers.
func (v *verdicts) scopes(q *request, w *walk) {
	scope := v.o.result.get("cacheScope")
	if w.pages == 1 {
		w.scope = bytes.Clone(scope)
	} else if scope != nil && w.scope != nil && !bytes.Equal(scope, w.scope) {
		v.add(scopeDiffers, "page %d of %s has the cacheScope %s, page 1 had %s", w.pages, q.method, client.Excerpt(scope), client.Excerpt(w.scope))
	}
}

// walked compares a list with the one that was walked before.
func (v *verdicts) walked(kind client.ListKind, l *list) {
	w, old := &l.walk, &l.last
	c := &v.r.catalogue
	if l.done && w.entries <= maxEntries && old.entries <= maxEntries {
		switch {
		case w.set == old.set && w.order != old.order && !l.changed && kind.Name == client.Tools.Name:
			v.add(orderChanged, "the same tools came in another order than before")
		case w.set != old.set && !l.changed:
			v.silently(kind, l)
		}
		if changed := redefined(old.defs, w.defs); changed != nil && !l.changed {
			v.add(definitionChanged, "the definition of %s is not what it was", strings.Join(few(changed), ", "))
		}
		if v.e.T < old.until && !sameDefs(old.defs, w.defs) {
			v.add(listStale, "%s differs from what was to hold for another %v by its ttlMs", kind.Method, (old.until - v.e.T).Round(time.Millisecond))
		}
	}
	l.last, l.done, l.changed, l.calls = l.walk, true, false, c.calls
	l.walk = walk{defs: map[string]uint64{}}
}

// silently judges a list whose entries are others, and nothing said so.
func (v *verdicts) silently(kind client.ListKind, l *list) {
	r := v.r
	var bit caps
	switch kind.Name {
	case client.Tools.Name:
		bit = capToolsNew
	case client.Prompts.Name:
		bit = capPromptsNew
	default:
		bit = capResourcesNew
	}
	switch {
	case v.rev.Modern() && r.catalogue.calls > l.calls:
		v.add(listByCall, "the set of %s changed, and a tool was called in between", kind.Name)
	case v.rev.Modern() && !r.tellsOf(kind), !r.life.caps.has(bit), r.http:
	default:
		v.add(listSilent, "the set of %s changed, listChanged is declared, and no notification came", kind.Name)
	}
}

func redefined(old, now map[string]uint64) (names []string) {
	for name, h := range now {
		if was, ok := old[name]; ok && was != h {
			names = append(names, client.Excerpt(client.Quote(name)))
		}
	}
	slices.Sort(names)
	return names
}

func sameDefs(a, b map[string]uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for name, h := range a {
		if b[name] != h {
			return false
		}
	}
	return true
}

// stoppedAtEmpty judges a client that took an empty cursor for the end.
func (v *verdicts) stoppedAtEmpty() {
	for _, kind := range client.ListKinds {
		if l := v.r.catalogue.lists[kind.Name]; l != nil && string(l.walk.cursor) == `""` {
			v.graded(emptyCursorEnds, stricter(v.rev.Modern()), "the client did not ask for the page of %s behind the cursor \"\"", kind.Name)
		}
	}
}

// learn remembers what calls of a tool are judged by.
func (c *catalogue) learn(name string, input, output []byte, modern bool) {
	t := c.tools[name]
	if t == nil {
		if len(c.tools) >= maxTools {
			return
		}
		t = &tool{}
		c.tools[strings.Clone(name)] = t
	}
	*t = tool{}
	if isObject(output) && len(output) <= maxSchema {
		t.output, t.object = schema.CompileOutput(bytes.Clone(output)), !modern || is(client.Get(output, "type"), "object")
	}
	if len(input) > maxSchema {
		return
	}
	for e := range client.Elements(client.Get(input, "required")) {
		if s, ok := client.Text(e); ok {
			t.required = append(t.required, strings.Clone(s))
		}
	}
	if string(client.Get(input, "additionalProperties")) == "false" && client.Get(input, "patternProperties") == nil && client.Get(input, "$ref") == nil && client.Get(input, "allOf") == nil {
		t.props = map[string]bool{}
		for p := range client.Members(client.Get(input, "properties")) {
			t.props[strings.Clone(text(p))] = true
		}
	}
}

// argsFault says how arguments miss what a tool requires, where that is plain to see: a required one
// is missing, or one is not allowed. Empty when nothing is.
func (c *catalogue) argsFault(name, args []byte) string {
	if len(c.tools) == 0 {
		return ""
	}
	t := c.tools[string(name[min(1, len(name)):max(len(name)-1, min(1, len(name)))])]
	if t == nil || args != nil && !isObject(args) {
		return ""
	}
	for _, need := range t.required {
		if client.Get(args, need) == nil {
			return strconv.Quote(need) + " is required and missing"
		}
	}
	if t.props != nil {
		for p := range client.Members(args) {
			if s := text(p); !t.props[s] {
				return fmt.Sprintf("%s is not allowed", client.Excerpt(p))
			}
		}
	}
	return ""
}

// listed reports whether the whole list of tools is known, and a tool in it.
func (c *catalogue) listed(name []byte) (whole, there bool) {
	l := c.lists[client.Tools.Name]
	if l == nil || !l.done || len(c.tools) >= maxTools {
		return false, false
	}
	_, there = c.tools[text(name)]
	return true, there
}

var _ = session.Info
