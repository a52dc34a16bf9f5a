// Package diff compares two JSON values and says what differs: where, what was there, what is
// there now. Values are compared by meaning and exactly: members by name, whatever their order,
// numbers by their exact value, text by what it decodes to. It knows no calls and no screen.
package diff

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// Kind is how a place differs.
type Kind uint8

const (
	Changed Kind = iota
	Added        // there is nothing in the first value
	Removed      // there is nothing in the second value
)

func (k Kind) String() string { return [...]string{"changed", "added", "removed"}[k] }

// Difference is one place where two values differ. Its values are parts of what was compared.
type Difference struct {
	Path string // JSON pointer (RFC 6901): into the first value for what was removed, else into the second
	Kind Kind
	Was  []byte // raw JSON; nil for what was added
	Now  []byte // raw JSON; nil for what was removed
}

const (
	// MaxDifferences ends a comparison: nobody reads further.
	MaxDifferences = 1000

	// maxDepth is how deep values are taken apart; what lies deeper is compared as a whole. Each
	// level reads its value once more, so that depth times size bounds the time.
	maxDepth = 48

	// maxAligned bounds the tables of all alignments together, rows times columns: two arrays of
	// 1000 elements that have nothing in common take some 40 ms. What goes beyond is compared place
	// by place.
	maxAligned = 1 << 20

	// maxParts is how many members or elements a value may have to be taken apart: a million would
	// cost more memory than the value itself.
	maxParts = 200_000
)

// Compare lists the differences in the order of the second value, what was removed at the place
// where it was. It stops at MaxDifferences: complete is false then. Anything that is no JSON, a nil
// value too, differs from whatever does not have the same bytes.
func Compare(was, now []byte, ignore Ignore) (list []Difference, complete bool) {
	was, now = bytes.TrimSpace(was), bytes.TrimSpace(now)
	c := comparison{complete: true, room: maxAligned, seed: maphash.MakeSeed()}
	switch {
	case bytes.Equal(was, now) || ignore.all():
	case len(was) == 0:
		c.add("", Added, nil, now)
	case len(now) == 0:
		c.add("", Removed, was, nil)
	case !client.ValidJSON(was) || !client.ValidJSON(now):
		c.add("", Changed, was, now)
	default:
		c.value("", was, now, ignore, 0)
	}
	return c.list, c.complete
}

// Summary counts differences by kind in one line: "2 changed, 1 added"; "no change" for none.
func Summary(list []Difference, complete bool) string {
	var n [3]int
	for _, d := range list {
		n[d.Kind]++
	}
	var parts []string
	for k, count := range n {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, Kind(k)))
		}
	}
	if len(parts) == 0 {
		return "no change"
	}
	if !complete {
		parts = append(parts, "and more")
	}
	return strings.Join(parts, ", ")
}

// comparison collects what is found.
type comparison struct {
	list     []Difference
	complete bool
	room     int // for alignments
	seed     maphash.Seed
}

func (c *comparison) add(path string, k Kind, was, now []byte) {
	if len(c.list) == MaxDifferences {
		c.complete = false
		return
	}
	c.list = append(c.list, Difference{path, k, was, now})
}

// value compares two values that are both there.
func (c *comparison) value(path string, was, now []byte, ignore Ignore, depth int) {
	if !c.complete || bytes.Equal(was, now) || ignore.all() {
		return
	}
	switch {
	case depth < maxDepth && was[0] == '{' && now[0] == '{' && fewParts(was) && fewParts(now):
		c.objects(path, was, now, ignore, depth)
	case depth < maxDepth && was[0] == '[' && now[0] == '[' && fewParts(was) && fewParts(now):
		c.arrays(path, was, now, ignore, depth)
	case !same(was, now):
		c.add(path, Changed, was, now)
	}
}

