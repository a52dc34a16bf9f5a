package check

import "example.com/mcpinspect/session"

var (
	replyType = &Rule{Name: "http-reply-type", Severity: session.Error, Revisions: from2503, Spec: pageHTTP,
		Title: "the reply to a request is neither JSON nor an event stream",
		Why:   "A request is answered by a body of application/json or text/event-stream. With anything else, or with nothing, nobody knows what became of it.",
		Fix:   "send the answer with Content-Type application/json",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: text/html
< <html>welcome</html>
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[]}
* done`}
	acceptedStatus = &Rule{Name: "http-notification-status", Severity: session.Error, Revisions: from2503, Spec: pageHTTP,
		Title: "a notification was answered with something other than 202 and nothing",
		Why:   "There is nothing to answer. Clients that expect a message fail on a body that is none.",
		Fix:   "answer 202 without a body",
		Bad: `@2025-06-18
* POST /mcp
> notifications/initialized
* 200 Content-Type: text/plain
< accepted
* done`,
		Good: `@2025-06-18
* POST /mcp
> notifications/initialized
* 202
* done`}
	errorStatus = &Rule{Name: "http-error-status", Severity: session.Error, Revisions: modern, Spec: pageHTTP,
		Title: "an error of the protocol came with the wrong status",
		Why:   "-32020, -32021, -32022 and a missing key of _meta go with status 400, so that proxies and logs see that the request was wrong.",
		Fix:   "send status 400 with them",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 error {"code":-32020,"message":"header mismatch"}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 400 Content-Type: application/json
< 1 error {"code":-32020,"message":"header mismatch"}
* done`}
	methodStatus = &Rule{Name: "http-method-status", Severity: session.Error, Revisions: modern, Spec: pageHTTP,
		Title: "an unknown method came with another status than 404",
		Why:   "-32601 goes with status 404, and the body tells it from a path that is not there.",
		Fix:   "send status 404 with it",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: prompts/list
> 1 prompts/list {}
* 200 Content-Type: application/json
< 1 error {"code":-32601,"message":"Method not found"}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: prompts/list
> 1 prompts/list {}
* 404 Content-Type: application/json
< 1 error {"code":-32601,"message":"Method not found"}
* done`}
	headersAccepted = &Rule{Name: "http-headers-not-checked", Severity: session.Error, Revisions: modern, Spec: pageHTTP,
		Title: "a request was served without a header that it must have",
		Why:   "Proxies decide by Mcp-Method and Mcp-Protocol-Version. A server that does not check them serves what a proxy took for something else.",
		Fix:   "answer with error -32020 and status 400",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28
> 1 tools/list {}
* 400 Content-Type: application/json
< 1 error {"code":-32020,"message":"Mcp-Method is missing"}
* done`}
	versionHeaderAccepted = &Rule{Name: "http-version-not-checked", Severity: session.Error, Revisions: in2506 | in2511, Spec: pageHTTP,
		Title: "an unknown version in the header was not refused",
		Why:   "A server that does not support the version in MCP-Protocol-Version answers with status 400. Otherwise each side believes in another revision.",
		Fix:   "answer 400 to versions that are not supported",
		Bad: `* POST /mcp Mcp-Protocol-Version: 1900-01-01
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 1900-01-01
> 1 tools/list {}
* 400
* done`}
	sessionModern = &Rule{Name: "http-session-modern", Severity: session.Warning, Revisions: modern, Spec: pageHTTP,
		Title: "a reply has a session id in an era without sessions",
		Why:   "2026-07-28 has no sessions. A proxy or client that keeps to the id ties itself to one process for nothing.",
		Fix:   "leave the header out",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json; Mcp-Session-Id: s1
< 1 {"tools":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[]}
* done`}
	sessionInvalid = &Rule{Name: "http-session-id", Severity: session.Error, Revisions: in2503 | in2506 | in2511, Spec: pageHTTP,
		Title: "a session id has characters that headers cannot carry",
		Why:   "It consists of visible ASCII. Other characters are changed or refused on their way.",
		Fix:   "use a random id of letters and digits",
		Bad: `* POST /mcp
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
* 200 Content-Type: application/json; Mcp-Session-Id: a b
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
* done`,
		Good: `* POST /mcp
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
* 200 Content-Type: application/json; Mcp-Session-Id: ab
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
* done`}
	sessionChanged = &Rule{Name: "http-session-changed", Severity: session.Error, Revisions: in2503 | in2506 | in2511, Spec: pageHTTP,
		Title: "the session id changed within a session",
		Why:   "The id that came with the answer to initialize is that of the whole session. Clients send the old one, or fail.",
		Fix:   "give a session one id",
		Bad: `* POST /mcp
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
* 200 Content-Type: application/json; Mcp-Session-Id: a
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
* done
* POST /mcp Mcp-Protocol-Version: 2025-11-25; Mcp-Session-Id: a
> 2 tools/list {}
* 200 Content-Type: application/json; Mcp-Session-Id: b
< 2 {"tools":[]}
* done`,
		Good: `* POST /mcp
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
* 200 Content-Type: application/json; Mcp-Session-Id: a
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
* done
* POST /mcp Mcp-Protocol-Version: 2025-11-25; Mcp-Session-Id: a
> 2 tools/list {}
* 200 Content-Type: application/json; Mcp-Session-Id: a
< 2 {"tools":[]}
* done`}
	verbStatus = &Rule{Name: "http-verb-status", Severity: session.Warning, Revisions: modern, Spec: pageHTTP,
		Title: "GET or DELETE was not refused by a server without sessions",
		Why:   "2026-07-28 has POST alone. Clients of both eras try GET, and take anything but 405 for the old stream.",
		Fix:   "answer 405 with the header Allow: POST",
		Bad: `* GET /mcp
* 200 Content-Type: text/plain
< hello
* done`,
		Good: `* GET /mcp
* 405 Allow: POST
* done`}
)

var httpRules = []*Rule{
	replyType, acceptedStatus, errorStatus, methodStatus, headersAccepted, versionHeaderAccepted, sessionModern,
	sessionInvalid, sessionChanged, verbStatus,
}
