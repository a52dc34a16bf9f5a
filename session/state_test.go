package session

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// list asks for a page and answers it. cursor and next are raw, empty for none.
func (f *feeder) list(id, cursor, items, next string) *List {
	params := "{}"
	if cursor != "" {
		params = `{"cursor":` + cursor + `}`
	}
	f.ask(id, client.MethodToolsList, params)
	if next != "" {
		next = `,"nextCursor":` + next
	}
	f.answer(id, `{"tools":[`+items+`]`+next+`}`)
	return f.snapshot().List("tools")
}

func itemNames(l *List) (out []string) {
	for _, it := range l.Items {
		out = append(out, it.Name)
	}
	return out
}

func TestPagesOfAList(t *testing.T) {
	f := newFeeder()
	first := f.list("1", "", `{"name":"a"},{"name":"b"}`, `"2"`)
	if got := itemNames(first); !slices.Equal(got, []string{"a", "b"}) || first.Complete || string(first.Next) != `"2"` {
		t.Errorf("%v, %+v", got, first)
	}
	all := f.list("2", `"2"`, `{"name":"c"},{"name":"a"}`, "")
	if got := itemNames(all); !slices.Equal(got, []string{"a", "b", "c", "a"}) || !all.Complete || all.Repeated != 1 || len(all.Pages) != 2 {
		t.Errorf("%v, %+v", got, all)
	}
	if p := all.Pages[1]; string(p.Cursor) != `"2"` || p.Count != 2 || p.Latency != time.Millisecond || p.Seq != 3 {
		t.Errorf("%+v", p)
	}
	if it := all.Items[2]; it.Page != 1 || it.Seq != 3 || string(it.Raw) != `{"name":"c"}` {
		t.Errorf("%+v", it)
	}
	if len(first.Items) != 2 || first.Complete {
		t.Error("an earlier snapshot changed")
	}
	f.ask("3", client.MethodToolsList, `{"cursor":"x"}`)
	f.out(`{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no more"}}`)
	if l := f.snapshot().List("tools"); len(l.Items) != 4 || !strings.Contains(l.Error, "-32603: no more") {
		t.Errorf("an error must keep the pages: %+v", l)
	}
	f.note(client.Note{What: client.NotePages, Text: "odd", Data: []byte(`{"list":"tools","cursor":5}`)})
	if l := f.snapshot().List("tools"); l.Stopped != "" {
		t.Errorf("an odd cursor stops nothing: %+v", l)
	}
	f.note(client.Note{What: client.NotePages, Text: "stopped", Data: []byte(`{"list":"tools"}`)})
	if l := f.snapshot().List("tools"); l.Stopped != "stopped" {
		t.Errorf("%+v", l)
	}
	if again := f.list("4", "", `{"name":"z"}`, ""); !slices.Equal(itemNames(again), []string{"z"}) || again.Stopped != "" || again.Error != "" || again.Changes != "+z, -a, -b, -c" {
		t.Errorf("%+v", again)
	}
}

func TestOddLists(t *testing.T) {
	for _, c := range []struct {
		result string
		names  string
		errs   string // of the list, and the problems of its items
	}{
		{`{"tools":[]}`, "[]", "[]"},
		{`{}`, "[]", `[the answer to tools/list has no list "tools": {}]`},
		{`{"tools":{"a":1}}`, "[]", `[the answer to tools/list has "tools", but it is an object, not a list: {"tools":{"a":1}}]`},
		{`{"tools":null}`, "[]", `[the answer to tools/list has "tools", but it is null, not a list: {"tools":null}]`},
		{`{"tools":[1,"x",null,{},{"name":5},{"name":""},{"name":"ok","title":7}]}`, "[(entry 1) (entry 2) (entry 3) (entry 4) (entry 5) (entry 6) ok]",
			"[it is no object it is no object it is no object it has no name name is no text it has no name title is no text]"},
		{`{"tools":[{"name":"a","description":null}],"nextCursor":null}`, "[a]", "[]"},
	} {
		f := newFeeder()
		f.ask("1", client.MethodToolsList, "{}")
		f.answer("1", c.result)
		l := f.snapshot().List("tools")
		problems := []string{}
		if l.Error != "" {
			problems = append(problems, l.Error)
		}
		for _, it := range l.Items {
			if it.Problem != "" {
				problems = append(problems, it.Problem)
			}
		}
		if got := fmt.Sprint(itemNames(l)); got != c.names || fmt.Sprint(problems) != c.errs || !l.Complete {
			t.Errorf("%s: %s, %v, complete %t", c.result, got, problems, l.Complete)
		}
	}
}

