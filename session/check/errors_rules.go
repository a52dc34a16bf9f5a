package check

import "example.com/mcpinspect/session"

var (
	codeReserved = &Rule{Name: "code-reserved", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "an error has a code that is kept for the specification",
		Why:   "The codes from -32099 to -32023 will get a meaning in later revisions. Clients will then take the error for something else.",
		Fix:   "use a code outside -32768 to -32000, or -32603",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32050,"message":"quota exceeded"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":1050,"message":"quota exceeded"}`}
	codeWithdrawn = &Rule{Name: "code-withdrawn", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "an error has a code that was withdrawn",
		Why:   "-32002 (not found) and -32042 (open an address first) are no codes of 2026-07-28 any more: -32602 and input_required have taken their place.",
		Fix:   "answer with error -32602, or with input_required",
		Bad: `> 1 resources/read {"uri":"file:///none"}
< 1 error {"code":-32002,"message":"Resource not found"}`,
		Good: `> 1 resources/read {"uri":"file:///none"}
< 1 error {"code":-32602,"message":"Resource not found","data":{"uri":"file:///none"}}`}
	codeLegacyRange = &Rule{Name: "code-legacy-range", Severity: session.Warning, Revisions: modern, Spec: pageBase,
		Title: "an error has a code that means nothing by itself",
		Why:   "The codes from -32019 to -32000 were used for anything. New servers should not use them.",
		Fix:   "use a code outside -32768 to -32000, or -32603",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32000,"message":"busy"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32603,"message":"busy"}`}
	codeDraft = &Rule{Name: "code-draft", Severity: session.Warning, Revisions: modern, Spec: pageChanges,
		Title: "an error has a code of a draft",
		Why:   "Drafts of 2026-07-28 numbered their errors otherwise: -32001, -32003 and -32004 are -32020, -32021 and -32022 now. Clients do not know the old numbers.",
		Fix:   "bring the server's SDK up to date",
		Bad: `> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32004,"message":"Unsupported protocol version"}`,
		Good: `> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2027-01-01"}}`}
	versionErrorData = &Rule{Name: "version-error-data", Severity: session.Error, Revisions: modern, Spec: pageVersion,
		Title: "error -32022 does not say which versions are supported",
		Why:   "Clients choose another version from data.supported and try again. Without it they give up.",
		Fix:   "send data.supported, and data.requested as it was asked for",
		Bad: `> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32022,"message":"Unsupported protocol version"}`,
		Good: `> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2027-01-01"}}`}
	capabilityErrorData = &Rule{Name: "capability-error-data", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "error -32021 does not say which capability is missing",
		Why:   "data.requiredCapabilities is an object like clientCapabilities, of what the client would have to declare. A list, or what it did declare, cannot be acted on.",
		Fix:   "send {\"requiredCapabilities\":{\"elicitation\":{}}}",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32021,"message":"needs roots","data":{"requiredCapabilities":["sampling"]}}`,
		Good: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32021,"message":"needs roots","data":{"requiredCapabilities":{"roots":{}}}}`}
	headerOnStdio = &Rule{Name: "header-error-on-stdio", Severity: session.Warning, Revisions: modern, Spec: pageHTTP,
		Title: "an error is about headers where there are none",
		Why:   "-32020 says that headers of HTTP and the message differ. On stdio there are no headers.",
		Fix:   "check headers in the HTTP transport only",
		Bad: `> 1 tools/list {}
< 1 error {"code":-32020,"message":"header mismatch"}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32602,"message":"missing key"}`}
	capabilityAsParams = &Rule{Name: "capability-as-params", Severity: session.Warning, Revisions: modern, Spec: pageBase,
		Title: "a missing capability was refused with -32602",
		Why:   "-32021 says that the client would have to declare more, and what. -32602 says that its parameters are wrong.",
		Fix:   "answer with error -32021 and data.requiredCapabilities",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32602,"message":"the client lacks the capability sampling"}`,
		Good: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32021,"message":"needs sampling","data":{"requiredCapabilities":{"sampling":{}}}}`}
	codeEarly = &Rule{Name: "code-early", Severity: session.Info, Revisions: legacy, Spec: pageChanges,
		Title: "an error has a code of the stateless era",
		Why:   "The codes from -32022 to -32020 came with 2026-07-28. Clients of this revision show them as unknown.",
		Fix:   "nothing needs to change",
		Bad: `> 1 tools/list {}
< 1 error {"code":-32021,"message":"needs sampling"}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32602,"message":"needs sampling"}`}
	urlCodeEarly = &Rule{Name: "url-code-early", Severity: session.Error, Revisions: in2411 | in2503 | in2506, Spec: pageChanges,
		Title: "error -32042 came before it was defined",
		Why:   "The code came with 2025-11-25. Clients of the revision that was agreed on cannot do what it asks for.",
		Fix:   "return the address as text in a result with isError",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32042,"message":"login needed"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"open https://a.example/x first"}],"isError":true}`}
	codeUndefined = &Rule{Name: "code-undefined", Severity: session.Warning, Spec: pageBase,
		Title: "an error has a code that nobody defined",
		Why:   "Codes from -32768 to -32000 belong to JSON-RPC and MCP, and 0 says nothing. Clients cannot tell what went wrong.",
		Fix:   "use -32603 for unexpected failures, -32602 for wrong parameters, -32601 for unknown methods",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":0,"message":"failed"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32603,"message":"failed"}`}
	unknownCode = &Rule{Name: "unknown-name-code", Severity: session.Warning, Spec: pageBase,
		Title: "an unknown method, tool or prompt was refused with another code than is due",
		Why:   "-32601 is for methods, -32602 for the names of tools and prompts. Clients tell by the code whether trying again makes sense.",
		Fix:   "use -32601 and -32602",
		Bad: `> 1 prompts/get {"name":"nope"}
< 1 error {"code":-32603,"message":"Unknown prompt: nope"}`,
		Good: `> 1 prompts/get {"name":"nope"}
< 1 error {"code":-32602,"message":"Unknown prompt: nope"}`}
	argumentsAsError = &Rule{Name: "arguments-as-error", Severity: session.Info, Revisions: from2511, Spec: pageTools,
		Title: "wrong arguments were refused with an error instead of a result",
		Why:   "A result with isError reaches the model, which can mend its arguments. An error stops at the client.",
		Fix:   "return isError with what is wrong",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"a"}
