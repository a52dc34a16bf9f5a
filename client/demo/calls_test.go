package demo

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"
)

func TestProgressAndCancel(t *testing.T) {
	d := begin(t)
	call := func(id, arguments string) {
		d.write(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"slow","arguments":{%s},"_meta":{"progressToken":"p-%s",%s}}}`, id, arguments, id, meta)
	}
	call("a", `"steps":2,"delay_ms":1`)
	holds(t, d.read(), `"method":"notifications/progress","params":{"progressToken":"p-a","progress":1,"total":2,"message":"step 1 of 2"}`)
	holds(t, d.read(), `"progress":2`)
	holds(t, d.read(), `"id":"a","result"`)

	call("b", `"steps":1,"delay_ms":60000`)
	call("b", ``)
	holds(t, d.read(), `"id":"b","error":{"code":-32600`)
	holds(t, d.ask("tools/call", `"name":"boom"`), `"isError":true`) // b does not hold others up
	d.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}`)
	call("b", `"steps":1,"delay_ms":0`) // the id is free again, and the cancelled call stays silent
	holds(t, d.read(), `"progressToken":"p-b"`)
	holds(t, d.read(), `"id":"b","result"`)
	if err := d.end(); err != nil {
		t.Error(err)
	}
	if len(d.lines) != 0 {
		t.Errorf("after the end: %s", <-d.lines)
	}
}

// TestEndWhileBusy: calls that take too long do not hold up the end of the input.
func TestEndWhileBusy(t *testing.T) {
	d := begin(t)
	d.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"steps":1000,"delay_ms":60000},"_meta":{%s}}}`, meta)
	d.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"boom","_meta":{%s}}}`, meta)
	holds(t, d.read(), `"id":2`)
	if err := d.end(); err != nil {
		t.Error(err)
	}
}

func TestAskStateless(t *testing.T) {
	const accept = `"inputResponses":{"order":{"action":"accept","content":{"drink":"tea","name":"Ada","cups":2,"sugar":true}}}`
	d := begin(t)
	question := d.ask("tools/call", `"name":"ask"`)
	holds(t, question, `"result":{"resultType":"input_required","inputRequests":{"order":{"method":"elicitation/create","params":{"mode":"form"`, `"requestState":"`+askState+`"`)
	lacks(t, question, "ttlMs", "isError")
	state := `,"requestState":"` + askState + `"`
	holds(t, d.ask("tools/call", `"name":"ask",`+accept+state), `"resultType":"complete"`, `2 × tea for Ada, with sugar`)
	holds(t, d.ask("tools/call", `"name":"ask",`+accept), `"code":-32602`)
	holds(t, d.ask("tools/call", `"name":"ask","inputResponses":{"other":{}}`+state), `"input_required"`)
	holds(t, d.ask("tools/call", `"name":"ask","inputResponses":{"order":{"action":"decline"}}`+state), `You declined`, `"isError":false`)
	holds(t, d.ask("tools/call", `"name":"ask","inputResponses":{"order":{"action":"accept","content":{"drink":"milk"}}}`+state), `"isError":true`, `missing required field: name`)
	holds(t, d.ask("tools/call", `"name":"ask","inputResponses":{"order":{}}`+state), `"code":-32602`)

	d.write(`{"jsonrpc":"2.0","id":"u","method":"tools/call","params":{"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}}}`)
	holds(t, d.read(), `"isError":true`, `capability elicitation`)
}

func TestAskByRequest(t *testing.T) {
	d := begin(t)
	d.greet(rev2506)
	holds(t, d.plain("tools/call", `"name":"ask"`), `{"jsonrpc":"2.0","id":"demo-1","method":"elicitation/create","params":{"message":`)
	holds(t, d.plain("ping", ""), `"id":2,"result":{}`)
	d.write(`{"jsonrpc":"2.0","id":"demo-1","result":{"action":"accept","content":{"drink":"water","name":"Bo"}}}`)
	holds(t, d.read(), `"id":1,"result"`, `1 × water for Bo`)

	holds(t, d.plain("tools/call", `"name":"ask"`), `"id":"demo-2"`)
	d.write(`{"jsonrpc":"2.0","id":"demo-2","error":{"code":-32603,"message":"no screen"}}`)
	holds(t, d.read(), `"id":3,"result"`, `could not ask you: no screen`, `"isError":true`)

	holds(t, d.plain("tools/call", `"name":"ask"`), `"id":"demo-3"`)
	d.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
	holds(t, d.read(), `"method":"notifications/cancelled","params":{"requestId":"demo-3"`)
	holds(t, d.plain("ping", ""), `"id":5`)

	old := begin(t)
	old.greet(rev2503)
	holds(t, old.plain("tools/call", `"name":"ask"`), `has no way to ask`, `"isError":true`)
}

