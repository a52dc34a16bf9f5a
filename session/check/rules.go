package check

import (
	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Rule is one thing that is looked for. Its name never changes.
type Rule struct {
	Name     string
	Severity session.Severity // the usual one; an occurrence may be milder or graver
	Line     string           // one plain sentence
	Long     string           // why it matters, for check --explain
	Fix      string           // what to do about it
	Page     Page             // of the specification
}

// Page is a page of the specification, which has different names in the two eras.
type Page uint8

const (
	pageBase Page = iota
	pageStdio
	pageTransports
	pageLife
	pageCancel
	pageLists
	pageDiscover
	pageTools
	pageSchema
)

var pageNames = [...][2]string{
	pageBase:       {"basic", "basic"},
	pageStdio:      {"basic/transports", "basic/transports/stdio"},
	pageTransports: {"basic/transports", "basic/transports"},
	pageLife:       {"basic/lifecycle", "basic/transports/stdio"},
	pageCancel:     {"basic/utilities/cancellation", "basic/patterns/cancellation"},
	pageLists:      {"server/utilities/pagination", "server/utilities/pagination"},
	pageDiscover:   {"basic/lifecycle", "server/discover"},
	pageTools:      {"server/tools", "server/tools"},
	pageSchema:     {"schema", "schema"},
}

// In is where the page stands in a revision: "2026-07-28/basic/transports/stdio". Without a
// revision it is that of the newest.
func (p Page) In(rev client.Revision) string {
	if rev == "" {
		rev = client.Revisions[0]
	}
	era := 0
	if rev.Modern() {
		era = 1
	}
	return string(rev) + "/" + pageNames[p][era]
}

// Find returns the rule of that name.
func Find(name string) (Rule, bool) {
	for i := range Rules {
		if Rules[i].Name == name {
			return Rules[i], true
		}
	}
	return Rule{}, false
}

// The names of the rules. Those of the pairing are given by package session.
const (
	strayStdout        = "stray-stdout"
	invalidUTF8        = "invalid-utf8"
	byteOrderMark      = "byte-order-mark"
	crlfLines          = "crlf-lines"
	blankLine          = "blank-line"
	controlByte        = "control-byte"
	messageSpansLines  = "message-spans-lines"
	messageGlued       = "message-glued-to-text"
	severalOnLine      = "several-messages-on-a-line"
	noNewlineAtEnd     = "no-newline-at-end"
	messageNotJoined   = "message-not-put-together"
	overfullLine       = "overfull-line"
	brokenMessage      = "broken-message"
	contentLength      = "content-length-framing"
	longLine           = "long-line"
	lineCut            = "line-cut"
	duplicateMember    = "duplicate-member"
	deepNesting        = "deep-nesting"
	largeID            = "large-id"
	ansiEscape         = "ansi-escape"
	stderrOutput       = "stderr-output"
	slowShutdown       = "slow-shutdown"
	leftProcess        = "left-process"
	serverDied         = "server-died"
	serverEnded        = "server-ended"
	exitStatus         = "exit-status"
	endedOnProbe       = "ended-on-probe"
	outputAfterTerm    = "output-after-term"
	jsonrpcVersion     = "jsonrpc-version"
	idInvalid          = "id-invalid"
	idSpelling         = "id-spelling"
	methodInvalid      = "method-invalid"
	paramsInvalid      = "params-invalid"
	resultAndError     = "result-and-error"
	methodWithResult   = "method-with-result"
	neitherResultError = "neither-result-nor-error"
	resultNoObject     = "result-not-an-object"
	errorNoObject      = "error-not-an-object"
	errorIncomplete    = "error-incomplete"
	errorTypes         = "error-member-types"
	errorText          = "error-text"
	batchMessage       = "batch"
	batchMixed         = "batch-mixed"
	unknownMember      = "unknown-member"
	memberCase         = "member-case"
	notificationWithID = "notification-with-id"
	serverRequest      = "server-request"
	unansweredRequest  = "unanswered-request"
	lateAnswer         = "late-answer"
	probeSilent        = "probe-unanswered"
	cursorNoText       = "cursor-not-text"
	cursorLoop         = "cursor-loop"
	endlessPages       = "endless-pages"
	pageFailed         = "page-failed"
	listInvalid        = "list-invalid"
	cursorType         = "cursor-type"
	entryInvalid       = "entry-invalid"
	nameInvalid        = "name-invalid"
	nameTwice          = "name-twice"
	uriInvalid         = "uri-invalid"
	schemaInvalid      = "input-schema-invalid"
	schemaType         = "input-schema-type"
	outputInvalid      = "output-schema-invalid"
	identityInvalid    = "identity-invalid"
	capabilityType     = "capability-type"
	contentInvalid     = "content-invalid"
	blockInvalid       = "content-block-invalid"
	blockKind          = "content-block-unknown"
	isErrorType        = "is-error-type"
	resultType         = "result-type"
)

// The names of the marks that the pairing of package session makes.
const (
	unknownID       = "unknown-id"
	answeredTwice   = "answered-twice"
	idType          = "id-type"
	errorWithoutID  = "error-without-id"
	answerWithoutID = "answer-without-id"
)

const (
	toStderr  = "print everything that is no message to stderr: print(..., file=sys.stderr), console.error, a logger whose stream is stderr"
	plainUTF8 = "write UTF-8 whatever the locale says: PYTHONUTF8=1 or PYTHONIOENCODING=utf-8, an explicit encoding of the stream elsewhere"
	echoID    = "copy the id of the request into the answer as it came, with its JSON type"
)

// Rules are all of them, in the order of the layers: bytes, envelope, pairing, life, lists.
var Rules = []Rule{
	{strayStdout, session.Error, "stdout carries something that is no MCP message",
		"On stdio the server's stdout belongs to the protocol alone: every line is one message. A banner, a log line or a print for debugging is read by clients as a broken message; some skip it, some end the session, and some wait for ever for the answer that was glued to it.",
		toStderr, pageStdio},
	{invalidUTF8, session.Error, "a line on stdout has bytes that are no UTF-8",
		"Messages are UTF-8. A program that writes in the encoding of its locale (cp1252 on Windows, latin-1 under LANG=C) works until the first dash or umlaut; clients then drop the message, replace the character or end the session.",
		plainUTF8, pageTransports},
	{byteOrderMark, session.Error, "a line on stdout begins with a byte order mark",
		"JSON that is transmitted has no byte order mark (RFC 8259 section 8.1). It is invisible in most views, and many decoders end the session on it.",
		"open stdout without a mark: utf-8 instead of utf-8-sig, new UTF8Encoding(false) in .NET", pageTransports},
	{crlfLines, session.Info, "lines on stdout end with CRLF",
		"The carriage return is white space for JSON, so clients get along with it. It shows that stdout is open in text mode on Windows, where it may also translate what is inside messages.",
		"open stdout in binary mode, if the line ends matter to you", pageStdio},
	{blankLine, session.Warning, "a line on stdout has nothing but white space",
		"An empty line is no message. Most clients skip it; strict ones report a parse error.",
		"write exactly one line end behind each message", pageStdio},
	{controlByte, session.Error, "a message has a raw control byte",
		"Inside a JSON string every byte below 0x20 must be escaped (RFC 8259 section 7). A message that is put together from text by hand breaks at the first tab or escape sequence in the data.",
		"let a JSON encoder write the message", pageTransports},
	{messageSpansLines, session.Error, "a message is spread over several lines",
		"Messages are separated by newlines and must not contain any. A pretty-printed message is many broken lines for a client, which waits for the answer until its timeout. It was put together here again; clients do not do that.",
		"encode without indentation", pageStdio},
	{messageNotJoined, session.Error, "a message is spread too far to be put together",
		"A pretty-printed message is put together here from 262144 lines at most, and from as many bytes as --max-line keeps. This one goes on, so it was not delivered; a request that it answers was ended with an error.",
		"encode without indentation", pageStdio},
	{messageGlued, session.Error, "a message shares its line with other text",
		"A print without a line end in front of a message makes one line of the two, and clients lose the message: the call hangs. It was recovered here; clients do not do that.",
		toStderr + "; a progress bar or print without newline is the likely cause", pageStdio},
	{severalOnLine, session.Error, "several messages share a line",
		"Each message is a line of its own. Clients read the first, or none.",
		"write a newline behind each message, in the same write and under one lock", pageStdio},
	{overfullLine, session.Error, "a line holds more messages than can be delivered",
		"A line is one message. The first 32768 messages of this one were delivered; those behind them were not, so requests that they answer stay open.",
		"write a newline behind each message", pageStdio},
	{brokenMessage, session.Error, "a message is no valid JSON",
		"The line was meant as a message, but no client can read it: the request it answers waits for ever.",
		"write messages with a JSON library, never by joining text", pageStdio},
	{noNewlineAtEnd, session.Error, "stdout ended in the middle of a line",
		"A message ends with a newline. Clients that read lines may never see the last one; when it is cut in the middle it is lost for all.",
		"end every message with a newline and flush before the program ends", pageStdio},
	{contentLength, session.Warning, "stdout has Content-Length headers",
		"This is the framing of the Language Server Protocol. MCP over stdio has one message a line and no headers.",
		"use newline-delimited JSON", pageStdio},
	{longLine, session.Info, "a message is very large",
		"SDK readers give up on lines beyond 10 to 16 MiB, and every client has to hold the whole line in memory, often several times. Models rarely get to see that much.",
		"return less, in pages or as a resource link", pageStdio},
	{lineCut, session.Warning, "a line is longer than what is kept",
		"The line went beyond --max-line. Its beginning is shown; what lies beyond the limit was counted but not kept, so a message in it cannot be read.",
		"raise --max-line, or return less", pageStdio},
	{duplicateMember, session.Warning, "an object has a member twice",
		"Which of the two counts differs from decoder to decoder (RFC 8259 section 4): two clients see two different messages.",
		"write each member once", pageBase},
	{deepNesting, session.Warning, "a message is nested very deeply",
		"Many decoders give up at a depth of about 1000.",
		"flatten the structure, or send it as text", pageBase},
	{largeID, session.Warning, "a request of the server has an id beyond 2^53",
		"JavaScript clients lose digits of it and answer with another id.",
		"use small numbers or strings as ids", pageBase},
	{ansiEscape, session.Info, "the output has terminal escape sequences",
		"Colour and cursor sequences are meant for a terminal. In a log or in a client's window they are noise, at worst they act on the terminal of whoever reads it.",
		"switch colour off when the stream is no terminal; NO_COLOR=1 often does it", pageStdio},
	{stderrOutput, session.Info, "the server writes to stderr",
		"This is allowed and the right place for logs. It is listed because some clients show it as errors.",
		"nothing needs to change", pageStdio},
	{jsonrpcVersion, session.Error, "a message lacks jsonrpc \"2.0\"",
		"Every message has a member jsonrpc with the text 2.0. Clients drop what lacks it.",
		"add \"jsonrpc\":\"2.0\"", pageBase},
	{idInvalid, session.Error, "an id is neither text nor an integer",
		"Ids are strings or integers, never null, a fraction or a structure. Clients cannot pair what comes with another id.",
		echoID, pageBase},
	{idSpelling, session.Info, "an id is spelled with a fraction or an exponent",
		"1.0 is the same number as 1, but a client that compares the text or decodes into an integer will not find its request.",
		echoID, pageBase},
	{methodInvalid, session.Error, "a method is no text, or empty",
		"The method names what is meant; without it nothing can be done with the message.",
		"send the method as a string", pageBase},
	{paramsInvalid, session.Error, "params is no object",
		"MCP knows named parameters only: params is an object or absent.",
		"send an object, or leave params out", pageBase},
	{resultAndError, session.Error, "an answer has both result and error",
		"An answer says either. Clients take one of the two, not all the same one.",
		"leave out the member that does not apply; null counts as present", pageBase},
	{methodWithResult, session.Error, "a message is request and answer at once",
		"A message with a method is a request or a notification, one with a result or error is an answer.",
		"send two messages", pageBase},
	{neitherResultError, session.Error, "an answer has neither result nor error",
		"A request without a useful result is answered with an empty object as its result. Without it the caller waits for ever.",
		"send \"result\":{}", pageBase},
	{resultNoObject, session.Error, "a result is no object",
		"Every result of MCP is an object, since it may carry _meta.",
		"wrap the value in an object", pageBase},
	{errorNoObject, session.Error, "an error is no object",
		"An error is an object with code and message. Clients that expect one fail in their own way on anything else.",
		"send {\"code\":-32603,\"message\":\"…\"}", pageBase},
	{errorIncomplete, session.Error, "an error lacks its code or message",
		"Both are required: the code for programs, the message for people.",
		"send both members", pageBase},
	{errorTypes, session.Error, "an error's code or message has the wrong type",
		"The code is an integer and the message is text.",
		"put text codes such as \"E42\" into error.data", pageBase},
	{errorText, session.Warning, "an error's message is empty or long",
		"The message should be one concise sentence; details belong into data.",
		"shorten the message", pageBase},
	{batchMessage, session.Error, "messages come as a JSON array",
		"Batches exist in revision 2025-03-26 only. In all others a line is one message.",
		"send each message on a line of its own", pageBase},
	{batchMixed, session.Error, "a batch mixes answers with requests",
		"A batch holds either answers, or requests and notifications.",
		"send two batches", pageBase},
	{unknownMember, session.Warning, "a message has a member that JSON-RPC does not know",
		"Beside jsonrpc, id, method, params, result and error a message has no members. Strict clients refuse it.",
		"move the member into params, result or _meta", pageBase},
	{memberCase, session.Warning, "a member's name differs from that of JSON-RPC in case only",
		"Names are case-sensitive. Some decoders take \"ID\" for \"id\", most do not.",
		"write the names in lower case", pageBase},
	{notificationWithID, session.Error, "a notification has an id",
		"A notification has no id; with one it is a request, which clients answer with an error.",
		"leave the id out", pageBase},
	{serverRequest, session.Error, "the server sends a request in the stateless era",
		"From 2026-07-28 on a server never sends requests. What it needs from the client it asks for with an input_required result.",
		"return resultType \"input_required\" instead", pageStdio},
	{unknownID, session.Error, "an answer has the id of no request",
		"Nobody waits for it, and the request that was meant stays unanswered.",
		echoID, pageBase},
	{answeredTwice, session.Error, "a request was answered twice",
		"A request gets one answer. Clients drop the second, or report an unknown id.",
		"return after the first answer; look for an error handler that answers again", pageBase},
	{idType, session.Error, "an answer's id differs from the request's in type or spelling only",
		"\"1\" and 1 are different ids. Clients compare them strictly and wait until their timeout. It was matched here all the same.",
		echoID, pageBase},
	{errorWithoutID, session.Warning, "an error answers a request without its id",
		"An error may lack an id only when the request could not be read. Clients cannot tell what failed and wait until their timeout. It was given to the only open request here.",
		echoID, pageBase},
	{answerWithoutID, session.Warning, "an answer without an id",
		"Nothing tells which request it answers.",
		echoID, pageBase},
	{unansweredRequest, session.Warning, "a request was not answered",
		"Every request is answered, with an error if need be. Clients wait for their whole timeout otherwise.",
		"answer what is not known with error -32601", pageBase},
	{lateAnswer, session.Info, "an answer came after its request was given up",
		"Messages may cross on the wire, so this can be harmless. When it happens often, the work goes on although nobody wants its result.",
		"stop the work when notifications/cancelled comes", pageCancel},
	{probeSilent, session.Info, "server/discover was not answered",
		"A server that does not know the method should say so with error -32601. Silence costs every client that knows both eras the timeout of its probe.",
		"answer unknown requests with error -32601, before initialize too", pageDiscover},
	{endedOnProbe, session.Info, "the server ended when its first message was not initialize",
		"Clients that know both eras ask server/discover first. A server that ends on it has to be started twice.",
		"answer unknown requests with error -32601, before initialize too", pageDiscover},
	{serverDied, session.Error, "the server ended while it was needed",
		"The process ended by itself with a failure, or with requests unanswered. Clients lose the session.",
		"look at the last lines of stderr", pageLife},
	{serverEnded, session.Info, "the server ended by itself",
		"It ended with status 0 and owed no answer. On stdio the client ends a session, by closing the server's stdin.",
		"keep running until stdin ends", pageLife},
	{exitStatus, session.Info, "the server ended with a failure after its stdin was closed",
		"The end of stdin is the ordinary end of a session; status 0 says that all went well.",
		"treat the end of stdin as success", pageLife},
	{slowShutdown, session.Warning, "the server did not end when its stdin was closed",
		"A server should end at the end of its stdin. One that does not is killed by its clients, or stays behind.",
		"leave the read loop at the end of input, and do not wait for background work", pageLife},
	{leftProcess, session.Warning, "a process that the server had started outlived it",
		"It holds the pipes, ports and memory of a session that is over.",
		"end child processes before the server ends", pageLife},
	{outputAfterTerm, session.Warning, "the server went on sending after it was told to end",
		"Nobody reads what comes after SIGTERM.",
		"stop sending when stdin has ended", pageLife},
	{pageFailed, session.Error, "a list that the server offers cannot be read",
		"The capability says that the list is there, or an earlier page named the cursor.",
		"accept the cursors that were handed out; do not advertise what is not served", pageLists},
	{cursorNoText, session.Error, "a cursor is no text",
		"A nextCursor is a string that means something to the server alone. Clients that decode it as one fail on anything else, and those that pass it on send what the server may not expect.",
		"send the cursor as a string, and leave it out on the last page", pageLists},
	{cursorLoop, session.Warning, "a list never ends: a cursor came back",
		"Clients ask for pages until there is no nextCursor. One that comes back sends them round in a circle.",
		"leave nextCursor out on the last page", pageLists},
	{endlessPages, session.Warning, "a list has page after page",
		"Every page had a new cursor, and the walk was stopped at the ceiling.",
		"return more entries a page, and leave nextCursor out on the last one", pageLists},
	{listInvalid, session.Error, "the answer to a list request has no list",
		"The result holds a list under the name of what was asked for: tools, resources, resourceTemplates or prompts. Without it clients show nothing, or fail.",
		"return the list, an empty one when there is nothing in it", pageSchema},
	{cursorType, session.Error, "a nextCursor is no text",
		"A cursor is a string, and the last page leaves it out. Clients that check types refuse the whole page, null included.",
		"leave nextCursor out on the last page; when a model is serialised: exclude what is null", pageLists},
	{entryInvalid, session.Error, "an entry of a list is no object",
		"Every tool, resource and prompt is an object. Clients that check types refuse the whole page for one entry that is none.",
		"leave the entry out", pageSchema},
	{nameInvalid, session.Error, "an entry of a list has no usable name",
		"The name is text, and what a tool or prompt is called by. Clients that check types refuse the whole page for one entry without it; an empty name cannot be called by a model.",
		"give every entry a name of letters, digits, _, - and .", pageSchema},
	{nameTwice, session.Warning, "two entries of a list have the same name",
		"Which of the two a client calls is not said. Some show the first, some the last, some refuse the server.",
		"give each a name of its own; on several pages: look for an entry that both have", pageSchema},
	{uriInvalid, session.Error, "a resource has no uri",
		"A resource is read by its uri, one made from a template by its uriTemplate. Without it nothing can be done with the entry.",
		"give the uri as text", pageSchema},
	{schemaInvalid, session.Error, "a tool has no inputSchema",
		"Every tool has a JSON Schema of its arguments, a tool without arguments too. Clients that check types refuse the whole list for one tool without it.",
		"send {\"type\":\"object\"} when there are no arguments", pageTools},
	{schemaType, session.Error, "an inputSchema is of another type than object",
		"Arguments are an object, and the schema says so at its root: \"type\":\"object\". Clients that check types refuse the whole list.",
		"add \"type\":\"object\" at the root of the schema", pageTools},
	{outputInvalid, session.Error, "an outputSchema is no schema of an object",
		"An outputSchema is a JSON Schema, up to 2025-11-25 one of an object; null is none. Clients that check types refuse the whole list.",
		"leave outputSchema out, or send an object with \"type\":\"object\"", pageTools},
	{identityInvalid, session.Error, "what the server says of itself is not complete",
		"The answer to initialize has protocolVersion, capabilities, and serverInfo with name and version; that to server/discover has supportedVersions and capabilities. Clients that check types end the session without them.",
		"send all of them; {} when there are no capabilities", pageDiscover},
	{capabilityType, session.Warning, "a capability is no object",
		"A capability is offered by an object, empty if need be, and not offered by leaving it out. Clients read true, false and null in different ways.",
		"send {} for what is offered, and leave out what is not", pageDiscover},
	{contentInvalid, session.Error, "the result of a tool has no list of content",
		"content is a list of blocks and required, beside structuredContent too. Clients that check types throw the result away.",
		"return \"content\":[] when there is nothing to say", pageTools},
	{blockInvalid, session.Error, "a block of content cannot be read",
		"A block is an object with a type and what this type requires: text; data in base64 and mimeType; a resource. Clients that check types throw the whole result away for one block.",
		"return blocks such as {\"type\":\"text\",\"text\":\"…\"}", pageTools},
	{blockKind, session.Error, "a block of content is of an unknown type",
		"No revision knows this type. Clients that check types throw the whole result away for one such block.",
		"return text, image, audio, resource or resource_link", pageTools},
	{isErrorType, session.Warning, "isError is no boolean",
		"isError says whether the tool failed, as true or false. Clients take text for true, for false, or throw the result away.",
		"return true or false, or leave it out", pageTools},
	{resultType, session.Error, "a result is of a type that was not asked for",
		"resultType is complete, or input_required; another only when both sides have named an extension that has it. Clients must treat the result as invalid.",
		"return resultType \"complete\"", pageBase},
}
