package ui

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// maxTemplate bounds the templates that are read, in bytes, and maxReadURI the URIs that are held
// against one: none that anyone wrote is longer, and both cost time on the loop.
const (
	maxTemplate = 4 << 10
	maxReadURI  = 16 << 10
)

// parseTemplate reads a URI template (RFC 6570).
func parseTemplate(raw string) (*uritemplate.Template, error) {
	if len(raw) > maxTemplate {
		return nil, fmt.Errorf("the template is longer than %d bytes", maxTemplate)
	}
	t, err := uritemplate.New(raw)
	if err != nil {
		return nil, fmt.Errorf("it is no URI template: %w", err)
	}
	return t, nil
}

// templateSchema is the schema of the variables of a template: texts, and where a variable is
// exploded a list or a map as well. Every variable may be left out. A template that cannot be read
// has none.
func templateSchema(raw string) []byte {
	t, err := parseTemplate(raw)
	if err != nil {
		return nothingToGive
	}
	exploded := explodedIn(raw)
	out := []byte(`{"type":"object","properties":{`)
	for i, name := range t.Varnames() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(client.AppendQuote(out, name), ':')
		if slices.Contains(exploded, name) {
			out = append(out, `{"anyOf":[{"title":"text","type":"string"},{"title":"list","type":"array","items":{"type":"string"}},{"title":"map","type":"object","additionalProperties":{"type":"string"}}]}`...)
		} else {
			out = append(out, `{"type":"string"}`...)
		}
	}
	return append(out, `},"additionalProperties":false}`...)
}

// nothingToGive is the schema of what takes no arguments.
var nothingToGive = []byte(`{"type":"object","additionalProperties":false}`)

// explodedIn are the variables of a valid template that have the modifier *.
func explodedIn(raw string) (names []string) {
	for _, part := range strings.Split(raw, "{")[1:] {
		inside, _, _ := strings.Cut(part, "}")
		for _, v := range strings.Split(strings.TrimLeft(inside, "+#./;?&"), ",") {
			if name, ok := strings.CutSuffix(v, "*"); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// expandTemplate fills a template with the values of a JSON object: texts, lists and maps of texts;
// numbers and booleans as they are written, null and absent as undefined.
func expandTemplate(raw string, args []byte) (uri string, err error) {
	t, err := parseTemplate(raw)
	if err != nil {
		return "", err
	}
	v, err := schema.Parse(args)
	if err != nil || v.Kind != schema.Object {
		return "", errors.New("the variables must be an object")
	}
	values := uritemplate.Values{}
	for name, value := range client.Members(args) {
		key, _ := client.Text(name)
		switch value[0] {
		case '[':
			var list []string
			for e := range client.Elements(value) {
				list = append(list, spelled(e))
			}
			values.Set(key, uritemplate.List(list...))
		case '{':
			var pairs []string
			for n, e := range client.Members(value) {
				k, _ := client.Text(n)
				pairs = append(pairs, k, spelled(e))
			}
			values.Set(key, uritemplate.KV(pairs...))
		case 'n':
		default:
			values.Set(key, uritemplate.String(spelled(value)))
		}
	}
	if uri, err = t.Expand(values); err != nil {
		return "", fmt.Errorf("the template cannot be filled: %w", err)
	}
	return uri, nil
}

// spelled is a JSON string decoded, anything else as it is written.
func spelled(raw []byte) string {
	if s, ok := client.Text(raw); ok {
		return s
	}
	return string(raw)
}

// templateMatch is what the URIs of a template look like.
type templateMatch struct {
	of      string
	pattern *regexp.Regexp // nil when there is none
}

func newTemplateMatch(raw string) (m templateMatch) {
	m.of = raw
	t, err := parseTemplate(raw)
	if err != nil {
		return m
	}
	defer func() { // of very many variables the package makes a pattern that cannot be compiled
		if recover() != nil {
			m.pattern = nil
		}
	}()
	m.pattern = t.Regexp()
	return m
}

func (m *templateMatch) fits(uri string) bool {
	return m.pattern != nil && len(uri) <= maxReadURI && m.pattern.MatchString(uri)
}

// latestOf is the URI of a template that was read last, in this session or in the recording; empty
// for none. Lists may name resources of their own that look alike: those count as well.
func (a *app) latestOf(template string) (uri string) {
	if a.matching.of != template {
		a.matching = newTemplateMatch(template)
	}
	latest := -1
	for of, rows := range a.snap.Made {
		if of.Method == client.MethodResourcesRead && len(rows) > 0 && rows[len(rows)-1] > latest && a.matching.fits(of.Name) {
			uri, latest = of.Name, rows[len(rows)-1]
		}
	}
	return uri
}
