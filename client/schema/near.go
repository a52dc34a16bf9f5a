package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Near gives the known names that somebody may have meant who wrote name, the
// nearest first: another case, few letters changed, a part of the name.
func Near(name string, known []string) []string {
	type near struct {
		name     string
		distance int
	}
	var list []near
	small := strings.ToLower(name)
	if len(small) > maxNameLen {
		return nil
	}
	for _, k := range known {
		other := strings.ToLower(k)
		if k == name || len(other) > maxNameLen {
			continue
		}
		far := max(1, max(len(small), len(other))/3)
		if d := distance(small, other); d <= far {
			list = append(list, near{k, d})
		} else if len(small) >= 3 && strings.Contains(other, small) || len(other) >= 3 && strings.Contains(small, other) {
			list = append(list, near{k, far + 1})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = n.name
	}
	return names
}

// maxNameLen keeps the comparison, which is quadratic, short.
const maxNameLen = 100

// distance counts the letters to insert, delete, change or swap with their
// neighbour to come from a to b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			change := 1
			if x[i] == y[j] {
				change = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+change)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
