package check

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
)

// entries collects what is wrong with those of one page. Entries with the same fault share a mark, so
// that a server with a thousand of them is told once.
type entries struct {
	v      *verdicts
	kind   client.ListKind
	names  map[string]bool // of the pages before, too
	faults []fault
	one    object
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

func (e *entries) say(rule *Rule, format string, args ...any) {
	e.graded(rule, rule.Severity, format, args...)
}

func (e *entries) graded(rule *Rule, severity session.Severity, format string, args ...any) {
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

// flush makes the marks.
func (e *entries) flush() {
	for _, f := range e.faults {
		text := strings.Join(f.texts, "; ")
		if f.more > 0 {
			text += fmt.Sprintf("; and %d more", f.more)
		}
		e.v.graded(f.rule, f.severity, "%s", text)
	}
}

// key is the member that tells the entries apart.
func (e *entries) key() string {
	switch e.kind {
	case client.Resources:
		return "uri"
	case client.Templates:
		return "uriTemplate"
	}
	return "name"
}

func (e *entries) judge(n int, raw []byte) {
	where := fmt.Sprintf("entry %d of the %s", n, e.kind.Name)
	if !isObject(raw) {
		e.say(entryInvalid, "%s is %s, not an object: %s", where, client.JSONType(raw), client.Excerpt(raw))
		return
	}
	e.one.read(raw)
	named := e.one.get("name")
	name, ok := client.Text(named)
	switch {
	case named == nil:
		e.say(nameInvalid, "%s has no name: %s", where, client.Excerpt(raw))
	case !ok:
		e.say(nameInvalid, "%s has the name %s, which is %s", where, client.Excerpt(named), client.JSONType(named))
	case name == "":
		e.graded(nameInvalid, session.Warning, "%s has an empty name", where)
	default:
		where = client.Excerpt(named)
	}
	id := name
	switch e.kind {
	case client.Resources, client.Templates:
		var isText bool
		if id, isText = client.Text(e.one.get(e.key())); !isText || id == "" {
			e.say(uriInvalid, "%s has no text %q", where, e.key())
		} else {
			e.address(where, id)
		}
	case client.Tools:
		e.tool(where, name, raw)
	case client.Prompts:
		e.arguments(where)
	}
	e.common(where, raw)
	if id == "" || e.kind == client.Templates {
		return
	}
	if e.names[id] {
		e.say(nameTwice, "%s is in the list of %s more than once", client.Excerpt(client.Quote(id)), e.kind.Name)
	} else if len(e.names) < maxEntries {
		e.names[strings.Clone(id)] = true
	}
}

// tool judges what only tools have (server/tools).
func (e *entries) tool(where, name string, raw []byte) {
	v := e.v
	input, output := e.one.get("inputSchema"), e.one.get("outputSchema")
	e.toolName(where, name)
	if e.inputShape(where, input) {
		e.schema(where, "inputSchema", input)
		e.headers(where, input)
	}
	if output != nil && !isNull(output) && e.outputShape(where, output) {
		e.schema(where, "outputSchema", output)
	}
	if name != "" {
		v.r.catalogue.learn(name, input, output, v.rev.Modern())
	}
	e.hints(where)
	if exec := e.one.get("execution"); exec != nil {
		support := client.Get(exec, "taskSupport")
		known := is(support, "forbidden") || is(support, "optional") || is(support, "required")
		switch {
		case v.rev.Modern():
			e.say(removedMember, "%s has the member execution, which %s does not have any more", where, v.rev)
		case support == nil:
		case !known:
			e.say(taskSupport, "%s has the taskSupport %s: it is forbidden, optional or required", where, client.Excerpt(support))
		case !is(support, "forbidden") && v.r.life.caps.has(capKnown) && !v.r.life.caps.has(capToolTasks):
			e.graded(taskSupport, session.Warning, "%s has the taskSupport %s, and the capability tasks.requests.tools.call is not declared", where, client.Excerpt(support))
		}
	}
	for _, newer := range []struct {
		member string
		since  client.Revision
	}{{"outputSchema", client.Rev2025_06_18}, {"annotations", client.Rev2025_03_26}, {"execution", client.Rev2025_11_25}} {
		e.early(where, newer.member, newer.since)
	}
	_ = raw
}

// early tells of a member that the revision does not have yet.
func (e *entries) early(where, member string, since client.Revision) {
	if rev := e.v.rev; rev != "" && rev < since && e.one.has(member) {
		e.say(newerMember, "%s has the member %s, which came with %s", where, member, since)
	}
}

func (e *entries) toolName(where, name string) {
	if name == "" {
		return
	}
	odd := strings.Trim(name, labelBytes+"_.")
	switch {
	case len(name) > 128:
		e.say(toolName, "%s has %d bytes: a name has at most 128", where, len(name))
	case odd != "" && strings.Trim(name, labelBytes+"_./") != "" || strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(labelBytes+"_./", r) }):
		e.say(toolName, "%s has characters other than letters, digits, _, - and .", where)
	case strings.Contains(name, "/"):
		e.graded(toolName, session.Info, "%s has a /, which some clients refuse", where)
	case len(name) > 64:
		e.graded(toolName, session.Info, "%s has %d bytes: some clients refuse more than 64", where, len(name))
	}
}

