package check

import "example.com/mcpinspect/session"

var (
	unknownID = &Rule{Name: "unknown-id", Severity: session.Error, Spec: pageBase,
		Title: "an answer has the id of no request",
		Why:   "Nobody waits for it, and the request that was meant stays unanswered.",
		Fix:   echoID}
	answeredTwice = &Rule{Name: "answered-twice", Severity: session.Error, Spec: pageBase,
		Title: "a request was answered twice",
		Why:   "A request gets one answer. Clients drop the second, or report an unknown id.",
		Fix:   "return after the first answer; look for an error handler that answers again"}
	idType = &Rule{Name: "id-type", Severity: session.Error, Spec: pageBase,
		Title: "an answer's id differs from the request's in type or spelling only",
		Why:   "\"1\" and 1 are different ids. Clients compare them strictly and wait until their timeout. It was matched here all the same.",
		Fix:   echoID}
	errorWithoutID = &Rule{Name: "error-without-id", Severity: session.Warning, Spec: pageBase,
		Title: "an error answers a request without its id",
		Why:   "An error may lack an id only when the request could not be read. Clients cannot tell what failed and wait until their timeout. It was given to the only open request here.",
		Fix:   echoID}
	answerWithoutID = &Rule{Name: "answer-without-id", Severity: session.Warning, Spec: pageBase,
		Title: "an answer without an id",
		Why:   "Nothing tells which request it answers.",
		Fix:   echoID}
	unansweredRequest = &Rule{Name: "unanswered-request", Severity: session.Warning, Spec: pageBase,
		Title: "a request was not answered",
		Why:   "Every request is answered, with an error if need be. Clients wait for their whole timeout otherwise.",
		Fix:   "answer what is not known with error -32601"}
	lateAnswer = &Rule{Name: "late-answer", Severity: session.Info, Spec: pageCancel,
		Title: "an answer came after its request was given up",
		Why:   "Messages may cross on the wire, so this can be harmless. When it happens often, the work goes on although nobody wants its result.",
		Fix:   "stop the work when notifications/cancelled comes"}
	probeSilent = &Rule{Name: "probe-unanswered", Severity: session.Info, Spec: pageDiscover,
		Title: "server/discover was not answered",
		Why:   "A server that does not know the method should say so with error -32601. Silence costs every client that knows both eras the timeout of its probe.",
		Fix:   "answer unknown requests with error -32601, before initialize too"}
)

var correlationRules = []*Rule{unknownID, answeredTwice, idType, errorWithoutID, answerWithoutID, unansweredRequest, lateAnswer, probeSilent}
