package check

import "example.com/mcpinspect/session"

var (
	contentsInvalid = &Rule{Name: "contents-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "the answer to resources/read has no contents",
		Why:   "contents is a list, since one read may return several parts. Clients that check types show nothing.",
		Fix:   "return \"contents\":[{\"uri\":…,\"text\":…}]",
		Bad: `> 1 resources/read {"uri":"file:///a"}
< 1 {"content":"x"}`,
		Good: `> 1 resources/read {"uri":"file:///a"}
< 1 {"contents":[{"uri":"file:///a","text":"x"}]}`}
	resourceContents = &Rule{Name: "resource-contents", Severity: session.Error, Spec: pageResources,
		Title: "a part of a resource has no uri, or not exactly one of text and blob",
		Why:   "Clients show text and save a blob, and cannot choose when there is neither or both.",
		Fix:   "send the uri, and text for text or blob for bytes",
		Bad: `> 1 resources/read {"uri":"file:///a"}
< 1 {"contents":[{"uri":"file:///a"}]}`,
		Good: `> 1 resources/read {"uri":"file:///a"}
< 1 {"contents":[{"uri":"file:///a","blob":"AA=="}]}`}
	contentsEmpty = &Rule{Name: "contents-empty", Severity: session.Warning, Revisions: modern, Spec: pageResources,
		Title: "a read returned nothing",
		Why:   "What is not there is refused with error -32602. An empty list looks like a resource without content.",
		Fix:   "answer with error -32602 when the resource does not exist",
		Bad: `> 1 resources/read {"uri":"file:///none"}
< 1 {"contents":[]}`,
		Good: `> 1 resources/read {"uri":"file:///none"}
< 1 error {"code":-32602,"message":"Resource not found","data":{"uri":"file:///none"}}`}
	otherURI = &Rule{Name: "read-other-uri", Severity: session.Info, Spec: pageResources,
		Title: "another resource came than was read",
		Why:   "A part may have an address of its own. Where there is only one, clients expect the one they asked for.",
		Fix:   "return the uri that was read",
		Bad: `> 1 resources/read {"uri":"file:///a"}
< 1 {"contents":[{"uri":"file:///b","text":"x"}]}`,
		Good: `> 1 resources/read {"uri":"file:///a"}
< 1 {"contents":[{"uri":"file:///a","text":"x"}]}`}
	messagesInvalid = &Rule{Name: "messages-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "the answer to prompts/get has no messages",
		Why:   "A prompt is a list of messages. Clients that check types show nothing.",
		Fix:   "return \"messages\":[{\"role\":\"user\",\"content\":{…}}]",
		Bad: `> 1 prompts/get {"name":"a"}
< 1 {"text":"x"}`,
		Good: `> 1 prompts/get {"name":"a"}
< 1 {"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`}
	promptMessage = &Rule{Name: "prompt-message-invalid", Severity: session.Error, Spec: pagePrompts,
		Title: "a message of a prompt cannot be read",
		Why:   "A message has the role user or assistant, and one block of content. Clients that check types refuse the whole prompt for one message.",
		Fix:   "send a role and one block; split a list of blocks into messages",
		Bad: `> 1 prompts/get {"name":"a"}
< 1 {"messages":[{"role":"system","content":{"type":"text","text":"x"}}]}`,
		Good: `> 1 prompts/get {"name":"a"}
< 1 {"messages":[{"role":"assistant","content":{"type":"text","text":"x"}}]}`}
	completionValues = &Rule{Name: "completion-values", Severity: session.Error, Spec: pageCompletion,
		Title: "the values of a completion cannot be used",
		Why:   "completion.values is a list of at most 100 texts.",
		Fix:   "send the best hundred, and \"hasMore\":true",
		Bad: `> 1 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 1 {"completion":{"values":[1,2]}}`,
		Good: `> 1 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 1 {"completion":{"values":["1","2"]}}`}
	completionTotal = &Rule{Name: "completion-total", Severity: session.Warning, Spec: pageCompletion,
		Title: "the total of a completion does not fit its values",
		Why:   "Clients show by it how many there are beside those that came.",
		Fix:   "count all of them in total, and say hasMore when some were left out",
		Bad: `> 1 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 1 {"completion":{"values":["1","2"],"total":1}}`,
		Good: `> 1 completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""}}
< 1 {"completion":{"values":["1","2"],"total":9,"hasMore":true}}`}
	argumentsType = &Rule{Name: "arguments-not-an-object", Severity: session.Error, Who: Client, Spec: pageTools,
		Title: "the arguments of a tool are no object",
		Why:   "Arguments have names. Servers refuse anything else.",
		Fix:   "send an object, or leave arguments out",
		Bad: `* tap
> 1 tools/call {"name":"a","arguments":[1]}`,
		Good: `* tap
> 1 tools/call {"name":"a","arguments":{"n":1}}`}
	argumentsUnfit = &Rule{Name: "arguments-unfit", Severity: session.Warning, Who: Client, Spec: pageTools,
		Title: "the client sends arguments that the tool's schema does not allow",
		Why:   "The server will refuse them, or work with what is left.",
		Fix:   "validate arguments against the inputSchema before they are sent",
		Bad: `* tap
> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}}]}
> 2 tools/call {"name":"a","arguments":{"m":1}}`,
		Good: `* tap
> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}}]}
> 2 tools/call {"name":"a","arguments":{"n":1}}`}
	promptArguments = &Rule{Name: "prompt-argument-type", Severity: session.Error, Who: Client, Spec: pagePrompts,
		Title: "an argument of a prompt is no text",
		Why:   "The arguments of a prompt are texts, whatever they mean. Servers refuse anything else.",
		Fix:   "write numbers and booleans as text",
		Bad: `* tap
> 1 prompts/get {"name":"a","arguments":{"n":1}}`,
		Good: `* tap
> 1 prompts/get {"name":"a","arguments":{"n":"1"}}`}
)

var readsRules = []*Rule{
	contentsInvalid, resourceContents, contentsEmpty, otherURI, messagesInvalid, promptMessage, completionValues,
	completionTotal, argumentsType, argumentsUnfit, promptArguments,
}
