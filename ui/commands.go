package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// command is one of the command line. Each key of the table is one, too, by the name of its action.
type command struct {
	name  string
	words string // what follows it, for the list
	help  string
	free  bool // what follows is text as it stands, whose quotes nobody closes
	orKey bool // without words it is the key of the same name
	run   func(a *app, c typedCommand) tea.Cmd
	next  func(a *app, l *typedLine) // proposes the next word; nil for none
}

// commands are those that no key has, or that take words. They are made when they are asked for: few
// lines are typed, and nothing is to be done at the start.
func commands() []command {
	listed := func(do func(*app, []string) tea.Cmd) func(*app, typedCommand) tea.Cmd {
		return func(a *app, c typedCommand) tea.Cmd { return do(a, c.words) }
	}
	named := func(do func(*app, string, []string) tea.Cmd) func(*app, typedCommand) tea.Cmd {
		return func(a *app, c typedCommand) tea.Cmd { return do(a, c.name, c.words) }
	}
	quietly := func(do func(*app, []string)) func(*app, typedCommand) tea.Cmd {
		return func(a *app, c typedCommand) tea.Cmd { do(a, c.words); return nil }
	}
	offering := func(a *app, c typedCommand) tea.Cmd { a.withoutCommand(c.name, c.words); return nil }
	line := func(do func(*app, string) tea.Cmd) func(*app, typedCommand) tea.Cmd {
		return func(a *app, c typedCommand) tea.Cmd { return do(a, c.line) }
	}
	return []command{
		{name: "call", words: "TOOL [NAME=VALUE...]", help: "call a tool", run: listed((*app).callCommand), next: (*app).proposeCall},
		{name: "read", words: "URI [NAME=VALUE...]", help: "read a resource; values fill a template", run: listed((*app).readCommand), next: (*app).proposeRead},
		{name: "prompt", words: "NAME [ARG=TEXT...]", help: "get a prompt", run: listed((*app).promptCommand), next: (*app).proposePrompt},
		{name: string(actSend), words: "METHOD [PARAMS]", help: "send any request; alone what stands in the form", free: true, orKey: true, run: (*app).sendCommand, next: (*app).proposeMethod},
		{name: "notify", words: "METHOD [PARAMS]", help: "send a notification", free: true, run: (*app).sendCommand, next: (*app).proposeNotification},
		{name: "raw", words: "BYTES", help: "send a line as it is", free: true, run: (*app).rawCommand, next: (*app).proposeRaw},
		{name: "listen", words: "[tools] [prompts] [resources] [task=ID...] [URI...]", help: "be told of what changes", run: named((*app).listenCommand), next: (*app).proposeInterest},
		{name: "unlisten", words: "[tools] [prompts] [resources] [task=ID...] [URI...]", help: "be told no longer", run: named((*app).listenCommand), next: (*app).proposeInterest},
		{name: "log-level", words: "[LEVEL]", help: "ask the server for its log messages", run: listed((*app).logLevelCommand), next: (*app).proposeLevel},
		{name: string(actRestart), words: "[-e NAME=VALUE...]", help: "start the server again, with other variables", orKey: true, run: listed((*app).restartCommand), next: (*app).proposeRestart},
		{name: "why", help: "what is known of why the open calls have no answer", run: quietly((*app).whyCommand)},
		{name: "task", help: "let the server make tasks of calls, or no longer", run: (*app).taskCommand},
		{name: "meta", words: "[KEY=JSON|KEY-...]", help: "what the calls that follow carry in _meta", run: quietly((*app).metaCommand), next: (*app).proposeMeta},
		{name: "root", words: "[add DIR|remove DIR]", help: "the roots that are offered", run: quietly((*app).rootCommand), next: (*app).proposeRoot},
		{name: "with", words: "[CAPABILITY...]", help: "what is offered to the server", run: offering, next: (*app).proposeCapability},
		{name: "without", words: "[CAPABILITY...]", help: "what is not offered to the server", run: offering, next: (*app).proposeCapability},
		{name: "save", words: "[FILE] [FILTER]", help: "the recording so far, or some rows of it", free: true, run: line((*app).save), next: (*app).proposeFileAndFilter},
		{name: "export", words: "md|html|har|jsonl [FILE] [FILTER] [--mask POINTER|re:EXPR]", help: "a masked file for others", free: true, run: line((*app).export), next: (*app).proposeExport},
		{name: string(actSaveBlock), words: "[FILE]", help: "save a block of the result", orKey: true, run: listed((*app).saveCommand), next: (*app).proposeFile},
		{name: "note", words: "[TEXT]", help: "put a note on the row under the cursor of the wire", free: true, run: line((*app).noteCommand), next: (*app).proposeNote},
		{name: string(actFilter), words: "[EXPRESSION]", help: "filter the wire", free: true, orKey: true, run: (*app).filterCommand, next: (*app).proposeFilter},
		{name: string(actStatistics), help: "count by method and tool", run: func(a *app, _ typedCommand) tea.Cmd { return a.openStatistics() }},
		{name: "set", words: "[NAME] [VALUE]", help: "what is shown and how; alone it lists all", free: true, run: (*app).setCommand, next: (*app).proposeSetting},
		{name: "replay", words: "[FILTER]", help: "send what the recorded client sent", free: true, run: func(a *app, c typedCommand) tea.Cmd { return a.replayCommand(c.rest) }, next: (*app).proposeWholeFilter},
		{name: "play", words: "[N]", help: "play the recording, N times faster", run: named((*app).playCommand), next: (*app).proposeSpeed},
		{name: "pause", help: "stand still", run: named((*app).playCommand)},
		{name: "step", help: "to the next row", run: named((*app).playCommand)},
		{name: "at", words: "TIME", help: "what was known at a time, as in 12.5s", run: named((*app).playCommand), next: (*app).proposeTime},
		{name: "history", words: "clear", help: "forget the arguments that are kept of this server", run: listed((*app).historyCommand), next: (*app).proposeClear},
		{name: "q", help: "quit", run: func(a *app, _ typedCommand) tea.Cmd { return a.quit() }},
	}
}

// commandNames are the names of all commands, those of keys behind the others.
func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	for _, b := range keyTable {
		if !slices.Contains(names, string(b.Action)) {
			names = append(names, string(b.Action))
		}
	}
	return names
}
