package editor

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// run gives an editor a list of keys; what is no key is typed.
func run(e *Editor, keys ...string) {
	for _, k := range keys {
		if len(k) == 1 || !e.Key(k) {
			e.Insert(k)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name, text string
		json       bool
		keys       []string
		want       string
		line, col  int
	}{
		{"type", "", false, []string{"a", "é", "東"}, "aé東", 1, 4},
		{"break and join", "ab", false, []string{"right", "enter", "backspace", "end", "c"}, "abc", 1, 4},
		{"delete joins", "a\nb", false, []string{"end", "delete"}, "ab", 1, 2},
		{"a cluster is one character", "e\u0301x", false, []string{"right", "backspace"}, "x", 1, 1},
		{"left over the line break", "a\nb", false, []string{"down", "left", "!"}, "a!\nb", 1, 3},
		{"up and down keep the column", "long line\n\nlong line", false, []string{"end", "down", "down", "!"}, "long line\n\nlong line!", 3, 11},
		{"indent in JSON", `{`, true, []string{"end", "enter", `"a": [`, "enter", "1"}, "{\n  \"a\": [\n    1", 3, 6},
		{"words", "one two three", false, []string{"end", "ctrl+w", "ctrl+left", "ctrl+k"}, "one ", 1, 5},
		{"to the start", "abc", false, []string{"end", "left", "ctrl+u"}, "c", 1, 1},
		{"undo and redo", "", false, []string{"ab", "enter", "cd", "ctrl+z", "ctrl+z", "ctrl+y"}, "ab\n", 2, 1},
		{"paste of other line ends", "", false, []string{"a\r\nb\rc"}, "a\nb\nc", 3, 2},
		{"nothing to take back", "x", false, []string{"ctrl+home", "backspace", "ctrl+z"}, "x", 1, 1},
	} {
		e := New(c.text)
		e.JSON = c.json
		for _, k := range c.keys {
			if k == "ctrl+z" || k == "ctrl+y" {
				e.Key(k)
				continue
			}
			run(e, k)
		}
		line, col := e.Place()
		if e.Text() != c.want || line != c.line || col != c.col {
			t.Errorf("%s: %q at %d:%d, want %q at %d:%d", c.name, e.Text(), line, col, c.want, c.line, c.col)
		}
	}
}

func TestLoadedBytesStay(t *testing.T) {
	const odd = "a\r\nb\xff\tc\x1b[31m"
	e := New(odd)
	run(e, "down", "end", "left", "x", "backspace", "up")
	if e.Text() != odd {
		t.Errorf("%q became %q", odd, e.Text())
	}
}

// FuzzEditor: whatever is typed, the frame has its size, holds no control byte but our own colours,
// and undo leads back to the beginning.
func FuzzEditor(f *testing.F) {
	keys := strings.Fields("left right up down home end pgup pgdown enter tab backspace delete ctrl+w ctrl+k ctrl+u ctrl+left ctrl+right ctrl+home ctrl+end ctrl+z ctrl+y")
	f.Add("{\n \"a\": \"東\u0301\xff\"\n}", []byte("\x00\x05\x0aabc\xff\x83"))
	ansiTheme, err := theme.Pick("ansi")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, start string, typed []byte) {
		e := New(start)
		e.JSON = len(start)%2 == 0
		for _, b := range typed[:min(len(typed), undoSteps)] {
			if int(b) < len(keys) {
				e.Key(keys[b])
			} else {
				e.Insert(string([]byte{b}))
			}
			w, h := 1+int(b)%40, 1+int(b)%7
			lines := e.View(ansiTheme, text.Unicode, w, h, true)
			if len(lines) != h {
				t.Fatalf("%d lines, want %d", len(lines), h)
			}
			for _, l := range lines {
				if plain := ansi.Strip(l); ansi.StringWidth(plain) != w || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("a line of %d cells, want %d: %q", ansi.StringWidth(plain), w, plain)
				}
			}
		}
		for e.Undo() {
		}
		if e.Text() != start {
			t.Errorf("undo ends at %q, began with %q", e.Text(), start)
		}
	})
}

func BenchmarkKeystroke(b *testing.B) {
	e := New(strings.Repeat("  \"name\": \"value\",\n", 5000))
	e.JSON = true
	e.Go(2500, 10)
	th, _ := theme.Pick("ansi")
	for b.Loop() {
		e.Insert("x")
		e.View(th, text.Unicode, 80, 30, true)
	}
}
