package ui

import (
	"context"
	"fmt"
	"github.com/charmbracelet/x/ansi"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/questions"
)

// ask puts what a server asks at once before the screen; what it is answered comes through the channel.
func ask(t testing.TB, a *app, all ...client.Question) <-chan []client.Reply {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	return askUntil(ctx, a, all...)
}

// askUntil is ask for a server that waits until ctx ends.
func askUntil(ctx context.Context, a *app, all ...client.Question) <-chan []client.Reply {
	if a.asking.queue == nil {
		a.asking.queue = questions.New(questions.Offer{})
	}
	q := a.asking.queue
	want := len(q.Waiting()) + len(all)
	answered := make(chan []client.Reply, 1)
	go func() { answered <- q.Answer(ctx, all) }()
	for len(q.Waiting()) < want {
		<-q.Changed()
	}
	a.Update(questionMsg{})
	return answered
}

// elicit is a question by a form of these properties.
func elicit(key, message, properties string) client.Question {
	return client.Question{Method: client.MethodElicit, Key: key, ID: "5",
		Params: []byte(`{"mode":"form","message":` + string(client.Quote(message)) + `,"requestedSchema":{"type":"object","properties":` + properties + `}}`)}
}

// kinds are one question of each kind, as 2026-07-28 puts them.
func kinds() []client.Question {
	return []client.Question{
		{Method: client.MethodElicit, Key: "booking", ID: "5", Params: []byte(`{"mode":"form","message":"When do you arrive?\nThe desk is open until ten.","requestedSchema":{"type":"object","properties":{` +
			`"day":{"type":"string","title":"Day","format":"date"},"nights":{"type":"integer","title":"Nights","minimum":1,"maximum":14,"default":2},` +
			`"room":{"type":"string","oneOf":[{"const":"s","title":"Single"},{"const":"d","title":"Double"}]},` +
			`"extras":{"type":"array","items":{"anyOf":[{"const":"b","title":"Breakfast"},{"const":"g","title":"Garage"}]}},"quiet":{"type":"boolean"}},"required":["day","room"]}}`)},
		{Method: client.MethodElicit, Key: "login", ID: "5", Params: []byte(`{"mode":"url","message":"Log in there, please.\u001b[31m\u202e","url":"http://bank.test@login.xn--exmple-cua.test/start?session=41"}`)},
		{Method: client.MethodSample, Key: "thought", ID: "5", Params: []byte(`{"systemPrompt":"You answer in one sentence.","maxTokens":200,"modelPreferences":{"hints":[{"name":"small"}]},"messages":[` +
			`{"role":"user","content":{"type":"text","text":"What does the picture show?"}},{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}],` +
			`"tools":[{"name":"look","description":"looks closer","inputSchema":{"type":"object"}}]}`)},
	}
}

// askingApp is a screen on a server that has asked for input in the call of add.
func askingApp(t *testing.T, w, h int) (*app, <-chan []client.Reply) {
	a := loopApp(t, dialogue(t, [2]string{`add {"a":2,"b":2}`, sum(4)}, [2]string{`add {"a":2}`, sum(4)},
		[2]string{`add {"a":2}`, `"result":{"resultType":"input_required","requestState":"s","inputRequests":{}}`}), "add", w, h)
	answered := ask(t, a, kinds()...)
	began := a.asking.open[0].Since
	for _, q := range a.asking.open {
		q.Since = began
	}
	a.asking.now = func() time.Time { return began.Add(12 * time.Second) }
	a.Update(tickMsg{})
	return a, answered
}

func TestGoldenQuestions(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}} {
		a, _ := askingApp(t, size[0], size[1])
		var out strings.Builder
		shot := func(what string) {
			t.Helper()
			exact(t, a, size[0], size[1])
			out.WriteString("# " + what + "\n" + ansi.Strip(a.View()) + "\n\n")
			if a.lay.Panes[PaneWire].W == 0 && !a.lay.Tabs {
				t.Errorf("%s covers the wire", what)
			}
		}
		shot("a form")
		press(a, "P")
		shot("an address")
		press(a, "P")
		shot("a message")
		press(a, "t")
		shot("what the server says in full")
		press(a, "esc", "esc")
		shot("left, and they wait")
		golden(t, fmt.Sprintf("screens/questions-%dx%d.txt", size[0], size[1]), out.String())
	}
}

