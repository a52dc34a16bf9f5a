package check

import "example.com/mcpinspect/session"

var (
	formSchema = &Rule{Name: "form-schema", Severity: session.Error, Revisions: from2506, Spec: pageElicitation,
		Title: "a form asks for what forms do not have",
		Why:   "A form is a flat object of texts, numbers, booleans and choices, so that every client can show it. Others refuse what is nested, and the question fails.",
		Fix:   "ask for flat fields; several forms, or a page in the browser, for more",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"home":{"type":"object"}}}}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}}}}}}`}
	formSecret = &Rule{Name: "form-asks-secret", Severity: session.Warning, Revisions: from2506, Spec: pageElicitation,
		Title: "a form seems to ask for a secret",
		Why:   "What is typed into a form goes through the client and often through the model. Passwords and keys must not be asked for in this way.",
		Fix:   "ask by a page in the browser (mode url), or read the secret from the environment",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}}}}}}`}
	urlElicitation = &Rule{Name: "url-elicitation", Severity: session.Error, Revisions: from2511, Spec: pageElicitation,
		Title: "a question by address has no address that can be opened",
		Why:   "The client shows the full address and opens it with the consent of the person. It is absolute, and https.",
		Fix:   "send an https address",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"/login"}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/login"}}}}`}
	urlSuspicious = &Rule{Name: "url-suspicious", Severity: session.Warning, Revisions: from2511, Spec: pageElicitation,
		Title: "the address of a question carries a user, a token, or a host that can deceive",
		Why:   "An address must not log anybody in by itself, or hold personal data: whoever gets to see it could use it. A host in Punycode may look like another.",
		Fix:   "send a plain address, and let the page ask",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/x?access_token=abc"}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/x?id=7"}}}}`}
	elicitedUnknown = &Rule{Name: "elicitation-complete-unknown", Severity: session.Warning, Revisions: in2511, Spec: pageElicitation,
		Title: "a question was reported as done that was not asked",
		Why:   "Clients wait for the elicitationId that they were given.",
		Fix:   "send the elicitationId of the question",
		Bad:   `< notifications/elicitation/complete {"elicitationId":"e9"}`,
		Good: `< 1 elicitation/create {"mode":"url","message":"m","url":"https://a.example/x","elicitationId":"e1"}
< notifications/elicitation/complete {"elicitationId":"e1"}`}
	urlErrorData = &Rule{Name: "url-elicitation-error", Severity: session.Error, Revisions: in2511, Spec: pageElicitation,
		Title: "error -32042 does not say what is to be opened",
		Why:   "Clients show the addresses in data.elicitations and try again. Without them the error cannot be mended.",
		Fix:   "send data.elicitations with mode \"url\", elicitationId, url and message",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32042,"message":"login needed"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32042,"message":"login needed","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://a.example/x","message":"m"}]}}`}
	elicitationAnswer = &Rule{Name: "elicitation-answer", Severity: session.Error, Who: Client, Revisions: from2506, Spec: pageElicitation,
		Title: "an elicitation was answered with no such action",
		Why:   "The answer is accept, decline or cancel, with the content of the form only for accept. Servers refuse anything else.",
		Fix:   "answer with one of the three",
		Bad: `@2025-11-25
* tap
< 1 elicitation/create {"message":"m","requestedSchema":{"type":"object","properties":{}}}
> 1 {"action":"yes"}`,
		Good: `@2025-11-25
* tap
< 1 elicitation/create {"message":"m","requestedSchema":{"type":"object","properties":{}}}
> 1 {"action":"accept","content":{}}`}
	rootURI = &Rule{Name: "root-uri", Severity: session.Error, Who: Client, Spec: pageRoots,
		Title: "a root is no file address",
		Why:   "Roots are folders of the client, with addresses that begin with file://.",
		Fix:   "send file:// addresses",
		Bad: `@2025-11-25
* tap
< 1 roots/list
> 1 {"roots":[{"uri":"/home/a"}]}`,
		Good: `@2025-11-25
* tap
< 1 roots/list
> 1 {"roots":[{"uri":"file:///home/a"}]}`}
	samplingInvalid = &Rule{Name: "sampling-invalid", Severity: session.Error, Spec: pageSampling,
		Title: "a sampling request lacks what is required",
		Why:   "It has messages with roles and content, maxTokens, and priorities between 0 and 1. Clients refuse anything else with error -32602.",
		Fix:   "send messages and maxTokens",
		Bad: `@2025-11-25
< 1 sampling/createMessage {"messages":[]}`,
		Good: `@2025-11-25
< 1 sampling/createMessage {"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":50}`}
	samplingTools = &Rule{Name: "sampling-tools-not-declared", Severity: session.Error, Revisions: from2511, Spec: pageSampling,
		Title: "a sampling request brings tools, or a context, that the client did not declare",
		Why:   "Only clients with sampling.tools can let a model use tools. Others fail, or leave them out.",
		Fix:   "look at the capabilities of the client first",
		Bad: `@2025-11-25
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< 1 sampling/createMessage {"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":50,"tools":[]}`,
		Good: `@2025-11-25
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"sampling":{"tools":{}}},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< 1 sampling/createMessage {"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":50,"tools":[]}`}
	samplingResults = &Rule{Name: "sampling-tool-results", Severity: session.Error, Revisions: from2511, Spec: pageSampling,
		Title: "uses and results of tools in a sampling request do not match",
		Why:   "Every tool_use is answered by a tool_result in the very next message, which holds nothing else. Models refuse the conversation otherwise.",
		Fix:   "put all results of one message into the next",
		Bad: `@2025-11-25
< 1 sampling/createMessage {"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u1","name":"a","input":{}}},{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":50}`,
		Good: `@2025-11-25
< 1 sampling/createMessage {"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u1","name":"a","input":{}}},{"role":"user","content":{"type":"tool_result","toolUseId":"u1","content":[]}}],"maxTokens":50}`}
)

var elicitationRules = []*Rule{
	formSchema, formSecret, urlElicitation, urlSuspicious, elicitedUnknown, urlErrorData, elicitationAnswer, rootURI,
	samplingInvalid, samplingTools, samplingResults,
}
