package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/picture"
	"example.com/mcpinspect/ui/text"
)

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=="

// offering is a recorded session of a server that offers something of every kind, some of it odd.
func offering(t testing.TB) *session.Session {
	t.Helper()
	n := 0
	var chunks []string
	exchange := func(method, params, answer string) {
		n++
		answer = strings.ReplaceAll(answer, "\n\t\t", "")
		chunks = append(chunks, fmt.Sprintf(`in:{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params), fmt.Sprintf(`out:{"jsonrpc":"2.0","id":%d,%s}`+"\n", n, answer))
	}
	exchange("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcpinspect","version":"1"}}`, `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}},"serverInfo":{"name":"offering","version":"1"}}`)
	chunks = append(chunks, `in:{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	exchange("tools/list", `{}`, `"result":{"tools":[{"name":"links","inputSchema":{"type":"object"}}]}`)
	exchange("resources/list", `{}`, `"result":{"resources":[
		{"uri":"x:conf","name":"conf","title":"Settings","description":"what is set","mimeType":"application/json","size":31},
		{"uri":"x:data","name":"data","mimeType":"application/octet-stream"},
		{"uri":"x:gone","name":"gone","size":-1},
		{"name":"no uri"},
		{"uri":"x:\u001b[31m\u202eevil","name":"\u001b]0;pwned\u0007evil","mimeType":"text/\u001b[2J"},
		7],"nextCursor":"2"}`)
	exchange("resources/list", `{"cursor":"2"}`, `"error":{"code":-32603,"message":"no second page"}`)
	exchange("resources/templates/list", `{}`, `"result":{"resourceTemplates":[{"uriTemplate":"city:{name}{?lang*}","name":"city","description":"a city"}]}`)
	exchange("prompts/list", `{}`, `"result":{"prompts":[{"name":"ask","title":"Ask","description":"asks something","arguments":[{"name":"what","description":"is asked","required":true},{"name":"tone"},{"name":"what"}]},{"name":"bare"}]}`)
	exchange("resources/read", `{"uri":"x:conf"}`, `"result":{"contents":[{"uri":"x:conf","mimeType":"application/json","text":"{\"b\":1.50,\"a\":[true,null]}"}],"ttlMs":5000}`)
	exchange("resources/read", `{"uri":"x:data"}`, `"result":{"contents":[{"uri":"x:data","mimeType":"application/octet-stream","blob":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj"},{"uri":"x:data/p","mimeType":"image/png","blob":"`+pixel+`"},{"uri":"x:data/t","text":"plain \u001b[31mtext"},{"uri":"x:data/n"},3]}`)
	exchange("resources/read", `{"uri":"x:gone"}`, `"error":{"code":-32002,"message":"Resource not found","data":{"uri":"x:gone"}}`)
	exchange("resources/read", `{"uri":"city:Bern?lang=de"}`, `"result":{"contents":[{"uri":"city:Bern","mimeType":"application/json","text":"no JSON"}]}`)
	exchange("prompts/get", `{"name":"ask","arguments":{"what":"the way"}}`, `"result":{"description":"asks the way","messages":[
		{"role":"user","content":{"type":"text","text":"Where is the station?"}},
		{"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"`+pixel+`"}},
		{"role":"tool","content":{"type":"resource_link","name":"map","uri":"x:data","mimeType":"image/svg+xml"}},
		{"content":[{"type":"text","text":"in a list"},{"type":"resource","resource":{"uri":"x:e","mimeType":"application/json","text":"[1]"}}]},
		"no message"]}`)
	exchange("tools/call", `{"name":"links","arguments":{}}`, `"result":{"content":[{"type":"resource_link","name":"settings","uri":"x:conf"},{"type":"resource_link","name":"home","uri":"https://example.com/"},{"type":"resource","resource":{"uri":"x:data","text":"here"}}]}`)
	return made(t, chunks...)
}

func TestGoldenOffers(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}} {
		a := appOn(t, offering(t), "none", size[0], size[1])
		var out strings.Builder
		for _, s := range []struct{ what, keys string }{
			{"the tab of resources, the first one read as JSON", "v g"},
			{"its contents", "4"},
			{"contents of several kinds", "2 j 4"},
			{"an error", "2 j 4"},
			{"the form of a template", "2 G k enter"},
			{"what was read of it", "4"},
			{"the tab of prompts", "2 v g"},
			{"the form of one", "enter"},
			{"its messages", "4"},
		} {
			press(a, strings.Fields(s.keys)...)
			exact(t, a, size[0], size[1])
			out.WriteString("# " + s.what + "\n" + ansi.Strip(a.View()) + "\n\n")
		}
		golden(t, fmt.Sprintf("screens/offers-%dx%d.txt", size[0], size[1]), out.String())
	}
}

// TestLinksAreFollowed: from a result, when somebody asks for it, and never into the web.
func TestLinksAreFollowed(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, "4", "g", "enter")
	if a.call.of != resourceOffer("x:conf") || a.offers.tab != &a.offers.resources || !strings.Contains(ansi.Strip(a.View()), `"b": 1.50`) {
		t.Errorf("the link was not followed to what was read: %v\n%s", a.call.of, ansi.Strip(a.View()))
	}
	for _, c := range []struct{ name, notice string }{
		{"home", "a link into the web is never followed"},
		{"embedded x:data", ""},
	} {
		press(a, "2")
		a.offers.tab = &a.offers.tools
		press(a, "g", "4", "g")
		a.prompt.search = c.name
		press(a, "n", "enter")
		if !strings.Contains(a.notice, c.notice) || c.notice == "" && a.call.of != resourceOffer("x:data") {
			t.Errorf("%s: %s, %v", c.name, a.notice, a.call.of)
		}
	}
}

// TestTabsStayNamed: on a small screen the other tabs are named by a letter, whatever the pages are.
func TestTabsStayNamed(t *testing.T) {
	tools := ""
	for i := range 12 {
		tools += fmt.Sprintf(`,{"name":"t%d"}`, i)
	}
	s := made(t, `in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}}}}`+"\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", `out:{"jsonrpc":"2.0","id":2,"result":{"tools":[`+tools[1:]+`],"nextCursor":"x"}}`+"\n")
	for size, want := range map[[2]int]string{{80, 24}: "2 Tools 12+ R. P. ", {120, 36}: "2 Tools 12+ R. P. ", {160, 45}: "2 Tools 12+ R. P. ─ page 1, …"} {
		a := appOn(t, s, "none", size[0], size[1])
		if got := ansi.Strip(a.View()); !strings.Contains(got, want) {
			t.Errorf("at %v:\n%s", size, got)
		}
	}
}

// TestTabsOfWhatIsOffered: a kind that the server does not have has no tab.
func TestTabsOfWhatIsOffered(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{"tools":{}}`:                  "2 Tools 0 ",
		`{"prompts":{}}`:                "2 Prompts 0 ",
		`{"resources":{},"prompts":{}}`: "2 Resources 0 Prompts ",
		`{}`:                            "2 Tools 0 ",
	} {
		s := made(t, `in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}`+"\n",
			`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`}}`+"\n")
		if screen := ansi.Strip(appOn(t, s, "none", 160, 45).View()); !strings.Contains(screen, want) {
			t.Errorf("%s: no %q\n%s", capabilities, want, screen)
		}
	}
}

// TestSearchInOffers: names, titles, URIs and descriptions are searched.
func TestSearchInOffers(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, "v")
	for q, want := range map[string]string{"SETTINGS": "x:conf", "what is set": "x:conf", "x:data": "x:data", "a city": "city:{name}{?lang*}", "lang=de": "city:Bern?lang=de"} {
		press(a, "g")
		a.prompt.search = q
		press(a, "n")
		if r, _ := a.offers.tab.current(); r.of.name != want {
			t.Errorf("%s: %v", q, r.of)
		}
	}
}

