package check

import "example.com/mcpinspect/session"

var (
	identityInvalid = &Rule{Name: "identity-invalid", Severity: session.Error, Spec: pageDiscover,
		Title: "what the server says of itself is not complete",
		Why:   "The answer to initialize has protocolVersion, capabilities, and serverInfo with name and version; that to server/discover has supportedVersions and capabilities. Clients that check types end the session without them.",
		Fix:   "send all of them; {} when there are no capabilities"}
	capabilityType = &Rule{Name: "capability-type", Severity: session.Warning, Spec: pageDiscover,
		Title: "a capability is no object",
		Why:   "A capability is offered by an object, empty if need be, and not offered by leaving it out. Clients read true, false and null in different ways.",
		Fix:   "send {} for what is offered, and leave out what is not"}
)

var lifecycleRules = []*Rule{identityInvalid, capabilityType}
