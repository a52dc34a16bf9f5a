package session_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// TestWitness: both sides get what the other wrote, and the client is judged, whose requests the
// revision is drawn from.
func TestWitness(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}` + "\n"
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}` + "\n"
	for _, c := range []struct{ name, before, behind, want string }{
		{"clean", "", "", ""},
		{"stray", "hello\n", "", "stray-stdin"},
		{"half a line at the end", "", `{"jsonrpc":"2.0","method":"x"`, "no-newline-at-end"},
		{"an id twice", "", list + list, "id-in-flight"},
		{"no _meta", "", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n", "meta-missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session.New(session.Target{}, session.Options{Start: time.Now(), Observers: []session.Observer{check.New()}})
			w := s.Witness()
			var out bytes.Buffer
			read := func(text string) {
				got, err := io.ReadAll(w.Client(strings.NewReader(text)))
				if err != nil || string(got) != text {
					t.Errorf("the server read %q, %v", got, err)
				}
			}
			read(c.before + list)
			if n, err := w.Server(&out).Write([]byte(answer)); err != nil || n != len(answer) || out.String() != answer {
				t.Errorf("the client read %q, %v", out.String(), err)
			}
			read(c.behind)
			w.Ended(client.Exit{Asked: client.AskedStdin})
			var rules []string
			for _, f := range check.Findings(s.Log(), nil) {
				if f.Subject == check.OfClient && !slices.Contains(rules, f.Rule) {
					rules = append(rules, f.Rule)
				}
			}
			if got := strings.Join(rules, " "); !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if v := s.Snapshot().Server; v == nil || v.Revision != client.Rev2026_07_28 {
				t.Errorf("the server is %+v", v)
			}
		})
	}
}
