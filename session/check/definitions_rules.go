package check

import "example.com/mcpinspect/session"

var (
	listInvalid = &Rule{Name: "list-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "the answer to a list request has no list",
		Why:   "The result holds a list under the name of what was asked for: tools, resources, resourceTemplates or prompts. Without it clients show nothing, or fail.",
		Fix:   "return the list, an empty one when there is nothing in it"}
	entryInvalid = &Rule{Name: "entry-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "an entry of a list is no object",
		Why:   "Every tool, resource and prompt is an object. Clients that check types refuse the whole page for one entry that is none.",
		Fix:   "leave the entry out"}
	nameInvalid = &Rule{Name: "name-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "an entry of a list has no usable name",
		Why:   "The name is text, and what a tool or prompt is called by. Clients that check types refuse the whole page for one entry without it; an empty name cannot be called by a model.",
		Fix:   "give every entry a name of letters, digits, _, - and ."}
	nameTwice = &Rule{Name: "name-twice", Severity: session.Warning, Spec: pageSchema,
		Title: "two entries of a list have the same name",
		Why:   "Which of the two a client calls is not said. Some show the first, some the last, some refuse the server.",
		Fix:   "give each a name of its own; on several pages: look for an entry that both have"}
	uriInvalid = &Rule{Name: "uri-invalid", Severity: session.Error, Spec: pageSchema,
		Title: "a resource has no uri",
		Why:   "A resource is read by its uri, one made from a template by its uriTemplate. Without it nothing can be done with the entry.",
		Fix:   "give the uri as text"}
	schemaInvalid = &Rule{Name: "input-schema-invalid", Severity: session.Error, Spec: pageTools,
		Title: "a tool has no inputSchema",
		Why:   "Every tool has a JSON Schema of its arguments, a tool without arguments too. Clients that check types refuse the whole list for one tool without it.",
		Fix:   "send {\"type\":\"object\"} when there are no arguments"}
	schemaType = &Rule{Name: "input-schema-type", Severity: session.Error, Spec: pageTools,
		Title: "an inputSchema is of another type than object",
		Why:   "Arguments are an object, and the schema says so at its root: \"type\":\"object\". Clients that check types refuse the whole list.",
		Fix:   "add \"type\":\"object\" at the root of the schema"}
	outputInvalid = &Rule{Name: "output-schema-invalid", Severity: session.Error, Spec: pageTools,
		Title: "an outputSchema is no schema of an object",
		Why:   "An outputSchema is a JSON Schema, up to 2025-11-25 one of an object; null is none. Clients that check types refuse the whole list.",
		Fix:   "leave outputSchema out, or send an object with \"type\":\"object\""}
)

var definitionsRules = []*Rule{listInvalid, entryInvalid, nameInvalid, nameTwice, uriInvalid, schemaInvalid, schemaType, outputInvalid}
