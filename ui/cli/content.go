package cli

import (
	"encoding/base64"
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
)

// result prints what a tool returned as a person reads it: text as text, every other block as one
// line that names it, structured content when there is no text.
func (r *run) result(result []byte) {
	blocks := client.Get(result, "content")
	texts := 0
	for block := range client.Elements(blocks) {
		if client.GetText(block, "type") == "text" {
			texts++
		}
		r.block(block)
	}
	structured := client.Get(result, "structuredContent")
	switch {
	case structured != nil && texts == 0:
		r.out.rawLine(oneLine(structured))
	case structured == nil && (blocks == nil || blocks[0] != '['): // nothing known in it, and nothing is dropped
		r.out.rawLine(oneLine(result))
	}
}

// block prints one content block (server/tools, content types).
func (r *run) block(block []byte) {
	o := r.out
	get := func(path ...string) string { return cleanLine(client.GetText(block, path...)) }
	switch kind := client.GetText(block, "type"); kind {
	case "text":
		s, ok := client.Text(client.Get(block, "text"))
		if !ok {
			o.printf("text without text: ")
			o.rawLine(oneLine(block))
			return
		}
		o.lines("", s)
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
	case "":
		o.printf("a block without type: ")
		o.rawLine(oneLine(block))
	default:
		o.printf("a block of the unknown type %q: ", cleanLine(kind))
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
	s, ok := client.Text(raw)
	if !ok {
		return "without data"
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return fmt.Sprintf("data is not valid base64 (%s of text)", text.Size(int64(len(s))))
	}
	return text.Size(int64(len(b)))
}
