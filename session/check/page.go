package check

import "example.com/mcpinspect/client"

// Page is a page of the specification, which has different names in the two eras.
type Page uint8

const (
	pageBase Page = iota
	pageStdio
	pageTransports
	pageHTTP
	pageLife
	pageVersion
	pagePing
	pageCancel
	pageProgress
	pageLists
	pageDiscover
	pageTools
	pageResources
	pagePrompts
	pageCompletion
	pageLogging
	pageCaching
	pageInput
	pageListen
	pageElicitation
	pageSampling
	pageRoots
	pageTasks
	pageAuth
	pageChanges
	pageSchema
)

var pageNames = [...][2]string{
	pageBase:        {"basic", "basic"},
	pageStdio:       {"basic/transports", "basic/transports/stdio"},
	pageTransports:  {"basic/transports", "basic/transports"},
	pageHTTP:        {"basic/transports", "basic/transports/streamable-http"},
	pageLife:        {"basic/lifecycle", "basic/transports/stdio"},
	pageVersion:     {"basic/lifecycle", "basic/versioning"},
	pagePing:        {"basic/utilities/ping", "changelog"},
	pageCancel:      {"basic/utilities/cancellation", "basic/patterns/cancellation"},
	pageProgress:    {"basic/utilities/progress", "basic/patterns/progress"},
	pageLists:       {"server/utilities/pagination", "server/utilities/pagination"},
	pageDiscover:    {"basic/lifecycle", "server/discover"},
	pageTools:       {"server/tools", "server/tools"},
	pageResources:   {"server/resources", "server/resources"},
	pagePrompts:     {"server/prompts", "server/prompts"},
	pageCompletion:  {"server/utilities/completion", "server/utilities/completion"},
	pageLogging:     {"server/utilities/logging", "server/utilities/logging"},
	pageCaching:     {"schema", "server/utilities/caching"},
	pageInput:       {"client/elicitation", "basic/patterns/mrtr"},
	pageListen:      {"server/resources", "basic/patterns/subscriptions"},
	pageElicitation: {"client/elicitation", "client/elicitation"},
	pageSampling:    {"client/sampling", "client/sampling"},
	pageRoots:       {"client/roots", "client/roots"},
	pageTasks:       {"basic/utilities/tasks", "extensions/tasks"},
	pageAuth:        {"basic/authorization", "basic/authorization"},
	pageChanges:     {"changelog", "changelog"},
	pageSchema:      {"schema", "schema"},
}

// In is where the page stands in a revision: "2026-07-28/basic/transports/stdio". Without a
// revision it is that of the newest.
func (p Page) In(rev client.Revision) string {
	if !rev.Known() {
		rev = client.Revisions[0]
	}
	era := 0
	if rev.Modern() {
		era = 1
	}
	return string(rev) + "/" + pageNames[p][era]
}
