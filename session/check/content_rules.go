package check

import "example.com/mcpinspect/session"

var (
	contentInvalid = &Rule{Name: "content-invalid", Severity: session.Error, Spec: pageTools,
		Title: "the result of a tool has no list of content",
		Why:   "content is a list of blocks and required, beside structuredContent too. Clients that check types throw the result away.",
		Fix:   "return \"content\":[] when there is nothing to say",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"structuredContent":{"sum":5}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"{\"sum\":5}"}],"structuredContent":{"sum":5}}`}
	blockInvalid = &Rule{Name: "content-block-invalid", Severity: session.Error, Spec: pageTools,
		Title: "a block of content cannot be read",
		Why:   "A block is an object with a type and what this type requires: text; data in base64 and mimeType; a resource. Clients that check types throw the whole result away for one block.",
		Fix:   "return blocks such as {\"type\":\"text\",\"text\":\"…\"}",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text"}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"5"}]}`}
	blockKind = &Rule{Name: "content-block-unknown", Severity: session.Error, Spec: pageTools,
		Title: "a block of content is of an unknown type",
		Why:   "No revision knows this type. Clients that check types throw the whole result away for one such block.",
		Fix:   "return text, image, audio, resource or resource_link",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"video","data":"AA=="}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav"}]}`}
	isErrorType = &Rule{Name: "is-error-type", Severity: session.Warning, Spec: pageTools,
		Title: "isError is no boolean",
		Why:   "isError says whether the tool failed, as true or false. Clients take text for true, for false, or throw the result away.",
		Fix:   "return true or false, or leave it out",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[],"isError":"yes"}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"no such city"}],"isError":true}`}
	errorSilent = &Rule{Name: "error-without-content", Severity: session.Info, Spec: pageTools,
		Title: "a tool failed and says nothing",
		Why:   "What stands in content is what the model gets to see. Without it nothing can be mended.",
		Fix:   "say in a block of text what went wrong",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[],"isError":true}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"no such city"}],"isError":true}`}
	unknownToolResult = &Rule{Name: "unknown-tool-as-result", Severity: session.Warning, Spec: pageTools,
		Title: "a tool that is not there was answered with a result",
		Why:   "An unknown name is a fault of the client and is refused with error -32602. As a result it looks as if there was a tool that failed.",
		Fix:   "answer unknown names with error -32602",
		Bad: `> 1 tools/list {}
< 1 {"tools":[]}
> 2 tools/call {"name":"nope"}
< 2 {"content":[{"type":"text","text":"unknown tool"}],"isError":true}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
> 2 tools/call {"name":"nope"}
< 2 error {"code":-32602,"message":"Unknown tool: nope"}`}
	argumentsAccepted = &Rule{Name: "arguments-not-checked", Severity: session.Info, Spec: pageTools,
		Title: "a tool took arguments that its schema does not allow",
		Why:   "A server checks what it gets. What is passed on unchecked fails later, where nobody knows why.",
		Fix:   "validate arguments against the inputSchema, and return isError with what is wrong",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}
> 2 tools/call {"name":"a","arguments":{}}
< 2 {"content":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}
> 2 tools/call {"name":"a","arguments":{"path":"x"}}
< 2 {"content":[]}`}
	errorAsSuccess = &Rule{Name: "error-as-success", Severity: session.Info, Spec: pageTools,
		Title: "a result reads as an error and is none",
		Why:   "Clients and models tell by isError whether a tool failed. A text alone is taken for what was asked for.",
		Fix:   "set \"isError\":true",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"Error: no such city"}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"Error: no such city"}],"isError":true}`}
	base64Invalid = &Rule{Name: "base64-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "data are not valid base64",
		Why:   "Binary data travel as base64 of the standard alphabet, with padding. Clients that decode them show nothing, or fail.",
		Fix:   "encode the bytes alone, without \"data:…;base64,\" before them",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,iVBORw0KGgo="}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`}
	blockTooNew = &Rule{Name: "content-block-too-new", Severity: session.Error, Revisions: in2411 | in2503, Spec: pageTools,
		Title: "a block of content is of a type that the revision does not have",
		Why:   "audio came with 2025-03-26 and resource_link with 2025-06-18. Clients of the revision that was agreed on throw the whole result away.",
		Fix:   "return text, or an embedded resource, where an older revision was agreed on",
		Bad: `@2024-11-05
> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"audio","mimeType":"audio/wav","data":"AA=="}]}`,
		Good: `@2025-03-26
> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"audio","mimeType":"audio/wav","data":"AA=="}]}`}
	resourceUndeclared = &Rule{Name: "resource-not-declared", Severity: session.Warning, Spec: pageTools,
		Title: "a result has a resource, and the capability resources is not declared",
		Why:   "Clients that want to read or follow it find that they cannot.",
		Fix:   "declare the capability resources, or return text",
		Bad: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}`,
		Good: `> 1 server/discover {}
< 1 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}}}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}`}
	mimeInvalid = &Rule{Name: "mime-type-wrong", Severity: session.Warning, Spec: pageTools,
		Title: "a mimeType is none, or not that of the data",
		Why:   "Clients choose by it how to show the data. A picture under another name is shown as nothing.",
		Fix:   "name the type of the bytes that are sent",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"image","mimeType":"png","data":"iVBORw0KGgo="}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`}
	structuredMissing = &Rule{Name: "structured-content-missing", Severity: session.Error, Revisions: from2506, Spec: pageTools,
		Title: "a tool with an outputSchema returned no structuredContent",
		Why:   "The schema promises it. Clients that rely on it refuse the result.",
		Fix:   "return structuredContent, or leave outputSchema out",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"sunny"}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"{\"sky\":\"clear\"}"}],"structuredContent":{"sky":"clear"}}`}
	structuredType = &Rule{Name: "structured-content-type", Severity: session.Error, Revisions: in2506 | in2511, Spec: pageTools,
		Title: "structuredContent is no object",
		Why:   "Up to 2025-11-25 it is an object. Clients that check types throw the result away.",
		Fix:   "wrap the value in an object",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"{\"n\":[1,2]}"}],"structuredContent":{"n":[1,2]}}`}
	structuredAlone = &Rule{Name: "structured-content-alone", Severity: session.Warning, Revisions: from2506, Spec: pageTools,
		Title: "structuredContent comes without any text",
		Why:   "Clients that do not know structuredContent, and many models, get to see only the blocks of content. The same JSON should stand in one of them; a text for people serves them, too.",
		Fix:   "add a block of text with the same JSON",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":" "}],"structuredContent":{"sum":5}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"{\"sum\":5}"}],"structuredContent":{"sum":5}}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"the sum is 5"}],"structuredContent":[5]}`}
	structuredMismatch = &Rule{Name: "structured-content-mismatch", Severity: session.Error, Revisions: from2506, Spec: pageTools,
		Title: "structuredContent does not fit the outputSchema",
		Why:   "Clients that validate refuse the result, and programs that were written by the schema fail on it.",
		Fix:   "return what the schema says, or mend the schema",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}}}}]}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"{\"celsius\":\"21\"}"}],"structuredContent":{"celsius":"21"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}}}}]}
> 2 tools/call {"name":"a"}
< 2 {"content":[{"type":"text","text":"{\"celsius\":21}"}],"structuredContent":{"celsius":21}}`}
)

var contentRules = []*Rule{
	contentInvalid, blockInvalid, blockKind, isErrorType, errorSilent, unknownToolResult, argumentsAccepted, errorAsSuccess,
	base64Invalid, blockTooNew, resourceUndeclared, mimeInvalid, structuredMissing, structuredType, structuredAlone,
	structuredMismatch,
}
