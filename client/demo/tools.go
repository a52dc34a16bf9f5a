package demo

import (
	"encoding/json"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// tool is one entry of the catalogue. The schemas are JSON text, so that their keys keep the order
// in which they stand here; output and hints may be empty. A run's error is a protocol error: what
// the tool itself could not do is a result of failed.
type tool struct {
	name, title, about   string
	input, output, hints string
	run                  func(c *call, a arguments) (rpc.Object, *rpc.Error)
}

// The hints (2025-03-26 and later) in the combinations that are used here.
const (
	hintReads    = `{"readOnlyHint":true,"openWorldHint":false}`
	hintRandom   = `{"readOnlyHint":true,"idempotentHint":false,"openWorldHint":false}`
	hintWorld    = `{"readOnlyHint":true,"openWorldHint":true}`
	hintSets     = `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`
	hintAdds     = `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`
	hintDestroys = `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}`
)

const noArguments = `{"type":"object","additionalProperties":false}`

// catalogue is every tool in the order in which they are listed: three pages.
func catalogue() []tool {
	var all []tool
	all = append(all, plainTools()...)
	all = append(all, askingTools()...)
	all = append(all, mediaTools()...)
	all = append(all, shapedTools()...)
	all = append(all, oddTools()...)
	return append(all, statefulTools()...)
}

// tools is the catalogue in the words of c's revision.
func (c *call) tools() []rpc.Object {
	var list []rpc.Object
	for _, t := range catalogue() {
		o := rpc.Obj("name", t.name)
		if c.since(rev2506) {
			o = o.With("title", t.title)
		}
		o = o.With("description", t.about).With("inputSchema", json.RawMessage(t.input))
		if t.output != "" && c.since(rev2506) {
			o = o.With("outputSchema", json.RawMessage(t.output))
		}
		if t.hints != "" && c.since(rev2503) {
			o = o.With("annotations", json.RawMessage(t.hints))
		}
		list = append(list, o)
	}
	return list
}

// callTool finds the tool, checks the arguments against its schema and runs it. Wrong arguments are
// a failure of the tool, not of the request, so that a model sees them (2025-11-25/server/tools).
func (c *call) callTool() (rpc.Object, *rpc.Error) {
	name, is := rpc.Text(c.params["name"])
	if !is {
		return nil, invalid("name must be a string: which tool to call")
	}
	given, has := c.params["arguments"]
	if !has {
		given = json.RawMessage("{}")
	}
	if given[0] != '{' {
		return nil, invalid("arguments must be an object")
	}
	for _, t := range catalogue() {
		if t.name != name {
			continue
		}
		if problems := rpc.Problems(json.RawMessage(t.input), given); problems != nil {
			return failed(strings.Join(problems, "\n")), nil
		}
		return t.run(c, arguments{given, rpc.Members(given)})
	}
	return nil, invalid("Unknown tool: " + name)
}

// arguments are those of a tool, already checked against its schema.
type arguments struct {
	raw     json.RawMessage
	members map[string]json.RawMessage
}

func (a arguments) text(name, otherwise string) string {
	if text, is := rpc.Text(a.members[name]); is {
		return text
	}
	return otherwise
}

// number reads an integer, which may be written 3.0.
func (a arguments) number(name string, otherwise int) int {
	var n *float64
	if json.Unmarshal(a.members[name], &n) != nil || n == nil {
		return otherwise
	}
	return int(*n)
}

func (a arguments) flag(name string) bool { return string(a.members[name]) == "true" }

// Results.

func textBlock(text string) rpc.Object { return rpc.Obj("type", "text", "text", text) }

// said is a result of one text.
func said(text string) rpc.Object { return blocks(textBlock(text)) }

// failed is the result of a tool that ran and could not do it.
func failed(text string) rpc.Object {
	return rpc.Obj("content", []rpc.Object{textBlock(text)}, "isError", true)
}

func blocks(content ...rpc.Object) rpc.Object {
	return rpc.Obj("content", content, "isError", false)
}

// structured is a result with structured content, and the same as text for older clients
// (2025-06-18/server/tools).
func (c *call) structured(value any) rpc.Object {
	text, err := rpc.Encode(value)
	if err != nil {
		return failed(err.Error())
	}
	result := said(string(text))
	if c.since(rev2506) {
		result = result.With("structuredContent", json.RawMessage(text))
	}
	return result
}
