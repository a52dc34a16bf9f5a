package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/export"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/session/questions"
)

// proposeCommand proposes the name of a command, or the next of its words.
func (a *app) proposeCommand(l *typedLine) {
	name, rest, behind := strings.Cut(l.rest, " ")
	if !behind {
		l.word, l.from = name, 0
		for _, c := range commands() {
			l.propose(c.name, strings.TrimSpace(c.words+"  "+c.help))
		}
		for _, b := range keyTable {
			if b.Scope != OnEdit {
				l.propose(string(b.Action), b.Keys[0]+"  "+b.Help)
			}
		}
		return
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if c.next == nil {
			return
		}
		before, from := cutWords(rest)
		word := rest[from:]
		if l.before, l.bare = before, c.free; !c.free {
			word = meant(word)
		}
		l.word, l.from, l.rest = word, len(name)+1+from, rest
		c.next(a, l)
		return
	}
	if name == string(actPane) {
		for p := PaneServer; p < paneEnd; p++ {
			l.word, l.from = rest, len(name)+1
			l.propose(strings.ToLower(paneNames[p]), fmt.Sprint(int(p)))
		}
	}
}

// proposeCall proposes a tool, then the names of its arguments, and the values that they may have.
func (a *app) proposeCall(l *typedLine) {
	if l.first() {
		for _, it := range a.snap.List(client.Tools.Name).Items {
			l.propose(it.Name, client.GetText(it.Raw, "description"))
		}
		l.proposeAll(a.toolsSeen(), "was called")
		return
	}
	it, ok := a.snap.List(client.Tools.Name).Find(l.before[0])
	if ok {
		proposeArguments(l, it.InputSchema())
	}
}

// proposeArguments proposes the members that a schema lists and that no word has, as NAME=, and the
// values of one of which few are right.
func proposeArguments(l *typedLine, input []byte) {
	for raw := range client.Members(client.Get(input, "properties")) {
		name, _ := client.Text(raw)
		if slices.ContainsFunc(l.before, func(w string) bool { return strings.HasPrefix(w, name+"=") || strings.HasPrefix(w, name+":=") }) {
			continue
		}
		if !strings.HasPrefix(l.word, name+"=") {
			l.propose(name+"=", typeOf(client.Get(input, "properties", name)))
			continue
		}
		for v := range client.Elements(client.Get(input, "properties", name, "enum")) {
			if t, ok := client.Text(v); ok {
				l.propose(name+"="+t, "")
			}
		}
		if typeOf(client.Get(input, "properties", name)) == "boolean" {
			l.propose(name+"=true", "")
			l.propose(name+"=false", "")
		}
	}
}

// typeOf is what a schema says of its type.
func typeOf(s []byte) string {
	if t := client.GetText(s, "type"); t != "" {
		return t
	}
	return "value"
}

// proposeRead proposes the resources and templates that are listed or were read, and behind a template its
// variables.
func (a *app) proposeRead(l *typedLine) {
	if !l.first() {
		if of := (offer{client.Templates.Name, l.before[0]}); strings.Contains(of.name, "{") {
			proposeArguments(l, of.schemaOf(nil))
		}
		return
	}
	a.proposeURIs(l)
	for _, it := range a.snap.List(client.Templates.Name).Items {
		l.propose(it.URI, "template")
	}
}

func (a *app) proposeURIs(l *typedLine) {
	for _, it := range a.snap.List(client.Resources.Name).Items {
		l.propose(it.URI, it.Name)
	}
	l.proposeAll(a.subjectsSeen(client.MethodResourcesRead), "was read")
}

// proposePrompt proposes a prompt, then its arguments.
func (a *app) proposePrompt(l *typedLine) {
	if l.first() {
		for _, it := range a.snap.List(client.Prompts.Name).Items {
			l.propose(it.Name, client.GetText(it.Raw, "description"))
		}
		l.proposeAll(a.subjectsSeen(client.MethodPromptsGet), "was got")
		return
	}
	if it, ok := a.snap.List(client.Prompts.Name).Find(l.before[0]); ok {
		proposeArguments(l, promptOffer(it.Name).schemaOf(it.Raw))
	}
}

// proposeMethod and proposeNotification propose what a client may send, and what was sent.
func (a *app) proposeMethod(l *typedLine)       { a.proposeSendable(l, false) }
func (a *app) proposeNotification(l *typedLine) { a.proposeSendable(l, true) }

func (a *app) proposeSendable(l *typedLine, notifications bool) {
	if !l.first() {
		a.proposeParams(l)
		return
	}
	for _, m := range append(client.Sendable(), a.sess.Log().Methods()...) {
		if client.IsNotification(m) == notifications && !a.revision().Lacks(m) {
			l.propose(m, "")
		}
	}
}

// revision is the one in use; empty before it is known.
func (a *app) revision() client.Revision {
	if a.snap.Server == nil {
		return ""
	}
	return a.snap.Server.Revision
}

func (a *app) proposeInterest(l *typedLine) {
	l.proposeAll([]string{client.Tools.Name, client.Prompts.Name, client.Resources.Name}, "when the list changes")
	l.propose(taskWord, "the id of a task")
	a.proposeURIs(l)
}

