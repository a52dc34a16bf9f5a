package check

import "example.com/mcpinspect/session"

var (
	duplicateMember = &Rule{Name: "duplicate-member", Severity: session.Warning, Spec: pageBase,
		Title: "an object has a member twice",
		Why:   "Which of the two counts differs from decoder to decoder (RFC 8259 section 4): two clients see two different messages.",
		Fix:   "write each member once"}
	largeID = &Rule{Name: "large-id", Severity: session.Warning, Spec: pageBase,
		Title: "a request of the server has an id beyond 2^53",
		Why:   "JavaScript clients lose digits of it and answer with another id.",
		Fix:   "use small numbers or strings as ids"}
	jsonrpcVersion = &Rule{Name: "jsonrpc-version", Severity: session.Error, Spec: pageBase,
		Title: "a message lacks jsonrpc \"2.0\"",
		Why:   "Every message has a member jsonrpc with the text 2.0. Clients drop what lacks it.",
		Fix:   "add \"jsonrpc\":\"2.0\""}
	idInvalid = &Rule{Name: "id-invalid", Severity: session.Error, Spec: pageBase,
		Title: "an id is neither text nor an integer",
		Why:   "Ids are strings or integers, never null, a fraction or a structure. Clients cannot pair what comes with another id.",
		Fix:   echoID}
	idSpelling = &Rule{Name: "id-spelling", Severity: session.Info, Spec: pageBase,
		Title: "an id is spelled with a fraction or an exponent",
		Why:   "1.0 is the same number as 1, but a client that compares the text or decodes into an integer will not find its request.",
		Fix:   echoID}
	methodInvalid = &Rule{Name: "method-invalid", Severity: session.Error, Spec: pageBase,
		Title: "a method is no text, or empty",
		Why:   "The method names what is meant; without it nothing can be done with the message.",
		Fix:   "send the method as a string"}
	paramsInvalid = &Rule{Name: "params-invalid", Severity: session.Error, Spec: pageBase,
		Title: "params is no object",
		Why:   "MCP knows named parameters only: params is an object or absent.",
		Fix:   "send an object, or leave params out"}
	resultAndError = &Rule{Name: "result-and-error", Severity: session.Error, Spec: pageBase,
		Title: "an answer has both result and error",
		Why:   "An answer says either. Clients take one of the two, not all the same one.",
		Fix:   "leave out the member that does not apply; null counts as present"}
	methodWithResult = &Rule{Name: "method-with-result", Severity: session.Error, Spec: pageBase,
		Title: "a message is request and answer at once",
		Why:   "A message with a method is a request or a notification, one with a result or error is an answer.",
		Fix:   "send two messages"}
	neitherResultError = &Rule{Name: "neither-result-nor-error", Severity: session.Error, Spec: pageBase,
		Title: "an answer has neither result nor error",
		Why:   "A request without a useful result is answered with an empty object as its result. Without it the caller waits for ever.",
		Fix:   "send \"result\":{}"}
	resultNoObject = &Rule{Name: "result-not-an-object", Severity: session.Error, Spec: pageBase,
		Title: "a result is no object",
		Why:   "Every result of MCP is an object, since it may carry _meta.",
		Fix:   "wrap the value in an object"}
	errorNoObject = &Rule{Name: "error-not-an-object", Severity: session.Error, Spec: pageBase,
		Title: "an error is no object",
		Why:   "An error is an object with code and message. Clients that expect one fail in their own way on anything else.",
		Fix:   "send {\"code\":-32603,\"message\":\"…\"}"}
	errorIncomplete = &Rule{Name: "error-incomplete", Severity: session.Error, Spec: pageBase,
		Title: "an error lacks its code or message",
		Why:   "Both are required: the code for programs, the message for people.",
		Fix:   "send both members"}
	errorTypes = &Rule{Name: "error-member-types", Severity: session.Error, Spec: pageBase,
		Title: "an error's code or message has the wrong type",
		Why:   "The code is an integer and the message is text.",
		Fix:   "put text codes such as \"E42\" into error.data"}
	errorText = &Rule{Name: "error-text", Severity: session.Warning, Spec: pageBase,
		Title: "an error's message is empty or long",
		Why:   "The message should be one concise sentence; details belong into data.",
		Fix:   "shorten the message"}
	batchMessage = &Rule{Name: "batch", Severity: session.Error, Spec: pageBase,
		Title: "messages come as a JSON array",
		Why:   "Batches exist in revision 2025-03-26 only. In all others a line is one message.",
		Fix:   "send each message on a line of its own"}
	batchMixed = &Rule{Name: "batch-mixed", Severity: session.Error, Spec: pageBase,
		Title: "a batch mixes answers with requests",
		Why:   "A batch holds either answers, or requests and notifications.",
		Fix:   "send two batches"}
	unknownMember = &Rule{Name: "unknown-member", Severity: session.Warning, Spec: pageBase,
		Title: "a message has a member that JSON-RPC does not know",
		Why:   "Beside jsonrpc, id, method, params, result and error a message has no members. Strict clients refuse it.",
		Fix:   "move the member into params, result or _meta"}
	memberCase = &Rule{Name: "member-case", Severity: session.Warning, Spec: pageBase,
		Title: "a member's name differs from that of JSON-RPC in case only",
		Why:   "Names are case-sensitive. Some decoders take \"ID\" for \"id\", most do not.",
		Fix:   "write the names in lower case"}
	notificationWithID = &Rule{Name: "notification-with-id", Severity: session.Error, Spec: pageBase,
		Title: "a notification has an id",
		Why:   "A notification has no id; with one it is a request, which clients answer with an error.",
		Fix:   "leave the id out"}
	serverRequest = &Rule{Name: "server-request", Severity: session.Error, Revisions: modern, Spec: pageStdio,
		Title: "the server sends a request in the stateless era",
		Why:   "From 2026-07-28 on a server never sends requests. What it needs from the client it asks for with an input_required result.",
		Fix:   "return resultType \"input_required\" instead"}
)

var envelopeRules = []*Rule{duplicateMember, largeID, jsonrpcVersion, idInvalid, idSpelling, methodInvalid, paramsInvalid, resultAndError, methodWithResult, neitherResultError, resultNoObject, errorNoObject, errorIncomplete, errorTypes, errorText, batchMessage, batchMixed, unknownMember, memberCase, notificationWithID, serverRequest}
