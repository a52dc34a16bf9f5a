package check

import "example.com/mcpinspect/session"

var (
	metaMissing = &Rule{Name: "meta-missing", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageBase,
		Title: "a request lacks keys of _meta that are required",
		Why:   "There is no handshake in this era: every request says itself which revision it is of and what the client can do. Servers refuse it otherwise, with error -32602.",
		Fix:   "send io.modelcontextprotocol/protocolVersion and /clientCapabilities ({} for none) in the _meta of every request",
		Bad: `* tap
>! 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
		Good: `* tap
> 1 tools/list {}
< 1 {"tools":[]}`}
	clientInfoMissing = &Rule{Name: "client-info-missing", Severity: session.Warning, Who: Client, Revisions: modern, Spec: pageBase,
		Title: "a request does not say who the client is",
		Why:   "Servers log and support what they know by name. The key is not required, and should be there.",
		Fix:   "send io.modelcontextprotocol/clientInfo with name and version in _meta",
		Bad: `* tap
>! 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`,
		Good: `* tap
> 1 tools/list {}
< 1 {"tools":[]}`}
	metaNotRequired = &Rule{Name: "meta-not-required", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "a request was answered though its _meta lacks what is required",
		Why:   "A server that fills in what is missing decides for the client which revision is spoken. Clients that forget the keys then work with this server alone.",
		Fix:   "refuse the request with error -32602",
		Bad: `>! 1 tools/list {}
< 1 {"tools":[]}`,
		Good: `>! 1 tools/list {}
< 1 error {"code":-32602,"message":"missing _meta"}`}
	clientInfoDemanded = &Rule{Name: "client-info-demanded", Severity: session.Warning, Revisions: modern, Spec: pageBase,
		Title: "a request was refused because it has no clientInfo",
		Why:   "Clients should say who they are, and need not. A draft of the revision required it.",
		Fix:   "accept requests without clientInfo",
		Bad: `>! 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 error {"code":-32602,"message":"clientInfo is required"}`,
		Good: `>! 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}
< 1 {"tools":[]}`}
	serverInfoMissing = &Rule{Name: "server-info-missing", Severity: session.Warning, Revisions: modern, Spec: pageBase,
		Title: "a result does not say who the server is",
		Why:   "Without a handshake the _meta of results is the only place where a server has a name. Clients show an address or a command instead.",
		Fix:   "add _meta[\"io.modelcontextprotocol/serverInfo\"] with name and version to every result",
		Bad: `> 1 tools/list {}
<! 1 {"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	metaKeyReserved = &Rule{Name: "meta-key-reserved", Severity: session.Warning, Who: Both, Spec: pageBase,
		Title: "a key of _meta lies under a reserved prefix",
		Why:   "Prefixes such as io.modelcontextprotocol/ belong to the specification. A later revision may give the key a meaning.",
		Fix:   "use a prefix of your own, as in com.example/",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"io.modelcontextprotocol/colour":"red"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"com.example/colour":"red"}}`}
	metaKeyInvalid = &Rule{Name: "meta-key-invalid", Severity: session.Warning, Who: Both, Revisions: from2506, Spec: pageBase,
		Title: "a key of _meta does not follow the grammar",
		Why:   "A key is a name, with a prefix of dot-separated labels and a slash before it if need be. Clients that check refuse others.",
		Fix:   "use letters, digits, - _ and . in names, and labels that begin with a letter in prefixes",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"my key!":1}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"my-key":1}}`}
	traceInvalid = &Rule{Name: "trace-context-invalid", Severity: session.Error, Who: Both, Revisions: modern, Spec: pageBase,
		Title: "a trace context is malformed",
		Why:   "traceparent, tracestate and baggage are those of W3C. What is malformed is dropped by tracing systems, and the trace breaks in two.",
		Fix:   "let the tracing library write it: 00-<32 hex>-<16 hex>-<2 hex>",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"traceparent":"1234"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}`}
	metaType = &Rule{Name: "meta-not-an-object", Severity: session.Error, Who: Both, Spec: pageSchema,
		Title: "a _meta is no object",
		Why:   "_meta is an object of keys and values, or absent. Clients that check types throw the whole message away.",
		Fix:   "send an object, or leave _meta out",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"_meta":"x"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	tokenInvalid = &Rule{Name: "progress-token-invalid", Severity: session.Error, Who: Client, Spec: pageProgress,
		Title: "a progressToken is neither text nor an integer",
		Why:   "Progress is paired with its request by the token. Servers that check types refuse the request.",
		Fix:   "use the id of the request as its progressToken",
		Bad: `@2025-11-25
* tap
> 1 tools/call {"name":"a","_meta":{"progressToken":1.5}}`,
		Good: `@2025-11-25
* tap
> 1 tools/call {"name":"a","_meta":{"progressToken":1}}`}
	tokenReused = &Rule{Name: "progress-token-reused", Severity: session.Error, Who: Client, Spec: pageProgress,
		Title: "two open requests have the same progressToken",
		Why:   "Nobody can tell which of the two has got on.",
		Fix:   "use the id of each request as its progressToken",
		Bad: `@2025-11-25
* tap
> 1 tools/call {"name":"a","_meta":{"progressToken":"p"}}
> 2 tools/call {"name":"a","_meta":{"progressToken":"p"}}`,
		Good: `@2025-11-25
* tap
> 1 tools/call {"name":"a","_meta":{"progressToken":"p"}}
> 2 tools/call {"name":"a","_meta":{"progressToken":"q"}}`}
	levelUnknown = &Rule{Name: "log-level-unknown", Severity: session.Warning, Who: Client, Revisions: modern, Spec: pageLogging,
		Title: "a request asks for a log level that there is none of",
		Why:   "The levels are debug, info, notice, warning, error, critical, alert and emergency. Servers refuse others, or send nothing.",
		Fix:   "use one of the eight names",
		Bad: `* tap
> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/logLevel":"verbose"}}`,
		Good: `* tap
> 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/logLevel":"debug"}}`}
	metaEarly = &Rule{Name: "modern-meta-on-handshake", Severity: session.Info, Who: Client, Revisions: legacy, Spec: pageBase,
		Title: "the client sends the _meta of the stateless era on a session with a handshake",
		Why:   "The server passes over it. It is a sign that the client does not keep the two eras apart.",
		Fix:   "leave it out behind a handshake",
		Bad: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`,
		Good: `* tap
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 tools/list {}`}
)

var metaRules = []*Rule{
	metaMissing, clientInfoMissing, metaNotRequired, clientInfoDemanded, serverInfoMissing, metaKeyReserved, metaKeyInvalid,
	traceInvalid, metaType, tokenInvalid, tokenReused, levelUnknown, metaEarly,
}
