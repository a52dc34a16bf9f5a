package check

import "example.com/mcpinspect/session"

var (
	pageFailed = &Rule{Name: "page-failed", Severity: session.Error, Spec: pageLists,
		Title: "a list that the server offers cannot be read",
		Why:   "The capability says that the list is there, or an earlier page named the cursor.",
		Fix:   "accept the cursors that were handed out; do not advertise what is not served",
		Bad: `> 1 tools/list {"cursor":"2"}
< 1 error {"code":-32602,"message":"Invalid cursor"}
* pages {"list":"tools","stop":"error","error":{"code":-32602,"message":"Invalid cursor"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	cursorNoText = &Rule{Name: "cursor-not-text", Severity: session.Error, Spec: pageLists,
		Title: "a cursor is no text",
		Why:   "A nextCursor is a string that means something to the server alone. Clients that decode it as one fail on anything else, and those that pass it on send what the server may not expect.",
		Fix:   "send the cursor as a string, and leave it out on the last page",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":5}
* pages {"list":"tools","cursor":5}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"5"}`}
	cursorLoop = &Rule{Name: "cursor-loop", Severity: session.Warning, Spec: pageLists,
		Title: "a list never ends: a cursor came back",
		Why:   "Clients ask for pages until there is no nextCursor. One that comes back sends them round in a circle.",
		Fix:   "leave nextCursor out on the last page",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"a"}
> 2 tools/list {"cursor":"a"}
< 2 {"tools":[],"nextCursor":"a"}
* pages {"list":"tools","stop":"loop"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"a"}
> 2 tools/list {"cursor":"a"}
< 2 {"tools":[]}`}
	endlessPages = &Rule{Name: "endless-pages", Severity: session.Warning, Spec: pageLists,
		Title: "a list has page after page",
		Why:   "Every page had a new cursor, and the walk was stopped at the ceiling.",
		Fix:   "return more entries a page, and leave nextCursor out on the last one",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"a"}
* pages {"list":"tools","stop":"ceiling"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	cursorType = &Rule{Name: "cursor-type", Severity: session.Error, Spec: pageLists,
		Title: "a nextCursor is no text",
		Why:   "A cursor is a string, and the last page leaves it out. Clients that check types refuse the whole page, null included.",
		Fix:   "leave nextCursor out on the last page; when a model is serialised: exclude what is null",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":null}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	emptyPages = &Rule{Name: "empty-pages", Severity: session.Warning, Spec: pageLists,
		Title: "pages of a list are empty and name a next one",
		Why:   "Each page costs a request. Clients that stop at an empty page never see what lies behind.",
		Fix:   "fill pages, and leave nextCursor out on the last one",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"a"}
> 2 tools/list {"cursor":"a"}
< 2 {"tools":[],"nextCursor":"b"}
> 3 tools/list {"cursor":"b"}
< 3 {"tools":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"a"}
> 2 tools/list {"cursor":"a"}
< 2 {"tools":[]}`}
	cursorMadeUp = &Rule{Name: "cursor-accepted", Severity: session.Warning, Spec: pageLists,
		Title: "a cursor was accepted that no page had named",
		Why:   "A cursor that the server did not give out is refused with error -32602. One that is taken for the beginning sends a client with an old cursor round in a circle.",
		Fix:   "refuse cursors that cannot be read",
		Bad: `> 1 tools/list {"cursor":"bogus"}
< 1 {"tools":[]}`,
		Good: `> 1 tools/list {"cursor":"bogus"}
< 1 error {"code":-32602,"message":"Invalid cursor"}`}
	cursorCode = &Rule{Name: "cursor-refusal-code", Severity: session.Warning, Spec: pageLists,
		Title: "a cursor was refused with another error than -32602",
		Why:   "Clients tell by the code whether to begin the list anew.",
		Fix:   "refuse a cursor that cannot be read with error -32602",
		Bad: `> 1 tools/list {"cursor":"bogus"}
< 1 error {"code":-32603,"message":"Invalid cursor"}`,
		Good: `> 1 tools/list {"cursor":"bogus"}
< 1 error {"code":-32602,"message":"Invalid cursor"}`}
	emptyCursorEnds = &Rule{Name: "stopped-at-empty-cursor", Severity: session.Error, Who: Client, Spec: pageLists,
		Title: "the client took an empty cursor for the end of a list",
		Why:   "The list ends where there is no nextCursor. An empty text is a cursor like any other, and a page lies behind it.",
		Fix:   "ask on until nextCursor is absent",
		Bad: `* tap
> 1 tools/list {}
< 1 {"tools":[],"nextCursor":""}
* exit 0 stdin-closed`,
		Good: `* tap
> 1 tools/list {}
< 1 {"tools":[],"nextCursor":""}
> 2 tools/list {"cursor":""}
< 2 {"tools":[]}
* exit 0 stdin-closed`}
	orderChanged = &Rule{Name: "tool-order-changed", Severity: session.Warning, Revisions: modern, Spec: pageTools,
		Title: "the same tools come in another order",
		Why:   "Models and their caches see the list as text. The same tools in another order make a prompt that was cached worthless.",
		Fix:   "sort the tools, by name for instance",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}},{"name":"b","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/list {}
< 2 {"tools":[{"name":"b","description":"d","inputSchema":{"type":"object"}},{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}},{"name":"b","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/list {}
< 2 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}},{"name":"b","description":"d","inputSchema":{"type":"object"}}]}`}
	listSilent = &Rule{Name: "list-changed-silently", Severity: session.Warning, Spec: pageLife,
		Title: "a list changed, and no notification said so",
		Why:   "listChanged says that clients hear of it. They keep the old list until then, and call tools that are gone.",
		Fix:   "send notifications/tools/list_changed (or that of prompts, resources) when the list changes",
		Bad: `@2025-11-25
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"prompts":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 prompts/list {}
< 2 {"prompts":[{"name":"a","description":"d"}]}
> 3 prompts/list {}
< 3 {"prompts":[]}`,
		Good: `@2025-11-25
> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"prompts":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 prompts/list {}
< 2 {"prompts":[{"name":"a","description":"d"}]}
< notifications/prompts/list_changed
> 3 prompts/list {}
< 3 {"prompts":[]}`}
	listByCall = &Rule{Name: "list-changed-by-call", Severity: session.Warning, Revisions: modern, Spec: pageTools,
		Title: "a list changed after a tool was called",
		Why:   "In the stateless era what is listed does not depend on earlier requests: the next one may reach another process that knows nothing of them.",
		Fix:   "list everything always, and refuse by an error what cannot be done yet",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"connect","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"connect"}
< 2 {"content":[]}
> 3 tools/list {}
< 3 {"tools":[{"name":"query","description":"d","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"connect","description":"d","inputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"connect"}
< 2 {"content":[]}
> 3 tools/list {}
< 3 {"tools":[{"name":"connect","description":"d","inputSchema":{"type":"object"}}]}`}
	listStale = &Rule{Name: "list-stale", Severity: session.Info, Revisions: modern, Spec: pageCaching,
		Title: "a list is another before its ttlMs has passed",
		Why:   "This is allowed. Clients that keep to the ttlMs go on with the old list until it has passed.",
		Fix:   "choose a shorter ttlMs, or send list_changed",
		Bad: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d"}],"ttlMs":60000,"cacheScope":"private"}
> 2 prompts/list {}
< 2 {"prompts":[{"name":"a","description":"e"}],"ttlMs":60000,"cacheScope":"private"}`,
		Good: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d"}],"ttlMs":60000,"cacheScope":"private"}
> 2 prompts/list {}
< 2 {"prompts":[{"name":"a","description":"d"}],"ttlMs":60000,"cacheScope":"private"}`}
	definitionChanged = &Rule{Name: "entry-redefined", Severity: session.Info, Spec: pageTools,
		Title: "the definition of something changed between two lists",
		Why:   "Who has allowed a tool has allowed what it was. A definition that changes later may ask for something else.",
		Fix:   "give what is new a new name, and send list_changed",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"reads a file","inputSchema":{"type":"object"}}]}
> 2 tools/list {}
< 2 {"tools":[{"name":"a","description":"deletes a file","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"reads a file","inputSchema":{"type":"object"}}]}
> 2 tools/list {}
< 2 {"tools":[{"name":"a","description":"reads a file","inputSchema":{"type":"object"}}]}`}
)

var paginationRules = []*Rule{
	pageFailed, cursorNoText, cursorLoop, endlessPages, cursorType, emptyPages, cursorMadeUp, cursorCode, emptyCursorEnds,
	orderChanged, listSilent, listByCall, listStale, definitionChanged,
}
