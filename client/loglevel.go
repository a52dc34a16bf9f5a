package client

import (
	"fmt"
	"slices"
	"strings"
)

// MethodSetLevel asks a server of the handshake revisions for log messages (server/utilities/logging). In
// 2026-07-28 each request asks for its own by MetaLogLevel.
const (
	MethodSetLevel = "logging/setLevel"
	MetaLogLevel   = MetaPrefix + "logLevel"
)

// LogLevels are the levels of RFC 5424 that log messages have, the lowest first.
func LogLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// ParseLogLevel accepts one of LogLevels.
func ParseLogLevel(s string) error {
	if !slices.Contains(LogLevels(), s) {
		return fmt.Errorf("%q is no log level: there are %s", s, strings.Join(LogLevels(), ", "))
	}
	return nil
}

// SetLevel is the request for log messages of a level and above.
func SetLevel(level string) Request {
	return Request{Method: MethodSetLevel, Params: append(append([]byte(`{"level":`), Quote(level)...), '}')}
}
