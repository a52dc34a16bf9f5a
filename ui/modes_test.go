package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// textModes are where keys are text, with the keys that lead there.
var textModes = map[string][]string{
	"command": {":"},
	"search":  {"5", "/"},
	"filter":  {"5", "f"},
	"field":   {"2", "g", "j", "enter", "g", "enter"},
}

// TestLettersAreTextInTextModes: no letter of the key table acts where keys are text, and what is
// pasted goes in as it is, one line where there is one.
func TestLettersAreTextInTextModes(t *testing.T) {
	s := rich(t)
	for name, keys := range textModes {
		var typed strings.Builder
		a := appOn(t, s, "none", 160, 45)
		press(a, keys...)
		for _, b := range keyTable {
			for _, k := range b.Keys {
				if len([]rune(k)) != 1 || strings.Contains(typed.String(), k) {
					continue
				}
				a.Update(keyMsg(k))
				typed.WriteString(k)
			}
		}
		if a.leaving || a.help != nil {
			t.Errorf("%s: a letter acted", name)
		}
		got := a.prompt.input.Value()
		if name == "field" {
			press(a, "esc")
			v, _, _ := a.call.form.Value()
			if text, ok := v.At("/text"); ok {
				got = text.Text
			}
		}
		if want := typed.String(); got != want {
			t.Errorf("%s: %q was typed and is %q", name, want, got)
		}
	}
}

// TestNothingTypedAtOnceDoesHarm: pastes and cut sequences send nothing, end nothing and restart nothing, in whatever mode they come.
func TestNothingTypedAtOnceDoesHarm(t *testing.T) {
	s := rich(t)
	modes := map[string][]string{"help": {"?"}, "findings": {"!"}, "yank": {"y"}, "zoom": {"z"}}
	for p := PaneServer; p < PaneQuestion; p++ {
		modes[paneNames[p]] = []string{string('0' + rune(p))}
	}
	for name, keys := range textModes {
		modes[name] = keys
	}
	runes := func(s string, paste bool) tea.KeyMsg {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: paste}
	}
	alt := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: true} }
	hasty := map[string][]tea.KeyMsg{
		"a paste of commands":     {runes("R\nq\ns\n:q\n", true)},
		"a paste of one letter":   {runes("q", true)},
		"a paste of controls":     {runes("\x1b[31m\x03\x13q", true)},
		"a cut cursor report":     {alt('['), runes("24;80", false), runes("R", false)},
		"a cut function key":      {alt('O'), runes("R", false)},
		"a word":                  {runes("Restart", false)},
		"a word of keys":          {runes("squeeze", false)},
		"a name":                  {runes("xyRSWDX", false)},
		"an address":              {runes("https://x.y/SRq", false)},
		"a token":                 {runes("sk-R12q_s", false)},
		"a held key that sends":   {runes("sss", false)},
		"a late answer of colour": {alt(']'), runes("11;rgb:0/0/0", false), keyMsg("ctrl+g")},
	}
	modes["form"] = []string{"2", "g", "j", "enter", "esc"}
	for name, keys := range modes {
		for what, msgs := range hasty {
			a := appOn(t, s, "none", 120, 36)
			press(a, keys...)
			calls, rows := a.calls, a.sess.Log().Len()
			given, _, _ := a.call.value()
			for _, m := range msgs {
				if passed := a.filter(a, m); passed != nil {
					a.Update(passed)
				}
			}
			if a.leaving || a.calls != calls || a.sess.Log().Len() != rows || a.notice == restarting {
				t.Errorf("%s: %s did something: %q", name, what, a.notice)
			}
			if now, _, _ := a.call.value(); name != "field" && !strings.HasPrefix(string(now), strings.TrimSuffix(string(given), "}")) {
				t.Errorf("%s: %s changed %s to %s", name, what, given, now)
			}
			exact(t, a, 120, 36)
			plain(t, a)
		}
	}
}

// TestEveryKeyInEveryMode: where keys are text, are asked for, or go to what is in front, no key of the
// table sends, restarts or ends anything; ctrl+c, which holds everywhere, says first how to leave. Text
// is what it was but for what the keys of editing do.
func TestEveryKeyInEveryMode(t *testing.T) {
	s := rich(t)
	modes := map[string][]string{"help": {"?"}, "search in the help": {"?", "/"}, "findings": {"!"}, "yank": {"y"}, "search in a result": {"4", "/"}}
	for name, keys := range textModes {
		modes[name] = keys
	}
	keys := map[string]bool{}
	for _, b := range keyTable {
		for _, k := range b.Keys {
			keys[k] = true
		}
	}
	for name, path := range modes {
		for k := range keys {
			a := appOn(t, s, "none", 120, 36)
			press(a, path...)
			calls, rows := a.calls, a.sess.Log().Len()
			focus := a.mode.Focus
			a.Update(keyMsg(k))
			if a.leaving && !(k == "q" && (name == "help" || name == "findings")) || a.calls != calls || a.sess.Log().Len() != rows || a.notice == restarting {
				t.Errorf("%s: %s did something: %q", name, k, a.notice)
			}
			if _, isText := textModes[name]; isText && len([]rune(k)) == 1 && a.mode.Focus != focus {
				t.Errorf("%s: %s changed the pane", name, k)
			}
			exact(t, a, 120, 36)
			plain(t, a)
		}
	}
}
