package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

func (p *player) auto(m *message) {
	p.bound = m
	d := &p.sc.def
	for _, x := range d.Manual {
		if x == m.method {
			return
		}
	}
	if m.id == nil || m.isResp {
		if m.method == "notifications/initialized" {
			p.inited = true
		}
		return
	}
	fail := func(code int, msg, data string) {
		t := fmt.Sprintf(`{"jsonrpc":"2.0","id":"$id","error":{"code":%d,"message":%s`, code, must(json.Marshal(msg)))
		if data != "" {
			t += `,"data":` + data
		}
		p.sendText(t + `}}`)
	}
	ok := func(body string, cacheable bool) {
		p.sendText(`{"jsonrpc":"2.0","id":"$id","result":` + p.decorate(body, cacheable) + `}`)
	}
	v, hasMeta := get(m.tree, "params._meta.["+metaVersion+"]")
	_, hasCaps := get(m.tree, "params._meta.["+metaCaps+"]")
	modern := p.useModern(m)

	if m.method == "initialize" {
		leg := p.sc.legacy()
		if len(leg) == 0 {
			fail(-32601, "initialize is not part of this server's protocol; it speaks "+strings.Join(d.Versions, ", "), `{"supported":`+string(must(json.Marshal(d.Versions)))+`}`)
			return
		}
		want, _ := get(m.tree, "params.protocolVersion")
		ver := leg[0]
		for _, l := range leg {
			if l == want {
				ver = l
			}
		}
		p.initVer = ver
		p.inited = true
		t := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":%s`, ver, p.caps(), p.identity())
		if d.Instructions != "" {
			t += `,"instructions":` + string(must(json.Marshal(d.Instructions)))
		}
		if p.w != nil && d.Session != "" {
			*p.sessions++
			p.w.rw.Header().Set("Mcp-Session-Id", fmt.Sprintf("%s-%d", d.Session, *p.sessions))
		}
		p.sendText(`{"jsonrpc":"2.0","id":"$id","result":` + t + `}}`)
		return
	}
	if modern && !d.Lenient {
		if !hasMeta || !hasCaps {
			if p.w != nil {
				p.w.status = 400
			}
			fail(-32602, "request lacks the required _meta fields", "")
			return
		}
		if vs, _ := v.(string); !p.sc.has(vs) {
			if p.w != nil {
				p.w.status = 400
			}
			fail(-32022, "Unsupported protocol version", fmt.Sprintf(`{"supported":%s,"requested":%s}`, must(json.Marshal(d.Versions)), must(json.Marshal(v))))
			return
		}
	}
	switch m.method {
	case "server/discover":
		if !p.sc.modern() {
			switch d.Probe {
			case "silent":
			case "exit":
				p.finish(1)
			case "params":
				fail(-32602, "Invalid request parameters", `""`)
			default:
				fail(-32601, "Method not found", "")
			}
			return
		}
		t := fmt.Sprintf(`{"supportedVersions":%s,"capabilities":%s`, must(json.Marshal(d.Versions)), p.caps())
		if d.Instructions != "" {
			t += `,"instructions":` + string(must(json.Marshal(d.Instructions)))
		}
		ok(t+`}`, true)
	case "ping":
		if modern {
			fail(-32601, "Method not found: ping", "")
			return
		}
		ok(`{}`, false)
	case "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		if modern {
			fail(-32601, "Method not found: "+m.method, "")
			return
		}
		ok(`{}`, false)
	case "tools/list":
		p.page(m, "tools", d.Tools, ok, fail)
	case "resources/list":
		p.page(m, "resources", d.Resources, ok, fail)
	case "prompts/list":
		p.page(m, "prompts", d.Prompts, ok, fail)
	case "resources/templates/list":
		ok(`{"resourceTemplates":[]}`, true)
	case "resources/read":
		u, _ := get(m.tree, "params.uri")
		c, found := d.Contents[fmt.Sprint(u)]
		if !found {
			fail(-32602, "Resource not found", `{"uri":`+string(must(json.Marshal(u)))+`}`)
			return
		}
		ok(`{"contents":`+compact(c)+`}`, true)
	case "prompts/get":
		n, _ := get(m.tree, "params.name")
		c, found := d.Messages[fmt.Sprint(n)]
		if !found {
			fail(-32602, "Unknown prompt", "")
			return
		}
		ok(`{"messages":`+compact(c)+`}`, false)
	case "tools/call":
		n, _ := get(m.tree, "params.name")
		if r, found := d.Results[fmt.Sprint(n)]; found {
			ok(compact(r), false)
			return
		}
		if r, found := d.Results["*"]; found {
			ok(compact(r), false)
			return
		}
		if !p.hasTool(fmt.Sprint(n)) {
			fail(-32602, fmt.Sprintf("Unknown tool: %v", n), "")
			return
		}
		a, _ := get(m.tree, "params.arguments")
		b, _ := json.Marshal(a)
		ok(`{"content":[{"type":"text","text":`+string(must(json.Marshal("args "+string(b))))+`}],"isError":false}`, false)
	default:
		if p.w != nil && modern {
			p.w.status = 404
		}
		fail(-32601, "Method not found: "+m.method, "")
	}
}

func (p *player) hasTool(n string) bool {
	for _, t := range p.sc.def.Tools {
		var v struct {
			Name string `json:"name"`
		}
		json.Unmarshal(t, &v)
		if v.Name == n {
			return true
		}
	}
	return false
}

func (p *player) page(m *message, key string, all []json.RawMessage, ok func(string, bool), fail func(int, string, string)) {
	from := 0
	if c, has := get(m.tree, "params.cursor"); has {
		s, isStr := c.(string)
		n, err := strconv.Atoi(strings.TrimPrefix(s, "p"))
		if !isStr || err != nil || n < 0 || n > len(all) {
			fail(-32602, "Invalid cursor", "")
			return
		}
		from = n
	}
	to := len(all)
	if p.sc.def.Page > 0 && from+p.sc.def.Page < to {
		to = from + p.sc.def.Page
	}
	var parts []string
	for _, t := range all[from:to] {
		parts = append(parts, compact(t))
	}
	t := fmt.Sprintf(`{%q:[%s]`, key, strings.Join(parts, ","))
	if to < len(all) {
		t += fmt.Sprintf(`,"nextCursor":"p%d"`, to)
	}
	ok(t+`}`, true)
}

func (p *player) caps() string {
	d := &p.sc.def
	if d.Capabilities != nil {
		return compact(d.Capabilities)
	}
	var c []string
	c = append(c, `"tools":{}`)
	if d.Resources != nil {
		c = append(c, `"resources":{}`)
	}
	if d.Prompts != nil {
		c = append(c, `"prompts":{}`)
	}
	return "{" + strings.Join(c, ",") + "}"
}
