package check

import (
	"bytes"
	"math"
	"strconv"

	"example.com/mcpinspect/client"
)

// object is a JSON object taken apart once. It is used again for the next one, so that judging a
// message allocates nothing.
type object struct{ members []member }

type member struct{ name, value []byte } // the name without its quotes

// read takes an object apart; anything else has no members.
func (o *object) read(raw []byte) {
	o.members = o.members[:0]
	for name, value := range client.Members(raw) {
		inside := name[1 : len(name)-1]
		if bytes.IndexByte(inside, '\\') >= 0 {
			s, _ := client.Text(name)
			inside = []byte(s)
		}
		o.members = append(o.members, member{inside, value})
	}
}

// get is the raw value of a member, nil when it is absent. Of a repeated name the last counts.
func (o *object) get(name string) []byte {
	for i := len(o.members) - 1; i >= 0; i-- {
		if string(o.members[i].name) == name {
			return o.members[i].value
		}
	}
	return nil
}

func (o *object) has(name string) bool { return o.get(name) != nil }

// What a raw value is. Each is false for one that is absent.
func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
func isList(raw []byte) bool   { return len(raw) > 0 && raw[0] == '[' }
func isText(raw []byte) bool   { return len(raw) > 0 && raw[0] == '"' }
func isNull(raw []byte) bool   { return len(raw) > 0 && raw[0] == 'n' }
func isBool(raw []byte) bool   { return len(raw) > 0 && (raw[0] == 't' || raw[0] == 'f') }
func isNumber(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

// is compares a raw string with a text that needs no escapes.
func is(raw []byte, text string) bool {
	if len(raw) == len(text)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == text {
		return true
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return false
	}
	s, ok := client.Text(raw)
	return ok && s == text
}

// text decodes a raw string; empty for anything else.
func text(raw []byte) string {
	s, _ := client.Text(raw)
	return s
}

// number is the value of a raw number; false for anything else, and for one that is out of range.
func number(raw []byte) (float64, bool) {
	if !isNumber(raw) {
		return 0, false
	}
	if len(raw) < 16 { // as nearly all are: an integer
		n := 0
		for i, c := range raw {
			if c < '0' || c > '9' {
				break
			}
			if n = n*10 + int(c-'0'); i == len(raw)-1 {
				return float64(n), true
			}
		}
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil
}

// isInteger reports whether a raw value is a number without a fraction, however it is spelled.
func isInteger(raw []byte) bool {
	f, ok := number(raw)
	return ok && f == math.Trunc(f)
}

// elements counts those of a list, up to most.
func elements(list []byte, most int) (n int) {
	for range client.Elements(list) {
		if n++; n == most {
			break
		}
	}
	return n
}

// hash of bytes, FNV-1a: equal bytes are told apart from others without keeping them.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
