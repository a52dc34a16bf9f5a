package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/session"
)

// rich is a session in which every pane has more to show than fits.
func rich(t testing.TB) *session.Session {
	long := ""
	for i := range 40 {
		long += fmt.Sprintf("word%d ", i)
	}
	var tools, rows, blocks, instructions strings.Builder
	for i := range 40 {
		if i < 18 { // the form of each costs time
			fmt.Fprintf(&tools, `,{"name":"tool-%02d-with-a-name-that-no-column-holds","description":%q,"inputSchema":{"type":"object","properties":{"text":{"type":"string"},"list":{"type":"array","items":{"type":"string"}},"kind":{"enum":["a","b"]}%s},"required":["text"]}}`, i, long, strings.Repeat(fmt.Sprintf(`,"p%d":{"type":"integer"}`, i), 1))
		}
		instructions.WriteString(strings.Repeat(fmt.Sprintf("a word of line %d ", i), 20) + `\n`)
		fmt.Fprintf(&blocks, `,{"type":"text","text":"%s"}`, strings.Repeat(fmt.Sprintf("a word of block %d ", i), 20))
		fmt.Fprintf(&rows, "err:line %d %s\n", i, long)
	}
	chunks := []string{
		`in:{"jsonrpc":"2.0","id":1,"method":"server/discover"}` + "\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"` + instructions.String() + `","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"rich","version":"1"}}}}` + "\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n",
		`out:{"jsonrpc":"2.0","id":2,"result":{"tools":[` + tools.String()[1:] + `]}}` + "\n",
		`in:{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"tool-01-with-a-name-that-no-column-holds","arguments":{"text":"x"}}}` + "\n",
		`out:{"jsonrpc":"2.0","id":3,"result":{"content":[` + blocks.String()[1:] + `],"structuredContent":{"a":"` + long + `"}}}` + "\n",
	}
	for _, row := range strings.SplitAfter(rows.String(), "\n") {
		if row != "" {
			chunks = append(chunks, row)
		}
	}
	return made(t, append(chunks, "out:a stray line\n", `out:{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":["`+strings.Repeat(long+`","`, 30)+`"]}}`+"\n")...)
}

// TestHelpMovesAndSearches with the usual keys.
func TestHelpMovesAndSearches(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 80, 24)
	press(a, "?")
	a.View()
	cursor := func() int { return a.help.lines.list.Cursor() }
	for _, c := range []struct {
		key  string
		want func(was, now int) bool
	}{
		{"j", func(was, now int) bool { return now == was+1 }}, {"k", func(was, now int) bool { return now == was-1 }},
		{"down", func(was, now int) bool { return now == was+1 }}, {"up", func(was, now int) bool { return now == was-1 }},
		{"ctrl+d", func(was, now int) bool { return now > was+5 }}, {"pgdown", func(was, now int) bool { return now > was+10 }},
		{"pgup", func(was, now int) bool { return now < was-10 }}, {"ctrl+u", func(was, now int) bool { return now < was-5 }},
		{"G", func(was, now int) bool { return now == len(a.help.lines.lines)-1 }}, {"g", func(was, now int) bool { return now == 0 }},
		{"end", func(was, now int) bool { return now == len(a.help.lines.lines)-1 }}, {"home", func(was, now int) bool { return now == 0 }},
	} {
		was := cursor()
		if press(a, c.key); !c.want(was, cursor()) {
			t.Errorf("%s: from %d to %d", c.key, was, cursor())
		}
	}
	at := func() string { return a.help.lines.lines[cursor()].text }
	press(a, "/", "f", "o", "l", "l", "o", "w")
	if !strings.Contains(a.View(), "/follow") || a.help == nil {
		t.Errorf("what is typed is not shown:\n%s", a.View())
	}
	press(a, "enter")
	if !strings.Contains(at(), "follow the newest row") || !strings.Contains(a.View(), "> ") && a.help == nil {
		t.Errorf("the search found %q", at())
	}
	press(a, "/", "r", "o", "w", "enter")
	first := at()
	press(a, "n")
	second := at()
	if press(a, "N"); at() != first || first == second {
		t.Errorf("n and N go from %q to %q and back to %q", first, second, at())
	}
	press(a, "/", "q", "x", "q", "enter")
	if !strings.Contains(a.View(), `"qxq" is not in the help`) {
		t.Errorf("that there is none is not told:\n%s", a.View())
	}
	if press(a, "esc"); a.help != nil {
		t.Error("esc does not close it")
	}
}

// TestHelpListsEveryKey of the table, under where it holds.
func TestHelpListsEveryKey(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 200, 24)
	press(a, "?")
	var all strings.Builder
	for _, l := range a.help.lines.lines {
		all.WriteString(l.text + "\n")
	}
	for _, b := range keyTable {
		section := all.String()[strings.Index(all.String(), string(b.Scope)):]
		for _, k := range b.Keys {
			if !strings.Contains(section, k) || !strings.Contains(section, b.Help) {
				t.Errorf("%s is not listed for %s", k, b.Scope)
			}
		}
	}
}

// TestWhatIsSaidIsWholeAt80Columns: notices, questions, errors and the help are laid out, not cut.
func TestWhatIsSaidIsWholeAt80Columns(t *testing.T) {
	screen := func(a *app) string {
		a.dirty = true
		exact(t, a, 80, 24)
		var words []string
		for _, l := range strings.Split(strings.ReplaceAll(ansi.Strip(a.View()), "│", ""), "\n") {
			words = append(words, strings.Fields(l)...)
		}
		return strings.Join(words, " ")
	}
	long := "it begins and " + strings.Repeat("goes on and ", 12) + "it ends"
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 80, 24)
	a.say("%s", long)
	if !strings.Contains(screen(a), long) {
		t.Errorf("a notice is cut:\n%s", a.View())
	}
	a.prompt.confirm(long, nil)
	if !strings.Contains(screen(a), long+" y yes, any other key no") {
		t.Errorf("a question is cut:\n%s", a.View())
	}
	press(a, "n", "5", "f")
	typed(a, "is:x")
	if !strings.Contains(screen(a), "finding, marked") {
		t.Errorf("an error is cut:\n%s", a.View())
	}
	press(a, "esc", "?")
	all := ""
	for range keyTable {
		press(a, "pgdown")
		all += screen(a)
	}
	for _, b := range keyTable {
		if !strings.Contains(all, strings.Join(strings.Fields(b.Help), " ")) {
			t.Errorf("the help of %v is cut", b.Keys)
		}
	}
}
