package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/session/watch"
)

// dialogue is a session in which a server with the tools add, login and wipe answered calls. Each
// call is "TOOL ARGS" and the message that answers it, without its envelope; empty for none.
func dialogue(t testing.TB, calls ...[2]string) *session.Session {
	t.Helper()
	var b strings.Builder
	at := time.Millisecond
	line := func(ch, format string, args ...any) {
		at += time.Millisecond
		fmt.Fprintf(&b, `{"k":"b","t":%d,"ch":%q,"d":%s}`+"\n", at, ch, client.Quote(fmt.Sprintf(format, args...)+"\n"))
	}
	b.WriteString(`{"k":"head","v":1,"start":"2026-09-01T09:30:00Z","os":"linux/amd64","target":{"transport":"stdio","command":["./srv"]},"options":{}}` + "\n")
	fmt.Fprintf(&b, `{"k":"spawn","t":%d,"run":1,"pid":4711,"path":"./srv"}`+"\n", at)
	line("in", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`)
	line("out", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"0.3"}}}}`)
	at += time.Millisecond
	fmt.Fprintf(&b, `{"k":"ctl","t":%d,"what":"era","text":"it answered server/discover","data":{"revision":"2026-07-28"}}`+"\n", at)
	line("in", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	line("out", `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a"]},"outputSchema":{"type":"object","properties":{"sum":{"type":"integer"}}}},`+
		`{"name":"login","inputSchema":{"type":"object","properties":{"user":{"type":"string"},"pin":{"type":"string","format":"password"}}}},{"name":"wipe","annotations":{"destructiveHint":true},"inputSchema":{"type":"object"}}]}}`)
	for i, c := range calls {
		tool, args, _ := strings.Cut(c[0], " ")
		line("in", `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d,"mine":1}}}`, i+3, tool, args, i+3)
		if c[1] != "" {
			at += time.Duration(i) * time.Millisecond
			line("out", `{"jsonrpc":"2.0","id":%d,%s}`, i+3, c[1])
		}
	}
	r, err := recordings.NewReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sum(n int) string {
	return fmt.Sprintf(`"result":{"resultType":"complete","content":[{"type":"text","text":"the sum is %d"}],"structuredContent":{"sum":%d}}`, n, n)
}

// loopApp is a screen on a dialogue that has made its comparison.
func loopApp(t testing.TB, s *session.Session, tool string, w, h int) *app {
	t.Helper()
	a := appOn(t, s, "none", w, h)
	it, ok := a.snap.List("tools").Find(tool)
	if !ok {
		t.Fatalf("no tool %s", tool)
	}
	a.openTool(it)
	a.focus(PaneCall)
	a.diff = compared{}
	if cmd := a.compare(); cmd != nil {
		a.Update(cmd())
	}
	a.Update(tickMsg{})
	return a
}

func TestGoldenLoop(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":2,"b":2}`, sum(4)}, [2]string{`add {"a":2,"b":3}`, sum(5)}), "add", 120, 36)
	var out strings.Builder
	shot := func(what string) {
		exact(t, a, 120, 36)
		out.WriteString("# " + what + "\n" + ansi.Strip(a.View()) + "\n\n")
	}
	shot("the result, beside the one before")
	press(a, "4", "v")
	shot("what changed")
	press(a, "v")
	shot("the earlier calls")
	press(a, "j", "enter")
	shot("the first call's arguments, taken back")
	a.opts.Watch = WatchOptions{Glob: "**/*.go", Build: "go build -o srv ."}
	a.watch.files, a.watch.round, a.watch.phase = &watch.Watcher{}, 1, "building"
	a.Update(builtMsg{1, watch.Built{Err: errors.New("exit status 1"), Output: []byte("# srv\n./main.go:10:17: undefined: oops\n\x1b[31mred\x1b[0m\n"), Took: 607 * time.Millisecond}})
	shot("a build that failed")
	golden(t, "screens/loop-120x36.txt", out.String())
}

// formSays is what the form says, as it would be sent.
func formSays(t testing.TB, a *app) string {
	t.Helper()
	args, _, err := a.call.value()
	if err != nil {
		t.Fatal(err)
	}
	return string(args)
}

func TestSteppingLosesNothing(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}, [2]string{`add {"a":2}`, sum(2)}, [2]string{`add {"a":1}`, sum(1)}, [2]string{`add {"a":3}`, ""}), "add", 120, 36)
	type step struct{ key, want string }
	check := func(steps ...step) {
		t.Helper()
		for _, s := range steps {
			press(a, s.key)
			if got := formSays(t, a); got != s.want {
				t.Fatalf("after %s the form says %s, want %s; %s", s.key, got, s.want, a.notice)
			}
		}
	}
	press(a, "enter", "7", "esc")                                                                 // typed and not sent
	check(step{"p", `{"a":3}`}, step{"p", `{"a":1}`}, step{"p", `{"a":2}`}, step{"p", `{"a":2}`}) // each once, in the order of their latest use
	press(a, "enter", "9", "esc")                                                                 // changed: 29
	check(step{"P", `{"a":1}`}, step{"p", `{"a":29}`}, step{"P", `{"a":1}`}, step{"P", `{"a":3}`}, step{"P", `{"a":7}`}, step{"P", `{"a":7}`})
	if !strings.Contains(a.notice, "no later") {
		t.Error(a.notice)
	}
	// Sending what was stepped to leaves the rest where it was.
	check(step{"p", `{"a":3}`})
	a.stepped(toolOffer("add"), []byte(`{"a":3}`))
	check(step{"P", `{"a":7}`})
	// Text that is no number stays as it was typed.
	press(a, "enter", "x", "esc")
	press(a, "p", "P")
	if screen := ansi.Strip(a.View()); !strings.Contains(screen, "7x") {
		t.Errorf("the text is lost:\n%s", screen)
	}
}

