package client

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The kinds of a ResultFlaw.
const (
	FlawContent    = iota // content is missing or no list
	FlawBlock             // a block of content is none, or lacks what its kind requires
	FlawBlockKind         // a block of a kind that no revision knows
	FlawIsError           // isError is no boolean
	FlawResultKind        // resultType says nothing that can be understood
)

// ResultFlaw is one thing that is wrong with the result of a tool call (server/tools).
type ResultFlaw struct {
	Kind  int
	Void  bool // the result is no valid answer: nobody can say what the tool returned
	Block int  // index of the block in content; -1 when it is about the result
	Text  string
}

// The values of resultType that the specification defines (basic, results).
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
)

// maxFlaws is how many flaws of one result are told one by one: whoever sends a thousand broken
// blocks has made the point by then.
const maxFlaws = 20

// JudgeToolResult says what is wrong with the result of a tool call. The result must be a valid
// JSON object. rev decides what resultType means; empty is read as a handshake revision.
func JudgeToolResult(rev Revision, result []byte) (flaws []ResultFlaw) {
	var content, isError, kind []byte
	for name, value := range Members(result) {
		switch {
		case nameIs(name, "content"):
			content = value
		case nameIs(name, "isError"):
			isError = value
		case nameIs(name, "resultType"):
			kind = value
		}
	}
	add := func(kind int, void bool, format string, args ...any) {
		flaws = append(flaws, ResultFlaw{kind, void, -1, fmt.Sprintf(format, args...)})
	}
	switch s, ok := Text(kind); {
	case s == ResultInputRequired: // an interim result has no content
		return nil
	case rev.Modern() && kind != nil && (!ok || s != ResultComplete):
		add(FlawResultKind, true, "resultType is %s, which this client has not asked for: the result counts as invalid", Excerpt(kind))
	}
	switch {
	case isError == nil, string(isError) == "true", string(isError) == "false":
	default:
		add(FlawIsError, true, "isError is %s, not true or false: it cannot be told whether the tool failed", Excerpt(isError))
	}
	switch {
	case content == nil:
		add(FlawContent, true, "the result has no content: every revision requires the list, an empty one if need be")
		return flaws
	case content[0] != '[':
		add(FlawContent, true, "content is %s, not a list: %s", JSONType(content), Excerpt(content))
		return flaws
	}
	n, more := 0, 0
	for block := range Elements(content) {
		n++
		kind, void, what := JudgeBlock(block)
		switch {
		case what == "":
		case len(flaws) < maxFlaws:
			flaws = append(flaws, ResultFlaw{kind, void, n - 1, fmt.Sprintf("block %d of the content %s: %s", n, what, Excerpt(block))})
		default:
			more++
			flaws[maxFlaws-1].Void = flaws[maxFlaws-1].Void || void
		}
	}
	if more > 0 {
		flaws[maxFlaws-1].Text += fmt.Sprintf("; %d further blocks are not right either", more)
	}
	return flaws
}

// JudgeBlock says what is wrong with one block of content, as a part of a sentence that begins with
// the block: "is a number, not an object". It is empty when nothing is. kind and void are those of
// a ResultFlaw.
func JudgeBlock(block []byte) (kind int, void bool, what string) {
	if len(block) == 0 || block[0] != '{' {
		return FlawBlock, true, "is " + JSONType(block) + ", not an object"
	}
	raw := Get(block, "type")
	name, ok := Text(raw)
	switch {
	case raw == nil:
		return FlawBlock, false, "has no type"
	case !ok:
		return FlawBlock, false, "has a type that is no text"
	}
	inside := block
	var needs []string
	switch name {
	case "text":
		needs = []string{"text"}
	case "image", "audio":
		needs = []string{"data", "mimeType"}
	case "resource_link":
		needs = []string{"uri", "name"}
	case "resource":
		if inside = Get(block, "resource"); inside == nil || inside[0] != '{' {
			return FlawBlock, false, "has no object \"resource\""
		}
		needs = []string{"uri"}
		if Get(inside, "blob") == nil {
			needs = append(needs, "text")
		}
	default:
		return FlawBlockKind, false, "has the unknown type " + Excerpt(raw)
	}
	for _, need := range needs {
		if v := Get(inside, need); v == nil || v[0] != '"' {
			return FlawBlock, false, fmt.Sprintf("of type %s has no text %q", name, need)
		}
	}
	for _, member := range []string{"data", "blob"} {
		data := Get(inside, member)
		if data == nil || name == "text" || name == "resource_link" {
			continue
		}
		if _, err := Base64Size(data); err != nil {
			return FlawBlock, false, fmt.Sprintf("of type %s has %s that is not valid base64", name, member)
		}
	}
	return 0, false, ""
}

// Base64Size is how many bytes a JSON string of base64 stands for; they are not kept.
func Base64Size(raw []byte) (int64, error) {
	if len(raw) < 2 || raw[0] != '"' {
		return 0, fmt.Errorf("no text")
	}
	text := raw[1 : len(raw)-1]
	if slices.Contains(text, '\\') { // some encoders write \/
		s, _ := Text(raw)
		text = []byte(s)
	}
	return io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))
}

// JSONType names the type of a JSON value for a sentence: "an object", "null".
func JSONType(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// excerpt is how much of a value a sentence quotes.
const excerpt = 120

// Excerpt is the beginning of a raw value for a sentence.
func Excerpt(raw []byte) string {
	if len(raw) <= excerpt {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:excerpt]), "") + "…"
}
