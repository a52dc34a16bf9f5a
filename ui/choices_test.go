package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session/filter"
)

// proposed are the choices after a line was typed.
func proposed(a *app, key, line string) (out []string) {
	a.prompt.close()
	press(a, "5", key)
	a.prompt.input.SetValue("")
	for _, c := range line {
		press(a, map[bool]string{true: "space", false: string(c)}[c == ' '])
	}
	for _, c := range a.prompt.choices.list {
		out = append(out, c.text)
	}
	return out
}

func TestChoices(t *testing.T) {
	t.Setenv("MADE_UP_GREETING", "hello")
	t.Setenv("MADE_UP_TOKEN", "sesame")
	a := appOn(t, ended(t), "none", 160, 45)
	a.prompt.saved = []filter.Saved{{Name: "slow", Filter: "tool:add >1ms"}}
	for _, c := range []struct{ key, line, want string }{
		{"f", "", "method: tool: id: is: dir: stream: rule: level: >500ms size>1k re:/ @marked @all or not and @slow"},
		{"f", "is:p", "pending"},
		{"f", "tool:", "add boom slow wait"},
		{"f", "-(tool:a", "add"},
		{"f", "is:error or me", "method: notifications/message"},
		{"f", "method:tools", "tools/call"},
		{"f", "level:w", "warning"},
		{"f", "id:", "q2 7 q1 6 5 4 3 2 1"},
		{"f", "@s", "@slow"},
		{"f", `"me`, ""},
		{"f", "re:/me", ""},
		{"f", ">5", ""},
		{":", "unl", "unlisten"},
		{":", "rest", "restart"},
		{":", "call b", "boom"},
		{":", "log-level e", "error emergency debug notice alert"},
		{":", "export h", "html har"},
		{":", "filter tool:b", "boom"},
		{":", "filter sl", "slow @slow"},
		{":", "filter forget ", "slow"},
		{":", "save x.jsonl is:e", "error request response pending marked"},
		{":", "export md x.md is:m", "marked"},
		{":", "replay tool:bo", "boom"},
		{":", "pane w", "wire"},
		{":", "without sa", "sampling"},
		{":", "send tools/c", "tools/call"},
		{":", "history ", "clear"},
		{":", "root ", "add remove"},
		{":", "note x", ""},
		{":", "restart ", "-e"},
		{":", "restart -e PAT", "PATH="},
		{":", "restart -e PATH=/nowhere/els", ""},
		{":", "restart -e A=b ", "-e"},
		{":", "restart -e MADE_UP_GREE", "MADE_UP_GREETING="},
		{":", "restart -e MADE_UP_GREETING=", "MADE_UP_GREETING=hello"},
		{":", "restart -e MADE_UP_TOKEN=", ""},
		{":", "read city:{name}{?lang*} ", "name= lang="},
		{":", "play ", "1 2 8 60 0.5 0.1"},
		{":", "at ", "0.017s end"},
		{":", "export html a.html --", "--mask"},
		{":", "nothing x", ""},
	} {
		got := proposed(a, c.key, c.line)
		if strings.Join(got, " ") != c.want && (c.line == "" || !strings.HasPrefix(strings.Join(got, " "), c.want) || c.want == "") {
			t.Errorf("%s%s: %q, want %q", c.key, c.line, got, c.want)
		}
		exact(t, a, 160, 45)
	}
}

