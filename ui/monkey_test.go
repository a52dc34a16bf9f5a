package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/script"
)

// foul is text that a server may put anywhere: escape sequences, characters that turn the direction
// of text, take two cells, none, or are not characters at all. As it stands in JSON.
const foul = `\u001b[31m\u001b]0;x\u0007\u202e\u2066東京👩‍👩‍👧e\u0301\u0000\r\n\t\u0085\u009b2J\ud800\ufeff`

// hostile is a session of a server that puts foul text wherever there is a place for text, offers the
// same names twice, empty ones and long ones, and ends in the middle of a call.
func hostile(t testing.TB) *session.Session { return made(t, hostileChunks()...) }

func hostileChunks() []string { return hostileTexts(foul) }

// hostileTexts is what passes when a server puts a text, as it stands in JSON, into every place.
func hostileTexts(foul string) []string {
	long := strings.Repeat("long東", 4000)
	n := 0
	var chunks []string
	exchange := func(method, params, answer string) {
		n++
		chunks = append(chunks, fmt.Sprintf(`in:{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params), fmt.Sprintf(`out:{"jsonrpc":"2.0","id":%d,%s}`+"\n", n, answer))
	}
	exchange("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcpinspect","version":"1"}}`,
		`"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{},"`+foul+`":{}},"serverInfo":{"name":"`+foul+`","title":"`+foul+`","version":"`+long+`"},"instructions":"`+foul+`"}`)
	tool := `{"name":"%s","title":"` + foul + `","description":"` + foul + `","inputSchema":{"type":"object","properties":{"` + foul + `":{"type":"string","title":"` + foul + `","enum":["` + foul + `",""]},"":{"type":"object","properties":{"":{"type":"array"}}},"p":{"$ref":"#"},"list":{"type":"array","items":{"type":"integer"}}},"required":["` + foul + `"]},"outputSchema":{"type":"object","required":["` + foul + `"]}}`
	exchange("tools/list", `{}`, `"result":{"tools":[`+fmt.Sprintf(tool, foul)+","+fmt.Sprintf(tool, "")+","+fmt.Sprintf(tool, "twice")+","+fmt.Sprintf(tool, "twice")+","+fmt.Sprintf(tool, long)+`,null,{},7]}`)
	exchange("resources/list", `{}`, `"result":{"resources":[{"uri":"`+foul+`","name":"`+foul+`","mimeType":"`+foul+`"},{"uri":"","name":""},{"uri":"x:1","name":"`+long+`"},{"uri":"x:1","name":"again"}]}`)
	exchange("resources/templates/list", `{}`, `"result":{"resourceTemplates":[{"uriTemplate":"x:{`+foul+`}","name":"`+foul+`"},{"uriTemplate":"x:{a}{b*}{?c}","name":"t"},{"uriTemplate":"x:{","name":""}]}`)
	exchange("prompts/list", `{}`, `"result":{"prompts":[{"name":"`+foul+`","description":"`+foul+`","arguments":[{"name":"`+foul+`","description":"`+foul+`","required":true},{"name":""},{"name":""}]},{"name":""},{"name":"p","arguments":7}]}`)
	exchange("tools/call", `{"name":"twice","arguments":{"a":"`+foul+`"},"_meta":{"progressToken":"`+foul+`"}}`, `"result":{"content":[{"type":"text","text":"`+foul+`"},{"type":"`+foul+`"},{"type":"image","mimeType":"`+foul+`","data":"`+foul+`"},{"type":"resource_link","uri":"`+foul+`","name":"`+foul+`"}],"structuredContent":{"`+foul+`":"`+foul+`","`+foul+`":1e999,"n":12345678901234567890},"`+foul+`":1}`)
	exchange("tools/call", `{"name":"`+foul+`","arguments":{}}`, `"error":{"code":-32000,"message":"`+foul+`","data":"`+foul+`"}`)
	exchange("resources/read", `{"uri":"`+foul+`"}`, `"result":{"contents":[{"uri":"`+foul+`","mimeType":"application/json","text":"`+foul+`"},{"uri":"","blob":"`+foul+`"}]}`)
	exchange("prompts/get", `{"name":"`+foul+`"}`, `"result":{"description":"`+foul+`","messages":[{"role":"`+foul+`","content":{"type":"text","text":"`+foul+`"}},{"role":"user","content":[]}]}`)
	for _, level := range []string{"info", "emergency", foul, ""} {
		chunks = append(chunks, `out:{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"`+level+`","logger":"`+foul+`","data":"`+foul+`"}}`+"\n")
	}
	return append(chunks,
		`in:{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"","_meta":{"progressToken":90}}}`+"\n",
		`out:{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":90,"progress":1e300,"total":-1,"message":"`+foul+`"}}`+"\n",
		`out:{"jsonrpc":"2.0","id":"`+foul+`","method":"`+foul+`","params":{"`+foul+`":1}}`+"\n",
		"err:\x1b[31m\x1b]0;x\a\u202eerr 東京\x00\u009b2J\n", "out:\x1b[2J\u202estray 東\x00京\r\n", "out:{\"half\n", "out:no line end \x1b[")
}

// foulQuestions are questions of every kind in which all text is foul, and some that are no questions.
func foulQuestions(foul string) []client.Question {
	at := func(method, key, params string) client.Question {
		return client.Question{Method: method, Key: key, ID: "5", Params: []byte(strings.ReplaceAll(params, "FOUL", foul))}
	}
	return []client.Question{
		at(client.MethodElicit, "a\x1b[31m\u202e", `{"mode":"form","message":"FOUL","requestedSchema":{"type":"object","title":"FOUL","properties":{"FOUL":{"type":"string","title":"FOUL","description":"FOUL","default":"FOUL"},"":{"enum":["FOUL","",7],"enumNames":["FOUL"]},"n":{"type":"integer","default":"FOUL"},"l":{"type":"array","items":{"enum":["FOUL"]}},"b":{"type":"boolean"}},"required":["FOUL","nobody"]}}`),
		at(client.MethodElicit, "b", `{"mode":"url","message":"FOUL","elicitationId":"FOUL","url":"http://FOUL@FOUL/FOUL"}`),
		at(client.MethodElicit, "c", `{"mode":"form","message":"`+strings.Repeat("FOUL", 300)+`","requestedSchema":{"properties":7}}`),
		at(client.MethodSample, "d", `{"systemPrompt":"FOUL","messages":[{"role":"FOUL","content":{"type":"text","text":"FOUL"}},{"content":[{"type":"FOUL"},7,null]},9],"tools":[{"name":"FOUL","description":"FOUL","inputSchema":{"FOUL":[]}}],"FOUL":"FOUL"}`),
		at(client.MethodElicit, "e", `{"message":"","requestedSchema":{"type":"object","properties":{}}}`),
		at(client.MethodElicit, "", `{"message":7}`),
	}
}

var painted = regexp.MustCompile("\x1b\\[([0-9;]*m|[0-9]+G)")

// plain fails when a frame holds anything beside characters and colours.
func plain(t testing.TB, a *app) {
	t.Helper()
	for i, l := range strings.Split(painted.ReplaceAllString(a.View(), ""), "\n") {
		if !utf8.ValidString(l) {
			t.Fatalf("line %d is no UTF-8: %q", i, l)
		}
		for _, r := range l {
			tag := r >= 0xe0020 && r <= 0xe007f // of a flag
			if unicode.IsControl(r) || r != 0x200d && !tag && unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 {
				t.Fatalf("line %d holds %U: %q", i, r, l)
			}
		}
	}
}

// played is the screen on a recording that can be played.
func played(t testing.TB, text string, w, h int) *app {
	t.Helper()
	s, load, err := again(text)()
	if err == nil {
		err = load(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	a := appOn(t, s, "none", w, h)
	a.opts.Again = again(text)
	return a
}

// goTo moves the clock of the recording that is shown, and does what follows at once.
func goTo(t testing.TB, a *app, at time.Duration) {
	t.Helper()
	cmd := a.goAt(at, 0)
	if cmd == nil {
		return
	}
	m := cmd().(againMsg)
	load := make(chan error, 1)
	a.Update(m)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go func() { load <- m.load(ctx) }()
	for a.sess.Log().Len() == 0 || a.sess.Pace().At < at {
		<-a.sess.Changed()
	}
	a.Update(changedMsg{feed: a.feeds})
}

// TestNothingOfTheOldLogStays: a story, a ranking and the level of messages are of the log that was
// shown before the clock went back.
func TestNothingOfTheOldLogStays(t *testing.T) {
	for _, keys := range []string{"5 g j j t", "5 v o", "5 v v o o", "5 f"} {
		a := played(t, recorded(t, hostileChunks()...), 120, 36)
		press(a, strings.Fields(keys)...)
		if a.prompt.kind == promptFilter {
			typed(a, "method:tools/*")
			press(a, "enter")
		}
		want := a.wire.filtered()
		goTo(t, a, 4*time.Millisecond)
		switch {
		case a.wire.story != nil, a.wire.ranked != nil:
			t.Errorf("%s: a story or a ranking of the log before stays", keys)
		case a.wire.filtered() != want:
			t.Errorf("%s: the filter was %q and is %q", keys, want, a.wire.filtered())
		case a.wire.rows.len() > a.sess.Log().Len():
			t.Errorf("%s: %d rows of %d", keys, a.wire.rows.len(), a.sess.Log().Len())
		}
		plain(t, a)
		exact(t, a, 120, 36)
	}
}

// TestNameInTheTitleOfAStory is cleaned as anywhere.
func TestNameInTheTitleOfAStory(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {80, 24}} {
		a := appOn(t, hostile(t), "none", size[0], size[1])
		press(a, "5")
		for range a.sess.Log().Len() {
			press(a, "t")
			exact(t, a, size[0], size[1])
			plain(t, a)
			press(a, "esc", "k")
		}
	}
}

// TestNothingOfTheName: what is in no list is told, also where the list is not whole and never will
// be, as in a recording, or failed.
func TestNothingOfTheName(t *testing.T) {
	for _, lists := range []string{`{}`, `{"tools":{},"prompts":{}}`} {
		begun := []string{`in:{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n", `out:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":` + lists + `}}` + "\n"}
		failed := append(begun, `in:{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", `out:{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}`+"\n")
		for _, chunks := range [][]string{begun[:1], begun, failed} {
			for _, noun := range []string{"tool", "prompt"} {
				a := appOn(t, made(t, chunks...), "none", 120, 36)
				a.command(map[string]string{"tool": "call", "prompt": "prompt"}[noun] + " nobody a=1")
				if want := fmt.Sprintf("there is no %s %q among 0 %ss", noun, "nobody", noun); a.notice != want {
					t.Errorf("%q, not %q", a.notice, want)
				}
			}
		}
	}
}

// TestStoryIsShownWhileItIsRead: a piece at a time, however fast the server prints, and no further
// than the log went when the piece began.
func TestStoryIsShownWhileItIsRead(t *testing.T) {
	const stray = 2*storyPiece + 10
	a := appOn(t, made(t, `in:{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`+"\n", "out:"+strings.Repeat("y\n", stray)), "none", 120, 36)
	press(a, "5", "g", "j")
	story := a.sess.Log().Follow(1)
	if story == nil {
		t.Fatal("row 1 is no request")
	}
	v := &storyView{story: story}
	for _, want := range []int{storyPiece, 2 * storyPiece, stray + 1} {
		v.deliver(v.goOn(t.Context())().(storyMsg))
		if len(v.rows) != want {
			t.Fatalf("%d rows, not %d", len(v.rows), want)
		}
	}
	if v.goOn(t.Context()) != nil {
		t.Error("there is more to read")
	}
}

// TestNoPlanAnswersForThePerson: what a replay would send is not asked about while keys are text.
func TestNoPlanAnswersForThePerson(t *testing.T) {
	a := appOn(t, offering(t), "none", 120, 36)
	press(a, ":", "n")
	a.Update(plannedMsg{script: &script.Script{}})
	if press(a, "y"); a.prompt.kind != promptCommand || a.prompt.input.Value() != "ny" {
		t.Errorf("the prompt is %v with %q", a.prompt.kind, a.prompt.input.Value())
	}
}

// again makes the recording of a session anew, as :at and space need it.
func again(text string) Again {
	return func() (*session.Session, func(context.Context) error, error) {
		r, err := recordings.NewReader(strings.NewReader(text))
		if err != nil {
			return nil, nil, err
		}
		s := session.Recorded(r.Head(), session.Target{File: "made.jsonl", Recorded: true}, session.Options{Observers: []session.Observer{check.New()}})
		return s, func(ctx context.Context) error { return s.Load(ctx, r) }, nil
	}
}

// monkey presses keys at random and runs what they start, as far as that is done at once.
type monkey struct {
	*rand.Rand
	a    *app
	late chan tea.Msg
}

// patience is how long what a key started is waited for; what takes longer comes with a later key.
const patience = 2 * time.Millisecond

func (m *monkey) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		m.take(msg)
	case <-time.After(patience):
		go func() { m.late <- <-done }()
	}
}

func (m *monkey) take(msg tea.Msg) {
	switch x := msg.(type) {
	case nil, tickMsg, lookMsg, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range x {
			m.run(c)
		}
	default:
		_, cmd := m.a.Update(msg)
		m.run(cmd)
	}
}

// monkeyLines are what is typed at a prompt.
var monkeyLines = []string{"stats", "step", "at 3ms", "at end", "at 0", "play 100", "pause", "note a\u202eb", "note", "call nosuch", "call twice a=1", "prompt nosuch", "prompt p", "read x:{a} a=1", "read x:1", "read x:{",
	"listen", "unlisten", "task", "log-level info", "log-level x", "without sampling", "with sampling", "root add .", "root", "root remove .", "meta a=1", "meta", "filter is:finding", "filter (", "replay", "send ping", "notify x", "raw x", "history", "save-block", "story", "findings", "order", "diff", "nosuch", "東京 x", `"`}

// TestMonkey presses keys at random in every view of every kind of session, with questions that come
// and go: nothing panics, each frame is exactly as large as the terminal, and no byte of a server
// reaches it as it is.
func TestMonkey(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("VISUAL", "true")
	for _, v := range []string{"TMUX", "DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv(v, "")
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nowhere.Close() })
	var keys []string
	for _, b := range keyTable {
		for _, k := range b.Keys {
			if b.Action != actSuspend && b.Action != actQuit && b.Action != actYank {
				keys = append(keys, k)
			}
		}
	}
	keys = append(keys, "a", "7", "x", "backspace", "東", "enter", "esc", ":", ":", "/", "f", "5", "v", "2", "v", "7")
	sizes := [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}, {30, 8}, {29, 7}, {1, 1}, {200, 9}, {40, 60}}
	for _, c := range []struct {
		name string
		make func(testing.TB) *session.Session
	}{{"hostile", hostile}, {"offering", offering}, {"ended", ended}, {"rich", rich}, {"played", nil}} {
		t.Run(c.name, func(t *testing.T) {
			var s *session.Session
			if c.make != nil {
				s = c.make(t)
			}
			for seed := range uint64(4) {
				m := &monkey{rand.New(rand.NewPCG(seed, 7)), nil, make(chan tea.Msg, 4096)}
				size := sizes[m.IntN(len(sizes))]
				var a *app
				if s == nil { // what is put on its rows stays in it
					a = played(t, recorded(t, hostileChunks()...), size[0], size[1])
				} else {
					a = appOn(t, s, []string{"ansi", "none"}[seed%2], size[0], size[1])
				}
				m.a, a.out = a, &guard{w: nowhere}
				var pressed []string
				fail := func() {
					if cause := context.Cause(a.ctx); cause != nil && !a.leaving {
						t.Fatalf("seed %d, %v: %v", seed, pressed, cause)
					}
				}
				asked, stopAsking := context.WithCancel(t.Context())
				for step := range 150 {
					for drained := false; !drained; {
						select {
						case msg := <-m.late:
							m.take(msg)
						default:
							drained = true
						}
					}
					switch n := m.IntN(40); {
					case n == 0:
						size = sizes[m.IntN(len(sizes))]
						m.take(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
						pressed = append(pressed, fmt.Sprint(size))
					case n == 1:
						all := foulQuestions(foul)
						askUntil(asked, a, all[m.IntN(5)])
						pressed = append(pressed, "ASKED")
					case n == 2 && step > 20: // the server is gone
						stopAsking()
						asked, stopAsking = context.WithCancel(t.Context())
						pressed = append(pressed, "GONE")
					case a.prompt.kind == promptCommand:
						line := monkeyLines[m.IntN(len(monkeyLines))]
						m.take(keyMsg(line))
						m.take(keyMsg("enter"))
						pressed = append(pressed, line, "enter")
					default:
						k := keys[m.IntN(len(keys))]
						pressed = append(pressed, k)
						m.take(keyMsg(k))
					}
					fail()
					if a.leaving {
						break
					}
					if lines := strings.Split(a.View(), "\n"); len(lines) != size[1] {
						t.Errorf("seed %d: %v\n%s", seed, pressed, painted.ReplaceAllString(a.View(), ""))
					}
					exact(t, a, size[0], size[1])
					plain(t, a)
					fail()
					if t.Failed() {
						t.Fatalf("seed %d: %v", seed, pressed)
					}
				}
				stopAsking()
			}
		})
	}
}
