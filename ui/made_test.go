package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// made is a session in which the given text was written ("in", "out" or "err" before a colon), by
// a server that still runs.
func made(t testing.TB, chunks ...string) *session.Session {
	t.Helper()
	r, err := recordings.NewReader(strings.NewReader(recorded(t, chunks...)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recorded is the recording that made reads.
func recorded(t testing.TB, chunks ...string) string {
	t.Helper()
	var out strings.Builder
	out.WriteString(`{"k":"head","v":1,"tool":"mcpinspect 1.0.0","start":"2026-09-01T09:30:00Z","os":"linux/amd64","target":{"transport":"stdio","command":["./made"]},"options":{"max_line":67108864,"protocol":"auto"}}` + "\n")
	out.WriteString(`{"k":"spawn","t":1000000,"run":1,"pid":4711,"path":"/made"}` + "\n")
	for i, c := range chunks {
		ch, text, _ := strings.Cut(c, ":")
		d, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, `{"k":"b","t":%d,"ch":%q,"d":%s}`+"\n", (i+2)*1_000_000, ch, d)
	}
	return out.String()
}
