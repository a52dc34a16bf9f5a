package ui

import (
	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/template"
)

// nothingToGive is the schema of what takes no arguments.
const nothingToGive = `{"type":"object","additionalProperties":false}`

// templateSchema is the schema of the variables of a template: texts, and where a variable is
// exploded a list or a map as well. Every variable may be left out. A template that cannot be read
// has none.
func templateSchema(raw string) []byte {
	t, err := template.Parse(raw)
	if err != nil {
		return []byte(nothingToGive)
	}
	out := []byte(`{"type":"object","properties":{`)
	for i, v := range t.Variables() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(client.AppendQuote(out, v.Name), ':')
		if v.Exploded {
			out = append(out, `{"anyOf":[{"title":"text","type":"string"},{"title":"list","type":"array","items":{"type":"string"}},{"title":"map","type":"object","additionalProperties":{"type":"string"}}]}`...)
		} else {
			out = append(out, `{"type":"string"}`...)
		}
	}
	return append(out, `},"additionalProperties":false}`...)
}

// readTemplate is the request for the resource that a template makes of values.
func readTemplate(raw string, values []byte) (client.Request, error) {
	t, err := template.Parse(raw)
	if err != nil {
		return client.Request{}, err
	}
	uri, err := t.Expand(values)
	return readResource(uri), err
}

// templateMatch remembers the template that URIs are held against.
type templateMatch struct {
	of  string
	got *template.Template // nil when it cannot be read
}

// latestOf is the URI of a template that was read last, in this session or in the recording; empty
// for none. Lists may name resources of their own that look alike: those count as well.
func (a *app) latestOf(raw string) (uri string) {
	if m := &a.matching; m.of != raw {
		m.of = raw
		m.got, _ = template.Parse(raw)
	}
	latest := -1
	for of, rows := range a.snap.Made {
		if of.Method == client.MethodResourcesRead && len(rows) > 0 && rows[len(rows)-1] > latest && a.matching.got != nil && a.matching.got.Fits(of.Name) {
			uri, latest = of.Name, rows[len(rows)-1]
		}
	}
	return uri
}

// spelled is a JSON string decoded, anything else as it is written.
func spelled(raw []byte) string {
	if s, ok := client.Text(raw); ok {
		return s
	}
	return string(raw)
}

// variablesOf are the variables of a template; none of one that cannot be read.
func variablesOf(raw string) []template.Variable {
	t, err := template.Parse(raw)
	if err != nil {
		return nil
	}
	return t.Variables()
}
