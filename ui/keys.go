package ui

// Action is what a key or a command does. The name is what the help, the README and the command
// line call it.
type Action string

// Scope is where a binding holds.
type Scope string

const (
	Everywhere Scope = "everywhere"
	OnServer   Scope = "server"
	OnTools    Scope = "lists"
	OnCall     Scope = "call"
	OnQuestion Scope = "question"
	OnForm     Scope = "form"
	OnResult   Scope = "result"
	OnWire     Scope = "wire"
	OnDetail   Scope = "detail"
	OnEdit     Scope = "edit"
)

// Binding is one line of the key table.
type Binding struct {
	Scope  Scope
	Keys   []string // as keyText names them
	Action Action
	Help   string
	Footer bool // shown in the footer of its scope
}

// Actions.
const (
	actNone      Action = ""
	actNextPane  Action = "next-pane"
	actPrevPane  Action = "prev-pane"
	actPane      Action = "pane"
	actUp        Action = "up"
	actDown      Action = "down"
	actLeft      Action = "left"
	actRight     Action = "right"
	actHome      Action = "home"
	actEnd       Action = "end"
	actHalfUp    Action = "half-up"
	actHalfDown  Action = "half-down"
	actPageUp    Action = "page-up"
	actPageDown  Action = "page-down"
	actOpen      Action = "open"
	actBack      Action = "back"
	actSearch    Action = "search"
	actNextMatch Action = "next-match"
	actPrevMatch Action = "prev-match"
	actPrevOdd   Action = "prev-finding"
	actNextOdd   Action = "next-finding"
	actView      Action = "view"
	actYank      Action = "yank"
	actZoom      Action = "zoom"
	actCommand   Action = "command"
	actHelp      Action = "help"
	actQuit      Action = "quit"
	actInterrupt Action = "interrupt"
	actSuspend   Action = "suspend"
	actRestart   Action = "restart"
	actCancel    Action = "cancel"
	actSend      Action = "send"
	actSendRaw   Action = "send-unchecked"
	actAgain     Action = "again"
	actLeaveOut  Action = "leave-out"
	actNull      Action = "null"
	actEmpty     Action = "empty"
	actDefault   Action = "default"
	actExact     Action = "exact"
	actFile      Action = "file"
	actAdd       Action = "add"
	actRename    Action = "rename"
	actRemove    Action = "remove"
	actItemUp    Action = "item-up"
	actItemDown  Action = "item-down"
	actOptional  Action = "optional"
	actEditor    Action = "editor"
	actEditorAll Action = "editor-all"
	actEarlier   Action = "earlier-arguments"
	actLater     Action = "later-arguments"
	actCalls     Action = "calls"
	actSaveBlock Action = "save-block"
	actToWire    Action = "show-in-wire"
	actWatch     Action = "watch"
	actFollow    Action = "follow"
	actFilter    Action = "filter"
	actMark      Action = "mark"
	actPlay      Action = "toggle-play"
	actReload    Action = "reload"
	actAccept    Action = "accept"
	actAcceptRaw Action = "accept-unchecked"
	actDecline   Action = "decline"
	actDismiss   Action = "cancel-question"
	actAskedPrev Action = "previous-question"
	actAskedNext Action = "next-question"
	actAskedText Action = "question-text"
	actEditNext  Action = "edit-next"
	actEditPrev  Action = "edit-prev"
	actEditDone  Action = "edit-done"
	actNextValue Action = "next-value"
	actPrevValue Action = "prev-value"
)

