package check

import "example.com/mcpinspect/session"

var (
	identityInvalid = &Rule{Name: "identity-invalid", Severity: session.Error, Spec: pageDiscover,
		Title: "what the server says of itself is not complete",
		Why:   "The answer to initialize has protocolVersion, capabilities, and serverInfo with name and version; that to server/discover has supportedVersions and capabilities. Clients that check types end the session without them.",
		Fix:   "send all of them; {} when there are no capabilities",
		Bad: `@
> 1 server/discover {}
< 1 {"capabilities":{}}`,
		Good: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}`}
	initializeFirst = &Rule{Name: "initialize-not-first", Severity: session.Error, Who: Client, Spec: pageLife,
		Title: "a session begins with something other than initialize",
		Why:   "In handshake revisions nothing but ping may come before initialize, and in the stateless era every request says in its _meta which revision it is of. This one does neither, so that the server cannot know what it means.",
		Fix:   "send initialize first, or put the keys of the stateless era into _meta",
		Bad: `@
* tap
>! 1 tools/list {}`,
		Good: `@
* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`}
	requestEarly = &Rule{Name: "request-before-initialized", Severity: session.Warning, Who: Client, Spec: pageLife,
		Title: "the client sends a request before initialize was answered",
		Why:   "Until the answer comes it is open which revision is spoken and what the server can do. Servers refuse what comes early, or lose it.",
		Fix:   "wait for the answer to initialize",
		Bad: `@
* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
>! 2 tools/list {}`,
		Good: `@
* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
>! 2 ping`}
	serverEarly = &Rule{Name: "server-before-initialized", Severity: session.Warning, Revisions: legacy, Spec: pageLife,
		Title: "the server sends something before notifications/initialized",
		Why:   "Until the client has said that it is ready a server sends only ping and log messages. Clients that are not ready drop what comes, or fail on it.",
		Fix:   "wait for notifications/initialized",
		Bad: `@
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
< 1 roots/list`,
		Good: `@
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< 1 roots/list`}
	initializedMissing = &Rule{Name: "initialized-missing", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageLife,
		Title: "the client never says that it is ready",
		Why:   "After a successful initialize the client sends notifications/initialized. Some servers answer nothing before it.",
		Fix:   "send notifications/initialized behind the answer to initialize",
		Bad: `@
* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> 2 tools/list {}
< 2 {"tools":[]}
* exit 0 stdin-closed`,
		Good: `@
* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 tools/list {}
< 2 {"tools":[]}
* exit 0 stdin-closed`}
	initializedEarly = &Rule{Name: "initialized-early", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageLife,
		Title: "notifications/initialized came before the answer to initialize",
		Why:   "It says that the client has taken in the answer and is ready. Before the answer it cannot be true.",
		Fix:   "send it behind the answer",
		Bad: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
> notifications/initialized`,
		Good: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized`}
	initializeParams = &Rule{Name: "initialize-params", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageLife,
		Title: "initialize lacks what is required",
		Why:   "A client names the revision it wants, what it can do, and who it is with name and version. Servers that check types refuse anything less.",
		Fix:   "send protocolVersion, capabilities ({} for none) and clientInfo with name and version",
		Bad: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{}}`,
		Good: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`}
	versionOther = &Rule{Name: "version-negotiated", Severity: session.Info, Revisions: legacy, Spec: pageVersion,
		Title: "the server chose a newer revision than was asked for",
		Why:   "A server that does not have the revision asked for names one it has, and a client that asks for an older one may know no newer: it can only disconnect.",
		Fix:   "serve the revision that was asked for, if the server can; nothing needs to change otherwise",
		Bad: `> 1 initialize {"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`}
	handshakeKept = &Rule{Name: "handshake-kept", Severity: session.Info, Revisions: in2607, Spec: pageVersion,
		Title: "a stateless request was answered as one of a handshake revision",
		Why:   "The server was slow to start, so that it was sent initialize behind server/discover, and answered both. It keeps to the handshake on this connection, while its client goes on in the stateless revision that discovery offered.",
		Fix:   "wait longer for the first answer, so that the server is asked one thing only: --probe-timeout 10s",
		Bad: `> 1 server/discover {}
> 2 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}}}
<! 2 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
* era 2026-07-28
> 3 tools/list {}
<! 3 {"tools":[]}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}}}
> 2 tools/list {}
< 2 {"tools":[]}`}
	versionUnknown = &Rule{Name: "version-unknown", Severity: session.Error, Revisions: legacy, Spec: pageVersion,
		Title: "initialize was answered with a version that has no handshake",
		Why:   "The answer names a revision that both sides can speak after a handshake. With one that is not known, or that has no handshake, clients can only disconnect.",
		Fix:   "answer with the version that was asked for, or with the newest handshake revision that is supported",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"1.0","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`}
	initializeRefused = &Rule{Name: "initialize-refused", Severity: session.Warning, Revisions: legacy, Spec: pageVersion,
		Title: "initialize was refused instead of being answered with another version",
		Why:   "A server that does not have the version asked for answers with one that it has, as a success. Clients that take an error for the end never find out that they have a version in common.",
		Fix:   "answer with a supported protocolVersion",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 error {"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2025-06-18"],"requested":"2025-11-25"}}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`}
	initializeAgain = &Rule{Name: "initialize-again", Severity: session.Error, Who: Client, Revisions: legacy, Spec: pageLife,
		Title: "the client shakes hands a second time",
		Why:   "A session has one handshake. Servers refuse a second, or forget what they knew.",
		Fix:   "start the server again for a new session",
		Bad: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
		Good: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized`}
	newerMember = &Rule{Name: "newer-member", Severity: session.Info, Revisions: legacy, Spec: pageSchema,
		Title: "something is used that a later revision brought",
		Why:   "Objects are open, so that clients of this revision pass over what they do not know. It does nothing there.",
		Fix:   "nothing needs to change; whoever relies on it needs the later revision",
		Bad: `@2025-03-26
> 1 tools/list {}
< 1 {"tools":[{"name":"a","title":"A","description":"d","inputSchema":{"type":"object"}}]}`,
		Good: `@2025-06-18
> 1 tools/list {}
< 1 {"tools":[{"name":"a","title":"A","description":"d","inputSchema":{"type":"object"}}]}`}
	removedMember = &Rule{Name: "removed-member", Severity: session.Info, Revisions: modern, Spec: pageChanges,
		Title: "something is used that the revision does not have any more",
		Why:   "The stateless era left it out. Clients pass over it.",
		Fix:   "leave it out",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`}
	removedMessage = &Rule{Name: "removed-message", Severity: session.Warning, Revisions: modern, Spec: pageChanges,
		Title: "the server sends a message that the revision does not have any more",
		Why:   "The stateless era has no such notification, and clients drop it.",
		Fix:   "leave it out",
		Bad:   `< notifications/elicitation/complete {"elicitationId":"e1"}`,
		Good: `@2025-11-25
< 1 elicitation/create {"mode":"url","message":"m","url":"https://a.example/x","elicitationId":"e1"}
< notifications/elicitation/complete {"elicitationId":"e1"}`}
	discoverMissing = &Rule{Name: "discover-missing", Severity: session.Error, Revisions: modern, Spec: pageDiscover,
		Title: "a stateless server does not know server/discover",
		Why:   "Every server of 2026-07-28 answers server/discover. Clients of both eras ask it first, and take a refusal for a server of the handshake era.",
		Fix:   "answer server/discover with supportedVersions and capabilities",
		Bad: `@
> 1 server/discover {}
< 1 error {"code":-32601,"message":"Method not found"}
> 2 tools/list {}
< 2 {"tools":[]}`,
		Good: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 tools/list {}
< 2 {"tools":[]}`}
	versionsDiffer = &Rule{Name: "versions-differ", Severity: session.Warning, Revisions: modern, Spec: pageDiscover,
		Title: "the server names other supported versions in an error than in server/discover",
		Why:   "Clients choose a revision by either. With two lists they choose one that is then refused.",
		Fix:   "take both from one place",
		Bad: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}
> 2 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 2 error {"code":-32022,"message":"Unsupported","data":{"supported":["2025-11-25"],"requested":"2027-01-01"}}`,
		Good: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}
> 2 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 2 error {"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"],"requested":"2027-01-01"}}`}
	serverInfoPlace = &Rule{Name: "server-info-misplaced", Severity: session.Warning, Revisions: modern, Spec: pageDiscover,
		Title: "server/discover has serverInfo in the wrong place",
		Why:   "Drafts had serverInfo beside supportedVersions. In 2026-07-28 every result carries it in its _meta, and clients look for it there.",
		Fix:   "move it to _meta[\"io.modelcontextprotocol/serverInfo\"]",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}`}
	handshakeBeside = &Rule{Name: "handshake-beside", Severity: session.Info, Revisions: modern, Spec: pageVersion,
		Title: "initialize succeeds with a version that supportedVersions does not name",
		Why:   "The server speaks more than it says. This is harmless, and clients that trust the list will not use it.",
		Fix:   "name every version that is served",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}
> 2 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 2 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{}}
> 2 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 2 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`}
	refusalNamesNone = &Rule{Name: "refusal-names-no-version", Severity: session.Warning, Revisions: modern, Spec: pageVersion,
		Title: "a refused initialize does not name the supported versions",
		Why:   "A client of the handshake era learns from the data of the error what the server speaks. Without it people see that it does not work, and not why.",
		Fix:   "add \"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"…\"}",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 error {"code":-32601,"message":"Method not found"}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 error {"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}`}
	versionUnlisted = &Rule{Name: "version-unlisted", Severity: session.Error, Revisions: modern, Spec: pageVersion,
		Title: "a request was served in a version that supportedVersions does not name",
		Why:   "A version that is not supported is refused with error -32022, so that the client knows what it gets.",
		Fix:   "refuse what is not supported, or name it",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
< 2 {"tools":[]}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 tools/list {}
< 2 {"tools":[]}`}
	deprecated = &Rule{Name: "deprecated-feature", Severity: session.Info, Revisions: modern, Spec: pageChanges,
		Title: "a deprecated feature is used",
		Why:   "It works for now, and a later revision may leave it out.",
		Fix:   "ask by elicitation, or take what is needed as an argument of the tool",
		Bad: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}
< 1 {"resultType":"input_required","inputRequests":{"dirs":{"method":"roots/list"}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
)

var lifecycleRules = []*Rule{
	identityInvalid, initializeFirst, requestEarly, serverEarly, initializedMissing, initializedEarly, initializeParams,
	versionOther, handshakeKept, versionUnknown, initializeRefused, initializeAgain, newerMember, removedMember, removedMessage,
	discoverMissing, versionsDiffer, serverInfoPlace, handshakeBeside, refusalNamesNone, versionUnlisted, deprecated,
}