< 2 error {"code":-32602,"message":"path is required"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"path is required"}],"isError":true}`}
	notFoundData = &Rule{Name: "not-found-data", Severity: session.Warning, Spec: pageResources,
		Title: "a resource was not found, and the error does not say so as it should",
		Why:   "In 2026-07-28 it is -32602 with the uri in its data, before it was -32002. Clients cannot tell what was not found.",
		Fix:   "send the code of the revision, and \"data\":{\"uri\":…}",
		Bad: `> 1 resources/read {"uri":"file:///none"}
< 1 error {"code":-32602,"message":"Resource not found"}`,
		Good: `> 1 resources/read {"uri":"file:///none"}
< 1 error {"code":-32602,"message":"Resource not found","data":{"uri":"file:///none"}}`}
	errorLeaks = &Rule{Name: "error-leaks", Severity: session.Info, Spec: pageBase,
		Title: "an error carries a stack trace or a path",
		Why:   "It goes to the client, and often to a model. It tells how the machine is set up, and does not help to mend anything.",
		Fix:   "write the trace to stderr, and one sentence into the error",
		Bad: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32603,"message":"cannot open /home/ada/secret.txt"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32603,"message":"cannot open the file"}`}
)

var errorsRules = []*Rule{
	codeReserved, codeWithdrawn, codeLegacyRange, codeDraft, versionErrorData, capabilityErrorData, headerOnStdio,
	capabilityAsParams, codeEarly, urlCodeEarly, codeUndefined, unknownCode, argumentsAsError, notFoundData, errorLeaks,
}
