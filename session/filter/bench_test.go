package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
)

// million is a log of a million rows of 200 bytes: notifications, and a call of a tool now and then.
func million(b *testing.B) *session.Log {
	b.Helper()
	const n, each = 1_000_000, 1000
	var out strings.Builder
	out.WriteString(`{"k":"head","v":1,"tool":"mcpinspect 1.0.0","start":"2026-09-01T09:30:00Z","os":"linux/amd64","target":{"transport":"stdio","command":["./made"]},"options":{"max_line":67108864,"protocol":"auto"}}` + "\n")
	notification := strings.ReplaceAll(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"`+strings.Repeat("something happened ", 6)+`"}}`, `"`, `\"`) + `\n`
	for i := range n / each {
		fmt.Fprintf(&out, `{"k":"b","t":%d,"ch":"in","d":"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"add\"}}\n"}`+"\n", i*2_000_000, i)
		fmt.Fprintf(&out, `{"k":"b","t":%d,"ch":"out","d":"%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n"}`+"\n", i*2_000_000+i*1000, strings.Repeat(notification, each-2), i)
	}
	r, err := recordings.NewReader(strings.NewReader(out.String()))
	if err != nil {
		b.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		b.Fatal(err)
	}
	return s.Log()
}

// BenchmarkMillion is one pass of an expression over a million rows of a log.
func BenchmarkMillion(b *testing.B) {
	log := million(b)
	for _, expr := range []string{"is:error", "method:tools/*", ">500us", "tool:add", "nowhere", `tools/call -is:error`, "re:/tim(e|ing)/"} {
		b.Run(expr, func(b *testing.B) {
			x, err := filter.Parse(expr)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var found []int32
			for b.Loop() {
				found, _ = x.Select(b.Context(), found[:0], log, 0, log.Len())
			}
			b.ReportMetric(float64(len(found)), "rows")
		})
	}
}
