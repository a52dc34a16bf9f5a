package check

import (
	"fmt"
	"net/url"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// elicitation judges an elicitation/create (client/elicitation).
func (v *verdicts) elicitation(where string, params []byte) {
	if !isText(client.Get(params, "message")) {
		v.add(formSchema, "%s has no message", where)
	}
	if is(client.Get(params, "mode"), "url") {
		v.urlElicitation(where, params)
		return
	}
	schema := client.Get(params, "requestedSchema")
	switch {
	case !isObject(schema):
		v.add(formSchema, "%s has no object requestedSchema", where)
		return
	case !is(client.Get(schema, "type"), "object"):
		v.add(formSchema, "%s has a requestedSchema of another type than object", where)
	}
	for name, field := range client.Members(client.Get(schema, "properties")) {
		shown := client.Excerpt(name)
		if what := formFault(field, v.rev); what != "" {
			v.add(formSchema, "%s asks for %s, which %s", where, shown, what)
		}
		if client.Get(field, "pattern") != nil {
			v.graded(formSchema, session.Warning, "%s has a pattern on %s, which forms do not have", where, shown)
		}
		if secretName(text(name)) || secretName(text(client.Get(field, "title"))) {
			v.add(formSecret, "%s asks for %s by a form: secrets are not asked for in this way", where, shown)
		}
	}
}

// formFault says what a form does not have (client/elicitation); empty for nothing.
func formFault(field []byte, rev client.Revision) string {
	for _, keyword := range []string{"$ref", "allOf", "not", "if"} {
		if client.Get(field, keyword) != nil {
			return "has " + keyword
		}
	}
	kind := text(client.Get(field, "type"))
	switch kind {
	case "string", "number", "integer", "boolean":
		if client.Get(field, "anyOf") != nil {
			return "has anyOf"
		}
		return ""
	case "array":
		items := client.Get(field, "items")
		if rev >= client.Rev2025_11_25 && (client.Get(items, "enum") != nil || client.Get(items, "anyOf") != nil) {
			return ""
		}
		return "is a list of other than choices"
	case "object":
		return "is nested: forms are flat"
	case "":
		if client.Get(field, "enum") != nil || client.Get(field, "oneOf") != nil {
			return ""
		}
		return "has no type"
	}
	return fmt.Sprintf("is of type %s", client.Excerpt(client.Get(field, "type")))
}

// urlElicitation judges a question that a page in the browser answers.
func (v *verdicts) urlElicitation(where string, params []byte) {
	raw := client.Get(params, "url")
	address, err := url.Parse(text(raw))
	switch {
	case err != nil || !isText(raw) || address.Scheme == "" || address.Host == "":
		v.add(urlElicitation, "%s has the url %s, which is no absolute address", where, orNone(raw))
		return
	case v.rev == client.Rev2025_11_25 && !isText(client.Get(params, "elicitationId")):
		v.add(urlElicitation, "%s has no elicitationId", where)
	case address.Scheme == "http":
		v.graded(urlElicitation, session.Warning, "%s leads to %s without encryption", where, client.Excerpt([]byte(address.Host)))
	}
	if v.rev.Modern() && client.Get(params, "elicitationId") != nil {
		v.add(removedMember, "%s has the member elicitationId, which %s does not have any more", where, v.rev)
	}
	if id := client.Get(params, "elicitationId"); id != nil {
		v.r.progress.elicited.add(hash(id))
	}
	odd := ""
	switch {
	case address.User != nil:
		odd = "names a user"
	case strings.Contains(strings.ToLower(address.Host), "xn--"):
		odd = "has a host that is written in Punycode"
	default:
		for name := range address.Query() {
			if n := strings.ToLower(name); secretName(n) || n == "access_token" || n == "id_token" || n == "jwt" {
				odd = "carries " + client.Excerpt(client.Quote(name))
			}
		}
	}
	if odd != "" {
		v.add(urlSuspicious, "the url of %s %s", where, odd)
	}
}

// elicited judges a notifications/elicitation/complete.
func (v *verdicts) elicited(params []byte) {
	if id := client.Get(params, "elicitationId"); !v.r.progress.elicited.has(hash(id)) {
		v.add(elicitedUnknown, "notifications/elicitation/complete names the elicitationId %s, which was not asked for", orNone(id))
	}
}

// urlError judges the data of -32042.
func (v *verdicts) urlError(data []byte) {
	list := client.Get(data, "elicitations")
	if !isList(list) || elements(list, 1) == 0 {
		v.add(urlErrorData, "error -32042 names no elicitations in its data")
		return
	}
	for e := range client.Elements(list) {
		id := client.Get(e, "elicitationId")
		if !is(client.Get(e, "mode"), "url") || !isText(id) || !isText(client.Get(e, "url")) {
			v.add(urlErrorData, "error -32042 names an elicitation without mode \"url\", elicitationId and url: %s", client.Excerpt(e))
			return
		}
		v.r.progress.elicited.add(hash(id))
	}
}

// judgeElicited judges what a client answers to an elicitation.
func (v *verdicts) judgeElicited(result, params []byte) {
	action, content := client.Get(result, "action"), client.Get(result, "content")
	switch {
	case !is(action, "accept") && !is(action, "decline") && !is(action, "cancel"):
		v.add(elicitationAnswer, "an elicitation was answered with the action %s: it is accept, decline or cancel", orNone(action))
	case content != nil && !isNull(content) && !isObject(content):
		v.add(elicitationAnswer, "an elicitation was answered with content that is %s, not an object", client.JSONType(content))
	}
	_ = params
}

// sampling judges a sampling/createMessage (client/sampling).
func (v *verdicts) sampling(where string, params []byte, c caps) {
	messages := client.Get(params, "messages")
	if !isList(messages) {
		v.add(samplingInvalid, "%s has no list messages", where)
	}
	if !isInteger(client.Get(params, "maxTokens")) {
		v.add(samplingInvalid, "%s has no integer maxTokens", where)
	}
	for _, name := range []string{"costPriority", "speedPriority", "intelligencePriority"} {
		if raw := client.Get(params, "modelPreferences", name); raw != nil {
			if n, ok := number(raw); !ok || n < 0 || n > 1 {
				v.add(samplingInvalid, "%s has the %s %s, which is not between 0 and 1", where, name, client.Excerpt(raw))
			}
		}
	}
	if !c.has(capSamplingTools) && c.has(capKnown) && (client.Get(params, "tools") != nil || client.Get(params, "toolChoice") != nil) {
		v.add(samplingTools, "%s brings tools, and the client did not declare sampling.tools", where)
	}
	if include := client.Get(params, "includeContext"); include != nil && !is(include, "none") && c.has(capKnown) && !c.has(capSamplingContext) {
		v.graded(samplingTools, session.Warning, "%s has includeContext %s, and the client did not declare sampling.context", where, client.Excerpt(include))
	}
	v.samplingMessages(where, messages)
}

// samplingMessages judges roles, and that every use of a tool has its result in the next message.
func (v *verdicts) samplingMessages(where string, messages []byte) {
	n := 0
	var due map[string]bool
	for m := range client.Elements(messages) {
		n++
		role, content := client.Get(m, "role"), client.Get(m, "content")
		if !is(role, "user") && !is(role, "assistant") {
			v.add(samplingInvalid, "message %d of %s has the role %s", n, where, orNone(role))
		}
		results, others := 0, 0
		uses, answered := map[string]bool{}, map[string]bool{}
		blocks := content
		if isObject(content) {
			blocks = append(append([]byte("["), content...), ']')
		}
		for b := range client.Elements(blocks) {
			switch text(client.Get(b, "type")) {
			case "tool_use":
				uses[text(client.Get(b, "id"))] = true
				others++
			case "tool_result":
				answered[text(client.Get(b, "toolUseId"))] = true
				results++
			case "":
				v.add(samplingInvalid, "message %d of %s has a block without a type", n, where)
			default:
				others++
			}
		}
		if results > 0 && others > 0 {
			v.add(samplingResults, "message %d of %s has results of tools beside other content", n, where)
		}
		for id := range due {
			if !answered[id] {
				v.add(samplingResults, "the use %s of a tool in %s has no result in the next message", client.Excerpt(client.Quote(id)), where)
			}
		}
		for id := range answered {
			if !due[id] {
				v.add(samplingResults, "a result in %s is for the use %s of a tool, which is not in the message before", where, client.Excerpt(client.Quote(id)))
			}
		}
		due = uses
	}
	for id := range due {
		v.add(samplingResults, "the use %s of a tool in %s has no result", client.Excerpt(client.Quote(id)), where)
	}
}
