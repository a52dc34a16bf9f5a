package client

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// HeaderParam is an argument that a tool wants as a header, too: the property says x-mcp-header.
type HeaderParam struct {
	Name string   // what follows Mcp-Param-
	Path []string // of property names
}

// HeaderParams finds what a tool's inputSchema wants as headers. An annotation that breaks the
// rules makes the whole tool unusable over HTTP; the error says which.
func HeaderParams(schema []byte) (params []HeaderParam, err error) {
	seen := map[string]bool{}
	var walk func(node []byte, path []string) error
	walk = func(node []byte, path []string) error {
		for name, value := range Members(node) {
			key, _ := Text(name)
			if key == "properties" {
				for prop, sub := range Members(value) {
					p, _ := Text(prop)
					at := append(slices.Clone(path), p)
					if raw := Get(sub, "x-mcp-header"); raw != nil {
						header, ok := Text(raw)
						where := "/" + strings.Join(at, "/")
						switch kind := GetText(sub, "type"); {
						case !ok || !token(header):
							return fmt.Errorf("x-mcp-header of %s is no header name: %s", where, raw)
						case seen[strings.ToLower(header)]:
							return fmt.Errorf("x-mcp-header %q occurs twice", header)
						case kind != "string" && kind != "integer" && kind != "boolean":
							return fmt.Errorf("x-mcp-header of %s stands on type %q: only string, integer and boolean can be headers", where, kind)
						}
						seen[strings.ToLower(header)] = true
						params = append(params, HeaderParam{header, at})
					}
					if err := walk(sub, at); err != nil {
						return err
					}
				}
				continue
			}
			if misplaced(value, 0) {
				return fmt.Errorf("x-mcp-header stands below %q: it may be reached through properties only", key)
			}
		}
		return nil
	}
	if err := walk(schema, nil); err != nil {
		return nil, err
	}
	return params, nil
}

// misplaced looks for an annotation where none may stand.
func misplaced(node []byte, depth int) bool {
	const deepest = 64 // a schema beyond it is not walked by anybody
	if depth > deepest || len(node) == 0 {
		return false
	}
	switch node[0] {
	case '{':
		for name, value := range Members(node) {
			if nameIs(name, "x-mcp-header") && value[0] == '"' || misplaced(value, depth+1) {
				return true
			}
		}
	case '[':
		for value := range Elements(node) {
			if misplaced(value, depth+1) {
				return true
			}
		}
	}
	return false
}

// token is a header name by RFC 9110 section 5.6.2.
func token(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// HeaderError is a tool that cannot be called over HTTP, because what its schema wants as headers breaks
// the rules: a client must leave it out (server/tools, x-mcp-header, 2026-07-28). Nothing was sent.
type HeaderError struct {
	Tool string
	Err  error
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("the tool %q cannot be called over HTTP, nothing was sent: %v", e.Tool, e.Err)
}

func (e *HeaderError) Unwrap() error { return e.Err }

// paramValue is an argument as a header says it; false for one that is left out: absent, null, or
// no scalar.
func paramValue(raw []byte) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	switch raw[0] {
	case '"':
		return Text(raw)
	case 't', 'f':
		return string(raw), true
	case 'n', '{', '[':
		return "", false
	}
	const exact = 1 << 53
	if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < exact {
		return strconv.FormatInt(int64(f), 10), true // 1.0 and 1e2 are integers, written in decimal
	}
	return string(raw), true
}
