package session

import (
	"slices"

	"example.com/mcpinspect/client"
)

// LogLevels are the levels of log messages, the least first (server/utilities/logging, after RFC 5424).
var LogLevels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// LogLevel is the place of a level among LogLevels; -1 for none of them.
func LogLevel(name string) int { return slices.Index(LogLevels[:], name) }

// LogMessage is what a server logged, as it was sent.
type LogMessage struct {
	Level  string
	Logger string
	Data   []byte // raw JSON; its beginning when only that of the line was given
}

// ReadLogMessage reads a line of notifications/message, or its beginning.
func ReadLogMessage(line []byte) LogMessage {
	params := client.Get(line, "params")
	return LogMessage{client.GetText(params, "level"), client.GetText(params, "logger"), client.Get(params, "data")}
}
