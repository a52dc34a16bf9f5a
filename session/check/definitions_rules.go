package check

import "example.com/mcpinspect/session"

var (
	listInvalid = &Rule{Name: "list-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "the answer to a list request has no list",
		Why:   "The result holds a list under the name of what was asked for: tools, resources, resourceTemplates or prompts. Without it clients show nothing, or fail.",
		Fix:   "return the list, an empty one when there is nothing in it",
		Bad: `> 1 tools/list {}
< 1 {"items":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	entryInvalid = &Rule{Name: "entry-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "an entry of a list is no object",
		Why:   "Every tool, resource and prompt is an object. Clients that check types refuse the whole page for one entry that is none.",
		Fix:   "leave the entry out",
		Bad: `> 1 tools/list {}
< 1 {"tools":["add"]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"add","description":"d","inputSchema":{"type":"object"}}]}`}
	nameInvalid = &Rule{Name: "name-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "an entry of a list has no usable name",
		Why:   "The name is text, and what a tool or prompt is called by. Clients that check types refuse the whole page for one entry without it; an empty name cannot be called by a model.",
		Fix:   "give every entry a name of letters, digits, _, - and .",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"description":"d","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"add","description":"d","inputSchema":{"type":"object"}}]}`}
	nameTwice = &Rule{Name: "name-twice", Severity: session.Warning, Spec: pageSchema,
		Title: "two entries of a list have the same name",
		Why:   "Which of the two a client calls is not said. Some show the first, some the last, some refuse the server.",
		Fix:   "give each a name of its own; on several pages: look for an entry that both have",
		Bad: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d"},{"name":"a","description":"e"}]}`,
		Good: `> 1 prompts/list {}
< 1 {"prompts":[{"name":"a","description":"d"},{"name":"b","description":"e"}]}`}
	uriInvalid = &Rule{Name: "uri-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "a resource has no uri",
		Why:   "A resource is read by its uri, one made from a template by its uriTemplate. Without it nothing can be done with the entry.",
		Fix:   "give the uri as text",
		Bad: `> 1 resources/list {}
< 1 {"resources":[{"name":"a"}]}`,
		Good: `> 1 resources/list {}
< 1 {"resources":[{"name":"a","uri":"file:///a"}]}`}
	schemaInvalid = &Rule{Name: "input-schema-invalid", Severity: session.Error, Spec: pageTools,
		Title: "a tool has no inputSchema",
		Why:   "Every tool has a JSON Schema of its arguments, a tool without arguments too. Clients that check types refuse the whole list for one tool without it.",
		Fix:   "send {\"type\":\"object\"} when there are no arguments",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d"}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`}
	schemaType = &Rule{Name: "input-schema-type", Severity: session.Error, Spec: pageTools,
		Title: "an inputSchema is of another type than object",
		Why:   "Arguments are an object, and the schema says so at its root: \"type\":\"object\". Clients that check types refuse the whole list.",
		Fix:   "add \"type\":\"object\" at the root of the schema",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}`}
	outputInvalid = &Rule{Name: "output-schema-invalid", Severity: session.Error, Spec: pageTools,
		Title: "an outputSchema is no schema of an object",
		Why:   "An outputSchema is a JSON Schema, up to 2025-11-25 one of an object; null is none. Clients that check types refuse the whole list.",
		Fix:   "leave outputSchema out, or send an object with \"type\":\"object\"",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":true}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}`}
	toolName = &Rule{Name: "tool-name", Severity: session.Warning, Revisions: from2511, Spec: pageTools,
		Title: "a tool's name is too long, or has odd characters",
		Why:   "Names go through models and their interfaces, which take letters, digits, _, - and . and refuse or rewrite anything else.",
		Fix:   "use at most 128 of these characters, better at most 64; put words for people into title",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"add two numbers","description":"d","inputSchema":{"type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"add_two_numbers","description":"d","inputSchema":{"type":"object"}}]}`}
	schemaBroken = &Rule{Name: "schema-broken", Severity: session.Error, Spec: pageTools,
		Title: "a schema is no valid JSON Schema",
		Why:   "Clients compile the schema before they call the tool. One that cannot be compiled takes the tool away, or its checks.",
		Fix:   "let a schema library write it, and validate it in a test",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":5}}}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}`}
	schemaUnchecked = &Rule{Name: "schema-not-checked", Severity: session.Info, Spec: pageTools,
		Title: "a part of a schema cannot be checked here",
		Why:   "It names a dialect or a pattern that this inspector does not know. It may be right all the same.",
		Fix:   "nothing needs to change; plain 2020-12 is understood by most clients",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"$schema":"http://example.invalid/schema","type":"object"}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}}]}`}
	schemaRef = &Rule{Name: "schema-ref", Severity: session.Warning, Spec: pageTools,
		Title: "a $ref of a schema leads nowhere",
		Why:   "It names a definition that was not sent, or one on the network, which clients do not load. Whatever stands there is not checked, or the tool is refused.",
		Fix:   "send the definition along, under $defs",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"}}}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"type":"string"}}}}]}`}
	schemaOdd = &Rule{Name: "schema-odd", Severity: session.Info, Spec: pageTools,
		Title: "a schema requires what it does not describe",
		Why:   "A model cannot know what is meant by a property that has no description and no type.",
		Fix:   "describe every property that is required",
		Bad: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","required":["path"]}}]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}`}
)

var definitionsRules = []*Rule{
	listInvalid, entryInvalid, nameInvalid, nameTwice, uriInvalid, schemaInvalid, schemaType, outputInvalid, toolName,
	schemaBroken, schemaUnchecked, schemaRef, schemaOdd,
}