// TestOfferRequests: what the forms send, and the verbs that copying gives.
func TestOfferRequests(t *testing.T) {
	for _, c := range []struct {
		of           offer
		args, params string
	}{
		{promptOffer("ask"), `{}`, `{"name":"ask"}`},
		{promptOffer(`a"b`), `{"what":"x"}`, `{"name":"a\"b","arguments":{"what":"x"}}`},
		{resourceOffer("x:ö"), `{}`, `{"uri":"x:ö"}`},
		{offer{client.Templates.Name, "city:{name}"}, `{"name":"ö"}`, `{"uri":"city:%C3%B6"}`},
	} {
		r, err := c.of.request([]byte(c.args))
		if err != nil || string(r.Params) != c.params {
			t.Errorf("%v: %s, %v", c.of, r.Params, err)
		}
	}
	if _, err := (offer{client.Templates.Name, "x:{"}).request([]byte(`{}`)); err == nil {
		t.Error("a template that is none was filled")
	}
	got := string(promptSchema([]byte(`{"arguments":[{"name":"a","required":true,"description":"d"},{"name":"a"},{"name":7},{"name":"b","title":"t","required":"true"}]}`)))
	if want := `{"type":"object","properties":{"a":{"type":"string","description":"d"},"b":{"type":"string","title":"t"}},"required":["a"],"additionalProperties":false}`; got != want {
		t.Error(got)
	}
	for _, c := range []struct{ method, params, want string }{
		{client.MethodResourcesRead, `{"uri":"x:a b"}`, "read|x:a b"},
		{client.MethodResourcesRead, `{"uri":"x:{a}"}`, `send|resources/read|{"uri":"x:{a}"}`},
		{client.MethodPromptsGet, `{"name":"ask","arguments":{"what":"@x","tone":"a=b"}}`, "prompt|--unchecked|ask|what=@@x|tone=a=b"},
		{client.MethodPromptsGet, `{"name":"ask","arguments":{"a=b":"x"}}`, `send|prompts/get|{"name":"ask","arguments":{"a=b":"x"}}`},
	} {
		if got := strings.Join(requestWords(c.method, []byte(c.params)), "|"); got != c.want {
			t.Errorf("%s: %s", c.params, got)
		}
	}
}

