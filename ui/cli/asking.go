package cli

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// asks prints what a server asks for before it goes on (basic/patterns/mrtr): one paragraph a
// question, with the form that would answer it. It returns how many questions there are.
func (r *run) asks(result []byte) (n int) {
	o := r.out
	for key, question := range client.Members(client.Get(result, "inputRequests")) {
		n++
		name, _ := client.Text(key)
		method, params := client.GetText(question, "method"), client.Get(question, "params")
		line := "asks " + cleanLine(name) + ": " + orWord(cleanLine(method), "by no method")
		switch method {
		case "elicitation/create":
			line += ", mode " + orWord(cleanLine(client.GetText(params, "mode")), "form")
			o.printf("%s\n", line)
			o.lines("  ", client.GetText(params, "message"))
			if url := client.GetText(params, "url"); url != "" {
				o.printf("  url %s\n", cleanLine(url))
			}
			if form := client.Get(params, "requestedSchema"); form != nil {
				for _, row := range schema.Compile(form).Rows() {
					r.row(row)
				}
			}
		case "sampling/createMessage":
			o.printf("%s\n", line)
			if s := client.GetText(params, "systemPrompt"); s != "" {
				o.lines("  system: ", s)
			}
			for message := range client.Elements(client.Get(params, "messages")) {
				r.said(message)
			}
		default:
			o.printf("%s\n", line)
			if params != nil {
				o.printf("  ")
				o.rawLine(oneLine(params))
			}
		}
	}
	if state := client.Get(result, "requestState"); state != nil {
		o.printf("state to send back: %s\n", cleanLine(client.Excerpt(state)))
	}
	return n
}

// said prints a message of a sampling request: its role, and its content, one block or several.
func (r *run) said(message []byte) {
	o := r.out
	role := orWord(cleanLine(client.GetText(message, "role")), "nobody")
	content := client.Get(message, "content")
	blocks := [][]byte{content}
	if len(content) > 0 && content[0] == '[' {
		blocks = nil
		for b := range client.Elements(content) {
			blocks = append(blocks, b)
		}
	}
	for i, b := range blocks {
		if s, ok := client.Text(client.Get(b, "text")); ok && client.GetText(b, "type") == "text" {
			o.lines("  "+role+": ", s)
			continue
		}
		o.printf("  %s: ", role)
		r.block(i, b)
	}
}

// interim is the failure of a call whose result is a question. Without --answer nothing is offered,
// and a server may ask only for what was (patterns/mrtr).
func (r *run) interim(name string, result []byte) error {
	const most = 8 // keys that are named: all were printed
	var keys []string
	more := 0
	for key := range client.Members(client.Get(result, "inputRequests")) {
		if len(keys) == most {
			more++
			continue
		}
		s, _ := client.Text(key)
		keys = append(keys, s)
	}
	if more > 0 {
		keys = append(keys, fmt.Sprintf("and %d more", more))
	}
	f := &failure{outcome: protocol, text: fmt.Sprintf("%s asks for input (%s), which this client has not offered to give", name, strings.Join(keys, ", ")),
		hint: "--answer accept|decline|cancel|@FILE and --root DIR offer answers"}
	if r.line.flags.answer != "" || len(r.line.flags.roots) > 0 {
		f.text = fmt.Sprintf("%s asks for input (%s) and was not given it", name, strings.Join(keys, ", "))
		f.hint = "why not is said above"
	}
	if keys == nil {
		f.text = name + " has no result yet and asks to be called again, with the state that it sent"
		f.hint = "--answer offers to answer, and then it is called again"
		if r.line.flags.answer != "" {
			f.text, f.hint = name+" asks to be called again without end", ""
		}
	}
	return f
}
