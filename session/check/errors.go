package check

import (
	"strings"

	"example.com/mcpinspect/client"
)

// Codes that decide something here and nowhere else (basic, error codes).
const (
	codeReservedFrom = -32099 // for the specification, to codeReservedTo
	codeReservedTo   = -32023
	codeNotFound     = -32002 // resource not found, until 2025-11-25
	codeURLNeeded    = -32042 // 2025-11-25 only
)

// code judges the code of an error that answers a request, and what must come with it.
func (v *verdicts) code(q *request, code int, message string, data []byte) {
	lower := strings.ToLower(message)
	if v.rev.Modern() {
		v.modernCode(q, code, lower, data)
	} else if code == client.CodeHeaderMismatch || code == client.CodeMissingCapability || code == client.CodeUnsupportedVersion {
		if v.rev != "" {
			v.add(codeEarly, "error %d answers %s, and %s does not know it", code, q.method, v.rev)
		}
	}
	switch {
	case code == codeURLNeeded && v.rev != "" && v.rev < client.Rev2025_11_25:
		v.add(urlCodeEarly, "error -32042 answers %s, and came with %s", q.method, client.Rev2025_11_25)
	case code == codeURLNeeded && v.rev == client.Rev2025_11_25:
		v.urlError(data)
	case code == 0, code <= -32400 && code >= -32768 && code != -32700 && code != -32600 && code != -32601 && code != -32602 && code != -32603:
		v.undefined(q, code)
	}
	v.expected(q, code, lower, data)
}

// undefined judges a code that nobody defined.
func (v *verdicts) undefined(q *request, code int) {
	if q.rev.Modern() && !v.r.modern || v.r.life.shaking && !v.r.life.shaken {
		return // a handshake server that is asked in the other way may say so as it likes
	}
	v.add(codeUndefined, "error %d answers %s: it is no code of JSON-RPC, and none for applications", code, q.method)
}

