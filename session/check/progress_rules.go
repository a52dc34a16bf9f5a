package check

import "example.com/mcpinspect/session"

var (
	progressInvalid = &Rule{Name: "progress-invalid", Severity: session.Error, Spec: pageProgress,
		Title: "a report of progress lacks its token or its number",
		Why:   "progressToken says which request has got on, and progress how far, as a number. Clients drop anything else, or fail.",
		Fix:   "send progressToken as it came, and progress and total as numbers",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":"half"}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":0.5}`}
	progressFalls = &Rule{Name: "progress-not-increasing", Severity: session.Error, Spec: pageProgress,
		Title: "progress does not increase",
		Why:   "Each report goes beyond the one before. Clients use it to tell work from a loop, and bars run backwards.",
		Fix:   "count what is done, and report only when it has grown",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":50}
< notifications/progress {"progressToken":1,"progress":50}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":50}
< notifications/progress {"progressToken":1,"progress":51}`}
	progressBeyond = &Rule{Name: "progress-beyond-total", Severity: session.Warning, Spec: pageProgress,
		Title: "progress goes beyond its total, or the total goes down",
		Why:   "total is what progress ends at. Clients show more than everything, or a bar that runs backwards.",
		Fix:   "leave total out when it is not known",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":120,"total":100}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":100,"total":100}`}
	progressTokenType = &Rule{Name: "progress-token-type", Severity: session.Error, Spec: pageProgress,
		Title: "a progressToken differs from the request's in type or spelling only",
		Why:   "\"1\" and 1 are different tokens. Clients compare them strictly and drop the report, so that the call times out in spite of its progress.",
		Fix:   "copy the token as it came, with its JSON type",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":"1","progress":1}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":1}`}
	progressLate = &Rule{Name: "progress-after-answer", Severity: session.Error, Spec: pageProgress,
		Title: "progress came after the answer",
		Why:   "A request that was answered is over. Clients drop what comes behind it, or report an unknown token.",
		Fix:   "stop the reports before the answer is sent",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}
< notifications/progress {"progressToken":1,"progress":1}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":1}
< 1 {"content":[]}`}
	progressUnknown = &Rule{Name: "progress-unknown-token", Severity: session.Error, Spec: pageProgress,
		Title: "progress came for a token that no request gave",
		Why:   "Nobody knows what has got on.",
		Fix:   "report progress only for requests with a progressToken, and copy that",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":"upload","progress":1}`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":1}`}
	logInvalid = &Rule{Name: "log-message-invalid", Severity: session.Error, Spec: pageLogging,
		Title: "a log message lacks its level or its data",
		Why:   "A log message has one of the eight levels from debug to emergency, and data. Clients that check types drop it.",
		Fix:   "map the levels of the logger to these eight: trace to debug, warn to warning, fatal to critical",
		Bad: `@2025-11-25
< notifications/message {"level":"warn","data":"x"}`,
		Good: `@2025-11-25
< notifications/message {"level":"warning","data":"x"}`}
	logSecret = &Rule{Name: "log-secret", Severity: session.Warning, Spec: pageLogging,
		Title: "a log message seems to have a secret in it",
		Why:   "Log messages go to the client, which shows and keeps them. They must not hold credentials.",
		Fix:   "leave tokens and keys out of logs, and change the one that was sent",
		Bad: `@2025-11-25
< notifications/message {"level":"info","data":"using ghp_abcdefghijklmnopqrstuvwxyz0123"}`,
		Good: `@2025-11-25
< notifications/message {"level":"info","data":"using the token of the environment"}`}
	logBelow = &Rule{Name: "log-below-level", Severity: session.Error, Spec: pageLogging,
		Title: "a log message is below the level that was asked for",
		Why:   "The client has said from which level on it wants to hear. What is below costs both sides and is shown to nobody.",
		Fix:   "filter by the level before sending",
		Bad: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"error"}}
< notifications/message {"level":"debug","data":"x"}`,
		Good: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"error"}}
< notifications/message {"level":"critical","data":"x"}`}
	logUnasked = &Rule{Name: "log-not-asked", Severity: session.Error, Revisions: modern, Spec: pageLogging,
		Title: "a log message came that no request asked for",
		Why:   "In the stateless era a server sends log messages only for a request that names a logLevel in its _meta.",
		Fix:   "send nothing without it; stderr takes every log",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/message {"level":"info","data":"x"}`,
		Good: `> 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}
< notifications/message {"level":"info","data":"x"}`}
	progressFlood = &Rule{Name: "progress-flood", Severity: session.Info, Spec: pageProgress,
		Title: "progress is reported more often than anyone can see",
		Why:   "Each report is a message that both sides work on. Senders should limit how often they come.",
		Fix:   "report at most some times a second",
		Bad: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":1}
* and 300 more like it within a second`,
		Good: `> 1 tools/call {"name":"a"}
< notifications/progress {"progressToken":1,"progress":1}`}
)

var progressRules = []*Rule{
	progressInvalid, progressFalls, progressBeyond, progressTokenType, progressLate, progressUnknown, logInvalid, logSecret,
	logBelow, logUnasked, progressFlood,
}
