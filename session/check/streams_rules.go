package check

import "example.com/mcpinspect/session"

var (
	noBuffering = &Rule{Name: "http-buffering-header", Severity: session.Info, Revisions: modern, Spec: pageHTTP,
		Title: "an event stream does not ask proxies to pass it on at once",
		Why:   "Some proxies hold back a reply until it is complete, and progress comes all at once. The header X-Accel-Buffering: no tells them not to.",
		Fix:   "send X-Accel-Buffering: no with event streams",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream
< 1 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* done`}
	streamBuffered = &Rule{Name: "http-stream-buffered", Severity: session.Warning, Spec: pageHTTP,
		Title: "the events of a stream came late, and all at once",
		Why:   "They were probably held back on their way. Progress is of no use then, and a client may have given up before.",
		Fix:   "switch buffering off in the proxy (X-Accel-Buffering: no, proxy_buffering off), and flush after every event",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* wait 3s
* 200 Content-Type: text/event-stream
< notifications/progress {"progressToken":1,"progress":1}
< notifications/progress {"progressToken":1,"progress":2}
< notifications/progress {"progressToken":1,"progress":3}
< 1 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
* wait 3s
< notifications/progress {"progressToken":1,"progress":1}
* wait 1s
< notifications/progress {"progressToken":1,"progress":2}
< 1 {"content":[]}
* done`}
	eventInvalid = &Rule{Name: "http-event-invalid", Severity: session.Error, Spec: pageHTTP,
		Title: "the data of an event is no message",
		Why:   "Each event is one message. Clients drop anything else, or end the stream.",
		Fix:   "send one message as the data of each event, and comments (\": text\") for everything else",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< working on it
< 1 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* done`}
	eventID = &Rule{Name: "http-event-id", Severity: session.Info, Revisions: modern, Spec: pageHTTP,
		Title: "an event has an id that nobody can use",
		Why:   "2026-07-28 has no resumption: a stream that breaks is lost, and the request is sent again.",
		Fix:   "leave ids out of events",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
* event id: 7
< 1 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* done`}
	eventTwice = &Rule{Name: "http-event-id-twice", Severity: session.Error, Revisions: in2503 | in2506 | in2511, Spec: pageHTTP,
		Title: "two events of a session have the same id",
		Why:   "A client that comes back names the last id that it saw. When there are two of it, events are lost or come twice.",
		Fix:   "count the events of a session, over all its streams",
		Bad: `@2025-11-25
* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream
* event id: 7
< notifications/progress {"progressToken":1,"progress":1}
* event id: 7
< 1 {"content":[]}
* done`,
		Good: `@2025-11-25
* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream
* event id: 7
< 1 {"content":[]}
* done`}
	afterAnswer = &Rule{Name: "http-after-answer", Severity: session.Error, Spec: pageHTTP,
		Title: "a message came on a stream behind its answer",
		Why:   "The answer is the last message of its stream. Clients have closed it by then.",
		Fix:   "send what belongs to the request before its answer",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
< notifications/x {}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< notifications/x {}
< 1 {"content":[]}
* done`}
	streamLingers = &Rule{Name: "http-stream-lingers", Severity: session.Warning, Spec: pageHTTP,
		Title: "a stream stays open behind its answer",
		Why:   "It holds a connection on both sides for nothing.",
		Fix:   "end the stream behind the answer",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* wait 30s
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* done`}
	streamShort = &Rule{Name: "http-stream-short", Severity: session.Warning, Revisions: in2511, Spec: pageHTTP,
		Title: "a stream ended without its answer, and nothing to go on from",
		Why:   "A server may close a stream early when events have ids, so that the client can come back for the rest. Without them the answer is lost.",
		Fix:   "send an id with events, or keep the stream open until the answer",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream
< notifications/progress {"progressToken":1,"progress":1}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream
< 1 {"content":[]}
* done`}
	answerOnGet = &Rule{Name: "http-answer-on-get", Severity: session.Error, Revisions: in2503 | in2506 | in2511, Spec: pageHTTP,
		Title: "an answer came on the stream of a GET",
		Why:   "The answer to a POST comes on the stream of that POST. The other stream is for what the server says by itself, and many clients do not have it open.",
		Fix:   "answer where the request came from",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 202
* GET /mcp
* 200 Content-Type: text/event-stream
< 1 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 tools/call {"name":"a"}
* 200 Content-Type: application/json
< 1 {"content":[]}
* done`}
	otherStream = &Rule{Name: "http-other-stream", Severity: session.Error, Revisions: modern, Spec: pageHTTP,
		Title: "an answer came on the stream of another request",
		Why:   "In the stateless era every stream is that of one request. Proxies and clients that close it lose the other answer.",
		Fix:   "answer where the request came from",
		Bad: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 2 tools/call {"name":"b"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
< 2 {"content":[]}
* done`,
		Good: `* POST /mcp Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/call
> 1 tools/call {"name":"a"}
* 200 Content-Type: text/event-stream; X-Accel-Buffering: no
< 1 {"content":[]}
* done`}
)

var streamsRules = []*Rule{
	noBuffering, streamBuffered, eventInvalid, eventID, eventTwice, afterAnswer, streamLingers, streamShort, answerOnGet,
	otherStream,
}
