package check

import (
	"bytes"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
)

// toolResult judges what a tool returned (server/tools).
func (v *verdicts) toolResult(q *request, raw []byte) {
	res := &v.o.result
	content, structured, isError := res.get("content"), res.get("structuredContent"), res.get("isError")
	clean := isList(content) && (isError == nil || isBool(isError))
	blocks := 0
	if clean {
		for block := range client.Elements(content) {
			blocks++
			if !plainText(block) {
				clean = false
			}
		}
	}
	if !clean {
		v.oddResult(raw)
	}
	failed := string(isError) == "true"
	if failed && blocks == 0 && isList(content) {
		v.add(errorSilent, "%s failed and says nothing: content is empty", q.label())
	}
	v.structured(q, structured, content, failed)
	whole, there := v.r.catalogue.listed(q.name)
	switch {
	case failed && whole && !there && len(q.name) > 0:
		v.add(unknownToolResult, "there is no tool %s, and the answer is a result with isError instead of error -32602", client.Excerpt(q.name))
	case !failed && q.args != "":
		v.add(argumentsAccepted, "%s took arguments that do not fit its inputSchema: %s", client.Excerpt(q.name), q.args)
	}
	if !failed && blocks == 1 && !res.has("structuredContent") {
		for block := range client.Elements(content) {
			if t := client.Get(block, "text"); bytes.HasPrefix(t, []byte(`"Error: `)) || bytes.HasPrefix(t, []byte(`"Error executing`)) {
				v.add(errorAsSuccess, "%s returned what reads as an error without isError: %s", q.label(), client.Excerpt(t))
			}
		}
	}
}

// plainText reports whether a block is text and nothing but text, as most are.
func plainText(block []byte) bool {
	if !isObject(block) {
		return false
	}
	kind, body := false, false
	for name, value := range client.Members(block) {
		switch {
		case is(name, "type"):
			kind = is(value, "text")
		case is(name, "text"):
			body = isText(value)
		case is(name, "annotations"):
			return false
		}
	}
	return kind && body
}

// oddResult judges a result that has more than plain text.
func (v *verdicts) oddResult(raw []byte) {
	rules := [...]*Rule{client.FlawContent: contentInvalid, client.FlawBlock: blockInvalid, client.FlawBlockKind: blockKind, client.FlawIsError: isErrorType}
	for _, f := range client.JudgeToolResult(v.rev, raw) {
		switch {
		case f.Kind == client.FlawResultKind: // resultKind says so
		case f.Kind == client.FlawBlock && strings.Contains(f.Text, "not valid base64"):
			v.add(base64Invalid, "%s", f.Text)
		default:
			v.add(rules[f.Kind], "%s", f.Text)
		}
	}
	n := 0
	for block := range client.Elements(v.o.result.get("content")) {
		if n++; n > maxJudgedBlocks {
			return
		}
		v.block(n, block, "the content")
	}
}

// maxJudgedBlocks is how many blocks are looked at in detail.
const maxJudgedBlocks = 100

// block judges what JudgeBlock leaves: whether the revision knows the kind, what the data are, and
// the annotations.
func (v *verdicts) block(n int, block []byte, of string) {
	kind := client.Get(block, "type")
	since := client.Revision("")
	switch {
	case is(kind, "audio"):
		since = client.Rev2025_03_26
	case is(kind, "resource_link"):
		since = client.Rev2025_06_18
	}
	if since != "" && v.rev != "" && v.rev < since {
		v.add(blockTooNew, "block %d of %s is of type %s, which came with %s", n, of, client.Excerpt(kind), since)
	}
	inside, data := block, "data"
	if is(kind, "resource") {
		inside, data = client.Get(block, "resource"), "blob"
	}
	v.media(n, of, client.Get(inside, "mimeType"), client.Get(inside, data))
	if what := annotationFault(client.Get(block, "annotations")); what != "" {
		v.add(annotationValue, "block %d of %s has %s", n, of, what)
	}
	if c := v.r.life.caps; (is(kind, "resource") || is(kind, "resource_link")) && c.has(capKnown) && !c.has(capResources) {
		v.add(resourceUndeclared, "block %d of %s is a resource, and the capability resources is not declared", n, of)
	}
}

