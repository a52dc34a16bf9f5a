package check

import "example.com/mcpinspect/session"

var (
	duplicateMember = &Rule{Name: "duplicate-member", Severity: session.Warning, Spec: pageBase,
		Title: "an object has a member twice",
		Why:   "Which of the two counts differs from decoder to decoder (RFC 8259 section 4): two clients see two different messages.",
		Fix:   "write each member once",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"a":1,"a":2}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"a":1,"b":2}`}
	largeID = &Rule{Name: "large-id", Severity: session.Warning, Spec: pageBase,
		Title: "a request of the server has an id beyond 2^53",
		Why:   "JavaScript clients lose digits of it and answer with another id.",
		Fix:   "use small numbers or strings as ids",
		Bad: `@2025-06-18
< 9007199254740993 ping`,
		Good: `@2025-06-18
< 7 ping`}
	jsonrpcVersion = &Rule{Name: "jsonrpc-version", Severity: session.Error, OfStream: true, Spec: pageBase,
		Title: "a message lacks jsonrpc \"2.0\"",
		Why:   "Every message has a member jsonrpc with the text 2.0. Clients drop what lacks it.",
		Fix:   "add \"jsonrpc\":\"2.0\"",
		Bad: `> 1 tools/list {}
< {"id":1,"result":{"resultType":"complete","tools":[]}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	idInvalid = &Rule{Name: "id-invalid", Severity: session.Error, Spec: pageBase,
		Title: "an id is neither text nor an integer",
		Why:   "Ids are strings or integers, never null, a fraction or a structure. Clients cannot pair what comes with another id.",
		Fix:   echoID,
		Bad: `@2025-06-18
< {"jsonrpc":"2.0","id":true,"method":"ping"}`,
		Good: `@2025-06-18
< 1 ping`}
	idSpelling = &Rule{Name: "id-spelling", Severity: session.Info, Spec: pageBase,
		Title: "an id is spelled with a fraction or an exponent",
		Why:   "1.0 is the same number as 1, but a client that compares the text or decodes into an integer will not find its request.",
		Fix:   echoID,
		Bad: `@2025-06-18
< 1.0 ping`,
		Good: `@2025-06-18
< 1 ping`}
	methodInvalid = &Rule{Name: "method-invalid", Severity: session.Error, Spec: pageBase,
		Title: "a method is no text, or empty",
		Why:   "The method names what is meant; without it nothing can be done with the message.",
		Fix:   "send the method as a string",
		Bad:   `< {"jsonrpc":"2.0","method":7}`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x"}`}
	paramsInvalid = &Rule{Name: "params-invalid", Severity: session.Error, Spec: pageBase,
		Title: "params is no object",
		Why:   "MCP knows named parameters only: params is an object or absent.",
		Fix:   "send an object, or leave params out",
		Bad:   `< {"jsonrpc":"2.0","method":"notifications/x","params":[1]}`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x","params":{"a":1}}`}
	resultAndError = &Rule{Name: "result-and-error", Severity: session.Error, Spec: pageBase,
		Title: "an answer has both result and error",
		Why:   "An answer says either. Clients take one of the two, not all the same one.",
		Fix:   "leave out the member that does not apply; null counts as present",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[]},"error":{"code":-32603,"message":"failed"}}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32603,"message":"failed"}`}
	methodWithResult = &Rule{Name: "method-with-result", Severity: session.Error, Spec: pageBase,
		Title: "a message is request and answer at once",
		Why:   "A message with a method is a request or a notification, one with a result or error is an answer.",
		Fix:   "send two messages",
		Bad:   `< {"jsonrpc":"2.0","method":"notifications/x","result":{}}`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x"}`}
	neitherResultError = &Rule{Name: "neither-result-nor-error", Severity: session.Error, Spec: pageBase,
		Title: "an answer has neither result nor error",
		Why:   "A request without a useful result is answered with an empty object as its result. Without it the caller waits for ever.",
		Fix:   "send \"result\":{}",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","id":1}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	resultNoObject = &Rule{Name: "result-not-an-object", Severity: session.Error, Spec: pageBase,
		Title: "a result is no object",
		Why:   "Every result of MCP is an object, since it may carry _meta.",
		Fix:   "wrap the value in an object",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","id":1,"result":"ok"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	errorNoObject = &Rule{Name: "error-not-an-object", Severity: session.Error, Spec: pageBase,
		Title: "an error is no object",
		Why:   "An error is an object with code and message. Clients that expect one fail in their own way on anything else.",
		Fix:   "send {\"code\":-32603,\"message\":\"…\"}",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","id":1,"error":"out of disk"}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32603,"message":"out of disk"}`}
	errorIncomplete = &Rule{Name: "error-incomplete", Severity: session.Error, Spec: pageBase,
		Title: "an error lacks its code or message",
		Why:   "Both are required: the code for programs, the message for people.",
		Fix:   "send both members",
		Bad: `> 1 tools/list {}
< 1 error {"code":-32603}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32603,"message":"out of disk"}`}
	errorTypes = &Rule{Name: "error-member-types", Severity: session.Error, Spec: pageBase,
		Title: "an error's code or message has the wrong type",
		Why:   "The code is an integer and the message is text.",
		Fix:   "put text codes such as \"E42\" into error.data",
		Bad: `> 1 tools/list {}
< 1 error {"code":"E42","message":"out of disk"}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32603,"message":"out of disk","data":{"code":"E42"}}`}
	errorText = &Rule{Name: "error-text", Severity: session.Warning, Spec: pageBase,
		Title: "an error's message is empty or long",
		Why:   "The message should be one concise sentence; details belong into data.",
		Fix:   "shorten the message",
		Bad: `> 1 tools/list {}
< 1 error {"code":-32603,"message":""}`,
		Good: `> 1 tools/list {}
< 1 error {"code":-32603,"message":"out of disk"}`}
	batchMessage = &Rule{Name: "batch", Severity: session.Error, OfStream: true, Spec: pageBase,
		Title: "messages come as a JSON array",
		Why:   "Batches exist in revision 2025-03-26 only. In all others a line is one message.",
		Fix:   "send each message on a line of its own",
		Bad: `> 1 tools/list {}
< [{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}]`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	batchMixed = &Rule{Name: "batch-mixed", Severity: session.Error, Spec: pageBase,
		Title: "a batch mixes answers with requests",
		Why:   "A batch holds either answers, or requests and notifications.",
		Fix:   "send two batches",
		Bad: `@2025-03-26
> 1 tools/list {}
< [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}},{"jsonrpc":"2.0","method":"notifications/x"}]`,
		Good: `@2025-03-26
> 1 tools/list {}
> 2 prompts/list {}
< [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}},{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}]`}
	unknownMember = &Rule{Name: "unknown-member", Severity: session.Warning, Spec: pageBase,
		Title: "a message has a member that JSON-RPC does not know",
		Why:   "Beside jsonrpc, id, method, params, result and error a message has no members. Strict clients refuse it.",
		Fix:   "move the member into params, result or _meta",
		Bad:   `< {"jsonrpc":"2.0","method":"notifications/x","time":5}`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x","params":{"time":5}}`}
	memberCase = &Rule{Name: "member-case", Severity: session.Warning, Spec: pageBase,
		Title: "a member's name differs from that of JSON-RPC in case only",
		Why:   "Names are case-sensitive. Some decoders take \"ID\" for \"id\", most do not.",
		Fix:   "write the names in lower case",
		Bad:   `< {"jsonrpc":"2.0","method":"notifications/x","Params":{}}`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x","params":{}}`}
	notificationWithID = &Rule{Name: "notification-with-id", Severity: session.Error, Spec: pageBase,
		Title: "a notification has an id",
		Why:   "A notification has no id; with one it is a request, which clients answer with an error.",
		Fix:   "leave the id out",
		Bad: `@2025-06-18
< 5 notifications/message {"level":"info","data":"x"}`,
		Good: `@2025-06-18
< notifications/message {"level":"info","data":"x"}`}
	serverRequest = &Rule{Name: "server-request", Severity: session.Error, Revisions: modern, Spec: pageStdio,
		Title: "the server sends a request in the stateless era",
		Why:   "From 2026-07-28 on a server never sends requests. What it needs from the client it asks for with an input_required result.",
		Fix:   "return resultType \"input_required\" instead",
		Bad:   `< 5 elicitation/create {"message":"Which city?","requestedSchema":{"type":"object","properties":{}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"resultType":"input_required","inputRequests":{"city":{"method":"elicitation/create","params":{"message":"Which city?","requestedSchema":{"type":"object","properties":{}}}}}}`}
	batchEmpty = &Rule{Name: "batch-empty", Severity: session.Error, Revisions: in2503, Spec: pageTransports,
		Title: "a batch has no messages",
		Why:   "A batch is a list of messages, and an empty one says nothing; the other side can only answer it with an error.",
		Fix:   "send nothing instead of []",
		Bad: `> 1 tools/list {}
< []`,
		Good: `> 1 tools/list {}
< [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}]`}
	batchInitialize = &Rule{Name: "batch-initialize", Severity: session.Error, Who: Client, Revisions: in2503, Spec: pageLife,
		Title: "initialize is part of a batch",
		Why:   "Nothing can be known of the other side before initialize has been answered, so nothing can be sent along with it.",
		Fix:   "send initialize by itself",
		Bad: `* tap
> [{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}]`,
		Good: `* tap
> 1 initialize {"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`}
	requestWithoutID = &Rule{Name: "request-without-id", Severity: session.Error, Who: Both, Spec: pageBase,
		Title: "a request has no id",
		Why:   "Without an id it is a notification. The other side does not know such a notification and drops it without a word, and whoever sent it waits for ever.",
		Fix:   "give every request an id of its own",
		Bad: `@2025-06-18
< ping`,
		Good: `@2025-06-18
< 1 ping`}
)

var envelopeRules = []*Rule{
	duplicateMember, largeID, jsonrpcVersion, idInvalid, idSpelling, methodInvalid, paramsInvalid, resultAndError,
	methodWithResult, neitherResultError, resultNoObject, errorNoObject, errorIncomplete, errorTypes, errorText,
	batchMessage, batchMixed, unknownMember, memberCase, notificationWithID, serverRequest, batchEmpty, batchInitialize,
	requestWithoutID,
}
