package client

import (
	"encoding/base64"
	"net/http"
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