func (a *app) proposeLevel(l *typedLine) {
	if l.first() {
		l.proposeAll(client.LogLevels(), "")
	}
}

func (a *app) proposeMeta(l *typedLine) {
	for _, k := range []string{client.MetaProgressToken, "traceparent", "tracestate", "baggage"} {
		l.propose(k+"=", "")
	}
	for _, k := range a.meta {
		l.propose(k.Key+"-", "leave it out")
	}
}

func (a *app) proposeRoot(l *typedLine) {
	switch {
	case l.first():
		l.proposeAll([]string{"add", "remove"}, "")
	case l.before[0] == "add":
		l.files, l.dirs = true, true
	case l.before[0] == "remove" && a.asking.queue != nil:
		for _, r := range a.asking.queue.Offer().Roots {
			l.propose(r.Dir, "")
		}
	}
}

func (a *app) proposeCapability(l *typedLine) {
	for _, c := range questions.Capabilities {
		l.propose(string(c), "")
	}
}

func (a *app) proposeClear(l *typedLine) {
	if l.first() {
		l.propose("clear", "")
	}
}

func (a *app) proposeFile(l *typedLine) { l.files = l.first() }

// proposeFileAndFilter is [FILE] [FILTER].
func (a *app) proposeFileAndFilter(l *typedLine) {
	if l.first() {
		a.proposeFile(l)
		l.proposeAll([]string{"@marked", "@shown", "@all"}, "these rows")
		return
	}
	a.proposeRest(l, l.rest[len(l.rest)-len(l.word):])
}

// proposeExport is FORMAT [FILE] [FILTER], and what is to be masked.
func (a *app) proposeExport(l *typedLine) {
	if l.first() {
		l.proposeAll(export.Formats, "")
		return
	}
	switch l.before = l.before[1:]; {
	case len(l.before) > 0 && l.before[len(l.before)-1] == maskFlag:
		l.proposeAll(a.pointersUnder(), "in the row under the cursor of the wire")
		return
	case strings.HasPrefix(l.word, "-"):
		l.propose(maskFlag, "a JSON pointer or re:EXPR: what it names is hidden")
	}
	a.proposeFileAndFilter(l)
}

// proposeWholeFilter is a filter from the first word on.
func (a *app) proposeWholeFilter(l *typedLine) { a.proposeRest(l, l.rest) }

// proposeRest proposes what may stand at the end of an expression, the last part of what is typed.
func (a *app) proposeRest(l *typedLine, expr string) {
	at := l.from + len(l.word) - len(expr)
	l.rest = expr
	a.proposeExpression(l)
	l.from += at
}

// proposeExpression proposes what a filter may have where it ends, which is at the end of l.rest.
func (a *app) proposeExpression(l *typedLine) {
	at, ok := filter.At(l.rest)
	if !ok {
		return
	}
	l.from, l.word, l.bare = at.From, at.Typed, true
	quoted := func(list []string, note string) {
		for _, s := range list {
			q := filter.Quote(s)
			if strings.ContainsFunc(s, unicode.IsControl) { // a prompt takes none
				q = strings.Map(func(r rune) rune {
					if unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`()"`, r) {
						return '*'
					}
					return r
				}, s)
			}
			if q == s {
				l.propose(s, note)
			} else if strings.Contains(strings.ToLower(s), strings.ToLower(at.Typed)) {
				l.others = append(l.others, choice{q, note})
			}
		}
	}
	switch at.Field {
	case "":
		for _, w := range filter.Words() {
			l.propose(w[0], w[1])
		}
		for _, s := range a.prompt.saved {
			l.propose("@"+s.Name, s.Filter)
		}
		if at.Typed != "" {
			quoted(a.sess.Log().Methods(), "method")
			for _, f := range []string{"is", "level"} {
				for _, v := range filter.Values(f) {
					l.propose(f+":"+v, "")
				}
			}
		}
	case "method":
		quoted(a.sess.Log().Methods(), "")
	case "tool":
		quoted(a.toolsSeen(), "")
		for _, it := range a.snap.List(client.Tools.Name).Items {
			quoted([]string{it.Name}, "was not called")
		}
	case "id":
		quoted(a.sess.Log().LatestIDs(idsProposed), "")
	case "rule":
		seen := a.sess.Log().Rules()
		quoted(seen, "was found")
		for _, r := range check.Rules() {
			if at.Typed != "" && !slices.Contains(seen, r.Name) {
				l.propose(r.Name, "was not found here")
			}
		}
	default:
		l.proposeAll(filter.Values(at.Field), "")
	}
}

// idsProposed is how many of the latest ids are looked at.
const idsProposed = 500

// toolsSeen are the tools that were called, by name.
func (a *app) toolsSeen() []string { return a.subjectsSeen(client.MethodToolsCall) }

// subjectsSeen are what requests of a method were about.
func (a *app) subjectsSeen(method string) (list []string) {
	for of := range a.snap.Made {
		if of.Method == method && of.Name != "" {
			list = append(list, of.Name)
		}
	}
	slices.Sort(list)
	return list
}