// media judges a media type and whether data are of it.
func (v *verdicts) media(n int, of string, mime, data []byte) {
	if isText(data) && (v.rev == "" || len(data) > 0) {
		if s := data[1:min(len(data), 16)]; bytes.HasPrefix(s, []byte("data:")) {
			v.add(base64Invalid, "block %d of %s begins its data with %q: base64 alone is due", n, of, s)
			return
		}
	}
	if !isText(mime) {
		return
	}
	m := text(mime)
	if !strings.Contains(m, "/") {
		v.add(mimeInvalid, "block %d of %s has the mimeType %s, which has no /", n, of, client.Excerpt(mime))
		return
	}
	for _, magic := range [...]struct{ mime, head string }{
		{"image/png", "iVBORw0K"}, {"image/jpeg", "/9j/"}, {"image/gif", "R0lGOD"}, {"image/webp", "UklGR"}, {"application/pdf", "JVBERi"},
		{"audio/wav", "UklGR"}, {"audio/ogg", "T2dnUw"}, {"audio/flac", "ZkxhQ"},
	} {
		if bytes.HasPrefix(data, []byte(`"`+magic.head)) && m != magic.mime && tellsApart(m) && !sameMedia(m, magic.mime) {
			v.add(mimeInvalid, "block %d of %s has the mimeType %s, and its data begin as those of %s", n, of, client.Excerpt(mime), magic.mime)
			return
		}
	}
}

// tellsApart reports whether a media type is one whose data begin in a known way.
func tellsApart(m string) bool {
	switch m {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "image/svg+xml", "text/plain", "application/json":
		return true
	}
	return false
}

func sameMedia(a, b string) bool { // RIFF is the beginning of several
	riff := func(s string) bool { return s == "image/webp" || s == "audio/wav" }
	return riff(a) && riff(b)
}

// structured judges structuredContent by the outputSchema of the tool.
func (v *verdicts) structured(q *request, structured, content []byte, failed bool) {
	var t *tool
	if len(q.name) > 2 {
		t = v.r.catalogue.tools[string(q.name[1:len(q.name)-1])]
	}
	if structured == nil || isNull(structured) && !v.rev.Modern() {
		if t != nil && t.output != nil && !failed {
			v.add(structuredMissing, "outputSchema of %s is declared, structuredContent is missing", client.Excerpt(q.name))
		}
		return
	}
	if v.rev != "" && v.rev < client.Rev2025_06_18 {
		v.add(newerMember, "the result of %s has structuredContent, which came with %s", q.label(), client.Rev2025_06_18)
		return
	}
	if !isObject(structured) && !v.rev.Modern() {
		v.add(structuredType, "structuredContent of %s is %s, not an object", q.label(), client.JSONType(structured))
		return
	}
	if failed {
		return
	}
	if !speaks(content) {
		v.add(structuredAlone, "%s has structuredContent and no text, which is all that older clients read", q.label())
	}
	if t == nil || t.output == nil || len(structured) > maxValidated || t.checked >= maxChecked {
		return
	}
	t.checked++
	value, err := schema.Parse(structured)
	if err != nil {
		return
	}
	var wrong []string
	for _, p := range t.output.Check(value) {
		if !p.Advisory {
			wrong = append(wrong, p.Sentence())
		}
	}
	if wrong != nil {
		v.add(structuredMismatch, "structuredContent of %s does not fit its outputSchema: %s", client.Excerpt(q.name), strings.Join(few(wrong), "; "))
	}
}

// speaks reports whether a block of text says anything. The JSON of structuredContent should stand in one,
// for clients that do not know that (server/tools, structured content); a text for people serves them, too.
func speaks(content []byte) bool {
	for block := range client.Elements(content) {
		if t := client.Get(block, "text"); isText(t) && len(bytes.Trim(t, `" `)) > 0 {
			return true
		}
	}
	return false
}