// TestMessagesAreProposed: what the row under the cursor sent is there to be changed, whole, whatever blanks it has,
// and so are the note on it and the pointers into it.
func TestMessagesAreProposed(t *testing.T) {
	const sent, later = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a b","arguments":{"text":"two words","api_key":"x"}}}`, `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"later"}}`
	a := appOn(t, made(t, "in:"+sent+"\n", "in:"+later+"\n"), "none", 160, 45)
	press(a, "5", "g", "j")
	ran(a, a.command("note why it is so"))
	for _, c := range []struct{ line, want string }{
		{"raw ", sent},
		{`raw {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a `, sent},
		{"send tools/call ", `{"name":"a b","arguments":{"text":"two words","api_key":"x"}}`},
		{`send tools/call {"name":"a b","arguments":{"text":"two w`, `{"name":"a b","arguments":{"text":"two words","api_key":"x"}}`},
		{"send tools/list ", ""},
		{"note ", "why it is so"},
		{"note why it", "why it is so"},
		{"export md x.md --mask /params/arg", "/params/arguments /params/arguments/text /params/arguments/api_key"},
	} {
		got := proposed(a, ":", c.line)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
		if verb := strings.Fields(c.line)[0]; len(got) == 1 && c.want != "" {
			press(a, "tab")
			if line := a.prompt.input.Value(); !strings.HasPrefix(line, verb+" ") || !strings.HasSuffix(line, " "+c.want) || len(line) > len(verb+" tools/call ")+len(c.want) {
				t.Errorf("%s: tab makes %q", c.line, line)
			}
		}
	}
	press(a, "esc", "5", "G") // the row under the cursor is another one
	if got := proposed(a, ":", "send tools/call "); len(got) != 1 || got[0] != `{"name":"later"}` {
		t.Errorf("of the row under the cursor: %q", got)
	}
	a.look.secrets = &recordings.Secrets{}
	a.look.secrets.Add("API_KEY", "two words")
	press(a, "esc", "5", "g", "j")
	if got := proposed(a, ":", "raw "); len(got) != 0 {
		t.Errorf("a secret is proposed: %q", got)
	}
}

// TestChoosing: tab and shift+tab go through the choices; nothing else is taken away from typing, and
// what was chosen filters at once.
func TestChoosing(t *testing.T) {
	a := appOn(t, ended(t), "none", 80, 24)
	press(a, "5", "f")
	typed(a, "tool:")
	if !strings.Contains(ansi.Strip(a.View()), "tab 4  add  boom  slow  wait") {
		t.Errorf("the choices are not shown:\n%s", a.View())
	}
	for _, c := range []struct{ key, want string }{{"tab", "tool:add"}, {"tab", "tool:boom"}, {"shift+tab", "tool:add"}, {"shift+tab", "tool:wait"}, {"tab", "tool:add"}} {
		press(a, c.key)
		if got := a.prompt.input.Value(); got != c.want {
			t.Errorf("%s writes %q, want %q", c.key, got, c.want)
		}
	}
	if judge(a); a.wire.filtered() != "tool:add" || a.wire.rows.len() != 4 {
		t.Errorf("%q lets %d rows pass", a.wire.filtered(), a.wire.rows.len())
	}
	if exact(t, a, 80, 24); !strings.Contains(ansi.Strip(a.View()), "tab 1 of 4  add  boom") {
		t.Errorf("what was chosen is not told:\n%s", a.View())
	}
	typed(a, " is:pe")
	press(a, "tab", "enter")
	if got := a.wire.filtered(); got != "tool:add is:pending" {
		t.Errorf("the filter is %q", got)
	}
	press(a, ":")
	typed(a, "call ad")
	press(a, "tab")
	typed(a, " a=1")
	if got := a.prompt.input.Value(); got != "call add a=1" {
		t.Errorf("the command is %q", got)
	}
	press(a, "left", "left", "left", "tab") // in the middle of a word nothing is proposed
	if got := a.prompt.input.Value(); got != "call add a=1" {
		t.Errorf("in the middle tab makes %q", got)
	}
}

// TestNamesAreQuoted: what is chosen is one word of the command line, one value of a filter.
func TestNamesAreQuoted(t *testing.T) {
	a := appOn(t, made(t, `in:{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet (it's)\u001b"}}`+"\n"), "none", 160, 45)
	proposed(a, "f", "tool:gr")
	press(a, "tab")
	x, err := filter.Parse(a.prompt.input.Value())
	if judge(a); err != nil || a.wire.rows.len() != 1 || x.Empty() {
		t.Errorf("%q: %v, %d rows pass", a.prompt.input.Value(), err, a.wire.rows.len())
	}
	if strings.Contains(a.View(), "\x1b)") {
		t.Error("a name is drawn as it came")
	}
	press(a, "enter")
	proposed(a, ":", "call gr")
	press(a, "tab")
	if c, err := parseCommand(a.prompt.input.Value()); err != nil || !slices.Equal(c.words, []string{"greet (it's)\x1b"}) && !strings.Contains(c.words[0], "greet (it's)") {
		t.Errorf("%q is read as %q, %v", a.prompt.input.Value(), c.words, err)
	}
}

