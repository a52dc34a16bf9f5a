package check

import "example.com/mcpinspect/session"

var (
	unknownID = &Rule{Name: "unknown-id", Severity: session.Error, Spec: pageBase,
		Title: "an answer has the id of no request",
		Why:   "Nobody waits for it, and the request that was meant stays unanswered.",
		Fix:   echoID,
		Bad: `> 1 tools/list {}
< 99 {"tools":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	answeredTwice = &Rule{Name: "answered-twice", Severity: session.Error, Spec: pageBase,
		Title: "a request was answered twice",
		Why:   "A request gets one answer. Clients drop the second, or report an unknown id.",
		Fix:   "return after the first answer; look for an error handler that answers again",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
< 1 {"tools":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	idType = &Rule{Name: "id-type", Severity: session.Error, OfStream: true, Spec: pageBase,
		Title: "an answer's id differs from the request's in type or spelling only",
		Why:   "\"1\" and 1 are different ids. Clients compare them strictly and wait until their timeout. It was matched here all the same.",
		Fix:   echoID,
		Bad: `> 1 tools/list {}
< "1" {"tools":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	errorWithoutID = &Rule{Name: "error-without-id", Severity: session.Warning, Spec: pageBase,
		Title: "an error answers a request without its id",
		Why:   "An error may lack an id only when the request could not be read. Clients cannot tell what failed and wait until their timeout. It was given to the only open request here.",
		Fix:   echoID,
		Bad: `> 1 tools/call {"name":"a"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"failed"}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 error {"code":-32603,"message":"failed"}`}
	answerWithoutID = &Rule{Name: "answer-without-id", Severity: session.Warning, Spec: pageBase,
		Title: "an answer without an id",
		Why:   "Nothing tells which request it answers.",
		Fix:   echoID,
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","result":{"tools":[]}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	unansweredRequest = &Rule{Name: "unanswered-request", Severity: session.Warning, Spec: pageBase,
		Title: "a request was not answered",
		Why:   "Every request is answered, with an error if need be. Clients wait for their whole timeout otherwise.",
		Fix:   "answer every request, with an error when it cannot be done: -32601 for a method that is not known",
		Bad: `> 1 tools/list {}
* exit 0 stdin-closed`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	lateAnswer = &Rule{Name: "late-answer", Severity: session.Info, Spec: pageCancel,
		Title: "an answer came after its request was given up",
		Why:   "Messages may cross on the wire, so this can be harmless. When it happens often, the work goes on although nobody wants its result.",
		Fix:   "stop the work when notifications/cancelled comes",
		Bad: `> 1 tools/call {"name":"slow"}
* cancel 1
< 1 {"content":[]}
* late 1 an answer to id 1 came, which had been cancelled`,
		Good: `> 1 tools/call {"name":"slow"}
< 1 {"content":[]}`}
	probeSilent = &Rule{Name: "probe-unanswered", Severity: session.Info, Spec: pageDiscover,
		Title: "server/discover was not answered",
		Why:   "A server that does not know the method should say so with error -32601. Silence costs every client that knows both eras the timeout of its probe.",
		Fix:   "answer unknown requests with error -32601, before initialize too",
		Bad: `@
> 1 server/discover {}
* timeout 1 server/discover (id 1) got no answer within 3s`,
		Good: `@
> 1 server/discover {}
< 1 error {"code":-32601,"message":"Method not found"}`}
	notificationAnswered = &Rule{Name: "answer-to-notification", Severity: session.Error, Spec: pageBase,
		Title: "a notification was answered",
		Why:   "A notification has no id, so that an answer to it reaches nobody. Clients report an error that belongs to none of their requests, and some end the session.",
		Fix:   "return nothing for notifications, not even an error for one that is not known",
		Bad: `@2025-06-18
> notifications/initialized
< {"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`,
		Good: `@2025-06-18
> notifications/initialized
> 1 tools/list {}
< 1 {"tools":[]}`}
	idInFlight = &Rule{Name: "id-in-flight", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageBase,
		Title: "the client uses an id again while its request is open",
		Why:   "Two open requests with one id cannot be told apart: the first answer goes to one of them, and the second to none.",
		Fix:   "count ids up",
		Bad: `* tap
> 1 tools/list {}
> 1 prompts/list {}`,
		Good: `* tap
> 1 tools/list {}
> 2 prompts/list {}`}
	idReused = &Rule{Name: "id-reused", Severity: session.Error, Who: Both, Revisions: legacy, Spec: pageBase,
		Title: "an id is used for a second request of the session",
		Why:   "In handshake revisions an id belongs to one request for the whole session. A late answer to the first would be taken for one to the second.",
		Fix:   "count ids up for as long as the session lasts",
		Bad: `* tap
> 7 tools/list {}
< 7 {"tools":[]}
> 7 prompts/list {}`,
		Good: `* tap
> 7 tools/list {}
< 7 {"tools":[]}
> 8 prompts/list {}`}
	answerAfterCancel = &Rule{Name: "message-after-cancel", Severity: session.Error, Revisions: modern, Spec: pageCancel,
		Title: "the server goes on with a request that was cancelled",
		Why:   "Once it has read notifications/cancelled a server sends nothing more for that request, neither progress nor an answer. Messages may cross on the wire; this one came more than a second later.",
		Fix:   "stop the work when notifications/cancelled comes, and drop what it returns",
		Bad: `> 1 tools/call {"name":"slow"}
> notifications/cancelled {"requestId":1}
* wait 5s
< 1 {"content":[]}`,
		Good: `> 1 tools/call {"name":"slow"}
> notifications/cancelled {"requestId":1}
* wait 5s`}
	clientSilent = &Rule{Name: "server-request-unanswered", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageBase,
		Title: "the client did not answer a request of the server",
		Why:   "In handshake revisions the server may ask, too, and waits for the answer. A client that stays silent stops the tool that asked, or the whole server when it was a ping.",
		Fix:   "answer every request, with error -32601 what is not known",
		Bad: `* tap
< 1 ping
* exit 0 stdin-closed`,
		Good: `* tap
< 1 ping
> 1 {}
* exit 0 stdin-closed`}
	pingSilent = &Rule{Name: "ping-unanswered", Severity: session.Warning, Revisions: legacy, Spec: pagePing,
		Title: "ping was not answered",
		Why:   "A ping is answered at once, with an empty result. Clients take silence for a connection that has died, and end it.",
		Fix:   "answer ping in the reading loop, not behind the work of tools",
		Bad: `> 1 ping
* timeout 1 ping (id 1) got no answer within 30s`,
		Good: `> 1 ping
< 1 {}`}
	clientAnswer = &Rule{Name: "client-answer", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageStdio,
		Title: "the client sends an answer in the stateless era",
		Why:   "From 2026-07-28 on servers send no requests, so that there is nothing to answer. What the server asked for goes into the parameters of the request that is sent again.",
		Fix:   "send the request again with inputResponses",
		Bad: `* tap
> 5 {"action":"accept"}`,
		Good: `* tap
> 5 tools/list {}
< 5 {"tools":[]}`}
	lateProbe = &Rule{Name: "late-probe-answer", Severity: session.Info, Spec: pageVersion,
		Title: "server/discover was answered after it had been given up",
		Why:   "The answer came when the handshake had taken its place. It is matched by its id and does no harm; every connection pays for the wait.",
		Fix:   "answer server/discover, or refuse it with error -32601, as soon as it is read",
		Bad: `@
> 1 server/discover {}
* timeout 1 server/discover (id 1) got no answer within 3s
< 1 error {"code":-32601,"message":"Method not found"}
* late 1 the probe was answered late`,
		Good: `@
> 1 server/discover {}
< 1 error {"code":-32601,"message":"Method not found"}`}
	cancelWithoutID = &Rule{Name: "cancel-without-id", Severity: session.Error, Who: Both, Spec: pageCancel,
		Title: "notifications/cancelled names no request",
		Why:   "The requestId is what says which request is meant. Without it nothing is cancelled.",
		Fix:   "send the id of the request as requestId, with its JSON type",
		Bad: `@2025-06-18
< notifications/cancelled {"reason":"no longer needed"}`,
		Good: `@2025-06-18
< 4 ping
< notifications/cancelled {"requestId":4,"reason":"no longer needed"}`}
	cancelOther = &Rule{Name: "cancel-wrong-side", Severity: session.Error, Who: Both, Revisions: legacy, Spec: pageCancel,
		Title: "notifications/cancelled names a request of the other side",
		Why:   "Only who sent a request may cancel it. The two sides count their ids by themselves, so that a mixed-up id cancels something else.",
		Fix:   "cancel requests that you sent",
		Bad: `> 1 tools/list {}
< notifications/cancelled {"requestId":1}`,
		Good: `< 1 ping
< notifications/cancelled {"requestId":1}`}
	cancelUnknown = &Rule{Name: "cancel-unknown", Severity: session.Info, Who: Both, Spec: pageCancel,
		Title: "notifications/cancelled names a request that is not open",
		Why:   "It may have crossed the answer on the wire, which both sides have to bear.",
		Fix:   "nothing needs to change, unless it happens often: then look at where the ids come from",
		Bad: `@2025-06-18
< notifications/cancelled {"requestId":77}`,
		Good: `@2025-06-18
< 77 ping
< notifications/cancelled {"requestId":77}`}
	cancelInitialize = &Rule{Name: "cancel-initialize", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageCancel,
		Title: "the client cancels initialize",
		Why:   "The handshake cannot be cancelled. A client that does not want it any more closes the connection.",
		Fix:   "close the connection instead",
		Bad: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
> notifications/cancelled {"requestId":1}`,
		Good: `* tap
> 1 tools/call {"name":"a"}
> notifications/cancelled {"requestId":1}`}
	serverCancels = &Rule{Name: "server-cancel", Severity: session.Error, Revisions: modern, Spec: pageCancel,
		Title: "the server cancels something other than a subscription",
		Why:   "In the stateless era a server sends notifications/cancelled only to end a subscriptions/listen. For anything else it answers with an error.",
		Fix:   "answer the request with an error",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/cancelled {"requestId":1}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< notifications/cancelled {"requestId":1}`}
)

var correlationRules = []*Rule{
	unknownID, answeredTwice, idType, errorWithoutID, answerWithoutID, unansweredRequest, lateAnswer, probeSilent,
	notificationAnswered, idInFlight, idReused, answerAfterCancel, clientSilent, pingSilent, clientAnswer, lateProbe,
	cancelWithoutID, cancelOther, cancelUnknown, cancelInitialize, serverCancels,
}
