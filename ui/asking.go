package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/questions"
	"example.com/mcpinspect/ui/text"
)

// asking is what the server asks the person: the questions that wait, with what was typed for them.
type asking struct {
	queue *questions.Queue // nil where nobody asks
	open  []*question      // the oldest first
	at    int              // the one that is shown
	back  Pane             // where the focus was before
	came  time.Time        // when the question that is shown took the focus by itself; zero when the person went there
	now   func() time.Time // nil for the clock
}

// questionMsg says that the queue changed.
type questionMsg struct{}

// questionGrace is how long the keys that answer do nothing after a question took the focus: they may
// have been meant for what was there before.
const questionGrace = 700 * time.Millisecond

// awaitQuestion is parked on the queue.
func (a *app) awaitQuestion() tea.Cmd {
	q, ctx := a.asking.queue, a.ctx
	if q == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-q.Changed():
			return questionMsg{}
		case <-ctx.Done():
			return nil
		}
	}
}

// current is the question that is shown, or would be; nil for none.
func (s *asking) current() *question {
	if s.at < len(s.open) {
		return s.open[s.at]
	}
	return nil
}

// age is how long a question waits, to the second.
func (s *asking) age(q *question) string {
	now := time.Now
	if s.now != nil {
		now = s.now
	}
	d := max(now().Sub(q.Since), 0)
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d/time.Second))
	}
	return text.Duration(d)
}

// asked takes over what waits now. A question that is new comes to the front, unless the person is
// busy or answers another: then the status line tells of it.
func (a *app) asked() {
	s := &a.asking
	if s.queue == nil {
		return
	}
	shown := s.current()
	var open []*question
	fresh := -1 // the first that is new
	for i, w := range s.queue.Waiting() {
		q := (*question)(nil)
		for _, x := range s.open {
			if x.Waiting == w {
				q = x
			}
		}
		if q == nil {
			q = newQuestion(w)
			if fresh < 0 {
				fresh = i
			}
		}
		open = append(open, q)
	}
	s.open, s.at = open, min(s.at, max(len(open)-1, 0))
	for i, q := range open {
		if q == shown {
			s.at = i
		}
	}
	if fresh >= 0 && a.mode.Focus != PaneQuestion {
		s.at = fresh
	}
	for _, went := range s.queue.Went() {
		a.say("%s", went)
	}
	switch {
	case len(open) == 0:
		a.mode.Asked, s.came = false, time.Time{}
		if a.mode.Focus == PaneQuestion {
			a.focus(max(s.back, PaneServer))
		}
	case s.current() != shown && a.mode.Focus == PaneQuestion: // the next one stands where another was
		s.came = time.Now()
	case fresh >= 0 && a.mode.Focus != PaneQuestion:
		a.comesUp()
	}
}

// comesUp brings a question to the front, if that takes nothing from the person.
func (a *app) comesUp() {
	switch {
	case a.prompt.kind != promptNone, a.yank, a.help != nil, a.mode.Zoom, a.call.editing():
	case a.mode.Focus == PaneWire, a.mode.Focus == PaneDetail:
		a.mode.Asked = true
	default:
		a.asking.back = a.mode.Focus
		a.focus(PaneQuestion)
		a.asking.came = time.Now()
	}
}

// toQuestion goes to the question that waits.
func (a *app) toQuestion() {
	if a.asking.current() == nil {
		a.say("the server asks nothing")
		return
	}
	if a.mode.Focus != PaneQuestion {
		a.asking.back = a.mode.Focus
	}
	a.asking.came = time.Time{}
	a.focus(PaneQuestion)
}

// leaveQuestion goes back to where the person was; the question waits on.
func (a *app) leaveQuestion() {
	a.mode.Asked = false
	a.focus(max(a.asking.back, PaneServer))
	if n := len(a.asking.open); n > 0 {
		a.say("%s on; 7 comes back", text.Plural(n, "question")+" "+map[bool]string{true: "waits", false: "wait"}[n == 1])
	}
}

// formPane is the form that keys are for: that of the question where it has the focus, else the call's.
func (a *app) formPane() *callPane {
	if q := a.asking.current(); q != nil && a.mode.Focus == PaneQuestion {
		return &q.pane
	}
	return &a.call
}

// onForm reports whether the focus is on a form.
func (a *app) onForm() bool { return a.mode.Focus == PaneCall || a.mode.Focus == PaneQuestion }