// TestFilesAreProposed, read in a command, and one that comes late is dropped.
func TestFilesAreProposed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one.jsonl", "two words.txt", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := appOn(t, ended(t), "none", 160, 45)
	proposed(a, ":", "save "+dir+"/")
	a.Update(folderMsg{path: "elsewhere", names: []string{"late"}})
	a.Update(readFolder(dir))
	var got []string
	for _, c := range a.prompt.choices.list {
		got = append(got, strings.TrimPrefix(c.text, dir+"/"))
	}
	if !slices.Equal(got, []string{"inside/", "one.jsonl", "two words.txt"}) {
		t.Errorf("proposed are %q", got)
	}
	proposed(a, ":", "root add "+dir+"/")
	a.Update(readFolder(dir))
	if press(a, "tab"); a.prompt.input.Value() != "root add "+dir+"/inside/" {
		t.Errorf("tab makes %q", a.prompt.input.Value())
	}
}

// TestEveryKeyIsACommand: the name of each action is taken, does what the key does, and is proposed.
func TestEveryKeyIsACommand(t *testing.T) {
	names := proposed(appOn(t, ended(t), "none", 160, 45), ":", "")
	for _, b := range keyTable {
		if b.Scope != OnEdit && !slices.Contains(names, string(b.Action)) {
			t.Errorf("%s is not proposed", b.Action)
		}
		a := appOn(t, ended(t), "none", 160, 45)
		press(a, "5", "G", "k")
		a.notice = ""
		before := a.View() + a.notice
		cmd := a.command(string(b.Action))
		if strings.Contains(a.notice, "no command") || strings.Contains(a.notice, "METHOD") {
			t.Errorf("%s: %s", b.Action, a.notice)
		}
		a.Update(tickMsg{})
		idle := b.Action == actRight || b.Action == actLeft || b.Action == actBack || b.Action == actDown
		if a.View()+a.notice == before && cmd == nil && !a.leaving && !a.yank && !idle {
			t.Errorf("%s does nothing", b.Action)
		}
	}
}

// TestEveryCommandProposes: what takes words says which.
func TestEveryCommandProposes(t *testing.T) {
	for _, c := range commands() {
		if (c.words != "") != (c.next != nil) {
			t.Errorf("%s takes %q, and proposes: %t", c.name, c.words, c.next != nil)
		}
	}
}

// TestWordsOfACommand: free text may hold quotes that nobody closes.
func TestWordsOfACommand(t *testing.T) {
	a := appOn(t, ended(t), "none", 160, 45)
	press(a, "5", "g")
	ran(a, a.command("note it's odd"))
	if got := a.sess.Log().Markings(); len(got) != 1 || got[0].Note != "it's odd" {
		t.Errorf("the notes are %v", got)
	}
	for line, want := range map[string]string{"call it's": "quote", "fitler": "filter", "pane nowhere": "server, tools"} {
		if a.command(line); !strings.Contains(a.notice, want) {
			t.Errorf("%s: %s", line, a.notice)
		}
	}
	if a.command("pane wire"); a.mode.Focus != PaneWire {
		t.Error("pane wire does not go there")
	}
}

func TestSavedFilters(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	a := appOn(t, ended(t), "none", 160, 45)
	a.command("filter tool:add is:error or is:pending")
	judge(a)
	n := a.wire.rows.len()
	a.Update(a.command("filter save odd")())
	press(a, "5", "esc")
	b := appOn(t, ended(t), "none", 160, 45) // the next session
	b.Update(loadSaved())
	for _, line := range []string{"filter odd", "filter @odd", "filter (@odd)"} {
		b.command("filter @all")
		b.command(line)
		if judge(b); b.wire.rows.len() != n || n == 0 || strings.Contains(b.wire.filtered(), "@odd") {
			t.Errorf("%s: %d rows of %q", line, b.wire.rows.len(), b.wire.filtered())
		}
	}
	b.Update(b.command("filter save 9/x tool:add")())
	if !strings.Contains(b.notice, "no name") {
		t.Error(b.notice)
	}
	b.Update(b.command("filter forget odd")())
	if b.Update(b.command("filter forget odd")()); len(b.prompt.saved) != 0 || !strings.Contains(b.notice, "none are saved") {
		t.Errorf("%v: %s", b.prompt.saved, b.notice)
	}
}
