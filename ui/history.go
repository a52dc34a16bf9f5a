package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/history"
	"example.com/mcpinspect/ui/form"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// pastCall is an earlier call of a tool: of this session, where the log has all of it, or of an
// earlier one, of which the arguments were kept.
type pastCall struct {
	row     int // of its request; NoPair for a call of an earlier session
	at      time.Time
	args    []byte // as sent; without secrets for an earlier session
	left    int    // secrets that are missing in args
	outcome string
	latency time.Duration // negative when it is not known
}

// keptAs is the name under which its arguments are kept over sessions; empty when they are not: those of a
// resource are none, and of a template's only the URI is known later. No tool has a zero byte in its name.
func (o offer) keptAs() string {
	switch o.kind {
	case client.Tools.Name:
		return o.name
	case client.Prompts.Name:
		return client.MethodPromptsGet + "\x00" + o.name
	}
	return ""
}

// pastCalls are the earlier requests for what is offered, oldest first: of tools and prompts also those of
// earlier sessions.
func (a *app) pastCalls(of offer) (list []pastCall) {
	var before []history.Call
	if name := of.keptAs(); name != "" {
		before = a.opts.History.Calls(name)
	}
	for _, c := range before {
		took := c.Latency
		if c.Outcome == "" {
			took = -1
		}
		list = append(list, pastCall{row: session.NoPair, at: c.At, args: c.Args, left: c.Left, outcome: c.Outcome, latency: took})
	}
	log := a.sess.Log()
	for _, row := range a.snap.Made[a.subjectOf(of)] {
		e, ok := log.Event(row)
		if !ok || e.Kept < e.Size { // its arguments are no longer known
			continue
		}
		args := client.Get(log.Body(row).Bytes(), "params", "arguments")
		switch {
		case of.done() == "read": // what made the URI is not known
			args = readResource(client.GetText(log.Body(row).Bytes(), "params", "uri")).Params
		case args == nil:
			args = []byte("{}")
		}
		list = append(list, pastCall{row: row, at: a.sess.Start().Add(e.T), args: args, outcome: outcomeOf(log, &e), latency: e.Latency})
	}
	return list
}

// outcomeOf says in few words how the call of a row of the log went.
func outcomeOf(log *session.Log, e *session.Event) string {
	switch {
	case e.Open:
		return "open"
	case e.Pair == session.NoPair:
		return "never answered"
	case e.Failed:
		return "tool error"
	}
	if r, ok := log.Event(e.Pair); ok && r.Kind == client.KindError {
		return "error"
	}
	return "ok"
}

// steps is where the person stands in the earlier arguments of one tool. Every form that was shown
// is kept: what was changed in one is there when it is stepped to again.
type steps struct {
	at   string // the arguments whose form is shown, or one of the names below
	seen map[string]kept
}

// Names of forms whose arguments were not sent yet; both stand behind those that were.
const (
	typedForm  = ""  // what the person typed
	wordedForm = " " // what the words of a command made, which was not sent
)

// kept is a form that is not shown, with the definition of the tool that it was made for.
type kept struct {
	form *form.Form
	raw  []byte
}

