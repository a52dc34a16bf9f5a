package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// restartCommand is :restart [-e NAME=VALUE]...: what is set holds for every later start, too.
func (a *app) restartCommand(words []string) tea.Cmd {
	var set []string
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch {
		case word == "-e" || word == "--env":
			if len(words) == 0 {
				a.say("restart -e NAME=VALUE sets a variable of the server's environment")
				return nil
			}
			word, words = words[0], words[1:]
		case strings.HasPrefix(word, "--env="):
			word = strings.TrimPrefix(word, "--env=")
		case strings.HasPrefix(word, "-e") && len(word) > len("-e"):
			word = strings.TrimPrefix(word, "-e")
		default:
			a.say("restart %s: it takes -e NAME=VALUE only", word)
			return nil
		}
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" || strings.ContainsRune(word, 0) {
			a.say("restart -e %s: NAME=VALUE sets a variable", name)
			return nil
		}
		if a.look.secrets != nil {
			a.look.secrets.Add(name, value)
		}
		set = append(set, word)
	}
	if len(set) > 0 && a.startable() {
		if t := a.sess.Target(); t.Remote() {
			a.say("a server at an address is not started from here: it has its environment already")
			return nil
		}
		a.sess.Environ(set...)
	}
	return a.restart()
}