// inputShape judges the outside of a tool's inputSchema; what is inside is JSON Schema's.
func (e *entries) inputShape(where string, input []byte) bool {
	switch {
	case input == nil:
		e.say(schemaInvalid, "%s has no inputSchema", where)
		return false
	case input[0] != '{':
		e.say(schemaInvalid, "%s has an inputSchema that is %s, not an object", where, client.JSONType(input))
		return false
	}
	switch t := client.Get(input, "type"); {
	case t == nil:
		e.say(schemaType, `%s has an inputSchema without "type":"object"`, where)
	case !is(t, "object"):
		e.say(schemaType, `%s has an inputSchema of type %s: it must be "object"`, where, client.Excerpt(t))
	}
	return true
}

// outputShape judges the outside of an outputSchema: up to 2025-11-25 it describes an object.
func (e *entries) outputShape(where string, output []byte) bool {
	if rev := e.v.rev; rev != "" && rev < client.Rev2025_06_18 {
		return false
	}
	switch t := client.Get(output, "type"); {
	case output[0] != '{':
		e.say(outputInvalid, "%s has an outputSchema that is %s, not an object", where, client.JSONType(output))
		return false
	case e.v.rev.Modern() || e.v.rev == "":
	case t == nil:
		e.say(outputInvalid, `%s has an outputSchema without "type":"object"`, where)
	case !is(t, "object"):
		e.say(outputInvalid, `%s has an outputSchema of type %s: it must be "object"`, where, client.Excerpt(t))
	}
	return true
}

// schema judges what is inside a schema.
func (e *entries) schema(where, member string, raw []byte) {
	if len(raw) > maxSchema {
		e.say(schemaOdd, "the %s of %s has %d bytes", member, where, len(raw))
		return
	}
	broken := session.Error
	if e.v.rev < client.Rev2025_11_25 {
		broken = session.Warning
	}
	compiled := schema.CompileOutput(raw)
	for _, n := range compiled.Notes() {
		place := strings.TrimSuffix(n.Pointer, "/")
		at := ""
		if place != "" {
			at = " at " + place
		}
		switch {
		case strings.HasSuffix(n.Pointer, "/$ref"):
			e.say(schemaRef, "the %s of %s%s: %s", member, where, at, n.Text)
		case strings.HasPrefix(n.Text, "not checked"), strings.HasPrefix(n.Text, "dialect "):
			e.say(schemaUnchecked, "the %s of %s%s: %s", member, where, at, n.Text)
		case strings.HasSuffix(n.Pointer, "/enum"):
			e.say(schemaOdd, "the %s of %s%s: %s", member, where, at, n.Text)
		case n.Pointer != "":
			e.graded(schemaBroken, broken, "the %s of %s%s: %s", member, where, at, n.Text)
		}
	}
	props := client.Get(raw, "properties")
	if client.Get(raw, "allOf") != nil || client.Get(raw, "anyOf") != nil || client.Get(raw, "oneOf") != nil || client.Get(raw, "$ref") != nil {
		return
	}
	for need := range client.Elements(client.Get(raw, "required")) {
		if s, ok := client.Text(need); ok && client.Get(props, s) == nil {
			e.say(schemaOdd, "the %s of %s requires %s, which is none of its properties", member, where, client.Excerpt(need))
		}
	}
}

// headers judges x-mcp-header annotations (basic/transports/streamable-http).
func (e *entries) headers(where string, input []byte) {
	if !strings.Contains(string(input[:min(len(input), maxSchema)]), "x-mcp-header") {
		return
	}
	params, err := client.HeaderParams(input)
	if err != nil {
		e.say(headerParam, "%s: %v", where, err)
		return
	}
	for _, p := range params {
		node := input
		for _, name := range p.Path {
			node = client.Get(node, "properties", name)
		}
		at := strings.Join(p.Path, "/")
		if is(client.Get(node, "type"), "number") {
			e.say(headerParam, "%s: x-mcp-header of /%s stands on a number: only string, integer and boolean can be headers", where, at)
		}
		if secretName(at) || is(client.Get(node, "format"), "password") {
			e.say(headerSecret, "%s sends its parameter %s as a header, where proxies log it", where, client.Excerpt(client.Quote(at)))
		}
	}
}

// secretName reports whether a name says that its value is secret.
func secretName(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name))
	for _, word := range []string{"password", "passwd", "secret", "apikey", "accesstoken", "authtoken", "privatekey", "creditcard", "cardnumber", "cvv"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "token" || strings.HasSuffix(name, "/token")
}