// distinct are different arguments, those that were used latest last.
func distinct(list []pastCall) (out []pastCall) {
	seen := map[string]bool{}
	for _, c := range slices.Backward(list) {
		if !seen[string(c.args)] {
			seen[string(c.args)] = true
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return out
}

// stepArguments shows the arguments before or after those in the form. What was not sent yet is
// the newest of them.
func (a *app) stepArguments(older bool) {
	p := &a.call
	if p.form == nil {
		a.say("choose a tool first")
		return
	}
	if p.of.done() == "read" {
		a.say("%s", noValues)
		return
	}
	past := distinct(a.pastCalls(p.of))
	st := a.stepsOf(p.of)
	names := make([]string, 0, len(past)+2)
	for _, c := range past {
		names = append(names, string(c.args))
	}
	if _, kept := st.seen[wordedForm]; kept || st.at == wordedForm {
		names = append(names, wordedForm)
	}
	names = append(names, typedForm)
	at := slices.Index(names, st.at)
	if at < 0 {
		at = len(names) - 1
	}
	next := at + 1
	if older {
		next = at - 1
		if next >= 0 && st.at == typedForm && next == len(past)-1 && p.holds(past[next].args) {
			next-- // what was sent last is still in the form
		}
	}
	switch {
	case next < 0 && len(past) == 0:
		a.say("%s was not %s before", p.of.name, p.of.done())
		return
	case next < 0:
		a.say("these are the oldest arguments that are known")
		return
	case next == len(names):
		a.say("there are no later arguments")
		return
	case next >= len(past):
		a.turn(st, names[next])
		if a.say("what was not sent yet"); names[next] == wordedForm {
			a.say("what the command said, which was not sent")
		}
		return
	}
	if err := a.recall(past[next].args); err != nil {
		a.say("%v", err)
		return
	}
	a.say("%d of %d: %s", next+1, len(past), past[next].says(a.sess.Start().Add(a.sess.Now())))
}

// noValues is said of the form of a template or a resource.
const noValues = "a URI does not tell the values that it was made of; H lists what was read"

// recall fills the form with earlier arguments of its tool; what was in it is kept.
func (a *app) recall(args []byte) error {
	p := &a.call
	st := a.stepsOf(p.of)
	if st.at == string(args) {
		return nil
	}
	if _, known := st.seen[string(args)]; !known {
		v, err := schema.Parse(args)
		if err != nil {
			return err
		}
		k := kept{form.New(p.input()), p.raws[p.of]}
		if err := k.form.Load(v); err != nil {
			return err
		}
		st.seen[string(args)] = k
	}
	a.turn(st, string(args))
	return nil
}

// turn shows the form of a name in place of the one that is shown, which is kept.
func (a *app) turn(st *steps, name string) {
	st.seen[st.at] = kept{a.call.form, a.call.raws[a.call.of]}
	st.at = name
	a.takeForm(st.seen[name])
}

func (a *app) stepsOf(of offer) *steps {
	if a.steps == nil {
		a.steps = map[offer]*steps{}
	}
	if a.steps[of] == nil {
		a.steps[of] = &steps{seen: map[string]kept{}}
	}
	return a.steps[of]
}

// setAside puts an empty form in the place of one that was typed into and not sent: it stays behind what
// will be sent, as a draft. It reports whether it did.
func (a *app) setAside() bool {
	p := &a.call
	st := a.stepsOf(p.of)
	if st.at != typedForm || !p.touched() || p.holds(p.sent[p.of]) {
		return false
	}
	st.seen[wordedForm] = kept{form.New(p.input()), p.raws[p.of]}
	a.turn(st, wordedForm)
	return true
}

// takeBackDraft undoes setAside: nothing came of what was to be sent.
func (a *app) takeBackDraft() {
	st := a.stepsOf(a.call.of)
	a.turn(st, typedForm)
	delete(st.seen, wordedForm)
}

// takeForm shows a form that was kept; the tool may have changed since.
func (a *app) takeForm(k kept) {
	p := &a.call
	if !bytes.Equal(k.raw, p.raws[p.of]) {
		k.form.Reschema(p.input())
	}
	p.form, p.forms[p.of], p.refused = k.form, k.form, ""
}

// stepped notes that the form's arguments were sent: they are the newest of the earlier ones now.
// A form that was never sent stays behind them.
func (a *app) stepped(of offer, args []byte) {
	st := a.steps[of]
	if st == nil || st.at == typedForm {
		return
	}
	if st.at == wordedForm {
		delete(st.seen, wordedForm)
	}
	st.at = string(args)
}

// holds reports whether the form says exactly this.
func (p *callPane) holds(args []byte) bool {
	now, _, err := p.value()
	return err == nil && bytes.Equal(now, args)
}

// says is when a call was made and how it went.
func (c *pastCall) says(now time.Time) string {
	out := when(c.at, now)
	if c.outcome != "" {
		out += " " + c.outcome
	}
	if c.latency >= 0 {
		out += " " + text.Duration(c.latency)
	}
	if c.left > 0 {
		out += ", " + text.Plural(c.left, "secret") + " left out"
	}
	return out
}

// when is a time of day where now is, with the date when it was another day.
func when(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format("2006-01-02 15:04")
}

// calls shows the earlier calls of the tool, newest first.
func (p *resultPane) calls(b *lineBuilder, src resultSource) {
	list := src.past()
	slices.Reverse(list)
	p.listed = list
	p.title, p.note = "Calls of "+b.look.glyphs.Clean(src.offer.name), fmt.Sprint(len(list))
	now, day, outcome := src.clock, 0, 0
	for _, c := range list {
		day, outcome = max(day, len(when(c.at, now))), max(outcome, len(c.outcome))
	}
	for _, c := range list {
		took := ""
		if c.latency >= 0 {
			took = text.Duration(c.latency)
		}
		clean, left := history.Scrub(src.input, c.args, src.secrets)
		if clean == nil {
			clean = c.args
		}
		args := b.look.mask(string(clean))
		if left += c.left; left > 0 {
			args += " " + text.Plural(left, "secret") + " left out"
		}
		role := theme.Plain
		switch {
		case c.outcome != "ok" && c.outcome != "open" && c.outcome != "":
			role = theme.Bad
		case c.row == session.NoPair:
			role = theme.Faint
		}
		row := fmt.Sprintf("%-*s %-*s %*s  %s", day, when(c.at, now), outcome, c.outcome, tookWidth, took, b.look.glyphs.Short(args, 4*b.width))
		b.out = append(b.out, line{text: row, role: role, copy: string(c.args)})
	}
	if len(list) == 0 {
		b.wrap(theme.Faint, "", "no calls of this tool yet")
	}
}

// tookWidth is the column of durations in the list of calls.
const tookWidth = len("1234 ms")

// openCalls shows the tool's earlier calls in the result pane.
func (a *app) openCalls() {
	if (a.call.of == offer{}) {
		a.say("choose a tool first")
		return
	}
	a.result.view = viewCalls
	a.result.lines.list.Home()
	a.focus(PaneResult)
	a.say("enter fills the form with a call's arguments, w shows it in the wire, esc goes back")
}

// takeBack fills the form with the arguments of the call under the cursor.
func (a *app) takeBack() {
	i := a.result.lines.list.Cursor()
	if i < 0 || i >= len(a.result.listed) {
		return
	}
	c := a.result.listed[i]
	if a.call.of.done() == "read" {
		a.say("%s", noValues)
		return
	}
	if err := a.recall(c.args); err != nil {
		a.say("these arguments cannot be shown in the form: %v", err)
		return
	}
	a.result.view = viewResult
	a.focus(PaneCall)
	a.say("the arguments of %s; P goes to what was not sent yet", c.says(a.sess.Start().Add(a.sess.Now())))
}

// toWire shows what the result pane is about in the wire: the answer, or the call under the cursor.
func (a *app) toWire() {
	row := session.NoPair
	if a.result.view == viewCalls {
		i := a.result.lines.list.Cursor()
		if i < 0 || i >= len(a.result.listed) {
			return
		}
		if row = a.result.listed[i].row; row == session.NoPair {
			a.say("it was made in an earlier session, of which only the arguments are kept")
			return
		}
		if e, ok := a.sess.Log().Event(row); ok && e.Pair != session.NoPair {
			row = e.Pair
		}
	} else if last, ok := a.snap.Last[a.subject()]; ok {
		row = last.Answer
	}
	if row == session.NoPair {
		a.say("no answer yet")
		return
	}
	if a.goToRow(row) {
		a.focus(PaneWire)
		a.mode.Detail = true
	}
}

// keeping returns what keeps a call: begin when it is sent, end with its outcome. Both may be
// called off the loop.
func (a *app) keeping(of offer, args []byte) (begin func(), end func(client.Answer, error)) {
	store, known := a.opts.History, a.look.secrets
	if store == nil || of.keptAs() == "" {
		return func() {}, func(client.Answer, error) {}
	}
	it, _ := of.find(a.snap)
	input := of.schemaOf(it.Raw)
	c := history.Call{Tool: of.keptAs(), At: time.Now()}
	sess := a.sess
	told := func(err error) {
		if err != nil {
			sess.Note(client.NoteWarning, "%v", err)
		}
	}
	begin = func() {
		if args == nil {
			args = []byte("{}")
		}
		c.Args, c.Left = history.Scrub(input, args, known)
		told(store.Begin(c))
	}
	end = func(answer client.Answer, err error) {
		c.Latency = answer.Latency
		switch {
		case errors.Is(err, context.Canceled):
			c.Outcome, c.Latency = "cancelled", time.Since(c.At)
		case err != nil:
			c.Outcome, c.Latency = "never answered", time.Since(c.At)
		case answer.IsError():
			c.Outcome = "error"
		case string(client.Get(answer.ResultRaw(), "isError")) == "true":
			c.Outcome = "tool error"
		default:
			c.Outcome = "ok"
		}
		told(store.End(c))
	}
	return begin, end
}

// historyCommand is :history clear.
func (a *app) historyCommand(rest []string) tea.Cmd {
	if strings.Join(rest, " ") != "clear" {
		a.say("history clear forgets the arguments that are kept of this server; H shows them")
		return nil
	}
	store := a.opts.History
	return func() tea.Msg {
		if err := store.Clear(); err != nil {
			return noticeMsg(err.Error())
		}
		return noticeMsg("the arguments that were kept of this server are deleted; those of this session are in its log")
	}
}