// questionAction is an action of the pane's own; false for those of every form.
func (a *app) questionAction(act Action) (did bool) {
	s := &a.asking
	q := s.current()
	if q == nil {
		return true
	}
	switch act {
	case actAccept, actAcceptRaw, actSend, actSendRaw, actDecline, actDismiss, actOpen:
		if act == actOpen && (!q.pane.onSend() || q.full) {
			break
		}
		if !s.came.IsZero() && time.Since(s.came) < questionGrace {
			a.say("this question has only just come: press it again")
			return true
		}
	}
	s.came = time.Time{}
	switch act {
	case actAccept, actSend:
		a.accept(q, false)
	case actAcceptRaw, actSendRaw:
		a.accept(q, true)
	case actDecline, actDismiss:
		said := map[bool]string{true: "declined", false: "cancelled"}[act == actDecline]
		if q.kind == askSample {
			said = "refused"
		}
		a.reply(q, q.refused(act == actDecline), said)
	case actAskedPrev, actAskedNext:
		by := 1
		if act == actAskedPrev {
			by = -1
		}
		if at := s.at + by; at >= 0 && at < len(s.open) {
			s.at = at
		} else {
			a.say("there is no question %s", map[int]string{-1: "before this one", 1: "after this one"}[by])
		}
	case actAskedText:
		q.full = !q.full
	case actBack:
		if !q.full {
			return false
		}
		q.full = false
	case actUp, actDown, actLeft, actRight, actHome, actEnd, actHalfUp, actHalfDown, actPageUp, actPageDown:
		if !q.full {
			return false
		}
		q.text.move(act)
	default:
		return false
	}
	return true
}

// accept answers with what the form says. Problems are shown on their rows and nothing is sent, unless
// unchecked.
func (a *app) accept(q *question, unchecked bool) {
	r, problems, err := q.accepted()
	switch {
	case err != nil:
		a.say("%v: nothing was sent", err)
		return
	case len(problems) > 0 && !unchecked:
		q.full = false
		q.pane.refuse(problems)
		how := "(; goes to the next, S sends unchecked)"
		if q.pane.editing() { // there they are text
			how = "(after esc ; goes to the next, S sends unchecked)"
		}
		a.say("%s: nothing was sent %s", text.Plural(len(problems), "problem"), how)
		return
	}
	a.hide(r.Result)
	said := "answered"
	if q.kind == askURL {
		said = "agreed: open it yourself"
		if q.Refused {
			said += ", then r sends the call again"
		}
	}
	a.reply(q, r, said)
}

// reply answers a question and goes on to the next one, or back.
func (a *app) reply(q *question, r client.Reply, what string) {
	if a.asking.queue.Reply(q.Waiting, r) {
		a.say("%s: question %d, %s", what, q.Number, q.Method)
	}
	a.asked()
}

// syncQuestion lays out what the server says.
func (a *app) syncQuestion() {
	q := a.asking.current()
	if q == nil {
		return
	}
	who := "the server"
	if v := a.snap.Server; v != nil && v.Name != "" {
		who = v.Name
	}
	q.lay(a.look, who, a.inner(PaneQuestion))
}

// questionTitle names the pane of the question: which of how many, and how long it waits.
func (a *app) questionTitle() (title, note string) {
	s := &a.asking
	q := s.current()
	if q == nil {
		return "", ""
	}
	title = fmt.Sprintf("Question %d of %d", s.at+1, len(s.open))
	if len(s.open) == 1 {
		title = "Question"
	}
	note = "waits " + s.age(q)
	if q.kind == askForm || q.kind == askSample {
		note = q.pane.note() + " " + note
	}
	return title, note
}

// asksFor says what a tool's latest call waits for; empty when for nothing of the person's. last is
// the latest answer of the tool, which asks where the revision is 2026-07-28; before that the server
// asks while the call is open, and which call it is for is not said.
func (s *asking) asksFor(last session.Latest, running bool) string {
	for _, q := range s.open {
		if q.Refused && q.ID == last.ID {
			return "an address is to be opened before the call is served: 7 goes to the question"
		}
		if (q.Key != "" || q.kind == askGoOn) && q.ID == last.ID || q.Key == "" && !q.Refused && q.kind != askGoOn && running {
			said := fmt.Sprintf("the server waits for your answer for %s: 7 goes to the question", s.age(q))
			if !running { // else that is said below
				said += ", x gives the call up"
			}
			return said
		}
	}
	return ""
}

// waits says in one sentence that the person is asked; empty when nobody is.
func (a *app) waits() string {
	s := &a.asking
	q := s.current()
	if q == nil {
		return ""
	}
	what := "the server waits for your answer for " + s.age(q)
	if q.Refused {
		what = "an address is to be opened before a call is served, for " + s.age(q)
	}
	if n := len(s.open); n > 1 {
		what = fmt.Sprintf("the server waits for %d answers of yours, the oldest for %s", n, s.age(s.open[0]))
	}
	if a.mode.Focus == PaneQuestion {
		return what + ": esc leaves the question"
	}
	return what + ": 7 goes to the question"
}
