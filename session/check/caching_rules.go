package check

import "example.com/mcpinspect/session"

var (
	resultTypeMissing = &Rule{Name: "result-type-missing", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "a result has no resultType",
		Why:   "Every result of the stateless era says whether it is complete or asks for more. Clients take one that does not for complete, so that it works until the day it is not.",
		Fix:   "add \"resultType\":\"complete\"",
		Bad: `> 1 tools/call {"name":"a"}
<! 1 {"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	resultType = &Rule{Name: "result-type", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "a result is of a type that was not asked for",
		Why:   "resultType is complete, or input_required; another only when both sides have named an extension that has it. Clients must treat the result as invalid.",
		Fix:   "return resultType \"complete\"",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[],"resultType":"partial"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	resultTypeEarly = &Rule{Name: "result-type-early", Severity: session.Info, Revisions: legacy, Spec: pageChanges,
		Title: "a result has a resultType before there were any",
		Why:   "Clients of handshake revisions pass over it.",
		Fix:   "nothing needs to change",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"resultType":"complete"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	cacheHintsMissing = &Rule{Name: "cache-hints-missing", Severity: session.Error, Revisions: modern, Spec: pageCaching,
		Title: "a result does not say how long it holds, or for whom",
		Why:   "Lists, reads and server/discover carry ttlMs and cacheScope. Without them clients ask again each time.",
		Fix:   "add \"ttlMs\":0 and \"cacheScope\":\"private\" where nothing better is known",
		Bad: `> 1 tools/list {}
<! 1 {"resultType":"complete","tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":0,"cacheScope":"private"}`}
	ttlInvalid = &Rule{Name: "ttl-invalid", Severity: session.Error, Revisions: modern, Spec: pageCaching,
		Title: "a ttlMs is negative, or no integer",
		Why:   "It counts milliseconds. Clients take what is negative for 0, and may refuse what is no integer.",
		Fix:   "send an integer from 0",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":-5,"cacheScope":"private"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":5000,"cacheScope":"private"}`}
	ttlLong = &Rule{Name: "ttl-long", Severity: session.Info, Revisions: modern, Spec: pageCaching,
		Title: "a result is to hold for more than a day",
		Why:   "Clients may not ask again until then, unless a notification tells them to.",
		Fix:   "choose a ttlMs after which an old list does no harm",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":604800000,"cacheScope":"private"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":3600000,"cacheScope":"private"}`}
	scopeInvalid = &Rule{Name: "cache-scope-invalid", Severity: session.Error, Revisions: modern, Spec: pageCaching,
		Title: "a cacheScope is neither public nor private",
		Why:   "Public results may be given to anybody, private ones to who asked. Clients that do not know the word treat it as private, or refuse the result.",
		Fix:   "send \"private\", or \"public\" where the result is the same for everybody",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":0,"cacheScope":"server"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"ttlMs":0,"cacheScope":"public"}`}
	scopeDiffers = &Rule{Name: "cache-scope-differs", Severity: session.Error, Revisions: modern, Spec: pageCaching,
		Title: "the pages of a list are for different readers",
		Why:   "A list is kept as a whole, so that all its pages have one cacheScope.",
		Fix:   "give every page the scope of the list",
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"2","ttlMs":0,"cacheScope":"public"}
> 2 tools/list {"cursor":"2"}
< 2 {"tools":[],"ttlMs":0,"cacheScope":"private"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"nextCursor":"2","ttlMs":0,"cacheScope":"public"}
> 2 tools/list {"cursor":"2"}
< 2 {"tools":[],"ttlMs":0,"cacheScope":"public"}`}
	publicPrivate = &Rule{Name: "public-with-authorization", Severity: session.Info, Revisions: modern, Spec: pageCaching,
		Title: "a result that was asked for with a token may be given to anybody",
		Why:   "A proxy may keep it and give it to others. That is right where it does not depend on who asks.",
		Fix:   "send \"cacheScope\":\"private\" where it does",
		Bad: `* POST /mcp Authorization: Bearer x; Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[],"ttlMs":0,"cacheScope":"public"}
* done`,
		Good: `* POST /mcp Authorization: Bearer x; Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[],"ttlMs":0,"cacheScope":"private"}
* done`}
)

var cachingRules = []*Rule{
	resultTypeMissing, resultType, resultTypeEarly, cacheHintsMissing, ttlInvalid, ttlLong, scopeInvalid, scopeDiffers,
	publicPrivate,
}
