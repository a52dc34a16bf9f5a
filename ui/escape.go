package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// escapeFilter swallows what is left of an escape sequence that a slow line cut in two: its end
// would arrive as letters, and a cursor report would restart the server.
type escapeFilter struct {
	broken  time.Time // when a sequence was cut; zero for no
	pending bool
}

// brokenGrace is how long the end of a cut sequence may take. Nothing here asks the terminal
// anything (package quiet), so no late answers are to be expected beside those of others.
const brokenGrace = 100 * time.Millisecond

// pass reports whether a key is one that a person pressed.
func (f *escapeFilter) pass(key tea.KeyMsg, now time.Time) bool {
	name := keyText(key)
	if f.pending && now.Sub(f.broken) > brokenGrace {
		f.pending = false
	}
	switch {
	case name == "alt+[" || name == "alt+]" || name == "alt+O":
		f.pending, f.broken = true, now
		return false
	case f.pending:
		f.broken = now
		if r := []rune(name); len(r) >= 1 && final(r[len(r)-1]) {
			f.pending = false
		}
		return false
	}
	return true
}

// final reports whether r ends a control sequence (ECMA-48: 0x40 to 0x7E).
func final(r rune) bool { return r >= '@' && r <= '~' }

// keyText names a key the way the key table does.
func keyText(key tea.KeyMsg) string {
	if key.Paste {
		return "paste"
	}
	if s := key.String(); s == " " {
		return "space"
	} else if s != "" {
		return s
	}
	return "unknown"
}

// runes are the characters a key message brought; several when a key was held or pasted.
func runes(key tea.KeyMsg) []rune {
	if key.Type == tea.KeyRunes || key.Type == tea.KeySpace {
		return key.Runes
	}
	return nil
}
