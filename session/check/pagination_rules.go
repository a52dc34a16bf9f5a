package check

import "example.com/mcpinspect/session"

var (
	pageFailed = &Rule{Name: "page-failed", Severity: session.Error, Spec: pageLists,
		Title: "a list that the server offers cannot be read",
		Why:   "The capability says that the list is there, or an earlier page named the cursor.",
		Fix:   "accept the cursors that were handed out; do not advertise what is not served"}
	cursorNoText = &Rule{Name: "cursor-not-text", Severity: session.Error, Spec: pageLists,
		Title: "a cursor is no text",
		Why:   "A nextCursor is a string that means something to the server alone. Clients that decode it as one fail on anything else, and those that pass it on send what the server may not expect.",
		Fix:   "send the cursor as a string, and leave it out on the last page"}
	cursorLoop = &Rule{Name: "cursor-loop", Severity: session.Warning, Spec: pageLists,
		Title: "a list never ends: a cursor came back",
		Why:   "Clients ask for pages until there is no nextCursor. One that comes back sends them round in a circle.",
		Fix:   "leave nextCursor out on the last page"}
	endlessPages = &Rule{Name: "endless-pages", Severity: session.Warning, Spec: pageLists,
		Title: "a list has page after page",
		Why:   "Every page had a new cursor, and the walk was stopped at the ceiling.",
		Fix:   "return more entries a page, and leave nextCursor out on the last one"}
	cursorType = &Rule{Name: "cursor-type", Severity: session.Error, Spec: pageLists,
		Title: "a nextCursor is no text",
		Why:   "A cursor is a string, and the last page leaves it out. Clients that check types refuse the whole page, null included.",
		Fix:   "leave nextCursor out on the last page; when a model is serialised: exclude what is null"}
)

var paginationRules = []*Rule{pageFailed, cursorNoText, cursorLoop, endlessPages, cursorType}
