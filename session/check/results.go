package check

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// result judges the answer to one of our requests, where the rules know what it must hold.
func (v *verdicts) result(r *run, q request, result []byte) {
	if len(result) == 0 || result[0] != '{' { // resultNoObject says so
		return
	}
	switch q.method {
	case client.MethodToolsCall:
		v.toolResult(r, result)
		return
	case client.MethodInitialize, client.MethodDiscover:
		v.identity(q.method, result)
		return
	}
	for _, kind := range client.ListKinds {
		if kind.Method == q.method {
			v.page(r, kind, q, result)
		}
	}
}

// identity judges what a server says of itself (basic/lifecycle, server/discover).
func (v *verdicts) identity(method string, result []byte) {
	var lacks []string
	needs := func(what string, first byte, path ...string) {
		switch raw := client.Get(result, path...); {
		case raw == nil:
			lacks = append(lacks, "no "+strings.Join(path, "."))
		case raw[0] != first:
			lacks = append(lacks, fmt.Sprintf("%s that is %s, not %s", strings.Join(path, "."), client.JSONType(raw), what))
		}
	}
	if method == client.MethodInitialize {
		needs("text", '"', "protocolVersion")
		if needs("an object", '{', "serverInfo"); len(client.Get(result, "serverInfo")) > 0 && client.Get(result, "serverInfo")[0] == '{' {
			needs("text", '"', "serverInfo", "name")
			needs("text", '"', "serverInfo", "version")
		}
	} else {
		needs("a list", '[', "supportedVersions")
	}
	needs("an object", '{', "capabilities")
	if lacks != nil {
		v.add(identityInvalid, "the answer to %s has %s", method, strings.Join(lacks, ", "))
	}
	var odd []string
	for name, value := range client.Members(client.Get(result, "capabilities")) {
		if value[0] != '{' {
			odd = append(odd, fmt.Sprintf("%s is %s", client.Excerpt(name), client.JSONType(value)))
		}
	}
	if odd != nil {
		v.add(capabilityType, "a capability is an object, if it is there: %s", strings.Join(odd, ", "))
	}
}

// toolResult judges what a tool returned.
func (v *verdicts) toolResult(r *run, result []byte) {
	rules := [...]*Rule{client.FlawContent: contentInvalid, client.FlawBlock: blockInvalid, client.FlawBlockKind: blockKind,
		client.FlawIsError: isErrorType, client.FlawResultKind: resultType}
	for _, f := range client.JudgeToolResult(r.revision, result) {
		v.add(rules[f.Kind], "%s", f.Text)
	}
}

// page judges one page of a list: its shape, then each entry. Entries with the same fault share a
// mark, so that a server with a thousand of them is told once.
func (v *verdicts) page(r *run, kind client.ListKind, q request, result []byte) {
	items := client.Get(result, kind.Member)
	if len(items) == 0 || items[0] != '[' {
		v.add(listInvalid, "%s", (&client.ListError{Kind: kind, Raw: result}).Error())
	}
	if next := client.Get(result, "nextCursor"); next != nil && next[0] != '"' {
		v.add(cursorType, "nextCursor is %s: a cursor is text, and the last page has none", client.Excerpt(next))
	}
	if q.first && !q.probe || r.names[kind.Name] == nil {
		r.names[kind.Name] = map[string]bool{}
	}
	e := entries{kind: kind, modern: r.revision.Modern(), names: r.names[kind.Name]}
	if q.probe {
		e.names = map[string]bool{}
	}
	n := 0
	for raw := range client.Elements(items) {
		n++
		e.judge(n, raw)
	}
	for _, f := range e.faults {
		text := strings.Join(f.texts, "; ")
		if f.more > 0 {
			text += fmt.Sprintf("; and %d more", f.more)
		}
		v.graded(f.rule, int(f.severity), "%s", text)
	}
}

// entries collects what is wrong with those of one page.
type entries struct {
	kind   client.ListKind
	modern bool
	names  map[string]bool // of the pages before, too
	faults []fault
}

