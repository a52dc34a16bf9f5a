//go:build !windows

package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// TestNothingOfAServerReachesTheClipboard: a server that says the sequence for it in its name, its
// lists, a result, a log message, stderr and stray text gets nothing there, on whatever pane and by
// whatever key it is looked at. The keys that copy do, once each, and what they copy is no sequence.
func TestNothingOfAServerReachesTheClipboard(t *testing.T) {
	t.Parallel()
	const evil = `\u001b]52;c;ZXZpbA==\u0007`
	const evil8 = `\u009d52;c;ZXZpbA==\u009c`
	script := `{"case":"clipboard","era":"2025-06-18"}
{"defaults":{"name":"n` + evil + `","instructions":"i` + evil + evil8 + `","tools":[{"name":"t` + evil + `","title":"x` + evil8 + `","description":"d` + evil + `","inputSchema":{"type":"object","properties":{"p` + evil + `":{"type":"string","description":"` + evil + `"}}}}],"resources":[{"uri":"x:` + evil + `","name":"r` + evil + `"}],"capabilities":{"tools":{},"resources":{},"logging":{}}}}
{"expect":"notifications/initialized"}
{"stderr":"e` + evil + `\n"}
{"raw":"stray` + evil + `\n"}
{"notify":{"method":"notifications/message","params":{"level":"info","data":"m` + evil + `"}}}
{"on":"tools/call","steps":[{"reply":{"content":[{"type":"text","text":"result` + evil + evil8 + ` end"}]}}]}
`
	path := filepath.Join(t.TempDir(), "clipboard.jsonl")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"XDG_STATE_HOME=" + t.TempDir(), "NO_COLOR=", "TMUX=", "DISPLAY=", "WAYLAND_DISPLAY="} // no clipboard but the terminal's
	s := screentest.Start(t, 160, 45, env, programs.Build(t, "."), "--", programs.Build(t, "testdata/player"), path)
	s.Wait("2025-06-18", "stray")
	s.Keys("2gj\r")
	s.Keys("\x13") // sends the call
	s.Wait("result")
	for _, pane := range []string{"1", "2", "4", "5", "6"} {
		s.Keys(pane)
		for _, key := range []string{"G", "g", "j", "l", "h", "\r", "z", "z", "?", "\x1b", "!", "\x1b"} {
			s.Keys(key)
		}
	}
	s.Keys("5G")
	command(s, "set")
	s.Keys("\x1b")
	s.Wait("5 Wire")
	copies := func() int { return strings.Count(s.Raw(), "\x1b]52;") + strings.Count(s.Raw(), "\u009d") }
	if n := copies(); n > 0 {
		t.Errorf("%d sequences for the clipboard reached the terminal", n)
	}
	s.Keys("5") // once more: one that came right behind an escape was alt+5
	s.Wait("f filter")
	from := len(s.Raw())
	s.Keys("yy")
	s.Drawn(from, "\x1b]52;")
	if n := copies(); n != 1 {
		t.Errorf("%d sequences, not the one of the key", n)
	}
}
