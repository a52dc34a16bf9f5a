package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// publishing is a recorded session of a server with the tools of testdata/forms.
func publishing(t testing.TB, names ...string) *session.Session {
	t.Helper()
	var tools []string
	for _, name := range names {
		raw, err := os.ReadFile("testdata/forms/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, raw); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, name, compact.String()))
	}
	var file bytes.Buffer
	file.WriteString(`{"k":"head","v":1,"tool":"mcpinspect","start":"2026-09-01T09:30:00Z","os":"linux/amd64","target":{"transport":"stdio","command":["./forms"]},"options":{"protocol":"auto"}}` + "\n")
	file.WriteString(`{"k":"spawn","t":1000000,"run":1,"pid":4711,"path":"/srv/forms"}` + "\n")
	for i, line := range []struct{ ch, text string }{
		{"in", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`},
		{"out", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"forms","version":"1"}}}}`},
		{"in", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`},
		{"out", `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` + strings.Join(tools, ",") + `]}}`},
	} {
		d, err := json.Marshal(line.text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&file, `{"k":"b","t":%d,"ch":%q,"d":%s}`+"\n", (i+2)*1000000, line.ch, d)
	}
	r, err := recordings.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGoldenOddForms draws what other tools get wrong: nested lines of an order, an enum with null,
// one of three branches at the root, sixty fields.
func TestGoldenOddForms(t *testing.T) {
	type step struct {
		what  string
		paste string
		keys  []string
	}
	for name, steps := range map[string][]step{
		"order": {
			{what: "as it comes"},
			{what: "filled by a paste, with two lines and a problem", paste: `{"customer":{"name":"Zoë","mail":"nobody","address":{"street":"Main St 1","city":"Rome","zip":null}},
				"items":[{"sku":"A-1","qty":2,"price":9.990},{"sku":"B","qty":100}],"pay":{"kind":"iban","iban":"DE1"},"x":1}`},
			{what: "not sent", keys: []string{"s"}},
			{what: "as JSON", keys: []string{"v"}},
			{what: "the schema as sent", keys: []string{"v"}},
		},
		"level": {
			{what: "as it comes"},
			{what: "the list of a nullable enum, looked up by letters", keys: []string{"j", "enter", "w"}},
			{what: "null was chosen, then the next row by its title", keys: []string{"n", "down", "enter", "k"}},
		},
		"shape": {
			{what: "as it comes"},
			{what: "the third branch", keys: []string{"enter", "p", "enter", "esc"}},
			{what: "a point of it", keys: []string{"+", "enter", "1", ".", "5", "0", "enter", "2", "esc"}},
		},
		"sixty": {
			{what: "as it comes"},
			{what: "a hidden field is found while typing", keys: []string{"/", "4", "2"}},
			{what: "and edited", keys: []string{"enter", "enter", "x"}},
		},
	} {
		for _, size := range [][2]int{{160, 45}, {80, 24}} {
			a := appOn(t, publishing(t, name), "none", size[0], size[1])
			press(a, "3")
			var out strings.Builder
			for _, s := range steps {
				if s.paste != "" {
					a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s.paste), Paste: true})
				}
				press(a, s.keys...)
				exact(t, a, size[0], size[1])
				out.WriteString("# " + s.what + "\n" + ansi.Strip(a.View()) + "\n\n")
			}
			golden(t, fmt.Sprintf("screens/form-%s-%dx%d.txt", name, size[0], size[1]), out.String())
		}
	}
}

// TestEnterOnSendEndsEditing: what comes after a call is a command, and the words that say which key
// helps are true in the mode they are read in.
func TestEnterOnSendEndsEditing(t *testing.T) {
	a := appOn(t, publishing(t, "sixty"), "none", 120, 36)
	press(a, "3", "enter", "ctrl+s")
	if !a.call.editing() || !strings.Contains(a.View(), "nothing was sent (after esc ; goes to the next") {
		t.Errorf("ctrl+s while a field is edited:\n%s", ansi.Strip(a.View()))
	}
	for range 100 {
		if a.call.onSend() {
			break
		}
		press(a, "tab")
	}
	if !a.call.editing() || !strings.Contains(a.footer(), "enter send") {
		t.Fatalf("not on Send while editing:\n%s", ansi.Strip(a.View()))
	}
	press(a, "enter")
	if a.call.editing() || !strings.Contains(a.View(), "nothing was sent (; goes to the next") {
		t.Errorf("enter on Send:\n%s", ansi.Strip(a.View()))
	}
	press(a, ";")
	if a.call.onSend() {
		t.Error("; did not go to the problem")
	}
}

// TestCallWordsAreAll: a call by its line sends what the line says, and nothing of what stood in the form; what
// was typed there is kept.
func TestCallWordsAreAll(t *testing.T) {
	a := appOn(t, publishing(t, "order"), "none", 160, 45)
	it, _ := a.snap.List("tools").Find("order")
	a.fillAndSend(toolOffer("order"), it, []string{`{"x":1}`})
	if got, _, _ := a.call.value(); string(got) != `{"x":1}` {
		t.Fatalf("the form says %s", got)
	}
	a.fillAndSend(toolOffer("order"), it, nil)
	if got, _, _ := a.call.value(); string(got) != `{}` {
		t.Errorf("without words the form says %s", got)
	}
	press(a, "P")
	if got, _, _ := a.call.value(); string(got) != `{"x":1}` || a.notice != "what was not sent yet" {
		t.Errorf("kept is %s: %s", got, a.notice)
	}
	press(a, "p")
	if got, _, _ := a.call.value(); string(got) != `{}` {
		t.Errorf("the words of the command made %s", got)
	}
}

// TestARefusedCommandGivesTheFormBack: what was typed before a :call that was not sent is a key away, and of one
// that makes no arguments it stays.
func TestARefusedCommandGivesTheFormBack(t *testing.T) {
	for _, c := range []struct{ words, says, keys string }{
		{`{"x":2}`, `{"x":2}`, "P"},
		{`nonsense`, `{"x":1}`, ""},
		{`'{"x":`, `{"x":1}`, ""},
	} {
		a := appOn(t, publishing(t, "order"), "none", 160, 45)
		it, _ := a.snap.List("tools").Find("order")
		a.call.show(toolOffer("order"), it)
		if err := a.call.words([]string{`{"x":1}`}); err != nil {
			t.Fatal(err)
		}
		a.fillAndSend(toolOffer("order"), it, []string{c.words})
		if got, _, _ := a.call.value(); string(got) != c.says {
			t.Errorf("%s: the form says %s: %s", c.words, got, a.notice)
		}
		if c.keys != "" && !strings.Contains(a.notice, "P goes to what was typed before") {
			t.Errorf("%s: said is %q", c.words, a.notice)
		}
		press(a, strings.Fields(c.keys)...)
		if got, _, _ := a.call.value(); string(got) != `{"x":1}` {
			t.Errorf("%s: what was typed became %s", c.words, got)
		}
		press(a, "P")
		if !strings.Contains(a.notice, "no later") {
			t.Errorf("%s: P leads to %q", c.words, a.notice)
		}
	}
}