func TestSteppingSkipsWhatIsInTheForm(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}, [2]string{`add {"a":2}`, sum(2)}), "add", 120, 36)
	if err := a.call.load([]byte(`{"a":2}`)); err != nil {
		t.Fatal(err)
	}
	press(a, "p")
	if got := formSays(t, a); got != `{"a":1}` {
		t.Errorf("%s: what was sent last is still in the form", got)
	}
}

// TestEarlierSessions: arguments of another session are there, without their secrets.
func TestEarlierSessions(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	store := func() *history.Store {
		h, err := history.Open("./srv", "/here")
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	a := loopApp(t, dialogue(t), "login", 120, 36)
	press(a, "p")
	if !strings.Contains(a.notice, "was not called before") {
		t.Error(a.notice)
	}
	a.opts.History = store()
	begin, end := a.keeping(toolOffer("login"), []byte(`{"user":"ada","pin":"1234"}`))
	begin()
	end(client.Answer{Latency: 3 * time.Millisecond}, nil)
	begin, end = a.keeping(toolOffer("login"), []byte(`{"user":"bob"}`))
	begin()
	end(client.Answer{}, errors.New("the server ended"))

	a = loopApp(t, dialogue(t, [2]string{`login {"user":"cyd","pin":"5678"}`, `"result":{"content":[],"isError":true}`}), "login", 200, 50)
	a.opts.History = store()
	press(a, "H")
	screen := ansi.Strip(a.View())
	for _, want := range []string{"Calls of login", "tool error", `{"user":"cyd"} 1 secret left out`, "never answered", `{"user":"ada"} 1 secret left out`} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(screen, "5678") || strings.Contains(screen, "1234") {
		t.Errorf("a secret is shown:\n%s", screen)
	}
	press(a, "G", "w")
	if !strings.Contains(a.notice, "earlier session") {
		t.Error(a.notice)
	}
	press(a, "enter")
	if got := formSays(t, a); got != `{"user":"ada"}` || a.mode.Focus != PaneCall {
		t.Errorf("the form says %s", got)
	}
	press(a, "H", "enter") // of this session: all of it
	if got := formSays(t, a); got != `{"user":"cyd","pin":"5678"}` {
		t.Errorf("the form says %s", got)
	}
}

// TestPromptsOfEarlierSessions: the arguments of a prompt are there in another session, without what is
// called secret, and are not those of a tool of its name.
func TestPromptsOfEarlierSessions(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	open := func() *app {
		a := appOn(t, offering(t), "none", 120, 36)
		h, err := history.Open("./made", "/here")
		if err != nil {
			t.Fatal(err)
		}
		a.opts.History = h
		return a
	}
	a := open()
	begin, end := a.keeping(promptOffer("ask"), []byte(`{"what":"the weather","token":"abcdefgh1"}`))
	begin()
	end(client.Answer{}, nil)
	begin, end = a.keeping(resourceOffer("x:conf"), nil)
	begin()
	end(client.Answer{}, nil)
	a = open()
	var got []string
	for _, c := range a.pastCalls(promptOffer("ask")) {
		got = append(got, string(c.args)+" "+c.outcome)
	}
	if want := `{"what":"the weather"} ok|{"what":"the way"} ok`; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	if list := a.pastCalls(toolOffer("ask")); len(list) > 0 {
		t.Errorf("of a tool: %+v", list)
	}
	press(a, "v", "v", "g", "enter", "p", "p")
	if got := formSays(t, a); got != `{"what":"the weather"}` {
		t.Errorf("the form says %s: %s", got, a.notice)
	}
}

func TestRepeatRow(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}, [2]string{`wipe {}`, sum(0)}), "login", 120, 36)
	request := func(row int) string { // the row of a request or answer
		a.focus(PaneWire)
		a.wire.list.Go(row)
		a.last = lastCall{}
		a.Update(keyMsg("r"))
		return string(a.last.req.Params)
	}
	for _, row := range []int{6, 7} {
		if got := request(row); got != `{"name":"add","arguments":{"a":1}}` || a.call.tool() != "add" {
			t.Errorf("row %d: %s of %s, %s", row, got, a.call.tool(), a.notice)
		}
		if m := a.last.req.Meta; len(m) != 1 || m[0].Key != "mine" {
			t.Errorf("_meta %v", m)
		}
	}
	if request(9); a.prompt.kind != promptConfirm {
		t.Error("a destructive tool was not asked about")
	}
	press(a, "n")
	if request(0); !strings.Contains(a.notice, "no request") { // the start of the server
		t.Error(a.notice)
	}
}

