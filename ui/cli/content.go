package cli

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// result prints what a tool returned as a person reads it: text as text, every other block as one
// line that names it, structured content when there is no text. What cannot be read is printed as
// it was sent, behind what is wrong with it.
func (r *run) result(result []byte) {
	o := r.out
	if client.GetText(result, "resultType") == client.ResultInputRequired {
		if r.asks(result) == 0 {
			o.rawLine(oneLine(result))
		}
		return
	}
	if e := client.Get(result, "isError"); e != nil && string(e) != "true" && string(e) != "false" {
		o.printf("isError that is %s: ", client.JSONType(e))
		o.rawLine(oneLine(e))
	}
	if len(result) == 0 || result[0] != '{' {
		o.rawLine(oneLine(result))
		return
	}
	content, structured := client.Get(result, "content"), client.Get(result, "structuredContent")
	texts, n := 0, 0
	switch {
	case content == nil && structured == nil:
		o.printf("a result without content: ")
		o.rawLine(oneLine(result))
		return
	case content != nil && content[0] != '[':
		o.printf("content that is %s: ", client.JSONType(content))
		o.rawLine(oneLine(content))
	}
	for block := range client.Elements(content) {
		if client.GetText(block, "type") == "text" {
			texts++
		}
		r.block(n, block)
		n++
	}
	if structured != nil && texts == 0 {
		o.rawLine(oneLine(structured))
	}
}

// block prints the content block of that index (server/tools, content types).
func (r *run) block(n int, block []byte) {
	o := r.out
	get := func(path ...string) string { return cleanLine(client.GetText(block, path...)) }
	kind := client.GetText(block, "type")
	if s, ok := client.Text(client.Get(block, "text")); ok && kind == "text" {
		o.lines("", s)
		return
	}
	_, _, what := client.JudgeBlock(block)
	hides := len(client.Get(block, "data")) > 0 || len(client.Get(block, "resource", "blob")) > 0 // data is named, never printed
	if what != "" && !hides {
		o.printf("block %d %s: ", n+1, cleanLine(what))
		o.rawLine(oneLine(block))
		return
	}
	switch kind {
	case "image", "audio":
		o.printf("%s %s, %s\n", kind, orWord(get("mimeType"), "of no type"), dataSize(client.Get(block, "data")))
	case "resource_link":
		line := "link " + get("uri")
		for _, part := range []string{get("name"), get("mimeType"), firstLine(client.GetText(block, "description"))} {
			if part != "" {
				line += ", " + part
			}
		}
		if n := client.Get(block, "size"); n != nil {
			line += ", " + cleanLine(string(n)) + " bytes"
		}
		o.printf("%s\n", line)
	case "resource":
		line := strings.TrimSpace("resource "+get("resource", "uri")) + ", " + orWord(get("resource", "mimeType"), "of no type")
		if blob := client.Get(block, "resource", "blob"); blob != nil {
			o.printf("%s, %s\n", line, dataSize(blob))
			return
		}
		s := client.GetText(block, "resource", "text")
		o.printf("%s, %s\n", line, text.Size(int64(len(s))))
		o.lines("  ", s)
	default:
		o.printf("block %d %s: ", n+1, cleanLine(what))
		o.rawLine(oneLine(block))
	}
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// dataSize is the decoded size of base64 data.
func dataSize(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return "without data"
	}
	n, err := client.Base64Size(raw)
	if err != nil {
		return fmt.Sprintf("data is not valid base64 (%s of text)", text.Size(int64(len(raw)-2)))
	}
	return text.Size(n)
}
