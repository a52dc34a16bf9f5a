package watch

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Pattern matches paths with slashes, relative to where the watch was started: *, ? and […] within a
// name, ** for any number of folders, and several patterns with commas between them, such as
// **/*.go,go.mod.
type Pattern [][]string // one list of names for each pattern

// ParsePattern reads a pattern. An absolute one, one with .. or one that cannot match is an error.
func ParsePattern(s string) (Pattern, error) {
	var p Pattern
	for _, one := range strings.Split(s, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "./")
		if one == "" {
			return nil, fmt.Errorf("the pattern %q has an empty part", s)
		}
		names := strings.Split(one, "/")
		for _, n := range names {
			if n == "" || n == ".." || n == "." {
				return nil, fmt.Errorf("the pattern %q must be relative, without . and ..: start mcpinspect where the sources are", one)
			}
			if _, err := path.Match(n, ""); err != nil {
				return nil, fmt.Errorf("%q is no pattern such as **/*.go: %w", one, err)
			}
		}
		p = append(p, names)
	}
	return p, nil
}

// Match reports whether a relative path with slashes matches.
func (p Pattern) Match(rel string) bool {
	names := strings.Split(rel, "/")
	return slices.ContainsFunc(p, func(one []string) bool { return match(one, names, false) })
}

// below reports whether something within a folder can match; "." is the root.
func (p Pattern) below(rel string) bool {
	if rel == "." {
		return true
	}
	names := strings.Split(rel, "/")
	return slices.ContainsFunc(p, func(one []string) bool { return match(one, names, true) })
}

// names reports whether the pattern names a folder or file in so many words.
func (p Pattern) names(name string) bool {
	return slices.ContainsFunc(p, func(one []string) bool { return slices.Contains(one, name) })
}

// match compares name by name. With prefix the path may be the beginning of one that matches.
func match(pattern, names []string, prefix bool) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for len(pattern) > 1 && pattern[1] == "**" { // the same, and much slower
				pattern = pattern[1:]
			}
			if prefix || len(pattern) == 1 {
				return prefix || len(names) > 0
			}
			for i := range names {
				if match(pattern[1:], names[i:], false) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 {
			return prefix
		}
		if ok, _ := path.Match(pattern[0], names[0]); !ok {
			return false
		}
		pattern, names = pattern[1:], names[1:]
	}
	return len(names) == 0 && !prefix
}