func TestResultChecksItsSchemaOnTheScreen(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, `"result":{"content":[],"structuredContent":{"sum":"5"}}`}), "add", 120, 36)
	if screen := ansi.Strip(a.View()); !strings.Contains(screen, "outputSchema: /sum must be") {
		t.Errorf("the violation and its path are not shown:\n%s", screen)
	}
}

func TestSaveBlock(t *testing.T) {
	for _, c := range []struct{ raw, name, content, fails string }{
		{`{"type":"text","text":"a\nb\u00e9"}`, "text-1.txt", "a\nbé", ""},
		{`{"type":"image","mimeType":"image/png","data":"aGVsbG8\/"}`, "image-1.png", "hello?", ""},
		{`{"type":"audio","mimeType":"audio/wav","data":"aGVsbG8="}`, "audio-1.wav", "hello", ""},
		{`{"type":"audio","mimeType":"x","data":"*"}`, "audio-1.bin", "", "no"},
		{`{"type":"resource","resource":{"uri":"file:///x/../report.pdf","blob":"aGVsbG8="}}`, "report.pdf", "hello", ""},
		{`{"type":"resource","resource":{"uri":"demo:a","mimeType":"text/markdown","text":"# x"}}`, "resource-1.md", "# x", ""},
		{`{"type":"resource","resource":{"uri":"x/../../.ssh","text":""}}`, "resource-1.bin", "", ""},
		{`{"type":"resource_link","uri":"f:b"}`, "resource_link-1.json", `{"type":"resource_link","uri":"f:b"}`, ""},
		{`{"type":"../v","x":1}`, "v-1.json", `{"type":"../v","x":1}`, ""},
		{`{"type":"image","text":"no data"}`, "image-1.bin", `{"type":"image","text":"no data"}`, ""},
		{`7`, "block-1.json", `7`, ""},
	} {
		content, err := blockContent([]byte(c.raw), 1)
		if string(content) != c.content || (err != nil) != (c.fails != "") || blockName([]byte(c.raw), 1) != c.name {
			t.Errorf("%s: %q as %s, %v", c.raw, content, blockName([]byte(c.raw), 1), err)
		}
	}
}