func TestStrayLine(t *testing.T) {
	d := begin(t)
	if line := d.ask("tools/call", `"name":"stray"`); line != "Loading model... done" {
		t.Errorf("stray: %q", line)
	}
	holds(t, d.read(), `"id":1,"result"`)
}

func TestLogging(t *testing.T) {
	d := begin(t)
	holds(t, d.ask("tools/call", `"name":"log","arguments":{"lines":2}`), `2 lines`) // nothing is sent unasked
	if got := strings.Count(d.stderr.String(), "log line"); got != 2 {
		t.Errorf("%d lines on stderr", got)
	}
	d.write(`{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"log","_meta":{"io.modelcontextprotocol/logLevel":"warning",%s}}}`, meta)
	holds(t, d.read(), `"method":"notifications/message","params":{"level":"warning","logger":"demo"`)
	holds(t, d.read(), `"level":"error"`)
	holds(t, d.read(), `"id":"l"`)

	old := begin(t)
	old.greet(rev2411)
	holds(t, old.plain("logging/setLevel", `"level":"loud"`), `"code":-32602`)
	holds(t, old.plain("logging/setLevel", `"level":"error"`), `"result":{}`)
	holds(t, old.plain("tools/call", `"name":"log"`), `"level":"error"`)
	holds(t, old.read(), `"id":3`)
}

func TestSubscriptions(t *testing.T) {
	d := begin(t)
	d.write(`{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":[%q]},"_meta":{%s}}}`, visitsURI, meta)
	holds(t, d.read(), `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"},"notifications":{"resourceSubscriptions":["demo://visits"]}}}`)
	holds(t, d.ask("tools/call", `"name":"touch"`), `"method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"},"uri":"demo://visits"}`)
	holds(t, d.read(), `1 visits`)
	d.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"L"}}`)
	holds(t, d.ask("tools/call", `"name":"touch"`), `2 visits`)
	holds(t, d.ask("resources/read", `"uri":"demo://visits"`), `2 visits`)
	holds(t, d.ask("subscriptions/listen", `"notifications":{"toolsListChanged":true}`), `"notifications":{}`)
	holds(t, d.read(), `"id":4,"result":{"resultType":"complete","_meta":{`, `"io.modelcontextprotocol/subscriptionId":4`)

	old := begin(t)
	old.greet(rev2511)
	holds(t, old.plain("resources/subscribe", `"uri":"demo://visits"`), `"result":{}`)
	holds(t, old.plain("tools/call", `"name":"touch"`), `"method":"notifications/resources/updated","params":{"uri":"demo://visits"}`)
	holds(t, old.read(), `1 visits`)
	holds(t, old.plain("resources/unsubscribe", `"uri":"demo://visits"`), `"result":{}`)
	holds(t, old.plain("tools/call", `"name":"touch"`), `2 visits`)
}

func TestBatch(t *testing.T) {
	d := begin(t)
	d.greet(rev2503)
	d.write(`[{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"q","method":"ping"}]`)
	holds(t, d.read(), `"id":"p","result":{}`)
	holds(t, d.read(), `"id":"q","result":{}`)
}

func TestPromptsAndCompletion(t *testing.T) {
	d := begin(t)
	holds(t, d.ask("prompts/list", ""), `"name":"trip"`, `"required":true`)
	holds(t, d.ask("prompts/get", `"name":"trip","arguments":{"country":"Spain","city":"Bilbao"}`), `Plan a day in Bilbao, Spain.`, `"role":"assistant"`)
	for _, c := range []struct{ params, want string }{
		{`"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"city","value":"b"},"context":{"arguments":{"country":"Switzerland"}}`, `"values":["Basel","Bern"],"total":2,"hasMore":false`},
		{`"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"city","value":"B"}`, `"values":["Basel","Bergen","Bern","Bilbao"]`},
		{`"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"country","value":"s"}`, `"values":["Switzerland","Spain"]`},
		{`"ref":{"type":"ref/prompt","name":"summarize"},"argument":{"name":"words","value":""}`, `"values":[]`},
		{`"ref":{"type":"ref/resource","uri":"demo://city/{name}"},"argument":{"name":"name","value":"zÜ"}`, `"values":["Zürich"]`},
	} {
		holds(t, d.ask("completion/complete", c.params), c.want)
	}
}

