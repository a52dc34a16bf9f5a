package ui

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// TestNoSecretIsDrawn puts a secret into every text of a server that the screen shows: no part of
// it that is long enough to tell is drawn in any pane at any width.
func TestNoSecretIsDrawn(t *testing.T) {
	secret := "s3cr3t." + strings.Repeat("abcdefgh", 90) // longer than what a row of the log carries
	const part = "s3cr3t.a"
	var file bytes.Buffer
	w := recordings.NewWriter(&file)
	w.Head(recordings.Head{Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "/bin/server")
	say := func(ch recordings.Channel, format string, args ...any) {
		w.Bytes(0, ch, []byte(strings.ReplaceAll(fmt.Sprintf(format, args...), "SECRET", secret)+"\n"))
	}
	say(recordings.In, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`)
	say(recordings.Out, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"x SECRET":{}},"serverInfo":{"name":"SECRET","title":"SECRET","version":"SECRET"},"instructions":"SECRET and SECRET"}}`)
	w.Ctl(0, "era", recordings.Text("text", "because "+secret), recordings.JSON("data", []byte(`{"revision":"2025-06-18"}`)))
	say(recordings.In, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	say(recordings.Out, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"SECRET","title":"the SECRET","description":"says SECRET here","inputSchema":{"type":"object","required":["a"],"properties":{`+
		`"a":{"type":"string","title":"SECRET","description":"give SECRET please","default":"SECRET","pattern":"SECRET","format":"SECRET"},"SECRET":{"type":"string"},"e":{"enum":["SECRET","other"],"default":"SECRET"},"c":{"const":"SECRET"}}}}]}}`)
	say(recordings.In, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"SECRET","arguments":{"a":"SECRET"}}}`)
	say(recordings.Out, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"SECRET"},{"type":"image","mimeType":"SECRET","data":"*"},{"type":"SECRET"}],"structuredContent":{"SECRET":"SECRET"},"_meta":{"SECRET":1},"SECRET":{"a":1}}}`)
	say(recordings.Out, "SECRET")
	say(recordings.Err, "SECRET")
	say(recordings.Out, `{"jsonrpc":"2.0","id":"SECRET","result":{}}`)
	say(recordings.Out, `{"jsonrpc":"2.0","method":"SECRET"}`)
	say(recordings.In, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"SECRET"}}`)
	say(recordings.Out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":1,"message":"SECRET"}}`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, size := range [][2]int{{160, 45}, {80, 24}, {100, 60}, {400, 100}, {60, 20}} {
		th, err := theme.Pick("none")
		if err != nil {
			t.Fatal(err)
		}
		hide := &recordings.Secrets{}
		hide.Add("NAME", secret)
		ctx, stop := context.WithCancelCause(t.Context())
		defer stop(nil)
		a := newApp(ctx, stop, Options{Session: s}, look{Theme: th, glyphs: text.Unicode, secrets: hide}, make(chan error, 1), nil)
		a.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		look := func(what string) {
			drawn++
			exact(t, a, size[0], size[1])
			screen := ansi.Strip(a.View())
			if i := strings.Index(screen, part); i >= 0 {
				t.Fatalf("%s at %dx%d: %q\n%s", what, size[0], size[1], screen[max(0, i-40):i+20], screen)
			}
			for at := 0; at+8 < len(secret); at += 8 { // wrapped pieces
				if strings.Contains(screen, secret[at:at+9]) {
					t.Fatalf("%s at %dx%d draws %q\n%s", what, size[0], size[1], secret[at:at+9], screen)
				}
			}
		}
		a.Update(tickMsg{})
		look("the beginning")
		for _, pane := range []string{"1", "2", "3", "4", "5", "6"} {
			press(a, pane)
			look("pane " + pane)
			for range 15 {
				press(a, "j")
				look("pane " + pane + " below")
			}
			press(a, "l", "l")
			look("pane " + pane + " to the right")
		}
		press(a, "3", "v")
		look("the form as JSON")
		press(a, "v", "g", "S")
		look("sending")
		press(a, "esc", "5", "g")
		for range 16 {
			press(a, "j", "v")
			look("a row")
		}
		a.say("notice of %s", secret)
		look("a notice")
		a.prompt.confirm(secret+" says that it is destructive", nil)
		look("a question")
	}
	if drawn < 500 {
		t.Errorf("only %d frames", drawn)
	}
}