func TestItems(t *testing.T) {
	f := newFeeder()
	f.ask("1", client.MethodResourcesList, "{}")
	f.answer("1", `{"resources":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}`)
	f.ask("2", client.MethodTemplatesList, "{}")
	f.answer("2", `{"resourceTemplates":[{"uriTemplate":"x://{id}","name":"t"}]}`)
	s := f.snapshot()
	if r := s.List("resources"); len(r.Items) != 2 || r.Items[0].URI != "file:///a" || r.Items[1].Name != "file:///b" || r.Items[1].Problem != "it has no name" {
		t.Errorf("%+v", r.Items)
	}
	if it, ok := s.List("templates").Find("t"); !ok || it.URI != "x://{id}" {
		t.Errorf("%+v", it)
	}
	if _, ok := s.List("templates").Find("u"); ok || len(s.List("prompts").Items) != 0 {
		t.Error("found what is not there")
	}
	for raw, want := range map[string]Hint{
		`{}`: {Destructive: true, OpenWorld: true},
		`{"annotations":{"destructiveHint":true}}`:                                            {Destructive: true, OpenWorld: true, Said: true},
		`{"annotations":{"destructiveHint":false,"readOnlyHint":true,"idempotentHint":true}}`: {ReadOnly: true, Idempotent: true, OpenWorld: true},
		`{"annotations":{"destructiveHint":"true","openWorldHint":false,"readOnlyHint":1}}`:   {Destructive: true},
		`{"annotations":null}`: {Destructive: true, OpenWorld: true},
	} {
		if got := (&Item{Raw: []byte(raw)}).Hints(); got != want {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	tool := func(name, properties, required, more string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{` + properties + `},"required":[` + required + `]}` + more + `}`
	}
	const a, b, c = `"a":{"type":"number"}`, `"b":{"type":"number"}`, `"c":{"type":"string"}`
	for _, x := range []struct{ old, now, want string }{
		{tool("add", a, "", ""), tool("add", a, "", ""), ""},
		{"", tool("sub", a, "", ""), "+sub"},
		{tool("sub", a, "", ""), "", "-sub"},
		{tool("add", a+","+b, `"a"`, ""), tool("sub", "", "", "") + "," + tool("add", a+","+b, `"a","b"`, ""), "+sub, add narrowed: b now required"},
		{tool("add", a, `"a"`, ""), tool("add", a, "", ""), "add widened: a now optional"},
		{tool("add", a, "", ""), tool("add", a+","+b+","+c, `"c"`, ""), "add narrowed: b added, c added, required"},
		{tool("add", a+","+b, "", ""), tool("add", a, "", ""), "add narrowed: b removed"},
		{tool("add", a, "", ""), tool("add", `"a":{"type":"string"}`, "", ""), "add narrowed: a is string, was number"},
		{tool("add", a, "", ""), tool("add", `"a":{"type":["string","null"]}`, "", ""), `add narrowed: a is ["string","null"], was number`},
		{tool("add", a, "", ""), tool("add", `"a":{}`, "", ""), "add widened: a is any, was number"},
		{tool("add", a, "", ""), tool("add", `"a":{"type":"number","minimum":1}`, "", ""), "add narrowed: a takes less (minimum)"},
		{tool("add", a, "", `,"description":"x"`), tool("add", a, "", `,"description":"y","outputSchema":{}`), "add changed: description, output schema"},
		{tool("add", a, "", ""), tool("add", a, "", `,"title":"T"`), "add text changed: title"},
		{tool("x", "", "", "") + "," + tool("x", "", "", ""), tool("x", "", "", ""), ""},
		{`5,{"name":"a","inputSchema":true}`, `{"name":"a","inputSchema":null}`, "a changed: input schema, -5"},
	} {
		f := newFeeder()
		f.list("1", "", x.old, "")
		if l := f.list("2", "", x.now, ""); l.Changes != x.want {
			t.Errorf("%s\n-> %s\n got %q\nwant %q", x.old, x.now, l.Changes, x.want)
		}
	}
}

// TestChangesNeedWholeLists: half a list would make the other half look new, or gone.
func TestChangesNeedWholeLists(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.list("1", "", `{"name":"a"}`, `"2"`)
	f.list("2", `"2"`, `{"name":"b"}`, "")
	f.spawn(2)
	if l := f.list("3", "", `{"name":"a"}`, `"2"`); l.Changes != "" {
		t.Errorf("after one page: %q", l.Changes)
	}
	f.spawn(3) // the walk of run 2 was never finished
	f.list("5", "", `{"name":"a"}`, `"2"`)
	if l := f.list("6", `"2"`, `{"name":"c"}`, ""); l.Changes != "+c, -b" {
		t.Errorf("after all pages: %q", l.Changes)
	}
}

func TestIdentity(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	if s := f.snapshot(); s.Phase != Connecting || s.Run != 1 || s.PID != 101 || s.Path != "/bin/server" || s.Server != nil {
		t.Errorf("%+v", s)
	}
	f.ask("1", client.MethodDiscover, `{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"x":{}}}}`)
	f.answer("1", `{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},"instructions":"hi","ttlMs":3600000,"cacheScope":"public","serverInfo":{"name":"old"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1.0","title":"Bench"}}}`)
	f.note(client.Note{What: client.NoteEra, Text: "because", Data: []byte(`{"revision":"2026-07-28"}`)})
	s := f.snapshot()
	if v := s.Server; s.Phase != Ready || v.Name != "bench" || v.Version != "1.0" || v.Title != "Bench" || v.Revision != client.Rev2026_07_28 || v.Why != "because" || v.TTL != "1h0m0s" || v.Scope != "public" ||
		v.Instructions != "hi" || string(v.Capabilities) != `{"tools":{}}` || string(v.Offered) != `{"x":{}}` || len(v.Supported) != 2 || v.Method != client.MethodDiscover || v.Latency != time.Millisecond || v.Seq != 2 {
		t.Errorf("%+v of %+v", v, s)
	}
	f.spawn(2)
	f.ask("2", client.MethodInitialize, `{"capabilities":{"roots":{}}}`)
	f.answer("2", `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"n","version":"2"}}`)
	if v := f.snapshot().Server; v.Name != "n" || v.Revision != client.Rev2025_06_18 || string(v.Offered) != `{"roots":{}}` || v.Supported != nil || v.Why != "" {
		t.Errorf("%+v", v)
	}
	f.ask("3", client.MethodInitialize, `{}`)
	f.out(`{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}`)
	if v := f.snapshot().Server; v.Name != "n" {
		t.Errorf("an error overwrote what is known: %+v", v)
	}
	if s.Server.Name != "bench" {
		t.Error("an earlier snapshot changed")
	}
}