func TestSaveBlockCommand(t *testing.T) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, `"result":{"content":[{"type":"text","text":"one"},{"type":"image","mimeType":"image/png","data":"aGVsbG8="}],"structuredContent":{"sum":5}}`}), "add", 120, 36)
	dir := t.TempDir()
	save := func(name string) string {
		msg := a.command("save-block " + filepath.Join(dir, name))()
		return string(msg.(noticeMsg))
	}
	press(a, "4", "g")
	for _, c := range []struct{ key, name, want string }{{"", "1", "one"}, {"j", "2", "hello"}, {"j", "3", `{"sum":5}`}} {
		if c.key != "" {
			press(a, c.key)
		}
		said := save(c.name)
		if got, err := os.ReadFile(filepath.Join(dir, c.name)); string(got) != c.want || !strings.HasPrefix(said, "saved ") {
			t.Errorf("%s: %q, %v; %s", c.name, got, err, said)
		}
	}
	if said := save("1"); !strings.Contains(said, "exists already") {
		t.Error(said)
	}
	press(a, "s")
	if got := a.prompt.input.Value(); got != "save-block structured.json" {
		t.Error(got)
	}
}

// TestWatchRounds walks through a round and what may go wrong in it, without a server.
func TestWatchRounds(t *testing.T) {
	fresh := func() *app {
		a := loopApp(t, dialogue(t, [2]string{`add {"a":1}`, sum(1)}), "add", 120, 36)
		a.watch.files = &watch.Watcher{}
		return a
	}
	change := func(a *app) watchMsg {
		return watchMsg{a.watch.files, watch.Change{Path: "main.go", At: time.Now()}, true}
	}
	t.Run("nothing to call", func(t *testing.T) {
		a := fresh()
		a.Update(change(a))
		if a.watch.phase != "restarting" || !strings.Contains(a.View(), "watch: restarting") {
			t.Fatalf("phase %q", a.watch.phase)
		}
		a.Update(freshMsg{round: 1})
		if a.watch.phase != "" || !strings.Contains(a.notice, "no call was made yet") {
			t.Error(a.notice)
		}
	})
	for name, c := range map[string]struct{ tool, params, want string }{
		"destructive":          {"wipe", `{"name":"wipe","arguments":{}}`, "destructive"},
		"gone":                 {"old", `{"name":"old"}`, "no tool old any more"},
		"arguments do not fit": {"add", `{"name":"add","arguments":{"a":"x"}}`, "do not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			a := fresh()
			a.last = lastCall{c.tool, client.Request{Method: client.MethodToolsCall, Params: []byte(c.params)}}
			a.Update(change(a))
			a.Update(freshMsg{round: 1})
			if a.watch.phase != "" || a.watch.call != 0 || !strings.Contains(a.notice, c.want) {
				t.Errorf("phase %q, %s", a.watch.phase, a.notice)
			}
		})
	}
	t.Run("called again", func(t *testing.T) {
		a := fresh()
		a.last = lastCall{"add", client.Request{Method: client.MethodToolsCall, Params: []byte(`{"name":"add","arguments":{"a":1}}`)}}
		a.Update(change(a))
		a.Update(freshMsg{round: 1})
		if a.watch.phase != "calling add" || a.watch.call == 0 {
			t.Fatalf("phase %q, %s", a.watch.phase, a.notice)
		}
		a.Update(change(a)) // waits for the end of the round
		a.Update(callMsg{a.watch.call, "add", nil})
		if a.watch.round != 2 || a.watch.phase != "restarting" {
			t.Errorf("the change during the round was lost: round %d, %q", a.watch.round, a.watch.phase)
		}
	})
	t.Run("crash loop", func(t *testing.T) {
		a := fresh()
		for i := range maxCrashes {
			if a.watch.files == nil {
				t.Fatalf("it ended after %d rounds", i)
			}
			a.watch.ended = time.Time{}
			a.Update(change(a))
			a.Update(freshMsg{round: i + 1, err: errors.New("it ended at once")})
		}
		if a.watch.files != nil || !strings.Contains(a.notice, "did not come up 5 times") || !strings.Contains(a.View(), "watch stopped") {
			t.Error(a.notice)
		}
	})
	t.Run("its last words", func(t *testing.T) {
		a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 120, 36)
		a.watch.files, a.watch.round, a.watch.phase = &watch.Watcher{}, 1, "restarting"
		a.Update(freshMsg{round: 1, err: errors.New("initialize was not answered")})
		if brief := a.sess.Snapshot().Box.Brief(); !strings.Contains(a.notice, brief) || !strings.Contains(a.notice, "the next change starts it again") {
			t.Errorf("no %q in %q", brief, a.notice)
		}
	})
	t.Run("a build that triggers itself", func(t *testing.T) {
		a := fresh()
		a.opts.Watch = WatchOptions{Glob: "**", Build: "make"}
		for i := 1; i <= maxChain+1 && a.watch.files != nil; i++ {
			if a.watch.phase == "" {
				a.Update(change(a))
			}
			a.Update(change(a)) // written by the build
			a.Update(builtMsg{a.watch.round, watch.Built{Err: errors.New("exit status 1")}})
		}
		if a.watch.files != nil || !strings.Contains(a.notice, "stopped") {
			t.Errorf("round %d: %s", a.watch.round, a.notice)
		}
	})
	t.Run("nothing to watch", func(t *testing.T) {
		a := loopApp(t, dialogue(t), "add", 120, 36)
		press(a, "W") // the session is a recording
		if a.watch.turning || !strings.Contains(a.notice, "no program to watch") {
			t.Error(a.notice)
		}
	})
	t.Run("an old watch", func(t *testing.T) {
		a := fresh()
		m := change(a)
		a.watch.files = nil
		a.Update(m)
		if a.watch.round != 0 {
			t.Error("a watch that was switched off began a round")
		}
	})
}