// TestAnswersOfThePerson: what is sent for each kind, and that nothing is while it violates the form.
func TestAnswersOfThePerson(t *testing.T) {
	a, answered := askingApp(t, 120, 36)
	press(a, "s")
	if !strings.Contains(a.notice, "only just come") {
		t.Errorf("an answer in the moment that it came: %s", a.notice)
	}
	press(a, "j", "s")
	if len(a.asking.open) != 3 || !strings.Contains(a.notice, "2 problems: nothing was sent") {
		t.Fatalf("%d wait: %s", len(a.asking.open), a.notice)
	}
	press(a, "g", "enter")
	typed(a, "2026-12-24")
	press(a, "esc", "j", "j", "l", "s") // the room
	if len(a.asking.open) != 2 || a.asking.current().kind != askURL {
		t.Fatalf("%d wait: %s\n%s", len(a.asking.open), a.notice, a.View())
	}
	press(a, "j", "s")
	if q := a.asking.current(); q == nil || q.kind != askSample {
		t.Fatal(a.notice)
	}
	press(a, "enter")
	typed(a, "A cat.")
	press(a, "ctrl+s")
	got := <-answered
	for i, want := range []string{`{"action":"accept","content":{"day":"2026-12-24","nights":2,"room":"s"}}`, `{"action":"accept"}`,
		`{"content":{"type":"text","text":"A cat."},"role":"assistant","model":"written by a person","stopReason":"endTurn"}`} {
		if string(got[i].Result) != want {
			t.Errorf("answer %d is %s\nwant %s", i, got[i].Result, want)
		}
	}
	if a.mode.Focus != PaneCall || a.mode.Asked {
		t.Errorf("the focus is on %s", paneNames[a.mode.Focus])
	}
}

func TestRefusalsOfThePerson(t *testing.T) {
	for _, c := range []struct{ key, at, want string }{
		{"D", "", `{"action":"decline"}`}, {"X", "", `{"action":"cancel"}`}, {"D", "P", `{"action":"decline"}`}, {"X", "P", `{"action":"cancel"}`},
	} {
		a := loopApp(t, dialogue(t), "add", 120, 36)
		k := kinds()
		one, two := ask(t, a, k[0]), ask(t, a, k[1])
		press(a, "7", "p", "g")
		if c.at != "" {
			one = two
			press(a, c.at)
		}
		press(a, "g", c.key)
		if got := <-one; string(got[0].Result) != c.want {
			t.Errorf("%s %s: %+v", c.at, c.key, got)
		}
	}
	a := loopApp(t, dialogue(t), "add", 120, 36)
	done := ask(t, a, kinds()[2])
	press(a, "j")
	a.command("decline")
	if got := <-done; got[0].Result != nil || got[0].Code != client.CodeRejected || got[0].Reason != "User rejected sampling request" {
		t.Errorf("%+v", got)
	}
}

// TestUncheckedAnswer: S sends what violates the form, and text that is no JSON is never sent.
func TestUncheckedAnswer(t *testing.T) {
	a := loopApp(t, dialogue(t), "add", 120, 36)
	done := ask(t, a, kinds()[0])
	press(a, "j", "enter", "x", "esc", "S")
	if got := <-done; string(got[0].Result) != `{"action":"accept","content":{"nights":"2x"}}` {
		t.Errorf("%s", got[0].Result)
	}
	done = ask(t, a, kinds()[2])
	press(a, "v", "enter")
	typed(a, "{")
	press(a, "esc", "S")
	if len(a.asking.open) != 1 || !strings.Contains(a.notice, "nothing was sent") {
		t.Fatalf("%d wait: %s", len(a.asking.open), a.notice)
	}
	a.paste(`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"look","input":{}}],"model":"m","stopReason":"toolUse"}`)
	press(a, "s")
	if got := <-done; string(got[0].Result) != `{"content":[{"type":"tool_use","id":"1","name":"look","input":{}}],"role":"assistant","model":"m","stopReason":"toolUse"}` {
		t.Errorf("%s", got[0].Result)
	}
}

// TestQuestionTakesNothing: whoever types, looks at the wire or zooms is told in the status line only.
func TestQuestionTakesNothing(t *testing.T) {
	for _, c := range []struct {
		keys  []string
		focus Pane
		shown bool
	}{
		{[]string{"3", "enter"}, PaneCall, false}, {[]string{"5"}, PaneWire, true}, {[]string{"4", "z"}, PaneResult, false}, {[]string{"?"}, PaneCall, false}, {[]string{"/"}, PaneCall, false},
		{[]string{"2"}, PaneQuestion, true}, {[]string{"4"}, PaneQuestion, true},
	} {
		a := loopApp(t, dialogue(t), "add", 120, 36)
		press(a, c.keys...)
		done := ask(t, a, kinds()[1])
		if a.mode.Focus != c.focus || (a.lay.Panes[PaneQuestion].W > 0) != c.shown {
			t.Errorf("%v: the focus is on %s", c.keys, paneNames[a.mode.Focus])
		}
		if a.notice = ""; a.prompt.kind == promptNone && !strings.Contains(ansi.Strip(a.bottom()[0]), "waits for your answer") {
			t.Errorf("%v: not told: %s", c.keys, a.bottom()[0])
		}
		a.prompt.close()
		a.help = nil
		press(a, "esc", "7", "g", "D")
		if got := <-done; string(got[0].Result) != `{"action":"decline"}` {
			t.Errorf("%v: %+v", c.keys, got)
		}
	}
}

