package client

import (
	"slices"
	"strings"
)

// Revision is a date of the MCP specification; as strings they compare in order.
type Revision string

const (
	Rev2024_11_05 Revision = "2024-11-05"
	Rev2025_03_26 Revision = "2025-03-26"
	Rev2025_06_18 Revision = "2025-06-18"
	Rev2025_11_25 Revision = "2025-11-25"
	Rev2026_07_28 Revision = "2026-07-28"
)

// Revisions are all that are spoken here, newest first.
var Revisions = []Revision{Rev2026_07_28, Rev2025_11_25, Rev2025_06_18, Rev2025_03_26, Rev2024_11_05}

// Known reports whether the revision is spoken here.
func (r Revision) Known() bool { return slices.Contains(Revisions, r) }

// Modern reports whether requests carry their own _meta and there is no handshake.
func (r Revision) Modern() bool { return r >= Rev2026_07_28 }

// Batches reports whether a line may hold an array of messages (2025-03-26 only).
func (r Revision) Batches() bool { return r == Rev2025_03_26 }

// Era names the two ways a connection begins.
func (r Revision) Era() string {
	switch {
	case r == "":
		return "unknown"
	case r.Modern():
		return "stateless"
	}
	return "handshake"
}

// newestCommon picks the newest of the offered revisions that is spoken here and passes.
func newestCommon(offered []string, pass func(Revision) bool) (Revision, bool) {
	for _, r := range Revisions {
		if pass(r) && slices.Contains(offered, string(r)) {
			return r, true
		}
	}
	return "", false
}

func isModern(r Revision) bool { return r.Modern() }
func isLegacy(r Revision) bool { return !r.Modern() }

// Methods and notifications of the protocol that are sent or looked at by name.
const (
	MethodDiscover      = "server/discover"
	MethodInitialize    = "initialize"
	MethodInitialized   = "notifications/initialized"
	MethodPing          = "ping"
	MethodComplete      = "completion/complete"
	MethodToolsList     = "tools/list"
	MethodToolsCall     = "tools/call"
	MethodResourcesList = "resources/list"
	MethodTemplatesList = "resources/templates/list"
	MethodResourcesRead = "resources/read"
	MethodPromptsList   = "prompts/list"
	MethodPromptsGet    = "prompts/get"
	MethodCancelled     = "notifications/cancelled"
	MethodProgress      = "notifications/progress"
	MethodLog           = "notifications/message"
)

// IsNotification reports whether the protocol keeps a method for notifications, which have no id.
func IsNotification(method string) bool { return strings.HasPrefix(method, "notifications/") }

// Sendable are the methods and notifications that a client may have reason to send by itself, in some
// revision.
func Sendable() []string {
	return []string{MethodPing, MethodDiscover, MethodInitialize, MethodToolsList, MethodToolsCall, MethodResourcesList, MethodTemplatesList, MethodResourcesRead, MethodSubscribe, MethodUnsubscribe,
		MethodPromptsList, MethodPromptsGet, MethodComplete, MethodSetLevel, MethodListen, "tasks/list", MethodTasksGet, MethodTasksResult, MethodTasksCancel, MethodTasksUpdate,
		MethodInitialized, MethodCancelled, MethodProgress, MethodRootsChanged}
}

// Lacks reports whether a method is one of the protocol that this revision does not have.
func (r Revision) Lacks(method string) bool {
	if r == "" {
		return false
	}
	switch method {
	case MethodInitialize, MethodPing, MethodSetLevel, MethodSubscribe, MethodUnsubscribe:
		return r.Modern()
	case "tasks/list", "tasks/result":
		return r != Rev2025_11_25
	case "tasks/get", "tasks/cancel":
		return r < Rev2025_11_25
	case MethodDiscover, MethodListen, "tasks/update":
		return !r.Modern()
	}
	return false
}

// FromClient reports whether a method or notification is one that only clients send, in any revision.
func FromClient(method string) bool {
	switch method {
	case MethodDiscover, MethodInitialize, MethodInitialized, MethodComplete, "logging/setLevel", MethodListen, MethodRootsChanged:
		return true
	}
	for _, prefix := range []string{"tools/", "resources/", "prompts/"} {
		if strings.HasPrefix(method, prefix) {
			return true
		}
	}
	return false
}

// Error codes that decide something here (schema.ts and basic/index of 2026-07-28).
const (
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// ParseProtocol reads the value of --protocol: "auto" (or nothing) gives an empty revision.
func ParseProtocol(s string) (Revision, bool) {
	if s == "" || s == "auto" {
		return "", true
	}
	r := Revision(s)
	return r, r.Known()
}

// ProtocolNames lists what --protocol takes.
func ProtocolNames() string {
	return "auto, " + revisionNames(Revision.Known)
}

// revisionNames lists the revisions that pass, newest first.
func revisionNames(pass func(Revision) bool) string {
	var names []string
	for _, r := range Revisions {
		if pass(r) {
			names = append(names, string(r))
		}
	}
	return strings.Join(names, ", ")
}
