package check

import "example.com/mcpinspect/session"

var (
	capabilityType = &Rule{Name: "capability-type", Severity: session.Warning, Spec: pageDiscover,
		Title: "a capability is no object",
		Why:   "A capability is offered by an object, empty if need be, and not offered by leaving it out. Clients read true, false and null in different ways.",
		Fix:   "send {} for what is offered, and leave out what is not",
		Bad: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":true}}`,
		Good: `@
> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`}
	capabilityUnserved = &Rule{Name: "capability-not-served", Severity: session.Error, Spec: pageDiscover,
		Title: "a declared capability is answered with -32601",
		Why:   "A capability says that its methods are there. Clients call them because of it, and show an error that nobody can mend.",
		Fix:   "serve the method, with an empty list if need be, or do not declare the capability",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}}
> 2 prompts/list {}
< 2 error {"code":-32601,"message":"Method not found"}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 prompts/list {}
< 2 error {"code":-32601,"message":"Method not found"}`}
	capabilityUndeclared = &Rule{Name: "capability-not-declared", Severity: session.Warning, Spec: pageDiscover,
		Title: "a method is served whose capability is not declared",
		Why:   "Clients ask only for what is declared, so that nobody will find it.",
		Fix:   "declare the capability",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{}}
> 2 tools/list {}
< 2 {"tools":[]}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 tools/list {}
< 2 {"tools":[]}`}
	completionUndeclared = &Rule{Name: "completion-not-declared", Severity: session.Warning, Spec: pageCompletion,
		Title: "completion/complete is answered, and completions is not declared",
		Why:   "Clients offer completion only where it is declared.",
		Fix:   "declare the capability completions",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}}
> 2 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 2 {"completion":{"values":[]}}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{},"completions":{}}}
> 2 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 2 {"completion":{"values":[]}}`}
	changeUndeclared = &Rule{Name: "list-changed-not-declared", Severity: session.Error, Revisions: legacy, Spec: pageLife,
		Title: "a list_changed notification came that was not announced",
		Why:   "listChanged in the capability says that such notifications come. Clients that do not find it there do not listen, and those that check refuse it.",
		Fix:   "declare \"listChanged\":true",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/tools/list_changed`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/tools/list_changed`}
	updateUndeclared = &Rule{Name: "updated-not-declared", Severity: session.Error, Revisions: legacy, Spec: pageResources,
		Title: "a resource was reported as updated, and subscribe is not declared",
		Why:   "Updates come for what was subscribed, and only where resources.subscribe is declared.",
		Fix:   "declare \"resources\":{\"subscribe\":true}, or send no updates",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/resources/updated {"uri":"file:///a"}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 resources/subscribe {"uri":"file:///a"}
< 2 {}
< notifications/resources/updated {"uri":"file:///a"}`}
	logUndeclared = &Rule{Name: "logging-not-declared", Severity: session.Error, Revisions: legacy, Spec: pageLogging,
		Title: "a log message came, and logging is not declared",
		Why:   "A server that sends log messages declares the capability logging. Clients that check refuse or drop them otherwise.",
		Fix:   "declare \"logging\":{}, or write logs to stderr",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/message {"level":"info","data":"x"}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/message {"level":"info","data":"x"}`}
	clientCapMissing = &Rule{Name: "client-capability-missing", Severity: session.Error, Revisions: legacy, Spec: pageLife,
		Title: "the server asks for something that the client did not declare",
		Why:   "The client has said in initialize what it can be asked for. It answers anything else with an error, and the tool that asked fails.",
		Fix:   "look at the capabilities of the client before asking, and do without",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< 1 roots/list`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< 1 roots/list`}
	capabilityUnknown = &Rule{Name: "capability-unknown", Severity: session.Info, Spec: pageDiscover,
		Title: "a capability that the specification does not know",
		Why:   "This is allowed. What is not of the specification is better named under experimental or extensions, where later revisions do not take the name.",
		Fix:   "move it to experimental",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"search":{}}}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"experimental":{"search":{}}}}`}
	extensionKey = &Rule{Name: "extension-key", Severity: session.Error, Who: Both, Revisions: modern, Spec: pageVersion,
		Title: "an extension has no prefix in its name",
		Why:   "Extensions are named like keys of _meta, with a prefix of whoever defined them, so that two of the same name are told apart.",
		Fix:   "name it as in com.example/search",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"search":{}}}}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"com.example/search":{}}}}`}
)

var capabilitiesRules = []*Rule{
	capabilityType, capabilityUnserved, capabilityUndeclared, completionUndeclared, changeUndeclared, updateUndeclared,
	logUndeclared, clientCapMissing, capabilityUnknown, extensionKey,
}