// TestQuestionGoesAway with a word, and the focus is where it was.
func TestQuestionGoesAway(t *testing.T) {
	a := loopApp(t, dialogue(t), "add", 120, 36)
	ctx, gone := context.WithCancelCause(t.Context())
	done := askUntil(ctx, a, kinds()[0])
	press(a, "j", "enter", "7")
	gone(client.ErrServerGone)
	<-done
	a.Update(questionMsg{})
	if !strings.Contains(a.notice, "went away: the server has gone") || a.mode.Focus != PaneCall || a.lay.Panes[PaneCall].W == 0 {
		t.Errorf("the focus is on %s: %s", paneNames[a.mode.Focus], a.notice)
	}
	if press(a, "7"); !strings.Contains(a.notice, "asks nothing") || a.mode.Focus != PaneCall {
		t.Error(a.notice)
	}
}

func TestGoingOnIsAsked(t *testing.T) {
	a := loopApp(t, dialogue(t), "add", 120, 36)
	q := questions.New(questions.Offer{})
	a.asking.queue = q
	said := make(chan bool)
	go func() { said <- q.GoOn(t.Context(), client.Question{Method: client.MethodToolsCall, ID: "5"}, 10) }()
	for len(q.Waiting()) == 0 {
		<-q.Changed()
	}
	a.Update(questionMsg{})
	if !strings.Contains(ansi.Strip(a.View()), "tools/call asked for input in 10 rounds and asks") {
		t.Error(a.View())
	}
	press(a, "j", "enter")
	if !<-said {
		t.Error("it did not go on")
	}
}

func TestOddAddresses(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.test/x": "", "http://a.test/": "no https", "https://a.test@b.test/": `"a.test" before the @`, "https://xn--a.test/": "Punycode",
		"https://раypal.test/": `U+0440`, "https://a.XN--b.test/": "Punycode (XN--b)",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(oddAddress(u), "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %s", raw, got)
		}
	}
}

func TestOfferCommands(t *testing.T) {
	a := loopApp(t, dialogue(t), "add", 120, 36)
	a.command("root add .")
	if !strings.Contains(a.notice, "recording") {
		t.Error(a.notice)
	}
	a.asking.queue = questions.New(questions.Offer{})
	dir := t.TempDir()
	for _, c := range [][2]string{
		{"root", "there are no roots"}, {"root add " + dir, "from the next start of the server on"}, {"root add " + dir, "is a root already"}, {"root", "1 root: " + dir},
		{"without roots sampling", "offered are elicitation (form, url), from the next start"}, {"root", "they are not offered"}, {"with roots", "roots (listChanged), from"},
		{"without root", "is no capability"}, {"root remove " + dir, "removed"}, {"root remove " + dir, "is no root"}, {"root drop x y", "root add DIR"}, {"root add /no/such", "is no directory"},
	} {
		a.command(c[0])
		if !strings.Contains(a.notice, c[1]) {
			t.Errorf("%s: %s", c[0], a.notice)
		}
	}
}

// TestAddressBeforeACall: an error that names an address is shown as one, its question asks for consent and
// sends nothing, and what the server says afterwards tells that the call can be sent again.
func TestAddressBeforeACall(t *testing.T) {
	failed := `"error":{"code":-32042,"message":"pay first","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://pay.test/x?n=1","message":"Pay, please.\u001b[31m"}]}}`
	a := loopApp(t, dialogue(t, [2]string{`add {"a":2,"b":2}`, failed}), "add", 160, 45)
	shown := says(a, PaneResult)
	for _, want := range []string{"PROTOCOL ERROR -32042", "nothing is opened from here, r sends it again", "url https://pay.test/x?n=1", "host pay.test", `Pay, please.\u001b[31m`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	last := a.snap.Last[a.subject()]
	q := client.Question{Method: client.MethodElicit, Key: "e1", ID: last.ID, Refused: true, Params: []byte(`{"mode":"url","elicitationId":"e1","url":"https://pay.test/x?n=1","message":"Pay, please."}`)}
	answered := ask(t, a, q)
	if got := says(a, PaneQuestion); !strings.Contains(got, "serves the call once you have been at an address") || !strings.Contains(got, "error -32042, which answered the request with id "+last.ID) {
		t.Error(got)
	}
	if got := says(a, PaneResult); !strings.Contains(got, "an address is to be opened before the call is served: 7 goes to the question") {
		t.Error(got)
	}
	press(a, "j", "s")
	if got := <-answered; string(got[0].Result) != `{"action":"accept"}` || !strings.Contains(a.notice, "open it yourself, then r sends the call again") {
		t.Errorf("%s: %s", got[0].Result, a.notice)
	}
	a.asking.queue.Complete("e1")
	a.Update(questionMsg{})
	if a.notice != "the server says that it is complete: https://pay.test/x?n=1; r sends the call again" {
		t.Error(a.notice)
	}
}
