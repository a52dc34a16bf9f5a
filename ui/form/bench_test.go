package form

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// wide is a schema of many properties of every scalar kind.
func wide(n int) []byte {
	var s strings.Builder
	s.WriteString(`{"type":"object","required":["p000"],"properties":{`)
	for i := range n {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, `"p%03d":{"type":"%s","description":"property %d of many"}`, i, []string{"string", "integer", "boolean"}[i%3], i)
	}
	s.WriteString("}}")
	return []byte(s.String())
}

// BenchmarkReady is from the schema's bytes to the first frame of 500 rows.
func BenchmarkReady(b *testing.B) {
	raw := wide(500)
	th, _ := theme.Pick("ansi")
	for b.Loop() {
		f := New(raw)
		f.ToggleOptional()
		f.View(th, text.Unicode, 80, 40, true)
	}
}

// BenchmarkKeystroke is one letter in a field among 500 rows, and the frame after it.
func BenchmarkKeystroke(b *testing.B) {
	f := New(wide(500))
	f.ToggleOptional()
	f.goTo("/p300")
	f.Edit()
	th, _ := theme.Pick("ansi")
	for b.Loop() {
		f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
		f.View(th, text.Unicode, 80, 40, true)
		f.input.SetValue("")
	}
}

// BenchmarkNextField is leaving one field for the next among 500 rows.
func BenchmarkNextField(b *testing.B) {
	f := New(wide(500))
	f.ToggleOptional()
	th, _ := theme.Pick("ansi")
	i := 0
	for b.Loop() {
		f.goTo("/p300")
		f.Edit()
		i++
		f.input.SetValue(fmt.Sprint(i))
		f.Advance(false)
		f.View(th, text.Unicode, 80, 40, true)
	}
}
