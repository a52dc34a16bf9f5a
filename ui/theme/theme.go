// Package theme holds the colours of the screen as ready SGR sequences. Nothing is conveyed by
// colour alone: every role is also a word or a mark in the text it paints.
package theme

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/ui/colour"
)

// Role is what a piece of text is for.
type Role uint8

const (
	Plain    Role = iota
	Title         // of a pane
	Border        // of a pane
	Focus         // title and border of the focused pane
	Cursor        // the row of the cursor in the focused pane
	Faint         // less important
	Bad           // errors
	Odd           // warnings and stray output
	Good          // success
	Sent          // from us
	Received      // from the server
	Stderr        // the server's stderr
	Life          // notes and process life
	Name          // of a tool, field or member
	Mark          // required marks, keys in the footer
	Header        // the header line
	Lit           // the bytes of what the cursor is on
	roleCount
)

// Theme paints roles.
type Theme struct {
	Name  string
	JSON  colour.Palette
	codes [roleCount]string
}

const reset = "\x1b[0m"

// Paint wraps one line of text that has been cleaned. Text that is painted already keeps its own
// colours and gets the role's back behind them.
func (t *Theme) Paint(r Role, s string) string {
	code := t.codes[r]
	if code == "" || s == "" {
		return s
	}
	if strings.Contains(s, reset) {
		s = strings.ReplaceAll(s, reset, reset+code)
	}
	return code + s + reset
}

// Names lists the themes for a message.
const Names = "ansi, dark, light, none"

// Pick returns a theme by name: ansi uses the sixteen colours of the terminal's own palette.
func Pick(name string) (*Theme, error) {
	switch name {
	case "", "ansi":
		return ansi(), nil
	case "dark":
		return indexed("dark", 81, 244, 203, 215, 114, 75, 141, 180, 223), nil
	case "light":
		return indexed("light", 25, 245, 160, 130, 28, 26, 91, 94, 53), nil
	case "none":
		t := &Theme{Name: "none"}
		t.codes[Cursor], t.codes[Focus], t.codes[Lit] = sgr("7"), sgr("1"), sgr("4")
		return t, nil
	}
	return nil, fmt.Errorf("unknown theme %q: there are %s", name, Names)
}

func sgr(code string) string { return "\x1b[" + code + "m" }

func ansi() *Theme {
	t := &Theme{Name: "ansi", JSON: colour.Palette{Key: sgr("36"), String: sgr("32"), Number: sgr("33"), Literal: sgr("35")}}
	t.codes = [roleCount]string{Title: sgr("1"), Border: sgr("90"), Focus: sgr("1;36"), Cursor: sgr("7"), Faint: sgr("90"), Bad: sgr("1;31"),
		Odd: sgr("33"), Good: sgr("32"), Sent: sgr("34"), Received: sgr("36"), Stderr: sgr("33"), Life: sgr("35"), Name: sgr("1"), Mark: sgr("1;36"), Header: sgr("1"), Lit: sgr("4;36")}
	return t
}

// indexed makes a theme of the 256 colours, for backgrounds that are known to be dark or light.
func indexed(name string, accent, faint, bad, odd, good, sent, life, err, text int) *Theme {
	c := func(n int) string { return sgr(fmt.Sprintf("38;5;%d", n)) }
	t := &Theme{Name: name, JSON: colour.Palette{Key: c(accent), String: c(good), Number: c(odd), Literal: c(life)}}
	t.codes = [roleCount]string{Title: sgr("1"), Border: c(faint), Focus: sgr(fmt.Sprintf("1;38;5;%d", accent)), Cursor: sgr("7"), Faint: c(faint),
		Bad: sgr(fmt.Sprintf("1;38;5;%d", bad)), Odd: c(odd), Good: c(good), Sent: c(sent), Received: c(accent), Stderr: c(err), Life: c(life),
		Name: sgr(fmt.Sprintf("1;38;5;%d", text)), Mark: sgr(fmt.Sprintf("1;38;5;%d", accent)), Header: sgr("1"), Lit: sgr(fmt.Sprintf("4;38;5;%d", accent))}
	return t
}
