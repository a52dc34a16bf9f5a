package ui

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// hung is a recording in which a call has no answer, and what was known of it then.
func hung(t *testing.T, facts ...string) *session.Session {
	t.Helper()
	quoted := []string{}
	for _, f := range facts {
		quoted = append(quoted, string(client.Quote(f)))
	}
	text := recorded(t,
		`in:{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"slow","inputSchema":{"type":"object"}}]}}`+"\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":2}}}`+"\n") +
		`{"k":"ctl","t":5000000,"what":"era","text":"pinned","data":{"revision":"2025-06-18"}}` + "\n" +
		fmt.Sprintf(`{"k":"ctl","t":9000000,"what":"hang","id":2,"text":"no answer","data":{"facts":[%s]}}`, strings.Join(quoted, ",")) + "\n"
	r, err := recordings.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is known of a call that hangs stands in its pane and in the status line, of a recording, too,
// where nothing can be looked at anew.
func TestWhatIsKnownOfAHang(t *testing.T) {
	a := loopApp(t, hung(t, "the server waits for input on its stdin", "the last byte on stdout came 2s after the request"), "slow", 160, 45)
	view := strings.Join(strings.Fields(a.View()), " ")
	if !strings.Contains(view, "the server waits for input on its stdin") || !strings.Contains(view, "the last byte on stdout came 2s after the request") {
		t.Errorf("the pane of the call does not say it:\n%s", a.View())
	}
	if said, _ := a.sentence(); said != "slow runs for 5.0 ms: the server waits for input on its stdin" {
		t.Errorf("status: %s", said)
	}
	a.command("why")
	if !strings.Contains(a.notice, "the wire has what was known") {
		t.Errorf("notice %q", a.notice)
	}
	if a.command("why not"); a.notice != "why takes no words" {
		t.Errorf("notice %q", a.notice)
	}
}

func TestRestartWithVariables(t *testing.T) {
	for words, want := range map[string]string{
		"restart":                              "restarting",
		"restart -e A=b --env=C=d -eE=f -e G=": "restarting",
		"restart -e":                           "restart -e NAME=VALUE sets a variable of the server's environment",
		"restart -e A":                         "restart -e A: NAME=VALUE sets a variable",
		"restart now":                          "restart now: it takes -e NAME=VALUE only",
	} {
		a := appOn(t, dialogue(t), "none", 160, 45)
		if a.command(words); a.notice != want {
			t.Errorf("%s: %q", words, a.notice)
		}
	}
}