// contents judges what a read returned (server/resources).
func (v *verdicts) contents(q *request) {
	list := v.o.result.get("contents")
	if !isList(list) {
		v.add(contentsInvalid, "the result of resources/read has no list contents")
		return
	}
	n, other := 0, []byte(nil)
	for item := range client.Elements(list) {
		n++
		uri, body, blob := client.Get(item, "uri"), client.Get(item, "text"), client.Get(item, "blob")
		switch {
		case !isObject(item):
			v.add(resourceContents, "item %d of contents is %s, not an object", n, client.JSONType(item))
			continue
		case !isText(uri):
			v.add(resourceContents, "item %d of contents has no uri", n)
		case isText(body) == isText(blob):
			both := "neither text nor blob"
			if isText(body) {
				both = "both text and blob"
			}
			v.add(resourceContents, "item %d of contents has %s", n, both)
		}
		if isText(blob) {
			if _, err := client.Base64Size(blob); err != nil {
				v.add(base64Invalid, "item %d of contents has a blob that is not valid base64", n)
			}
			v.media(n, "contents", client.Get(item, "mimeType"), blob)
		}
		if isText(uri) && !bytes.Equal(uri, q.name) && len(q.name) > 0 {
			other = uri
		}
	}
	switch {
	case n == 0:
		v.graded(contentsEmpty, session.Warning, "contents of %s is empty: a resource that is not there is an error", q.label())
	case other != nil && n == 1 && text(other) != text(q.name):
		v.add(otherURI, "%s was read, and %s came", client.Excerpt(q.name), client.Excerpt(other))
	}
}

// promptMessages judges what a prompt returned (server/prompts).
func (v *verdicts) promptMessages() {
	list := v.o.result.get("messages")
	if !isList(list) {
		v.add(messagesInvalid, "the result of prompts/get has no list messages")
		return
	}
	n := 0
	for m := range client.Elements(list) {
		n++
		role, content := client.Get(m, "role"), client.Get(m, "content")
		switch {
		case !is(role, "user") && !is(role, "assistant"):
			v.add(promptMessage, "message %d of the prompt has the role %s: it is user or assistant", n, orNone(role))
		case !isObject(content):
			v.add(promptMessage, "message %d of the prompt has content that is %s, not one block", n, client.JSONType(content))
		case !plainText(content):
			switch kind, _, what := client.JudgeBlock(content); {
			case what != "" && kind == client.FlawBlockKind:
				v.add(blockKind, "the content of message %d %s", n, what)
			case what != "":
				v.add(promptMessage, "the content of message %d %s", n, what)
			}
			v.block(n, content, "the messages")
		}
	}
}

func orNone(raw []byte) string {
	if raw == nil {
		return "that is missing"
	}
	return client.Excerpt(raw)
}

// completion judges what was proposed (server/utilities/completion).
func (v *verdicts) completion() {
	c := v.o.result.get("completion")
	values := client.Get(c, "values")
	if !isList(values) {
		what := "has no completion.values"
		if values != nil {
			what = "has completion.values that is " + client.JSONType(values) + ", not a list"
		}
		v.add(completionValues, "the result of completion/complete %s", what)
		return
	}
	n := 0
	for value := range client.Elements(values) {
		if n++; !isText(value) {
			v.add(completionValues, "value %d is %s, not text", n, client.JSONType(value))
			break
		}
	}
	if n > 100 {
		v.add(completionValues, "%d values came: there are at most 100", n)
	}
	total, ok := number(client.Get(c, "total"))
	switch {
	case ok && int(total) < n:
		v.add(completionTotal, "%d values came, and total is %d", n, int(total))
	case ok && int(total) > n && string(client.Get(c, "hasMore")) == "false":
		v.add(completionTotal, "%d of %d values came, and hasMore is false", n, int(total))
	}
}