// modernCode judges codes by the ranges of the stateless era.
func (v *verdicts) modernCode(q *request, code int, lower string, data []byte) {
	switch {
	case code >= codeReservedFrom && code <= codeReservedTo && code != codeURLNeeded:
		v.add(codeReserved, "error %d answers %s: the codes from -32099 to -32023 are kept for the specification", code, q.method)
	case code == codeNotFound || code == codeURLNeeded:
		v.add(codeWithdrawn, "error %d answers %s: %s does not have this code any more", code, q.method, v.rev)
	case code == -32001 && strings.Contains(lower, "header"), code == -32003 && strings.Contains(lower, "capabilit"), code == -32004 && strings.Contains(lower, "version"):
		v.add(codeDraft, "error %d answers %s with the words of what is %d now", code, q.method, code-19+boolInt(code == -32003)+boolInt(code == -32004))
	case code >= -32019 && code <= -32000:
		v.add(codeLegacyRange, "error %d answers %s: the codes from -32019 to -32000 mean nothing by themselves", code, q.method)
	case code == client.CodeUnsupportedVersion:
		v.versionError(q, data)
	case code == client.CodeMissingCapability:
		v.capabilityError(q, data)
	case code == client.CodeHeaderMismatch && v.e.Exchange == 0:
		v.add(headerOnStdio, "error -32020 is about headers of HTTP, and answers %s on stdio", q.method)
	case code == client.CodeInvalidParams && strings.Contains(lower, "capabilit") && !q.bare && !strings.Contains(lower, "clientcapabilities"):
		v.add(capabilityAsParams, "%s was refused for a missing capability with -32602: %s", q.method, client.Excerpt([]byte(lower)))
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// versionError judges the data of -32022.
func (v *verdicts) versionError(q *request, data []byte) {
	supported, requested := client.Get(data, "supported"), client.Get(data, "requested")
	asked := q.version
	if asked == "" {
		asked = string(q.rev)
	}
	switch {
	case !isList(supported):
		v.add(versionErrorData, "error -32022 answers %s without the list supported in its data", q.method)
	case !isText(requested):
		v.add(versionErrorData, "error -32022 answers %s without the text requested in its data", q.method)
	case !is(requested, asked):
		v.add(versionErrorData, "error -32022 says that %s was asked for, it was %s", client.Excerpt(requested), client.Excerpt([]byte(asked)))
	}
	v.versions(supported)
}

// capabilityError judges the data of -32021.
func (v *verdicts) capabilityError(q *request, data []byte) {
	needs := client.Get(data, "requiredCapabilities")
	if !isObject(needs) {
		v.add(capabilityErrorData, "error -32021 answers %s without the object requiredCapabilities in its data", q.method)
		return
	}
	for name, value := range client.Members(needs) {
		plain := string(value) == "{}"
		if is(name, "roots") && q.caps.has(capRoots) || is(name, "sampling") && plain && q.caps.has(capSampling) || is(name, "elicitation") && plain && q.caps.has(capForms) {
			v.add(capabilityErrorData, "error -32021 names %s, which the client did declare for %s", client.Excerpt(name), q.method)
		}
	}
}

// expected judges that common failures have the code that is due.
func (v *verdicts) expected(q *request, code int, lower string, data []byte) {
	if q.rev.Modern() && !v.r.modern || v.r.life.shaking && !v.r.life.shaken {
		return
	}
	unknown := strings.Contains(lower, "not found") || strings.Contains(lower, "unknown") || strings.Contains(lower, "no such") || strings.Contains(lower, "does not exist")
	switch q.method {
	case client.MethodToolsCall:
		whole, there := v.r.catalogue.listed(q.name)
		switch {
		case whole && !there && len(q.name) > 0 && unknown && code != client.CodeInvalidParams:
			v.add(unknownCode, "the unknown tool %s was refused with error %d: -32602 is due", client.Excerpt(q.name), code)
		case whole && there && code == client.CodeInvalidParams && v.rev >= client.Rev2025_11_25:
			v.add(argumentsAsError, "the arguments of %s were refused with -32602: a result with isError lets the model mend them", client.Excerpt(q.name))
		}
	case client.MethodPromptsGet:
		if unknown && code != client.CodeInvalidParams {
			v.add(unknownCode, "the unknown prompt %s was refused with error %d: -32602 is due", client.Excerpt(q.name), code)
		}
	case client.MethodResourcesRead:
		switch {
		case !unknown && code != codeNotFound:
		case v.rev.Modern() && code == client.CodeInvalidParams && !isText(client.Get(data, "uri")):
			v.add(notFoundData, "the error for %s does not have the uri in its data", client.Excerpt(q.name))
		case !v.rev.Modern() && v.rev != "" && code != codeNotFound && code != client.CodeInvalidParams:
			v.add(notFoundData, "%s was not found with error %d: -32002 is due", client.Excerpt(q.name), code)
		}
	case client.MethodToolsList, client.MethodPromptsList, client.MethodResourcesList, client.MethodTemplatesList:
		if !q.first && strings.Contains(lower, "cursor") && code != client.CodeInvalidParams {
			v.add(cursorCode, "the cursor of %s was refused with error %d: -32602 is due", q.method, code)
		}
	default:
		if !isMethod(q.method) && q.method != "" && code != client.CodeMethodNotFound && unknown && strings.Contains(lower, "method") {
			v.add(unknownCode, "the unknown method %s was refused with error %d: -32601 is due", client.Excerpt([]byte(q.method)), code)
		}
	}
}

// leaks judges what an error tells of the machine that it happened on.
func (v *verdicts) leaks(message string, data []byte) {
	for _, s := range [...]string{message, text(data), text(client.Get(data, "stack"))} {
		switch {
		case strings.Contains(s, "Traceback (most recent call last)"), strings.Contains(s, "\n    at "), strings.Contains(s, "\n\tat "), strings.Contains(s, "goroutine "):
			v.add(errorLeaks, "an error carries a stack trace: %s", client.Excerpt(client.Quote(s)))
			return
		case strings.Contains(s, "/home/"), strings.Contains(s, "/Users/"), strings.Contains(s, `C:\Users\`):
			v.add(errorLeaks, "an error carries a path of the machine: %s", client.Excerpt(client.Quote(s)))
			return
		}
	}
}
