package check

import (
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

func TestSort(t *testing.T) {
	found := []Finding{
		{Rule: "a", Severity: Severity(session.Info)},
		{Rule: "b", Severity: Severity(session.Error), First: Place{Seq: 9}},
		{Rule: "c", Severity: Severity(session.Error)},
	}
	Sort(found)
	if got := found[0].Rule + found[1].Rule + found[2].Rule; got != "cba" {
		t.Error(got)
	}
}

// ordered are findings as a person reads them: "rule" or "rule<cause", in their order.
func ordered(found []Finding) string {
	Sort(found)
	var out []string
	for _, f := range found {
		s := f.Severity.String()[:1] + " " + f.Rule
		if f.Because != "" {
			s += "<" + f.Because
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// One cause is one finding: what comes of it stands behind it, and gives it its weight.
func TestCauses(t *testing.T) {
	found := func(rule, because string) act {
		return note(session.NoteFound, "", "it failed", `{"rule":"`+rule+`","subject":"tool a"`+because+`}`)
	}
	ask := in(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`)
	for name, c := range map[string]struct {
		acts []act
		want string
		sum  Summary
	}{
		"hang": {[]act{era(client.Rev2025_06_18), ask,
			note(client.NoteTimeout, "1", "no answer within 3s", ""),
			found("call-failed", `,"because":"unanswered-request"`), exit(0, "", client.AskedStdin)},
			"e unanswered-request, e call-failed<unanswered-request", Summary{Error: 1}},
		"half a line": {[]act{era(client.Rev2025_06_18), ask,
			chunk(recordings.Out, `{"jsonrpc":"2.0","id":`),
			note(client.NoteTimeout, "1", "no answer within 3s", ""),
			found("call-failed", `,"because":"unanswered-request"`), exit(0, "", client.AskedStdin)},
			"e no-newline-at-end, w unanswered-request<no-newline-at-end, e call-failed<unanswered-request", Summary{Error: 1}},
		"wrong id": {[]act{era(client.Rev2025_06_18), ask,
			out(`{"jsonrpc":"2.0","id":"other","result":{"content":[]}}`),
			note(client.NoteTimeout, "1", "no answer within 3s", "")},
			"e unknown-id, w unanswered-request<unknown-id", Summary{Error: 1}},
		"crash in a line": {[]act{era(client.Rev2025_06_18), ask,
			chunk(recordings.Out, `{"jsonrpc":"2.0","id":`), exit(3, "", client.AskedNo)},
			"e server-died, e no-newline-at-end<server-died", Summary{Error: 1}},
		"a cause that is not there": {[]act{era(client.Rev2025_06_18), ask,
			out(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`),
			found("call-failed", `,"because":"unanswered-request"`)},
			"e call-failed", Summary{Error: 1}},
	} {
		got := Findings(play(t, c.acts...).Log(), nil)
		if text := ordered(got); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
		if s := Sum(got); s != c.sum {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// The table has no rings, names rules that exist, and what is switched off causes nothing.
func TestCausesTable(t *testing.T) {
	for _, x := range causes {
		for _, rule := range append([]string{x.effect}, x.of...) {
			if _, ok := Find(rule); !ok {
				t.Errorf("there is no rule %s", rule)
			}
		}
	}
	log := play(t, era(client.Rev2025_06_18), in(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`),
		chunk(recordings.Out, `{"jsonrpc":`), exit(3, "", client.AskedNo)).Log()
	if got := ordered(Findings(log, func(rule string) bool { return rule == "server-died" })); got != "e no-newline-at-end" {
		t.Error(got)
	}
}

// The body of a refusal by HTTP needs no id: the status says what is refused.
func TestRefusedByStatus(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}`
	for name, c := range map[string]struct{ text, want string }{
		"a request": {`* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 ping {}
* 400 Content-Type: application/json
< ` + body + `
* done`, ""},
		"a notification": {`* POST /mcp Mcp-Protocol-Version: 2025-11-25
> notifications/none {}
* 400 Content-Type: application/json
< ` + body + `
* done`, ""},
		"served": {`* POST /mcp Mcp-Protocol-Version: 2025-11-25
> 1 ping {}
* 200 Content-Type: application/json
< ` + body + `
* done`, "w error-without-id"},
	} {
		found := Findings(dialogue(t, errorWithoutID, "@2025-11-25\n"+c.text).Log(), nil)
		if got := ordered(found); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
