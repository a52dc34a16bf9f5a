package check

import "example.com/mcpinspect/session"

var (
	contentInvalid = &Rule{Name: "content-invalid", Severity: session.Error, Spec: pageTools,
		Title: "the result of a tool has no list of content",
		Why:   "content is a list of blocks and required, beside structuredContent too. Clients that check types throw the result away.",
		Fix:   "return \"content\":[] when there is nothing to say"}
	blockInvalid = &Rule{Name: "content-block-invalid", Severity: session.Error, Spec: pageTools,
		Title: "a block of content cannot be read",
		Why:   "A block is an object with a type and what this type requires: text; data in base64 and mimeType; a resource. Clients that check types throw the whole result away for one block.",
		Fix:   "return blocks such as {\"type\":\"text\",\"text\":\"…\"}"}
	blockKind = &Rule{Name: "content-block-unknown", Severity: session.Error, Spec: pageTools,
		Title: "a block of content is of an unknown type",
		Why:   "No revision knows this type. Clients that check types throw the whole result away for one such block.",
		Fix:   "return text, image, audio, resource or resource_link"}
	isErrorType = &Rule{Name: "is-error-type", Severity: session.Warning, Spec: pageTools,
		Title: "isError is no boolean",
		Why:   "isError says whether the tool failed, as true or false. Clients take text for true, for false, or throw the result away.",
		Fix:   "return true or false, or leave it out"}
	resultType = &Rule{Name: "result-type", Severity: session.Error, Revisions: modern, Spec: pageBase,
		Title: "a result is of a type that was not asked for",
		Why:   "resultType is complete, or input_required; another only when both sides have named an extension that has it. Clients must treat the result as invalid.",
		Fix:   "return resultType \"complete\""}
)

var contentRules = []*Rule{contentInvalid, blockInvalid, blockKind, isErrorType, resultType}
