package ui

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/session"
)

// full is a session in which every pane has more than fits: tools, resources, prompts, calls with results,
// messages, stderr and stray output.
func full(t testing.TB) *session.Session {
	words := func(n int, of string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d ", of, i)
		}
		return b.String()
	}
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("," + strings.NewReplacer("#", fmt.Sprintf("%02d", i), "WORDS", words(30, "word")).Replace(format))
		}
		return b.String()[1:]
	}
	n := 0
	var chunks []string
	exchange := func(method, params, answer string) {
		n++
		chunks = append(chunks, fmt.Sprintf(`in:{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params), fmt.Sprintf(`out:{"jsonrpc":"2.0","id":%d,%s}`+"\n", n, answer))
	}
	exchange("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcpinspect","version":"1"}}`,
		`"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{}},"serverInfo":{"name":"full","version":"1"},"instructions":"`+strings.Repeat(words(30, "line")+`\n`, 40)+`"}`)
	plain := `{"name":"tool-#-with-a-name-that-no-column-holds","description":"WORDS","inputSchema":{"type":"object"}}`
	fields := `{"type":"object","properties":{"text":{"type":"string"},"list":{"type":"array","items":{"type":"string"}},"kind":{"enum":["a","b"],"default":"b"},"map":{"type":"object","additionalProperties":{"type":"integer"}},` +
		list(16, `"p#":{"type":"integer"}`) + `},"required":["text","list"]}`
	exchange("tools/list", `{}`, `"result":{"tools":[`+strings.Replace(list(30, plain), `tool-01-with-a-name-that-no-column-holds","description":"`+words(30, "word")+`","inputSchema":{"type":"object"}`,
		`tool-01-with-a-name-that-no-column-holds","inputSchema":`+fields, 1)+`]}`)
	exchange("resources/list", `{}`, `"result":{"resources":[`+list(30, `{"uri":"x:resource-#-with-an-address-that-no-column-holds","name":"r#","description":"WORDS"}`)+`]}`)
	exchange("resources/templates/list", `{}`, `"result":{"resourceTemplates":[{"uriTemplate":"city:{name}","name":"city"}]}`)
	exchange("prompts/list", `{}`, `"result":{"prompts":[`+list(30, `{"name":"prompt-#-with-a-name-that-no-column-holds","description":"WORDS","arguments":[{"name":"what","required":true},{"name":"tone"}]}`)+`]}`)
	for i := range 20 {
		exchange("tools/call", fmt.Sprintf(`{"name":"tool-01-with-a-name-that-no-column-holds","arguments":{"text":"call %d %s","list":["a"]}}`, i, words(30, "word")),
			fmt.Sprintf(`"result":{"content":[%s],"structuredContent":{"a":"%s","n":%d}}`, list(40, `{"type":"text","text":"block # WORDS"}`), words(40, "word"), i))
		chunks = append(chunks, fmt.Sprintf(`out:{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"%s","logger":"l","data":"message %d %s"}}`+"\n", []string{"info", "error"}[i%2], i, words(40, "word")))
	}
	chunks = append(chunks, `in:{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"tool-02-with-a-name-that-no-column-holds","arguments":{"text":"x","list":[]}}}`+"\n")
	for i := range 30 {
		chunks = append(chunks, fmt.Sprintf("err:line %d %s\n", i, words(60, "word")))
	}
	chunks = append(chunks, `out:{"jsonrpc":"2.0","id":99,"result":{"content":[]}}`+"\n")
	return made(t, append(chunks, "out:a stray line "+words(400, "word")+"\n", fmt.Sprintf(`out:{"jsonrpc":"2.0","method":"notifications/x","params":{"list":[%s]}}`+"\n", list(30, `{"a":"WORDS","b":[1,1#.0]}`)))...)
}

// keyPlace is a place where keys are pressed: a pane, and how the screen gets to its middle.
type keyPlace struct {
	name string
	pane Pane
	keys string // from a new screen on
	to   string // the row of the wire that is gone to first: a text in it
}

// The form of the tool that was called is open in every place.
const toForm = "2 g j enter esc "

// middle leaves rows above and below, and cells to the left.
const middle = " g ctrl+d j l"

var keyPlaces = []keyPlace{
	{"server", PaneServer, "1" + middle, ""},
	{"tools", PaneTools, "2" + middle, ""},
	{"resources", PaneTools, "2 v" + middle, ""},
	{"prompts", PaneTools, "2 v v" + middle, ""},
	{"form", PaneCall, toForm + "3 . g j j", ""},
	{"form as JSON", PaneCall, toForm + "3 p v g j", ""},
	{"schema", PaneCall, toForm + "3 v v g j j", ""},
	{"result", PaneResult, toForm + "4" + middle, ""},
	{"calls of the tool", PaneResult, toForm + "4 H" + middle, ""},
	{"changes of the result", PaneResult, toForm + "4 v g j l", ""},
	{"frames", PaneWire, "5" + middle, ""},
	{"calls", PaneWire, "5 v" + middle, ""},
	{"messages", PaneWire, "5 v v" + middle, ""},
	{"filtered frames", PaneWire, "5 f stream:err enter" + middle, ""},
	{"story", PaneWire, "5 v G t g j j l", ""},
	{"detail", PaneDetail, "6 ctrl+d j l", "notifications/x"},
	{"detail raw", PaneDetail, "6 v ctrl+d j l", "notifications/x"},
	{"detail in hex", PaneDetail, "6 v v ctrl+d j l", "notifications/x"},
	{"detail of stray output", PaneDetail, "6 ctrl+d j l", "a stray line"},
	{"detail of a note", PaneDetail, "6 g", "spawn"},
}

// at makes a screen in a place.
func (p keyPlace) at(t testing.TB, s *session.Session, w, h int) *app {
	t.Helper()
	a := appOn(t, s, "none", w, h)
	if p.to != "" {
		press(a, "5", "G", "/")
		typed(a, p.to)
		press(a, "enter")
	}
	for _, k := range strings.Fields(p.keys) {
		if a.prompt.kind == promptFilter && k != "enter" {
			typed(a, k)
			continue
		}
		_, cmd := a.Update(keyMsg(k))
		if k == "t" {
			brought[storyMsg](t, a, cmd)
		}
	}
	if d := &a.diff; d.of != (answers{}) && !d.ready {
		d.of = answers{}
		if cmd := a.compare(); cmd != nil {
			a.Update(cmd())
			a.Update(tickMsg{})
			press(a, "j")
		}
	}
	a.View()
	if a.mode.Focus != p.pane {
		t.Fatalf("%s: the focus is on %s: %s", p.name, paneNames[a.mode.Focus], a.notice)
	}
	a.notice, a.prompt.search = "", ""
	return a
}