func TestEveryResource(t *testing.T) {
	d := begin(t)
	var list struct {
		Result struct{ Resources []struct{ URI string } }
	}
	if err := json.Unmarshal([]byte(d.ask("resources/list", "")), &list); err != nil || len(list.Result.Resources) != 5 {
		t.Fatal(err, list)
	}
	for _, r := range list.Result.Resources {
		holds(t, d.ask("resources/read", fmt.Sprintf(`"uri":%q`, r.URI)), `"contents":[{"uri":"`)
	}
	holds(t, d.ask("resources/templates/list", ""), `"uriTemplate":"demo://city/{name}"`)
}

// TestEveryTool calls each tool with arguments that fit.
func TestEveryTool(t *testing.T) {
	for _, c := range []struct{ name, arguments, want string }{
		{"weather", `{"location":"Bern","units":"f","days":14}`, `"structuredContent":{"location":"Bern","units":"f","days":[{"day":1,`},
		{"echo", `{"n":1.10,"big":9007199254740993,"s":"<&>"}`, `"structuredContent":{"n":1.10,"big":9007199254740993,"s":"<&>"}`},
		{"dice", `{"sides":2,"count":3}`, `"structuredContent":{"rolls":[`},
		{"media", `{}`, `"type":"resource_link"`},
		{"order", `{"customer":{"name":"Ada","address":{"street":"S","city":"C"}},"lines":[{"sku":"a"},{"sku":"b","quantity":2}]}`, `"structuredContent":{"items":3,"ship_to":"Ada, S, C"}`},
		{"shape", `{"shape":{"kind":"polygon","points":[{"x":0,"y":0},{"x":2,"y":0},{"x":0,"y":2}]}}`, `"structuredContent":{"area":2}`},
		{"shape", `{"shape":{"kind":"rectangle","width":1e200,"height":1e200}}`, `too large`},
		{"shape", `{"shape":{"kind":"square"}}`, `must fit exactly one of the 3 shapes, it fits 0`},
		{"profile", `{"nickname":null,"age":null}`, `fields given: nickname age`},
		{"tree", `{"root":{"name":"a","children":[{"name":"b","children":[{"name":"c"}]},{"name":"d"}]}}`, `"structuredContent":{"nodes":4,"depth":3}`},
		{"search", `{"query":"mcp"}`, `0 of at most 10`},
		{"anything", `{"value":[null,{}],"other":1}`, `"structuredContent":{"value":[null,{}],"other":1}`},
		{"anything", `{"labels":{"a":1}}`, `labels.a must be a string`},
		{"big", `{"kilobytes":3}`, `000001  The quick`},
		{"unicode", `{}`, `\u001b]0;a new title\u0007`},
		{"wipe", `{}`, `Not one byte of cache`},
		{"remember", `{"key":"k","value":"v"}`, `1 in all`},
		{"recall", `{"key":"k"}`, `"text":"v"`},
		{"recall", `{"key":"none"}`, `there is no note`},
		{"about", `{}`, `"revision":"2026-07-28","capabilities":{"elicitation":{"form":{}}}`},
		{"add", `{"a":1e308,"b":1e308}`, `too large`},
		{"add", `{"a":9223372036854775807,"b":1}`, `"sum":9223372036854776000`},
		{"add", `{"a":-5,"b":0}`, `"sum":-5`},
	} {
		d := begin(t)
		if c.name == "recall" {
			d.ask("tools/call", `"name":"remember","arguments":{"key":"k","value":"v"}`)
		}
		line := d.ask("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, c.name, c.arguments))
		if !strings.Contains(line, c.want) {
			t.Errorf("%s: no %s in %.500s", c.name, c.want, line)
		}
	}
}

func TestImage(t *testing.T) {
	d := begin(t)
	var answer struct {
		Result struct {
			Content []struct{ Type, Data, MimeType string }
		}
	}
	line := d.ask("tools/call", `"name":"image","arguments":{"width":5,"height":3}`)
	if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer.Result.Content) != 1 {
		t.Fatal(err, line)
	}
	block := answer.Result.Content[0]
	m, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(block.Data)))
	if err != nil || block.MimeType != "image/png" || m.Bounds().Dx() != 5 || m.Bounds().Dy() != 3 {
		t.Errorf("%v %v", block.MimeType, err)
	}
}
