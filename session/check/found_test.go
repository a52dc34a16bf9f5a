package check

import (
	"fmt"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// asked reports whether a rule is found by asking, not by observing.
func asked(name string) bool {
	for _, family := range [...][]*Rule{interfaceRules, askedRules, repeatRules} {
		for _, r := range family {
			if r.Name == name {
				return true
			}
		}
	}
	return false
}

// TestFound: what is found by asking is judged by its rule, in a recording, too; what no rule knows is
// passed over.
func TestFound(t *testing.T) {
	found := func(rule string) act {
		return note(session.NoteFound, "", "what was found", fmt.Sprintf(`{"rule":%q,"subject":"tool \"a\""}`, rule))
	}
	n := 0
	for _, r := range Rules() {
		got := Findings(play(t, good(found(r.Name), found(r.Name), found("of-a-later-version"))...).Log(), nil)
		if !asked(r.Name) {
			if len(got) > 0 {
				t.Errorf("%s was put into the log, and is %+v", r.Name, got)
			}
			continue
		}
		n++
		if len(got) != 1 || got[0].Rule != r.Name || got[0].Count != 2 || got[0].Subject != `tool "a"` || got[0].Message != "what was found" || got[0].First.Stream != "life" || got[0].Fix == "" {
			t.Errorf("%s: %+v", r.Name, got)
		}
	}
	if n < 30 {
		t.Errorf("only %d rules are found by asking", n)
	}
}

// TestProbeIsNoPage: a page that a probe asked for is no part of the list.
func TestProbeIsNoPage(t *testing.T) {
	probe := note(session.NoteProbe, "", "a cursor that was never given", `{"probe":"tools-cursor","sends":true}`)
	list := in(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}`)
	answer := out(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]}}`)
	first := []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}],"nextCursor":"x"}}`)}
	if got := Findings(play(t, append(first, list, answer)...).Log(), nil); len(got) != 1 || got[0].Rule != nameTwice.Name {
		t.Errorf("%+v", got)
	}
	if got := Findings(play(t, append(first, probe, list, answer)...).Log(), nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
