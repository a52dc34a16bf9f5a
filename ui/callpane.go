package ui

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/form"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/words"
)

// callPane is the form of what is asked for: a tool, a prompt, a template, a resource. Other forms are
// kept with what was typed.
type callPane struct {
	of        offer
	raws      map[offer][]byte // each as sent, of which its form was made
	output    []byte           // the output schema of a tool
	hint      session.Hint
	form      *form.Form
	forms     map[offer]*form.Form
	sent      map[offer][]byte // the last arguments of each
	unchecked map[offer]bool   // the last request was sent without a check
	asked     map[string]bool  // the person agreed to call this destructive tool
	refused   string           // why the last call was not sent
	origin    string           // the row that a search began on
}

// show changes to what is offered; what was typed for it before is still there.
func (p *callPane) show(of offer, it session.Item) {
	if of == p.of {
		p.refresh(it)
		return
	}
	if p.forms == nil {
		p.forms, p.raws, p.sent, p.unchecked, p.asked = map[offer]*form.Form{}, map[offer][]byte{}, map[offer][]byte{}, map[offer]bool{}, map[string]bool{}
	}
	p.of, p.refused = of, ""
	p.form = p.forms[of]
	p.refresh(it)
}

// tool is the name of the tool whose form is shown; empty for anything else.
func (p *callPane) tool() string {
	if p.of.isTool() {
		return p.of.name
	}
	return ""
}

// input is the schema of the form that is shown.
func (p *callPane) input() []byte { return p.of.schemaOf(p.raws[p.of]) }

// refresh takes over a definition that changed, after a restart for example. Typed text stays.
func (p *callPane) refresh(it session.Item) {
	p.output, p.hint = nil, session.Hint{}
	if p.of.isTool() {
		p.output, p.hint = it.OutputSchema(), it.Hints()
	}
	if p.form != nil && bytes.Equal(p.raws[p.of], it.Raw) {
		return
	}
	p.raws[p.of] = it.Raw
	if p.form == nil {
		p.form = form.New(p.input())
		if p.of.kind == client.Resources.Name { // nothing can be given
			p.form.Sends = "Read"
		}
		p.forms[p.of] = p.form
		return
	}
	p.form.Reschema(p.input())
}

// touched reports whether something was typed or chosen in the form that is shown.
func (p *callPane) touched() bool { return p.form != nil && p.form.Touched() }

// load fills the form from a JSON object; other text stands in its JSON view, to be mended.
func (p *callPane) load(raw []byte) error {
	if p.form == nil {
		return errors.New("choose a tool first")
	}
	return p.form.LoadText(string(bytes.TrimSpace(raw)))
}

// words fills the form from argument words, as the call verb reads them.
func (p *callPane) words(list []string) error {
	v, err := words.Parse(list, p.form.Schema(), nil)
	if err != nil {
		return err
	}
	return p.form.Load(v)
}

// value is the arguments as the form says, with what the schema holds against them. An error means
// that there are none: a field holds what is no JSON.
func (p *callPane) value() ([]byte, []schema.Problem, error) {
	if p.form == nil {
		return nil, nil, errors.New("no tool is chosen")
	}
	v, problems, err := p.form.Value()
	if err != nil {
		return nil, nil, err
	}
	return schema.AppendJSON(nil, v), problems, nil
}

// refuse shows the problems that keep a call from being sent.
func (p *callPane) refuse(problems []schema.Problem) {
	p.form.ShowProblems(problems)
	p.list(problems)
}

// list says in the result what the problems are.
func (p *callPane) list(problems []schema.Problem) {
	var out strings.Builder
	fmt.Fprintf(&out, "not sent: %s", text.Plural(len(problems), "problem"))
	for _, pr := range problems {
		at := pr.Path
		if at != "" {
			at += " "
		}
		fmt.Fprintf(&out, "\n%s%s", at, pr.Message)
	}
	p.refused = out.String()
}

// began notes what is being sent.
func (p *callPane) began(of offer, args []byte, unchecked bool) {
	p.refused = ""
	p.sent[of], p.unchecked[of] = args, unchecked
	if of == p.of && !unchecked {
		p.form.ShowProblems(nil)
	}
}

func (p *callPane) editing() bool { return p.form != nil && p.form.Editing() }

// takes reports whether a key that goes on to the next row belongs to the field.
func (p *callPane) takes(name string) bool { return p.form != nil && p.form.Takes(name) }

func (p *callPane) edit() (tea.Cmd, string) {
	if p.form == nil {
		return nil, ""
	}
	return p.form.Edit()
}

func (p *callPane) done() {
	p.form.Done()
	p.recheck()
}

func (p *callPane) advance(back bool) tea.Cmd {
	cmd := p.form.Advance(back)
	p.recheck()
	return cmd
}

// recheck keeps the problems that are shown true to what the form says now.
func (p *callPane) recheck() {
	if p.refused == "" {
		return
	}
	_, problems, err := p.value()
	switch {
	case err != nil:
		p.refused = "not sent: " + err.Error()
	case len(problems) == 0:
		p.refused = ""
		p.form.ShowProblems(nil)
	default:
		p.form.MarkProblems(problems)
		p.list(problems)
	}
}

func (p *callPane) key(m tea.KeyMsg) tea.Cmd { return p.form.Update(m) }

// update passes on what is no key: the blinking of the cursor.
func (p *callPane) update(m tea.Msg) tea.Cmd {
	if p.form == nil {
		return nil
	}
	return p.form.Update(m)
}

func (p *callPane) onSend() bool { return p.form != nil && p.form.OnSend() }

func (p *callPane) nextProblem(back bool) bool { return p.form != nil && p.form.NextProblem(back) }

// nextView goes on to the next view and says why it cannot.
func (p *callPane) nextView() string {
	if p.form == nil {
		return ""
	}
	defer p.recheck()
	return p.form.NextView()
}

// said is what happened in the form last, for the status line; once.
func (p *callPane) said() string {
	if p.form == nil {
		return ""
	}
	return p.form.Said()
}

func (p *callPane) find(q string, dir int) bool {
	return p.form != nil && p.form.Find(dir, func(s string) bool { return contains(s, q) })
}

// searchFrom notes where a search begins, search goes to the row for what was typed so far, and
// searchBack returns.
func (p *callPane) searchFrom() { p.origin = p.path() }

func (p *callPane) search(typed string) bool {
	return p.form != nil && p.form.FindFrom(p.origin, typed)
}

func (p *callPane) searchBack() {
	if p.form != nil {
		p.form.Go(p.origin)
	}
}

func (p *callPane) line() string {
	if p.form == nil {
		return ""
	}
	return p.form.Line()
}

func (p *callPane) path() string {
	if p.form == nil {
		return ""
	}
	return p.form.Path()
}

// note says how far the form is: required fields that have a value.
func (p *callPane) note() string {
	if p.form == nil {
		return ""
	}
	have, need := p.form.Required()
	if p.of.kind == client.Resources.Name {
		return ""
	}
	out := fmt.Sprintf("required %d of %d", have, need)
	if shows := p.form.Shows(); shows != "" {
		out = shows
	}
	if n := p.form.Problems(); n > 0 {
		out = fmt.Sprintf("ERR %d %s", n, out)
	}
	return out
}

func (p *callPane) view(l look, w, h int, focused bool) []string {
	if p.form == nil {
		return []string{l.Paint(theme.Faint, l.fit(" choose a tool: its arguments become a form here", w))}
	}
	p.form.Hide = l.mask
	return p.form.View(l.Theme, l.glyphs, w, h, focused)
}
