package check

import "example.com/mcpinspect/session"

var (
	headerParam = &Rule{Name: "header-param-invalid", Severity: session.Error, Revisions: modern, Spec: pageHTTP,
		Title: "an x-mcp-header breaks its rules",
		Why:   "Over HTTP a client drops the whole tool when one of these annotations is not right: it is a header name, unique, on text, integer or boolean, and reached through properties only.",
		Fix:   "keep to properties of these types, and give each header a name of its own",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}]}`}
	headerSecret = &Rule{Name: "header-param-secret", Severity: session.Warning, Revisions: modern, Spec: pageTools,
		Title: "a secret parameter is sent as a header",
		Why:   "Proxies and logs keep headers, and not bodies.",
		Fix:   "leave x-mcp-header away from secrets",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"password":{"type":"string","x-mcp-header":"Pass"}}}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}`}
	annotationType = &Rule{Name: "annotation-type", Severity: session.Warning, Revisions: from2503, Spec: pageTools,
		Title: "an annotation of a tool has the wrong type",
		Why:   "Hosts decide by these hints whether to ask before a call. One that cannot be read counts as absent: destructive, and open to the world.",
		Fix:   "send true or false, and text as title",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`}
	annotationContradiction = &Rule{Name: "annotation-contradiction", Severity: session.Info, Revisions: from2503, Spec: pageTools,
		Title: "a tool says that it only reads, and that it destroys",
		Why:   "destructiveHint means something only for tools that do not only read.",
		Fix:   "leave destructiveHint out beside \"readOnlyHint\":true",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`}
	annotationValue = &Rule{Name: "annotation-value", Severity: session.Warning, Spec: pageResources,
		Title: "an annotation has a value that there is none of",
		Why:   "priority lies between 0 and 1, audience is user or assistant, lastModified is a time of ISO 8601, and size counts bytes.",
		Fix:   "send one of these, or leave it out",
		Bad: `> 1 resources/list {}
< 1 {"resources":[{"name":"a","uri":"file:///a","annotations":{"priority":5}}]}`,
		Good: `> 1 resources/list {}
< 1 {"resources":[{"name":"a","uri":"file:///a","annotations":{"priority":0.5}}]}`}
	taskSupport = &Rule{Name: "task-support", Severity: session.Error, Revisions: in2511, Spec: pageTasks,
		Title: "a tool's taskSupport is no such value, or is not declared",
		Why:   "It says whether the tool may be called as a task: forbidden, optional or required. Clients look at it only where the capability tasks.requests.tools.call is declared.",
		Fix:   "use one of the three, and declare the capability",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"execution":{"taskSupport":"yes"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}`}
	noDescription = &Rule{Name: "description-missing", Severity: session.Info, Spec: pageTools,
		Title: "something is listed without a description",
		Why:   "The specification does not ask for one. A model chooses by the description, and has only the name otherwise.",
		Fix:   "say in a sentence what it is for",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"adds two numbers","inputSchema":{"type":"object"}}]}`}
	iconInvalid = &Rule{Name: "icon-invalid", Severity: session.Warning, Revisions: from2511, Spec: pageBase,
		Title: "an icon cannot be used",
		Why:   "An icon has a src of https or data, sizes such as 48x48 or any, and a theme of light or dark. Clients refuse other addresses, since loading them would run or tell something.",
		Fix:   "give an https or data address",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"icons":[{"src":"file:///etc/icon.png"}]}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"icons":[{"src":"https://a.example/icon.png","sizes":["48x48"]}]}]}`}
	hiddenText = &Rule{Name: "hidden-text", Severity: session.Warning, Spec: pageTools,
		Title: "a text has characters that people do not see",
		Why:   "A model reads them. Invisible characters and direction overrides can hide instructions from whoever approves a tool; control characters act on terminals.",
		Fix:   "remove them",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"adds\u202e numbers","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"adds numbers – naïve 東京 👨‍👩‍👧","inputSchema":{"type":"object"}}]}`}
	nullMember = &Rule{Name: "null-member", Severity: session.Info, Spec: pageSchema,
		Title: "an optional member is null",
		Why:   "What is not there is left out. Clients that check types refuse null, others pass over it.",
		Fix:   "when a model is serialised: exclude what is null",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":null,"inputSchema":{"type":"object"},"outputSchema":null}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`}
	promptArgument = &Rule{Name: "prompt-argument-name", Severity: session.Error, Spec: pagePrompts,
		Title: "an argument of a prompt has no name",
		Why:   "Arguments are given by their names.",
		Fix:   "give every argument a name",
		Bad: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"description":"what"}]}]}`,
		Good: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"name":"what"}]}]}`}
	argumentTwice = &Rule{Name: "prompt-argument-twice", Severity: session.Warning, Spec: pagePrompts,
		Title: "a prompt has two arguments of one name",
		Why:   "Arguments are given by their names, so that one of the two cannot be given.",
		Fix:   "give each a name of its own",
		Bad: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"name":"x"},{"name":"x"}]}]}`,
		Good: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"name":"x"},{"name":"y"}]}]}`}
	argumentRequired = &Rule{Name: "prompt-argument-required", Severity: session.Info, Spec: pagePrompts,
		Title: "whether an argument of a prompt is required is no boolean",
		Why:   "Clients take text for true, for false, or refuse the list.",
		Fix:   "send true or false",
		Bad: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"name":"x","required":"yes"}]}]}`,
		Good: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d","arguments":[{"name":"x","required":true}]}]}`}
	uriRelative = &Rule{Name: "uri-relative", Severity: session.Warning, Spec: pageResources,
		Title: "the uri of a resource is not absolute",
		Why:   "A uri has a scheme (RFC 3986). Without one clients cannot tell it from a path or an address of their own.",
		Fix:   "give it a scheme, as in notes://1",
		Bad: `> 1 resources/list {}
< 1 {"resources":[{"name":"a","uri":"notes/1"}]}`,
		Good: `> 1 resources/list {}
< 1 {"resources":[{"name":"a","uri":"notes://1"}]}`}
	templateInvalid = &Rule{Name: "uri-template-invalid", Severity: session.Warning, Spec: pageResources,
		Title: "a uriTemplate cannot be read",
		Why:   "Clients fill templates by RFC 6570, and cannot use one that is not of this form.",
		Fix:   "write expressions as {name}, with both braces",
		Bad: `> 1 resources/templates/list {}
< 1 {"resourceTemplates":[{"name":"a","description":"d","uriTemplate":"notes://{id"}]}`,
		Good: `> 1 resources/templates/list {}
< 1 {"resourceTemplates":[{"name":"a","description":"d","uriTemplate":"notes://{id}{?page,size*}"}]}`}
)

var detailsRules = []*Rule{
	headerParam, headerSecret, annotationType, annotationContradiction, annotationValue, taskSupport, noDescription,
	iconInvalid, hiddenText, nullMember, promptArgument, argumentTwice, argumentRequired, uriRelative, templateInvalid,
}
