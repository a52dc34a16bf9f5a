package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

func (p *player) inspect(b []byte, m *message, err error) {
	ev := map[string]any{"bytes": len(b)}
	if len(b) <= 4000 {
		ev["text"] = string(b)
	}
	if m != nil && m.method != "" {
		ev["method"] = m.method
	}
	p.report("in", ev)
	if !utf8.Valid(b) {
		p.lint("the client wrote invalid UTF-8")
	}
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		p.lint("the client wrote a byte order mark")
	}
	if err != nil {
		p.lint("the client wrote a line that is not a message: %v", err)
		return
	}
	o := m.tree.(map[string]any)
	if o["jsonrpc"] != "2.0" {
		p.lint("jsonrpc is not \"2.0\"")
	}
	if p.sc.modern() && len(p.sc.legacy()) == 0 && m.isResp {
		p.lint("the client sent a response, which 2026-07-28 forbids")
	}
	for _, n := range p.sc.def.Never {
		if n == m.method {
			p.lint("the client sent %s, which this case forbids", n)
		}
	}
	if m.isResp || m.method == "" {
		return
	}
	if m.id == nil {
		return
	}
	switch t := o["id"].(type) {
	case string:
	case json.Number:
		if strings.ContainsAny(t.String(), ".eE") {
			p.lint("the request id %s is not an integer", t)
		}
	default:
		p.lint("the request id is neither a string nor an integer: %s", m.id)
	}
	if p.seen[string(m.id)] {
		p.lint("the request id %s was used before", m.id)
	}
	p.seen[string(m.id)] = true
	if len(p.sc.legacy()) == 0 {
		for _, k := range []string{metaVersion, metaCaps} {
			if _, ok := get(m.tree, "params._meta.["+k+"]"); !ok && m.method != "initialize" {
				p.lint("%s lacks _meta %s", m.method, k)
			}
		}
	} else if m.method == "initialize" {
		p.initSeen.Store(true)
	} else if !p.sc.modern() && !p.initSeen.Load() && m.method != "initialize" && m.method != "ping" && m.method != "server/discover" {
		p.lint("%s was sent before initialize", m.method)
	}
	if a, ok := get(m.tree, "params.arguments"); ok && m.method == "tools/call" && typeName(a) != "object" {
		p.lint("tools/call arguments is %s, not an object", typeName(a))
	}
}

func (p *player) lintHeaders(req *http.Request, m *message) {
	acc := strings.Join(req.Header.Values("Accept"), ",")
	if !strings.Contains(acc, "application/json") || !strings.Contains(acc, "text/event-stream") {
		p.lint("Accept does not list both application/json and text/event-stream: %q", acc)
	}
	if !strings.HasPrefix(req.Header.Get("Content-Type"), "application/json") {
		p.lint("Content-Type is %q", req.Header.Get("Content-Type"))
	}
	for _, h := range []string{"Accept", "Content-Type", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Authorization"} {
		if len(req.Header.Values(h)) > 1 {
			p.lint("header %s was sent %d times", h, len(req.Header.Values(h)))
		}
	}
	if m == nil || m.tree == nil {
		return
	}
	v, ok := get(m.tree, "params._meta.["+metaVersion+"]")
	if !ok {
		return
	}
	if req.Header.Get("MCP-Protocol-Version") != fmt.Sprint(v) {
		p.lint("MCP-Protocol-Version %q differs from _meta %v", req.Header.Get("MCP-Protocol-Version"), v)
	}
	if m.id == nil {
		return
	}
	if req.Header.Get("Mcp-Method") != m.method {
		p.lint("Mcp-Method %q differs from the method %s", req.Header.Get("Mcp-Method"), m.method)
	}
	path := map[string]string{"tools/call": "params.name", "prompts/get": "params.name", "resources/read": "params.uri"}[m.method]
	if path != "" {
		n, _ := get(m.tree, path)
		if dec := decodeHeader(req.Header.Get("Mcp-Name")); dec != fmt.Sprint(n) {
			p.lint("Mcp-Name %q differs from %v", req.Header.Get("Mcp-Name"), n)
		}
	}
}

func decodeHeader(s string) string {
	if strings.HasPrefix(s, "=?base64?") && strings.HasSuffix(s, "?=") {
		if b, err := base64.StdEncoding.DecodeString(s[9 : len(s)-2]); err == nil {
			return string(b)
		}
	}
	return s
}
