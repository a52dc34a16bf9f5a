package ui

import (
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// resultPane is a projection of the log: the latest answered call of the tool in the call pane,
// or the one that runs.
type resultPane struct {
	lines linesPane
	made  resultKey
	open  map[string]bool // folds that are open
	title string
	note  string
	view  resultView

	listed []pastCall // the calls that are shown, newest first, a line each

	got   *answer // the one that is shown, or the one before while a call runs
	asked bool    // it is being read
}

// resultKey is what the lines depend on. The version counts only while a call runs: a flood of
// notifications must not format an old result again and again.
type resultKey struct {
	version uint64
	subject session.Subject
	answer  int
	width   int
	tick    int64
	folds   int
	view    resultView
	diff    answers
	ready   bool // the comparison is
	read    bool // the answer was
	calls   int  // rows of calls, and the latest
	latest  int
	settled bool // no call is open
	build   int
	phase   session.Phase
	asks    string
	drawn   int // pictures that were decoded
	rows    int // how high they may be
}

// resultSource is what the pane shows.
type resultSource struct {
	snap      *session.Snapshot
	log       *session.Log
	bodies    *bodies
	offer     offer
	subject   session.Subject // of the offer
	output    []byte          // the tool's output schema
	unchecked bool            // the latest call was sent without a check
	refused   string          // why the latest call was not sent
	asks      string          // that the latest call waits for the person; empty when it does not
	now       time.Duration
	host      time.Duration // when hosts may have given up

	diff      *compared         // against the result before
	catalogue string            // what changed in the tools since the last run
	past      func() []pastCall // the tool's earlier calls, oldest first
	clock     time.Time         // now
	input     []byte            // the tool's input schema
	secrets   *recordings.Secrets
	build     *buildFailure // nil when the latest build was none
	startable bool          // R starts a server
}

func (p *resultPane) sync(l look, src resultSource, width, height int) {
	running := runningCall(src.snap, src.subject)
	lost, wasLost := src.snap.Lost[src.subject]
	last, ok := src.snap.Last[src.subject]
	key := resultKey{phase: src.snap.Phase, asks: src.asks, subject: src.subject, width: width, folds: p.folds(), answer: -1}
	if ok {
		key.answer = last.Answer
		p.take(src.log, src.subject.Method, last, src.output)
		key.read = p.got.ready
		if key.drawn = p.got.drawn; key.drawn > 0 {
			key.rows = pictureRows(height)
		}
	}
	if wasLost {
		key.answer = -2 - lost.Seq
	}
	if running != nil {
		key.version, key.tick = src.snap.Version, int64(src.now/tickInterval)
	}
	if src.unchecked {
		key.folds += 1000
	}
	if p.view == viewBuild && src.build == nil {
		p.view = viewResult
	}
	view := p.view
	if src.refused != "" || running != nil && view == viewChanges { // what is happening comes first
		view = viewResult
	}
	key.view, key.diff, key.ready = view, src.diff.of, src.diff.ready
	if made := src.snap.Made[src.subject]; view == viewCalls && len(made) > 0 {
		key.calls, key.latest, key.settled = len(made), made[len(made)-1], running == nil
	}
	if src.build != nil {
		key.build = src.build.round
	}
	if key == p.made && src.refused == "" {
		return
	}
	sameSubject := key.subject == p.made.subject
	p.made = key
	b := &lineBuilder{look: l, width: width, saves: true, rows: key.rows}
	p.title, p.note = "Result", ""
	if view != viewResult {
		before := len(p.listed)
		switch view {
		case viewChanges:
			p.changes(b, src)
		case viewCalls:
			p.calls(b, src)
		case viewBuild:
			p.failed(b, src.build)
		}
		p.lines.set(b.out)
		if grown := len(p.listed) - before; view == viewCalls && sameSubject && grown > 0 && before > 0 {
			p.lines.list.Go(p.lines.list.Cursor() + grown) // the cursor stays on its call
		}
		return
	}
	if src.asks != "" && src.refused == "" {
		b.wrap(theme.Mark, "", src.asks)
	}
	if running != nil {
		p.running(b, running, src)
	}
	switch {
	case src.refused != "": // an older result below it would look like the result of this one
		p.title = "Not sent"
		b.wrap(theme.Bad, "", src.refused)
	case wasLost && running == nil:
		p.lost(b, lost, src)
	case ok && running == nil:
		p.answer(b, last, src)
	case ok:
		before := "the call before"
		if last.Request == running.Seq { // it became a task, and goes on
			before = "its answer so far"
		}
		b.head(before)
		title := p.title
		p.answer(b, last, src)
		p.title, p.note = title, "" // they are of the call that runs
	case running == nil && (src.snap.Phase == session.Ended || src.snap.Phase == session.Failed):
		if src.offer == (offer{}) { // the call pane says why
			b.wrap(theme.Faint, "", "nothing was called")
			break
		}
		b.trouble(src.snap, "", src.startable)
	case running == nil:
		b.wrap(theme.Faint, "", src.offer.unasked())
	}
	p.lines.set(b.out)
}

// pending reports whether the answer that is shown is still being read.
func (p *resultPane) pending() bool {
	return p.view == viewResult && p.made.answer >= 0 && p.got != nil && !p.got.ready
}

// changed makes the lines anew: a body was read back.
func (p *resultPane) changed() { p.made = resultKey{answer: -1} }

func (p *resultPane) folds() (n int) {
	for _, open := range p.open {
		if open {
			n++
		}
	}
	return n
}

// toggle opens or closes the fold of the line under the cursor.
func (p *resultPane) toggle() bool {
	l, ok := p.lines.current()
	if !ok || l.fold == "" {
		return false
	}
	if p.open == nil {
		p.open = map[string]bool{}
	}
	p.open[l.fold] = !p.open[l.fold]
	return true
}

// runningCall is the latest open request of a subject.
func runningCall(s *session.Snapshot, of session.Subject) *session.Call {
	for i := len(s.Calls) - 1; i >= 0; i-- {
		if c := &s.Calls[i]; c.Method == of.Method && c.Name == of.Name {
			return c
		}
	}
	return nil
}

// lost shows a call that ended without an answer.
func (p *resultPane) lost(b *lineBuilder, c session.Call, src resultSource) {
	p.title = fmt.Sprintf("Result of #%d", c.Seq)
	if c.GivenUp != "" {
		b.cancelled(c, src.snap)
		return
	}
	box, startable := src.snap.Box, src.startable
	if before := src.snap.Before; !box.Lost(c) && before.Lost(c) { // it was started again since
		box, startable = before, false
	}
	if box == nil || c.Lost != "" {
		b.wrap(theme.Bad, "", "NEVER ANSWERED")
		why := c.Lost
		if why == "" { // it was started again since, and another run was lost behind it
			why = "the server ended while this call was open; the wire has its last words"
		}
		b.wrap(theme.Odd, "", why)
		b.knownOnce(c.Known)
		return
	}
	b.ended(box, startable, "NEVER ANSWERED: ")
	b.knownOnce(c.Known)
}

// knownOnce is what was known of a call while it was open.
func (b *lineBuilder) knownOnce(facts []string) {
	if len(facts) > 0 {
		b.wrap(theme.Odd, "", "what was known while it was open: "+strings.Join(facts, "; "))
	}
}

// cancelled shows a call that is not wanted any more, and what its revision says of a late answer
// (basic/patterns/cancellation).
func (b *lineBuilder) cancelled(c session.Call, s *session.Snapshot) {
	said := "CANCELLED after " + text.Duration(c.Left-c.Sent)
	if c.GivenUp == client.NoteTimeout {
		said = "TIMED OUT and cancelled after " + text.Duration(c.Left-c.Sent)
	}
	b.wrap(theme.Odd, "", said)
	b.progress(c.Progress, c.Far)
	b.knownOnce(c.Known)
	switch {
	case c.Lost != "":
		b.wrap(theme.Faint, "", c.Lost)
	case s.Server != nil && s.Server.Revision.Modern():
		b.wrap(theme.Faint, "", fmt.Sprintf("in %s the server must not answer it any more", s.Server.Revision))
	case s.Server != nil && s.Server.Revision != "":
		b.wrap(theme.Faint, "", fmt.Sprintf("in %s the server should not answer it any more", s.Server.Revision))
	}
	b.wrap(theme.Faint, "", "r sends it again")
}

func (p *resultPane) running(b *lineBuilder, c *session.Call, src resultSource) {
	elapsed := src.now - c.Sent
	p.title = fmt.Sprintf("Result of #%d", c.Seq)
	what := "running " + text.Duration(elapsed)
	if c.GivenUp != "" {
		what = fmt.Sprintf("given up after %s, not answered", text.Duration(c.Left-c.Sent))
	} else if src.host > 0 && elapsed > src.host {
		what += fmt.Sprintf(": hosts that wait %s may have given up by now", text.Duration(src.host))
	}
	b.wrap(theme.Odd, "", what)
	b.progress(c.Progress, c.Far)
	b.known(c.Known)
	if len(c.Known) == 0 && src.snap.Waiting > 0 {
		b.wrap(theme.Odd, "", waitingLine(src.snap))
	}
	if c.GivenUp == "" {
		b.wrap(theme.Faint, "", "x cancels it; ctrl+c does so while a field is edited; :why looks what the server is at")
	}
}

// answer shows an answered call: what failed is said first.
func (p *resultPane) answer(b *lineBuilder, last session.Latest, src resultSource) {
	p.title = fmt.Sprintf("Result of #%d", last.Request)
	p.note = p.took(last, src.diff.says(), b.width)
	e, ok := src.log.Event(last.Answer)
	if !ok {
		b.wrap(theme.Odd, "", fmt.Sprintf("the answer, row %d, is no longer in memory", last.Answer))
		return
	}
	in, got := &p.got.message, p.got
	if got.remark != "" {
		b.wrap(theme.Odd, "", got.remark)
	}
	if src.unchecked {
		p.title += " UNCHECKED"
		b.wrap(theme.Odd, "", "UNCHECKED: sent although the arguments violate the schema")
	}
	if q, ok := src.log.Event(last.Request); ok && q.Cancelled {
		b.wrap(theme.Odd, "", "it had been cancelled, and was answered all the same")
	}
	for _, m := range e.Marks {
		b.wrap(theme.Odd, "", strings.ToUpper(m.Severity.String())+" "+m.Rule+": "+m.Text)
	}
	switch {
	case !got.ready:
		what := "reading " + text.Size(int64(e.Size))
		if e.Kept < e.Size {
			what += " back from the recording"
		}
		b.wrap(theme.Faint, "", what)
	case !got.found && got.remark == "":
		b.wrap(theme.Faint, "", "the answer is shown by the Detail pane")
		b.out[len(b.out)-1].cut = true
	case !got.found:
	case in.Kind == client.KindError:
		rpc := client.NewRPCError(in.Raw(in.Error))
		code := rpc.CodeRaw
		if code == "" {
			code = "without a code"
		}
		message := rpc.Message
		if message == "" {
			message = "no message given"
		}
		b.wrap(theme.Bad, "", "PROTOCOL ERROR "+code)
		b.wrap(theme.Plain, "", message)
		b.addresses(*in)
		if rpc.Data != nil {
			b.jsonPrefixed("data ", rpc.Data)
		}
		if r := in.Raw(in.Result); r != nil {
			b.wrap(theme.Odd, "", "the answer has a result too:")
			b.json(r)
		}
	default:
		p.result(b, got)
	}
	p.sent(b, last, src)
}

func (p *resultPane) result(b *lineBuilder, got *answer) {
	if got.failed {
		b.wrap(theme.Bad, "", "TOOL ERROR (isError: true): the call was made, the tool failed")
	}
	if got.kind != "" && got.kind != "complete" {
		b.wrap(theme.Odd, "", "resultType "+got.kind+": not the final result")
		b.json(got.result)
		return
	}
	if e := got.isError; e != nil && string(e) != "true" && string(e) != "false" {
		p.folded(b, "result.isError", "isError "+client.Excerpt(e), e)
	}
	if got.about != "" {
		b.wrap(theme.Faint, "", got.about)
	}
	shown := 0
	for limit := len(b.out) + maxBlockLines; shown < len(got.blocks) && len(b.out) < limit; shown++ {
		from, k := len(b.out), got.blocks[shown]
		if k.message {
			b.speaker(k.role)
		}
		b.shown(shown, k)
		b.belongs(from, shown+1)
	}
	switch member := contentMember(got.method); {
	case got.content == nil:
		b.wrap(theme.Odd, "", "a result without "+member)
	case got.content[0] != '[':
		b.wrap(theme.Odd, "", member+" that is "+client.JSONType(got.content)+":")
		b.json(got.content)
	case got.count == 0:
		b.wrap(theme.Faint, "", member+" is empty")
	case shown < got.count:
		b.wrap(theme.Mark, "", fmt.Sprintf("%s more, %s of content in all: %d and enter on row #%d of the wire show everything",
			text.Plural(got.count-shown, "block"), text.Size(int64(len(got.content))), PaneWire, got.of.Answer))
	}
	if got.structured != nil {
		from := len(b.out)
		b.head("structured content")
		b.json(got.structured)
		b.belongs(from, structuredBlock)
	}
	if got.output != nil && !got.failed {
		p.violations(b, got)
	}
	for _, m := range got.others {
		p.folded(b, "result."+m.name, m.name, m.value)
	}
}

// violations says what the output schema holds against the structured content.
func (p *resultPane) violations(b *lineBuilder, got *answer) {
	if got.structured == nil {
		b.wrap(theme.Odd, "", "the tool declares an outputSchema, but structuredContent is missing")
		return
	}
	for _, problem := range got.problems {
		where := problem.Path
		if where == "" {
			where = "structuredContent"
		}
		b.wrap(theme.Odd, "", "outputSchema: "+where+" "+problem.Message)
	}
}

// folded adds one line for a member; its value follows when the fold is open.
func (p *resultPane) folded(b *lineBuilder, fold, label string, value []byte) {
	mark := "+ "
	if p.open[fold] {
		mark = "- "
	}
	what := label
	if len(value) > 0 && value[0] == '{' {
		n := 0
		for range client.Members(value) {
			n++
		}
		what += " " + text.Plural(n, "key")
	}
	b.out = append(b.out, line{text: b.look.glyphs.Short(b.look.mask(mark+what), b.width), role: theme.Faint, fold: fold, copy: string(value)})
	if p.open[fold] {
		b.jsonPrefixed("  ", value)
	}
}

// sent shows the request behind the result: its _meta and arguments, folded.
func (p *resultPane) sent(b *lineBuilder, last session.Latest, src resultSource) {
	e, ok := src.log.Event(last.Request)
	if !ok {
		return
	}
	body, _, whole := src.bodies.of(&e)
	if !whole {
		return
	}
	params := client.Get(body.Bytes(), "params")
	if meta := client.Get(params, "_meta"); meta != nil {
		p.folded(b, "sent._meta", "sent _meta", meta)
	} else {
		b.out = append(b.out, line{text: "  sent without _meta", role: theme.Faint})
	}
	if src.subject.Method == client.MethodResourcesRead {
		b.wrap(theme.Faint, "", "  sent uri "+client.GetText(params, "uri"))
		return
	}
	args := client.Get(params, "arguments")
	if args == nil && !src.offer.isTool() {
		b.out = append(b.out, line{text: "  sent without arguments", role: theme.Faint})
		return
	}
	p.folded(b, "sent.arguments", "sent arguments", args)
}
