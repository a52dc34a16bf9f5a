package session

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

// Delta is what differs between two lists of one kind.
type Delta []Altered

// Altered is one item that differs.
type Altered struct {
	Name string // that of a tool or prompt, the URI of a resource
	How  How
	What string // of one that Changed: "b now required, description"
}

// How an item differs.
type How string

const (
	Added   How = "added"
	Removed How = "removed"
	Changed How = "changed"
)

// Compare finds what differs between two lists. An item that is listed twice counts once.
func Compare(kind client.ListKind, old, now []Item) (d Delta) {
	name := func(it *Item) string {
		if it.URI != "" && (kind == client.Resources || kind == client.Templates) {
			return it.URI
		}
		return it.Name
	}
	was := make(map[string]*Item, len(old))
	for i := range old {
		was[name(&old[i])] = &old[i]
	}
	seen := make(map[string]bool, len(now))
	for i := range now {
		n := name(&now[i])
		if seen[n] {
			continue
		}
		seen[n] = true
		before, ok := was[n]
		if !ok {
			d = append(d, Altered{Name: n, How: Added})
		} else if what := altered(*before, now[i]); what != "" {
			d = append(d, Altered{n, Changed, what})
		}
	}
	for i := range old {
		if n := name(&old[i]); !seen[n] {
			seen[n] = true
			d = append(d, Altered{Name: n, How: Removed})
		}
	}
	return d
}

// Empty reports whether nothing differs.
func (d Delta) Empty() bool { return len(d) == 0 }

// String says it in one line: "+sub, -old, add changed: b now required".
func (d Delta) String() string {
	var out []string
	for _, a := range d {
		switch a.How {
		case Added:
			out = append(out, "+"+a.Name)
		case Removed:
			out = append(out, "-"+a.Name)
		default:
			out = append(out, a.Name+" changed: "+a.What)
		}
	}
	return strings.Join(out, ", ")
}

// JSON is {"added":["sub"],"removed":["old"],"changed":[{"name":"add","what":"b now required"}]}.
func (d Delta) JSON() []byte {
	parts := map[How][]byte{}
	for _, a := range d {
		p := parts[a.How]
		if len(p) > 0 {
			p = append(p, ',')
		}
		if a.How == Changed {
			p = append(append(append(p, `{"name":`...), client.Quote(a.Name)...), `,"what":`...)
			p = append(append(p, client.Quote(a.What)...), '}')
		} else {
			p = client.AppendQuote(p, a.Name)
		}
		parts[a.How] = p
	}
	return fmt.Appendf(nil, `{"added":[%s],"removed":[%s],"changed":[%s]}`, parts[Added], parts[Removed], parts[Changed])
}

// altered names the differences of one item that matter to its callers, most telling first.
func altered(a, b Item) string {
	if string(a.Raw) == string(b.Raw) {
		return ""
	}
	var out []string
	oldProps, newProps := properties(a), properties(b)
	oldReq, newReq := required(a), required(b)
	for _, name := range newProps.order {
		raw, ok := oldProps.raw[name]
		switch {
		case !ok && newReq[name]:
			out = append(out, name+" added, required")
		case !ok:
			out = append(out, name+" added")
		case newReq[name] && !oldReq[name]:
			out = append(out, name+" now required")
		case oldReq[name] && !newReq[name]:
			out = append(out, name+" now optional")
		case raw != newProps.raw[name]:
			if ta, tb := typeOf(raw), typeOf(newProps.raw[name]); ta != tb {
				out = append(out, fmt.Sprintf("%s is %s, was %s", name, tb, ta))
			} else {
				out = append(out, name+" differs")
			}
		}
	}
	for _, name := range oldProps.order {
		if _, ok := newProps.raw[name]; !ok {
			out = append(out, name+" removed")
		}
	}
	if a.Description != b.Description {
		out = append(out, "description")
	}
	if string(a.OutputSchema()) != string(b.OutputSchema()) {
		out = append(out, "output schema")
	}
	if len(out) == 0 {
		out = append(out, "definition")
	}
	return strings.Join(out, ", ")
}

type props struct {
	order []string
	raw   map[string]string
}

func properties(it Item) props {
	p := props{raw: map[string]string{}}
	for name, value := range client.Members(client.Get(it.Raw, "inputSchema", "properties")) {
		key, _ := client.Text(name)
		p.order = append(p.order, key)
		p.raw[key] = string(value)
	}
	return p
}

func required(it Item) map[string]bool {
	out := map[string]bool{}
	for raw := range client.Elements(client.Get(it.Raw, "inputSchema", "required")) {
		if s, ok := client.Text(raw); ok {
			out[s] = true
		}
	}
	return out
}

func typeOf(raw string) string {
	if t := client.Get([]byte(raw), "type"); t != nil {
		if s, ok := client.Text(t); ok {
			return s
		}
		return string(t)
	}
	return "any"
}
