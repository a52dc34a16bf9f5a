package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// keyState is what keys change, by name. Rows are counted, so that it is known where the cursor went.
type keyState map[string]string

func number(n int) string { return fmt.Sprintf("%06d", n+1000) }

func stateOf(a *app) keyState {
	s := keyState{
		"focus": paneNames[a.mode.Focus], "zoom": fmt.Sprint(a.mode.Zoom), "prompt": fmt.Sprint(a.prompt.kind), "yank": fmt.Sprint(a.yank),
		"leaving": fmt.Sprint(a.leaving), "interrupted": fmt.Sprint(a.quitAsked), "said": a.notice, "follow": fmt.Sprint(a.wire.list.Following()),
		"times": a.wire.times.String(), "order": fmt.Sprint(a.wire.order(), a.wire.least), "filter": a.wire.filtered(), "other": fmt.Sprint(a.detail.other),
		"wire": number(a.wire.selected()), "tool": fmt.Sprint(a.call.of), "calls": fmt.Sprint(a.calls),
	}
	if a.help != nil {
		s["sheet"] = a.help.title
	}
	lines := func(p *linesPane) { s["row"], s["side"] = number(p.list.Cursor()), number(p.from) }
	switch a.mode.Focus {
	case PaneServer:
		lines(&a.server.lines)
	case PaneTools:
		tab := a.offers.tab
		s["row"], s["side"], s["view"] = number(tab.list.Cursor()), number(tab.side), tab.title
	case PaneResult:
		lines(&a.result.lines)
		s["view"], s["folds"] = fmt.Sprint(a.result.view), fmt.Sprint(a.result.folds())
	case PaneWire:
		s["row"], s["side"], s["view"] = number(a.wire.list.Cursor()), number(a.wire.side), a.wire.view.String()
		if a.wire.story != nil {
			s["view"] = "story"
		}
	case PaneDetail:
		d := &a.detail
		s["row"], s["side"], s["view"], s["folds"] = number(d.cursor-d.head.up), number(d.side), d.mode.String(), fmt.Sprint(d.folds, d.head.closed)
		s["line"] = d.line()
	case PaneCall, PaneQuestion:
		f := a.formPane().form
		v, _, _ := f.Value()
		s["value"], s["view"], s["rows"], s["editing"] = string(schema.AppendJSON(nil, v)), f.Shows(), fmt.Sprint(f.Len()), fmt.Sprint(f.Editing())
		s["row"], s["line"] = number(f.Row()), f.Line()
		if q := a.asking.current(); q != nil && a.mode.Focus == PaneQuestion {
			if s["question"] = fmt.Sprint(q.Number); q.full {
				s["view"] = "in full"
				lines(&q.text)
			}
		}
	}
	return s
}

