package diff

import (
	"hash/maphash"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// pair is one element of both arrays.
type pair struct{ was, now int }

// align finds elements that are the same in both arrays, in order: those at the beginning, those at
// the end, and between them a longest common subsequence as long as there is room for its table.
func (c *comparison) align(old, list [][]byte, ignore Ignore, depth int) (pairs []pair) {
	a, b := c.prints(old, ignore, depth), c.prints(list, ignore, depth)
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		pairs = append(pairs, pair{from, from})
		from++
	}
	aEnd, bEnd := len(a), len(b)
	for aEnd > from && bEnd > from && a[aEnd-1] == b[bEnd-1] {
		aEnd, bEnd = aEnd-1, bEnd-1
	}
	if n, m := aEnd-from, bEnd-from; n > 0 && m > 0 && n <= c.room/m {
		c.room -= n * m
		for _, p := range longest(a[from:aEnd], b[from:bEnd]) {
			pairs = append(pairs, pair{p.was + from, p.now + from})
		}
	}
	for ; aEnd < len(a); aEnd, bEnd = aEnd+1, bEnd+1 {
		pairs = append(pairs, pair{aEnd, bEnd})
	}
	return pairs
}

// longest is the longest common subsequence of two lists.
func longest(a, b []uint64) (pairs []pair) {
	w := len(b) + 1
	table := make([]int32, (len(a)+1)*w) // of what lies behind each place
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case table[(i+1)*w+j] >= table[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// prints are the fingerprints of elements: equal for values that are the same.
func (c *comparison) prints(list [][]byte, ignore Ignore, depth int) []uint64 {
	out := make([]uint64, len(list))
	for i, raw := range list {
		out[i] = fingerprint(c.seed, raw, ignore.at(i), depth+1)
	}
	return out
}

// fingerprint depends on what a value means, not on how it is written: the order of members does
// not count, and what is ignored does not either.
func fingerprint(seed maphash.Seed, raw []byte, ignore Ignore, depth int) uint64 {
	const object, array, left = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
	switch {
	case ignore.all():
		return left
	case depth < maxDepth && raw[0] == '{':
		sum := uint64(object)
		list, _ := members(raw)
		for _, m := range list {
			inner := ignore.in(m.name)
			if inner.all() {
				continue
			}
			sum += mix(maphash.String(seed, m.name) ^ mix(fingerprint(seed, m.value, inner, depth+1)))
		}
		return mix(sum)
	case depth < maxDepth && raw[0] == '[':
		sum, i := uint64(array), 0
		for e := range client.Elements(raw) {
			sum = mix(sum ^ fingerprint(seed, e, ignore.at(i), depth+1))
			i++
		}
		return sum
	case raw[0] == '"':
		return maphash.String(seed, text(raw))
	case number(raw):
		return maphash.String(seed, schema.PlainNumber(string(raw)))
	}
	return maphash.String(seed, strings.TrimSpace(string(raw))) + 1
}

// mix spreads the bits of a number over all of it.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	return x ^ x>>32
}
