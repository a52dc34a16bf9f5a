package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"
)

func compact(r json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, r) != nil {
		return string(r)
	}
	return b.String()
}

// wire renders an outgoing step to bytes.
func (p *player) wire(s *step) ([]byte, bool) {
	var t string
	switch {
	case s.raw["raw"] != nil:
		t = *s.Raw
		if !s.Literal {
			t = rawExpand(p, t)
		}
		return []byte(t), true
	case s.raw["raw_b64"] != nil:
		b, err := base64.StdEncoding.DecodeString(*s.RawB64)
		if err != nil {
			fatal("line %d: raw_b64: %v", s.line, err)
		}
		return b, true
	case s.raw["send"] != nil:
		t = compact(s.Send)
	case s.raw["reply"] != nil:
		t = compact(s.Reply)
		if !s.Bare {
			t = p.decorate(t, false)
		}
		t = `{"jsonrpc":"2.0","id":"$id","result":` + t + `}`
	case s.raw["error"] != nil:
		t = `{"jsonrpc":"2.0","id":"$id","error":` + compact(s.Error) + `}`
	case s.raw["notify"] != nil:
		var v struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		json.Unmarshal(s.Notify, &v)
		t = `{"jsonrpc":"2.0","method":` + string(must(json.Marshal(v.Method)))
		if v.Params != nil {
			t += `,"params":` + compact(v.Params)
		}
		t += `}`
	default:
		return nil, false
	}
	if !s.Literal {
		t = p.expand(t)
	}
	eol := "\n"
	if s.EOL != "" {
		eol = s.EOL
	}
	if s.NoNewline {
		eol = ""
	}
	return []byte(t + eol), true
}

// decorate adds what revision 2026-07-28 wants in a result, without re-encoding it.
func (p *player) decorate(t string, cacheable bool) string {
	if !p.useModern(p.bound) || !strings.HasPrefix(t, "{") {
		return t
	}
	add := ""
	if !strings.Contains(t, `"resultType"`) {
		add += `"resultType":"complete",`
	}
	if cacheable && !strings.Contains(t, `"ttlMs"`) {
		ttl := int64(0)
		if p.sc.def.TTL != nil {
			ttl = *p.sc.def.TTL
		}
		scope := p.sc.def.Scope
		if scope == "" {
			scope = "private"
		}
		add += fmt.Sprintf(`"ttlMs":%d,"cacheScope":%q,`, ttl, scope)
	}
	if !strings.Contains(t, metaServer) && !strings.Contains(t, `"_meta"`) {
		add += `"_meta":{"` + metaServer + `":` + p.identity() + `},`
	}
	rest := t[1:]
	if strings.TrimSpace(rest) == "}" {
		add = strings.TrimSuffix(add, ",")
	}
	return "{" + add + rest
}

func (p *player) identity() string {
	b, _ := json.Marshal(map[string]string{"name": p.sc.def.Name, "version": "1.0.0"})
	return string(b)
}

// useModern says whether m is to be answered under the stateless rules.
func (p *player) useModern(m *message) bool {
	if !p.sc.modern() {
		return false
	}
	if len(p.sc.legacy()) == 0 {
		return true
	}
	if m != nil && m.tree != nil {
		if _, ok := get(m.tree, "params._meta.["+metaVersion+"]"); ok {
			return true
		}
	}
	return !p.inited
}

func (p *player) write(b []byte, s *step) {
	split, every, gap := s.Split, s.Every, s.GapMS
	if p.pending != nil {
		split, every, gap = p.pending.Split, p.pending.Every, p.pending.GapMS
		p.pending = nil
	}
	if gap == 0 {
		gap = 15
	}
	if every > 0 {
		split = nil
		for i := every; i < len(b); i += every {
			split = append(split, i)
		}
	}
	sort.Ints(split)
	prev := 0
	for _, at := range split {
		if at <= prev || at >= len(b) {
			continue
		}
		p.put(b[prev:at])
		time.Sleep(ms(int64(gap)))
		prev = at
	}
	p.put(b[prev:])
}

func (p *player) put(b []byte) {
	if len(b) == 0 {
		return
	}
	var err error
	if p.w != nil {
		err = p.w.write(b)
	} else {
		_, err = p.out.Write(b)
	}
	ev := map[string]any{"bytes": len(b)}
	if len(b) <= 2000 {
		ev["text"] = string(b)
	}
	if err != nil {
		ev["error"] = err.Error()
	}
	p.report("out", ev)
}

func (p *player) sendText(t string) {
	t = p.expand(t)
	if p.w != nil {
		p.w.message([]byte(t), p.sc.def.SSE)
		return
	}
	p.put([]byte(t + "\n"))
}