// keyTable is the one key table: footer, help, README and the conflict test are made from it.
var keyTable = []Binding{
	{Everywhere, []string{"tab"}, actNextPane, "next pane", true},
	{Everywhere, []string{"shift+tab"}, actPrevPane, "previous pane", false},
	{Everywhere, []string{"1", "2", "3", "4", "5", "6", "7"}, actPane, "pane by number", false},
	{Everywhere, []string{"k", "up"}, actUp, "up", false},
	{Everywhere, []string{"j", "down"}, actDown, "down", false},
	{Everywhere, []string{"h", "left"}, actLeft, "left", false},
	{Everywhere, []string{"l", "right"}, actRight, "right", false},
	{Everywhere, []string{"g", "home"}, actHome, "first row", false},
	{Everywhere, []string{"G", "end"}, actEnd, "last row", false},
	{Everywhere, []string{"ctrl+u"}, actHalfUp, "half a page up", false},
	{Everywhere, []string{"ctrl+d"}, actHalfDown, "half a page down", false},
	{Everywhere, []string{"pgup"}, actPageUp, "page up", false},
	{Everywhere, []string{"pgdown"}, actPageDown, "page down", false},
	{Everywhere, []string{"enter"}, actOpen, "open or edit", true},
	{Everywhere, []string{"esc"}, actBack, "back; never quits", false},
	{Everywhere, []string{"/"}, actSearch, "search in this pane", true},
	{Everywhere, []string{"n"}, actNextMatch, "next match", false},
	{Everywhere, []string{"N"}, actPrevMatch, "previous match", false},
	{Everywhere, []string{";"}, actNextOdd, "next problem: of the form, else stray output or finding", false},
	{Everywhere, []string{","}, actPrevOdd, "previous problem", false},
	{Everywhere, []string{"!"}, actFindings, "list the findings, worst first; enter goes to the row", false},
	{Everywhere, []string{"v"}, actView, "next view of this pane; of the form: rows, JSON to edit, schema as sent", false},
	{Everywhere, []string{"y"}, actYank, "copy: then y line, v value, t its text, p pointer, c command, s shell pipe", false},
	{Everywhere, []string{"Y"}, actCopyCommand, "copy the shell command that does what is under the cursor", false},
	{Everywhere, []string{"z"}, actZoom, "zoom this pane", false},
	{Everywhere, []string{":"}, actCommand, "command line", true},
	{Everywhere, []string{"?"}, actHelp, "help", true},
	{Everywhere, []string{"q"}, actQuit, "quit", true},
	{Everywhere, []string{"ctrl+c"}, actInterrupt, "cancel the running call; twice quits", false},
	{Everywhere, []string{"ctrl+z"}, actSuspend, "suspend; fg comes back, the server runs on", false},
	{Everywhere, []string{"R"}, actRestart, "restart the server in the same log", false},
	{Everywhere, []string{"x"}, actCancel, "cancel the running call", false},
	{Everywhere, []string{"space"}, actPlay, "play the recording, or stand still; :at TIME, :step, :play N", false},
	{Everywhere, []string{"W"}, actWatch, "watch: a changed server is started again and the last call sent again", false},
	{OnTools, []string{"s"}, actOpen, "open the form; read the resource", false},
	{OnTools, []string{"r"}, actReload, "load the list anew", false},
	{OnCall, []string{"s", "ctrl+s"}, actSend, "send", true},
	{OnCall, []string{"S"}, actSendRaw, "send unchecked", true},
	{OnCall, []string{"r"}, actAgain, "send the last arguments again", false},
	{OnCall, []string{"p"}, actEarlier, "earlier arguments of this tool", false},
	{OnCall, []string{"P"}, actLater, "later arguments; the newest were not sent yet", false},
	{OnCall, []string{"H"}, actCalls, "list the tool's earlier calls", false},
	{OnQuestion, []string{"s", "ctrl+s"}, actAccept, "accept", true},
	{OnQuestion, []string{"S"}, actAcceptRaw, "accept unchecked", false},
	{OnQuestion, []string{"D"}, actDecline, "decline", true},
	{OnQuestion, []string{"X"}, actDismiss, "cancel the question", true},
	{OnQuestion, []string{"t"}, actAskedText, "the server's words in full", true},
	{OnQuestion, []string{"p"}, actAskedPrev, "the question before", false},
	{OnQuestion, []string{"P"}, actAskedNext, "the question after", false},
	{OnForm, []string{"u"}, actLeaveOut, "leave this field out; in the JSON: back to what the rows say", false},
	{OnForm, []string{"0"}, actNull, "make it null", false},
	{OnForm, []string{"b"}, actEmpty, "make it empty", false},
	{OnForm, []string{"d"}, actDefault, "choose the default", false},
	{OnForm, []string{"="}, actExact, "type it as exact JSON", false},
	{OnForm, []string{"f"}, actFile, "take it from a file; tab completes the name", false},
	{OnForm, []string{"e"}, actEditor, "edit the field in $VISUAL or $EDITOR", false},
	{OnForm, []string{"E"}, actEditorAll, "edit all arguments there, as JSON", false},
	{OnForm, []string{"+"}, actAdd, "add an item or a named entry", false},
	{OnForm, []string{"K"}, actRename, "rename the entry", false},
	{OnForm, []string{"-"}, actRemove, "remove the item", false},
	{OnForm, []string{"<"}, actItemUp, "move the item up", false},
	{OnForm, []string{">"}, actItemDown, "move the item down", false},
	{OnForm, []string{"."}, actOptional, "show or hide optional fields", false},
	{OnResult, []string{"r"}, actAgain, "send the last arguments again", true},
	{OnResult, []string{"H"}, actCalls, "list the tool's earlier calls; enter takes one's arguments", true},
	{OnResult, []string{"w"}, actToWire, "show it in the wire", false},
	{OnResult, []string{"s"}, actSaveBlock, "save the block of content under the cursor", false},
	{OnWire, []string{"r"}, actAgain, "send the request of this row again", false},
	{OnWire, []string{"f"}, actFilter, "filter; esc clears it", true},
	{OnWire, []string{"F"}, actFollow, "follow the newest row", true},
	{OnWire, []string{"m"}, actMark, "mark this row, or unmark it; :note TEXT puts a note on it", false},
	{OnWire, []string{"D"}, actDiff, "compare the two marked rows, or the marked one with this row", false},
	{OnWire, []string{"o"}, actOrder, "order of the calls: time, latency, size, name; of the messages: the least level", false},
	{OnWire, []string{"T"}, actTimes, "time since the start, of day, since the row above", false},
	{OnWire, []string{"t"}, actStory, "follow the call of this row; esc leaves its story", false},
	{OnDetail, []string{"t"}, actStory, "follow the call of this row", false},
	{OnDetail, []string{"-"}, actFold, "fold this value into one line, or unfold it", false},
	{OnDetail, []string{"+"}, actUnfold, "unfold everything", false},
	{OnDetail, []string{"="}, actByValue, "filter the wire by this value", false},
	{OnDetail, []string{"o"}, actOtherSide, "the other side: of an answer its request, of a request its answer", false},
	{OnEdit, []string{"enter", "tab"}, actEditNext, "next row", true},
	{OnEdit, []string{"shift+tab"}, actEditPrev, "previous row", false},
	{OnEdit, []string{"ctrl+s"}, actSend, "send", true},
	{OnEdit, []string{"ctrl+n", "down"}, actNextValue, "take the next value that the server proposes", false},
	{OnEdit, []string{"ctrl+p", "up"}, actPrevValue, "take the previous one", false},
	{OnEdit, []string{"esc"}, actEditDone, "back to the rows", true},
}

// scopesOf are the scopes that hold in a pane, most special first.
func scopesOf(p Pane) []Scope {
	switch p {
	case PaneServer:
		return []Scope{OnServer, Everywhere}
	case PaneTools:
		return []Scope{OnTools, Everywhere}
	case PaneCall:
		return []Scope{OnCall, OnForm, Everywhere}
	case PaneQuestion:
		return []Scope{OnQuestion, OnForm, Everywhere}
	case PaneResult:
		return []Scope{OnResult, Everywhere}
	case PaneWire:
		return []Scope{OnWire, Everywhere}
	case PaneDetail:
		return []Scope{OnDetail, Everywhere}
	}
	return []Scope{Everywhere}
}

// lookup finds what a key does in the given scopes.
func lookup(key string, scopes ...Scope) Action {
	for _, s := range scopes {
		for _, b := range keyTable {
			if b.Scope != s {
				continue
			}
			for _, k := range b.Keys {
				if k == key {
					return b.Action
				}
			}
		}
	}
	return actNone
}
