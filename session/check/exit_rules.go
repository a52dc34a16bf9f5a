package check

import "example.com/mcpinspect/session"

var (
	endedOnProbe = &Rule{Name: "ended-on-probe", Severity: session.Info, Spec: pageDiscover,
		Title: "the server ended when its first message was not initialize",
		Why:   "Clients that know both eras ask server/discover first. A server that ends on it has to be started twice.",
		Fix:   "answer unknown requests with error -32601, before initialize too",
		Bad: `@
> 1 server/discover {}
* exit 1 no`,
		Good: `@
> 1 server/discover {}
< 1 error {"code":-32601,"message":"Method not found"}`}
	serverDied = &Rule{Name: "server-died", Severity: session.Error, Spec: pageLife,
		Title: "the server ended while it was needed",
		Why:   "The process ended by itself with a failure, or with requests unanswered. Clients lose the session.",
		Fix:   "look at the last lines of stderr",
		Bad: `> 1 tools/call {"name":"a"}
* stderr panic: runtime error
* exit 2 no`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}
* exit 0 stdin-closed`}
	serverEnded = &Rule{Name: "server-ended", Severity: session.Info, Spec: pageLife,
		Title: "the server ended by itself",
		Why:   "It ended with status 0 and owed no answer. On stdio the client ends a session, by closing the server's stdin.",
		Fix:   "keep running until stdin ends",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 no`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	exitStatus = &Rule{Name: "exit-status", Severity: session.Info, Spec: pageLife,
		Title: "the server ended with a failure after its stdin was closed",
		Why:   "The end of stdin is the ordinary end of a session; status 0 says that all went well.",
		Fix:   "treat the end of stdin as success",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 1 stdin-closed`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	slowShutdown = &Rule{Name: "slow-shutdown", Severity: session.Warning, Spec: pageLife,
		Title: "the server did not end when its stdin was closed",
		Why:   "A server should end at the end of its stdin. One that does not is killed by its clients, or stays behind.",
		Fix:   "leave the read loop at the end of input, and do not wait for background work",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
* shutdown term
* exit SIGTERM term`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	leftProcess = &Rule{Name: "left-process", Severity: session.Warning, Spec: pageLife,
		Title: "a process that the server had started outlived it",
		Why:   "It holds the pipes, ports and memory of a session that is over.",
		Fix:   "end child processes before the server ends",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
* left a process that the server had started`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	outputAfterTerm = &Rule{Name: "output-after-term", Severity: session.Warning, Spec: pageLife,
		Title: "the server went on sending after it was told to end",
		Why:   "Nobody reads what comes after SIGTERM.",
		Fix:   "stop sending when stdin has ended",
		Bad: `* shutdown term
< notifications/x {}`,
		Good: `< notifications/x {}
* exit 0 stdin-closed`}
)

var exitRules = []*Rule{
	endedOnProbe, serverDied, serverEnded, exitStatus, slowShutdown, leftProcess, outputAfterTerm,
}
