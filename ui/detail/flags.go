package detail

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"example.com/mcpinspect/client/schema"
)

// exactInteger is 2^53: from there on not every integer is a double (RFC 8259 section 6).
const exactInteger = 1 << 53

// lost says what common clients, which read numbers as doubles, make of a number; "" when nothing
// is lost.
func lost(number string) string {
	f, err := strconv.ParseFloat(number, 64)
	if math.IsInf(f, 0) {
		return "too large for a double"
	}
	if err != nil {
		return ""
	}
	const longest = 400 // digits of the largest double, and more of the smallest than matter
	form, abs := byte('g'), math.Abs(f)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 { // as most clients write it
		form = 'f'
	}
	read := strconv.FormatFloat(f, form, -1, 64)
	if len(number) > longest || schema.CompareNumbers(number, read) != 0 {
		return "a double holds " + read
	}
	if abs > exactInteger && !strings.ContainsAny(number, ".eE") {
		return "beyond 2^53"
	}
	return ""
}

const (
	// keysWithin is how far into an object names are compared; the finding of the message tells of
	// those behind.
	keysWithin = 256 << 10
	// keysKept is how many objects are remembered.
	keysKept = 64
)

// keys are the names of an object up to some place.
type keys struct {
	upto  int64 // where the next name stands
	first map[string]int64
	more  bool
}

// repeated reports whether the name of a line stands in its object before; the caller holds mu.
func (p *pretty) repeated(l line) bool {
	if l.in == nil || l.in.array || l.phase != atValue || l.key-l.in.start > keysWithin {
		return false
	}
	k := p.keys[l.in.start]
	if k == nil {
		if len(p.keys) >= keysKept {
			clear(p.keys)
		}
		k = &keys{upto: l.in.start + 1, first: map[string]int64{}, more: true}
		p.keys[l.in.start] = k
	}
	for k.more && k.upto <= l.key {
		w := walkFrom(p.body, spot{off: k.upto}, p.long)
		at, n, ok := w.key()
		if !ok {
			break
		}
		name := p.name(at, n)
		if _, known := k.first[name]; !known {
			k.first[name] = at
		}
		k.more = w.over(w.scanner.value)
		w.space()
		k.more = k.more && w.take(',')
		k.upto = w.pos
	}
	first, known := k.first[p.name(l.key, l.keyLen)]
	return known && first < l.key
}

// name is what a name decodes to; a very long one stays as it is written.
func (p *pretty) name(off, n int64) string {
	raw := p.body.Bytes(off, min(n, valueLimit))
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(bytes.Trim(raw, `"`))
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// remark says what is odd about the line; the caller holds mu.
func (p *pretty) remark(l line) string {
	if l.phase != atValue {
		return ""
	}
	var said []string
	if p.repeated(l) {
		said = append(said, "the name again")
	}
	if c := p.body.Bytes(l.off, 1); len(c) == 1 && (c[0] == '-' || c[0] >= '0' && c[0] <= '9') && l.end-l.off <= valueLimit {
		if s := lost(string(p.body.Bytes(l.off, l.end-l.off))); s != "" {
			said = append(said, s)
		}
	}
	if said == nil {
		return ""
	}
	return " /* " + strings.Join(said, "; ") + " */"
}