// TestCopiedCommand: y then c gives the verb for what the cursor is on.
func TestCopiedCommand(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, "v", "g")
	if got, _, _ := a.commandLine(); got != "mcpinspect read x:conf -- ./made" {
		t.Error(got)
	}
	press(a, "v", "g")
	if got, _, _ := a.commandLine(); got != "mcpinspect prompt ask --unchecked -- ./made" {
		t.Error(got)
	}
	press(a, "enter", "enter")
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("the way")})
	press(a, "esc")
	if got, _, _ := a.commandLine(); got != "mcpinspect prompt ask 'what=the way' -- ./made" {
		t.Error(got)
	}
}

func TestSaveContents(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, "v", "g", "j", "4", "g")
	raw, n, err := a.blockUnder()
	if content, cerr := blockContent(raw, n); err != nil || cerr != nil || n != 1 || len(content) != 36 || blockName(raw, n) != "resource-1.bin" {
		t.Errorf("%d: %q, %v, %v, %s", n, content, err, cerr, blockName(raw, n))
	}
	a.prompt.search = "image/png"
	press(a, "n")
	raw, n, err = a.blockUnder()
	if err != nil || n != 2 || blockName(raw, n) != "resource-2.png" {
		t.Errorf("%d: %s, %v", n, raw, err)
	}
}

func TestPictured(t *testing.T) {
	for raw, want := range map[string]string{`"` + pixel + `"`: "PNG 3x2", `"R0lGODlhBAAFAAAAACw="`: "GIF 4x5", `"AAAA"`: "", `""`: ""} {
		if k := readBlob([]byte(raw)); k.wrong != "" || picture.Describe(k.head) != want {
			t.Errorf("%s: %q, %s", raw, picture.Describe(k.head), k.wrong)
		}
	}
}