// same compares values that are not taken apart further.
func same(was, now []byte) bool {
	switch {
	case bytes.Equal(was, now):
		return true
	case was[0] == '"' && now[0] == '"':
		return text(was) == text(now)
	case number(was) && number(now):
		return schema.CompareNumbers(string(was), string(now)) == 0
	}
	return false
}

// text decodes a JSON string. One that cannot be decoded without loss stays as it is written.
func text(raw []byte) string {
	t, ok := client.Text(raw)
	if !ok || strings.ContainsRune(t, '\uFFFD') {
		return string(raw)
	}
	return t
}

// fewParts reports whether a value has at most maxParts members or elements. Each takes two bytes at least.
func fewParts(raw []byte) bool {
	if len(raw) <= 2*maxParts {
		return true
	}
	n := 0
	for range client.Members(raw) {
		if n++; n > maxParts {
			return false
		}
	}
	for range client.Elements(raw) {
		if n++; n > maxParts {
			return false
		}
	}
	return true
}

func number(raw []byte) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }

// member is one of an object; of a repeated name the last counts, as in most decoders.
type member struct {
	name  string
	value []byte
}

func members(obj []byte) (list []member, at map[string]int) {
	at = map[string]int{}
	for raw, value := range client.Members(obj) {
		name, _ := client.Text(raw)
		if i, again := at[name]; again {
			list[i].value = value
			continue
		}
		at[name] = len(list)
		list = append(list, member{name, value})
	}
	return list, at
}

// objects compares members by their names. What was removed stands before the member that followed it.
func (c *comparison) objects(path string, was, now []byte, ignore Ignore, depth int) {
	old, oldAt := members(was)
	list, at := members(now)
	told := 0 // old members below it have been looked at
	removed := func(upTo int) {
		for ; told < upTo; told++ {
			if m := old[told]; !has(at, m.name) && !ignore.in(m.name).all() {
				c.add(schema.Pointer(path, m.name), Removed, m.value, nil)
			}
		}
	}
	for _, m := range list {
		inner := ignore.in(m.name)
		i, ok := oldAt[m.name]
		switch {
		case ok:
			removed(i)
			c.value(schema.Pointer(path, m.name), old[i].value, m.value, inner, depth+1)
		case !inner.all():
			c.add(schema.Pointer(path, m.name), Added, nil, m.value)
		}
	}
	removed(len(old))
}

func has(at map[string]int, name string) bool { _, ok := at[name]; return ok }

func elements(arr []byte) (list [][]byte) {
	for raw := range client.Elements(arr) {
		list = append(list, raw)
	}
	return list
}

// arrays compares elements by their place, after what is the same in both has been aligned: one
// element put in at the front is one difference.
func (c *comparison) arrays(path string, was, now []byte, ignore Ignore, depth int) {
	old, list := elements(was), elements(now)
	i, j := 0, 0
	for _, p := range c.align(old, list, ignore, depth) {
		c.gap(path, old, list, i, p.was, j, p.now, ignore, depth)
		// The same, unless two values share a fingerprint.
		c.value(element(path, p.now), old[p.was], list[p.now], ignore.at(p.now), depth+1)
		i, j = p.was+1, p.now+1
	}
	c.gap(path, old, list, i, len(old), j, len(list), ignore, depth)
}

// gap compares what lies between two elements that are the same in both: place by place, the rest
// was removed or added.
func (c *comparison) gap(path string, old, list [][]byte, i, iEnd, j, jEnd int, ignore Ignore, depth int) {
	for ; i < iEnd && j < jEnd; i, j = i+1, j+1 {
		c.value(element(path, j), old[i], list[j], ignore.at(j), depth+1)
	}
	for ; i < iEnd; i++ {
		if !ignore.at(i).all() {
			c.add(element(path, i), Removed, old[i], nil)
		}
	}
	for ; j < jEnd; j++ {
		if !ignore.at(j).all() {
			c.add(element(path, j), Added, nil, list[j])
		}
	}
}

func element(path string, i int) string { return path + "/" + strconv.Itoa(i) }
