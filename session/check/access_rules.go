package check

import "example.com/mcpinspect/session"

var (
	originAccepted = &Rule{Name: "http-origin-accepted", Severity: session.Error, Spec: pageHTTP,
		Title: "a server on this machine serves pages of other origins",
		Why:   "Any page in the browser can reach a server on localhost. By the Origin it says where it comes from, and is refused with 403.",
		Fix:   "compare Origin with the addresses that are allowed",
		Bad: `* POST http://localhost/mcp Origin: https://evil.example
> 1 tools/list {}
* 200 Content-Type: application/json
< 1 {"tools":[]}
* done`,
		Good: `* POST http://localhost/mcp Origin: https://evil.example; Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}
* 403
* done`}
	redirectAway = &Rule{Name: "http-redirect-away", Severity: session.Warning, Spec: pageHTTP,
		Title: "a message is redirected to another origin",
		Why:   "Clients do not follow, since the other origin would get the message and the token.",
		Fix:   "give the address of the server itself",
		Bad: `* POST http://a.example/mcp
> 1 tools/list {}
* 307 Location: http://b.example/mcp
* done`,
		Good: `* POST http://a.example/mcp
> 1 tools/list {}
* 307 Location: /mcp/
* done`}
	bearerPlain = &Rule{Name: "bearer-without-encryption", Severity: session.Warning, Spec: pageAuth,
		Title: "a token travels without encryption",
		Why:   "Whoever stands between can read and use it.",
		Fix:   "use https",
		Bad: `* POST http://a.example/mcp Authorization: Bearer x; Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}`,
		Good: `* POST https://a.example/mcp Authorization: Bearer x; Mcp-Protocol-Version: 2026-07-28; Mcp-Method: tools/list
> 1 tools/list {}`}
	challengeMissing = &Rule{Name: "challenge-missing", Severity: session.Warning, Revisions: from2506, Spec: pageAuth,
		Title: "401 does not say where to get a token",
		Why:   "WWW-Authenticate names the metadata of the resource, which lead to the authorization server. Without it clients guess, and people see an error that they cannot act on.",
		Fix:   "send WWW-Authenticate: Bearer resource_metadata=\"https://…/.well-known/oauth-protected-resource\"",
		Bad: `* POST /mcp
> 1 tools/list {}
* 401
* done`,
		Good: `* POST /mcp
> 1 tools/list {}
* 401 WWW-Authenticate: Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource"
* done`}
	scopeMissing = &Rule{Name: "challenge-scope-missing", Severity: session.Warning, Revisions: from2511, Spec: pageAuth,
		Title: "403 does not say which scope is needed",
		Why:   "Clients ask for the scopes that the challenge names, and try again. Without them they cannot.",
		Fix:   "add scope=\"…\" to the challenge",
		Bad: `* POST /mcp
> 1 tools/list {}
* 403 WWW-Authenticate: Bearer error="insufficient_scope"
* done`,
		Good: `* POST /mcp
> 1 tools/list {}
* 403 WWW-Authenticate: Bearer error="insufficient_scope", scope="notes:read"
* done`}
	offlineScope = &Rule{Name: "challenge-offline-access", Severity: session.Warning, Revisions: modern, Spec: pageAuth,
		Title: "a challenge asks for offline_access",
		Why:   "Whether a client wants to go on without the person is for the client to say. The server should not ask for it.",
		Fix:   "leave offline_access out of the challenge",
		Bad: `* POST /mcp
> 1 tools/list {}
* 401 WWW-Authenticate: Bearer resource_metadata="https://a.example/x", scope="notes offline_access"
* done`,
		Good: `* POST /mcp
> 1 tools/list {}
* 401 WWW-Authenticate: Bearer resource_metadata="https://a.example/x", scope="notes"
* done`}
)

var accessRules = []*Rule{
	originAccepted, redirectAway, bearerPlain, challengeMissing, scopeMissing, offlineScope,
}