func TestCalls(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"slow"}`)
	f.ask("2", "other", `{}`)
	before := f.snapshot()
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":20,"total":100,"message":"copying"}}`)
	f.note(client.Note{What: client.NoteTimeout, ID: "2", Text: "x"})
	f.note(client.Note{What: client.NoteInfo, Text: "x"})
	want := []Call{{ID: "1", Seq: 1, Method: client.MethodToolsCall, Name: "slow", Sent: time.Millisecond, Progress: "20/100 copying", Far: Progress{Measured: true, Part: 0.2, latest: 20, any: true}}, {ID: "2", Seq: 2, Method: "other", Sent: 2 * time.Millisecond, GivenUp: client.NoteTimeout, Left: 3 * time.Millisecond}}
	if f.snapshot().Open() != 1 {
		t.Error("what was given up is counted as open")
	}
	if got := f.snapshot().Calls; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if before.Calls[0].Progress != "" || before.Calls[1].GivenUp != "" {
		t.Error("an earlier snapshot changed")
	}
	f.answer("1", `{"isError":true}`)
	f.ask("3", client.MethodToolsCall, `{"name":"slow"}`)
	f.out("stray")
	f.answer("3", `{}`)
	s := f.snapshot()
	if got := s.Last[ToolSubject("slow")]; got.Request != 7 || got.Answer != 9 || got.Latency != 2*time.Millisecond || got.Before != 3*time.Millisecond {
		t.Errorf("%+v", got)
	}
	if len(s.Calls) != 1 || s.Stray != 8 {
		t.Errorf("%+v", s)
	}
	f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":null}}`)
	if got := f.snapshot().Calls[0].Progress; got != "1" {
		t.Errorf("progress %q", got)
	}
}

