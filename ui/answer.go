package ui

import (
	"bytes"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// answer is an answer that was read: where the parts of its result lie in the log. A large one is
// read in a command, once; no width and no key reads it again.
type answer struct {
	of     session.Latest
	method string // of the request
	output []byte // the tool's output schema, nil for none
	ready  bool

	message    client.Incoming
	found      bool   // the message is there
	remark     string // what a person must know of where it was read
	result     []byte
	isError    []byte
	failed     bool    // isError: true
	kind       string  // resultType
	content    []byte  // of a tool; the messages of a prompt, the contents of a resource
	blocks     []block // the first of the content
	about      string  // what a prompt says of itself
	count      int     // of all its blocks
	structured []byte
	problems   []schema.Problem // of structured content against the output schema
	others     []member

	drawing bool // its pictures are being decoded, or were
	drawn   int  // how many blocks that are pictures were tried
}

// member is a member of an object: its decoded name, its raw value.
type member struct {
	name  string
	value []byte
}

const (
	// readAtOnce is how large an answer may be to be read on the loop: it costs less than a frame.
	readAtOnce = 256 << 10

	// maxBlocks is how many blocks of content the result pane shows, and maxBlockLines how many
	// lines of them: more than anyone reads in a pane. The detail pane shows all, and prepares none.
	maxBlocks     = 200
	maxBlockLines = 5000
)

// answerMsg brings an answer that was read.
type answerMsg struct{ a *answer }

// readAnswer reads the latest answer of a subject.
func readAnswer(log *session.Log, method string, of session.Latest, output []byte) *answer {
	a := &answer{of: of, method: method, output: output, ready: true}
	body, remark := whole(log, of.Answer)
	a.remark = remark
	if a.message, a.found = answerIn(body, of.ID); !a.found || a.message.Kind == client.KindError {
		return a
	}
	a.result = a.message.Raw(a.message.Result)
	for name, value := range client.Members(a.result) { // of a repeated name the last counts
		key, _ := client.Text(name)
		tool := method == client.MethodToolsCall
		switch {
		case key == contentMember(method):
			a.content = value
		case key == "structuredContent" && tool:
			a.structured = value
		case key == "isError" && tool:
			a.isError, a.failed = value, string(value) == "true"
		case key == "description" && method == client.MethodPromptsGet && client.JSONType(value) == "text":
			a.about, _ = client.Text(value)
		case key == "resultType":
			a.kind, _ = client.Text(value)
		default:
			a.others = append(a.others, member{key, value})
		}
	}
	for k := range blocksIn(method, a.content) {
		if a.count++; a.count <= maxBlocks {
			a.blocks = append(a.blocks, k.read())
		}
	}
	if output != nil && a.structured != nil && !a.failed {
		if v, err := schema.Parse(a.structured); err == nil {
			a.problems = schema.CheckOutput(output, v)
		}
	}
	return a
}

// whole is the body of a row, read back from the recording when memory has it no longer; nil when
// nothing has, and then the remark says why.
func whole(log *session.Log, seq int) (body client.Body, remark string) {
	e, ok := log.Event(seq)
	switch {
	case !ok:
		return nil, fmt.Sprintf("the answer, row %d, is no longer in memory", seq)
	case e.Kept == e.Size:
		return log.Body(seq), ""
	}
	body, masked, err := log.Read(seq)
	switch {
	case err != nil:
		return nil, err.Error()
	case masked > 0:
		return body, fmt.Sprintf("read back from the recording, in which %s of it are masked", text.Plural(masked, "byte"))
	}
	return body, "read back from the recording"
}

// take keeps the answer that is to be shown: read if it is small or was read before, else waiting
// for the command that reading returns.
func (p *resultPane) take(log *session.Log, method string, of session.Latest, output []byte) {
	if p.got != nil && p.got.of == of && bytes.Equal(p.got.output, output) {
		return
	}
	e, _ := log.Event(of.Answer)
	if e.Size <= readAtOnce && e.Kept == e.Size {
		p.got = readAnswer(log, method, of, output)
		return
	}
	p.got, p.asked = &answer{of: of, method: method, output: output}, false
}

// reading is the command that reads an answer which take left.
func (p *resultPane) reading(log *session.Log) tea.Cmd {
	if p.got == nil || p.got.ready || p.asked {
		return nil
	}
	p.asked = true
	of, method, output := p.got.of, p.got.method, p.got.output
	return func() tea.Msg { return answerMsg{readAnswer(log, method, of, output)} }
}

// deliver takes an answer that was read, unless another is shown by now.
func (p *resultPane) deliver(a *answer) {
	if p.got != nil && p.got.of == a.of && bytes.Equal(p.got.output, a.output) {
		p.got = a
	}
}

// answerIn reads the message that answers id out of a line; the only one when there is one. Of a call
// that became a task that is what stands in the answer about the task.
func answerIn(body client.Body, id string) (in client.Incoming, ok bool) {
	for _, m := range client.Judge(body).Messages {
		c := client.Incoming{Message: m, Body: body}
		if !ok || c.RawID() == id {
			in, ok = c, true
		}
	}
	if !ok || in.RawID() == id {
		return in, ok
	}
	if task, is := client.ReadTask(in.Raw(in.Result)); is {
		if a, whole := client.Inlined(client.Answer{Incoming: in, RequestID: id}, task); whole {
			return a.Incoming, true
		}
	}
	return in, true
}
