package session_test

import (
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// BenchmarkIngestJudged is the whole way of a line with every rule and a file behind it: at least
// 500,000 lines/s in chunks of 64 KiB.
func BenchmarkIngestJudged(b *testing.B) {
	for name, size := range map[string]int{"64KiB": client.ReadSize, "line": 0} {
		b.Run(name, func(b *testing.B) {
			session.BenchIngest(b, size, func() []session.Observer { return []session.Observer{check.New()} })
		})
	}
}