// fault is one rule and every entry of the page that breaks it.
type fault struct {
	rule     *Rule
	severity session.Severity
	texts    []string
	more     int
}

// fewTexts is how many entries with the same fault are named.
const fewTexts = 3

func (e *entries) say(rule *Rule, severity session.Severity, format string, args ...any) {
	for i := range e.faults {
		f := &e.faults[i]
		if f.rule != rule {
			continue
		}
		f.severity = max(f.severity, severity)
		if len(f.texts) == fewTexts {
			f.more++
		} else {
			f.texts = append(f.texts, fmt.Sprintf(format, args...))
		}
		return
	}
	e.faults = append(e.faults, fault{rule, severity, []string{fmt.Sprintf(format, args...)}, 0})
}

func (e *entries) judge(n int, raw []byte) {
	where := fmt.Sprintf("entry %d of the %s", n, e.kind.Name)
	if raw[0] != '{' {
		e.say(entryInvalid, session.Error, "%s is %s, not an object: %s", where, client.JSONType(raw), client.Excerpt(raw))
		return
	}
	var named, address, schema, output []byte
	for key, value := range client.Members(raw) {
		switch k, _ := client.Text(key); {
		case k == "name":
			named = value
		case k == "uri" && e.kind == client.Resources, k == "uriTemplate" && e.kind == client.Templates:
			address = value
		case k == "inputSchema":
			schema = value
		case k == "outputSchema" && e.kind == client.Tools:
			output = value
		}
	}
	name, ok := client.Text(named)
	switch {
	case named == nil:
		e.say(nameInvalid, session.Error, "%s has no name: %s", where, client.Excerpt(raw))
	case !ok:
		e.say(nameInvalid, session.Error, "%s has the name %s, which is %s", where, client.Excerpt(named), client.JSONType(named))
	case name == "":
		e.say(nameInvalid, session.Warning, "%s has an empty name", where)
	default:
		where = client.Excerpt(named)
	}
	id := name
	switch e.kind {
	case client.Resources, client.Templates:
		var isText bool
		if id, isText = client.Text(address); !isText || id == "" {
			what := "uri"
			if e.kind == client.Templates {
				what = "uriTemplate"
			}
			e.say(uriInvalid, session.Error, "%s has no text %q", where, what)
		}
	case client.Tools:
		e.schema(where, schema)
		if output != nil {
			e.output(where, output)
		}
	}
	if id == "" || e.kind == client.Templates {
		return
	}
	if e.names[id] {
		e.say(nameTwice, session.Warning, "%s is in the list of %s more than once", client.Excerpt(client.Quote(id)), e.kind.Name)
	}
	e.names[id] = true
}

// schema judges the outside of a tool's inputSchema; what is inside is JSON Schema's.
func (e *entries) schema(where string, schema []byte) {
	switch {
	case schema == nil:
		e.say(schemaInvalid, session.Error, "%s has no inputSchema", where)
		return
	case schema[0] != '{':
		e.say(schemaInvalid, session.Error, "%s has an inputSchema that is %s, not an object", where, client.JSONType(schema))
		return
	}
	switch t := client.Get(schema, "type"); {
	case t == nil:
		e.say(schemaType, session.Error, `%s has an inputSchema without "type":"object"`, where)
	case client.GetText(schema, "type") != "object":
		e.say(schemaType, session.Error, `%s has an inputSchema of type %s: it must be "object"`, where, client.Excerpt(t))
	}
}

// output judges the outside of an outputSchema: up to 2025-11-25 it describes an object.
func (e *entries) output(where string, schema []byte) {
	switch t := client.Get(schema, "type"); {
	case schema[0] != '{':
		e.say(outputInvalid, session.Error, "%s has an outputSchema that is %s, not an object", where, client.JSONType(schema))
	case e.modern:
	case t == nil:
		e.say(outputInvalid, session.Error, `%s has an outputSchema without "type":"object"`, where)
	case client.GetText(schema, "type") != "object":
		e.say(outputInvalid, session.Error, `%s has an outputSchema of type %s: it must be "object"`, where, client.Excerpt(t))
	}
}