func FuzzContent(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":{"type":"image","data":"`+pixel+`"}}]`), "image/png")
	f.Add([]byte(`[{"uri":"x","text":"{}"},{"blob":"AA=="},[],{"content":[[],1]}]`), "application/json")
	f.Fuzz(func(t *testing.T, content []byte, kind string) {
		for _, method := range []string{client.MethodToolsCall, client.MethodPromptsGet, client.MethodResourcesRead} {
			b := &lineBuilder{look: look{glyphs: text.Unicode}, width: 40}
			for k := range blocksIn(method, content) {
				b.speaker(k.role)
				b.shown(0, k.read())
			}
			b.text("", kind, client.Quote(string(content)))
			for _, l := range b.out {
				if strings.ContainsAny(l.text, "\x1b\x07\n\r\u202e\u009b") {
					t.Fatalf("%q", l.text)
				}
			}
		}
	})
}

// TestRepeatedOffers: r on a row of the wire sends a read or a prompt again, and the panes turn to it.
func TestRepeatedOffers(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	a.sess.Log().Each(0, func(e session.Event) bool {
		if e.Stream == client.In && (e.Method == client.MethodPromptsGet || e.Method == client.MethodResourcesRead) {
			a.focus(PaneWire)
			a.wire.goTo(e.Seq)
			press(a, "r")
			if want := offerIn(client.Request{Method: e.Method, Params: client.Get(a.sess.Log().Body(e.Seq).Bytes(), "params")}); a.call.of != want || a.offers.tab != a.offers.of(want) {
				t.Errorf("row %d: %v, want %v", e.Seq, a.call.of, want)
			}
		}
		return true
	})
}

// TestValuesOfALine: what is typed is asked about once the person pauses, with the other arguments;
// what came for something else, and what belongs to a secret, is nobody's.
func TestValuesOfALine(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, "v", "v", "g", "enter", "enter", "x")
	c := &a.completion
	a.completion = completion{at: argument{promptOffer("ask"), "what"}, typed: "x", chosen: -1, round: 7}
	a.call.form.LeaveOut()
	if got, want := string(a.completionParams()), `{"ref":{"type":"ref/prompt","name":"ask"},"argument":{"name":"what","value":"x"}}`; got != want {
		t.Error(got)
	}
	answer := func(round int, body string) {
		raw := `{"jsonrpc":"2.0","id":1,"result":` + body + `}`
		m := client.Judge(client.Body{[]byte(raw)}).Messages[0]
		a.completed(completedMsg{round: round, answer: client.Answer{Incoming: client.Incoming{Message: m, Body: client.Body{[]byte(raw)}}}})
	}
	answer(6, `{"completion":{"values":["late"]}}`)
	if len(c.values) > 0 {
		t.Error("an answer to an earlier question was taken")
	}
	answer(7, `{"completion":{"values":["xa",7,"x\u001b[31mb\nc"],"hasMore":true}}`)
	if want := "2 values, and there are more, ctrl+n or down takes the next"; c.note != want {
		t.Error(c.note)
	}
	for _, by := range []int{1, 1, -1} {
		if !a.takeValue(by) {
			t.Error("no value was taken")
		}
	}
	if _, typed, _ := a.call.form.Typing(); typed != "xa" {
		t.Errorf("%q", typed)
	}
	if answer(7, `{"completion":{"values":null}}`); c.stopped[c.at] || len(c.values) > 0 {
		t.Errorf("null is taken for %q, and %q is said", c.values, a.notice)
	}
	answer(7, `{"completion":{"values":"none"}}`)
	if !c.stopped[c.at] || !strings.Contains(a.notice, "not asked for any more") {
		t.Error(a.notice)
	}
}