func TestNoTool(t *testing.T) {
	s := dialogue(t)
	a := appOn(t, s, "none", 120, 36)
	a.opts.Tool, a.opened = "ad", false
	a.Update(tickMsg{})
	if !strings.Contains(ansi.Strip(a.View()), `there is no tool "ad": did you mean add?`) {
		t.Errorf("%s", ansi.Strip(a.View()))
	}
	press(a, "j")
	if strings.Contains(ansi.Strip(a.View()), "did you mean") {
		t.Error("it is said for ever")
	}
}

// TestArgumentsThatDoNotFit: what --args says stays visible, whatever the schema asks for.
func TestArgumentsThatDoNotFit(t *testing.T) {
	a := appOn(t, dialogue(t), "none", 120, 36)
	a.opts.Tool, a.opts.Args, a.opened = "add", []byte(`{"a":"x","b":[1],"zzz":{"q":1}}`), false
	a.Update(tickMsg{})
	if got := formSays(t, a); got != `{"a":"x","b":[1],"zzz":{"q":1}}` {
		t.Errorf("the form says %s", got)
	}
	for _, want := range []string{"x", "zzz", "q"} {
		if !strings.Contains(ansi.Strip(a.View()), want) {
			t.Errorf("%q is not shown", want)
		}
	}
}
