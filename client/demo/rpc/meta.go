package rpc

import "encoding/json"

// The keys of _meta in 2026-07-28 (basic/index).
const (
	KeyVersion      = "io.modelcontextprotocol/protocolVersion"
	KeyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	KeyLogLevel     = "io.modelcontextprotocol/logLevel"
	KeyServer       = "io.modelcontextprotocol/serverInfo"
	KeySubscription = "io.modelcontextprotocol/subscriptionId"
)

// Meta is the _meta of a request's params; nil when it has none.
func Meta(params json.RawMessage) map[string]json.RawMessage {
	return Members(Members(params)["_meta"])
}

// Missing is the error for a request that lacks a key that 2026-07-28 requires.
func Missing(key string) *Error {
	return &Error{Code: InvalidParams, Message: "Missing required _meta field: " + key}
}

// CheckMeta judges a request by the rules of 2026-07-28: both required keys are there and of their
// type, and the version is one of those supported without a handshake.
func CheckMeta(meta map[string]json.RawMessage, supported ...string) *Error {
	for _, key := range []string{KeyVersion, KeyCapabilities} {
		if _, has := meta[key]; !has {
			return Missing(key)
		}
	}
	version, is := Text(meta[KeyVersion])
	if !is {
		return &Error{Code: InvalidParams, Message: KeyVersion + " must be a string"}
	}
	if Members(meta[KeyCapabilities]) == nil {
		return &Error{Code: InvalidParams, Message: KeyCapabilities + " must be an object"}
	}
	for _, s := range supported {
		if version == s {
			return nil
		}
	}
	return Unsupported(version, supported...)
}

// Unsupported is the error for a version that the server does not speak.
func Unsupported(requested string, supported ...string) *Error {
	return &Error{Code: UnsupportedVersion, Message: "Unsupported protocol version",
		Data: Obj("supported", supported, "requested", requested)}
}
