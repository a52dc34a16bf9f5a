package ui

import (
	"strings"
	"testing"
)

// TestSearchBehindTheCut: what a long text of a result has behind the cut is found, or it is said that
// there is a cut and where the whole is; what is shown is found as it is.
func TestSearchBehindTheCut(t *testing.T) {
	answer := func(text string) []string {
		return []string{
			`in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}` + "\n",
			`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}` + "\n",
			`in:{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n",
			`out:{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}` + "\n",
			`in:{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x","arguments":{}}}` + "\n",
			`out:{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n",
		}
	}
	many := "first needle " + strings.Repeat(`a line\n`, 3000)
	for _, c := range []struct{ name, text, q, says string }{
		{"shown", many + "last", "needle", `"needle": 1 of 1`},
		{"behind the cut", many + "hidden", "hidden", "behind where it is cut: pane 6"},
		{"nowhere, cut", many, "absent", "which is cut: pane 6"},
		{"nowhere, whole", "short", "absent", "not in this pane"},
	} {
		a := appOn(t, made(t, answer(c.text)...), "none", 120, 36)
		press(a, "2", "g", "j", "enter", "esc", "4")
		a.View()
		a.notice = ""
		press(a, "/")
		typed(a, c.q)
		press(a, "enter")
		if !strings.Contains(a.notice, c.says) {
			t.Errorf("%s: said %q of %.300q", c.name, a.notice, a.View())
		}
	}
}
