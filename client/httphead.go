package client

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The headers of the protocol (basic/transports/streamable-http, 2026-07-28). Names are written as
// net/http sends them; they do not differ in case.
const (
	HeaderProtocolVersion = "Mcp-Protocol-Version"
	HeaderSession         = "Mcp-Session-Id" // handshake revisions from 2025-03-26 on
	HeaderMethod          = "Mcp-Method"
	HeaderName            = "Mcp-Name"
	headerParam           = "Mcp-Param-"
	headerLastEvent       = "Last-Event-Id"
)

const acceptBoth = "application/json, text/event-stream"

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
						case kind != "string" && kind != "integer" && kind != "boolean" && kind != "number":
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

// HeaderValue is how a text travels as the value of Mcp-Name or Mcp-Param-*: as it is where a
// header can carry it, else as base64 of its UTF-8 between markers.
func HeaderValue(s string) string {
	plain := s == strings.Trim(s, " \t") && !(strings.HasPrefix(s, "=?base64?") && strings.HasSuffix(s, "?="))
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] <= '~' || s[i] == '\t'
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// headers are those of a message by its revision. own are the person's: they win, save that what the
// protocol needs in Accept stays.
func (t *HTTP) headers(m *outgoing, session string, rev Revision) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", acceptBoth)
	version := rev
	if v := GetText(m.params, "_meta", MetaProtocolVersion); v != "" && m.method != MethodInitialize {
		version = Revision(v)
	}
	switch {
	case version.Modern():
		h.Set(HeaderProtocolVersion, string(version))
		if m.method != "" {
			h.Set(HeaderMethod, m.method)
		}
		if name, ok := nameOf(m.method, m.params); ok {
			h.Set(HeaderName, HeaderValue(name))
		}
		if m.method == MethodToolsCall && t.addr.Params != nil {
			name, _ := Text(Get(m.params, "name"))
			for _, p := range t.addr.Params(name) {
				if v, ok := paramValue(Get(m.params, append([]string{"arguments"}, p.Path...)...)); ok {
					h.Set(headerParam+p.Name, HeaderValue(v))
				}
			}
		}
	default:
		if session != "" {
			h.Set(HeaderSession, session)
		}
		if version >= Rev2025_06_18 {
			h.Set(HeaderProtocolVersion, string(version))
		}
	}
	t.own(h)
	return h
}

// own adds the person's headers.
func (t *HTTP) own(h http.Header) {
	if t.addr.Bearer != "" {
		h.Set("Authorization", "Bearer "+t.addr.Bearer)
	}
	set := map[string]bool{}
	for _, kv := range t.addr.Header {
		name := http.CanonicalHeaderKey(kv[0])
		if name == "Accept" && !acceptsBoth(kv[1]) {
			kv[1] += ", " + acceptBoth // the server must refuse less
		}
		if set[name] {
			h.Add(name, kv[1])
		} else {
			h.Set(name, kv[1])
		}
		set[name] = true
	}
}

// acceptsBoth reports whether an Accept names both kinds of answer, as every request must.
func acceptsBoth(accept string) bool {
	return strings.Contains(accept, "application/json") && strings.Contains(accept, "text/event-stream")
}

// nameOf is what Mcp-Name says of a request.
func nameOf(method string, params []byte) (string, bool) {
	switch method {
	case MethodToolsCall, MethodPromptsGet:
		return Text(Get(params, "name"))
	case MethodResourcesRead:
		return Text(Get(params, "uri"))
	}
	if strings.HasPrefix(method, "tasks/") {
		return Text(Get(params, "taskId"))
	}
	return "", false
}

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