// changes are the names of what differs.
func (s keyState) changes(now keyState) (names []string) {
	for _, state := range []keyState{s, now} {
		for name := range state {
			if s[name] != now[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// keyEffect is what a key does: what it changes, all of which has to change and nothing else, and how.
type keyEffect struct {
	change string // names of a state; those in brackets may change, too
	says   string // a part of what is said
	how    func(was, now keyState) bool
}

func (e keyEffect) of(was, now keyState) (wrong string) {
	changed := was.changes(now)
	may := strings.Fields(strings.NewReplacer("(", "", ")", "").Replace(e.change))
	for _, name := range strings.Fields(e.change) {
		if name[0] != '(' && !slices.Contains(changed, name) {
			wrong += fmt.Sprintf("; %s does not change", name)
		}
	}
	for _, name := range changed {
		if !slices.Contains(may, name) {
			wrong += fmt.Sprintf("; %s changes from %q to %q", name, was[name], now[name])
		}
	}
	if e.says != "" && !strings.Contains(now["said"], e.says) {
		wrong += fmt.Sprintf("; %q is not said but %q", e.says, now["said"])
	}
	if e.how != nil && !e.how(was, now) {
		wrong += fmt.Sprintf("; from %v to %v", was, now)
	}
	return strings.TrimPrefix(wrong, "; ")
}

// less and more compare what moved.
func less(name string) func(was, now keyState) bool {
	return func(was, now keyState) bool { return now[name] < was[name] }
}

func more(name string) func(was, now keyState) bool {
	return func(was, now keyState) bool { return now[name] > was[name] }
}

// to is a state to come to.
func to(name, value string) func(was, now keyState) bool {
	return func(_, now keyState) bool { return now[name] == value }
}

// sameText reports whether two lines of a body, of which one may be wider, have the same bytes in common.
func sameText(was, now string) bool {
	const some = 12
	return was == now || len(was) > some && strings.Contains(now, was[:some]) || len(now) > some && strings.Contains(was, now[:some])
}

// moved is what moves with the cursor of a pane: in the wire the row, in the lists the form.
const moved = "row (line) (wire) (tool) (follow)"

// everywhere is what the keys of every pane do in a place.
func everywhere(a *app, p keyPlace, b Binding, key string) keyEffect {
	onForm := p.pane == PaneCall
	switch b.Action {
	case actNextPane, actPrevPane:
		return keyEffect{change: "focus (row) (side) (line) (view) (value) (folds) (rows) (editing) (tool)", how: to("focus", paneNames[nextShown(a, b.Action == actNextPane)])}
	case actPane:
		n := Pane(key[0] - '0')
		switch {
		case n == PaneQuestion:
			return keyEffect{change: "said", says: "the server asks nothing"}
		case n == p.pane:
			return keyEffect{change: "said", says: "this is pane"}
		}
		return keyEffect{change: "focus (row) (side) (line) (view) (value) (folds) (rows) (editing) (tool)", how: to("focus", paneNames[n])}
	case actUp, actHome, actHalfUp, actPageUp, actDown, actEnd, actHalfDown, actPageDown, actLeft, actRight:
		if p.name == "detail of a note" { // one line, which is laid out
			return keyEffect{}
		}
	}
	switch b.Action {
	case actUp, actHome, actHalfUp, actPageUp:
		return keyEffect{change: moved, how: less("row")}
	case actDown, actEnd, actHalfDown, actPageDown:
		return keyEffect{change: moved, how: more("row")}
	case actLeft, actRight:
		if onForm {
			return inPane(a, p, b.Action)
		}
		return keyEffect{change: "side", how: map[Action]func(_, _ keyState) bool{actLeft: less("side"), actRight: more("side")}[b.Action]}
	case actSearch:
		return keyEffect{change: "prompt", how: to("prompt", fmt.Sprint(promptSearch))}
	case actCommand:
		return keyEffect{change: "prompt", how: to("prompt", fmt.Sprint(promptCommand))}
	case actNextMatch, actPrevMatch:
		return keyEffect{change: "said", says: "nothing was searched for yet: / searches"}
	case actNextOdd, actPrevOdd:
		return keyEffect{change: "said (focus) (row) (side) (line) (view) (value) (folds) (rows) (editing) (wire) (follow)", says: "problem: "}
	case actFindings:
		return keyEffect{change: "sheet", how: to("sheet", "Findings")}
	case actHelp:
		return keyEffect{change: "sheet", how: to("sheet", "Help")}
	case actYank:
		return keyEffect{change: "yank", how: to("yank", "true")}
	case actZoom:
		return keyEffect{change: "zoom (row) (line)", how: func(was, now keyState) bool { return now["zoom"] == "true" && sameText(was["line"], now["line"]) }}
	case actQuit:
		return keyEffect{change: "leaving", how: to("leaving", "true")}
	case actInterrupt:
		return keyEffect{change: "interrupted said", says: "ctrl+c again quits"}
	case actSuspend, actCopyCommand:
		return keyEffect{} // what they start is tried elsewhere
	case actCancel:
		return keyEffect{change: "said", says: "no call is running"}
	case actRestart:
		return keyEffect{change: "said", says: restarting}
	case actPlay:
		return keyEffect{change: "said", says: "only a recording is played"}
	case actWatch:
		return keyEffect{change: "said", says: "there is no program to watch"}
	case actView:
		switch p.pane {
		case PaneServer:
			return keyEffect{change: "said", says: "this pane has one view"}
		case PaneTools:
			return keyEffect{change: "view (row) (side) (tool)"}
		case PaneCall:
			return keyEffect{change: "view (row) (line) (rows)"}
		case PaneWire:
			return keyEffect{change: "view (row) (follow) (wire)"}
		case PaneDetail:
			return keyEffect{change: "view (row) (line) (side)"}
		}
		return keyEffect{change: "view (row) (folds)"}
	case actOpen:
		switch {
		case p.name == "schema":
			return keyEffect{change: "said", says: "v"}
		case p.name == "form as JSON":
			return keyEffect{change: "editing (line) (row) (value)"}
		case onForm:
			return keyEffect{change: "editing (line) (said)"}
		case p.name == "resources":
			return keyEffect{change: "focus view calls (row) (side) (line) (tool) (folds)"}
		case p.pane == PaneTools:
			return keyEffect{change: "focus (tool) (view) (row) (side) (line) (value) (rows) (editing)", how: to("focus", "Call")}
		case p.name == "calls of the tool":
			return keyEffect{change: "focus said (view) (row) (side) (line) (value) (rows) (editing) (folds)", says: "the arguments of"}
		case p.pane == PaneDetail:
			return keyEffect{change: "zoom (row) (line)", how: func(was, now keyState) bool { return sameText(was["line"], now["line"]) }}
		case p.pane == PaneServer, p.pane == PaneResult:
			return keyEffect{change: "focus wire (row) (side) (line) (view) (folds) (follow)", how: to("focus", "Detail")}
		}
		return keyEffect{change: "focus (row) (side) (line) (view) (folds)", how: to("focus", "Detail")}
	case actBack:
		switch {
		case p.name == "calls of the tool" || p.name == "changes of the result":
			return keyEffect{change: "view (row)"}
		case p.name == "filtered frames":
			return keyEffect{change: "filter said row", says: "all rows again"}
		case p.name == "calls" || p.name == "messages" || p.name == "story":
			return keyEffect{change: "view (row) (wire) (follow)"}
		case p.pane == PaneWire || p.pane == PaneTools:
			return keyEffect{} // there is nothing to go back to
		case p.pane == PaneDetail:
			return keyEffect{change: "focus (row) (side) (line) (view) (folds)", how: to("focus", "Wire")}
		}
		return keyEffect{change: "focus (row) (side) (line) (view) (value) (rows) (editing) (folds)", how: to("focus", "Tools")}
	}
	return keyEffect{change: "nothing is said of " + string(b.Action)}
}

// TestEveryKeyDoesWhatTheTableSays presses, in every view of every pane, each key that the table has for
// everywhere or for the pane: it changes what it is to change, and nothing else. Each key that the table has for
// other panes alone says where.
func TestEveryKeyDoesWhatTheTableSays(t *testing.T) {
	t.Parallel()
	s := full(t)
	for i, p := range keyPlaces {
		size := [][2]int{{160, 45}, {80, 24}}[i%2]
		var a *app
		try := func(b Binding, k string, want func(a *app) keyEffect) {
			if a == nil {
				a = p.at(t, s, size[0], size[1])
			}
			e := want(a)
			was := stateOf(a)
			a.Update(keyMsg(k))
			a.View()
			now := stateOf(a)
			if wrong := e.of(was, now); wrong != "" {
				t.Errorf("%v %s: %s (%s): %s", size, p.name, k, b.Action, wrong)
			}
			exact(t, a, size[0], size[1])
			if a.notice = ""; len(was.changes(stateOf(a))) > 0 || p.pane == PaneCall {
				a = nil // else it is there still
			}
		}
		seen := map[string]bool{}
		for _, scope := range scopesOf(p.pane) {
			for _, b := range keyTable {
				for _, k := range b.Keys {
					if b.Scope != scope || seen[k] {
						continue
					}
					if seen[k] = true; b.Action == actEditor || b.Action == actEditorAll {
						continue // the editor of whoever runs the test; tried elsewhere
					}
					try(b, k, func(a *app) keyEffect {
						if scope == Everywhere {
							return everywhere(a, p, b, k)
						}
						return inPane(a, p, b.Action)
					})
				}
			}
		}
		for _, b := range keyTable {
			for _, k := range b.Keys {
				if !seen[k] && b.Scope != OnEdit && b.Scope != OnQuestion {
					seen[k] = true
					try(b, k, func(*app) keyEffect { return keyEffect{change: "said", says: k + " is a key of "} })
				}
			}
		}
	}
}

// TestEveryKeyOfAQuestion presses each key that holds in the pane of a question, for each kind that a server may
// ask. Keys of every form are tried there where they have something to do.
func TestEveryKeyOfAQuestion(t *testing.T) {
	t.Parallel()
	s := dialogue(t, [2]string{`add {"a":2}`, sum(4)})
	text := elicit("long", strings.Repeat("a line\n", 60), `{"text":{"type":"string"},"kind":{"enum":["a","b"],"default":"b"},"many":{"type":"integer"}}`)
	all := append(kinds(), text)
	answered := func(says string) keyEffect {
		return keyEffect{change: "said question (line) (row) (rows) (value) (view) (side)", says: says}
	}
	for at, kind := range []string{"form", "address", "message", "long text"} {
		place := keyPlace{name: "question: " + kind, pane: PaneQuestion}
		for _, scope := range scopesOf(PaneQuestion) {
			for _, b := range keyTable {
				for _, k := range b.Keys {
					if b.Scope != scope || scope == OnForm {
						continue
					}
					a := appOn(t, s, "none", 120, 36)
					first := elicit("first", "which?", `{}`)
					ask(t, a, append(append([]client.Question{first}, all...), elicit("last", "why?", `{}`))...)
					press(a, "7")
					for range at + 1 {
						press(a, "P")
					}
					press(a, "j")
					a.notice = ""
					var e keyEffect
					switch b.Action {
					case actSend, actAccept:
						e = answered(map[string]string{"address": "agreed: open it yourself", "message": "answered", "long text": "answered"}[kind])
						if kind == "form" {
							e = keyEffect{change: "said (row) (line)", says: "2 problems: nothing was sent"}
						}
					case actSendRaw, actAcceptRaw:
						e = answered(map[string]string{"address": "agreed", "message": "answered", "form": "answered", "long text": "answered"}[kind])
					case actDecline:
						e = answered(map[string]string{"message": "refused"}[kind])
					case actDismiss:
						e = answered(map[string]string{"message": "refused"}[kind])
					case actAskedText:
						e = keyEffect{change: "view (row) side", how: to("view", "in full")}
					case actAskedPrev, actAskedNext:
						e = keyEffect{change: "question (line) (row) (rows) (value) (view) (side)"}
					case actPane:
						e = keyEffect{change: "focus (question) (row) (side) (line) (view) (value) (folds) (rows) (editing) (tool)", how: to("focus", paneNames[Pane(k[0]-'0')])}
						if k == "7" {
							e = keyEffect{change: "said", says: "this is pane"}
						}
					case actUp, actDown, actHome, actEnd, actHalfUp, actHalfDown, actPageUp, actPageDown, actLeft, actRight, actView, actOpen: // as in any form
						continue
					case actYank:
						if e = (keyEffect{change: "yank"}); kind == "address" {
							e = keyEffect{} // it is copied at once
						}
					case actBack:
						e = keyEffect{change: "focus said (question) (row) (side) (line) (view) (value) (rows) (editing) (folds)", says: "7 comes back"}
					case actNextPane, actPrevPane:
						e = keyEffect{change: "focus (question) (row) (side) (line) (view) (value) (folds) (rows) (editing) (tool)"}
					default:
						e = everywhere(a, place, b, k)
						e.change += " (question) (row) (line) (value) (rows) (view) (side) (editing) (folds)"
					}
					was := stateOf(a)
					a.Update(keyMsg(k))
					if wrong := e.of(was, stateOf(a)); wrong != "" {
						t.Errorf("%s: %s (%s): %s", place.name, k, b.Action, wrong)
					}
					exact(t, a, 120, 36)
				}
			}
		}
	}
}

// nextShown is the pane that tab or shift+tab leads to: the next one that has a place on the screen.
func nextShown(a *app, forward bool) Pane {
	for p := a.mode.Focus; ; {
		if p++; !forward {
			p -= 2
		}
		switch {
		case p == paneEnd:
			p = PaneServer
		case p < PaneServer:
			p = paneEnd - 1
		}
		if a.lay.Panes[p].W > 0 && p != PaneQuestion {
			return p
		}
	}
}

// inPane is what the keys of a pane alone do; of a form, the cursor is put where there is something to do.
func inPane(a *app, p keyPlace, act Action) keyEffect {
	if p.pane == PaneCall && p.name != "form" {
		switch act {
		case actSend, actSendRaw, actAgain, actEarlier, actLater, actCalls, actEditor, actEditorAll:
		case actLeaveOut:
			return keyEffect{change: "said"}
		default:
			return keyEffect{change: "said", says: "that is done on the rows; v goes on to them"}
		}
	}
	at := func(path, args string, e keyEffect) keyEffect {
		if err := a.call.load([]byte(args)); err != nil {
			e.says = err.Error()
		}
		a.call.form.Go(path)
		return e
	}
	values := func(change, json string) keyEffect { return keyEffect{change: change, how: to("value", json)} }
	const begun = `{"text":"x","list":["a","b"],"map":{"k":1}}`
	switch act {
	case actOpen:
		return everywhere(a, p, Binding{Action: act}, "")
	case actReload:
		return keyEffect{change: "said", says: "loading the"}
	case actSend:
		if p.name != "form as JSON" {
			return keyEffect{change: "said (row) (line)", says: "2 problems: nothing was sent (; goes to the next, S sends unchecked)"}
		}
		return keyEffect{change: "calls"}
	case actSendRaw:
		return keyEffect{change: "calls"}
	case actAgain:
		switch p.pane {
		case PaneWire:
			if p.name == "messages" || p.name == "filtered frames" {
				return keyEffect{change: "said", says: "this row has no request of ours to send again"}
			}
			if p.name == "story" { // a line of stderr
				return keyEffect{change: "said", says: "this row has no request of ours to send again"}
			}
			return keyEffect{change: "said calls (tool)", says: " again: "}
		}
		return keyEffect{change: "said calls (view)", says: " again: tools/call"} // of the recording
	case actEarlier:
		if p.name == "form as JSON" { // it stands there
			return keyEffect{change: "value said (row) (rows) (line) (view)", says: "19 of 20"}
		}
		return keyEffect{change: "value said (row) (rows) (line) (view)", says: "20 of 20"}
	case actLater:
		if p.name == "form as JSON" {
			return keyEffect{change: "value said (row) (rows) (line) (view)", says: "what was not sent yet"}
		}
		return keyEffect{change: "said", says: "there are no later arguments"}
	case actCalls:
		if p.name == "calls of the tool" {
			return keyEffect{change: "said row", says: "enter fills the form", how: to("row", number(0))}
		}
		return keyEffect{change: "said (focus) (view) (row) (side) (folds) (value) (rows) (line) (editing)", says: "enter fills the form", how: to("focus", "Result")}
	case actLeaveOut:
		return at("/text", begun, values("value (line)", `{"list":["a","b"],"map":{"k":1}}`))
	case actNull:
		return at("/text", begun, values("value (line) (said)", `{"text":null,"list":["a","b"],"map":{"k":1}}`))
	case actEmpty:
		return at("/text", begun, values("value (line)", `{"text":"","list":["a","b"],"map":{"k":1}}`))
	case actDefault:
		return at("/kind", begun, values("value line", `{"text":"x","list":["a","b"],"kind":"b","map":{"k":1}}`))
	case actExact, actRename:
		return at(map[Action]string{actExact: "/text", actRename: "/map/k"}[act], begun, keyEffect{change: "editing (line)"})
	case actFile:
		return at("/text", begun, keyEffect{change: "editing (line) (said)"})
	case actAdd:
		return at("/list", begun, values("value rows (row) (line) (editing)", `{"text":"x","list":["a","b",null],"map":{"k":1}}`))
	case actRemove:
		return at("/list/0", begun, values("value rows (row) (line)", `{"text":"x","list":["b"],"map":{"k":1}}`))
	case actItemUp:
		return at("/list/1", begun, values("value (row) (line)", `{"text":"x","list":["b","a"],"map":{"k":1}}`))
	case actItemDown:
		return at("/list/0", begun, values("value (row) (line)", `{"text":"x","list":["b","a"],"map":{"k":1}}`))
	case actOptional:
		return keyEffect{change: "rows (row) (line)"}
	case actLeft, actRight:
		return at("/kind", begun, keyEffect{change: "value (line)"})
	case actToWire:
		return keyEffect{change: "focus wire (row) (side) (view) (line) (folds) (follow)", how: to("focus", "Wire")}
	case actSaveBlock:
		return keyEffect{change: "prompt", how: to("prompt", fmt.Sprint(promptCommand))}
	case actFilter:
		return keyEffect{change: "prompt (view) (row) (wire) (follow)", how: to("prompt", fmt.Sprint(promptFilter))}
	case actFollow:
		return keyEffect{change: "follow (row) (wire)", how: to("follow", "true")}
	case actMark:
		return keyEffect{} // it is kept first
	case actDiff:
		return keyEffect{change: "said", says: "m marks"}
	case actOrder:
		if p.name == "calls" || p.name == "messages" {
			return keyEffect{change: "order said (row) (wire)"}
		}
		return keyEffect{change: "said", says: "order in which"}
	case actTimes:
		return keyEffect{change: "times said", says: "time of day"}
	case actStory:
		switch p.name {
		case "messages", "story", "filtered frames", "detail", "detail raw", "detail in hex", "detail of stray output", "detail of a note":
			return keyEffect{change: "said", says: "belongs to no request"}
		}
		return keyEffect{change: "(view) (row) (wire) (follow)", how: to("view", "story")}
	case actFold:
		if p.name == "detail" {
			return keyEffect{change: "folds line"}
		}
		return keyEffect{change: "said", says: map[string]string{"detail of a note": "opens nothing that could be folded", "detail of stray output": "fold"}[p.name]}
	case actUnfold:
		return keyEffect{change: "said", says: "nothing is folded here: - folds"}
	case actByValue:
		if p.name == "detail of a note" || p.name == "detail of stray output" {
			return keyEffect{change: "said", says: "no value to filter by here"}
		}
		return keyEffect{change: "focus filter said (row) (side) (line) (view) (folds) (follow)", says: "only rows with this value"}
	case actOtherSide:
		return keyEffect{change: "said", says: "this row has no other side"}
	}
	return keyEffect{change: "nothing is said of " + string(act)}
}
