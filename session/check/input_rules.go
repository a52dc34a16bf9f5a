package check

import "example.com/mcpinspect/session"

var (
	inputMethod = &Rule{Name: "input-required-method", Severity: session.Error, Revisions: modern, Spec: pageInput,
		Title: "a method asks for input that may not",
		Why:   "Only tools/call, prompts/get and resources/read may be answered with input_required. Clients do not expect it elsewhere.",
		Fix:   "ask in one of these three, or do without",
		Bad: `> 1 tools/list {}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`}
	inputEmpty = &Rule{Name: "input-required-empty", Severity: session.Error, Revisions: modern, Spec: pageInput,
		Title: "an answer asks for input and does not say what for",
		Why:   "There is at least one of inputRequests and requestState. Otherwise the client has nothing to send again with.",
		Fix:   "send inputRequests, or a requestState to have the request sent again",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1"}`}
	inputRequest = &Rule{Name: "input-request-invalid", Severity: session.Error, Revisions: modern, Spec: pageInput,
		Title: "a question is of no kind that can be answered",
		Why:   "Each entry of inputRequests is an object with the method elicitation/create, sampling/createMessage or roots/list.",
		Fix:   "ask in one of these ways",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"confirm"}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`}
	inputUndeclared = &Rule{Name: "input-not-declared", Severity: session.Error, Revisions: modern, Spec: pageInput,
		Title: "the server asks for what the client did not declare on this request",
		Why:   "Every request says what the client can be asked for. It cannot answer anything else, and the call ends there.",
		Fix:   "look at clientCapabilities of the request; where it cannot be done without, answer with error -32021",
		Bad: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`,
		Good: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`}
	stateType = &Rule{Name: "request-state-type", Severity: session.Error, Revisions: modern, Spec: pageInput,
		Title: "a requestState is no text",
		Why:   "Clients send it back byte for byte, as a string.",
		Fix:   "encode the state as text",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":{"step":1}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1"}`}
	stateOpen = &Rule{Name: "request-state-open", Severity: session.Info, Revisions: modern, Spec: pageInput,
		Title: "a requestState can be read and changed, or is large",
		Why:   "It comes back from the client, who may have changed it. A server that trusts it lets others decide what was agreed on.",
		Fix:   "sign or encrypt it, or keep the state and send a key",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"eyJzdGVwIjoxfQ=="}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"k3Vq9"}`}
	inputCached = &Rule{Name: "input-required-cached", Severity: session.Warning, Revisions: modern, Spec: pageCaching,
		Title: "an answer that asks for input says how long it holds",
		Why:   "A question is not kept for later.",
		Fix:   "leave ttlMs and cacheScope out",
		Bad: `> 1 resources/read {"uri":"file:///a"}
<! 1 {"resultType":"input_required","requestState":"x1","ttlMs":5,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`,
		Good: `> 1 resources/read {"uri":"file:///a"}
< 1 {"resultType":"input_required","requestState":"x1"}`}
	inputMembers = &Rule{Name: "input-required-members", Severity: session.Warning, Revisions: modern, Spec: pageInput,
		Title: "an answer asks for input and has a result, too",
		Why:   "It is one or the other. Clients that look at content first take it for done.",
		Fix:   "leave out content, contents and messages until the result is complete",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1","content":[]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1","content":null}`}
	inputEntryMembers = &Rule{Name: "input-entry-members", Severity: session.Error, Who: Both, Revisions: modern, Spec: pageInput,
		Title: "a question or its answer is written as a message of its own",
		Why:   "The entries of inputRequests and inputResponses are bare: method and params, or a result, without jsonrpc, id, resultType and the _meta of requests.",
		Fix:   "leave these members out",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`}
	inputRounds = &Rule{Name: "input-rounds", Severity: session.Info, Revisions: modern, Spec: pageInput,
		Title: "the server asks again and again",
		Why:   "Clients stop after some ten rounds. The same question again means that the answer did not reach the server, or was not accepted without a word why.",
		Fix:   "say in the message what was wrong with the answer, and give up with an error at some time",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}
> 2 tools/call {"name":"a","inputResponses":{"a":{"roots":[]}}}
< 2 {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}
> 2 tools/call {"name":"a","inputResponses":{"a":{"roots":[]}}}
< 2 {"content":[]}`}
	retryDiffers = &Rule{Name: "retry-differs", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageInput,
		Title: "a retry is not the request before with the answers added",
		Why:   "A retry has a new id, the same parameters, and the requestState byte for byte. The server may remember nothing but what comes back.",
		Fix:   "keep the request, add inputResponses and the requestState, and take a new id",
		Bad: `* tap
> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1"}
> 2 tools/call {"name":"a","requestState":"x2"}`,
		Good: `* tap
> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1"}
> 2 tools/call {"name":"a","requestState":"x1"}`}
	retryIncomplete = &Rule{Name: "retry-incomplete", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageInput,
		Title: "a retry leaves a question unanswered",
		Why:   "Every key of the last inputRequests has its answer in inputResponses. Otherwise the server asks again.",
		Fix:   "answer every question, by declining if need be",
		Bad: `* tap
> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}}
> 2 tools/call {"name":"a","inputResponses":{"a":{"roots":[]}}}`,
		Good: `* tap
> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}
> 2 tools/call {"name":"a","inputResponses":{"a":{"roots":[]}}}`}
	retryUnrelated = &Rule{Name: "retry-unrelated", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageInput,
		Title: "answers or a state go with a request that asked for none",
		Why:   "They belong to the request that was answered with input_required. A server that takes them elsewhere mixes up two calls.",
		Fix:   "send them with the same request again, and with no other",
		Bad: `* tap
> 1 tools/call {"name":"a","requestState":"x1"}`,
		Good: `* tap
> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","requestState":"x1"}
> 2 tools/call {"name":"a","requestState":"x1"}`}
)

var inputRules = []*Rule{
	inputMethod, inputEmpty, inputRequest, inputUndeclared, stateType, stateOpen, inputCached, inputMembers,
	inputEntryMembers, inputRounds, retryDiffers, retryIncomplete, retryUnrelated,
}