// TestCancelled: a call that was cancelled does not wait, by our decision or by what a client wrote, over
// stdio and HTTP; a late answer is taken all the same.
func TestCancelled(t *testing.T) {
	for how, cancel := range map[string]func(*feeder){
		"decided": func(f *feeder) { f.note(client.Note{What: client.NoteCancel, ID: "1", Text: "x"}) },
		"written": func(f *feeder) {
			f.chunk(client.In, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
		},
	} {
		f := newFeeder()
		f.spawn(1)
		f.ask("1", client.MethodToolsCall, `{"name":"slow"}`)
		f.ask("2", client.MethodToolsCall, `{"name":"other"}`)
		cancel(f)
		s := f.snapshot()
		lost := s.Lost[ToolSubject("slow")]
		if len(s.Calls) != 1 || s.Open() != 1 || lost.ID != "1" || lost.GivenUp != client.NoteCancel || lost.Left == 0 {
			t.Errorf("%s: %+v, %+v", how, s.Calls, lost)
		}
		if e, _ := f.door.log.Event(lost.Seq); !e.Cancelled {
			t.Errorf("%s: %+v", how, e)
		} else if what, _ := e.Subject("slow"); what != "tools/call slow id 1 (cancelled)" {
			t.Errorf("%s: %s", how, what)
		}
		f.note(client.Note{What: client.NoteLost, ID: "1", Text: "its exchange was closed"})
		if got := f.snapshot().Lost[ToolSubject("slow")]; got.Lost != "its exchange was closed" || got.GivenUp == "" {
			t.Errorf("%s: %+v", how, got)
		}
		if e, _ := f.door.log.Event(lost.Seq); e.Open {
			t.Errorf("%s: open", how)
		}
		f.ask("3", client.MethodToolsCall, `{"name":"slow"}`)
		cancel = func(f *feeder) { f.note(client.Note{What: client.NoteCancel, ID: "3", Text: "x"}) }
		cancel(f)
		f.answer("3", `{"content":[]}`)
		s = f.snapshot()
		if _, lost := s.Lost[ToolSubject("slow")]; lost || s.Last[ToolSubject("slow")].ID != "3" {
			t.Errorf("%s: a late answer was not taken: %+v", how, s)
		}
		f.exit(client.Exit{Code: 0, Asked: client.AskedStdin})
		if b := f.snapshot().Box; len(b.Open) != 1 || b.Open[0].ID != "2" {
			t.Errorf("%s: %+v", how, b.Open)
		}
	}
}

func TestBlackBox(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	for i := range 3 * lastStderr {
		f.chunk(client.Err, fmt.Sprintf("log %d\n", i))
	}
	f.ask("1", client.MethodToolsCall, `{"name":"slow"}`)
	f.chunk(client.Out, `{"jsonrpc":"2.0","id":1,"res`)
	f.exit(client.Exit{Code: 3, Asked: client.AskedNo})
	s := f.snapshot()
	b := s.Box
	if s.Phase != Ended || b == nil || b.Run != 1 || b.Exit.Code != 3 || b.Out != 28 || len(b.Open) != 1 || len(s.Calls) != 0 {
		t.Fatalf("%+v of %+v", b, s)
	}
	if len(b.Stderr) != lastStderr || b.Stderr[lastStderr-1] != fmt.Sprintf("log %d", 3*lastStderr-1) || b.Stderr[0] != fmt.Sprintf("log %d", 2*lastStderr) {
		t.Errorf("stderr %q", b.Stderr)
	}
	want := []string{
		"the server ended with exit status 3, unasked, 152ms after its start",
		"tools/call slow (id 1) was not answered, sent 1ms before the end",
		"28 bytes of an unfinished line were left on stdout: \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"res\"",
	}
	if got := b.Sentences(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	f.spawn(2)
	if s := f.snapshot(); s.Box != nil || s.Phase != Connecting || s.Stderr != "" || s.Run != 2 {
		t.Errorf("after a restart: %+v", s)
	}
	f.exit(client.Exit{Signal: "SIGKILL", Asked: client.AskedKill})
	if got, want := f.snapshot().Box.Sentences(), []string{"the server ended with signal SIGKILL, after we killed it, less than 1ms after its start", "nothing came on its stdout"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestTornLine: the end of stdout usually comes before the exit, and with it the half line.
func TestTornLine(t *testing.T) {
	half := strings.Repeat("x", 1000) + "the end"
	f := newFeeder()
	f.spawn(1)
	f.chunk(client.Out, half)
	f.Chunk(client.Chunk{Run: 1, Stream: client.Out, At: f.Now(), End: true})
	f.exit(client.Exit{})
	b := f.snapshot().Box
	if b.Half != int64(len(half)) || len(b.HalfEnd) != halfTail || !strings.HasSuffix(b.HalfEnd, "the end") {
		t.Errorf("%d bytes, end %q", b.Half, b.HalfEnd)
	}
	if e, _ := f.log.Event(1); !e.Flaws.Has(client.FlawTorn) {
		t.Errorf("%+v", e)
	}
	f.spawn(2)
	f.chunk(client.Out, `{"jsonrpc":"2.0","method":"bye"}`) // complete without its end: nothing is lost
	f.Chunk(client.Chunk{Run: 2, Stream: client.Out, At: f.Now(), End: true})
	f.exit(client.Exit{})
	if b := f.snapshot().Box; b.Half != 0 {
		t.Errorf("%d bytes, end %q", b.Half, b.HalfEnd)
	}
}

// TestBoxOfTheRunBefore: what was known when a call was lost stays until another run loses one.
func TestBoxOfTheRunBefore(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"a"}`)
	f.exit(client.Exit{Code: 3})
	lost := f.snapshot().Lost[ToolSubject("a")]
	if s := f.snapshot(); !s.Box.Lost(lost) || s.Before != nil {
		t.Errorf("after the end: %+v, before %+v", s.Box, s.Before)
	}
	f.spawn(2)
	f.exit(client.Exit{})
	f.spawn(3)
	if s := f.snapshot(); s.Box != nil || !s.Before.Lost(lost) || s.Before.Exit.Code != 3 || s.Before.Lost(Call{Seq: lost.Seq + 1}) {
		t.Errorf("two runs later: %+v, before %+v", s.Box, s.Before)
	}
}

// TestNotesWithoutFacts: a recording may lack them.
func TestNotesWithoutFacts(t *testing.T) {
	f := newFeeder()
	for _, what := range []string{client.NoteSpawn, client.NoteEra, client.NotePages, client.NoteTimeout, client.NoteExit, "new kind", ""} {
		f.note(client.Note{What: what})
	}
	if s := f.snapshot(); s.Phase != Ended || s.Box == nil || f.log.Len() != 7 {
		t.Errorf("%+v", s)
	}
}

func TestCounts(t *testing.T) {
	f := newFeeder()
	f.in(`{"jsonrpc":"2.0","method":"n"}`)
	f.in(`{broken`)
	f.out("banner")
	f.out("")
	f.out(`{"level":"info"}`)
	f.out(`[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","method":"n"}]`)
	f.chunk(client.Err, "a\nb\nc")
	got := f.snapshot().Counts
	if want := (Counts{Out: 1, In: 2, Stray: 2, Stderr: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestRoundsOfACall: a call that asked for input is compared with the call before, not with its own question.
func TestRoundsOfACall(t *testing.T) {
	f := newFeeder()
	for i, result := range []string{`{}`, `{"resultType":"input_required"}`, `{"resultType":"complete"}`} {
		id := fmt.Sprint(i)
		f.ask(id, client.MethodToolsCall, `{"name":"ask"}`)
		f.answer(id, result)
	}
	if l := f.snapshot().Last[ToolSubject("ask")]; l.Request != 4 || l.Was != [2]int{0, 1} {
		t.Errorf("%+v", l)
	}
}

func TestMadeCalls(t *testing.T) {
	f := newFeeder()
	call := func(id string) { f.ask(id, client.MethodToolsCall, `{"name":"add"}`) }
	call("1")
	f.answer("1", `{}`)
	first := f.snapshot()
	if l := first.Last[ToolSubject("add")]; l.Was != [2]int{NoPair, NoPair} {
		t.Errorf("%+v", l)
	}
	call("2")
	f.answer("2", `{}`)
	if l := f.snapshot().Last[ToolSubject("add")]; l.Was != [2]int{0, 1} || l.Request != 2 {
		t.Errorf("%+v", l)
	}
	if !slices.Equal(first.Made[ToolSubject("add")], []int{0}) || !slices.Equal(f.snapshot().Made[ToolSubject("add")], []int{0, 2}) {
		t.Errorf("%v, %v", first.Made, f.snapshot().Made)
	}
	for i := range 2 * keepMade {
		call(fmt.Sprint(10 + i))
	}
	if made := f.snapshot().Made[ToolSubject("add")]; len(made) != keepMade || made[keepMade-1] != 4+2*keepMade-1 {
		t.Errorf("%d calls: %v", len(made), made)
	}
}
