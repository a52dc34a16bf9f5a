package ui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// longestProposed is how long a message or its parameters may be to be proposed: a prompt is one line.
const longestProposed = 2000

// proposeRestart proposes -e, and the names of variables: of those that the server is started with, then of ours.
// A value is proposed only where its name does not call it secret.
func (a *app) proposeRestart(l *typedLine) {
	if len(l.before) == 0 || l.before[len(l.before)-1] != "-e" && l.before[len(l.before)-1] != "--env" {
		l.propose("-e", "NAME=VALUE: a variable of the server's environment")
		return
	}
	seen := map[string]bool{}
	for _, of := range []struct {
		list []string
		note string
	}{{a.sess.Variables(), "is set for the server"}, {os.Environ(), "is in our environment"}} {
		for _, kv := range slices.Backward(of.list) {
			name, value, _ := strings.Cut(kv, "=")
			if name == "" || seen[name] {
				continue
			}
			seen[name] = true
			if strings.HasPrefix(l.word, name+"=") && !recordings.NamesSecret(name) && a.look.mask(value) == value {
				l.propose(name+"="+value, of.note)
			} else if !strings.Contains(l.word, "=") {
				l.propose(name+"=", of.note)
			}
		}
	}
}

// ownRow is the message of ours on the row under the cursor of the wire, where it fits into a prompt.
func (a *app) ownRow() (session.Event, []byte, bool) {
	e, ok := a.sess.Log().Event(a.wire.selected())
	if !ok || e.Stream != client.In || e.Kept < e.Size || e.Size > longestProposed {
		return e, nil, false
	}
	body := a.sess.Log().Body(e.Seq).Bytes()
	return e, body, a.look.mask(string(body)) == string(body) // nothing secret is written into a prompt
}

// proposeRaw proposes the line of the row under the cursor, to be changed.
func (a *app) proposeRaw(l *typedLine) {
	if e, line, ok := a.ownRow(); ok {
		proposeLine(l, l.rest, strings.TrimRight(string(line), "\r\n"), fmt.Sprintf("as #%d", e.Seq))
	}
}

// proposeParams proposes the parameters of the row under the cursor, else of the latest message with the method.
func (a *app) proposeParams(l *typedLine) {
	method := l.before[0]
	_, typed, _ := strings.Cut(l.rest, " ")
	typed = strings.TrimLeft(typed, " ")
	log := a.sess.Log()
	propose := func(e *session.Event, line []byte) bool {
		params := client.Get(line, "params")
		if e.Method != method || len(params) == 0 {
			return false
		}
		proposeLine(l, typed, string(params), fmt.Sprintf("as #%d", e.Seq))
		return true
	}
	if e, line, ok := a.ownRow(); ok && propose(&e, line) {
		return
	}
	for seq := log.Len() - 1; seq >= max(log.First(), log.Len()-rowsProposed); seq-- {
		e, ok := log.Event(seq)
		if !ok || e.Stream != client.In || e.Method != method || e.Kept < e.Size || e.Size > longestProposed {
			continue
		}
		if line := log.Body(seq).Bytes(); a.look.mask(string(line)) == string(line) && propose(&e, line) {
			return
		}
	}
}

// rowsProposed is how many of the latest rows are looked at for a message with a method.
const rowsProposed = 500

// proposeNote proposes the note that is there, to be changed.
func (a *app) proposeNote(l *typedLine) {
	if e, ok := a.sess.Log().Event(a.wire.selected()); ok && e.Noted != "" {
		proposeLine(l, l.rest, e.Noted, fmt.Sprintf("the note on #%d", e.Seq))
	}
}

// proposeLine proposes a text that may have blanks, when what is typed so far is in it.
func proposeLine(l *typedLine, typed, s, note string) {
	if strings.ContainsFunc(s, unicode.IsControl) { // a prompt takes none
		return
	}
	l.from += len(l.word) - len(typed)
	l.word = typed
	l.propose(s, note)
}

// proposeSpeed proposes how many times faster a recording may be played.
func (a *app) proposeSpeed(l *typedLine) {
	if l.first() {
		l.proposeAll([]string{"1", "2", "8", "60", "0.5", "0.1"}, "times as fast")
	}
}

// proposeTime proposes the time of the row under the cursor, and the end.
func (a *app) proposeTime(l *typedLine) {
	if !l.first() {
		return
	}
	if e, ok := a.sess.Log().Event(a.wire.selected()); ok {
		l.propose(fmt.Sprintf("%.3fs", e.T.Seconds()), fmt.Sprintf("the time of #%d", e.Seq))
	}
	l.propose("end", "all of it")
}

// pointersUnder are pointers of the row under the cursor of the wire, as --mask takes them.
func (a *app) pointersUnder() (list []string) {
	e, ok := a.sess.Log().Event(a.wire.selected())
	if !ok || e.Kept < e.Size || e.Size > longestProposed {
		return nil
	}
	var walk func(at string, value []byte, depth int)
	walk = func(at string, value []byte, depth int) {
		if at != "" {
			list = append(list, at)
		}
		if depth == pointerDepth || len(value) == 0 || value[0] != '{' {
			return
		}
		for name, v := range client.Members(value) {
			key, _ := client.Text(name)
			walk(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), v, depth+1)
		}
	}
	walk("", a.sess.Log().Body(e.Seq).Bytes(), 0)
	return list
}

// pointerDepth is how deep the pointers are that are proposed: a secret stands among the arguments.
const pointerDepth = 4
