package ui

import (
	"testing"

	"github.com/charmbracelet/bubbles/textinput"
)

// BenchmarkChoices is one letter in a filter and in the command line, with what is proposed for it,
// over a log of a thousand rows and one of a million.
func BenchmarkChoices(b *testing.B) {
	for name, n := range map[string]int{"1k": 333, "1M": 333_333} {
		a := appOn(b, busy(b, n), "ansi", 160, 45)
		for _, line := range []string{"me", "tool:t", "id:3", "rule:s"} {
			b.Run(name+"/"+line, func(b *testing.B) {
				press(a, "5")
				a.prompt.open(promptFilter)
				a.prompt.input = textinput.New()
				a.prompt.input.SetValue(line)
				for b.Loop() {
					a.chooseAnew()
					a.choosing()
				}
				a.prompt.close()
			})
		}
	}
}
